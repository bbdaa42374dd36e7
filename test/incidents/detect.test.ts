import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isExpectedExit, outputError } from '../../src/incidents/detect.ts';
import { lineOfTool, readLine } from '../../src/shell/line.ts';
import { anyText } from '../support/any-text.ts';
import { jsonLines } from '../support/json-lines.ts';
import { tries } from '../support/tries.ts';

const bash = (command: string, stdout: string, rest: Record<string, unknown> = {}) =>
  outputError('Bash', readLine(command), { stdout, stderr: '', interrupted: false, isImage: false, ...rest });

/** What programs printed, and commands. In `IN_OWN_WORDS` are programs that no list knows: their words count only where the exit code is lost. */
const PRINTED = jsonLines<{ list: string; name: string; command: string; output: string }>(
  'test/incidents/detected.jsonl',
);
const list = (name: string) => PRINTED.filter((row) => row.list === name);

describe('outputError', () => {
  it.each(list('IN_OWN_WORDS'))('believes a program whose exit code is lost: $name', ({ output }) => {
    expect(bash('./tool build 2>&1 | tail -20', output)).toBe(output);
    expect(bash('./tool build || true', output)).toBe(output);
    expect(bash('./tool build; ls', output)).toBe(output);
    expect(bash('./tool build', output)).toBeNull();
    expect(bash('set -o pipefail; ./tool build | tail', output)).toBeNull();
    expect(bash('./tool build 2>&1 | grep -i error', output)).toBeNull();
  });

  it.each(list('WELL'))('hears the last word: $name', ({ output }) => {
    expect(bash('./tool build 2>&1 | tail -20', output)).toBeNull();
  });

  it.each(list('FAILURES'))('sees the failure behind an exit code of 0: $name', ({ output }) => {
    expect(bash('npm test 2>&1 | tail -20', output)).toBe(output.trim());
    expect(bash('cd x && (make all) || true', output)).toBe(output.trim());
    expect(bash('npm test', '', { stderr: output })).toBe(output.trim());
    expect(outputError('Bash', readLine('./run.sh; echo done'), output)).toBe(output.trim());
  });

  it.each(list('SUCCESSES'))('leaves a success alone: $name', ({ output }) => {
    expect(bash('npm test 2>&1 | tail -20', output)).toBeNull();
    expect(bash('./run.sh', output)).toBeNull();
  });

  it.each(list('SHOWS'))('takes nothing from a command that only shows text: $command', ({ command }) => {
    for (const { output } of list('FAILURES')) expect(bash(command, output)).toBeNull();
  });

  it.each(list('READS'))(
    'reads shown text that is the output of the command itself: $command',
    ({ command }) => {
      expect(bash(command, '      Tests  2 failed | 30 passed (32)')).not.toBeNull();
    },
  );

  it("takes curl's own error, not the text of the page that it fetched", () => {
    expect(
      bash(
        'curl -s localhost:1 || true',
        "curl: (7) Failed to connect to localhost port 1 after 0 ms: Couldn't connect",
      ),
    ).toContain('curl: (7)');
    expect(bash('npm run build && curl -s localhost', 'fatal: a page about git')).toBeNull();
    expect(bash('npm run build | tail; curl -s localhost', 'src/a.ts(1,7): error TS2345: x')).not.toBeNull();
  });

  it('returns null if the user stopped the call', () => {
    expect(bash('npm test | tail', 'npm error code E404', { interrupted: true })).toBeNull();
  });

  it('takes the error fields of other tools', () => {
    const of = (response: unknown, tool = 'mcp__db__query') => outputError(tool, null, response);
    expect(of({ is_error: true, content: 'relation does not exist' })).toBe('relation does not exist');
    expect(of({ isError: true, content: [{ type: 'text', text: 'no such table' }] })).toBe('no such table');
    expect(of({ success: false, message: 'quota exceeded' })).toBe('quota exceeded');
    expect(of({ error: 'not found' })).toBe('not found');
    expect(of({ error: { message: 'not found' } })).toBe('not found');
    expect(of({ success: false })).toBe('error');
    for (const fine of [
      { error: null },
      { error: '' },
      { error: false },
      { success: true },
      { content: 'error: x' },
      'error: x',
      null,
      [],
      3,
    ])
      expect(of(fine)).toBeNull();
    expect(
      of({ type: 'text', file: { filePath: '/a', content: 'fatal: x\nnpm ERR! y' } }, 'Read'),
    ).toBeNull();
  });

  it('finds no error in the recorded session, whose calls all worked', () => {
    const events = jsonLines('test/fixtures/hooks/session.jsonl');
    const worked = events.filter((event) => event.hook_event_name === 'PostToolUse');
    expect(worked.length).toBeGreaterThan(3);
    for (const { tool_name, tool_input, tool_response } of worked)
      expect(outputError(tool_name, lineOfTool(tool_name, tool_input), tool_response)).toBeNull();
  });

  it('never throws, whatever comes', () => {
    fc.assert(
      fc.property(anyText(), fc.anything(), fc.anything(), (text, input, response) => {
        outputError('Bash', lineOfTool('Bash', input), response);
        outputError('mcp__x', null, response);
        outputError('Bash', readLine(text), { stdout: text });
        expect(isExpectedExit(readLine(text), text)).toBe(false);
      }),
      { numRuns: tries(200) },
    );
  });

  // if the work is not linear in the length of the bait, the test fails by its time limit
  it.each([['='], ['1, '], ['Error: '], ['x: '], ['ok 1 '], ['[ERROR] '], ['  ']])(
    'takes 1 MB of %j',
    (unit) => {
      for (const row of [unit, `${unit}\n`, `${unit.repeat(Math.ceil(990 / unit.length))}!\n`])
        expect(bash('npm test', row.repeat(Math.ceil(1_000_000 / row.length))) === null).toBe(true);
    },
  );
});

describe('isExpectedExit', () => {
  it.each(list('EXPECTED'))('$command', ({ command, output: error }) => {
    expect(isExpectedExit(readLine(command), error)).toBe(true);
  });

  it.each(list('UNEXPECTED'))('not $command ($output)', ({ command, output: error }) => {
    expect(isExpectedExit(readLine(command), error)).toBe(false);
  });
});
