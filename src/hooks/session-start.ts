import { asUser } from '../db/as-user.ts';
import type { Tx } from '../db/open.ts';
import { brokenAttachments, tellBroken } from '../files/attachments.ts';
import { countWaiting } from '../kinds/audits.ts';
import { citationsOf, citationsToLookAt, isHere, staleLines } from '../kinds/citations.ts';
import { noteAgent } from '../kinds/notes.ts';
import { findingsForStart, notesForAgent } from '../kinds/offers.ts';
import { type ProjectRule, rulesOf } from '../learnings/rules.ts';
import { ALL_TOKENS, LINE_TOKENS, ONE_RULE_TOKENS, RULE_TOKENS } from '../offers/budget.ts';
import { fitting, type Offer, quote } from '../offers/frame.ts';
import type { Voice, VoiceKind } from '../offers/voice.ts';
import { isLastSilent, uncheckedCalls } from '../sessions/unchecked.ts';
import { within } from '../timing/within.ts';
import { handOff } from './hand-off.ts';
import { stillOffered } from './known-sessions.ts';
import type { Asked, HookOutput, HookServices, Stored } from './types.ts';

/** Most lines that a start tells besides the rules and the hand-off. */
const MOST_LINES = 2;
/**
 * How long the answer waits for the end of the session before to be stored. The hook that asks gives up after
 * 1.5 s.
 */
const PATIENCE_MS = 500;
/** How many citations a client's hook is asked to look at. It has 1.5 seconds for everything. */
const MAX_LOOKS = 100;

/** The starts (`source`) that may go on from the session before. */
const BEGINS = ['startup', 'clear'];

/**
 * Offers what an agent should know when it begins: what people said about the project, before everything
 * else. At the start of a session, also offers in one line how the last session ended, and at most two lines
 * more: the notes to the agent, the worst open finding, the latest work on its branch.
 */
export async function offerAtStart(services: HookServices, { claims, event, at }: Asked): Promise<Offer[]> {
  const session = await services.sessions.of(claims, event, at);
  // a resumed session still has its earlier offers in its context
  const offered = event.source === 'resume' ? stillOffered(session, event) : [];
  // the lessons that are told before calls must be in memory before the first call
  const inMemory = Promise.all([
    services.callLessons.of(claims, session.projectId),
    services.guards.of(claims, session.projectId),
  ]).catch(() => {});
  const atStart = event.hook_event_name === 'SessionStart';
  const goesOn = atStart && BEGINS.includes(event.source ?? '');
  // what the session before did last may not be stored yet: after /clear it ended a moment ago
  if (goesOn && services.journal) await within(services.journal.drained(claims.userId), PATIENCE_MS);
  const voice = await services.voices.of(claims);
  const { projectId } = session;
  const found = await asUser(
    services.db,
    claims,
    async (tx) => {
      const offers = await Promise.all([
        rulesOf(tx, projectId),
        voice.note === 'none' ? [] : notesForAgent(tx, { projectId, agent: event.agent_type ?? '' }),
        atStart ? findingsForStart(tx, projectId, offered, voice.finding) : [],
        goesOn ? handOff(tx, session, at, voice['hand-off']) : [],
      ]);
      const [rules, notes] = offers;
      const ids = rules.map(({ id }) => id);
      return [...offers, await citationsOf(tx, [...ids, ...idsOf(notes)])] as const;
    },
    { readOnly: true, urgent: true },
  );
  await inMemory;
  const [rules, notes, findings, before, citations] = found;
  const stale = staleLines(services, claims, citations);
  for (const note of notes) note.lines.push(...[stale(note.sourceId as string) ?? []].flat());
  const fresh = rules.filter(({ id }) => !offered.includes(id));
  const budget = atStart ? RULE_TOKENS.session : RULE_TOKENS.subagent;
  return [
    ...fittingRules(
      fresh.map((rule) => offerRule(rule, stale(rule.id))),
      budget,
    ),
    ...before,
    ...linesOf(voice, [...notes, ...findings]),
  ];
}

const idsOf = (offers: Offer[]): string[] => offers.flatMap(({ sourceId }) => sourceId ?? []);

/** Returns a rule as an agent reads it: the person's words, and what cites them. */
const offerRule = ({ id, text }: ProjectRule, stale: string | undefined): Offer => ({
  kind: 'rule',
  sourceId: id,
  relevance: null,
  lines: [`${quote(text, ONE_RULE_TOKENS)} (lore:${id.slice(0, 8)}${stale ? `, ${stale}` : ''})`],
});

/** Returns the rules that fit, and how many more there are. */
function fittingRules(rules: Offer[], budget: number): Offer[] {
  const kept = fitting(rules, budget - MORE_TOKENS);
  const left = rules.length - kept.length;
  if (left === 0) return kept;
  const line = `and ${left} more: lore lessons`;
  return [...kept, { kind: 'rule', sourceId: null, relevance: null, lines: [line] }];
}
const MORE_TOKENS = 15;

/**
 * Returns the lines that a start tells besides rules and hand-off: two, the most urgent first. What somebody
 * wants all of has more room of its own.
 */
function linesOf(voice: Voice, offers: Offer[]): Offer[] {
  const wanted = offers.filter(({ kind }) => voice[kind as VoiceKind] === 'all');
  const others = offers.filter((offer) => !wanted.includes(offer));
  return [...fitting(others.slice(0, MOST_LINES), LINE_TOKENS), ...fitting(wanted, ALL_TOKENS)];
}

/**
 * Returns what the client's hook should look at on its machine: citations, if the project is not on this machine or is
 * not the owner's. Null if there is nothing to look at.
 */
export async function askToLook(services: HookServices, asked: Asked): Promise<HookOutput['lore'] | null> {
  const { claims, event, at } = asked;
  if (event.lore?.looks !== true) return null;
  const { projectId, root } = await services.sessions.of(claims, event, at);
  if (isHere(claims, root)) return null;
  const citations = await asUser(services.db, claims, (tx) => citationsToLookAt(tx, projectId, MAX_LOOKS), {
    readOnly: true,
    urgent: true,
  });
  const look = citations.map(({ kind, id, ref }) => ({ kind, id, ref }));
  return look.length === 0 ? null : { project: projectId, look };
}

/**
 * Tells a person at a start what only a person can do something about: in which attached projects Lore's hooks are gone
 * or changed (the owner), else that calls were not checked, else how many sessions wait for an agent to look back on them (whoever has the plugin).
 */
export async function tellPerson(
  services: HookServices,
  asked: Asked,
  recovery: Promise<unknown>,
): Promise<string | null> {
  const { claims, event } = asked;
  const broken =
    claims.role === 'owner' && event.source !== 'compact'
      ? tellBroken(brokenAttachments(services.config))
      : null;
  return broken ?? (await tellUnchecked(services, asked, recovery)) ?? tellWaiting(services, asked);
}

/** A start waits no longer than this for the transcript of a session of which only the start was heard. */
const MAX_RECOVERY_MS = 1_000;

/** Tells that calls of the project's last session were not checked. */
async function tellUnchecked(
  services: HookServices,
  { claims, event, at }: Asked,
  recovery: Promise<unknown>,
): Promise<string | null> {
  if (event.source === 'compact') return null;
  const { projectId } = await services.sessions.of(claims, event, at);
  const read = <T>(work: (tx: Tx) => Promise<T>) => asUser(services.db, claims, work, { readOnly: true });
  const besides = event.source === 'resume' ? null : event.session_id;
  // its calls, if it made any, are in its transcript, which is being read
  if (await read((tx) => isLastSilent(tx, projectId, besides))) await within(recovery, MAX_RECOVERY_MS);
  const [gap] = await read((tx) => uncheckedCalls(tx, projectId));
  if (!gap) return null;
  return `${gap.unchecked} of ${gap.calls} calls of the last session here were not checked: its hooks did not reach Lore, or no server was there. If that goes on: lore doctor.`;
}

async function tellWaiting(
  services: HookServices,
  { claims, event, at, plugin }: Asked,
): Promise<string | null> {
  if (!plugin || event.source !== 'startup') return null;
  // a model looks back by itself
  if ((await services.modelFor(claims)) !== null) return null;
  const { projectId } = await services.sessions.of(claims, event, at);
  const waiting = await asUser(services.db, claims, (tx) => countWaiting(tx, projectId), { readOnly: true });
  if (waiting === 0) return null;
  return `${waiting === 1 ? '1 session waits' : `${waiting} sessions wait`} to be looked back on: /lore:audit`;
}

/** Notes when an agent was last started, under the name that the client gives it. */
export async function recordAgent(tx: Tx, { event, at }: Stored): Promise<void> {
  if (event.agent_type) await noteAgent(tx, event.agent_type, at);
}
