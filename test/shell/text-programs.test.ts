import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAwk } from '../../src/shell/awk.ts';
import { readSed } from '../../src/shell/sed.ts';
import { anyText } from '../support/any-text.ts';

const harmless = { runs: false, reads: [], writes: [], empties: false };

describe('sed', () => {
  test.each([
    's/a/b/g',
    '1,20p',
    '/^e/,/w/p',
    '/x/d',
    '/x/{s/e/w/;p}',
    's|/etc|/w|',
    's,[^,]*$,,' /* a delimiter in brackets is not read */,
    'a e rm',
    '1i\\\ne rm\\\nw x',
    's/[^\\/]*\\///',
    ':a;N;$!ba;s/\\n/ /g',
    'y/abc/xyz/',
    '0~3d',
    '/a/I,+2!s/x/\\/e/',
    '#e rm',
  ])('%s only changes text', (script) => {
    const read = readSed(script);
    if (script.includes('[^,]')) expect(read).toBe(null);
    else expect(read).toEqual(harmless);
  });

  test.each(['1e rm', '1ecmd', 's=x=cmd=e', 's/a/b/ge', '/x/ e', '{e id\n}', 's,x,y,2e', '$!e', '\\,x,e id'])(
    '%s runs a command',
    (script) => expect(readSed(script)?.runs).toBe(true),
  );

  test('names the files that it reads and writes', () => {
    expect(readSed('/x/w /etc/passwd')?.writes).toEqual(['/etc/passwd']);
    expect(readSed('s/a/b/gw out.txt\np')?.writes).toEqual(['out.txt']);
    expect(readSed('$r /etc/shadow')?.reads).toEqual(['/etc/shadow']);
    expect(readSed('1W a;b')?.writes).toEqual(['a;b']);
  });

  test.each(['d', '1,$d', 's/.*//', '/.*/d', 'Q', '$!d', '/x/!d', '5q'])('%s leaves little', (script) =>
    expect(readSed(script)?.empties).toBe(true),
  );

  test.each(['s/a/b', 'k', 's/a/b/z', 'p p', '/x', '1,p', 's\\a\\b\\'])('%s is not understood', (script) =>
    expect(readSed(script)).toBe(null),
  );

  const piece = fc.constantFrom(
    's/a/b/',
    's|x|e|g',
    '1,3p',
    '/e w/d',
    '$!N',
    'y/e/w/',
    '5q',
    'n',
    '/a\\/e/I!p',
    'b',
  );
  const end = fc.constantFrom(';', '\n', ' ; ', '\n\n');
  const script = fc.array(fc.tuple(piece, end), { maxLength: 6 }).map((list) => list.flat().join(''));

  test('a command is found wherever it stands among others', () => {
    const running = fc.constantFrom('e', '1e', '/x/e id', 's/a/b/e', 's_a_b_pe', '$!e ls');
    fc.assert(fc.property(script, running, script, (a, b, c) => readSed(`${a}${b}\n${c}`)?.runs === true));
    fc.assert(fc.property(script, (a) => readSed(a)?.runs === false));
  });

  test('any text is read without an error', () => {
    fc.assert(fc.property(anyText({ maxLength: 300 }), (text) => void readSed(text)));
    fc.assert(
      fc.property(fc.stringMatching(/^[sywerd1$,/[\]\\{};\n !&.*]{0,60}$/), (text) => void readSed(text)),
    );
  });
});

describe('awk', () => {
  test.each([
    '{print $1}',
    'NR>1 && $3 > 5 {print $1, $2}',
    '/rm -rf/ {print}',
    '{ print "a|b > c", ($1 > 2) }',
    '$1 ~ /a|b>/ || $2 / 3 / 4',
    'BEGIN { while (getline > 0) n++ } END { print n }',
    '{ n = $1 | 0 ? 1 : 2 }'.replace('|', '||'),
    '{ print | "sort -k1,1n" }',
    'END { for (k in a) print k, a[k] }',
    '# system("x")\n{ print ENVIRON["HOME"] }',
    '{ sub(/["|>]/, "") } 1',
  ])('%s only prints', (program) => expect(readAwk(program)).toEqual(harmless));

  test.each([
    'BEGIN{system("id")}',
    'BEGIN{system ("id")}',
    '{print | "sh"}',
    '{print |& "sh"}',
    'BEGIN{"id" | getline x}',
    'BEGIN{c="id"; c | getline}',
    '@load "filefuncs"',
    'BEGIN{f="system"; @f("id")}',
    'BEGIN{ARGV[1]="/etc/shadow";ARGC=2}',
    '{print $1 | "sort; id"}',
  ])('%s runs something, or may', (program) => expect(readAwk(program)?.runs).toBe(true));

  test('names the files that it reads and writes', () => {
    expect(readAwk('{print > "/etc/passwd"}')?.writes).toEqual(['/etc/passwd']);
    expect(readAwk('{printf "%s", $1 >> "a b"; next}')?.writes).toEqual(['a b']);
    expect(readAwk('BEGIN{while ((getline l < "/etc/shadow") > 0) print l}')?.reads).toEqual(['/etc/shadow']);
    expect(readAwk('{print > $1 ".txt"}')).toBe(null);
    expect(readAwk('{print > "a" $1}')).toBe(null);
  });

  test.each(['{print "a}', '/a', 'BEGIN{for (k in ENVIRON) print ENVIRON[k]}', '{print `x`}'])(
    '%s is not understood',
    (program) => expect(readAwk(program)).toBe(null),
  );

  const piece = fc.constantFrom(
    'x = 1',
    'print "| > system"',
    'n += $2 / 3',
    '$1 ~ /|>/',
    'print (a > b)',
    'getline',
  );
  const body = fc.array(piece, { maxLength: 6 }).map((list) => list.join('; '));

  test('a command is found wherever it stands among others', () => {
    const running = fc.constantFrom('system("x")', 'print | "sh"', '"x" | getline', 'print |& c', '@f(1)');
    fc.assert(fc.property(body, running, body, (a, b, c) => readAwk(`{${a}; ${b}; ${c}}`)?.runs === true));
    fc.assert(fc.property(body, (a) => readAwk(`{${a}}`)?.runs === false));
  });

  test('any text is read without an error', () => {
    fc.assert(fc.property(anyText({ maxLength: 300 }), (text) => void readAwk(text)));
    fc.assert(
      fc.property(fc.stringMatching(/^[print|>"/$1a;{}\n ()@\\]{0,60}$/), (text) => void readAwk(text)),
    );
  });
});
