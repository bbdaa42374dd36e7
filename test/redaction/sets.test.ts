import { expect, test } from 'vitest';
import { redactText } from '../../src/redaction/redact.ts';
import { ordinaryTexts } from './ordinary.ts';
import { leak } from './samples.ts';
import { providerTokens } from './token-set.ts';

const settings: Record<string, (token: string) => string> = {
  bare: (token) => token,
  'in a sentence': (token) => `deployed with ${token} yesterday`,
  'in JSON': (token) => JSON.stringify({ stdout: `a\n${token}\nb` }),
  'in a diff': (token) => `@@ -1 +1 @@\n-${token}\n+x`,
  'in a list': (token) => `- \`${token}\`\n- next`,
  'in quotes': (token) => `use("${token}", 1)`,
};

test.each(Object.entries(settings))('tokens of providers are removed: %s', (_, write) => {
  expect(providerTokens.length).toBeGreaterThanOrEqual(150);
  const missed = providerTokens.filter(([, token]) => {
    const secret = token.replace(/^https:\/\/[^/]+\//, '');
    const output = redactText(write(token)).replace(/\[redacted(?::[a-z-]+)?\]/g, '');
    return leak(output, secret) !== undefined;
  });
  expect(missed.map(([name]) => name)).toEqual([]);
});

test('ordinary texts stay as they are', () => {
  expect(ordinaryTexts.length).toBeGreaterThanOrEqual(150);
  const changed = ordinaryTexts.filter((text) => redactText(text) !== text);
  expect(changed.map((text) => `${text}\n→ ${redactText(text)}`)).toEqual([]);
});
