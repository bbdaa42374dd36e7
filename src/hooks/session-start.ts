import { asUser } from '../db/as-user.ts';
import type { Tx } from '../db/open.ts';
import { episodesForStart } from '../episodes/offer-episode.ts';
import { findingsForStart } from '../findings/offer-finding.ts';
import { citationsOf, citationsToLookAt } from '../freshness/citations.ts';
import { isHere, staleLines } from '../freshness/freshness.ts';
import { offerLesson } from '../learnings/offer-lesson.ts';
import { recallForStart } from '../learnings/recall.ts';
import { noteAgent } from '../notes/channels.ts';
import { notesForAgent } from '../notes/offer-note.ts';
import { fitting, type Offer } from '../offers/frame.ts';
import { within } from '../within.ts';
import { handOff } from './hand-off.ts';
import { stillOffered } from './known-sessions.ts';
import type { Asked, HookOutput, HookServices, Stored } from './types.ts';

/**
 * Most tokens of what a start tells, without the hand-off. They are few, because most of what is told before
 * the task is known does not help.
 */
export const START_TOKENS = 550;
/** Most tokens of what a start tells of each kind. */
const LESSON_TOKENS = 300;
const NOTE_TOKENS = 200;
const EPISODE_TOKENS = 200;
/**
 * How long the answer waits for the end of the session before to be stored. The hook that asks gives up after
 * 1.5 s.
 */
const PATIENCE_MS = 500;
/** How many citations a client's hook is asked to look at. It has 1.5 seconds for everything. */
const MAX_LOOKS = 100;

/**
 * The starts (`source`) that may go on from the session before. `clear` ends that session at the same moment.
 */
const BEGINS = ['startup', 'clear'];
const ENDS_THE_ONE_BEFORE = 'clear';

/**
 * Offers what an agent should know when it begins: the notes to it and the best lessons of the project. At
 * the start of a session, also offers the project's open findings, the latest work on its branch, and how the
 * last session ended.
 */
export async function offerAtStart(services: HookServices, { claims, event, at }: Asked): Promise<Offer[]> {
  const session = await services.sessions.of(claims, event, at);
  // a resumed session still has its earlier offers in its context
  const offered = event.source === 'resume' ? stillOffered(session, event) : [];
  // the lessons that are told before calls must be in memory before the first call
  const inMemory = services.callLessons.of(claims, session.projectId).catch(() => {});
  const goesOn = event.hook_event_name === 'SessionStart' && BEGINS.includes(event.source ?? '');
  if (goesOn && event.source === ENDS_THE_ONE_BEFORE && services.journal)
    await within(services.journal.drained(), PATIENCE_MS);
  const found = await asUser(
    services.db,
    claims,
    async (tx) => {
      const atStart = event.hook_event_name === 'SessionStart';
      const before = goesOn ? handOff(tx, session, at) : Promise.resolve([]);
      const offers = await Promise.all([
        notesForAgent(tx, { projectId: session.projectId, agent: event.agent_type ?? '' }),
        recallForStart(tx, session, offered),
        atStart ? findingsForStart(tx, session.projectId, offered) : [],
        atStart
          ? before.then(([told]) => episodesForStart(tx, session, offered, told?.sourceId ?? null))
          : [],
        before,
      ]);
      const ids = [...offers[0].map(({ sourceId }) => sourceId as string), ...offers[1].map(({ id }) => id)];
      return [...offers, await citationsOf(tx, ids)] as const;
    },
    { readOnly: true, urgent: true },
  );
  await inMemory;
  const [notes, lessons, findings, episodes, before, citations] = found;
  const stale = staleLines(services, claims, citations);
  const told = lessons.map((lesson) => offerLesson({ ...lesson, why: null }, undefined, stale(lesson.id)));
  for (const note of notes) note.lines.push(...[stale(note.sourceId as string) ?? []].flat());
  const others = [
    ...fitting(notes, NOTE_TOKENS),
    ...fitting(told, LESSON_TOKENS),
    ...findings,
    ...fitting(episodes, EPISODE_TOKENS),
  ];
  // the hand-off has tokens of its own, so it takes none from the others
  return [...fitting(others, START_TOKENS), ...before];
}

/**
 * Returns what the client's hook should look at on its machine, because the project is not on this machine or
 * is not the owner's. Null if there is nothing to look at.
 */
export async function askToLook(services: HookServices, asked: Asked): Promise<HookOutput['lore'] | null> {
  const { claims, event, at } = asked;
  if (event.lore?.looks !== true) return null;
  const session = await services.sessions.of(claims, event, at);
  if (isHere(claims, session.root)) return null;
  const { projectId } = session;
  const read = { readOnly: true, urgent: true };
  const citations = await asUser(
    services.db,
    claims,
    (tx) => citationsToLookAt(tx, projectId, MAX_LOOKS),
    read,
  );
  if (citations.length === 0) return null;
  return { project: projectId, look: citations.map(({ kind, id, ref }) => ({ kind, id, ref })) };
}

/** Notes when an agent was last started, under the name that the client gives it. */
export async function recordAgent(tx: Tx, { event, at }: Stored): Promise<void> {
  if (event.agent_type) await noteAgent(tx, event.agent_type, at);
}
