import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { asUser } from './db/as-user.ts';
import type { Tx } from './db/open.ts';
import { Problem } from './problem.ts';
import type { Caller, Services } from './services.ts';

export type Env = { Variables: { caller: Caller; requestId: string } };
export type Router = OpenAPIHono<Env>;

/** A room's routes. Input that does not fit its schema becomes a 400 problem that names each field. */
export const router = (): Router =>
  new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (result.success) return;
      const errors = result.error.issues.flatMap(meant).map((issue) => ({
        field: issue.path.join('.') || '(body)',
        message: issue.message,
      }));
      throw new Problem({
        status: 400,
        title: 'Bad request',
        detail: errors.map((e) => `${e.field}: ${e.message}`).join('; '),
        errors,
      });
    },
  });

type Issue = z.core.$ZodIssue;

/** What is wrong by that branch of a union whose outermost type fits, which is the one that was meant. */
function meant(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const branch = issue.errors.find(
    (issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  );
  return branch?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue];
}

/** Runs a handler's database work as the caller. */
export const asCaller = <T>(services: Services, c: Context<Env>, work: (tx: Tx) => Promise<T>): Promise<T> =>
  asUser(services.db, c.get('caller'), work);

/** The same for work that only reads: when the connection to the database breaks, it is tried again. */
export const readAsCaller = <T>(
  services: Services,
  c: Context<Env>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> => asUser(services.db, c.get('caller'), work, { readOnly: true });

const ProblemDocument = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number(),
    detail: z.string(),
    requestId: z.string(),
    errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  })
  .openapi('Problem');

export const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: ProblemDocument } },
});

/** The error answers that every route has. */
export const commonProblems = {
  400: problem('The request does not fit its schema'),
  401: problem('Missing or wrong key'),
};

export const json = <S extends z.ZodType>(schema: S, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});

export const body = <S extends z.ZodType>(schema: S) => ({
  body: { required: true, content: { 'application/json': { schema } } },
});

/** What JSON makes of a value: dates become ISO 8601 strings, integers beyond 2^53 their digits. */
export type Wire<T> = T extends Date ? string : T extends object ? { [K in keyof T]: Wire<T[K]> } : T;
export const wire = <T>(value: T): Wire<T> =>
  JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner)));

/** An instant between 1970 and 9999, ISO 8601 with an offset. */
export const instant = () =>
  z.iso
    .datetime({ offset: true, message: 'must be an ISO 8601 instant such as 2026-01-31T12:00:00Z' })
    .transform((text) => new Date(text))
    .refine((at) => at.getTime() >= 0 && at.getUTCFullYear() <= 9999, 'must lie between 1970 and 9999')
    .openapi({ type: 'string', format: 'date-time' });

export const limit = (most: number, usual: number) =>
  z.coerce.number().int().min(1).max(most).default(usual).openapi({ type: 'integer' });

export const time = z.string().openapi({ format: 'date-time' });
