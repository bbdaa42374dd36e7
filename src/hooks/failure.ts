import { Problem } from '../problem.ts';

export type Failure = {
  /**
   * `refused`: the database cannot take the data, today or ever; `for now`: it can when it is back, has room or is less
   * busy; `unknown`: something else is wrong
   */
  kind: 'refused' | 'for now' | 'unknown';
  reason: string;
};

/** SQLSTATE classes: data exception, integrity violation, program limit exceeded. */
const REFUSED = /^(?:22|23|54)/;
/**
 * SQLSTATE classes: connection, authorisation and database of the connection, deadlock and serialisation, resources,
 * object state, operator intervention (statement timeout, shutdown), system and internal errors; then what Node and the
 * driver say of a connection or a disk.
 */
const FOR_NOW =
  /^(?:08|28|3D|40|53|55|57|58|XX|CONNECTION_|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET|ENOSPC|EIO)/;

/** Tells what a failure to store means for what was to be stored. Codes stand on the error or on its cause. */
export function kindOfFailure(error: unknown): Failure {
  const chain = [error, (error as { cause?: unknown } | null)?.cause];
  const messages = chain.flatMap((part) => (part instanceof Error ? part.message : []));
  const reason = messages.at(-1) ?? String(error);
  if (error instanceof Problem && error.status < 500) return { kind: 'refused', reason: error.detail };
  const codes = chain.map((part) => String((part as { code?: unknown } | null)?.code ?? ''));
  if (codes.some((code) => FOR_NOW.test(code))) return { kind: 'for now', reason };
  if (codes.some((code) => REFUSED.test(code))) return { kind: 'refused', reason };
  return { kind: 'unknown', reason };
}
