import { expect } from 'vitest';
import { asking } from '../support/asking.ts';
import type { Finished } from '../support/process.ts';

/** Asks a server as a client does. */
export const request = (url: string, key: string | null, method: string, path: string, body?: unknown) =>
  asking(url, key)(method, path, body);

/** Checks that the output is one line that says what is wrong, without a stack. */
export function expectRefusal(finished: Finished, ...says: (string | RegExp)[]) {
  expect(finished).toMatchObject({ code: 1, signal: null, stdout: '' });
  expect(finished.stderr).toMatch(/^lore: [A-Z][^\n]*\n$/);
  for (const text of says) expect(finished.stderr).toMatch(text);
}

/** Finds a text as it is. */
export const quoted = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
