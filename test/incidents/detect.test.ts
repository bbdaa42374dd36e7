import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isExpectedExit, outputError } from '../../src/incidents/detect.ts';
import { lineOfTool, readLine } from '../../src/shell/line.ts';
import { anyText } from '../support/any-text.ts';
import { jsonLines } from '../support/json-lines.ts';
import { tries } from '../support/tries.ts';

const bash = (command: string, stdout: string, rest: Record<string, unknown> = {}) =>
  outputError('Bash', readLine(command), { stdout, stderr: '', interrupted: false, isImage: false, ...rest });

/** What programs printed. In `IN_OWN_WORDS` are programs that no list knows: their words count only where the exit code is lost. */
const PRINTED = jsonLines<{ list: string; name: string; output: string }>('test/incidents/detected.jsonl');
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

  it.each([
    ['cat build.log'],
    ['cd x && cat build.log | tail -50'],
    ['tail -f server.log'],
    ['grep -rn "fatal: " src | head'],
    ['rg FAILED || true'],
    ['sed -n 1,40p test.log'],
    ['less x'],
    ['jq . report.json'],
    ['git log -p -3'],
    ['git --no-pager diff HEAD~1'],
    ['git -C sub show abc123'],
    ['docker logs web 2>&1 | tail'],
    ['docker compose logs --tail 20'],
    ['kubectl logs pod'],
    ['journalctl -u app'],
    ['gh run view 1 --log-failed'],
    ['npm ls'],
    ['ls -la'],
    ['find . -name "*.log"'],
    ['find . -name "*.log" | xargs cat'],
    ['for f in *.log; do cat $f; done'],
    ['while read -r f; do head "$f"; done < list'],
    ['bash -c "cat build.log"'],
    ['sudo cat /var/log/syslog'],
    ['ssh host npm test'],
    ['curl -s https://ci.example.com/log'],
    ['echo "fatal: x"'],
    ['printf "%s" "$OUT"'],
    ['npm test --help'],
    ['npm test; cat old.log'],
    ['npm test "unclosed'],
    [''],
  ])('takes nothing from a command that only shows text: %s', (command) => {
    for (const { output } of list('FAILURES')) expect(bash(command, output)).toBeNull();
  });

  it.each([
    ['npm test > /tmp/o.log 2>&1; tail -40 /tmp/o.log'],
    ['npm test 2>&1 | tee o.log | grep -c x; cat o.log'],
    ['cat seed.sql | npm run migrate'],
    ['git status && ls && npm test | grep -A3 FAIL'],
    ['timeout 60 npx vitest run | tail'],
  ])('reads shown text that is the output of the command itself: %s', (command) => {
    expect(bash(command, '      Tests  2 failed | 30 passed (32)')).not.toBeNull();
  });

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
    10_000,
  );
});

describe('isExpectedExit', () => {
  it.each([
    ['grep foo README.md', 'Exit code 1'],
    ['cd src && grep -rn foo . 2>/dev/null', 'Exit code 1'],
    ['npm ls | grep left-pad', 'Exit code 1'],
    ['ps aux | grep node | grep -v grep', 'Exit code 1'],
    ['echo "--- uses"; rg -n foo src', 'Exit code 1\n--- uses'],
    ['grep -q foo a && echo yes', 'Exit code 1'],
    ['find . -name "*.ts" | xargs grep -l foo', 'Exit code 123'],
    ['diff a.txt b.txt', 'Exit code 1\n1c1\n< error: old\n---\n> error: new'],
    ['cmp a b', 'Exit code 1\na b differ: byte 1, line 1'],
    ['test -f x', 'Exit code 1'],
    ['[ -d node_modules ] && echo there', 'Exit code 1'],
    ['[[ -n "$X" ]]', 'Exit code 1'],
    ['! grep -q foo a', 'Exit code 1'],
    ['which nosuch', 'Exit code 1\nwhich: no nosuch in (/usr/bin:/bin)'],
    ['command -v nosuch', 'Exit code 1'],
    ['pgrep -f server', 'Exit code 1'],
    ['git diff --exit-code', 'Exit code 1\n-a\n+b'],
    ['git diff --quiet && echo clean', 'Exit code 1'],
    ['git grep foo', 'Exit code 1'],
    ['npm outdated', 'Exit code 1\nPackage  Current  Wanted'],
  ])('%s', (command, error) => {
    expect(isExpectedExit(readLine(command), error)).toBe(true);
  });

  it.each([
    ['grep foo nope.md', 'Exit code 2\ngrep: nope.md: No such file or directory'],
    ['cat nope | grep foo', 'Exit code 1\ncat: nope: No such file or directory'],
    ['cd nope && grep foo a', 'Exit code 1\nbash: line 1: cd: nope: No such file or directory'],
    ['npm test', 'Exit code 1'],
    ['npm test && grep foo a', 'Exit code 1'],
    ['grep foo a; npm test', 'Exit code 1'],
    ['grep foo a | sort | npm test', 'Exit code 1'],
    ['rg foo', 'Exit code 127\nbash: line 1: rg: command not found'],
    ['git diff', 'Exit code 1'],
    ['git push', "Exit code 1\nerror: failed to push some refs to 'origin'"],
    ['diff a b', 'Exit code 2\ndiff: b: No such file or directory'],
    ['[ -f x', "Exit code 2\nbash: line 1: [: missing `]'"],
    ['if grep -q foo a; then npm test; fi', 'Exit code 1'],
    ['command npm test', 'Exit code 1'],
    ['grep foo "a', 'Exit code 1'],
    ['grep foo a', 'Command timed out after 2m'],
    ['false', 'Exit code 1'],
  ])('not %s (%s)', (command, error) => {
    expect(isExpectedExit(readLine(command), error)).toBe(false);
  });
});
