import { sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { badRequest } from '../errors/problem.ts';
import { prepareFact, putFact } from '../facts/facts.ts';
import { keyOfWords } from '../guards/literal.ts';
import { incidentMeant, loadIncident } from '../incidents/incidents.ts';
import { namesIn } from '../language/names.ts';
import { type Admission, discarded, FROM_NO_ERROR, type Provenance } from '../learnings/admit.ts';
import type { Evidence } from '../learnings/candidate.ts';
import { keepJudgement } from '../learnings/requests.ts';
import { redactValue } from '../redaction/redact.ts';
import { projectNamed } from '../sessions/projects.ts';
import { getSession } from '../sessions/sessions.ts';
import { admitCandidate } from './admit-candidate.ts';
import { provenanceOf } from './admit-incident.ts';
import { namedIn } from './in-record.ts';
import { causeByAgent } from './lasting-by-model.ts';

/** What an agent proposes to keep, in its own words. */
export type Proposal = {
  kind: 'lesson' | 'fact' | 'decision';
  project: string;
  /** the agent's name */
  agent: string;
  /** the client's id of the session in which it was learned */
  session?: string | undefined;
  text?: string | undefined;
  when?: string | undefined;
  why?: string | undefined;
  appliesTo?: string[] | undefined;
  /** the error that a lesson answers */
  error?: string | undefined;
  type?: string | undefined;
  key?: string | undefined;
  value?: unknown;
};

/** What became of a proposal. `id` is that of the record; null if nothing was kept. */
export type Proposed = { id: string | null; state: string; reason: string };

/**
 * Keeps what an agent proposes until a person or an outcome confirms it. A lesson or decision is proposed: it is told at
 * the error of its session that it answers, and otherwise to nobody. A fact is stated as inferred, so
 * it replaces nothing that a person, a tool or an agent stated. What names something that the session never used is not
 * kept.
 *
 * @throws Problem (400) that names the field that is missing
 */
export function propose(
  services: { db: Database; embedder: Embedder },
  claims: Claims,
  proposal: Proposal,
): Promise<Proposed> {
  const clean = redactValue(proposal);
  return clean.kind === 'fact'
    ? proposeFact(services.db, claims, clean)
    : proposeLesson(services, claims, clean);
}

async function proposeFact(db: Database, claims: Claims, proposal: Proposal): Promise<Proposed> {
  const { project, agent, session, type, key, value, why } = proposal;
  if (type === undefined) throw badRequest('type', 'say what kind of fact it is, such as port or version');
  if (key === undefined) throw badRequest('key', 'say what the fact is about');
  if (value === undefined || value === null) throw badRequest('value', 'say what is true');
  const fact = prepareFact({ project, type, key, value, tier: 'inferred', agent, session, evidence: why });
  return asUser(db, claims, async (tx) => {
    const found = session === undefined ? undefined : await getSession(tx, session);
    const names = [key, ...(typeof value === 'string' ? namedIn(value) : [])];
    const unseen = await unseenIn(tx, session, found, names);
    if (unseen !== null) return invented(unseen);
    const { id, outcome } = await putFact(tx, fact);
    return {
      id: `fact:${id.slice(0, 8)}`,
      state: outcome === 'confirmed' ? 'confirmed' : 'inferred',
      reason: 'found by search; nobody is told it unasked',
    };
  });
}

const invented = (name: string): Proposed => ({
  id: null,
  state: 'discarded',
  reason: `it names ${name}, which this session never used`,
});

async function proposeLesson(
  services: { db: Database; embedder: Embedder },
  claims: Claims,
  proposal: Proposal,
): Promise<Proposed> {
  const { kind, text, when = '', why, error, agent, session } = proposal;
  if (text === undefined) throw badRequest('text', 'say what to do, with the command, file or setting');
  if (kind === 'decision' && when === '') throw badRequest('when', 'say when the decision applies');
  const lesson = kind === 'decision' ? `When ${when}: ${text}` : text;
  const names = namesIn(lesson);
  const appliesTo = proposal.appliesTo?.length ? proposal.appliesTo : names;
  const candidate = { lesson, context: when, confidence: 0.7, keywords: names, appliesTo };
  const evaluator = `agent:${agent}`;
  const cause = causeByAgent(lesson);
  const keep = (
    tx: Tx,
    admission: Admission,
    made: { evidence: Evidence; provenance: Pick<Provenance, 'projectId' | 'sessionId' | 'agentId'> },
  ) => {
    const { projectId, sessionId, agentId } = made.provenance;
    const about = { projectId, sessionId, agentId, event: 'proposal' };
    return keepJudgement(tx, about, { candidate, evidence: made.evidence, evaluator, admission });
  };
  let unseen: string | null = null;
  const admission = await admitCandidate(
    services,
    claims,
    async (tx) => {
      const { id: projectId } = await projectNamed(tx, proposal.project);
      const found = session === undefined ? undefined : await getSession(tx, session);
      unseen = await unseenIn(tx, session, found, namedIn(`${lesson}\n${when}`));
      const about = { projectId, sessionId: found?.id ?? null, agentId: agent };
      if (unseen !== null) {
        await keep(tx, discarded(invented(unseen).reason), {
          evidence: { kind: 'reported' },
          provenance: about,
        });
        return null;
      }
      const meant = found && error ? await incidentMeant(tx, found.id, error) : null;
      const incident = meant === null ? undefined : await loadIncident(tx, meant);
      if (incident) {
        const evidence: Evidence = incident.resolution
          ? { kind: 'reported-resolved', audit: evaluator, incident: incident.id }
          : { kind: 'reported' };
        const from = provenanceOf(incident, { evaluator, why: why ?? null, cause });
        // what the agent tells to do may be another answer than what was seen
        return { candidate, evidence, provenance: { ...from, sameKey: keyOfWords(lesson) } };
      }
      const provenance: Provenance = {
        ...about,
        ...FROM_NO_ERROR,
        evaluator,
        why: why ?? null,
        cause,
        sameKey: keyOfWords(lesson),
      };
      return { candidate, evidence: { kind: 'reported' }, provenance };
    },
    keep,
  );
  if (unseen !== null) return invented(unseen);
  const { decision, reason, learningId } = admission as NonNullable<typeof admission>;
  const state = decision === 'stored' ? 'proposed' : decision;
  return { id: learningId === null ? null : `learning:${learningId.slice(0, 8)}`, state, reason };
}

/**
 * Returns the first of these names that no call and no prompt of a session holds; null if all are held, or no session is
 * named. Calls of Lore's own tools do not count, because the proposal itself is one.
 *
 * @param found the session of that id; undefined if there is none
 * @throws Problem (400) when there is no such session
 */
async function unseenIn(
  tx: Tx,
  session: string | undefined,
  found: { id: string } | undefined,
  names: string[],
): Promise<string | null> {
  if (session === undefined || names.length === 0) return null;
  if (found === undefined) throw badRequest('session', `you have no session ${session}`);
  // a payload is searched as its JSON, in which quotes and line ends are escaped
  const written = names.map((name) => [name, JSON.stringify(name).slice(1, -1).toLowerCase()] as const);
  const [first] = await query<{ n: number }>(
    tx,
    sql`select n::int as n from unnest(${sql.param(written.map(([, text]) => text))}::text[]) with ordinality w(name, n)
        where not exists (
          select from events e
          where e.session_id = ${found.id} and e.event in ('UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure')
            and coalesce(e.tool_name, '') !~ '^mcp__.*lore' and strpos(lower(e.payload::text), w.name) > 0)
        order by n limit 1`,
  );
  return first === undefined ? null : (written[first.n - 1]?.[0] ?? null);
}
