import { CODES, type Title } from './codes.ts';

export type FieldError = { field: string; message: string };

/**
 * The only form of errors for users of Lore: an RFC 9457 problem document. The API answers with it as
 * `application/problem+json`, the CLI prints `title: detail`.
 *
 * @example throw new Problem({ status: 409, title: 'Port taken', detail: 'Port 4747 is in use. Set LORE_PORT.' });
 */
export class Problem extends Error {
  readonly status: number;
  readonly title: string;
  /** by which programs tell it from others */
  readonly code: string;
  readonly detail: string;
  readonly errors: FieldError[] | undefined;
  /** for a change that came too late: the present state, on which it must be based */
  readonly current: unknown;
  /** after how many seconds it may work (header `retry-after`) */
  readonly retryAfter: number | undefined;

  constructor(problem: Told & (Named | Received)) {
    super(`${problem.title}: ${problem.detail}`, { cause: problem.cause });
    this.name = 'Problem';
    this.status = problem.status;
    this.title = problem.title;
    this.code = 'code' in problem ? problem.code : CODES[problem.title];
    this.detail = problem.detail;
    this.errors = problem.errors;
    this.current = problem.current;
    this.retryAfter = problem.retryAfter;
  }
}

type Told = {
  status: number;
  detail: string;
  errors?: FieldError[] | undefined;
  current?: unknown;
  retryAfter?: number;
  cause?: unknown;
};
/** A problem of this program has the code of its title. */
type Named = { title: Title };
/** One that came from a server has the server's. */
type Received = { title: string; code: string };

/** Returns the refusal of a request in which one field is wrong. */
export const badRequest = (field: string, message: string) =>
  new Problem({
    status: 400,
    title: 'Bad request',
    detail: `${field}: ${message}`,
    errors: [{ field, message }],
  });
