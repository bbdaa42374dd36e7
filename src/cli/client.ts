import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { CODES } from '../errors/codes.ts';
import { type FieldError, Problem } from '../errors/problem.ts';
import { packageRoot } from '../files/package-root.ts';
import type { Routes } from '../wire/routes.ts';
import { type Answer, addressOf, type Rest, type Route } from '../wire/wire.ts';
import { fileProblem } from './file-problem.ts';

/** For an answer. Some work takes long; whether the server is alive is known sooner. */
const MAX_ANSWER_MS = 60_000;
/** After this long the server is asked whether it is alive, and has as long again to say so. */
const PATIENCE_MS = 2_500;

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
 * Asks the running server and returns its answer.
 *
 * @param route by its name in `src/wire/routes.ts`, which says what it takes and answers
 * @throws Problem as the server sent it, or with status UNREACHABLE if no server answers
 * @example const { plans } = await callServer(config, 'GET /v1/plans', { query: { closed: 'false' } });
 */
export async function callServer<R extends Route>(
  config: Config,
  route: R,
  ...given: Rest<R>
): Promise<Answer<R>> {
  return callServerWith(route === 'GET /health' ? null : readKey(config), config, route, ...given);
}

/** The routes of one record by its id. */
type OfRecord = {
  [R in Route]: Routes[R] extends { params: { id: string }; answer: { id: string } } ? R : never;
}[Route] &
  `GET ${string}`;

/**
 * Returns the whole id of a record for the beginning of it that tables show; undefined without one.
 *
 * @param route that answers with such a record
 * @throws Problem when there is no such record, or several
 */
export async function wholeId<I extends string | undefined>(
  config: Config,
  route: OfRecord,
  id: I,
): Promise<string | I> {
  if (id === undefined || id.length === 36) return id;
  return (await callServer(config, route, { params: { id } })).id;
}

/** Asks the running server like `callServer`, with another key than the caller's. */
export async function callServerWith<R extends Route>(
  key: string | null,
  config: Config,
  route: R,
  ...[given]: Rest<R>
): Promise<Answer<R>> {
  const { method, address } = addressOf(route, given);
  const body = given && 'body' in given ? JSON.stringify(given.body) : undefined;
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  let answer: Response;
  try {
    answer = await whileAlive(config, (signal) =>
      send({ url: `${config.url}${address}`, method, headers, body, pin: config.tlsPin, signal }),
    );
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    if ((cause as NodeJS.ErrnoException).code === 'OTHER_CERTIFICATE') {
      throw new Problem({
        status: UNREACHABLE,
        title: 'Another certificate',
        detail: `${config.url}: ${(cause as Error).message}. Nothing was sent. If the server has a new one, compare it there (lore pair) and set LORE_TLS_PIN to it.`,
        cause,
      });
    }
    throw new Problem({
      status: UNREACHABLE,
      title: 'No server',
      detail: `Nothing answers on ${config.url}. Start it with lore start, or set LORE_URL.`,
      cause,
    });
  }
  const { status, text } = answer;
  if (status === 204) return undefined as Answer<R>;
  const data = parse(text);
  const ok = status >= 200 && status < 300;
  if (data === null || (!ok && !(route === 'GET /health' && status === 503))) {
    throw new Problem({
      status,
      title: data?.title ?? `HTTP ${status}`,
      code: data?.code ?? CODES['Unknown answer'],
      detail: data?.detail ?? `${config.url} does not answer like a Lore server.`,
      errors: data?.errors,
    });
  }
  // this and the same line of the page are where an answer is taken for what its route says
  return data as Answer<R>;
}

type Response = { status: number; text: string };

/** The same code that the hooks of other machines run. */
const loadPinning = (): typeof import('../../hooks/pinned.cjs') =>
  createRequire(import.meta.url)(fileURLToPath(new URL('hooks/pinned.cjs', packageRoot)));

/** Waits for an answer as long as the server says that it is alive. @throws Problem if it takes connections and is silent */
async function whileAlive(
  { url, tlsPin: pin }: Pick<Config, 'url' | 'tlsPin'>,
  ask: (signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const asked = new AbortController();
  const health = () =>
    send({ url: `${url}/health`, method: 'GET', headers: {}, pin, signal: AbortSignal.timeout(PATIENCE_MS) });
  let timer: NodeJS.Timeout | undefined;
  const silent = new Promise<never>((_, reject) => {
    const look = () => health().then(wait, () => reject(isSilent(url)));
    const wait = () => {
      if (!asked.signal.aborted) timer = setTimeout(look, PATIENCE_MS);
    };
    wait();
  });
  try {
    return await Promise.race([
      ask(AbortSignal.any([asked.signal, AbortSignal.timeout(MAX_ANSWER_MS)])),
      silent,
    ]);
  } finally {
    clearTimeout(timer);
    asked.abort();
  }
}

const isSilent = (url: string) =>
  new Problem({
    status: UNREACHABLE,
    title: 'No server',
    detail: `${url} takes connections and does not answer: it hangs, or something else is there. If it is Lore, restart it (lore down, lore up); else set LORE_URL or LORE_PORT.`,
  });

type Request = {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
  pin: string | undefined;
  signal: AbortSignal;
};

/** Sends a request. Not by `fetch`, which takes as long to load as the rest of a command takes to run. */
async function send({ url, method, headers, body, pin, signal }: Request): Promise<Response> {
  const { request } = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
  const pinned = pin !== undefined && url.startsWith('https:') ? loadPinning().pinnedTo(pin) : {};
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { method, headers, signal, ...pinned }, resolve)
      .on('error', reject)
      .end(body);
  });
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode ?? 0, text };
}

function parse(text: string): Refusal | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type Refusal = { title?: string; code?: string; detail?: string; errors?: FieldError[] };
