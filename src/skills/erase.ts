import { type SQL, sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';
import { eraseOffers } from '../offers/offers.ts';
import { eraseDocuments } from '../search/erase.ts';
import { withoutEntry } from './memory.ts';
import type { SkillKey } from './schema.ts';

const ids = (values: string[]) => sql`${sql.param(values)}::uuid[]`;

/**
 * Erases logs, and the versions of skills and of their memory that were made in the erased sessions or time.
 * Entries that an erased session added are also removed from the later versions of that memory. With
 * `keepLearned` skills and their memory stay, without their references to the sessions.
 */
export async function erase(tx: Tx, erasure: Erasure): Promise<Erased> {
  const { sessions, projectId, before, keepLearned } = erasure;
  const logs = await query(
    tx,
    sql`delete from skill_logs where session_id = any (${ids(sessions)}) or at < ${before}::timestamptz
          or project_id = ${keepLearned ? null : projectId}::uuid
        returning 1`,
  );
  const made = sql`source_session_id = any (${ids(sessions)})`;
  if (keepLearned) {
    for (const table of ['skills', 'skill_memories']) {
      await query(tx, sql`update ${sql.raw(table)} set source_session_id = null where ${made}`);
    }
    return { skills: 0, skillMemories: 0, skillLogs: logs.length, searchDocuments: 0, offers: 0 };
  }
  const fits = sql`(${made} or project_id = ${projectId}::uuid or valid_from < ${before}::timestamptz)`;
  const memories = await eraseMemories(tx, fits);
  const skills = await eraseVersions(tx, fits);
  return { ...skills, skillMemories: memories, skillLogs: logs.length };
}

/** Erases a skill for good: every version of it and of its memory, and its logs. Returns the numbers. */
export async function eraseSkill(tx: Tx, { name, projectId }: SkillKey): Promise<Erased> {
  const own = sql`project_id is not distinct from ${projectId}::uuid`;
  const logs = await query(
    tx,
    sql`delete from skill_logs l where l.skill = ${name} and (${own}
          or ${projectId === null} and not exists (
            select from skills s where s.name = ${name} and s.project_id = l.project_id))
        returning 1`,
  );
  const memories = await query(
    tx,
    sql`delete from skill_memories where skill = ${name} and ${own} returning 1`,
  );
  const erased = await eraseVersions(tx, sql`(name = ${name} and ${own})`);
  return { ...erased, skillMemories: memories.length, skillLogs: logs.length };
}

async function eraseVersions(tx: Tx, fits: SQL): Promise<Erased> {
  const rows = await query<{ id: string }>(tx, sql`select id from skills where ${fits}`);
  const lost = rows.map(({ id }) => id);
  const offers = await eraseOffers(tx, lost);
  const searchDocuments = await eraseDocuments(tx, 'skill', lost);
  await query(tx, sql`delete from skills where id = any (${ids(lost)})`);
  return { skills: lost.length, searchDocuments, offers };
}

/**
 * Deletes versions of memories, and removes the entries that they added from the remaining versions. The last
 * remaining version is in force again.
 */
async function eraseMemories(tx: Tx, fits: SQL): Promise<number> {
  type Gone = { skill: string; scope: string; added: string | null };
  const gone = await query<Gone>(
    tx,
    sql`delete from skill_memories where ${fits} returning skill, scope, added`,
  );
  const left = await query<Omit<Gone, 'added'> & { id: string; text: string }>(
    tx,
    sql`select m.id, m.skill, m.scope, m.text from skill_memories m
        where exists (
          select from jsonb_to_recordset(${JSON.stringify(gone)}::jsonb) g (skill text, scope uuid)
          where g.skill = m.skill and g.scope = m.scope)`,
  );
  for (const { id, skill, scope, text } of left) {
    const added = gone.flatMap((one) =>
      one.skill === skill && one.scope === scope ? (one.added ?? []) : [],
    );
    const without = added.reduce(withoutEntry, text);
    if (without === text) continue;
    await query(tx, sql`update skill_memories set text = ${without} where id = ${id}::uuid`);
  }
  await query(
    tx,
    sql`update skill_memories m set valid_until = null
        where m.id = any (${ids(left.map(({ id }) => id))}) and not exists (
          select from skill_memories later
          where later.skill = m.skill and later.scope = m.scope and later.version > m.version)`,
  );
  return gone.length;
}
