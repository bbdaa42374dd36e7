import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { badRequest, Problem } from '../errors/problem.ts';
import { quote } from '../offers/frame.ts';
import { clip } from '../text/clip.ts';
import { estimateTokens } from '../text/tokens.ts';
import { type SkillKey, skillMemories, type Writer } from './schema.ts';
import { joinSkillFile, splitSkillFile } from './skill-file.ts';

// What is noted about using a skill, as a list of entries, the newest last. Each row is a version of the whole list.

/** Longest entry; a memory with more tokens is compacted, to this many. */
const TOKENS = { entry: 240, memory: 1_000, compacted: 600 };

const ofSkill = ({ name, projectId }: SkillKey): SQL =>
  and(
    eq(skillMemories.skill, name),
    projectId === null ? isNull(skillMemories.projectId) : eq(skillMemories.projectId, projectId),
  ) as SQL;

const columns = {
  version: skillMemories.version,
  text: skillMemories.text,
  compacted: skillMemories.compacted,
  evaluatedBy: skillMemories.evaluatedBy,
  validFrom: skillMemories.validFrom,
  validUntil: skillMemories.validUntil,
};

/** Returns a version of a skill's memory: by its number, as it was at an instant, or as it is. Version 0 is empty. */
export async function getMemory(tx: Tx, key: SkillKey, which: { version?: number; asOf?: Date } = {}) {
  const { version, asOf } = which;
  const { validFrom, validUntil } = skillMemories;
  const held =
    asOf === undefined
      ? isNull(validUntil)
      : sql`tstzrange(${validFrom}, ${validUntil}) @> ${asOf.toISOString()}::timestamptz`;
  const [found] = await tx
    .select({ ...columns, sourceSubagent: skillMemories.sourceSubagent })
    .from(skillMemories)
    .where(and(ofSkill(key), version === undefined ? held : eq(skillMemories.version, version)))
    .limit(1);
  if (found) return { ...found, tokens: estimateTokens(found.text) };
  if (version !== undefined) {
    const detail = `The memory of ${key.name} has no version ${version}.`;
    throw new Problem({ status: 404, title: 'No such version', detail });
  }
  const nobody = { evaluatedBy: null, sourceSubagent: null, validFrom: null, validUntil: null };
  return { version: 0, text: '', compacted: false, tokens: 0, ...nobody };
}

/** Returns the versions of a skill's memory, the newest first, without their texts. */
export async function memoryHistory(tx: Tx, key: SkillKey, limit: number) {
  const rows = await tx
    .select({ ...columns, added: skillMemories.added })
    .from(skillMemories)
    .where(ofSkill(key))
    .orderBy(desc(skillMemories.version))
    .limit(limit);
  return rows.map(({ text, ...row }) => ({ ...row, tokens: estimateTokens(text) }));
}

/**
 * Stores a new version of a skill's memory, with one more entry or with another text, unless the text stays
 * the same. If the version is too long, a compacted one follows at once; the long one can still be read by
 * its number.
 *
 * The caller holds the lock of the skill (`lockSkill`). An entry is made one harmless line: agents append, and a synced
 * SKILL.md is read as instructions.
 *
 * @param base the version that the change is based on; undefined: any version
 * @throws Problem (400) for a text that would not stay in its section, (409) if the version is not `base`
 */
export async function writeMemory(
  tx: Tx,
  key: SkillKey,
  change: { text: string } | { entry: string },
  writer: Writer,
  base?: number,
): Promise<void> {
  const [before] = await tx
    .select({ version: skillMemories.version, text: skillMemories.text })
    .from(skillMemories)
    .where(ofSkill(key))
    .orderBy(desc(skillMemories.version))
    .limit(1);
  const { version, text: old } = before ?? { version: 0, text: '' };
  if (base !== undefined && base !== version) {
    const detail = `The memory of ${key.name} is not as you knew it: its version is ${version}. Read it again.`;
    throw new Problem({ status: 409, title: 'Memory has changed', detail });
  }
  const entry = 'entry' in change ? quote(change.entry, TOKENS.entry) : null;
  const text = 'text' in change ? change.text.trim() : `${old}\n- ${entry}`.trim();
  if (entry === '' || text === old) return;
  if (!staysInSection(text))
    throw badRequest(
      'text',
      'a heading of level 1 or 2, or an open code block, would end the section: use ### headings',
    );
  const short = estimateTokens(text) > TOKENS.memory ? [compactMemory(text)] : [];
  for (const [i, one] of [text, ...short].entries()) {
    const [now] = await query<{ now: string }>(
      tx,
      sql`select greatest(clock_timestamp(), max(m.valid_from) + interval '1 microsecond', max(m.valid_until))::text as now
          from skill_memories m
          where m.skill = ${key.name} and m.project_id is not distinct from ${key.projectId}::uuid`,
    );
    const at = sql`${now?.now}::timestamptz` as unknown as Date;
    await tx
      .update(skillMemories)
      .set({ validUntil: at })
      .where(and(ofSkill(key), isNull(skillMemories.validUntil)));
    await tx.insert(skillMemories).values({
      skill: key.name,
      projectId: key.projectId,
      version: version + 1 + i,
      text: one,
      added: i === 0 ? entry : null,
      compacted: i > 0,
      evaluatedBy: writer.evaluatedBy,
      sourceSessionId: writer.sessionId,
      sourceSubagent: writer.agent ?? null,
      validFrom: at,
    });
  }
}

/** Returns whether a text, put into a SKILL.md as its memory, is read from it again as it is. */
function staysInSection(text: string): boolean {
  if (text === '') return true;
  const file = `${joinSkillFile({ frontMatter: '', content: '', memoryPlace: null, memory: text })}\n## End\n`;
  return splitSkillFile(file).memory === text && splitSkillFile(file).content === '## End\n';
}

/** An entry is a line with what is indented under it. */
const entriesOf = (memory: string): string[] =>
  memory.split(/\r?\n(?=\S)/).filter((entry) => entry.trim() !== '');

/** What makes two entries the same: their words. */
const keyOf = (entry: string): string =>
  entry
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Returns the newest entries of a memory that are short enough together; of those that say the same, the newest. */
export function compactMemory(memory: string): string {
  const kept: string[] = [];
  const said = new Set<string>();
  for (const entry of entriesOf(memory).reverse()) {
    if (said.has(keyOf(entry))) continue;
    if (estimateTokens([entry, ...kept].join('\n')) > TOKENS.compacted) break;
    said.add(keyOf(entry));
    kept.unshift(entry);
  }
  // one entry alone is too long
  return kept.length > 0 ? kept.join('\n') : clip(entriesOf(memory).at(-1) ?? '', TOKENS.compacted);
}

/** Returns a memory without an entry that was added. */
export const withoutEntry = (memory: string, added: string): string =>
  entriesOf(memory)
    .filter((entry) => keyOf(entry) !== keyOf(added))
    .join('\n');
