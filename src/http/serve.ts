import { createRoute, OpenAPIHono, type z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { badFields } from '../base/errors/problem.ts';
import { asUser } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import type { Caller, Env } from './env.ts';
import { connectionOf } from './remote-address.ts';
import { commonProblems, json, problem } from './schemas.ts';

type Schema = z.ZodType | undefined;
type Out<S> = S extends z.ZodType ? z.output<S> : undefined;
/** A value that JSON turns into T: times may be dates still. */
type Unwired<T> = unknown extends T
  ? T
  : T extends string
    ? T | Date
    : T extends (infer Item)[]
      ? Unwired<Item>[]
      : T extends object
        ? { [K in keyof T]: Unwired<T[K]> }
        : T;
type Answered<A> = A extends z.ZodType ? Unwired<z.input<A>> : undefined;

/** A handler that answers nothing may return nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: it is the type of a promise of work that returns nothing
type Nothing<A> = A extends z.ZodType ? never : void;

/** What a route takes and answers. Without `answer` it answers 204, without a body. */
type Described<P, Q, B, A> = {
  params?: P;
  query?: Q;
  body?: B;
  answer?: A;
  /** something new was made (201, else 200); sometimes: the handler says whether it was */
  created?: true | 'sometimes';
  /** the workers that have something to do behind the answer */
  wakes?: ('embed' | 'baselines')[];
  /** what the statuses mean that not every route may answer with */
  problems?: Record<number, string>;
  /** nobody needs a key for it */
  open?: true;
};

/** What a handler is given: the checked parts of its request, and `as`, which works in a transaction of the caller. */
type Given<P, Q, B> = {
  params: Out<P>;
  query: Out<Q>;
  body: Out<B>;
  caller: Caller;
  as<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  isNew(yes: boolean): void;
  /** the request's address and headers, and the connection that it came by, if one of Node's */
  url: string;
  header(name: string): string | undefined;
  connection: ReturnType<typeof connectionOf>;
  /** returns how many bytes the body has */
  bytes(): Promise<number>;
};

/** Adds a route. Its name is its method and its path, such as `GET /v1/notes/{id}`. */
export type Route = <
  P extends z.ZodObject | undefined = undefined,
  Q extends Schema = undefined,
  B extends Schema = undefined,
  A extends Schema = undefined,
>(
  name: `${'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'} /${string}`,
  summary: string,
  described: Described<P, Q, B, A>,
  handle: (given: Given<P, Q, B>) => Promise<Answered<A> | Nothing<A>>,
) => void;

type Needs = { db: Database; wake(worker: 'embed' | 'baselines'): void };

/** Returns a function that adds routes to a router, described for the API's document. */
const adding =
  (app: Router, { db, wake }: Needs): Route =>
  (name, summary, { params, query, body, answer, created, wakes = [], problems = {}, open }, handle) => {
    const [method = '', path = ''] = name.split(' ');
    const done = answer === undefined ? { description: summary } : json(answer, summary);
    const statuses = answer === undefined ? [204] : created === true ? [201] : created ? [201, 200] : [200];
    const described = createRoute({
      method: method.toLowerCase() as 'get',
      path,
      summary,
      ...(open && { security: [] }),
      request: {
        ...(params && { params }),
        ...(query && { query: query as never }),
        ...(body && { body: { required: true, content: { 'application/json': { schema: body } } } }),
      },
      responses: {
        ...Object.fromEntries(statuses.map((status) => [status, done])),
        ...Object.fromEntries(Object.entries(problems).map(([status, said]) => [status, problem(said)])),
        ...(open ? { 400: commonProblems[400] } : commonProblems),
      },
    });
    const handler = async (c: Context<Env>) => {
      const valid = (schema: Schema, where: string) =>
        (schema === undefined ? undefined : c.req.valid(where as never)) as never;
      let isNew = created === true;
      const answered = await handle({
        params: valid(params, 'param'),
        query: valid(query, 'query'),
        body: valid(body, 'json'),
        caller: c.get('caller'),
        as: (work) => asUser(db, c.get('caller'), work),
        isNew: (yes) => {
          isNew = yes;
        },
        url: c.req.url,
        header: (name) => c.req.header(name),
        connection: connectionOf(c),
        bytes: async () => (await c.req.arrayBuffer()).byteLength,
      });
      for (const worker of wakes) wake(worker);
      return answer === undefined ? c.body(null, 204) : c.json(answered as object, isNew ? 201 : 200);
    };
    app.openapi(described, handler as never);
  };

/** Returns a function that makes a router of the routes that `add` adds. */
export const served =
  <S>(add: (route: Route, services: S) => void) =>
  (services: S & Needs): Router => {
    const app = router();
    add(adding(app, services), services);
    return app;
  };

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

/**
 * Returns the issues to report. For a union these are the issues of the branch whose outermost type fits, because that
 * is the branch the caller meant.
 */
function meant(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const branch = issue.errors.find(
    (issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  );
  return branch?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue];
}
