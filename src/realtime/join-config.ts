import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Binding } from './feed.ts';
import { parseFilter } from './filters.ts';

const name = z.string().min(1).max(255);
/** Most bindings of one channel. Each needs a row, and work at each change. */
const MAX_BINDINGS = 20;
const MAX_FILTER = 4_000;

const Wanted = z.looseObject({
  event: z
    .string()
    .transform((event) => event.toUpperCase())
    .pipe(z.enum(['*', 'INSERT', 'UPDATE', 'DELETE'])),
  schema: name.default('public'),
  table: name.default('*'),
  filter: z.string().max(MAX_FILTER).nullish(),
  select: z.array(name).max(100).nullish(),
});

/** What a client sends with `phx_join`. */
export const JoinPayload = z.looseObject({
  access_token: z.string().max(8_000).nullish(),
  config: z
    .looseObject({
      presence: z.looseObject({ enabled: z.boolean().default(false) }).nullish(),
      postgres_changes: z.array(z.looseObject({})).max(MAX_BINDINGS).nullish(),
      postgres_changes_options: z.looseObject({ wait: z.boolean().default(false) }).nullish(),
      private: z.boolean().nullish(),
    })
    .default({}),
});

export type Asked = Record<string, unknown>;

/**
 * Returns the number that identifies a binding for a client: a JSON number, never 0, and the same for equal
 * bindings. As on Supabase it has 27 bits.
 */
export const bindingId = (asked: Asked): number =>
  createHash('sha256').update(JSON.stringify(asked)).digest().readUInt32BE() >>> 5 || 1;

/** Returns what a channel waits for, from what its client asked for; null if that is malformed. */
export function toBinding(asked: Asked): Binding | null {
  const { success, data } = Wanted.safeParse(asked);
  if (!success) return null;
  const { event, schema, table, filter, select } = data;
  const filters = filter ? parseFilter(filter) : [];
  const wildcard = schema === '*' || table === '*';
  if (filters === null || (select && wildcard)) return null;
  return { id: bindingId(asked), event, schema, table, filters, columns: select ?? null };
}
