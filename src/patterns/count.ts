import { sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { forEachUser } from '../db/system.ts';
import { wasResolved } from '../incidents/incidents.ts';
import type { Log } from '../log.ts';
import { settleOffers, unsettledOffers } from '../offers/offers.ts';
import { type Deed, deedsSince } from '../sessions/calls.ts';
import type { PATTERN_TYPES, Template } from './schema.ts';
import { placeOf, withoutRepeats } from './sequences.ts';
import { globOf } from './templates.ts';

// When a session has ended, its episodes are counted for the patterns that they show, and the patterns that
// it was offered are settled. The next mining counts everything anew.

/** How many episodes of a user are counted at a time, so that the embedded engine is free in between. */
const AT_ONCE = 20;
/** A template was followed if this share of its steps is seen. */
const MOST_STEPS = 0.8;

/** Counts the episodes of all users that wait to be counted. Returns whether there may be more. */
export function countPending(db: Database, log: Log): Promise<boolean> {
  const users = sql`select lore.users_to_count_patterns() as id`;
  return forEachUser(db, users, { log, name: 'count patterns' }, async (userId) => {
    const claims: Claims = { userId, role: 'member' };
    const counted = await asUser(db, claims, countEpisodes);
    const sessions = await asUser(db, claims, (tx) =>
      query<{ session_id: string }>(tx, sql`select * from sessions_offered_patterns(${AT_ONCE}::int)`),
    );
    for (const { session_id: id } of sessions) await asUser(db, claims, (tx) => settlePatterns(tx, id));
    return counted === AT_ONCE || sessions.length === AT_ONCE;
  });
}

type Episode = {
  episode_id: string;
  project_id: string;
  session_id: string | null;
  type: string | null;
  outcome: string | null;
  steps: string[] | null;
  files: string[] | null;
};
type Known = {
  id: string;
  project_id: string;
  type: (typeof PATTERN_TYPES)[number];
  triggers: string[];
  template: Template;
};

/** Counts up to 20 episodes that the patterns have not counted yet. Returns how many there were. */
async function countEpisodes(tx: Tx): Promise<number> {
  const episodes = await query<Episode>(tx, sql`select * from episodes_to_count(${AT_ONCE}::int)`);
  if (episodes.length === 0) return 0;
  const projects = [...new Set(episodes.map((one) => one.project_id))];
  const known = await query<Known>(
    tx,
    sql`select id, project_id, type, triggers, template from patterns
        where project_id = any (${sql.param(projects)}::uuid[]) and type in ('tool_sequence', 'task_template', 'refactor')
          and status = 'active' and valid_until is null
        order by id`,
  );
  for (const { id, ...pattern } of known) {
    const shown = episodes.filter((one) => one.project_id === pattern.project_id && shows(one, pattern));
    if (shown.length === 0) continue;
    const count = (outcome: string) => shown.filter((one) => one.outcome === outcome).length;
    const sessions = [...new Set(shown.map((one) => one.session_id as string))];
    await query(
      tx,
      sql`update patterns p set episodes = p.episodes + ${shown.length}::int,
            sessions = p.sessions + ${sql`cardinality(n.sessions)`},
            successes = p.successes + ${count('success')}::int, failures = p.failures + ${count('error')}::int,
            confidence = pattern_confidence(p.successes + ${count('success')}::int, p.failures + ${count('error')}::int,
              p.helped, p.harmed),
            evidence = (n.sessions || p.evidence)[1:50], updated_at = now()
          from (
            select array(select s from unnest(${sql.param(sessions)}::uuid[]) s where not s = any (e.evidence)) as sessions
            from patterns e where e.id = ${id}::uuid) n
          where p.id = ${id}::uuid`,
    );
  }
  const ids = episodes.map((one) => one.episode_id);
  await query(
    tx,
    sql`update pattern_changes set counted = true where episode_id = any (${sql.param(ids)}::uuid[])`,
  );
  return episodes.length;
}

function shows({ steps, type, files }: Episode, pattern: Omit<Known, 'id'>): boolean {
  const done = withoutRepeats(steps ?? []);
  const { template, triggers } = pattern;
  if (pattern.type === 'tool_sequence') return placeOf(done, template.steps).length > 0;
  const places = (files ?? []).flatMap((file) => [file, globOf(file)]);
  const wanted = template.commonFiles.map((file) => (file.includes('*') ? file : globOf(file)));
  return (
    triggers[0] === type &&
    hasMost(done, template) &&
    (wanted.length === 0 || wanted.some((one) => places.includes(one)))
  );
}

const hasMost = (done: string[], { steps }: Template): boolean =>
  steps.length > 0 && steps.filter((step) => done.includes(step)).length >= MOST_STEPS * steps.length;

/** Whether the wanted steps were done in their order; other steps may come between them. */
function inOrder(done: string[], wanted: string[]): boolean {
  let i = 0;
  for (const step of done) if (step === wanted[i]) i++;
  return wanted.length > 0 && i === wanted.length;
}

type Came = { followed: boolean; passed: boolean | null };

/**
 * Settles the patterns that a session was offered. A pattern helped if its steps were seen afterwards and the
 * work then passed its check. It failed if the work did not pass. If that is not known, its outcome is
 * unknown, and it counts neither way.
 */
async function settlePatterns(tx: Tx, sessionId: string): Promise<void> {
  for (const { sourceId, since } of await unsettledOffers(tx, sessionId, 'pattern')) {
    const [pattern] = await query<{ type: string; template: Template; signature: string | null }>(
      tx,
      sql`select type, template, signature from patterns where id = ${sourceId}::uuid for update`,
    );
    const came = pattern ? await whatCameOf(tx, sessionId, since, pattern) : UNUSED;
    const outcome = outcomeOf(came);
    await settleOffers(tx, sessionId, sourceId, outcome);
    const [helped, harmed] = [outcome === 'helped', outcome === 'failed'];
    const one = (is: boolean) => sql`${is ? 1 : 0}::int`;
    await query(
      tx,
      sql`update patterns p set offered = offered + 1, followed = followed + ${one(came.followed)},
            helped = helped + ${one(helped)}, harmed = harmed + ${one(harmed)},
            confidence = pattern_confidence(successes, failures, helped + ${one(helped)}, harmed + ${one(harmed)}),
            updated_at = now()
          where p.id = ${sourceId}::uuid and exists (
            select from offers o where o.session_id = ${sessionId} and o.source_id = p.id and not o.withheld)`,
    );
  }
}

function outcomeOf({ followed, passed }: Came) {
  if (!followed) return 'unused';
  if (passed === null) return 'unknown';
  return passed ? 'helped' : 'failed';
}

const UNUSED: Came = { followed: false, passed: null };

async function whatCameOf(
  tx: Tx,
  sessionId: string,
  since: string,
  pattern: { type: string; template: Template; signature: string | null },
): Promise<Came> {
  if (pattern.type === 'error_recovery') {
    const deeds = await deedsSince(tx, sessionId, since);
    if (!deeds.some((deed) => follows(deed, pattern.template.steps))) return UNUSED;
    return { followed: true, passed: await wasResolved(tx, sessionId, pattern.signature ?? '', since) };
  }
  const episodes = await query<{ steps: string[]; outcome: string }>(
    tx,
    sql`select * from episodes_since(${sessionId}, ${since}::timestamptz)`,
  );
  const steps = pattern.template.steps;
  const following = episodes.filter((one) => {
    const done = withoutRepeats(one.steps);
    return pattern.type === 'tool_sequence' ? inOrder(done, steps) : hasMost(done, pattern.template);
  });
  const [first] = following;
  if (!first) return UNUSED;
  const known = following.find(({ outcome }) => outcome === 'success' || outcome === 'error');
  return { followed: true, passed: known ? known.outcome === 'success' : null };
}

/** Whether a deed is a command of a recovery; if the recovery only edits files, whether it changed one of them. */
function follows({ command, file }: Deed, steps: string[]): boolean {
  const said = (verb: string) =>
    steps.flatMap((step) => (step.startsWith(`${verb} `) ? [step.slice(verb.length + 1)] : []));
  const commands = said('run').map(oneLine);
  if (commands.length > 0) return command !== null && commands.includes(oneLine(command));
  return file !== null && said('edit').some((wanted) => file === wanted || file.endsWith(`/${wanted}`));
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
