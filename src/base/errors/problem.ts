export type FieldError = { field: string; message: string };

/**
 * The only form of errors for users of Lore: an RFC 9457 problem document. The API answers with it as
 * `application/problem+json`, the CLI prints `title: detail`.
 *
 * @example throw new Problem({ status: 409, title: 'Port taken', detail: 'Port 4747 is in use. Set LORE_PORT.' });
 */
export class Problem extends Error {
  declare readonly status: number;
  declare readonly title: string;
  /** by which programs tell it from others */
  declare readonly code: string;
  declare readonly detail: string;
  declare readonly errors: FieldError[] | undefined;
  /** for a change that came too late: the present state, on which it must be based */
  declare readonly current: unknown;
  /** after how many seconds it may work (header `retry-after`) */
  declare readonly retryAfter: number | undefined;

  constructor(problem: Told) {
    super(`${problem.title}: ${problem.detail}`, { cause: problem.cause });
    Object.assign(this, problem, { name: 'Problem', code: problem.code ?? codeOf(problem.title) });
  }
}

/** `code`: of a problem that came from a server; else that of its title */
type Told = Pick<Problem, 'status' | 'title' | 'detail'> &
  Partial<Pick<Problem, 'code' | 'errors' | 'current' | 'retryAfter' | 'cause'>>;

/**
 * Codes that are not the words of their title. Programs go by the code, so a code is never changed or used for something else; a
 * title is for people and may be worded anew. docs/errors.md lists all codes.
 */
const NAMED: Record<string, string> = {
  'A later change stands on it': 'later-change',
  'Cannot be allowed permanently': 'cannot-be-allowed-for-good',
  'Cannot use a file': 'file-unusable',
  'Database is migrated by Supabase': 'database-migrated-by-supabase',
  'Database is newer than this Lore': 'database-too-new',
  'Decision not current at that time': 'decision-not-in-force',
  'Later changes stand': 'later-changes',
  'Lesson not found': 'learning-not-found',
  'List without an end': 'endless-list',
  'Only a person can do this': 'person-only',
  'Sign in on the device itself': 'sign-in-on-the-device',
  'The backup is damaged': 'backup-is-damaged',
  'The run is under way': 'run-is-under-way',
};

/** Returns the stable code of a problem with this title. */
export const codeOf = (title: string): string =>
  NAMED[title] ?? title.toLowerCase().replaceAll("'", '').replace(/\W+/g, '-');

/** Returns the refusal of what has wrong fields. */
export const badFields = (errors: FieldError[], title = 'Bad request'): Problem => {
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new Problem({ status: 400, title, detail, errors });
};

/** Returns the refusal of a request in which one field is wrong. */
export const badRequest = (field: string, message: string): Problem => badFields([{ field, message }]);
