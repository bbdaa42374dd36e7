import type { RecordKind } from './kind.ts';
import { finding, note } from './noticed.ts';
import { decision, fact, relation } from './statements.ts';
import { episode, pattern, rule, skill } from './worked.ts';

/** The kinds in the order in which they are listed, by the name that searches and offers know them by. */
export const KINDS: Record<string, RecordKind> = {
  rule,
  decision,
  fact,
  relation,
  finding,
  note,
  episode,
  pattern,
  skill,
};
