import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { brokenAttachments, tellBroken } from '../base/files/attachments.ts';
import { within } from '../base/timing/within.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Tx } from '../db/open.ts';
import { noteAgent } from '../kinds/channels.ts';
import { citationsOf, citationsToLookAt, isHere, staleLines } from '../kinds/citations.ts';
import { decisionsInForce, findingsForStart, notesForAgent } from '../kinds/offers.ts';
import { type ProjectRule, rulesOf } from '../learnings/rules.ts';
import { ALL_TOKENS, LINE_TOKENS, ONE_RULE_TOKENS, RULE_TOKENS } from '../offers/budget.ts';
import { workingStateOf } from '../offers/compaction/working-state.ts';
import { fitting, type Offer, quote } from '../offers/frame.ts';
import type { Voice, VoiceKind } from '../offers/voice.ts';
import { offerBulletin, offerStep } from '../plans/offer-plan.ts';
import { getPlan } from '../plans/read-plans.ts';
import { callsOfAgent } from '../plans/session-steps.ts';
import { isOpen } from '../plans/view.ts';
import { handOff } from './hand-off.ts';
import { type KnownSession, PATIENCE_MS, readFirst, stillOffered } from './known-sessions.ts';
import { offerOpenPlan, planIdOrNull } from './plans.ts';
import { recordsFor } from './prompt.ts';
import type { Asked, HookOutput, HookServices, Stored } from './types.ts';

/** Most lines that a start tells besides the rules and the hand-off. */
const MOST_LINES = 2;
/** How many citations a client's hook is asked to look at. It has 1.5 seconds for everything. */
const MAX_LOOKS = 100;

/** The starts (`source`) that may go on from the session before. */
const BEGINS = ['startup', 'clear'];

/**
 * Offers what is offered at the start of a session. After a compaction, also offers what the session was working on.
 */
export async function offerAtSessionStart(services: HookServices, asked: Asked): Promise<Offer[]> {
  const { claims, event, session } = asked;
  if (!session) return [];
  const compacted = event.source === 'compact';
  // what it was working on is read from its events, so all of them must be stored first
  if (compacted) await stored(services, claims);
  const [state, plan, lessons] = await Promise.all([
    compacted
      ? readFirst(services, claims, (tx) => workingStateOf(tx, { ...session, clientId: event.session_id }))
      : null,
    offerOpenPlan(services, asked, session),
    offerAtStart(services, asked, session),
  ]);
  if (state === null) return [...plan, ...lessons];
  // what the rules beside it say is not said twice
  const rules = lessons.map(({ lines }) => lines[0] ?? '');
  const isSaid = (line: string) =>
    rules.some((rule) => rule.startsWith(line.replace(/^Keep in mind: |…$/g, '')));
  return [{ ...state, lines: state.lines.filter((line) => !isSaid(line)) }, ...plan, ...lessons];
}

/**
 * Offers a subagent the step that was claimed for it, what the others found, and what is known about its task. If
 * several agents of its kind were started at once, offers it the first three of their steps, because the client does not
 * say which of the agents it is.
 */
export async function offerAtSubagentStart(services: HookServices, asked: Asked): Promise<Offer[]> {
  const { claims, event, session } = asked;
  const { agent_id: agentId = null, agent_type: agentType = null } = event;
  if (!session) return [];
  // the call that starts it may not be stored yet
  await stored(services, claims);
  const read = async (tx: Tx) => {
    const calls = await callsOfAgent(tx, session.id, { agentId, agentType });
    const reference = calls.find(({ step }) => step)?.step?.planId ?? session.planId;
    const id = reference === null ? null : await planIdOrNull(tx, reference);
    return { calls, plan: id === null ? null : await getPlan(tx, id) };
  };
  // if it is known which agent it is, its step is bound to it
  const { calls, plan } = await asUser(services.db, claims, read, { urgent: true });
  const task = calls.map(({ prompt }) => prompt).join('\n');
  const wanted = (await services.settings.of(claims)).voice;
  const voice = { ...wanted, skill: 'none', finding: 'none', decision: 'none' } as const;
  const [usual, records] = await Promise.all([
    offerAtStart(services, asked, session),
    task.trim() === '' ? [] : recordsFor(services, asked, session, task, voice),
  ]);
  const known = new Set(records.map(({ sourceId }) => sourceId));
  const told = [...records, ...usual.filter(({ sourceId }) => sourceId === null || !known.has(sourceId))];
  if (plan === null || !isOpen(plan)) return told;
  const steps = calls.flatMap(
    ({ step }) => plan.steps.find(({ number }) => step?.planId === plan.id && number === step.number) ?? [],
  );
  const sure = calls.length === 1;
  return [
    ...steps.slice(0, 3).map((one) => offerStep(plan, one, sure)),
    ...offerBulletin(plan, sure ? (steps[0]?.number ?? null) : null),
    ...told,
  ];
}

/**
 * Offers what an agent should know when it begins: what people said about the project, before everything
 * else, and the decisions that hold. At the start of a session, also offers in one line how the last session ended, and
 * at most two lines more: the notes to the agent, the worst open finding, the latest work on its branch.
 */
async function offerAtStart(
  services: HookServices,
  { claims, event, at }: Asked,
  session: KnownSession,
): Promise<Offer[]> {
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
  if (goesOn) await stored(services, claims);
  const { voice } = await services.settings.of(claims);
  const { projectId } = session;
  const [rules, notes, findings, before, decisions, citations] = await readFirst(
    services,
    claims,
    async (tx) => {
      const offers = await Promise.all([
        rulesOf(tx, projectId),
        voice.note === 'none' ? [] : notesForAgent(tx, { projectId, agent: event.agent_type ?? '' }),
        atStart ? findingsForStart(tx, projectId, offered, voice.finding) : [],
        goesOn ? handOff(tx, session, at, voice['hand-off']) : [],
        decisionsInForce(tx, projectId, offered, voice.decision),
      ]);
      const ids = offers[1].flatMap(({ sourceId }) => sourceId ?? []);
      return [...offers, await citationsOf(tx, ids)] as const;
    },
  );
  await inMemory;
  const stale = staleLines(services, claims, citations);
  for (const note of notes) note.lines.push(...[stale(note.sourceId as string) ?? []].flat());
  const fresh = rules.filter(({ id }) => !offered.includes(id));
  const budget = atStart ? RULE_TOKENS.session : RULE_TOKENS.subagent;
  return [
    ...fittingRules(fresh.map(offerRule), budget),
    ...decisions,
    ...before,
    ...linesOf(voice, [...notes, ...findings]),
  ];
}

/** Waits for what happened before to be stored. The hook that asks gives up after 1.5 s. */
const stored = async ({ journal }: HookServices, { userId }: Claims) =>
  journal && within(journal.drained(userId), PATIENCE_MS.call);

/** Returns a rule as an agent reads it: the person’s words. */
const offerRule = ({ id, text }: ProjectRule): Offer => ({
  kind: 'rule',
  sourceId: id,
  relevance: null,
  lines: [`${quote(text, ONE_RULE_TOKENS)} (lore:${id.slice(0, 8)})`],
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
 * Returns the transcript of an event, if those of its project are on this machine: they belong to the person who runs the
 * server, so only the owner's events may have them read.
 */
export const transcriptHere = ({ claims, event }: Pick<Asked, 'claims' | 'event'>): string | null =>
  event.transcript_path && claims.role === 'owner' && existsSync(dirname(event.transcript_path))
    ? event.transcript_path
    : null;

/**
 * Returns what the client's hook should do on its machine, and what the owner is told at a start: in which attached projects
 * Lore's hooks are gone or changed.
 */
export async function besideStart(
  services: HookServices,
  asked: Asked,
): Promise<Pick<HookOutput, 'lore' | 'systemMessage'>> {
  const { claims, event } = asked;
  const looks = await within(
    toLookAt(services, asked).catch(() => null),
    PATIENCE_MS.other,
  );
  const tells = claims.role === 'owner' && event.source !== 'compact';
  const told = tells ? tellBroken(brokenAttachments(services.config)) : null;
  const sends = transcriptHere(asked) === null && event.lore?.looks === true;
  const lore = { ...looks, ...(sends && { transcripts: true }) };
  return {
    ...(told && { systemMessage: `Lore: ${told}` }),
    ...(Object.keys(lore).length > 0 && { lore }),
  };
}

/** Tells a person with their prompt what was found out behind the start. */
export async function besidePrompt(_services: HookServices, { session }: Asked) {
  if (!session?.tell) return {};
  const systemMessage = `Lore: ${session.tell}`;
  session.tell = null;
  return { systemMessage };
}

/**
 * Returns what the client's hook should look at on its machine: citations, if the project is not on this machine or is
 * not the owner's. Null if there is nothing to look at.
 */
async function toLookAt(
  services: HookServices,
  { claims, event, session }: Asked,
): Promise<HookOutput['lore'] | null> {
  if (!session || event.lore?.looks !== true) return null;
  const { projectId, root } = session;
  if (isHere(claims, root)) return null;
  const citations = await readFirst(services, claims, (tx) => citationsToLookAt(tx, projectId, MAX_LOOKS));
  const look = citations.map(({ kind, id, ref }) => ({ kind, id, ref }));
  return look.length === 0 ? null : { project: projectId, look };
}

/** Notes when an agent was last started, under the name that the client gives it. */
export async function recordAgent(tx: Tx, { event, at }: Stored): Promise<void> {
  if (event.agent_type) await noteAgent(tx, event.agent_type, at);
}
