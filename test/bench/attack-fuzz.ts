import { Agent, request } from 'node:http';
import { startLore } from './lore.ts';
import type { Found } from './measure.ts';
import { type Random, seeded } from './sessions.ts';
import type { Store } from './store.ts';

const SENDERS = 8;
/** Requests in a round. */
const COUNT = 200;
/** A request that gets no answer within this time counts as broken. Statements end after 5 s. */
const MAX_ANSWER_MS = 30_000;

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
};
type Operation = { path: string; method: string; queries: string[]; body: Schema | undefined };

const TEXTS = [
  '',
  'npm test',
  'a\0b',
  '\ud800',
  '\u202egnp.exe',
  '🚀'.repeat(500),
  "'; drop table events; --",
  '%_\\',
  '{"a":',
  '../../etc/passwd',
  '__proto__',
  'x'.repeat(20_000),
  '2026-13-45',
  '-271821-04-20T00:00:00Z',
  'infinity',
  '99999999999999999999',
  '00000000-0000-0000-0000-000000000000',
  '((((((((((',
  '<private>open',
];
const OTHERS = [0, -1, 0.5, 2 ** 53, 1e308, null, true, [], {}, [null], { a: { b: [1] } }];
const PATHS = ['%00', '%ff', '..%2f..%2fetc%2fpasswd', '%', '%F0%9F%9A%80', '%0d%0ax:y', '//'];
const BROKEN = [
  '[',
  '{"a":NaN}',
  `${'['.repeat(50_000)}1${']'.repeat(50_000)}`,
  `{"x":"${'y'.repeat(1_000_000)}"}`,
];

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

/**
 * Sends wrong requests to every route that /openapi.json names, without a key, with a member's and with the owner's.
 * None may be answered with 5xx or not at all, and the server must be healthy afterwards.
 */
export async function attackByFuzz(
  store: Store,
  { seed, rounds, args }: { seed: number; rounds: number; args?: string[] },
): Promise<Found> {
  const lore = await startLore(store, { LORE_LOG_LEVEL: 'error' }, args);
  const agent = new Agent({ keepAlive: true, maxSockets: SENDERS });
  const broken: string[] = [];
  const statuses = new Map<number, number>();
  try {
    const description = JSON.parse((await lore.get('/openapi.json')).text);
    const operations = operationsOf(description);
    const resolve = ({ $ref, ...schema }: Schema): Schema =>
      $ref ? (description.components.schemas[$ref.split('/').at(-1) as string] ?? {}) : schema;
    const member = JSON.parse((await lore.post('/v1/users', { name: 'fuzz' })).text).key as string;
    const random = seeded(seed);
    let made = 0;
    const sender = async () => {
      while (made < rounds * COUNT && broken.length < 5) {
        const { path, method, queries, body } = operations[made++ % operations.length] as Operation;
        const given = queries.flatMap((name) => (random() < 0.7 ? `${name}=${odd(random)}` : []));
        const url = `${path.replace(/\{\w+\}/g, () => odd(random))}${given.length > 0 ? `?${given.join('&')}` : ''}`;
        const text =
          body && (random() < 0.1 ? pick(random, BROKEN) : JSON.stringify(wrong(random, body, resolve)));
        const key = pick(random, [lore.key, lore.key, member, null, `lore_${'x'.repeat(43)}`]);
        const status = await send(`${lore.url}${url}`, agent, method, key, text).catch(
          (error) => error.message,
        );
        if (typeof status === 'number') statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (typeof status === 'string' || status >= 500)
          broken.push(`${status}: ${method} ${url.slice(0, 300)} ${text?.slice(0, 500)}`);
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, sender));
    await lore.get('/health').catch(() => broken.push('the server is not healthy afterwards'));
    const counted = [...statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${n} × ${status}`);
    return { held: broken.length === 0, lines: [`${made} requests: ${counted.join(', ')}`, ...broken] };
  } finally {
    agent.destroy();
    await lore.stop();
  }
}

function operationsOf(description: { paths: Record<string, Record<string, unknown>> }): Operation[] {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, about]) => {
      const { parameters = [], requestBody } = about as {
        parameters?: { name: string; in: string }[];
        requestBody?: { content: Record<string, { schema: Schema }> };
      };
      const queries = parameters.flatMap(({ name, in: where }) => (where === 'query' ? name : []));
      const body = requestBody && Object.values(requestBody.content)[0]?.schema;
      return { path, method: method.toUpperCase(), queries, body };
    }),
  );
}

/** Returns an odd part of a path or a query. encodeURIComponent refuses half of a surrogate pair. */
const odd = (random: Random): string =>
  random() < 0.3
    ? pick(random, PATHS)
    : encodeURIComponent(pick(random, TEXTS).toWellFormed()).slice(0, 2_000) || 'x';

/** Returns a value that roughly fits a schema, with something wrong in it now and then. */
function wrong(random: Random, given: Schema, resolve: (schema: Schema) => Schema, depth = 0): unknown {
  const schema = resolve(given);
  const type = [schema.type].flat()[0];
  if (random() < 0.15 || depth > 5) return pick(random, [...TEXTS, ...OTHERS]);
  if (schema.enum) return pick(random, schema.enum);
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties).flatMap(([name, one]) =>
        random() < 0.8 ? [[name, wrong(random, one, resolve, depth + 1)]] : [],
      ),
    );
  if (type === 'array') return [wrong(random, schema.items ?? {}, resolve, depth + 1)];
  if (type === 'integer' || type === 'number') return Math.floor(random() * 20);
  return type === 'boolean' ? random() < 0.5 : pick(random, TEXTS);
}

function send(
  url: string,
  agent: Agent,
  method: string,
  key: string | null,
  body: string | undefined,
): Promise<number> {
  const headers = {
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  return new Promise((answered, failed) => {
    const sending = request(url, { method, headers, agent, timeout: MAX_ANSWER_MS }, (response) => {
      response.resume().once('end', () => answered(response.statusCode ?? 0));
      response.once('error', failed);
    });
    sending.once('timeout', () => sending.destroy(new Error('no answer')));
    sending.once('error', (error: NodeJS.ErrnoException) => {
      // the server may refuse a body or a path and close the connection before all of it was sent
      if (['EPIPE', 'ECONNRESET'].includes(error.code ?? '')) answered(0);
      else failed(error);
    });
    sending.end(body);
  });
}
