import { expect, test } from 'vitest';
import { workItemsIn } from '../../src/episodes/work-items.ts';

test.each([
  ['Fix #12 and (#13), as AB#34 and PAY-7 say', ['AB#34', 'PAY-7', '#12', '#13']],
  ['https://example.org/acme/shop/pull/56', ['#56']],
  ['a background #333, the colour: #336699 and UTF-8', []],
])('of %j are %j', (text, items) => expect(workItemsIn(text)).toEqual(items));

test('a word without end is read in no time', { timeout: 5_000 }, () => {
  expect(workItemsIn(`${'x'.repeat(200_000)} #12`)).toEqual(['#12']);
});
