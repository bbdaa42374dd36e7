import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseError, outputLines } from '../../src/incidents/normalise.ts';
import { errorSignature } from '../../src/incidents/signature.ts';
import { anyText } from '../support/any-text.ts';
import { jsonLines } from '../support/json-lines.ts';
import { tries } from '../support/tries.ts';

const sign = (error: string, command = 'npm test') =>
  errorSignature({ tool: 'Bash', target: command, error: `Exit code 1\n${error}` });

// Real output of node 20, npm 11, TypeScript 7, vitest 4, jest 29, mocha 11, eslint 9, Python 3.11, pytest 9, cargo
// 1.95, javac 17, Maven 3.8, gcc 12, make 4.3, git 2.39, psql 15 and curl, shortened in the middle. The output of go,
// ruby and gradle comes from their documentation and issue trackers.
type Sample = { name: string; output: string; text: string; type: string | null };
const SAMPLES = jsonLines<Sample>('test/incidents/outputs.jsonl');

describe('errorSignature', () => {
  it.each(SAMPLES)('picks the salient lines: $name', ({ output, text, type }) => {
    const signature = sign(output);
    expect(signature.text).toBe(text);
    expect(signature.errorType).toBe(type);
    expect(signature.id).toMatch(/^[0-9a-f]{16}$/);
  });

  it('keeps the salient lines readable', () => {
    const { salient } = sign('src/a.ts(41,7): error TS2345: Argument of type   "x" …\nfoo');
    expect(salient).toBe('src/a.ts(41,7): error TS2345: Argument of type "x" …');
  });

  it("takes the message of the client's own tools, not the user's text behind it", () => {
    const read = { tool: 'Read', target: '/home/dev/shop-api/missing.txt' };
    const missing = errorSignature({
      ...read,
      error: 'File does not exist. Note: your current working directory is /home/dev/shop-api.',
    });
    expect(missing).toMatchObject({
      errorType: 'ENOENT',
      text: 'File does not exist. Note: your current working directory is <path>.',
    });
    const edit = errorSignature({
      tool: 'Edit',
      target: '/a.ts',
      error:
        '<tool_use_error>String to replace not found in file.\nString: throw new TypeError("x");\nTypeError: y</tool_use_error>',
    });
    expect(edit.text).toBe('String to replace not found in file.');
  });

  it('differs between tools and programs, but not between the commands of one program', () => {
    const error = 'Error: boo';
    const id = (tool: string, target: string | null) => errorSignature({ tool, target, error }).id;
    expect(id('Bash', 'npm test')).toBe(id('Bash', 'cd /x && npm run build'));
    expect(id('Bash', 'npm test')).not.toBe(id('Bash', 'cargo test'));
    expect(id('Bash', null)).not.toBe(id('mcp__x__y', null));
    expect(id('Edit', '/a/b.ts')).toBe(id('Edit', '/c/d.ts'));
  });

  it('is the same if a filter cut off the output above the failure', () => {
    const lines = (SAMPLES.find(({ name }) => name === 'pytest')?.output ?? '').split('\n');
    expect(sign(lines.slice(-4).join('\n')).id).toBe(sign(lines.join('\n')).id);
  });

  it('finds the failure at both ends of huge output and bounds what it returns', () => {
    const noise = 'compiling module 17 of 90 into /tmp/build\n'.repeat(60_000);
    for (const output of [`TypeError: first\n${noise}`, `${noise}TypeError: first`])
      expect(sign(output).text).toBe('TypeError: first');
    const long = sign(`TypeError: ${'word '.repeat(300_000)}`);
    expect(long.text.length).toBeLessThanOrEqual(600);
    expect(long.salient.length).toBeLessThanOrEqual(500);
  });

  // if the work is not linear in the length of the bait, the test fails by its time limit
  it.each(
    "a|$|/|1|1 |a/|'/|x: |<n>|\u001b[|\u001b]|Caused by: | 1:1 error  |http://|deadbeef1|Error: |1 failed, ".split(
      '|',
    ),
  )('takes 1 MB of %j in long and short lines', (unit) => {
    for (const row of [unit, `${unit}\n`, `${unit.repeat(Math.ceil(990 / unit.length))}!\n`]) {
      const bait = row.repeat(Math.ceil(1_000_000 / row.length));
      expect(sign(bait).text.length).toBeLessThanOrEqual(600);
      expect(normaliseError(bait).length).toBeLessThanOrEqual(600);
    }
  });
});

describe('normaliseError', () => {
  it.each(jsonLines<{ from: string; to: string }>('test/incidents/normalised.jsonl'))(
    '$from',
    ({ from, to }) => {
      expect(normaliseError(from)).toBe(to);
    },
  );

  const piece = fc.constantFrom(
    ...' |  |\n|/|\\|.|:|-|_|@|(|)|[|]|\'|"|`|<|>|<n>|<path>|<time>|<hash>|1|42|3.5|a|f|abc|abc1234|s|ms|min|E|v1.2|Z'.split(
      '|',
    ),
    ...'2026-01-02|10:20:30|Jan|0x1f|http://|file://|C:\\|~/|./|.ts|:1:2|(1,2)|src/|module |SQLSTATE |$|%|=|,|?|é|‘|K|\r|\t'.split(
      '|',
    ),
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 30 }).map((parts) => parts.join('')),
    fc.array(piece, { minLength: 300, maxLength: 600 }).map((parts) => parts.join('')),
    anyText(),
  );

  it('is idempotent', () => {
    fc.assert(
      fc.property(text, (input) => {
        const once = normaliseError(input);
        expect(normaliseError(once)).toBe(once);
        expect(once.length).toBeLessThanOrEqual(600);
      }),
      { numRuns: tries(400) },
    );
  });

  it('never throws, whatever the output', () => {
    fc.assert(
      fc.property(text, anyText(), (error, target) => {
        expect(errorSignature({ tool: 'Bash', target, error }).id).toHaveLength(16);
        expect(outputLines(error).length).toBeGreaterThan(0);
      }),
      { numRuns: tries(400) },
    );
  });
});

describe('the same failure elsewhere', () => {
  const name = fc.stringMatching(/^[a-z][a-zA-Z]{0,11}$/);
  const segment = fc.stringMatching(/^[a-zA-Z_][\w-]{0,11}$/);
  const extension = fc.constantFrom('ts', 'tsx', 'js', 'mjs', 'py', 'rs', 'go', 'java', 'rb', 'c');
  const line = fc.integer({ min: 1, max: 99_999 });
  const path = fc
    .tuple(
      fc.constantFrom('/', './', '../', '~/', 'src/', 'C:\\'),
      fc.array(segment, { maxLength: 8 }),
      segment,
      extension,
    )
    .map(
      ([root, folders, base, ext]) =>
        root + [...folders, `${base}.${ext}`].join(root === 'C:\\' ? '\\' : '/'),
    );
  const hash = fc.oneof(
    fc.uuid(),
    fc.stringMatching(/^[0-9a-f]{40}$/).filter((hex) => /\d/.test(hex) && /[a-f]/.test(hex)),
    line.map((n) => `0x${n.toString(16)}`),
  );
  const duration = fc.tuple(line, fc.constantFrom('ms', 's', ' seconds', 'm')).map(([n, unit]) => n + unit);
  const stamp = fc
    .date({ min: new Date(0), max: new Date('2090-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString());
  const slots = fc.record({ path, other: path, line, column: line, hash, duration, stamp, count: line });
  type Slots = Parameters<Parameters<typeof slots.map>[0]>[0];

  const TEMPLATES: ((slots: Slots, identifier: string) => string)[] = [
    (s, id) => `${s.path}(${s.line},${s.column}): error TS2304: Cannot find name '${id}'.`,
    (s, id) =>
      `${s.path}:${s.line}\n  ${id}()\n  ^\n\nTypeError: ${id} is not a function\n    at ${s.path}:${s.line}:${s.column}`,
    (s, id) => `Error: ENOENT: no such file or directory, open '${s.path}' for ${id}`,
    (s, id) =>
      `Traceback (most recent call last):\n  File "${s.path}", line ${s.line}, in x\nKeyError: '${id}' at ${s.hash}`,
    (s, id) =>
      ` FAIL  a.test.ts > ${id}\nError: Test timed out in ${s.count}ms.\n\n      Tests  1 failed | ${s.count} passed (${s.count})\n   Duration  ${s.duration}`,
    (s, id) => `${s.path}:${s.line}:${s.column}: error: '${id}' undeclared (${s.duration})`,
    (s, id) => `[${s.stamp}] fatal: bad object ${s.hash} in ${id}`,
    (s, id) => `fatal: ${s.other}: ${id} needs ${s.count} of ${s.line} after ${s.duration}, pid ${s.count}`,
    (s, id) =>
      `thread 'main' (${s.count}) panicked at ${s.path}:${s.line}:${s.column}:\n${id} out of bounds: the len is ${s.count}`,
    (s, id) =>
      `--- FAIL: Test_${id} (${s.count}.0${s.count}s)\n    x_test.go:${s.line}: got ${s.count}, want ${s.line}`,
  ];

  it('has the same id when paths, numbers, hashes and times differ', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TEMPLATES), name, slots, slots, (template, identifier, here, there) => {
        expect(sign(template(there, identifier)).text).toBe(sign(template(here, identifier)).text);
        expect(sign(template(there, identifier)).id).toBe(sign(template(here, identifier)).id);
      }),
      { numRuns: tries(500) },
    );
  });

  it('has another id when the identifier differs', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TEMPLATES), name, name, slots, (template, one, other, where) => {
        fc.pre(one !== other);
        expect(sign(template(where, one)).id).not.toBe(sign(template(where, other)).id);
      }),
      { numRuns: tries(500) },
    );
  });
});
