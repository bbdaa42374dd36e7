import { describe, expect, it } from 'vitest';
import { readLine } from '../../src/shell/line.ts';
import { toolTarget } from '../../src/shell/tool-target.ts';

const commandKey = (text: string) => readLine(text).key;
const programOf = (text: string) => readLine(text).program;

/** Returns the rows of a text, each split into its columns. */
const rows = (text: string) => text.split('\n').map((row) => row.split(' ⇒ '));

const NPM_TEST = `npm   test
npm test 2>&1
npm test | tee /tmp/out.log
npm test > /tmp/o.txt 2>&1 || grep -A5 FAIL /tmp/o.txt | head
npm test; echo "exit: $?"
npm test || true
npm test; rc=$?; echo $rc; exit $rc
cd /home/dev/shop && npm test
(cd shop && npm test)
set -euo pipefail; npm test
timeout 120 npm test
NO_COLOR=1 FORCE_COLOR=0 npm test`.split('\n');
const APART = String.raw`npm test ⇒ npm run build
npm test ⇒ NODE_ENV=production npm test
npm test ⇒ npm install; npm test
npm test ⇒ ! npm test
a && b ⇒ a; b
echo x ⇒ echo x > a
git log | grep a ⇒ git log
psql < a.sql ⇒ psql < b.sql
cat > a <<EOF\nx\nEOF ⇒ cat > a <<EOF\ny\nEOF
make && cd b && make ⇒ make && make`;

describe('the key of a line', () => {
  it.each(NPM_TEST)('takes %j as the same command as npm test', (command) => {
    expect(commandKey(command)).toBe('npm test');
  });

  it.each(rows(APART))('tells %j from %j', (one = '', other = '') => {
    const [a, b] = [one, other].map((line) => commandKey(line.replaceAll('\\n', '\n')));
    expect(a).not.toBe(b);
  });

  it('still shows what was run', () => {
    expect(commandKey('cd x && FOO=1 npm  test\ngit   commit -m "a  b" | tail -3')).toBe(
      'FOO=1 npm test; git commit -m "a  b"',
    );
    expect(commandKey('cat a.log | head -5')).toBe('cat a.log');
    const started = 'npm run dev & sleep 3; curl -s localhost:3000';
    expect(commandKey(started)).toBe(started);
  });

  it('only collapses white space when the text is not bash', () =>
    expect(commandKey('npm  test "unclosed | tail')).toBe('npm test "unclosed | tail'));

  it('limits the length of the key and keeps long commands apart', () => {
    const long = (end: string) => `node -e "${'x'.repeat(5_000)}${end}"`;
    expect(commandKey(long('a')).length).toBeLessThanOrEqual(617);
    expect(commandKey(long('a'))).not.toBe(commandKey(long('b')));
    expect(commandKey(commandKey(long('a')))).toBe(commandKey(long('a')));
  });
});

const PROGRAMS = String.raw`npm test ⇒ npm
/usr/bin/python3.11 x.py ⇒ python
sudo -u dev apt-get install x ⇒ apt-get
npx --yes vitest run ⇒ vitest
uv run ruff check ⇒ ruff
/usr/bin/mksh -c "go test ./..." ⇒ go
'C:\tools\Go.EXE' test ⇒ go
conda run -n env pytest -q ⇒ pytest
pdm run test ⇒ pdm
docker-compose exec web npm test ⇒ docker-compose
for f in *; do git add $f; done ⇒ git
find . -name x | xargs rm ⇒ find
command -v node ⇒ command
constructor x ⇒ constructor`;

it.each(rows(PROGRAMS))('the program of %j is %j', (line = '', program) => {
  expect(programOf(line)).toBe(program);
});

describe('toolTarget', () => {
  it.each([
    ['Bash', { command: 'cd x && npm test 2>&1 | tail' }, 'npm test'],
    ['Write', { file_path: '/a/b.ts' }, '/a/b.ts'],
    ['Grep', { pattern: 'foo', path: 'src' }, 'foo src'],
    ['Task', { prompt: 'x' }, null],
    ['Bash', null, null],
  ])('%s %j', (tool, input, target) => expect(toolTarget(tool, input)).toBe(target));

  it('limits the length of the JSON and survives any nesting depth', () => {
    expect(toolTarget('mcp__x__y', { text: 'x'.repeat(1_000) })).toHaveLength(300);
    const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    expect(toolTarget('mcp__x__y', { deep })).toBeNull();
  });
});

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

it.each([...LOOKS, ...DOES_MORE])('whether %j only looks', (line) =>
  expect(readLine(line).onlyLooks).toBe(LOOKS.includes(line)),
);
