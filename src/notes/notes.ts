import { createHash, randomUUID } from 'node:crypto';
import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { indexable } from '../db/columns.ts';
import { query, type Tx } from '../db/open.ts';
import { insertRecords } from '../db/records.ts';
import { badRequest } from '../errors/problem.ts';
import { addCitations } from '../freshness/citations.ts';
import { referencesOf } from '../freshness/references.ts';
import type { Writer } from '../http/key-scope.ts';
import { recordRef } from '../records/by-id.ts';
import { redactText, redactValue, WHOLE } from '../redaction/redact.ts';
import { ensureProjects, projectNamed, projectNameOf } from '../sessions/projects.ts';
import { clip } from '../text/clip.ts';
import { type ChannelFilter, isChannel } from './channels.ts';
import { mentionsIn } from './mentions.ts';
import { NOTE_ROWS, type NoteRecord } from './record.ts';
import { channels, type messageTypes, type NoteMetadata, notes, TYPE_OF_CHANNEL } from './schema.ts';
import type { NewNote } from './shapes.ts';

// Notes. Triggers close a note that was replaced, and list channels and agents: sql/notes.

/** A note ready to be stored; only its project's id is missing. `createdAt` null means now. */
export type PreparedNote = Omit<NoteRecord, 'type' | 'createdAt' | 'validUntil'> & {
  createdAt: string | null;
};

/**
 * Redacts a note and fills in the defaults for missing fields. Call it before a transaction is opened, because it is
 * slow for long texts.
 */
export function prepareNote(note: z.output<typeof NewNote>, writtenBy: Writer): PreparedNote {
  const { key, supersedes, createdAt, ...texts } = note;
  const clean = redactValue(texts, WHOLE);
  const { project = null, agent, senderProject = null, content, confidence, metadata } = clean;
  const own = `agent-notes:${agent ?? 'unknown'}`;
  const channel = indexable(clean.channel ?? (project === null ? own : `${own}:${project}`));
  return {
    ...{ id: randomUUID(), project, channel, senderProject, writtenBy, content, confidence, metadata },
    sender: agent === undefined ? null : indexable(agent),
    mentions: [...new Set([...clean.mentions, ...mentionsIn(content)])],
    messageType: clean.messageType ?? TYPE_OF_CHANNEL[channel] ?? 'reflection',
    conversation: clean.conversation ?? conversationOf(metadata),
    key: key === undefined ? null : storableKey(key),
    supersedes: supersedes?.toLowerCase() ?? null,
    createdAt: createdAt?.toISOString() ?? null,
  };
}

/**
 * Returns a key in the form in which it is stored: unchanged if it fits an index, or its hash if it contains a secret.
 * Redaction would make different keys equal.
 */
export const storableKey = (key: string): string =>
  redactText(key) === key ? indexable(key) : `sha256:${createHash('sha256').update(key).digest('hex')}`;

const CONVERSATION_NAMES = [
  ...['conversation', 'conversation_id', 'conversationId'],
  ...['session', 'session_id', 'sessionId', 'thread'],
];

function conversationOf(metadata: NoteMetadata): string | null {
  const named = CONVERSATION_NAMES.map((name) => metadata[name]);
  const said = named.find(
    (value) => ['string', 'number'].includes(typeof value) && String(value).trim() !== '',
  );
  return said === undefined ? null : clip(String(said).trim(), 300);
}

/**
 * Stores notes in the given order, all or none. Returns one result per note: if its key is known already, this is the
 * id of the note stored under that key, with `created: false`.
 *
 * @param single the request held one note, not a list: errors name the field without the note's index
 * @throws Problem (400) naming the first note whose `supersedes` is not a note of the caller
 */
export async function addNotes(
  tx: Tx,
  prepared: PreparedNote[],
  single: boolean,
): Promise<{ id: string; key: string | null; created: boolean }[]> {
  const keys = new Set((await idsOfKeys(tx, prepared)).keys());
  const fresh = prepared.filter(({ key }) => {
    if (key !== null && keys.has(key)) return false;
    if (key !== null) keys.add(key);
    return true;
  });
  const wanted = fresh.flatMap(({ supersedes }) => supersedes ?? []);
  const mine = new Set(
    (
      await query<{ id: string }>(
        tx,
        sql`select id from notes where id in (select t::uuid from (${texts(wanted)}) s(t))`,
      )
    ).map(({ id }) => id),
  );
  const wrong = fresh.find(({ supersedes }) => supersedes !== null && !mine.has(supersedes));
  if (wrong !== undefined) {
    const field = single ? 'supersedes' : `${prepared.indexOf(wrong)}.supersedes`;
    throw badRequest(field, `you have no note ${wrong.supersedes}`);
  }
  const created = new Set(await insertNotes(tx, fresh, { isNew: true }));
  const ids = created.size === prepared.length ? new Map() : await idsOfKeys(tx, prepared);
  return prepared.map(({ id, key }) => ({
    id: created.has(id) ? id : ids.get(key),
    key,
    created: created.has(id),
  }));
}

/** Returns the ids of the caller's notes with the keys of these. */
export async function idsOfKeys(tx: Tx, given: { key: string | null }[]): Promise<Map<string, string>> {
  const keys = given.flatMap(({ key }) => key ?? []);
  if (keys.length === 0) return new Map();
  const rows = await query<{ id: string; key: string }>(
    tx,
    sql`select id, dedup_key as key from notes where dedup_key in (${texts(keys)})`,
  );
  return new Map(rows.map((row) => [row.key, row.id]));
}

/** Passes a list of any length as one parameter, so that the statement's text stays the same and stays prepared. */
const texts = (values: string[]): SQL =>
  sql`select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb)`;

/**
 * Inserts notes in one statement and in their order, so that `seq` follows it, and creates their projects. Returns the
 * ids of those that were inserted: a note is left out if another has the same key or the same id.
 *
 * @param options.isNew they are not restored: their projects are found as people name them, and their citations are
 *   stored, so that baselines are taken of the present state
 */
export async function insertNotes(
  tx: Tx,
  rows: PreparedNote[],
  options: { isNew?: boolean } = {},
): Promise<string[]> {
  if (rows.length === 0) return [];
  const projects = await ensureProjects(tx, rows, options.isNew ? projectNamed : undefined);
  const ids = await insertRecords(tx, NOTE_ROWS, rows, projects);
  if (!options.isNew) return ids;
  const inserted = new Set(ids);
  const citing = rows
    .filter(({ id }) => inserted.has(id))
    .map(({ id, project, metadata }) => ({
      id,
      projectId: project === null ? null : (projects.get(project) ?? null),
      refs: referencesOf(metadata),
    }));
  await addCitations(tx, 'note', citing);
  return ids;
}

const select = (tx: Tx) =>
  tx
    .select({
      id: notes.id,
      project: sql<string | null>`${projectNameOf(notes.projectId)}`,
      channel: notes.channel,
      sender: notes.sender,
      senderProject: notes.senderProject,
      writtenBy: notes.writtenBy,
      content: notes.content,
      confidence: notes.confidence,
      mentions: notes.mentions,
      messageType: notes.messageType,
      conversation: notes.conversation,
      key: notes.dedupKey,
      supersedes: notes.supersedes,
      metadata: notes.metadata,
      createdAt: notes.createdAt,
      validUntil: notes.validUntil,
    })
    .from(notes);

/** Adds the fields that are computed from the others. */
function derive(note: Awaited<ReturnType<typeof select>>[number]) {
  const words = note.content.trim();
  const lists = Object.values(note.metadata.breadcrumbs ?? {});
  return {
    ...note,
    wordCount: words === '' ? 0 : words.split(/\s+/).length,
    hasBreadcrumbs: lists.some((list) => Array.isArray(list) && list.length > 0),
    ageDays: Math.max(0, (Date.now() - note.createdAt.getTime()) / 86_400_000),
  };
}

type Note = ReturnType<typeof derive>;

/**
 * Returns notes, the newest first, replaced ones included.
 *
 * @param filter.channels only notes in channels of this type, or of this agent
 * @param filter.mention a name that it mentions, in upper or lower case
 * @param filter.before the id of a note: only the notes after it in this list are returned, which are older
 * @throws Problem (400) when `before` is not a note of the caller
 */
export async function listNotes(
  tx: Tx,
  filter: {
    projectId?: string | undefined;
    channel?: string | undefined;
    channels?: ChannelFilter | undefined;
    agent?: string | undefined;
    messageType?: (typeof messageTypes)[number] | undefined;
    mention?: string | undefined;
    maxAgeDays?: number | undefined;
    before?: string | undefined;
    limit: number;
  },
): Promise<Note[]> {
  const ofChannels = isChannel(sql`${channels.name}`, filter.channels ?? {});
  const { projectId, channel, agent, messageType, mention, maxAgeDays, before } = filter;
  if (before !== undefined && (await tx.$count(notes, eq(notes.id, before))) === 0)
    throw badRequest('before', `you have no note ${before}`);
  const found = await select(tx)
    .where(
      and(
        projectId === undefined ? undefined : eq(notes.projectId, projectId),
        channel === undefined ? undefined : eq(notes.channel, channel),
        // there are few channels, so they are chosen first
        ofChannels &&
          inArray(notes.channel, tx.select({ name: channels.name }).from(channels).where(ofChannels)),
        agent === undefined ? undefined : eq(notes.sender, agent),
        messageType === undefined ? undefined : eq(notes.messageType, messageType),
        mention === undefined ? undefined : mentions(sql`${notes.mentions}`, mention),
        maxAgeDays === undefined
          ? undefined
          : sql`${notes.createdAt} >= now() - make_interval(secs => ${maxAgeDays}::float8 * 86400)`,
        before === undefined
          ? undefined
          : sql`(${notes.createdAt}, ${notes.seq}) <
              (select b.created_at, b.seq from notes b where b.id = ${before}::uuid)`,
      ),
    )
    .orderBy(desc(notes.createdAt), desc(notes.seq))
    .limit(filter.limit);
  return found.map(derive);
}

/** Returns SQL for whether a list of mentions has a name, without regard to case. The first part can use an index. */
export const mentions = (list: SQL, name: string): SQL =>
  // the list is searched as one text, which takes a third of the time of searching each name
  sql`(${list} <> '{}' and
    strpos(lower(E'\\n' || array_to_string(${list}, E'\\n') || E'\\n'), lower(E'\\n' || ${name} || E'\\n')) > 0)`;

/**
 * Returns a note by its id or the beginning of it, as it is cited.
 *
 * @throws Problem (404) when the caller has no such note, (409) when the beginning is that of several
 */
export const getNote = async (tx: Tx, reference: string): Promise<Note> =>
  derive(await recordRef('note', reference, notes.id, (is) => select(tx).where(is).limit(2)));
