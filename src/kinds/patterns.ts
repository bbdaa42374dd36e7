import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { query } from '../db/open.ts';
import { served } from '../http/serve.ts';
import { addReads, kindOf, reference, references } from './kind.ts';
import { PATTERN_TYPES, patterns } from './schema.ts';

// Patterns as people see and change them. SQL counts them at night: sql/patterns.

const status = z.enum(['active', 'rejected']);
const strings = z.array(z.string());
const known = sql`(t.successes + t.failures)`;
const pattern = kindOf('pattern', patterns, ['form', 'signature', 'episodes', 'evidence'], {
  template: { as: z.object({ steps: strings, commonFiles: strings }), sql: sql`t.template` },
  /** in how many episodes it was seen, and up to 50 of the sessions */
  usageCount: { as: z.number(), sql: sql`t.episodes` },
  seenIn: { as: strings, sql: sql`t.evidence` },
  successRate: { as: z.number().nullable(), sql: sql`t.successes::float8 / nullif(${known}, 0)` },
});
const Pattern = z.object(pattern.shape).openapi('Pattern');

export const patternRoutes = served((route) => {
  addReads(route, pattern, {
    shown: Pattern,
    filters: {
      type: z.enum(PATTERN_TYPES).optional(),
      /** `closed`: no longer found */
      status: z.enum(['active', 'rejected', 'closed']).default('active'),
    },
    where: ({ type, status }) => [
      type && sql`t.type = ${type}`,
      sql`t.status = ${status === 'rejected' ? status : 'active'}`,
      status !== 'rejected' &&
        (status === 'active' ? sql`t.valid_until is null` : sql`t.valid_until is not null`),
    ],
  });
  route(
    'PATCH /v1/patterns/{id}',
    'Reject a pattern, or take that back: a rejected one stays away when it is counted again',
    {
      params: reference,
      body: z.strictObject({ status }).openapi('PatternChange'),
      answer: Pattern,
      wakes: ['embed'],
      problems: references,
    },
    ({ as, params, body: { status } }) =>
      as(async (tx) => {
        const { id } = await pattern.get(tx, params.id);
        const end = status === 'rejected' ? sql`coalesce(valid_until, greatest(now(), valid_from))` : null;
        await query(tx)`
          update patterns set status = ${status}, valid_until = ${end}, updated_at = now() where id = ${id}::uuid`;
        return pattern.get(tx, id);
      }),
  );
});
