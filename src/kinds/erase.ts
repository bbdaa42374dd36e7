import { type SQL, sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';
import { eraseOffers } from '../offers/offers.ts';
import { eraseDocuments, indexAgain } from '../search/erase.ts';
import { eraseCitations } from './citations.ts';

// What is known is erased with its rows in the index, what it cites, and what agents were told of it.

/** Erases the rows `t` of a kind that fit, and the other rows of the same statements. */
export async function eraseKind(
  tx: Tx,
  kind: string,
  where: SQL,
): Promise<{ ids: string[]; erased: Erased }> {
  const table = sql.raw(`${kind}s`);
  const rows = await query<{ id: string }>(tx)`select distinct t.id from ${table} t where ${where}`;
  const ids = rows.map(({ id }) => id);
  const erased = {
    [`${kind}s`]: ids.length,
    searchDocuments: await eraseDocuments(tx, kind, ids),
    citations: await eraseCitations(tx, kind, ids),
    offers: await eraseOffers(tx, ids),
  };
  await query(tx)`delete from ${table} where id = any (${sql.param(ids)}::uuid[])`;
  return { ids, erased };
}

/** Erases the notes `t` that fit, and the channels and agents that have no other ones and that nobody described. */
export async function eraseNotes(tx: Tx, where: SQL): Promise<Erased> {
  // the index rows of the notes after them show what was said before (note_context in sql/index)
  const later = await query<{ id: string }>(tx)`
    select distinct n.id from notes n join notes t on ${where}
      and coalesce(t.project_id, t.user_id) = coalesce(n.project_id, n.user_id)
      and n.created_at between t.created_at and t.created_at + interval '1 hour'`;
  const names = await query<{ channel: string; sender: string | null }>(tx)`
    select distinct t.channel, t.sender from notes t where ${where}`;
  const { ids, erased } = await eraseKind(tx, 'note', where);
  const left = later.flatMap(({ id }) => (ids.includes(id) ? [] : id));
  await indexAgain(tx, 'note', left);
  const emptied = async (table: 'channels' | 'agents', used: 'channel' | 'sender') => {
    const gone = sql.param(names.map((name) => name[used]));
    const rows = await query(tx)`
      delete from ${sql.raw(table)} c where c.name = any (${gone}::text[]) and c.description is null
        and not exists (select from notes n where n.${sql.raw(used)} = c.name) returning 1`;
    return rows.length;
  };
  return {
    ...erased,
    channels: await emptied('channels', 'channel'),
    agents: await emptied('agents', 'sender'),
  };
}

/**
 * Erases what is known of a project or from before an instant, and what was learned in the erased sessions. With
 * `keepLearned` it stays, without its references to the sessions; what tools put out, the runs of skills and what a model
 * said about the sessions goes with these.
 */
export async function erase(tx: Tx, erasure: Erasure): Promise<Erased> {
  const { sessions, clientSessions, projectId, before, keepLearned } = erasure;
  const ids = sql`${sql.param(sessions)}::uuid[]`;
  const inSessions = sql`t.session_id = any (${ids})`;
  const inProject = sql`t.project_id = ${projectId}::uuid`;
  const old = (column: string) => sql`${sql.raw(`t.${column}`)} < ${before}::timestamptz`;
  const said = sql`= any (${sql.param(clientSessions)}::text[])`;
  const stated = sql`${inSessions} or ${inProject} or ${old('recorded_at')}`;
  const seen = sql`(t.evidence && ${ids} or ${old('last_used')})`;
  const parts: Erased[] = [];
  if (keepLearned) {
    for (const table of ['facts', 'relations', 'decisions', 'episodes'])
      await query(tx)`update ${sql.raw(table)} t set session_id = null where ${inSessions}`;
    await query(tx)`
      update patterns t set evidence = array(select e from unnest(t.evidence) e where not e = any (${ids}))
      where t.evidence && ${ids}`;
  } else {
    // of a rejected pattern the form stays, so that it stays rejected
    await query(tx)`
      update patterns t set name = 'rejected', triggers = '{}', evidence = '{}',
        template = jsonb_build_object('steps', '[]'::jsonb, 'commonFiles', '[]'::jsonb)
      where t.status = 'rejected' and ${seen}`;
    const fits = {
      fact: stated,
      relation: stated,
      decision: stated,
      finding: sql`${inProject} or ${old('created_at')}`,
      episode: sql`${inSessions} or ${inProject} or ${old('started_at')}`,
      // if other sessions show a pattern, the next night finds it again
      pattern: sql`${inProject} or t.status = 'active' and ${seen} or ${before}::timestamptz = 'infinity'`,
      skill: sql`${inProject} or ${old('valid_from')}`,
    };
    for (const [kind, where] of Object.entries(fits)) {
      const { ids, erased } = await eraseKind(tx, kind, where);
      parts.push(erased);
      if (kind === 'episode') await forgetEpisodes(tx, ids);
    }
    parts.push(await eraseNotes(tx, sql`(${inProject} or ${old('created_at')} or t.conversation ${said})`));
    await query(tx)`delete from citations t where ${inProject} or ${old('cited_at')}`;
    await query(tx)`delete from agents t where ${old('last_active')}`;
    await query(tx)`
      delete from channels t where ${old('created_at')}
        and not exists (select from notes n where n.channel = t.name)`;
  }
  const ofProject = keepLearned ? sql`false` : inProject;
  const ofSessions = async (table: string, time: string) =>
    (
      await query(tx)`
        delete from ${sql.raw(table)} t where ${inSessions} or ${ofProject} or ${old(time)} returning 1`
    ).length;
  // an output that another event produced too stays, without the link to the erased event
  const links = await query<{ id: string }>(tx)`
    delete from observation_sources t where t.session ${said} or ${inProject} or ${old('at')}
    returning t.observation_id as id`;
  const observations = await query(tx)`
    delete from observations o
    where o.id = any (${sql.param([...new Set(links.map(({ id }) => id))])}::text[])
      and not exists (select from observation_sources s where s.observation_id = o.id) returning 1`;
  parts.push({
    audits: await ofSessions('session_audits', 'created_at'),
    skillLogs: await ofSessions('skill_logs', 'at'),
    observations: observations.length,
  });
  const total: Erased = {};
  for (const [name, n] of parts.flatMap((part) => Object.entries(part))) total[name] = (total[name] ?? 0) + n;
  return total;
}

/** Removes erased episodes from the findings that name them. */
async function forgetEpisodes(tx: Tx, episodes: string[]): Promise<void> {
  const gone = sql`any (${sql.param(episodes)}::uuid[])`;
  await query(tx)`update findings set proposed_status = null, proposed_by = null where proposed_by = ${gone}`;
  await query(tx)`update findings set solved_by = null where solved_by = ${gone}`;
}
