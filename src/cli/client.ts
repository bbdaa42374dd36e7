import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { type FieldError, Problem } from '../errors/problem.ts';
import { fileProblem } from './file-problem.ts';

const MAX_ANSWER_MS = 60_000;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Status of a Problem if no server answers. The exit code is then 3, unlike for a server that refuses. */
export const UNREACHABLE = 599;

/**
 * Returns the caller's key: LORE_KEY, or else the owner's key from the data folder. @throws Problem if there is
 * none, or if it may not be read
 */
export function readKey(config: Config): string {
  if (config.key !== undefined) return config.key;
  const inFolder = readIfThere(join(config.home, 'key'));
  if (inFolder !== null) return inFolder;
  throw new Problem({
    status: 401,
    title: 'No key',
    detail: `There is no key in ${config.home} yet. Start the server once (lore start), or set LORE_KEY.`,
  });
}

/** Returns the server's secret: LORE_SECRET, or else the one in the data folder; null if there is none. */
export function readSecret(config: Config): string | null {
  return config.secret ?? readIfThere(join(config.home, 'secret'));
}

/** Returns a small file of the data folder; null if there is none. @throws Problem (400) if it may not be read */
function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw fileProblem(error, file) ?? error;
  }
}

/**
 * Calls the running server and returns its answer.
 *
 * @throws Problem as the server sent it, or with status UNREACHABLE if no server answers
 */
export async function callServer<T>(
  config: Config,
  method: Method,
  path: string,
  body?: unknown,
): Promise<T> {
  return callServerWith(path === '/health' ? null : readKey(config), config, method, path, body);
}

/**
 * Returns the whole id of a record for the beginning of it that tables show; undefined without one.
 *
 * @param path of the records, such as `/v1/notes`
 * @throws Problem when there is no such record, or several
 */
export async function wholeId<I extends string | undefined>(
  config: Config,
  path: string,
  id: I,
): Promise<string | I> {
  if (id === undefined || id.length === 36) return id;
  return (await callServer<{ id: string }>(config, 'GET', `${path}/${encodeURIComponent(id)}`)).id;
}

/** Calls the running server like `callServer`, with another key than the caller's. */
export async function callServerWith<T>(
  key: string | null,
  config: Config,
  method: Method,
  path: string,
  body?: unknown,
): Promise<T> {
  const open = path === '/health';
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  let answer: Answer;
  try {
    answer = await send(
      `${config.url}${path}`,
      method,
      headers,
      body === undefined ? body : JSON.stringify(body),
    );
  } catch (cause) {
    throw new Problem({
      status: UNREACHABLE,
      title: 'No server',
      detail: `Nothing answers on ${config.url}. Start it with lore start, or set LORE_URL.`,
      cause,
    });
  }
  const { status, text } = answer;
  if (status === 204) return undefined as T;
  const data = parse<Refusal<T>>(text);
  const ok = status >= 200 && status < 300;
  if (data === null || (!ok && !(open && status === 503))) {
    throw new Problem({
      status,
      title: data?.title ?? `HTTP ${status}`,
      detail: data?.detail ?? `${config.url} does not answer like a Lore server.`,
      errors: data?.errors,
    });
  }
  return data as T;
}

type Answer = { status: number; text: string };

/** Sends a request. Not by `fetch`, which takes as long to load as the rest of a command takes to run. */
async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: string | undefined,
): Promise<Answer> {
  const { request } = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { method, headers, signal: AbortSignal.timeout(MAX_ANSWER_MS) }, resolve)
      .on('error', reject)
      .end(body);
  });
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode ?? 0, text };
}

function parse<T>(text: string): T | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type Refusal<T> = T & { title?: string; detail?: string; errors?: FieldError[] };

/** The answer of `GET /health`. */
/** The answer of `GET /v1/model`. */
export type ModelStatus = {
  provider: string;
  model: string | null;
  state: string;
  detail: string | null;
  advice: string | null;
  claudeOffered: boolean;
};

export type Health = {
  status: string;
  version: string;
  database: { engine: string; ok: boolean; loss?: string };
  embedding: { model: string | null; state: string; pending: boolean; reason?: string };
  consolidation: { ok: boolean; lastRun: string | null };
  workers: { failing: string[] };
};
