import { expect, test } from 'vitest';
import { lineOfFields } from '../../src/shell/fields.ts';
import { bashLineOf } from '../../src/shell/powershell/read.ts';

const flat = (line: string) => bashLineOf(line).replaceAll('\n', '; ');

test.each([
  ['git push --force; npm test && npm run build 2>$null', 'git push --force; npm test && npm run build'],
  ['Remove-Item -Path a, "b c" -Rec -Fo', "rm -r -f a 'b c'"],
  ['ri x -Recurse:$false -Force:$true', 'rm -f x'],
  ['Microsoft.PowerShell.Management\\Remove-Item x', 'rm x'],
  ['Remove-Item . -Include *.tmp -Exclude keep.tmp', 'rm ./*.tmp'],
  ["Set-Content -Path 'it''s' -Value rm -Encoding utf8", "tee 'it'\\''s'"],
  ['del /s /q C:\\Users\\dev\\x', 'rm -r -f /Users/dev/x'],
  ['Copy-Item a -Destination b -Recurse', 'cp -r a b'],
  ['"a" | Out-File b # comment', 'echo a | tee b'],
  ['$a = "x"; $b = Get-Content $a; rm $b', 'a=x; b="$(cat "$a")"; rm "$b"'],
  ['rm “$env:TEMP\\x” –Recurse', 'rm -r "$TMPDIR"/x'],
  ['& "C:\\Program Files\\Git\\git.exe" `\n  push', "'/Program Files/Git/git' push"],
  ['Stop-Process -Name node, lore', 'pkill node lore'],
  ['taskkill /F /IM lore.exe', 'pkill lore'],
  ['foreach ($x in 1, 2) { rm $x }', 'for x in 1 2; do; { :; rm "$x"; }; done'],
  ['gci logs -Filter *.log | % { rm $_.FullName }', 'for item in logs/*.log; do; rm "$item"; done'],
  ['gci | where Length -gt 1 | rm', 'for item in "$(ls | where Length -gt 1)"; do; rm "$item"; done'],
  ['wsl -d Ubuntu rm -rf /', 'rm -rf /'],
  ['Start-Process cmd -ArgumentList "/c rd /s /q C:\\"', 'rm -r -f /'],
])('%s is said in bash as %s', (line, said) => {
  expect(flat(line)).toBe(said);
});

test('any text is read to its end', () => {
  const hostile = [
    '$x[',
    '(',
    '{',
    '@{',
    '"$(',
    "@'\n",
    '[a]::b(',
    '|',
    'a&&',
    '$a=',
    '<#',
    '`',
    ',',
    'iex "',
    'foreach ($x in ',
  ];
  for (const text of hostile)
    for (const times of [1, 3, 4_000]) expect(bashLineOf(text.repeat(times)), text).toBeTypeOf('string');
});

test.each([
  ['mcp__http__get', { url: 'http://127.0.0.1:7777/v1/keys' }, 'curl http://127.0.0.1:7777/v1/keys'],
  ['mcp__fs__moveFile', { from: 'a', to: 'b c' }, "mv a 'b c'"],
  ['mcp__fs__read_file', { path: '-x' }, 'cat ./-x'],
  ['mcp__fs__get_or_create', { path: 'a', content: 'rm -rf ~' }, 'tee a'],
  ['memory', { command: 'delete', path: '/memories/a' }, 'delete\nrm -r -f /memories/a'],
  ['mcp__sh__exec', { command: ['bash', '-c', 'rm -rf ~'] }, "bash -c 'rm -rf ~'"],
  ['mcp__sh__exec', { steps: [{ cmd: 'make', args: ['a b'] }] }, "make 'a b'"],
  ['mcp__chat__post', { text: 'rm -rf ~', channel: 'x' }, null],
])('what %s is to do with %j is said in bash', (tool, input, said) => {
  expect(lineOfFields(tool, input)).toBe(said);
});
