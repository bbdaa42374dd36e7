import { createHash } from 'node:crypto';
import { hookSession } from '../support/hook-session.ts';
import type { TestServer } from '../support/server.ts';

/** Returns a text of so many lines. */
export const text = (lines: number, mark = 'line') =>
  Array.from({ length: lines }, (_, i) => `${mark} ${i + 1} of the log`).join('\n');
/** Returns the id of the observation with this text. */
export const idOf = (redacted: string) => createHash('sha256').update(redacted).digest('hex').slice(0, 12);

/** Creates a tenant with a session, and ways to read what was kept. */
export async function personOn(on: TestServer) {
  const { key, userId } = await on.member();
  const session = hookSession(on, { key });
  return {
    key,
    userId,
    session,
    get: async (path: string) => (await on.request('GET', path, { key })).body,
    list: async () => (await on.request('GET', '/v1/observations', { key })).body.observations,
  };
}
