import { z } from 'zod';
import { Check } from '../commands/verdict.ts';
import type { Claims } from '../db/as-user.ts';
import { Kept, Redacted } from '../observations/keep.ts';
import { ShownOffer } from '../offers/frame.ts';
import type { HookEvent } from '../sessions/hook-event.ts';

/** Something to store: a hook event with its answer, or a check of a command that did not come from a hook. */
export type Entry = {
  /** of a check without an event: by it the check is stored once, as an event is by its key */
  id?: string;
  claims: Claims;
  /** time of arrival, ISO 8601 */
  at: string;
  /** the redacted event */
  event?: HookEvent;
  check?: Check;
  /** whether to remember the model's verdict for the next time */
  remember?: boolean;
  offers?: ShownOffer[];
  /** the whole output of the tool, if the event holds it cut, or if the agent sees an extract in its place */
  output?: Kept | Redacted;
};

/** Checks that a line is an entry. Another version of Lore may have written it, or a person. */
const Line = z.object({
  claims: z.object({ userId: z.string() }),
  at: z.iso.datetime(),
  event: z.looseObject({ hook_event_name: z.string().min(1), session_id: z.string().min(1) }).optional(),
});
/** What an entry may hold beside its event. If one of these is malformed, the event is stored without it. */
const PARTS = { id: z.uuid(), check: Check, offers: z.array(ShownOffer), output: z.union([Kept, Redacted]) };

/** Returns the names of the parts of an entry that are malformed. */
export const malformedParts = (entry: Entry): (keyof typeof PARTS)[] =>
  (Object.keys(PARTS) as (keyof typeof PARTS)[]).filter(
    (name) => entry[name] !== undefined && !PARTS[name].safeParse(entry[name]).success,
  );

/** Returns the entry that a line of the journal is; null if it is none. */
export function entryOf(line: string): Entry | null {
  try {
    const entry = JSON.parse(line);
    return Line.safeParse(entry).success ? entry : null;
  } catch {
    return null;
  }
}
