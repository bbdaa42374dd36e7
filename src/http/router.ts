import { OpenAPIHono, type z } from '@hono/zod-openapi';
import { badFields } from '../base/errors/problem.ts';
import type { Env } from './env.ts';

export type Router = OpenAPIHono<Env>;

/** Returns a router for a room. Input that does not fit its schema becomes a Problem (400) that names each field. */
export const router = (): Router =>
  new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (result.success) return;
      const errors = result.error.issues.flatMap(meant).map((issue) => ({
        field: issue.path.join('.') || (result.target === 'json' ? '(body)' : `(${result.target})`),
        message: issue.message,
      }));
      throw badFields(errors);
    },
  });

type Issue = z.core.$ZodIssue;

/**
 * Returns the issues to report. For a union these are the issues of the branch whose outermost type fits, because that
 * is the branch the caller meant.
 */
function meant(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const branch = issue.errors.find(
    (issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  );
  return branch?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue];
}
