import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { type FieldError, Problem } from '../problem.ts';

/** No server answers: told apart from a server that refuses (exit code 3). */
export const UNREACHABLE = 599;

/** The caller's key: LORE_KEY, else the owner's from the data folder. */
export function readKey(config: Config): string {
  if (config.key !== undefined) return config.key;
  const file = join(config.home, 'key');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  throw new Problem({
    status: 401,
    title: 'No key',
    detail: `There is no key in ${config.home} yet. Start the server once (lore start), or set LORE_KEY.`,
  });
}

/**
 * Calls the running server.
 *
 * @throws Problem as the server sent it, or with status UNREACHABLE
 */
export async function callServer<T>(
  config: Config,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> {
  const open = path === '/health';
  const headers: Record<string, string> = open ? {} : { authorization: `Bearer ${readKey(config)}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(`${config.url}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
  } catch (cause) {
    throw new Problem({
      status: UNREACHABLE,
      title: 'No server',
      detail: `Nothing answers on ${config.url}. Start it with lore start, or set LORE_URL.`,
      cause,
    });
  }
  if (response.status === 204) return undefined as T;
  const data = (await response.json().catch(() => null)) as Refusal<T> | null;
  if (data === null || (!response.ok && !(open && response.status === 503))) {
    throw new Problem({
      status: response.status,
      title: data?.title ?? `HTTP ${response.status}`,
      detail: data?.detail ?? `${config.url} does not answer like a Lore server.`,
      errors: data?.errors,
    });
  }
  return data as T;
}

type Refusal<T> = T & { title?: string; detail?: string; errors?: FieldError[] };

/** What `GET /health` gives. */
export type Health = {
  status: string;
  version: string;
  database: { engine: string; ok: boolean };
  embedding: { model: string | null; state: string; pending: number; reason?: string };
};
