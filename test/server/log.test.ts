import fs from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { rowsOf } from '../support/json-lines.ts';

afterEach(() => vi.restoreAllMocks());

/** Lets standard error collect what is written to it; fails as long as `full` says so. */
function standardError(full = () => false): () => Record<string, unknown>[] {
  let text = '';
  vi.spyOn(fs, 'writeSync').mockImplementation((_, data) => {
    if (full()) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    text += data;
    return Buffer.byteLength(String(data));
  });
  return () => rowsOf(text);
}

test('an error is logged with all its causes, redacted', () => {
  const secret = `AKIA${'QWERTYUIOPASDFGH'}`;
  const lines = standardError();
  const first = Object.assign(new Error(`no column ${secret}`), { code: '42703' });
  const error = new Error('Failed query', { cause: new Error('in between', { cause: first }) });
  const circle = new Error('circle');
  circle.cause = circle;
  const log = createLog('error');
  log.error({ requestId: '1', error }, 'request failed');
  log.error(new Error('bare', { cause: 'a text' }));
  log.error({ error: circle });
  const [chain, bare, round] = lines();
  expect(chain).toMatchObject({
    requestId: '1',
    error: {
      message: 'Failed query',
      stack: expect.stringContaining('log.test.ts'),
      cause: {
        message: 'in between',
        cause: { code: '42703', message: expect.stringContaining('no column') },
      },
    },
  });
  expect(JSON.stringify(chain)).not.toContain(secret);
  expect(bare).toMatchObject({ error: { message: 'bare', cause: 'a text' } });
  expect(round).toMatchObject({ error: { message: 'circle' } });
});

test('a full disk under the log stops nobody, and the log goes on when there is space', () => {
  let full = true;
  const lines = standardError(() => full);
  const log = createLog('error');
  for (let n = 0; n < 2_000; n++) log.error({ n, text: 'x'.repeat(1_000) }, 'lost perhaps');
  full = false;
  log.error('there is space');
  const written = lines();
  expect(written.length).toBeGreaterThan(1);
  expect(written.length).toBeLessThan(1_100);
});
