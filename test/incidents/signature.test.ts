// Longer than 400 lines because it contains outputs of many tools as they print them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseError, outputLines } from '../../src/incidents/normalise.ts';
import { errorSignature } from '../../src/incidents/signature.ts';
import { anyText } from '../support/any-text.ts';
import { tries } from '../support/tries.ts';

const sign = (error: string, command = 'npm test') =>
  errorSignature({ tool: 'Bash', target: command, error: `Exit code 1\n${error}` });

// Real output of node 20, npm 11, TypeScript 7, vitest 4, jest 29, mocha 11, eslint 9, Python 3.11, pytest 9, cargo
// 1.95, javac 17, Maven 3.8, gcc 12, make 4.3, git 2.39, psql 15 and curl, shortened in the middle. The output of go,
// ruby and gradle comes from their documentation and issue trackers.
const SAMPLES: [name: string, output: string, text: string, type: string | null][] = [
  [
    'node, a module that is not there',
    `node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module 'left-pad'
Require stack:
- /home/dev/shop/a.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15) {
  code: 'MODULE_NOT_FOUND',
  requireStack: [ '/home/dev/shop/a.js' ]
}

Node.js v20.20.2`,
    "Error: Cannot find module 'left-pad'",
    'MODULE_NOT_FOUND',
  ],
  [
    'node, ES module',
    `Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@scope/pkg' imported from /tmp/s/js/a.mjs
    at packageResolve (node:internal/modules/esm/resolve:873:9)`,
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@scope/pkg' imported from <path>",
    'ERR_MODULE_NOT_FOUND',
  ],
  [
    'node, a type error with source and caret',
    `/tmp/s/js/b.js:1
const u=undefined; function f(){return u.name}; f()
                                         ^

TypeError: Cannot read properties of undefined (reading 'name')
    at f (/tmp/s/js/b.js:1:42)

Node.js v20.20.2`,
    "TypeError: Cannot read properties of undefined (reading 'name')",
    'TypeError',
  ],
  [
    'node, a system error',
    `node:events:502
      throw er; // Unhandled 'error' event
      ^

Error: listen EADDRINUSE: address already in use :::3000
    at Server.setupListenHandle [as _listen2] (node:net:1886:21) {
  code: 'EADDRINUSE',
  errno: -98,
  port: 3000
}`,
    'Error: listen EADDRINUSE: address already in use :::<n>',
    'EADDRINUSE',
  ],
  [
    'npm, a package that is not there',
    `npm warn Unknown user config "nodedir".
npm error code E404
npm error 404 Not Found - GET https://registry.example.test/@nosuch%2fpkg
npm error 404
npm error 404  The requested resource '@nosuch/pkg@*' could not be found
npm error A complete log of this run can be found in: /root/.npm/_logs/2026-11-21T22_12_57_887Z-debug-0.log`,
    'npm error code E404\nnpm error <n> Not Found - GET https://registry.example.test/@nosuch%2fpkg',
    'E404',
  ],
  [
    'npm, no such script',
    `npm error Missing script: "nosuch"
npm error
npm error To see a list of scripts, run:
npm error   npm run
npm error A complete log of this run can be found in: /root/.npm/_logs/x-debug-0.log`,
    'npm error Missing script: "nosuch"',
    'missing script',
  ],
  [
    'pnpm',
    '\u2009ERR_PNPM_NO_SCRIPT\u2009 Missing script: nosuch',
    'ERR_PNPM_NO_SCRIPT Missing script: nosuch',
    'ERR_PNPM_NO_SCRIPT',
  ],
  [
    'yarn 1, the cause above the closing line',
    `yarn run v1.22.22
$ node a.js
SyntaxError: Unexpected token ';'
    at wrapSafe (node:internal/modules/cjs/loader:1464:18)
error Command failed with exit code 1.
info Visit https://yarnpkg.com/en/docs/cli/run for documentation about this command.`,
    "SyntaxError: Unexpected token ';'",
    'SyntaxError',
  ],
  [
    'tsc',
    `a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.
src/b.ts(2,19): error TS2307: Cannot find module 'nomodule' or its corresponding type declarations.
c.ts(3,1): error TS2304: Cannot find name 'foo'.
d.ts(9,1): error TS2304: Cannot find name 'foo'.`,
    "<path>: error TS2322: Type 'string' is not assignable to type 'number'.\n<path>: error TS2307: Cannot find module 'nomodule' or its corresponding type declarations.\n<path>: error TS2304: Cannot find name 'foo'.",
    'TS2322',
  ],
  [
    'tsc --pretty',
    "\u001b[96ma.ts\u001b[0m:\u001b[93m1\u001b[0m:\u001b[93m7\u001b[0m - \u001b[91merror\u001b[0m\u001b[90m TS2322: \u001b[0mType 'string' is not assignable to type 'number'.\n\n\u001b[7m1\u001b[0m const a: number = 'x';\n\u001b[7m \u001b[0m \u001b[91m      ~\u001b[0m\n",
    "<path> - error TS2322: Type 'string' is not assignable to type 'number'.",
    'TS2322',
  ],
  [
    'vitest',
    `stderr | a.test.ts > calc > logs
Error: only logged

 ❯ a.test.ts (3 tests | 1 failed) 37ms
     × adds 24ms
     ✓ throws an error 10ms

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  a.test.ts > calc > adds
AssertionError: expected 2 to be 3 // Object.is equality

- Expected
+ Received

 ❯ a.test.ts:2:59
    1| import { expect } from 'vitest';

 Test Files  1 failed (1)
      Tests  1 failed | 2 passed (3)
   Start at  22:13:04
   Duration  1.27s (transform 31ms, setup 0ms, import 42ms, tests 37ms, environment 0ms)`,
    'FAIL a.test.ts > calc > adds\nAssertionError: expected <n> to be <n> // Object.is equality',
    'AssertionError',
  ],
  [
    'jest',
    `FAIL ./a.test.js
  ● Console

    console.error
      boom was logged

  ● cart › adds total

    expect(received).toEqual(expected) // deep equality

    - Expected  - 1
    + Received  + 1

      at Object.toEqual (a.test.js:1:71)

Tests:       1 failed, 1 passed, 2 total
Time:        0.8 s`,
    '● cart › adds total\nexpect(received).toEqual(expected) // deep equality',
    'test failure',
  ],
  [
    'mocha',
    `  cart
    1) adds
    ✔ ok error

  1 passing (12ms)
  1 failing

  1) cart
       adds:

      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
+ actual - expected
      at Context.<anonymous> (a.js:1:65)`,
    '<n>) cart\nAssertionError [ERR_ASSERTION]: Expected values to be strictly equal:',
    'AssertionError',
  ],
  [
    'node --test',
    `TAP version 13
# Subtest: adds
not ok 1 - adds
  ---
  duration_ms: 3.01729
  location: '/tmp/s/js/e.test.js:2:1'
  failureType: 'testCodeFailure'
  error: |-
    Expected values to be strictly equal:
    2 !== 3
  code: 'ERR_ASSERTION'
  ...
# fail 1`,
    'not ok <n> - adds\nExpected values to be strictly equal:',
    'test failure',
  ],
  [
    'node --test, a file that ends before its first test',
    `TAP version 13
# node:fs:573
#   return binding.open(
#                  ^
# Error: ENOENT: no such file or directory, open './rates.json'
#     at Object.openSync (node:fs:573:18) {
#   errno: -2,
#   code: 'ENOENT',
#   path: './rates.json'
# }
# Node.js v20.20.2
# Subtest: /home/dev/app/test/load.test.js
not ok 1 - /home/dev/app/test/load.test.js
  ---
  duration_ms: 87.108584
  location: '/home/dev/app/test/load.test.js:1:1'
  failureType: 'testCodeFailure'
  exitCode: 1
  signal: ~
  error: 'test failed'
  code: 'ERR_TEST_FAILURE'
  ...
1..1
# tests 1
# fail 1`,
    "not ok <n> - <path>\nError: ENOENT: no such file or directory, open '<path>'",
    'ENOENT',
  ],
  [
    'eslint',
    `
/home/dev/l/a.js
  1:7   warning  'x' is assigned a value but never used  no-unused-vars
  1:14  error    'foo' is not defined                    no-undef

✖ 2 problems (1 error, 1 warning)`,
    "<n> error 'foo' is not defined no-undef",
    'no-undef',
  ],
  [
    'Python, a chain of tracebacks',
    `Traceback (most recent call last):
  File "/tmp/s/py/a.py", line 2, in f
    def f(): return json.loads("{")
                    ^^^^^^^^^^^^^^^
json.decoder.JSONDecodeError: Expecting property name: line 1 column 2 (char 1)

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/tmp/s/py/a.py", line 4, in <module>
    except Exception as e: raise RuntimeError("x") from e
RuntimeError: cannot load config /etc/app/config.json`,
    'RuntimeError: cannot load config <path>',
    'RuntimeError',
  ],
  [
    'Python, a class of its own name',
    `Traceback (most recent call last):
  File "manage.py", line 22, in <module>
    main()
django.core.exceptions.ImproperlyConfigured: SECRET_KEY must not be empty`,
    'django.core.exceptions.ImproperlyConfigured: SECRET_KEY must not be empty',
    'ImproperlyConfigured',
  ],
  [
    'pytest',
    `collected 3 items

test_x.py F.F                                                            [100%]

=================================== FAILURES ===================================
    def test_add():
>       assert add(2,3) == 5
E       assert -1 == 5
E        +  where -1 = add(2, 3)

test_x.py:4: AssertionError
=========================== short test summary info ============================
FAILED tests/test_x.py::test_add - assert -1 == 5
FAILED tests/test_x.py::test_key - KeyError: 'user'
========================= 2 failed, 1 passed in 1.30s ==========================`,
    "FAILED <path>::test_add - assert <n> == <n>\nFAILED <path>::test_key - KeyError: 'user'",
    'KeyError',
  ],
  [
    'unittest',
    `F
======================================================================
FAIL: test_a (__main__.T.test_a)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/tmp/s/py/u.py", line 3, in test_a
    def test_a(self): self.assertEqual(1,2)
AssertionError: 1 != 2

----------------------------------------------------------------------
Ran 1 test in 0.001s

FAILED (failures=1)`,
    'FAIL: test_a (__main__.T.test_a)\nAssertionError: <n> != <n>',
    'AssertionError',
  ],
  [
    'cargo build',
    `   Compiling demo v0.1.0 (/tmp/s/rs)
error[E0308]: mismatched types
 --> src/main.rs:1:25
  |
1 | fn main(){ let x: i32 = "a"; }
  |                   ---   ^^^ expected \`i32\`, found \`&str\`

For more information about this error, try \`rustc --explain E0308\`.
error: could not compile \`demo\` (bin "demo") due to 1 previous error`,
    'error[E0308]: mismatched types',
    'E0308',
  ],
  [
    'Rust, a panic',
    `     Running \`target/debug/demo\`

thread 'main' (6914) panicked at src/main.rs:1:54:
index out of bounds: the len is 0 but the index is 3
stack backtrace:
   0: __rustc::rust_begin_unwind
             at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/panicking.rs:689:5`,
    "thread 'main' (<n>) panicked at <path>:\nindex out of bounds: the len is <n> but the index is <n>",
    'panic',
  ],
  [
    'go test',
    `--- FAIL: TestAdd (0.00s)
    calc_test.go:7: got 1, want 2
FAIL
FAIL\tgithub.com/acme/calc\t0.003s
FAIL`,
    '--- FAIL: TestAdd\n<path>: got <n>, want <n>',
    'test failure',
  ],
  [
    'go build',
    '# example.com/calc\n./main.go:5:2: undefined: foo',
    '<path>: undefined: foo',
    'compile error',
  ],
  [
    'javac',
    `A.java:1: error: incompatible types: String cannot be converted to int
public class A { int x = "s"; }
                         ^
1 error`,
    '<path>: error: incompatible types: String cannot be converted to int',
    'compile error',
  ],
  [
    'Java, with a cause',
    `Exception in thread "main" java.lang.IllegalStateException: could not start service
\tat B.main(B.java:1)
Caused by: java.lang.RuntimeException: in between
\t... 1 more
Caused by: java.lang.NullPointerException: Cannot invoke "String.length()"
\tat B.f(B.java:1)`,
    'Exception in thread "main" java.lang.IllegalStateException: could not start service\nCaused by: java.lang.NullPointerException: Cannot invoke "String.length()"',
    'IllegalStateException',
  ],
  [
    'Maven',
    `[INFO] BUILD FAILURE
[INFO] Total time:  0.196 s
[ERROR] COMPILATION ERROR :
[ERROR] /home/dev/x/src/A.java:[1,5] cannot find symbol
[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.`,
    '[ERROR] <path> cannot find symbol',
    'compile error',
  ],
  [
    'Gradle',
    `> Task :compileJava FAILED

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':compileJava'.
> Compilation failed; see the compiler error output for details.

BUILD FAILED in 1s`,
    "* What went wrong:\nExecution failed for task ':compileJava'.",
    'build failure',
  ],
  [
    'Ruby',
    "app.rb:3:in `total': undefined method `sum' for nil:NilClass (NoMethodError)\n\tfrom app.rb:9:in `<main>'",
    "<path>:in `total': undefined method `sum' for nil:NilClass (NoMethodError)",
    'NoMethodError',
  ],
  [
    'gcc, under make',
    `a.c: In function ‘main’:
a.c:2:21: warning: initialization of ‘int’ from ‘char *’ [-Wint-conversion]
a.c:2:32: error: expected ‘;’ before ‘return’
    2 | int main(){ foo(1) return 0; }
      |                   ^~~~~~~
make: *** [Makefile:2: all] Error 1`,
    "<path>: error: expected ';' before 'return'",
    'compile error',
  ],
  [
    'make without a rule',
    "make: *** No rule to make target 'nosuch'.  Stop.",
    "make: *** No rule to make target 'nosuch'. Stop.",
    null,
  ],
  [
    'ld',
    "/usr/bin/ld: /tmp/ccqIm79F.o: in function `main':\nl.c:(.text+0xa): undefined reference to `foo'\ncollect2: error: ld returned 1 exit status",
    "l.c:(.text+<hash>): undefined reference to `foo'",
    'link error',
  ],
  [
    'git push',
    "error: src refspec main does not match any\nerror: failed to push some refs to 'origin'",
    "error: src refspec main does not match any\nerror: failed to push some refs to 'origin'",
    null,
  ],
  [
    'git, outside a repository',
    'fatal: not a git repository (or any of the parent directories): .git',
    'fatal: not a git repository (or any of the parent directories): .git',
    'fatal',
  ],
  [
    'git merge',
    'Auto-merging a.txt\nCONFLICT (content): Merge conflict in a.txt\nAutomatic merge failed; fix conflicts and then commit the result.',
    'CONFLICT (content): Merge conflict in a.txt',
    'merge conflict',
  ],
  [
    'psql',
    'psql: error: connection to server at "127.0.0.1", port 5432 failed: Connection refused\n\tIs the server running on that host and accepting TCP/IP connections?',
    'psql: error: connection to server at "<n>", port <n> failed: Connection refused',
    'ECONNREFUSED',
  ],
  [
    'SQLSTATE',
    'ERROR:  relation "carts" does not exist (SQLSTATE 42P01)',
    'ERROR: relation "carts" does not exist (SQLSTATE 42P01)',
    'SQLSTATE 42P01',
  ],
  [
    'curl, behind its progress',
    "  % Total    % Received % Xferd  Average Speed\r  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0\rcurl: (7) Failed to connect to localhost port 8080 after 0 ms: Couldn't connect to server",
    "curl: (<n>) Failed to connect to localhost port <n> after <time>: Couldn't connect to server",
    null,
  ],
  [
    'docker',
    'Unable to find image locally\ndocker: Error response from daemon: pull access denied for nosuch, repository does not exist.',
    'docker: Error response from daemon: pull access denied for nosuch, repository does not exist.',
    null,
  ],
  [
    'bash',
    '/bin/bash: line 1: nosuchcmd: command not found',
    '<path>: line <n>: nosuchcmd: command not found',
    'command not found',
  ],
  [
    'coreutils',
    "cp: cannot stat '/home/dev/My Files/a': No such file or directory",
    "cp: cannot stat '<path>': No such file or directory",
    'ENOENT',
  ],
  ['the client, a timeout', 'Command timed out after 2m 0.0s', 'Command timed out after', 'timeout'],
  [
    'only words',
    "git: 'frob' is not a git command. See 'git --help'.",
    "git: 'frob' is not a git command. See 'git --help'.",
    null,
  ],
  ['no words of error', 'out\nerr', 'err', null],
  [
    'only a tally left by a filter',
    'Tests:       3 failed, 1 passed, 4 total',
    'Tests: <n> failed, <n> passed, <n> total',
    'test failure',
  ],
  ['nothing', '', 'Exit code 1', 'exit code'],
];

describe('errorSignature', () => {
  it.each(SAMPLES)('picks the salient lines: %s', (_name, output, text, type) => {
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
    const lines = (SAMPLES.find(([name]) => name === 'pytest')?.[1] ?? '').split('\n');
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
  it.each([
    ['a'],
    ['$'],
    ['/'],
    ['1'],
    ['1 '],
    ['a/'],
    ["'/"],
    ['x: '],
    ['<n>'],
    ['\u001b['],
    ['\u001b]'],
    ['Caused by: '],
    [' 1:1 error  '],
    ['http://'],
    ['deadbeef1'],
    ['Error: '],
    ['1 failed, '],
  ])(
    'takes 1 MB of %j in long and short lines',
    (unit) => {
      for (const row of [unit, `${unit}\n`, `${unit.repeat(Math.ceil(990 / unit.length))}!\n`]) {
        const bait = row.repeat(Math.ceil(1_000_000 / row.length));
        expect(sign(bait).text.length).toBeLessThanOrEqual(600);
        expect(normaliseError(bait).length).toBeLessThanOrEqual(600);
      }
    },
    10_000,
  );
});

describe('normaliseError', () => {
  it.each([
    ['open /home/dev/shop/a.ts:3:14 failed', 'open <path> failed'],
    ["open '/Users/Jo Doe/My Project/a.ts' failed", "open '<path>' failed"],
    ['at C:\\Users\\dev\\app\\main.ts:3:14 now', 'at <path> now'],
    ['in ./src/a.ts, ../b and ~/.npmrc', 'in <path>, <path> and <path>'],
    ['in src/db/open.ts:12', 'in <path>'],
    ['in main.c:12:3: x', 'in <path>: x'],
    ['file:///home/dev/a.mjs:3:1', '<path>'],
    ['--config=/etc/x.json --max-warnings', '--config=<path> --max-warnings'],
    ['package.json has no "exports"', 'package.json has no "exports"'],
    ["Cannot find module 'lodash/fp.js'", "Cannot find module 'lodash/fp.js'"],
    ["Cannot find module './lib/fp'", "Cannot find module '<path>'"],
    ['@scope/pkg/sub and text/html and read/write', '@scope/pkg/sub and text/html and read/write'],
    ['GET http://localhost:4747/v1/users/42?token=abc', 'GET http://localhost:<n>/v1/users/<n>'],
    [
      'commit 9f86d08 and 550e8400-e29b-41d4-a716-446655440000 at 0x7ffe12',
      'commit <hash> and <hash> at <hash>',
    ],
    ['integrity sha512-q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ==', 'integrity <hash>'],
    ['TS2345 E0308 ENOENT ES2023 utf8 i32 x86_64 C1083', 'TS2345 E0308 ENOENT ES2023 utf8 i32 x86_64 C1083'],
    ['SQLSTATE 23505 and SQLSTATE[42P01]', 'SQLSTATE 23505 and SQLSTATE[42P01]'],
    ['process exited with exit code 137', 'process exited with exit code 137'],
    ['got -1.5 of 1,024 at 10.0.0.7:443 in v20.1.2', 'got <n> of <n> at <n> in <n>'],
    ['12MB of 3rd', '<n>MB of <n>rd'],
    ['timed out after 5000ms.', 'timed out after <time>.'],
    ['ran 1m 30s (12 ms) today', 'ran <time> today'],
    ['done in 3.1s', 'done in'],
    ['2026-11-21T22:12:57.887Z boom', '<time> boom'],
    ['[21/Nov/2026:10:11:12 +0000] boom', '[<time>] boom'],
    ['Sat Nov 21 22:13:04 2026: boom at 10:11:12', '<time>: boom at'],
    ['\u001b[31m  ‘a’   “b”\t\u001b[0m c ', '\'a\' "b" c'],
    ['⎯⎯⎯⎯⎯⎯ Failed Tests ⎯⎯⎯⎯⎯⎯', 'Failed Tests'],
  ])('%j', (input, expected) => {
    expect(normaliseError(input)).toBe(expected);
  });

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
  type Slots = {
    path: string;
    other: string;
    line: number;
    column: number;
    hash: string;
    duration: string;
    stamp: string;
    count: number;
  };

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
