import { z } from 'zod';

// The wire protocol of Supabase's Realtime, version 2.0.0: frames are lists of JSON.

const name = z.string().min(1).max(255);
const Frame = z.tuple([name.nullable(), name.nullable(), name, name, z.record(z.string(), z.unknown())]);

export type Message = {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: Record<string, unknown>;
};

/** Returns the message in a frame; null if it is malformed. */
export function decode(text: string): Message | null {
  try {
    const [joinRef, ref, topic, event, payload] = Frame.parse(JSON.parse(text));
    return { joinRef, ref, topic, event, payload };
  } catch {
    return null;
  }
}

/** Returns a frame to a client. `payload` is JSON. */
export const encode = ({ joinRef, ref, topic, event }: Omit<Message, 'payload'>, payload: string): string =>
  `${JSON.stringify([joinRef, ref, topic, event]).slice(0, -1)},${payload}]`;

/** Most changes that one channel waits for: each needs a row, and work at each change. */
const MAX_BINDINGS = 20;

/** What a client sends with `phx_join`. */
export const JoinPayload = z.looseObject({
  access_token: z.string().max(8_000).nullish(),
  config: z
    .looseObject({
      presence: z.looseObject({ enabled: z.boolean().default(false) }).nullish(),
      postgres_changes: z.array(z.looseObject({})).max(MAX_BINDINGS).nullish(),
      private: z.boolean().nullish(),
    })
    .default({}),
});

/** What a token is good for (`src/accounts/access-tokens.ts`): `userId` is null for a public key, `exp` in seconds since 1970. */
export type Grant = {
  userId: string | null;
  exp: number;
  keyId: string | null;
  authId: string | null;
  email: string | null;
};
export type Refused = { refused: string };

/** A channel that a client has joined: what it waits for, and what is said to it. */
export type Channel = {
  number: number;
  joinRef: string | null;
  grant: Grant;
  /** Sends a change to the client. `data` is JSON. */
  tell(bindings: number[], data: string): void;
  /** Ends it. If there is a reason, the client is told first. The client does not join again by itself. */
  close(why?: string): void;
};

/** One condition of a filter. The database knows the operators (`lore.filter_condition`). */
type Condition = { column: string; not: boolean; op: string; values: string[] };

/** What a channel waits for. */
export type Binding = { id: number; event: string; schema: string; table: string; filters: Condition[] };

const Wanted = z.looseObject({
  event: z
    .string()
    .toUpperCase()
    .pipe(z.enum(['*', 'INSERT', 'UPDATE', 'DELETE'])),
  schema: name.default('public'),
  table: name.default('*'),
  filter: z.string().max(4_000).nullish(),
});

/** Returns what a channel waits for, from what its client asked for; null if that is malformed. */
export function toBinding(asked: object, id: number): Binding | null {
  const { success, data } = Wanted.safeParse(asked);
  if (!success) return null;
  const { event, schema, table, filter } = data;
  const condition = filter ? parseFilter(filter) : undefined;
  return condition === null ? null : { id, event, schema, table, filters: condition ? [condition] : [] };
}

/** Returns the condition of a filter such as `status=eq.active`, `decision=in.(deny,hold)`; null if it is malformed. */
function parseFilter(filter: string): Condition | null {
  const match = /^([^=\s]+)=(not\.)?([a-z]+)\.(.*)$/s.exec(filter);
  if (!match) return null;
  const [, column = '', not, op = '', value = ''] = match;
  const list = /^\((.+)\)$/s.exec(value)?.[1]?.split(',');
  if (op === 'in' && (list === undefined || list.length > 100)) return null;
  return { column, not: not !== undefined, op, values: op === 'in' && list ? list : [value] };
}
