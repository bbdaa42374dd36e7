import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { redactLarge } from '../../src/redaction/large.ts';
import { redactValue, WHOLE } from '../../src/redaction/redact.ts';
import { leak, privateKeys, tokens } from './samples.ts';

const token = tokens['GitHub personal token'] ?? '';
const line = '2026-01-02T10:00:00Z INFO request 17 GET /api/v1/items/119 200 12 ms user=ada\n';
const filler = (length: number) => line.repeat(Math.ceil(length / line.length)).slice(0, length);
const MB = 1_000_000;

/** Returns the longest time in ms that this thread was not answering while the work was done. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let done = false;
  let longest = 0;
  const all = Promise.resolve(work()).finally(() => {
    done = true;
  });
  for (let last = performance.now(); !done; ) {
    await setTimeout(1);
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }
  await all;
  return longest;
}

test('a large value comes out as redactValue leaves it', async () => {
  const value = {
    hook_event_name: 'PostToolUse',
    tool_response: { stdout: `${filler(200_000)}TOKEN=${token}\n`, lines: [filler(50_000), 7, null] },
  };
  expect(await redactLarge(value)).toEqual(redactValue(value));
  expect(await redactLarge({ text: `${filler(400_000)}${token}` }, WHOLE)).toEqual({
    text: `${filler(400_000)}[redacted:github]`,
  });
  expect(await redactLarge({ password: 'hunter22' })).toEqual({ password: '[redacted]' });
});

test('the thread answers while a large body is redacted', { timeout: 60_000 }, async () => {
  await redactLarge(filler(100_000));
  // a text that takes redaction especially long
  const body = { lines: Array.from({ length: 60 }, () => 'Basic YTpi'.repeat(1_600)) };
  const begin = performance.now();
  redactValue(body);
  const inThisThread = performance.now() - begin;
  // compared with the work itself, so that a busy machine does not matter
  expect(await longestHold(() => redactLarge(body))).toBeLessThan(inThisThread / 3);
});

test('what is left of a large body is limited, and nothing of a secret is left', {
  timeout: 60_000,
}, async () => {
  const many = {
    session_id: 's',
    lines: Array.from({ length: 100_000 }, (_, n) => `${n} ${token} ${line}`),
    tool_use_id: 'x',
  };
  const output = await redactLarge(many);
  expect(JSON.stringify(output).length).toBeLessThan(3 * MB);
  expect(leak(JSON.stringify(output), token)).toBeUndefined();
  expect(output).toMatchObject({ session_id: 's', tool_use_id: 'x' });
  const deep = { list: [filler(3 * MB), filler(3 * MB), { a: filler(3 * MB) }] };
  expect(JSON.stringify(await redactLarge(deep)).length).toBeLessThan(60_000);
});

test('a secret anywhere in a long string leaves nothing behind', () => {
  const secrets = [token, `password="${'k7 x9'.repeat(40)}"`, privateKeys.RSA ?? '', tokens.JWT ?? ''];
  for (const secret of secrets) {
    const bare = secret.replace(/password=|-----.*-----/g, '');
    for (const length of [90_000, 300_000]) {
      for (let place = 0; place <= 60_000; place += 5_987) {
        for (const at of [place, length - place]) {
          const text = filler(length);
          const output = redactValue(`${text.slice(0, at)} ${secret} ${text.slice(at)}`);
          expect(leak(output, bare)).toBeUndefined();
          expect(output.length).toBeLessThanOrEqual(16_384);
        }
      }
    }
  }
});

test('private text counts in a long string, also in the part that is cut', () => {
  const text = filler(MB);
  expect(redactValue(`a <private>${text}`)).toBe('a [private]');
  expect(redactValue(`${text}</private> b`)).toBe('[private] b');
  expect(redactValue(`a${text}<private>${text}</private>b`)).not.toContain('private>');
  expect(redactValue(`a <private>${text}</private> b`)).toBe('a [private] b');
});

test('a token longer than what is read at the end is not shown in part', () => {
  const blob = tokens['GitHub personal token']?.slice(4).repeat(3_000) ?? '';
  const output = redactValue(`${filler(60_000)} ghp_${blob}`);
  expect(leak(output, blob.slice(-40))).toBeUndefined();
});
