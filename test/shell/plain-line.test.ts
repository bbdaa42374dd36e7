import { expect, test } from 'vitest';
import { readLine } from '../../src/shell/line.ts';

test.each([
  ['npm test 2>&1 | tail -20', 'npm test'],
  ['which uv && uv run pytest -q 2>&1 | tail -5; echo "exit $?"', 'uv run pytest -q'],
  ['npm ci 2>&1 | tail -3 && npm run build', 'npm ci && npm run build'],
  ['cd web && npm run e2e | grep -v skip', 'cd web && npm run e2e'],
  ['export A=1; make proto && git status --short', 'export A=1; make proto'],
  ['a || b | tail', 'a || b | tail'],
  ['cat x | python load.py | head', 'cat x | python load.py'],
  ['echo "x | tail" > f.txt', 'echo "x | tail" > f.txt'],
  ['npm start &', 'npm start &'],
  ['git log | head', 'git log | head'],
  ["echo 'not closed", "echo 'not closed"],
])('a line without what is in it for its reader: %s', (line, plain) => {
  expect(readLine(line).plain).toBe(plain);
});
