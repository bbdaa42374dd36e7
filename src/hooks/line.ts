import { z } from 'zod';
import { Check, Learned } from '../commands/verdict.ts';
import type { Claims } from '../db/as-user.ts';
import { Kept, Redacted } from '../kinds/outputs.ts';
import { ShownOffer } from '../offers/frame.ts';
import type { HookEvent } from '../sessions/hook-event.ts';

/** Something to store: a hook event with its answer, or a check of a command that did not come from a hook. */
export type Entry = {
  /** id of a check that belongs to no event, so that it is stored only once; an event has a key for this */
  id?: string;
  claims: Claims;
  /** time of arrival, ISO 8601 */
  at: string;
  /** the redacted event */
  event?: HookEvent;
  check?: Check;
  /** whether the model's verdict is remembered for the next time */
  remember?: boolean;
  /** the shapes that a person allowed by letting a call run; such an entry has no event */
  learned?: Learned[];
  offers?: ShownOffer[];
  /** the whole output of the tool, if the event holds it cut, or if the agent sees an extract in its place */
  output?: Kept | Redacted;
};

/** Checks that a line is an entry. Another version of Lore may have written it, or a person: what is malformed is left out. */
const Line = z.object({
  id: z.uuid().optional().catch(undefined),
  claims: z.looseObject({ userId: z.string() }),
  at: z.iso.datetime(),
  event: z.looseObject({ hook_event_name: z.string().min(1), session_id: z.string().min(1) }).optional(),
  check: Check.optional().catch(undefined),
  remember: z.boolean().optional().catch(undefined),
  learned: z.array(Learned).optional().catch(undefined),
  offers: z.array(ShownOffer).optional().catch(undefined),
  output: z.union([Kept, Redacted]).optional().catch(undefined),
});

/** Returns a line of the journal as an entry; null if it is not one. */
export function entryOf(line: string): Entry | null {
  try {
    return Line.parse(JSON.parse(line)) as Entry;
  } catch {
    return null;
  }
}

/** Returns the entries in the text of a journal. `refuse` is called for each line that is no entry. */
export function entriesIn(
  text: string,
  refuse: (line: string, reason: string) => void,
): { entry: Entry; bytes: number }[] {
  return text.split('\n').flatMap((line, i, lines) => {
    const entry = entryOf(line);
    // a kill may have cut the last line; its event was never answered, so nothing is lost
    if (!entry && line !== '' && i < lines.length - 1) refuse(line, 'not a line of a journal');
    return entry ? [{ entry, bytes: Buffer.byteLength(line) }] : [];
  });
}
