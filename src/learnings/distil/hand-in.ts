import { sql } from 'drizzle-orm';
import { badRequest } from '../../base/errors/problem.ts';
import { asUser, type Claims } from '../../db/as-user.ts';
import { type Database, query, type Tx } from '../../db/open.ts';
import { FORCED, namedIn } from '../../incidents/fixes/fixes.ts';
import { incidentMeant, loadIncident } from '../../incidents/incidents.ts';
import { fact, prepareStatement, putStatement } from '../../kinds/statements.ts';
import { redactValue } from '../../redaction/redact.ts';
import { wasTyped } from '../../sessions/calls.ts';
import { projectNamed, projectNameOf } from '../../sessions/projects.ts';
import { getSession } from '../../sessions/sessions.ts';
import { admit, type Provenance } from '../admit.ts';
import type { Admission, Evidence } from '../candidate.ts';
import { putGuard } from '../guards/guards.ts';
import { GuardRule } from '../guards/rule.ts';
import { tryRule } from '../guards/verify.ts';
import { lessonInForce } from '../learnings.ts';
import { provenanceOf } from './admit-incident.ts';
import type { Remember, Rule } from './form.ts';
import { namedInGuard, unseenIn } from './in-record.ts';
import { keyOf } from './said.ts';

// What an agent or a person's model hands in, in the same form, goes through the same checks: what it names must stand in
// the session's record, and what it says of a person must be their words. An agent's is proposed, and waits for an outcome
// or a person. A model speaks for its person; but also a rule that it read asks until the person has answered.

type Services = { db: Database };

/** Who hands something in, and about which session. */
export type Giver = {
  by: 'agent' | 'model';
  /** as it is recorded: the model, or `agent:` and a name */
  evaluator: string;
  projectId: string;
  /** Lore's id; null: no session is named, and nothing can be looked up */
  sessionId: string | null;
  agentId: string | null;
  /** what led to it */
  event: string;
};

/** What became of it. `id` is that of the record; null if nothing was kept, so that it can be tried once more. */
export type Kept = { id: string | null; state: string; reason: string };

/**
 * Returns who hands in what an agent proposes.
 *
 * @throws Problem (400) if there is no such session in the project, (404) if there is no such project
 */
export async function agentIn(
  { db }: Services,
  claims: Claims,
  said: { project: string; agent: string; session?: string | undefined },
): Promise<Giver> {
  const { project, agent, session } = redactValue(said);
  return asUser(db, claims, async (tx) => {
    const { id: projectId, name } = await projectNamed(tx, project);
    const found = session === undefined ? null : await getSession(tx, session);
    if (found !== null && found?.project !== name)
      throw badRequest('session', `you have no session ${session} in ${name}`);
    const about = { projectId, sessionId: found?.id ?? null, agentId: agent, event: 'proposal' };
    return { by: 'agent', evaluator: `agent:${agent}`, ...about };
  });
}

/** A lesson that is handed in. `incidentId`: the error that it answers, where that is known; else `error` says it in words. */
export type HandedLesson = {
  lesson: string;
  context: string;
  why: string | null;
  appliesTo?: string[];
  keywords?: string[];
  confidence?: number;
  error?: string | undefined;
  incidentId?: string | null;
  scope?: Remember['scope'];
};

/** Keeps what answers an error, or a fact. @throws Problem (400) that names the field that is missing */
export function remember(services: Services, claims: Claims, given: Remember, giver: Giver): Promise<Kept> {
  const { type, error, cause, do: text, applies_when: when = '', scope } = given;
  if (type !== undefined) return keepFact(services, claims, given, giver);
  if (text === undefined) throw badRequest('do', 'say what to do, with the command, file or setting');
  const lesson = error === undefined && when !== '' ? `When ${when}: ${text}` : text;
  return keepLesson(services, claims, { lesson, context: when, why: cause ?? null, error, scope }, giver);
}

async function keepFact({ db }: Services, claims: Claims, given: Remember, giver: Giver): Promise<Kept> {
  const { type, key, value, cause: evidence } = redactValue(given);
  if (key === undefined) throw badRequest('key', 'say what the fact is about');
  if (value === undefined || value === null) throw badRequest('value', 'say what is true');
  const { projectId, sessionId: session, evaluator } = giver;
  return asUser(db, claims, async (tx) => {
    const refused = await unseen(tx, session, [key, ...(typeof value === 'string' ? namedIn(value) : [])]);
    if (refused !== null) return { id: null, state: 'discarded', reason: refused };
    const [row] = await query<{ name: string }>(tx)`select ${projectNameOf(sql`${projectId}::uuid`)} as name`;
    const by = giver.agentId === null ? { source: evaluator } : { agent: giver.agentId };
    const of = { project: row?.name, ...(session !== null && { session }), ...by };
    const stated = prepareStatement(fact, { ...of, type, key, value, tier: 'inferred' as const, evidence });
    const { id, outcome } = await putStatement(tx, fact, stated);
    const state = outcome === 'confirmed' ? 'confirmed' : 'inferred';
    return { id: `fact:${id.slice(0, 8)}`, state, reason: 'found by search; nobody is told it unasked' };
  });
}

/** Keeps a lesson. One about an error of the session is told at that error. */
export async function keepLesson(
  services: Services,
  claims: Claims,
  given: HandedLesson,
  giver: Giver,
): Promise<Kept> {
  const { lesson, context, why, error, confidence = 0.7, scope, ...more } = redactValue(given);
  const { keywords = namedIn(lesson), appliesTo = keywords } = more;
  const candidate = { lesson, context, confidence, keywords, appliesTo };
  const { projectId, sessionId, agentId, evaluator, event } = giver;
  const cause = FORCED.test(lesson) ? 'forced' : giver.by === 'agent' ? 'proposed' : 'judged';
  const about = {
    evaluator,
    why,
    cause,
    everywhere: isEverywhere(claims, scope),
    sameKey: keyOf(lesson),
  } as const;
  return asUser(services.db, claims, async (tx) => {
    const found = more.incidentId ?? (sessionId && error ? await incidentMeant(tx, sessionId, error) : null);
    const incident = found === null ? undefined : await loadIncident(tx, found);
    const evidence: Evidence = incident?.resolution
      ? { kind: 'reported-resolved', audit: evaluator, incident: incident.id }
      : { kind: 'reported', audit: evaluator };
    const provenance: Provenance = incident
      ? // what it tells to do may be another answer than what was seen
        { ...provenanceOf(incident, about), ...about }
      : { projectId, sessionId, agentId, ...about, ...(error !== undefined && { error }) };
    const refused = await unseen(tx, sessionId, namedIn(`${lesson}\n${context}`));
    return keptAs(await admit(tx, { candidate, evidence, provenance, refused }, { event }));
  });
}

/** A key of one project says nothing about others; a person can say later that it holds everywhere. */
const isEverywhere = (claims: Claims, scope: Remember['scope']): boolean =>
  scope === 'everywhere' && !claims.projectId;

async function unseen(tx: Tx, sessionId: string | null, names: string[]): Promise<string | null> {
  const name = sessionId === null ? null : await unseenIn(tx, sessionId, names);
  return name === null ? null : `it names ${name}, which this session never used`;
}

function keptAs({ decision, reason, learningId }: Admission): Kept {
  const state = decision === 'stored' ? 'proposed' : decision;
  return { id: learningId === null ? null : `learning:${learningId.slice(0, 8)}`, state, reason };
}

/**
 * Keeps a rule that a person stated, in their words, with the guard that was read in them. It asks at most: the person's
 * answer to its first question confirms it.
 */
export async function keepRule(services: Services, claims: Claims, given: Rule, giver: Giver): Promise<Kept> {
  const rule = redactValue(given);
  const { words, means, then } = rule;
  const { projectId, sessionId, agentId, evaluator, event, by: source } = giver;
  if (sessionId === null) throw badRequest('session', 'say in which session the person said it');
  const guard = guardOf(rule);
  const candidate = { lesson: words, context: means, confidence: 0.7, keywords: [], appliesTo: [] };
  const evidence = { kind: 'said', words, stands: null, by: evaluator } as const;
  const provenance: Provenance = {
    ...{ projectId, sessionId, agentId, why: means || null, sameKey: keyOf(words) },
    // a model speaks for its person
    ...(source === 'model' ? { evaluator: 'person', cause: 'said' } : { evaluator, cause: 'proposed' }),
    everywhere: isEverywhere(claims, given.scope),
  };
  const said = { sessionId };
  return asUser(services.db, claims, async (tx) => {
    const refused = await whyNot(tx, { projectId, said }, words, guard);
    const admission = await admit(tx, { candidate, evidence, provenance, refused }, { event });
    const lesson = admission.learningId === null ? null : await lessonInForce(tx, admission.learningId);
    if (lesson === null) return { ...keptAs(admission), state: 'refused' };
    const { lineageId } = lesson;
    if (guard !== null) await putGuard(tx, { projectId, lineageId, rule: guard, source, asks: true, said });
    const reason = guard === null ? 'told to nobody until the person approves it' : UNTIL[then];
    return { ...keptAs(admission), state: 'proposed', reason };
  });
}

/** Returns the guard of a rule that was handed in; null if it is about no calls. It denies once it is confirmed. */
export const guardOf = ({ about: when, unless, then, breaks, keeps }: Rule): GuardRule | null =>
  when.length === 0
    ? null
    : { when, ...(unless && { unless }), then: then === 'ask' ? 'deny' : 'tell', breaks, keeps };

const UNTIL = {
  tell: 'told at the calls that it is about, as proposed by an agent',
  ask: 'the person is asked at the next call that breaks it, and their answer decides',
};

/** Returns why a rule is not kept; null if it is. */
async function whyNot(
  tx: Tx,
  where: { projectId: string; said: { sessionId: string } },
  words: string,
  guard: GuardRule | null,
): Promise<string | null> {
  const { sessionId } = where.said;
  if (!(await wasTyped(tx, sessionId, words)))
    return 'words: no prompt that the person typed in this session has these words; give them to the letter';
  if (guard === null) return null;
  const [wrong] = GuardRule.safeParse(guard).error?.issues ?? [];
  if (wrong !== undefined) return `${wrong.path.join('.')}: ${wrong.message}`;
  const unknown = await unseenIn(tx, sessionId, namedInGuard(guard));
  return unknown === null
    ? tryRule(tx, guard, where)
    : `about: it names ${unknown}, which neither the person nor this session has named`;
}
