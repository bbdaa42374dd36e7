import { FORCED } from '../fixes/fixes.ts';
import type { Provenance } from '../learnings/admit.ts';

/** What a model says of a lesson: it helps again, it holds for its task only, or a person should look at it first. */
const LASTS = ['lasting', 'local', 'doubtful'] as const;
export type Lasts = (typeof LASTS)[number];

/**
 * Returns why a model's lesson is kept. Ways around a safeguard wait for a person, whatever the model says.
 *
 * @param general whether it holds beyond the very call that it was read from
 */
export const causeByModel = (lesson: string, lasting: Lasts, general: boolean): Provenance['cause'] =>
  FORCED.test(lesson) ? 'forced' : lasting === 'lasting' && general ? 'judged' : 'doubted';

/** Returns why an agent's lesson is kept: a way around a safeguard waits for a person. */
export const causeByAgent = (lesson: string) =>
  FORCED.test(lesson) ? ('forced' as const) : ('proposed' as const);
