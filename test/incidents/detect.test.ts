import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isExpectedExit, outputError } from '../../src/incidents/detect.ts';
import { lineOfTool, readLine } from '../../src/shell/line.ts';
import { anyText } from '../support/any-text.ts';
import { tries } from '../support/tries.ts';

const bash = (command: string, stdout: string, rest: Record<string, unknown> = {}) =>
  outputError('Bash', readLine(command), { stdout, stderr: '', interrupted: false, isImage: false, ...rest });

const FAILURES: [name: string, output: string][] = [
  [
    'vitest',
    ' Test Files  1 failed | 3 passed (4)\n      Tests  2 failed | 30 passed (32)\n   Start at  22:13:04',
  ],
  [
    'vitest, in colour',
    '\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[31m2 failed\u001b[39m\u001b[22m\u001b[2m | \u001b[22m\u001b[1m\u001b[32m1 passed\u001b[39m\u001b[22m',
  ],
  ['vitest, above its tally', ' FAIL  src/x.test.ts > calc > adds\nAssertionError: expected 2 to be 3'],
  ['jest', 'Test Suites: 2 failed, 2 total\nTests:       3 failed, 1 passed, 4 total'],
  ['jest, a suite', 'FAIL src/x.test.js\n  ● Test suite failed to run'],
  ['mocha', '  1 passing (12ms)\n  2 failing\n'],
  ['node --test', 'not ok 1 - adds\n  ---\n# pass 1\n# fail 1'],
  ['pytest', "FAILED tests/x.py::test_key - KeyError: 'user'\n2 failed, 1 passed in 1.23s"],
  ['pytest, its bar', '========================= 2 failed, 1 passed in 1.30s =========================='],
  [
    'pytest, collecting',
    'ERROR tests/test_x.py\n!!!!!!! Interrupted: 1 error during collection !!!!!!!\n1 error in 0.12s',
  ],
  ['unittest', 'Ran 1 test in 0.001s\n\nFAILED (failures=1)'],
  ['go test', '--- FAIL: TestAdd (0.00s)\n    x_test.go:7: got 1\nFAIL\nFAIL\tgithub.com/acme/calc\t0.003s'],
  ['go build', '# example.com/calc\n./main.go:5:2: undefined: foo'],
  ['cargo test', 'test t ... FAILED\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored'],
  ['cargo build', 'error[E0308]: mismatched types\n --> src/main.rs:1:25'],
  ['cargo', 'error: no such command: `frob`'],
  ['tsc', "src/a.ts(1,7): error TS2345: Argument of type 'x'"],
  ['tsc --pretty', "src/a.ts:1:7 - error TS2345: Argument of type 'x'\n\nFound 1 error in src/a.ts:1"],
  ['eslint', '✖ 4 problems (3 errors, 1 warning)'],
  ['biome', 'Checked 1 file in 27ms.\nFound 4 errors.'],
  ['npm 9+', 'npm error code E404\nnpm error 404 Not Found'],
  ['npm 8', 'npm ERR! code ERESOLVE'],
  ['pnpm', '\u2009ERR_PNPM_NO_SCRIPT\u2009 Missing script: nosuch'],
  ['yarn', 'error Command failed with exit code 1.'],
  [
    'Python',
    'Traceback (most recent call last):\n  File "<string>", line 1, in <module>\nModuleNotFoundError: No module named \'x\'',
  ],
  [
    'node',
    "node:internal/modules/cjs/loader:1210\n  throw err;\n  ^\n\nError: Cannot find module 'left-pad'",
  ],
  ['node, the end', '    at node:internal/main/run_main_module:28:49\n\nNode.js v20.20.2'],
  ['git', "fatal: ambiguous argument 'abc': unknown revision or path not in the working tree."],
  ['git, error', "error: pathspec 'nosuch' did not match any file(s) known to git"],
  ['go, running', 'panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:'],
  ['Rust, running', "thread 'main' (6914) panicked at src/main.rs:1:54:"],
  ['Gradle', 'BUILD FAILED in 1s'],
  ['Maven', '[INFO] BUILD FAILURE'],
  ['Java', 'Exception in thread "main" java.lang.IllegalStateException: x\n\tat B.main(B.java:1)'],
  ['javac', 'A.java:1: error: cannot find symbol'],
  ['gcc', "a.c:2:32: error: expected ';' before 'return'"],
  ['ld', "l.c:(.text+0xa): undefined reference to `foo'\ncollect2: error: ld returned 1 exit status"],
  ['make', 'make: *** [Makefile:2: all] Error 1'],
  ['make, nested', 'make[2]: *** [Makefile:2: all] Error 2'],
  ['bash', 'bash: line 1:  6763 Segmentation fault      ./s'],
  ['bash, no such program', '/bin/bash: line 1: nosuchcmd: command not found'],
  ['sh, no such program', 'sh: 1: nosuchcmd: not found'],
  ['psql', 'psql: error: connection to server at "127.0.0.1", port 1 failed: Connection refused'],
  ['docker', 'docker: Error response from daemon: pull access denied'],
  ['Ruby', "app.rb:3:in `total': undefined method `sum' for nil:NilClass (NoMethodError)"],
];

const SUCCESSES: [name: string, output: string][] = [
  [
    // a passing vitest run with tests that log errors and are named after errors
    'vitest',
    `stdout | a.test.ts > throws an error: error TS2345: and fatal: x
fatal: handled
error: retrying

stderr | a.test.ts > throws an error: error TS2345: and fatal: x
Error: boom
    at /tmp/s/ok/v/a.test.ts:2:73

 ✓ a.test.ts > throws an error: error TS2345: and fatal: x 11ms
 ✓ a.test.ts > FAIL path prints npm ERR! code 0ms

 Test Files  1 passed (1)
      Tests  2 passed (2)`,
  ],
  [
    'jest',
    '  console.error\n    error: handled\n\nPASS ./a.test.js\n  ✓ prints error: x (22 ms)\n\nTests:       1 passed, 1 total',
  ],
  ['mocha', 'fatal: handled\n  ✔ fatal: x\n\n  1 passing (2ms)\n'],
  [
    'pytest -s, a traceback printed by a passing test',
    'test_ok.py::test_logs Traceback (most recent call last):\nTraceback (most recent call last):\nZeroDivisionError: division by zero\nPASSED\n============================== 2 passed in 0.77s ===============================',
  ],
  [
    'cargo test',
    'running 1 test\nerror: handled\ntest handles_error ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored',
  ],
  ['TAP', 'TAP version 13\nok 1 - not ok 2 - x\nnot ok 2 - later # TODO write it\n1..2\n# pass 1\n# fail 0'],
  [
    'zero counts',
    'Found 0 errors in 12 files.\n0 failed, 12 passed in 1.20s\n✖ 1 problem (0 errors, 1 warning)\nerror: 0\nno errors found',
  ],
  [
    'prose',
    'This chapter is about error handling.\nIt is fatal to ignore errors: they come back.\nThe build failed yesterday, see panic: notes.',
  ],
  [
    'npm install',
    'npm warn deprecated foo@1.0.0: error prone\nadded 375 packages in 31s\nfound 0 vulnerabilities',
  ],
  [
    'a compiler that warns',
    "a.c:2:21: warning: initialization of 'int' from 'char *'\nsrc/error.c compiled\n[INFO] BUILD SUCCESS",
  ],
  [
    'git push',
    'remote: Resolving deltas: 100% (2/2), done.\nTo github.com:acme/error.git\n   1a2b3c4..5d6e7f8  main -> main',
  ],
  ['nothing', ''],
];

/** Programs that no list knows. What they say of themselves counts only where their exit code is lost. */
const IN_OWN_WORDS: [name: string, output: string][] = [
  [
    'bazel',
    "ERROR: /w/BUILD:3:8: no such target '//lib:x'\nERROR: Build did NOT complete successfully\nINFO: Elapsed time: 0.3s",
  ],
  ['esbuild', '✘ [ERROR] Could not resolve "react"\n\n    src/a.tsx:1:18:'],
  ['stack', 'Error: [S-7282]\n       Stack failed to execute the build plan.'],
  ['flyway', 'Flyway Community Edition 10.1.0\nERROR: Validate failed: Migrations have failed validation'],
  ['a time before it', '10:04:11 [worker] INFO started\n10:04:12 [worker] ERROR: no broker at kafka:9092'],
  ['its own tally', 'Running 4 scenarios\n  2 failed'],
];
const WELL: [name: string, output: string][] = [
  ['an error that was overcome', 'ERROR: connection lost\nretrying …\nUploaded 3 files.'],
  ['a log', '[error] cache miss for key a\nServer listening on :3000'],
  ['errors put right', 'Fixed 3 errors in 2 files.'],
  ['a table', 'state   count\nfailed  0\nok      12'],
  ['a recap', 'mx1 : ok=31 changed=2 unreachable=0 failed=0'],
  ['a name', 'Compiling error-chain v0.12.4\n    Finished dev profile in 2.1s'],
  ['a report', 'rows: 1200\nrejected rows are in out/rejected.csv\nerror rate: 0.3 %\np95: 12 ms'],
];

describe('outputError', () => {
  it.each(IN_OWN_WORDS)('believes a program whose exit code is lost: %s', (_name, output) => {
    expect(bash('./tool build 2>&1 | tail -20', output)).toBe(output);
    expect(bash('./tool build || true', output)).toBe(output);
    expect(bash('./tool build; ls', output)).toBe(output);
    expect(bash('./tool build', output)).toBeNull();
    expect(bash('set -o pipefail; ./tool build | tail', output)).toBeNull();
    expect(bash('./tool build 2>&1 | grep -i error', output)).toBeNull();
  });

  it.each(WELL)('hears the last word: %s', (_name, output) => {
    expect(bash('./tool build 2>&1 | tail -20', output)).toBeNull();
  });

  it.each(FAILURES)('sees the failure behind an exit code of 0: %s', (_name, output) => {
    expect(bash('npm test 2>&1 | tail -20', output)).toBe(output.trim());
    expect(bash('cd x && (make all) || true', output)).toBe(output.trim());
    expect(bash('npm test', '', { stderr: output })).toBe(output.trim());
    expect(outputError('Bash', readLine('./run.sh; echo done'), output)).toBe(output.trim());
  });

  it.each(SUCCESSES)('leaves a success alone: %s', (_name, output) => {
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
    for (const [, output] of FAILURES) expect(bash(command, output)).toBeNull();
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
    const file = new URL('../fixtures/hooks/session.jsonl', import.meta.url);
    const events = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
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
