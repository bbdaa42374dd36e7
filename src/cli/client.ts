import { readFileSync, realpathSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { homedir } from 'node:os';
import { join, parse, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Config } from '../base/config.ts';
import { type FieldError, Problem } from '../base/errors/problem.ts';
import { placeIn } from '../base/files/place-in.ts';
import { objectIn } from '../base/text/json.ts';
import { type Answer, addressOf, type Rest, type Route } from '../base/wire/wire.ts';
import { type Io, plain } from './io.ts';

/** For an answer: some work takes long. */
const MAX_ANSWER_MS = 60_000;

/** After so long without an answer the server is asked whether it lives, and has as long to say so. */
const SILENT_MS = 2_500;

/** Status of a Problem if no server answers. The exit code is then 3, unlike for a server that refuses. */
export const UNREACHABLE = 599;

/** Returns the caller's key: LORE_KEY, or else the owner's key from the data folder. @throws Problem if there is none */
export function readKey({ key, home }: Config): string {
  const file = join(home, 'key');
  try {
    return key ?? readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw Object.assign(error as Error, { path: file });
  }
  const detail = `There is no key in ${home} yet. Start the server once (lore start), or set LORE_KEY.`;
  throw new Problem({ status: 401, title: 'No key', detail });
}

/**
 * Asks the running server and returns its answer.
 *
 * @param route by its name in `src/base/wire/routes.ts`, which says what it takes and answers
 * @throws Problem as the server sent it, or with status UNREACHABLE if no server answers
 * @example const { plans } = await callServer(config, 'GET /v1/plans', { query: { closed: 'false' } });
 */
export async function callServer<R extends Route>(
  config: Config,
  route: R,
  ...[given]: Rest<R>
): Promise<Answer<R>> {
  const { url } = config;
  const key = route === 'GET /health' ? null : readKey(config);
  const { method, address } = addressOf(route, given);
  const body = given && 'body' in given ? JSON.stringify(given.body) : undefined;
  const headers = {
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const { status, text } = await send(`${url}${address}`, { method, headers }, body).catch((cause) => {
    const detail = `Nothing answers on ${url}. Start it with lore start, or set LORE_URL.`;
    throw new Problem({ status: UNREACHABLE, title: 'No server', detail, cause });
  });
  if (status === 204) return undefined as Answer<R>;
  const data: Refusal | null = objectIn(text);
  const ok = status < 300 || (route === 'GET /health' && status === 503);
  // this and the same line of the page are where an answer is taken for what its route says
  if (data !== null && ok) return data as Answer<R>;
  throw new Problem({
    status,
    title: data?.title ?? `HTTP ${status}`,
    code: data?.code ?? 'unknown-answer',
    detail: data?.detail ?? `${url} does not answer like a Lore server.`,
    errors: data?.errors,
  });
}

type Refusal = { title?: string; code?: string; detail?: string; errors?: FieldError[] };

/** Sends a request. Not by `fetch`, which takes as long to load as the rest of a command takes to run. */
async function send(
  url: string,
  options: { method: string; headers: Record<string, string> },
  body: string | undefined,
): Promise<{ status: number; text: string }> {
  const { request } = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
  const dead = new AbortController();
  const signal = AbortSignal.any([dead.signal, AbortSignal.timeout(MAX_ANSWER_MS)]);
  const asking = setTimeout(() => {
    request(new URL('/health', url), { signal: AbortSignal.timeout(SILENT_MS) }, (answer) => answer.resume())
      .on('error', (error) => dead.abort(error))
      .end();
  }, SILENT_MS);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { ...options, signal }, resolve)
      .on('error', reject)
      .end(body);
  }).finally(() => clearTimeout(asking));
  return { status: response.statusCode ?? 0, text: await text(response) };
}

/** Returns the folder of the project here: the work tree around the working folder, else the working folder. */
export const rootHere = ({ cwd }: Io): string => placeIn(cwd).root ?? cwd;

/** Returns what is known of a folder's place, as it is sent to the server: without links, as a session in it names it. */
export function placeOf(dir: string) {
  let real = resolve(dir);
  try {
    real = realpathSync(dir);
  } catch {
    // there is no such folder
  }
  const { branch: _, ...place } = placeIn(real);
  return place;
}

/**
 * Returns the name of the project that a folder belongs to, as the server knows it. Before a person writes something for
 * a project that nobody knows yet, it is made (`make`).
 */
export async function projectIn(config: Config, dir: string, { make = false } = {}): Promise<string> {
  const place = placeOf(dir);
  const found = await callServer(config, 'POST /v1/projects/which', { body: place });
  if (found.exists || !make || (await callServer(config, 'GET /v1/me')).scope !== 'person') return found.name;
  if (place.root === undefined && [parse(place.cwd).root, homedir()].includes(place.cwd)) {
    const detail = `${place.cwd} is no project. Go to the folder of one, or name it: -p, or --everywhere for a rule.`;
    throw new Problem({ status: 400, title: 'No project here', detail });
  }
  return (await callServer(config, 'POST /v1/projects', { body: place })).name;
}

/**
 * Fails (404) if no project is meant by a name, or several are: else an empty list would look as if nothing had happened
 * there. It is a name, a folder, or the last part of either.
 */
export async function checkProject(config: Config, given: string): Promise<void> {
  const { projects } = await callServer(config, 'GET /v1/projects');
  // as lenient as the server, which has stored by now what was written
  const form = (name: string) => `/${name.normalize('NFC').replace(/\/+$/, '').toLowerCase()}`;
  const meant = projects.flatMap(({ name, also, roots }) => {
    const fits = [name, ...also, ...roots].map(form).filter((one) => one.endsWith(form(given)));
    return fits.length === 0 ? [] : [{ name, isIt: fits.includes(form(given)) }];
  });
  if (meant.length === 1 || meant.some(({ isIt }) => isIt)) return;
  const several = meant.map(({ name }) => name).join(', ');
  const told = several === '' ? 'is no project of yours: lore projects lists them' : `may be ${several}`;
  throw new Problem({ status: 404, title: 'Project not found', detail: plain(`“${given}” ${told}.`) });
}

/** Returns the text of a command: its words, else standard input when that is no terminal. */
export async function textOf(io: Io, words: string[]): Promise<string> {
  if (words.length > 0) return words.join(' ');
  return io.stdin.isTTY ? '' : (await text(io.stdin)).trim();
}
