import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { quote } from '../offers/frame.ts';
import { estimateTokens } from '../text/tokens.ts';
import { compactMemory, isTooLong, withEntry } from './memory.ts';
import { type SkillKey, skillMemories, type Writer } from './schema.ts';
import { joinSkillFile, splitSkillFile } from './skill-file.ts';

/** Longest entry that may be appended, in tokens. */
const MAX_ENTRY_TOKENS = 240;

const ofSkill = ({ name, projectId }: SkillKey): SQL =>
  and(
    eq(skillMemories.skill, name),
    projectId === null ? isNull(skillMemories.projectId) : eq(skillMemories.projectId, projectId),
  ) as SQL;

/** Returns a version of a skill's memory: by its number, as it was at an instant, or as it is. Version 0 is empty. */
export async function getMemory(tx: Tx, key: SkillKey, which: { version?: number; asOf?: Date } = {}) {
  const { version, asOf } = which;
  const [found] = await tx
    .select({
      version: skillMemories.version,
      text: skillMemories.text,
      compacted: skillMemories.compacted,
      evaluatedBy: skillMemories.evaluatedBy,
      sourceSubagent: skillMemories.sourceSubagent,
      validFrom: skillMemories.validFrom,
      validUntil: skillMemories.validUntil,
    })
    .from(skillMemories)
    .where(
      and(
        ofSkill(key),
        version === undefined
          ? asOf === undefined
            ? isNull(skillMemories.validUntil)
            : sql`tstzrange(${skillMemories.validFrom}, ${skillMemories.validUntil}) @> ${asOf.toISOString()}::timestamptz`
          : eq(skillMemories.version, version),
      ),
    )
    .limit(1);
  if (found) return { ...found, tokens: estimateTokens(found.text) };
  if (version !== undefined) {
    throw new Problem({
      status: 404,
      title: 'No such version',
      detail: `The memory of ${key.name} has no version ${version}.`,
    });
  }
  return {
    version: 0,
    text: '',
    compacted: false,
    evaluatedBy: null,
    sourceSubagent: null,
    validFrom: null,
    validUntil: null,
    tokens: 0,
  };
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
 * @returns whether anything changed
 * @throws Problem (400) for a text that would not stay in its section, (409) if the version is not `base`
 */
export async function writeMemory(
  tx: Tx,
  key: SkillKey,
  change: { text: string } | { entry: string },
  writer: Writer,
  base?: number,
): Promise<boolean> {
  const [before] = await tx
    .select({ version: skillMemories.version, text: skillMemories.text, validFrom: skillMemories.validFrom })
    .from(skillMemories)
    .where(ofSkill(key))
    .orderBy(desc(skillMemories.version))
    .limit(1);
  const version = before?.version ?? 0;
  if (base !== undefined && base !== version) {
    throw new Problem({
      status: 409,
      title: 'Memory has changed',
      detail: `The memory of ${key.name} is not as you knew it: its version is ${version}. Read it again.`,
    });
  }
  const entry = 'entry' in change ? quote(change.entry, MAX_ENTRY_TOKENS) : null;
  const old = before?.text ?? '';
  const text = entry === null ? (change as { text: string }).text.trim() : withEntry(old, entry);
  if (entry === '' || text === old) return false;
  if (!staysInSection(text)) {
    const message =
      'a heading of level 1 or 2, or an open code block, would end the section: use ### headings';
    const errors = [{ field: 'text', message }];
    throw new Problem({ status: 400, title: 'Bad request', detail: `text: ${message}`, errors });
  }
  const texts = isTooLong(text) ? [text, compactMemory(text)] : [text];
  for (const [i, one] of texts.entries()) {
    await insertVersion(tx, key, {
      version: version + 1 + i,
      text: one,
      added: i === 0 ? entry : null,
      compacted: i > 0,
      writer,
    });
  }
  return true;
}

async function insertVersion(
  tx: Tx,
  key: SkillKey,
  row: { version: number; text: string; added: string | null; compacted: boolean; writer: Writer },
): Promise<void> {
  const { writer, ...values } = row;
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
    ...values,
    evaluatedBy: writer.evaluatedBy,
    sourceSessionId: writer.sessionId,
    sourceSubagent: writer.agent ?? null,
    validFrom: at,
  });
}

/** Returns whether a text, put into a SKILL.md as its memory, is read from it again as it is. */
function staysInSection(text: string): boolean {
  if (text === '') return true;
  const file = `${joinSkillFile({ frontMatter: '', content: '', memoryPlace: null, memory: text })}\n## End\n`;
  return splitSkillFile(file).memory === text && splitSkillFile(file).content === '## End\n';
}
