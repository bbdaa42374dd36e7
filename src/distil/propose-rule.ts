import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { badRequest } from '../errors/problem.ts';
import { putGuard } from '../guards/guards.ts';
import { keyOfWords } from '../guards/literal.ts';
import { Example, GuardRule, Match } from '../guards/rule.ts';
import { tryRule } from '../guards/verify.ts';
import { FROM_NO_ERROR, type Provenance } from '../learnings/admit.ts';
import { lessonInForce } from '../learnings/learnings.ts';
import { keepJudgement } from '../learnings/requests.ts';
import { redactValue } from '../redaction/redact.ts';
import { projectNamed } from '../sessions/projects.ts';
import { getSession } from '../sessions/sessions.ts';
import { admitCandidate } from './admit-candidate.ts';
import { guardInRecord } from './guard-in-record.ts';
import type { Proposed } from './propose.ts';

// A rule that an agent wrote down from a person's words, because it was asked to. The person's words are kept to the letter.
// What the agent says of the calls that they are about is tried first, and then asks at most: the person's answer to its
// first question confirms it.

/** A call that a rule is about, as an agent writes it: the kind of match follows from what it names. */
const About = z.record(z.string(), z.unknown()).transform((about, c) => {
  const kind =
    'program' in about ? 'command' : 'tool' in about ? 'mcp' : 'pattern' in about ? 'content' : 'path';
  const read = Match.safeParse({ kind, ...about });
  if (read.success) return read.data;
  const [first] = read.error.issues;
  c.addIssue({ code: 'custom', message: `${first?.path.join('.') || kind}: ${first?.message}` });
  return z.NEVER;
});

/** A line of a shell may stand for its call. */
const Call = z.union([
  z
    .string()
    .min(1)
    .max(4_000)
    .transform((command) => ({ tool: 'Bash', input: { command } })),
  Example,
]);

export const ProposedRule = z.strictObject({
  /** the person's words, to the letter */
  words: z.string().trim().min(4).max(1_000),
  /** what they mean, if the words alone do not say it */
  means: z.string().trim().max(1_000).default(''),
  /** the calls that it is about; none: no single call shows whether it is kept */
  about: z.array(About).max(6).default([]),
  unless: GuardRule.shape.unless,
  then: z.enum(['tell', 'ask']),
  breaks: z.array(Call).max(4).default([]),
  keeps: z.array(Call).max(4).default([]),
});
export type ProposedRule = z.infer<typeof ProposedRule>;

/** Where a rule was heard, and by which agent. */
type Heard = { project: string; agent: string; session: string };

/**
 * Keeps a rule that an agent wrote down.
 *
 * @returns what became of it; `id` null and state `refused` with the reason, so that the agent can try once more
 * @throws Problem (400) if there is no such session, (404) if there is no such project
 */
export async function proposeRule(
  services: { db: Database; embedder: Embedder },
  claims: Claims,
  proposed: ProposedRule & Heard,
): Promise<Proposed> {
  const { project, agent, session, words, means, then, ...calls } = redactValue(proposed);
  const evaluator = `agent:${agent}`;
  const rule: GuardRule | null =
    calls.about.length === 0
      ? null
      : {
          when: calls.about,
          ...(calls.unless && { unless: calls.unless }),
          // it wants to stop the call; until it is confirmed, it asks
          then: then === 'ask' ? 'deny' : 'tell',
          breaks: calls.breaks,
          keeps: calls.keeps,
        };
  const checked = await asUser(services.db, claims, async (tx) => {
    const { id: projectId, name } = await projectNamed(tx, project);
    const found = await getSession(tx, session);
    if (found?.project !== name) throw badRequest('session', `you have no session ${session} in ${name}`);
    const about = { projectId, sessionId: found.id };
    return { about, refused: await whyNot(tx, about, words, rule) };
  });
  if (checked.refused !== null) return { id: null, state: 'refused', reason: checked.refused };
  const { about } = checked;
  const candidate = { lesson: words, context: means, confidence: 0.7, keywords: [], appliesTo: [] };
  const evidence = { kind: 'said', words, stands: null, by: evaluator } as const;
  const provenance: Provenance = {
    ...about,
    agentId: agent,
    ...FROM_NO_ERROR,
    evaluator,
    why: means || null,
    cause: 'proposed',
    sameKey: keyOfWords(words),
  };
  const admission = await admitCandidate(
    services,
    claims,
    async () => ({ candidate, evidence, provenance }),
    async (tx, decided) => {
      const judged = { ...about, agentId: agent, event: 'proposal' };
      await keepJudgement(tx, judged, { candidate, evidence, evaluator, admission: decided });
      const lesson = decided.learningId === null ? null : await lessonInForce(tx, decided.learningId);
      if (lesson === null || rule === null) return;
      const said = { sessionId: about.sessionId };
      const { projectId, lineageId } = lesson;
      await putGuard(tx, { projectId, lineageId, rule, source: 'agent', asks: true, said });
    },
  );
  const { decision, reason, learningId } = admission as NonNullable<typeof admission>;
  if (learningId === null) return { id: null, state: decision, reason };
  const until = rule === null ? 'told to nobody until the person approves it' : UNTIL[then];
  return { id: `learning:${learningId.slice(0, 8)}`, state: 'proposed', reason: until };
}

const UNTIL = {
  tell: 'told at the calls that it is about, as proposed by an agent',
  ask: 'the person is asked at the next call that breaks it, and their answer decides',
};

/** Returns why a rule is not kept; null if it is. */
async function whyNot(
  tx: Tx,
  { projectId, sessionId }: { projectId: string; sessionId: string },
  words: string,
  rule: GuardRule | null,
): Promise<string | null> {
  const said = await query<{ prompt: string }>(
    tx,
    sql`select payload ->> 'prompt' as prompt from events
        where session_id = ${sessionId} and event = 'UserPromptSubmit' and payload #>> '{lore,by}' is null
        order by id desc limit 200`,
  );
  if (!said.some(({ prompt }) => plain(prompt ?? '').includes(plain(words))))
    return 'words: no prompt that the person typed in this session has these words; give them to the letter';
  if (rule === null) return null;
  const complete = GuardRule.safeParse(rule);
  if (!complete.success) {
    const [first] = complete.error.issues;
    return `${first?.path.join('.')}: ${first?.message}`;
  }
  const known = guardInRecord(await recordOf(tx, sessionId), rule);
  if (known === null || known.when.length < rule.when.length)
    return 'about: it names what neither the person nor this session has named';
  return (await tryRule(tx, rule, { projectId, said: { sessionId } })).reason;
}

const plain = (text: string): string => text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();

const MAX_EVENTS = 500;
const MAX_LENGTH = 2_000;

/** Returns what was said and done in a session, as one text. */
async function recordOf(tx: Tx, sessionId: string): Promise<string> {
  const [row] = await query<{ text: string | null }>(
    tx,
    sql`select string_agg(part, E'\n') as text from (
          select left(coalesce(payload ->> 'prompt', (payload -> 'tool_input')::text), ${MAX_LENGTH}::int) as part from events
          where session_id = ${sessionId} and event in ('UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure')
            and coalesce(tool_name, '') !~ '^mcp__.*lore'
          order by id desc limit ${MAX_EVENTS}::int) e`,
  );
  return row?.text ?? '';
}
