import { Problem } from '../problem.ts';

export type Failure = {
  /**
   * `refused`: the database will never take the data. `for now`: it will take the data when it is back, has room or is
   * less busy. `unknown`: something else is wrong.
   */
  kind: 'refused' | 'for now' | 'unknown';
  reason: string;
};

/** SQLSTATE classes of a refusal for good: data exception, integrity violation, program limit exceeded. */
const REFUSED = /^(?:22|23|54)/;
/**
 * SQLSTATE classes of a failure for now: connection, authorisation and database of the connection, deadlock and
 * serialisation, resources, object state, operator intervention (statement timeout, shutdown), system and internal
 * errors. Behind them the codes of Node and the driver for a connection or a disk.
 */
const FOR_NOW =
  /^(?:08|28|3D|40|53|55|57|58|XX|CONNECTION_|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET|ENOSPC|EIO)/;

/** Returns whether storing again can help after this error. The error's code is on the error itself or on its cause. */
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
