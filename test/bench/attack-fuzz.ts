import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLore, startOf } from './lore.ts';
import type { Found } from './measure.ts';
import { type Random, seeded, session } from './sessions.ts';
import type { Store } from './store.ts';
import { bodyFor, damage, type Schema, text, uuid } from './wrong-input.ts';

const SENDERS = 8;
/** A request that gets no answer within this time counts as broken. Statements end after 5 s. */
const MAX_ANSWER_MS = 30_000;
const MAX_TOLD = 5;
const TELL_EVERY = 1_000;

type Operation = {
  path: string;
  method: string;
  parameters: { name: string; in: string; schema: Schema }[];
  body: Schema | undefined;
};
type Sent = { method: string; path: string; headers: Record<string, string>; body: Buffer | undefined };

/**
 * Sends wrong requests to every route that /openapi.json names, without a key, with a member's and with the owner's.
 * None may be answered with 5xx or not at all, and the server must be healthy afterwards. The same seed sends the same
 * requests, though to a server whose answers come in another order.
 */
export async function attackByFuzz(
  store: Store,
  { seed, quick }: { seed: number; quick: boolean },
): Promise<Found> {
  const count = quick ? 400 : 20_000;
  const lore = await startLore(store, { LORE_LOG_LEVEL: 'error' }, startOf({ quick }));
  const agent = new Agent({ keepAlive: true, maxSockets: SENDERS });
  const broken: string[] = [];
  const statuses = new Map<number, number>();
  try {
    const { operations, resolve } = operationsOf(JSON.parse((await lore.get('/openapi.json')).text));
    const member = JSON.parse((await lore.post('/v1/users', { name: 'fuzz' })).text).key as string;
    const random = seeded(seed);
    let made = 0;
    const sender = async () => {
      while (made < count && broken.length < MAX_TOLD) {
        if (made > 0 && made % TELL_EVERY === 0)
          console.error(`  ${made} requests, ${broken.length} broken …`);
        const operation = operations[made++ % operations.length] as Operation;
        const sent = wrongRequest(random, operation, resolve, [lore.key, member]);
        const status = await send(lore.url, agent, sent).catch((error: Error) => error.message);
        if (typeof status === 'number') statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (typeof status === 'string' || status >= 500) broken.push(`${status}: ${told(sent)}`);
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, sender));
    const healthy = await lore.get('/health').then(
      () => true,
      () => false,
    );
    if (!healthy) broken.push('the server is not healthy afterwards');
    const counted = [...statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${n} × ${status}`);
    return {
      held: broken.length === 0,
      lines: [
        `${made} requests to ${operations.length} operations: ${counted.join(', ')}`,
        ...broken.map((line) => `broken: ${line}`),
      ],
    };
  } finally {
    agent.destroy();
    await lore.stop();
  }
}

/** Returns every operation of the description, and a function that follows its references. */
function operationsOf(description: {
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, Schema> };
}) {
  const resolve = (schema: Schema): Schema =>
    schema.$ref ? (description.components.schemas[schema.$ref.split('/').at(-1) as string] ?? {}) : schema;
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, about]) => {
      const { parameters = [], requestBody } = about as {
        parameters?: Operation['parameters'];
        requestBody?: { content: Record<string, { schema: Schema }> };
      };
      const body = requestBody && Object.values(requestBody.content)[0]?.schema;
      return { path, method: method.toUpperCase(), parameters, body };
    }),
  );
  return { operations, resolve };
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'BREW'];
const TYPES = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'multipart/form-data',
  'json',
  '',
];
const PATHS = [
  '%00',
  '%ff',
  '..%2f..%2fetc%2fpasswd',
  '%',
  '%e0%a4',
  '%F0%9F%9A%80',
  '-1',
  '%0d%0ax:y',
  '*',
  '//',
];

function wrongRequest(
  random: Random,
  operation: Operation,
  resolve: (schema: Schema) => Schema,
  keys: readonly string[],
): Sent {
  const odd = (share: number) => random() < share;
  const value = (schema: Schema) =>
    odd(0.5) ? text(random) : String(bodyFor(random, resolve(schema), resolve));
  const path = operation.path.replace(/\{(\w+)\}/g, () =>
    odd(0.4) ? pick(random, PATHS) : encode(odd(0.5) ? uuid(random) : text(random).slice(0, 500)),
  );
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && odd(0.7))
    .map(
      ({ name, schema }) =>
        `${name}=${odd(0.2) ? pick(random, PATHS) : encode(value(schema)).slice(0, 4_000)}`,
    );
  const key = pick(random, [...keys, ...keys, null, `lore_${'x'.repeat(43)}`, text(random)]);
  const body = operation.body && wrongBody(random, operation, resolve);
  return {
    method: odd(0.05) ? pick(random, METHODS) : operation.method,
    path: `${path}${odd(0.03) ? pick(random, PATHS) : ''}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key.replace(/[^\x20-\x7e]/g, '?').slice(0, 2_000)}` }),
      ...(body && {
        'content-type': odd(0.05) ? pick(random, TYPES) : 'application/json',
        'content-length': String(body.length),
      }),
    },
    body,
  };
}

/** encodeURIComponent refuses half of a surrogate pair. */
const encode = (value: string) => encodeURIComponent(value.toWellFormed());

function wrongBody(random: Random, { path, body }: Operation, resolve: (schema: Schema) => Schema): Buffer {
  const events = path === '/v1/hooks' ? [...session(random, { turns: 1, calls: 3 })] : [];
  const right = events.length > 0 ? pick(random, events) : bodyFor(random, resolve(body ?? {}), resolve);
  return damage(random, right);
}

function send(url: string, agent: Agent, { method, path, headers, body }: Sent): Promise<number> {
  return new Promise((answered, failed) => {
    const sending = request(url, { method, path, headers, agent, timeout: MAX_ANSWER_MS }, (response) => {
      response.resume().once('end', () => answered(response.statusCode ?? 0));
      response.once('error', failed);
    });
    sending.once('timeout', () => sending.destroy(new Error('no answer')));
    sending.once('error', async (error: NodeJS.ErrnoException) => {
      // The server may refuse a body or a path and close the connection before all of it was sent.
      const refused = ['EPIPE', 'ECONNRESET'].includes(error.code ?? '');
      await sleep(1);
      if (refused) answered(0);
      else failed(error);
    });
    sending.end(body);
  });
}

const told = ({ method, path, headers, body }: Sent): string => {
  const start = body && JSON.stringify(body.subarray(0, 1_000).toString('latin1'));
  const as = headers.authorization ? 'with a key' : 'without a key';
  return `${method} ${path.slice(0, 500)} ${as}, ${headers['content-type']}, ${body?.length ?? 0} bytes ${start ?? ''}`;
};
