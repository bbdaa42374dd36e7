import { expect, test } from 'vitest';
import { hanging } from '../../src/cli/wrap.ts';

test('a long line goes on behind an indent, and is broken between words only', () => {
  expect(hanging('ok  hooks here  not attached: lore init attaches it\n\nnext', 30, '    ')).toBe(
    ['ok  hooks here  not attached:', '    lore init attaches it', '', 'next'].join('\n'),
  );
  expect(hanging('fits', 30, '    ')).toBe('fits');
});
