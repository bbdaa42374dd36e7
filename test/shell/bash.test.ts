import { afterAll, expect } from 'vitest';
import { seeded } from '../bench/sessions.ts';
import { bashOracle, disturbed } from '../eval/bash-oracle.ts';
import { needs } from '../support/needs.ts';

const oracle = bashOracle();
afterAll(() => oracle?.close());
const withBash = needs('/bin/bash', oracle);

withBash.test('whatever bash runs or writes, the walk saw it or said unknown', () => {
  const random = seeded(4);
  const differences: string[] = [];
  for (let i = 0; i < 60; i++) {
    const line = disturbed(random);
    const difference = oracle?.difference(line);
    if (difference) differences.push(`${difference}: ${JSON.stringify(line)}`);
  }
  expect(differences).toEqual([]);
});

withBash.test('the oracle tells when bash runs or writes what the walk did not see', () => {
  const blind = () => ({ invocations: [], unknowns: [] });
  expect(oracle?.difference('echo [$(MARK)]', blind)).toBe('bash ran MARK');
  expect(oracle?.difference("echo 'MARK' | { sh; }", blind)).toBe('bash ran MARK');
  expect(oracle?.difference('for i in a; do ls; done > f', blind)).toBe('bash wrote f');
  expect(oracle?.difference("echo '[$(MARK)]'", blind)).toBeNull();
});
