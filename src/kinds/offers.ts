import { type SQL, sql } from 'drizzle-orm';
import { shorten } from '../base/text/clip.ts';
import { query, type Tx } from '../db/open.ts';
import { DECISION_TOKENS } from '../offers/budget.ts';
import { dayOf, fitting, type Offer, quote } from '../offers/frame.ts';
import { wasOfferedToAgent } from '../offers/offers.ts';
import { type FoundForPrompt, MIN_CONFIDENCE } from '../offers/recall/recall.ts';
import type { Level } from '../offers/voice.ts';
import { mentions } from './notes.ts';
import { SEVERITIES, TIERS } from './schema.ts';

// Which notes, decisions, findings, earlier work, skills and recoveries an agent is told, and in which words.

/** Most of a kind with one answer: usually, and if all are wanted. Those with a start, and those with a prompt. */
const AT_START = { few: 1, all: 3 };
const AT_PROMPT = { few: 1, all: 2 };
/** What `sure` of a finding must be to be told with a prompt: it shares words with it; if all are wanted, its subject. */
const SURE = { few: 0.46, all: 0.36 };
const MAX_NOTES = 2;
/** An older mention is not told at a start, but a search finds it. */
const MAX_AGE_DAYS = 90;

const cite = (id: string) => `lore:${id.slice(0, 8)}`;

/**
 * Returns the notes of a project, or of none, that mention an agent and were never offered to an agent of this name, the
 * newest first. An agent's own notes are not told to it.
 */
export async function notesForAgent(
  tx: Tx,
  { projectId, agent }: { projectId: string; agent: string },
): Promise<Offer[]> {
  if (agent === '') return [];
  type Row = { id: string; sender: string | null; channel: string; content: string; ageDays: number };
  const rows = await query<Row>(tx)`
    select n.id, n.sender, n.channel, left(n.content, 2000) as content,
      extract(epoch from now() - n.created_at)::float8 / 86400 as "ageDays"
    from notes n
    where n.user_id = auth.uid() and (n.project_id = ${projectId} or n.project_id is null)
      and n.valid_until is null and n.created_at >= now() - make_interval(days => ${MAX_AGE_DAYS})
      and ${mentions(sql`n.mentions`, agent)}
      and lower(n.sender) is distinct from lower(${agent}) and not ${wasOfferedToAgent(sql`n.id`, agent)}
    order by n.created_at desc, n.seq desc limit ${MAX_NOTES}`;
  return rows.map(({ id, sender, channel, content, ageDays }) => {
    const said = quote(content, 60);
    const whole = said.endsWith('…') ? `, all of it: lore notes show ${id.slice(0, 8)}` : '';
    const from = `${quote(sender ?? 'nobody named', 20)} in ${quote(channel, 20)}, ${dayOf(ageDays)}`;
    return {
      kind: 'note',
      sourceId: id,
      relevance: null,
      lines: [`Note from ${from}: ${said} (${cite(id)}${whole})`],
    };
  });
}

/**
 * Returns the decisions that hold in a project, as many as fit: a person's first, then those that were said most often. All
 * are told, because only the agent can see whether a prompt meets a condition. Their vectors do not tell
 * (`npm run eval:offers`).
 *
 * @param offered decisions that the agent already has in its context; they take room and are not returned
 */
export async function decisionsInForce(
  tx: Tx,
  projectId: string,
  offered: string[],
  level: Level,
): Promise<Offer[]> {
  if (level === 'none') return [];
  const rows = await query<{ id: string; text: string }>(tx)`
    select d.id, concat('When ', d.condition, ': ', d.action) as text from decisions d
    where d.user_id = auth.uid() and (d.project_id = ${projectId} or d.project_id is null)
      and d.recorded_until is null and d.valid_from <= now() and (d.valid_until is null or d.valid_until > now())
      and d.confidence >= ${MIN_CONFIDENCE}
    order by array_position(${sql.param([...TIERS])}::text[], d.tier), d.confirmations desc, d.valid_from desc, d.id
    limit 50`;
  const offers = rows.map(({ id, text }): Offer => {
    const lines = [`${quote(text, DECISION_TOKENS.one)} (${cite(id)})`];
    return { kind: 'decision', sourceId: id, relevance: null, lines };
  });
  return fitting(offers, DECISION_TOKENS[level]).filter(
    ({ sourceId }) => !offered.includes(sourceId as string),
  );
}

type Finding = Record<'id' | 'title' | 'severity' | 'status', string> &
  Record<'file' | 'maybe' | 'by' | 'resembles' | 'solved', string | null> & {
    line: number | null;
    named: boolean;
  };

const rank = (severity: SQL) => sql`array_position(${sql.param([...SEVERITIES])}::text[], ${severity})`;

/** Returns open findings of the caller in an order. */
const openFindings = (tx: Tx, named: SQL, where: SQL, order: SQL, most: number): Promise<Finding[]> =>
  query<Finding>(tx)`
    select f.id, f.title, f.severity, f.status, f.file, f.line, f.proposed_status as maybe, f.proposed_by as by,
      ${named} as named, f.resembles, (
        select coalesce(r.resolution, r.title) from findings r
        where r.user_id = f.user_id and r.id = f.resembles and r.status = 'resolved') as solved
    from findings f where f.user_id = auth.uid() and f.status in ('open', 'in_progress') and ${where}
    order by ${order}, f.created_at desc limit ${most}`;

/**
 * Returns the open findings that a session of a project should know at its start, the severest first: usually one that
 * is severe.
 *
 * @param offered findings that the agent already has in its context
 */
export async function findingsForStart(
  tx: Tx,
  projectId: string,
  offered: string[],
  level: Level,
): Promise<Offer[]> {
  if (level === 'none') return [];
  const severity = rank(sql`f.severity`);
  const where = sql`f.project_id = ${projectId} and not f.id = any (${sql.param(offered)}::uuid[])
    and (${level === 'all'} or ${severity} <= ${rank(sql`'high'`)})`;
  return (await openFindings(tx, sql`false`, where, severity, AT_START[level])).map((row) =>
    offerFinding(row, null),
  );
}

/**
 * Returns the open findings that a prompt is about: those in a file that it names, then those among its search results
 * that answer it.
 *
 * @param found what the prompt's search found, without what the agent has already
 * @param about.offered findings that the agent already has in its context
 */
export async function findingsForPrompt(
  tx: Tx,
  found: FoundForPrompt[],
  about: { projectId: string; prompt: string; offered: string[]; level: Level },
): Promise<Offer[]> {
  const { projectId, prompt, offered, level } = about;
  if (level === 'none') return [];
  const near = found.filter(({ kind, sure }) => kind === 'finding' && sure >= SURE[level]);
  const files = [...prompt.matchAll(/[\w@./\\[\]-]*\w\.[a-z]\w{0,7}\b/gi)].map(([path]) =>
    path.replace(/^(?:@|\.\/)+/, ''),
  );
  if (near.length === 0 && files.length === 0) return [];
  const ids = idsOf(near);
  const named = sql`coalesce(exists (select from unnest(${sql.param(files.slice(0, 20))}::text[]) n(name)
    where f.file = n.name or f.file like '%/' || n.name or n.name like '%/' || f.file), false)`;
  const rows = await openFindings(
    tx,
    named,
    sql`not f.id = any (${sql.param(offered)}::uuid[])
      and (f.id = any (${ids}) or f.project_id = ${projectId} and ${named})`,
    sql`${named} desc, ${rank(sql`f.severity`)}, array_position(${ids}, f.id)`,
    AT_PROMPT[level],
  );
  return rows.map((row) => offerFinding(row, row.named ? 'high' : 'medium'));
}

function offerFinding(row: Finding, relevance: 'high' | 'medium' | null): Offer {
  const { id, severity, status, title, file, line, maybe, by, resembles, solved } = row;
  const place = file === null ? '' : ` ${quote(file, 40)}${line === null ? '' : `:${line}`}`;
  const state = status === 'in_progress' ? ', in progress' : '';
  const proposed = maybe && by ? `, maybe ${maybe.replace('_', ' ')} by ${cite(by)}` : '';
  const text = `[finding, ${severity}${state}] ${quote(title, 50)}${place}${proposed}`;
  const before = resembles && solved ? `, solved before: ${quote(solved, 30)} (${cite(resembles)})` : '';
  const fewerLines = [`${text} (${cite(id)})`];
  return { kind: 'finding', sourceId: id, relevance, lines: [`${text}${before} (${cite(id)})`], fewerLines };
}

const idsOf = (found: FoundForPrompt[]): SQL => sql`${sql.param(found.map(({ id }) => id))}::uuid[]`;

/** An episode is told for a prompt if cosine + 0.2 × words is at least this. */
const LEAST_LIKE = 0.65;
const WORKED = { success: 'worked', error: 'failed', stopped: 'stopped by Lore' };

/**
 * Returns the episode of another session among a prompt's search results that is most like the work that the prompt asks
 * for, if it changed files and its end is known. `lore episodes show` shows all of it.
 *
 * @param found what the prompt's search found, without what the agent has already
 */
export async function episodesForPrompt(
  tx: Tx,
  session: { id: string; projectId: string },
  found: FoundForPrompt[],
  level: Level,
): Promise<Offer[]> {
  const near = found.filter(({ kind, sure }) => kind === 'episode' && sure >= LEAST_LIKE);
  if (level === 'none' || near.length === 0) return [];
  type Row = Record<'id' | 'description', string> & {
    outcome: keyof typeof WORKED;
    error: string | null;
    files: string[];
    age: number;
  };
  const rows = await query<Row>(tx)`
    select e.id, e.description, e.outcome, e.error, e.files_modified[1:4] as files,
      extract(epoch from now() - coalesce(e.ended_at, e.started_at))::float8 / 86400 as age
    from episodes e
    where e.user_id = auth.uid() and e.project_id = ${session.projectId}
      and e.session_id is distinct from ${session.id} and cardinality(e.files_modified) > 0
      and e.id = any (${idsOf(near)}) and e.outcome <> 'unknown'
    order by array_position(${idsOf(near)}, e.id) limit 1`;
  return rows.map(({ id, description, outcome, error, files, age }) => {
    const task = `Earlier work, ${WORKED[outcome]}, ${dayOf(age)}: “${quote(description, 25)}”`;
    const ended = error === null ? '' : `; ended with: ${quote(error, 40)}`;
    const text = `${task}; changed ${quote(files.join(', '), 30)}${ended} (${cite(id)})`;
    return { kind: 'episode', sourceId: id, relevance: 'high', lines: [text] };
  });
}

// Calibrated by `npm run eval:skills` (docs/skills.md). Words do not count: a prompt shares its words with many skills
// ("build", "release", "tests"), and the similarity alone tells apart better.
const LEAST_SIMILAR = 0.48;

/**
 * Returns the skill that fits a prompt best: its name, what it is for, and how to get the rest. Returns none if it is not
 * sure enough, or if the client already lists it: the next best would be a guess.
 */
export async function offerSkill(
  tx: Tx,
  session: { projectId: string; skills: string[] },
  found: FoundForPrompt[],
  level: Level,
): Promise<Offer[]> {
  const similar = found.filter(
    ({ kind, similarity }) => kind === 'skill' && (similarity ?? 0) >= LEAST_SIMILAR,
  );
  if (level === 'none' || similar.length === 0) return [];
  const near = idsOf(similar.sort((a, b) => (b.similarity ?? 0) - (a.similarity ?? 0)));
  const rows = await query<{ id: string; name: string; description: string }>(tx)`
    select s.id, s.name, s.description from skills s
    where s.id = any (${near})
      and (s.project_id is not null or not exists (
        select from skills own
        where own.name = s.name and own.project_id = ${session.projectId} and own.valid_until is null))
    order by array_position(${near}, s.id) limit 1`;
  return rows.flatMap(({ id, name, description }) => {
    if (session.skills.includes(name)) return [];
    // it is only meant to recognise the skill
    const about = `Skill ${name}: ${shorten(description, 200)}`;
    const lines = [`${about} (its text: lore skills activate ${name})`];
    return { kind: 'skill', sourceId: id, relevance: 'high', lines };
  });
}

/**
 * Returns the commands that solved an error of this signature in two sessions or more, unless they failed as often. Told
 * in one line, only at this very error. Nothing else that is counted is told unasked.
 *
 * @param offered what the agent has in its context
 */
export async function recoveryFor(
  tx: Tx,
  projectId: string,
  signature: string,
  offered: string[],
): Promise<Offer[]> {
  const rows = await query<{ id: string; steps: string[]; successes: number; failures: number }>(tx)`
    select p.id, p.template -> 'steps' as steps, p.successes, p.failures from patterns p
    where p.user_id = auth.uid() and p.project_id = ${projectId} and p.signature = ${signature}
      and p.type = 'error_recovery' and p.status = 'active' and p.valid_until is null
      and p.successes > p.failures and not p.id = any (${sql.param(offered)}::uuid[])
    order by p.successes - p.failures desc, p.id limit 1`;
  return rows.map(({ id, steps, successes, failures }) => {
    const run = quote(steps.map((step) => `\`${step}\``).join(', '), 130);
    const line = `[this error before] ${run}, worked ${successes} of ${successes + failures} times (${cite(id)})`;
    return { kind: 'pattern', sourceId: id, relevance: 'high', lines: [line], fewerLines: [line] };
  });
}
