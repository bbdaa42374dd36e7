import { expect, it } from 'vitest';
import { readLine } from '../../src/shell/line.ts';
import { outputKind } from '../../src/shell/steps.ts';

const LOOKS = `cat a.log | grep -i error | head -20
git status && git diff HEAD~1 -- src
git branch -a
npm ls react
docker compose ps
find . -name '*.ts' -not -path './node_modules/*'
sudo lsof -i :3000
set -e; test -f a && echo yes`.split('\n');
const DOES_MORE = `npm test
ls; rm a
git stash pop
git config user.email a@example.com
docker exec web ls
terraform state rm x
find . -exec rm {} +
sed -i 's/a/b/' a.ts
export A=1
source .venv/bin/activate
cat "unclosed`.split('\n');

it.each(LOOKS)('%j only looks', (line) => expect(readLine(line).onlyLooks).toBe(true));
it.each(DOES_MORE)('%j does more', (line) => expect(readLine(line).onlyLooks).toBe(false));

it.each([
  ['cat a', 'reads'],
  ['git status', 'speaks'],
  ['npm test', 'runs'],
  ['curl -s https://example.com', 'fetches'],
  ['timeout 5 grep x a', 'reads'],
])('what %j shows: it %s', (command, kind) => {
  const step = readLine(command).pipelines?.[0]?.steps[0];
  expect(step && outputKind(step)).toBe(kind);
});
