import { afterAll, expect, test } from 'vitest';
import { seeded } from '../../bench/sessions.ts';
import { bashOracle, disturbed } from '../../eval/bash-oracle.ts';

const oracle = bashOracle();
afterAll(() => oracle?.close());

// a short run of `npm run fuzz -- --bash`
test.skipIf(oracle === null)('whatever bash runs or writes, the walk saw it or said unknown', () => {
  const random = seeded(4);
  const differences: string[] = [];
  for (let i = 0; i < 120; i++) {
    const line = disturbed(random);
    const difference = oracle?.difference(line);
    if (difference) differences.push(`${difference}: ${JSON.stringify(line)}`);
  }
  expect(differences).toEqual([]);
});

test.skipIf(oracle === null)('bash is asked: it runs what is put into a line, and not what is quoted', () => {
  // the walk does not follow what a program prints, so this difference shows that bash really ran the line
  expect(oracle?.difference('echo $(MARK)')).toBeNull();
  expect(oracle?.difference("echo '$(MARK)'")).toBeNull();
});
if (oracle === null) console.log('test/shell/bash.test.ts is skipped: there is no /bin/bash on this machine');
