import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLine } from '../../src/shell/line.ts';
import { filesTouched, toolTarget } from '../../src/shell/tool-target.ts';
import { clip } from '../../src/text/clip.ts';
import { anyText } from '../support/any-text.ts';
import { tries } from '../support/tries.ts';

const commandKey = (text: string) => readLine(text).key;
const programOf = (text: string) => readLine(text).program;

describe('the key of a line', () => {
  it.each([
    ['npm   test'],
    ['  npm test\n'],
    ['npm \\\n  test'],
    ['npm test # again'],
    ['npm test 2>&1'],
    ['npm test 2>&1 | tail -20'],
    ['npm test |& head -5'],
    ['npm test 2>&1 | grep -v "^>" | sed -n 1,40p | head'],
    ['npm test | tee /tmp/out.log'],
    ['npm test > /dev/null 2>&1'],
    ['npm test &> out.txt'],
    ['npm test > /tmp/o.txt 2>&1; tail -40 /tmp/o.txt'],
    ['npm test > /tmp/o.txt 2>&1 || grep -A5 FAIL /tmp/o.txt | head'],
    ['npm test; echo done'],
    ['npm test; echo "exit: $?"'],
    ['npm test && echo ok || echo "not ok"'],
    ['npm test || true'],
    ['npm test || exit 1'],
    ['npm test; rc=$?; echo $rc; exit $rc'],
    ['echo "--- tests"; npm test'],
    ['cd /home/dev/shop && npm test'],
    ['cd shop; npm test'],
    ['cd shop || exit 1; npm test'],
    ['cd a && cd b && npm test'],
    ['(cd shop && npm test)'],
    ['{ npm test; } 2>&1 | tail'],
    ['set -euo pipefail; npm test'],
    ['time npm test'],
    ['timeout 120 npm test'],
    ['timeout -k 5 2m npm test 2>&1 | tail -5; echo "$PIPESTATUS"'],
    ['NO_COLOR=1 FORCE_COLOR=0 npm test'],
  ])('takes %j as the same command as npm test', (command) => {
    expect(commandKey(command)).toBe('npm test');
  });

  it.each([
    ['npm test', 'npm run build'],
    ['npm test', 'npm test -- --bail'],
    ['npm test', 'NODE_ENV=production npm test'],
    ['npm test', 'npm test && npm run build'],
    ['npm test', 'npm install; npm test'],
    ['npm test', 'npm test &'],
    ['npm test', '! npm test'],
    ['a && b', 'a || b'],
    ['a && b', 'a; b'],
    ['git push', 'git push --force'],
    ['rm a', 'rm b'],
    ['rm a b', 'rm "a b"'],
    ['echo a', 'echo b'],
    ['echo x > a', 'echo x > b'],
    ['echo x', 'echo x > a'],
    ['echo $(rm a); npm test', 'npm test'],
    ['cat a', 'cat b'],
    ['cat log | grep a', 'cat log | grep b'],
    ['git log | grep a', 'git log'],
    ['git branch | grep a', 'git branch'],
    ['ps aux | grep node', 'ps aux | grep java'],
    ['curl -s u | jq .a', 'curl -s u | jq .b'],
    ['psql < a.sql', 'psql < b.sql'],
    ['cat a.sql | psql', 'cat b.sql | psql'],
    ['cat > a <<EOF\nx\nEOF', 'cat > a <<EOF\ny\nEOF'],
    ['find . -name a | xargs rm', 'find . -name a'],
    ['make && cd b && make', 'make && make'],
    ['export A=1 && npm test', 'npm test'],
  ])('tells %j from %j', (one, other) => {
    expect(commandKey(one)).not.toBe(commandKey(other));
  });

  it('still shows what was run', () => {
    expect(commandKey('cd x && FOO=1 npm  test\ngit   commit -m "a  b" | tail -3')).toBe(
      'FOO=1 npm test; git commit -m "a  b"',
    );
    expect(commandKey('cat a.log | head -5')).toBe('cat a.log');
    expect(commandKey('npm run dev & sleep 3; curl -s localhost:3000')).toBe(
      'npm run dev & sleep 3; curl -s localhost:3000',
    );
    expect(commandKey('cd x')).toBe('cd x');
    expect(commandKey('')).toBe('');
  });

  it('only collapses white space when the text is not bash', () => {
    expect(commandKey('npm  test "unclosed | tail')).toBe('npm test "unclosed | tail');
    expect(commandKey('if then  fi')).toBe('if then fi');
  });

  it('limits the length of the key and keeps long commands apart', () => {
    const long = (end: string) => `node -e "${'x'.repeat(5_000)}${end}"`;
    expect(commandKey(long('a')).length).toBeLessThanOrEqual(617);
    expect(commandKey(long('a'))).not.toBe(commandKey(long('b')));
    expect(commandKey(commandKey(long('a')))).toBe(commandKey(long('a')));
  });

  it.each([
    ['$('],
    ['('],
    ['echo $(echo '],
    ['a | '],
    ['a; '],
    ['"a '],
    ['{ '],
    ['if a; then '],
    ['<<A\n'],
    ['a && '],
    [' '],
  ])(
    'takes 1 MB and 8 KB of %j',
    (unit) => {
      for (const size of [8_000, 1_000_000]) {
        const bait = unit.repeat(Math.ceil(size / unit.length));
        expect(commandKey(bait).length).toBeLessThanOrEqual(617);
        expect(programOf(bait)).toBeTypeOf('string');
      }
    },
    10_000,
  );

  const piece = fc.constantFrom(
    ...[
      ' ',
      '\n',
      ';',
      '&&',
      '||',
      '|',
      '|&',
      '&',
      '(',
      ')',
      '{ ',
      '; }',
      '!',
      '#',
      '"',
      "'",
      '`',
      '\\',
      '$(',
      '\0',
    ],
    ...[
      'cd x',
      'npm test',
      'a',
      'echo',
      'echo $?',
      'true',
      'exit 1',
      'cat f',
      'rc=$?',
      'set -e',
      '[[ -f x ]]',
      'bash -c "a"',
    ],
    ...[
      '2>&1',
      '> f',
      '>/dev/null',
      '< g',
      'tail -5',
      'grep x',
      'tee f',
      'tail f',
      '<<EOF\nhi\nEOF\n',
      '>> f',
      '$((1+1))',
    ],
    ...[
      'time ',
      'timeout 5 ',
      'FOO=1 ',
      'NO_COLOR=1 ',
      'sudo ',
      'if a; then b; fi',
      'for i in 1; do a; done',
      'f() { a; }',
    ],
  );
  const shell = fc.oneof(
    fc
      .tuple(fc.array(piece, { maxLength: 14 }), fc.constantFrom('', ' '))
      .map(([parts, glue]) => parts.join(glue)),
    anyText(),
  );

  it('is idempotent', () => {
    fc.assert(
      fc.property(shell, (command) => {
        const key = commandKey(command);
        expect(commandKey(key)).toBe(key);
      }),
      { numRuns: tries(1_000) },
    );
  });

  it('does not change with cosmetic wrapping', () => {
    const plain = fc.stringMatching(/^[a-z]{2,6}( (?:-[a-z]|[a-z0-9./]{1,8})){0,3}$/).filter((command) => {
      const program = command.split(' ')[0] ?? '';
      return !/^(?:cd|echo|set|true|exit|if|do|in|for|fi|done|case|esac|then|else|elif|time|tail|head|cat|tee|grep|sed|awk|cut|sort|less|more|function|select|until|while)$/.test(
        program,
      );
    });
    const wrapping = fc.constantFrom(
      (c: string) => `cd /tmp/x && ${c}`,
      (c: string) => `${c} 2>&1 | tail -30`,
      (c: string) => `${c};  echo "exit $?"`,
      (c: string) => `timeout 60 ${c}`,
      (c: string) => `${c} || true`,
      (c: string) => `( ${c} )`,
    );
    fc.assert(
      fc.property(plain, fc.array(wrapping, { maxLength: 2 }), (command, wrappings) => {
        // a time limit wraps a single command, not a whole line
        const inner = wrappings.filter((wrap) => wrap('x').startsWith('timeout'));
        const outer = wrappings.filter((wrap) => !inner.includes(wrap));
        const wrapped = [...inner, ...outer].reduce((text, wrap) => wrap(text), command);
        expect(commandKey(wrapped)).toBe(commandKey(command));
      }),
      { numRuns: tries(300) },
    );
  });
});

describe('the program of a line', () => {
  it.each([
    ['npm test', 'npm'],
    ['cd x && FOO=1 npm test | tail', 'npm'],
    ['/usr/bin/python3.11 x.py', 'python'],
    ['python3 -m pytest -x', 'pytest'],
    ['sudo -u dev apt-get install x', 'apt-get'],
    ['timeout -k 5 60 env A=1 nice -n 5 cargo test', 'cargo'],
    ['npx --yes vitest run', 'vitest'],
    ['./node_modules/.bin/vitest run', 'vitest'],
    ['uv run ruff check', 'ruff'],
    ['bash -c "go test ./..."', 'go'],
    ['/usr/bin/mksh -c "go test ./..."', 'go'],
    ['C:\\tools\\Go.EXE test', 'c:toolsgo'],
    ["'C:\\tools\\Go.EXE' test", 'go'],
    ['npx -y vitest@3 run', 'vitest'],
    ['uvx ruff check', 'ruff'],
    ['pipx run black .', 'black'],
    ['conda run -n env pytest -q', 'pytest'],
    ['op run -- make', 'make'],
    ['strace -f -o t.txt node x.js', 'node'],
    ['flock -n /tmp/l cargo build', 'cargo'],
    ['pdm run test', 'pdm'],
    ['ssh host npm test', 'ssh'],
    ['docker-compose exec web npm test', 'docker-compose'],
    ['sudo --unheard-of make', 'make'],
    ['for f in *; do git add $f; done', 'git'],
    ['echo start; export A=1; make', 'make'],
    ['find . -name x | xargs rm', 'find'],
    ['echo hi', 'echo'],
    ['command -v node', 'command'],
    ['screen -r work', 'screen'],
    ['screen -dmS work npm test', 'npm'],
    ['A=1 npm "unclosed', 'npm'],
    ['constructor x', 'constructor'],
    ['A=1', ''],
    ['', ''],
  ])('%j is %j', (command, program) => {
    expect(programOf(command)).toBe(program);
  });
});

describe('the pipelines of a line', () => {
  it('returns the steps of each pipeline and what they write', () => {
    const { pipelines } = readLine('cd x && sudo npm test > o.txt | tee -a log; if a; then b; fi');
    expect(
      pipelines?.map(({ steps, statement, nested }) => [
        steps.map(({ program }) => program),
        statement,
        nested,
      ]),
    ).toEqual([
      [['cd'], 0, false],
      [['npm', 'tee'], 0, false],
      [['a'], 1, true],
      [['b'], 1, true],
    ]);
    expect(pipelines?.[1]?.steps.map(({ writes, piped }) => [writes, piped])).toEqual([
      [['o.txt'], false],
      [['log'], true],
    ]);
  });

  it('returns null for text that is not bash or is too long', () => {
    expect(readLine('a "b').pipelines).toBeNull();
    expect(readLine('a '.repeat(5_000)).pipelines).toBeNull();
  });
});

describe('toolTarget', () => {
  it.each([
    ['Bash', { command: 'cd x && npm test 2>&1 | tail' }, 'npm test'],
    ['Edit', { file_path: '/a/b.ts', old_string: 'x' }, '/a/b.ts'],
    ['Write', { file_path: '/a/b.ts' }, '/a/b.ts'],
    ['MultiEdit', { file_path: '/a/b.ts' }, '/a/b.ts'],
    ['Read', { file_path: '/a/b.ts' }, '/a/b.ts'],
    ['NotebookEdit', { notebook_path: '/a/b.ipynb' }, '/a/b.ipynb'],
    ['Grep', { pattern: 'foo', path: 'src' }, 'foo src'],
    ['Glob', { pattern: '**/*.ts' }, '**/*.ts'],
    ['WebFetch', { url: 'https://example.com/x', prompt: 'y' }, 'https://example.com/x'],
    ['mcp__db__query', { b: [2, { d: 1, c: 0 }], a: 1 }, '{"a":1,"b":[2,{"c":0,"d":1}]}'],
    ['Task', { prompt: 'x' }, null],
    ['Bash', {}, null],
    ['Bash', null, null],
    ['Edit', 'x', null],
    ['mcp__x__y', undefined, null],
  ])('%s %j', (tool, input, target) => {
    expect(toolTarget(tool, input)).toBe(target);
  });

  it('limits the length of the JSON and survives any nesting depth', () => {
    expect(toolTarget('mcp__x__y', { text: 'x'.repeat(1_000) })).toHaveLength(300);
    const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    expect(toolTarget('mcp__x__y', { deep })).toBeNull();
  });
});

describe('filesTouched', () => {
  it('returns the file of a writing tool, and nothing for other tools', () => {
    expect(filesTouched('Edit', { file_path: '/a.ts' })).toEqual(['/a.ts']);
    expect(filesTouched('NotebookEdit', { notebook_path: '/a.ipynb' })).toEqual(['/a.ipynb']);
    expect(filesTouched('Read', { file_path: '/a.ts' })).toEqual([]);
    expect(filesTouched('Write', {})).toEqual([]);
    expect(filesTouched('Bash', { command: 'touch a' })).toEqual([]);
  });
});

describe('clip', () => {
  it('never cuts a character in half', () => {
    expect(clip('ab', 5)).toBe('ab');
    expect(clip('a😀b', 2)).toBe('a');
    expect(clip('a😀b', 3)).toBe('a😀');
  });
});
