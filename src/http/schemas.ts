import { z } from '@hono/zod-openapi';

// Parts of route descriptions that all rooms use.

const ProblemDocument = z
  .object({
    type: z.string(),
    title: z.string(),
    /** stable, for programs; docs/errors.md lists all */
    code: z.string(),
    status: z.number(),
    detail: z.string(),
    requestId: z.string(),
    errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
    /** for a change that came too late: the present state */
    current: z.unknown().optional(),
  })
  .openapi('Problem');

/** Describes an error answer of a route. */
export const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: ProblemDocument } },
});

/** The errors that every route may answer with. */
export const commonProblems = {
  400: problem('The request does not fit its schema'),
  401: problem('Missing or wrong key'),
  429: problem('Too many wrong keys from this address'),
};

/** Describes an answer of a route with a JSON body. */
export const json = <S extends z.ZodType>(schema: S, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});

/** The type of a value after JSON: dates become ISO 8601 strings. `wire` also turns bigints into strings of digits. */
export type Wire<T> = T extends Date ? string : T extends object ? { [K in keyof T]: Wire<T[K]> } : T;
/** Returns a value as the JSON of an answer has it, see {@link Wire}. */
export const wire = <T>(value: T): Wire<T> =>
  JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner)));

const instantText = () =>
  z.iso
    .datetime({
      offset: true,
      message: 'must be an ISO 8601 instant such as 2026-01-31T12:00:00Z',
      abort: true,
    })
    .refine((text) => {
      const at = new Date(text);
      return at.getTime() >= 0 && at.getUTCFullYear() <= 9999;
    }, 'must lie between 1970 and 9999')
    .openapi({ type: 'string', format: 'date-time' });

/** Schema of an instant between 1970 and 9999, as ISO 8601 with an offset. */
export const instant = () => instantText().transform((text) => new Date(text));

/**
 * The same as text in UTC, to the microsecond. A Date would lose the microseconds of a time from an earlier
 * answer.
 */
export const exactInstant = () =>
  instantText().transform((text) => {
    const micros = (/\.(\d+)/.exec(text)?.[1] ?? '').slice(3, 6).padEnd(3, '0');
    return new Date(text).toISOString().replace('Z', `${micros}Z`);
  });

/** Schema of a page's size: 1 to `max`, `usual` when it is not given. */
export const limit = (max: number, usual: number) =>
  z.coerce.number().int().min(1).max(max).default(usual).openapi({ type: 'integer' });

export const time = z.string().openapi({ format: 'date-time' });
