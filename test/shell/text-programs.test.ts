import { describe, expect, test } from 'vitest';
import { isPlainAwk, isPlainSed } from '../../src/shell/text-programs.ts';

describe('sed', () => {
  test.each([
    's/a/b/g',
    '1,$d',
    '/x/,/y/p',
    '$!d; 5q',
    's|a/b|c|; s#x#y#g',
    '1i\\\nfirst line',
    '/^$/d;s/[/]x/y/',
    'y/abc/xyz/',
  ])('%s only changes text', (script) => expect(isPlainSed(script)).toBe(true));
  test.each([
    's/a/b/e',
    'e id',
    'w out',
    's/a/b/w out',
    'r .env',
    '1e rm -rf ~',
    's/a/b/;e',
    'R x',
    's/a',
    '{e}',
  ])('%s may do more', (script) => expect(isPlainSed(script)).toBe(false));
});

describe('awk', () => {
  test.each([
    '{print $1}',
    '$3 > 5 && /x|y/ {n++} END {print n}',
    'NR % 2 || $1 ~ /a>b/',
    '{printf "%s|%s\\n", $1, $2}',
    'BEGIN { while (i < 3) print i++ > "/dev/stderr" }',
  ])('%s only prints', (script) => expect(isPlainAwk(script)).toBe(true));
  test.each([
    'BEGIN{system("id")}',
    '{print | "sh"}',
    '{print > "x"}',
    'BEGIN{"id" | getline x}',
    '@load "x"',
    'BEGIN{print > \\\n "x"}',
    'BEGIN{for (k in ENVIRON) print k}',
    '"unclosed',
  ])('%s may do more', (script) => expect(isPlainAwk(script)).toBe(false));
});
