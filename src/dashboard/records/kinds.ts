import { found } from './found.ts';
import type { RecordKind } from './kind.ts';
import { learning, rule } from './lessons.ts';
import { night } from './nights.ts';
import { error, finding, note } from './noticed.ts';
import { plan } from './plans.ts';
import { session } from './sessions.ts';
import { decision, fact, relation } from './statements.ts';
import { policy, verdict } from './verdicts.ts';
import { episode, pattern, skill } from './worked.ts';

/** The kinds in the order in which they are listed, by the name that searches and offers know them by. */
export const KINDS = {
  learning,
  rule,
  decision,
  fact,
  relation,
  finding,
  note,
  error,
  plan,
  session,
  episode,
  pattern,
  skill,
  night,
  verdict,
  policy,
  found,
} satisfies Record<string, RecordKind>;

export type KindName = keyof typeof KINDS;

/** Returns the kind of a name in an address; undefined if there is none. */
export const kindOf = (name: string): RecordKind | undefined =>
  Object.hasOwn(KINDS, name) ? KINDS[name as KindName] : undefined;

/** Returns where the pages of a kind are. */
export const pathOf = (name: string): string => kindOf(name)?.path ?? `/records/${name}`;
