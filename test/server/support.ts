import { expect } from 'vitest';
import type { Finished } from '../support/process.ts';

/** Asks a server as a client does. */
export async function request(url: string, key: string | null, method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails if it is missing
  return { status: response.status, body: (await response.json()) as any };
}

/** Checks that the output is one line that says what is wrong, without a stack. */
export function expectRefusal(finished: Finished, ...says: (string | RegExp)[]) {
  expect(finished).toMatchObject({ code: 1, signal: null, stdout: '' });
  expect(finished.stderr).toMatch(/^lore: [A-Z][^\n]*\n$/);
  for (const text of says) expect(finished.stderr).toMatch(text);
}

/** Finds a text as it is. */
export const quoted = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
