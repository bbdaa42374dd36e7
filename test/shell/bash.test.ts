import { afterAll, expect, test } from 'vitest';
import { seeded } from '../bench/sessions.ts';
import { bashOracle, disturbed } from '../eval/bash-oracle.ts';

const oracle = bashOracle();
afterAll(() => oracle?.close());
if (!oracle) console.log('test/shell/bash.test.ts: skipped, because there is no /bin/bash on this machine');

// a short run of `npm run fuzz -- --bash`
test.skipIf(!oracle)('whatever bash runs or writes, the walk saw it or said unknown', () => {
  const random = seeded(4);
  const differences: string[] = [];
  for (let i = 0; i < 60; i++) {
    const line = disturbed(random);
    const difference = oracle?.difference(line);
    if (difference) differences.push(`${difference}: ${JSON.stringify(line)}`);
  }
  expect(differences).toEqual([]);
});

test.skipIf(!oracle)('the oracle tells when bash runs or writes what the walk did not see', () => {
  const blind = () => ({ invocations: [], unknowns: [] });
  expect(oracle?.difference('echo [$(MARK)]', blind)).toBe('bash ran MARK');
  expect(oracle?.difference("echo 'MARK' | { sh; }", blind)).toBe('bash ran MARK');
  expect(oracle?.difference('for i in a; do ls; done > f', blind)).toBe('bash wrote f');
  expect(oracle?.difference("echo '[$(MARK)]'", blind)).toBeNull();
});
