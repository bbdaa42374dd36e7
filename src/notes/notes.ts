import { createHash, randomUUID } from 'node:crypto';
import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { indexable } from '../db/columns.ts';
import { query, type Tx } from '../db/open.ts';
import { insertRecords } from '../db/records.ts';
import { type FieldError, Problem } from '../errors/problem.ts';
import { addCitations } from '../freshness/citations.ts';
import { referencesOf } from '../freshness/references.ts';
import type { Writer } from '../http/key-scope.ts';
import { redactText, redactValue, WHOLE } from '../redaction/redact.ts';
import { ensureProjects, projectNamed, projectNameOf } from '../sessions/projects.ts';
import { clip } from '../text/clip.ts';
import { idPrefix, theOne } from '../text/short-id.ts';
import { type ChannelFilter, isChannel } from './channels.ts';
import { eraseNotes } from './erase.ts';
import { mentionsIn } from './mentions.ts';
import { NOTE_ROWS, type NoteRecord } from './record.ts';
import { channels, type messageTypes, type NoteMetadata, notes, TYPE_OF_CHANNEL } from './schema.ts';

// Notes. Triggers close a note that was replaced, and list channels and agents: sql/notes.

export type MessageType = (typeof messageTypes)[number];

export type NewNote = {
  /** undefined: it belongs to the user, and is found from all projects */
  project?: string | undefined;
  channel?: string | undefined;
  /** the writer; stored as `sender` */
  agent?: string | undefined;
  senderProject?: string | undefined;
  content: string;
  confidence: number;
  createdAt?: Date | undefined;
  messageType?: MessageType | undefined;
  conversation?: string | undefined;
  mentions: string[];
  /** idempotency key: a second note with the same key is not stored */
  key?: string | undefined;
  supersedes?: string | undefined;
  metadata: NoteMetadata;
};

/** A note ready to be stored; only its project's id is missing. `createdAt` null means now. */
export type PreparedNote = Omit<NoteRecord, 'type' | 'createdAt' | 'validUntil'> & {
  createdAt: string | null;
};

/**
 * Redacts a note and fills in the defaults for missing fields. Call it before a transaction is opened, because it is
 * slow for long texts.
 */
export function prepareNote(note: NewNote, writtenBy: Writer): PreparedNote {
  const { key, supersedes, createdAt, ...texts } = note;
  const clean = redactValue(texts, WHOLE);
  const own = `agent-notes:${clean.agent ?? 'unknown'}`;
  const channel = indexable(clean.channel ?? (clean.project === undefined ? own : `${own}:${clean.project}`));
  return {
    id: randomUUID(),
    project: clean.project ?? null,
    channel,
    sender: clean.agent === undefined ? null : indexable(clean.agent),
    senderProject: clean.senderProject ?? null,
    writtenBy,
    content: clean.content,
    confidence: clean.confidence,
    mentions: [...new Set([...clean.mentions, ...mentionsIn(clean.content)])],
    messageType: clean.messageType ?? TYPE_OF_CHANNEL[channel] ?? 'reflection',
    metadata: clean.metadata,
    conversation: clean.conversation ?? conversationOf(clean.metadata),
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
  for (const name of CONVERSATION_NAMES) {
    const value = metadata[name];
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const text = String(value).trim();
    if (text !== '') return clip(text, 300);
  }
  return null;
}

export type Stored = { id: string; key: string | null; created: boolean };

/**
 * Stores notes in the given order, all or none. Returns one result per note: if its key is known already, this is the
 * id of the note stored under that key, with `created: false`.
 *
 * @param options.single the request held one note, not a list: errors name the field without the note's index
 * @throws Problem (400) naming each note whose `supersedes` is not a note of the caller
 */
export async function addNotes(
  tx: Tx,
  prepared: PreparedNote[],
  options: { single?: boolean } = {},
): Promise<Stored[]> {
  const known = await idsOfKeys(tx, prepared);
  const fresh: PreparedNote[] = [];
  const keys = new Set(known.keys());
  for (const note of prepared) {
    if (note.key !== null && keys.has(note.key)) continue;
    if (note.key !== null) keys.add(note.key);
    fresh.push(note);
  }
  await refuseUnknownSuperseded(tx, prepared, fresh, options.single === true);
  const created = new Set(await insertNotes(tx, fresh, { isNew: true }));
  const late = fresh.some((note) => !created.has(note.id));
  const ids = late || fresh.length < prepared.length ? await idsOfKeys(tx, prepared) : known;
  return prepared.map((note) =>
    created.has(note.id)
      ? { id: note.id, key: note.key, created: true }
      : { id: ids.get(note.key as string) as string, key: note.key, created: false },
  );
}

async function idsOfKeys(tx: Tx, prepared: PreparedNote[]): Promise<Map<string, string>> {
  const keys = prepared.flatMap(({ key }) => key ?? []);
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

async function refuseUnknownSuperseded(tx: Tx, all: PreparedNote[], fresh: PreparedNote[], single: boolean) {
  const wanted = [...new Set(fresh.flatMap(({ supersedes }) => supersedes ?? []))];
  if (wanted.length === 0) return;
  const rows = await query<{ id: string }>(
    tx,
    sql`select id from notes where id in (select t::uuid from (${texts(wanted)}) as s(t))`,
  );
  const mine = new Set(rows.map(({ id }) => id));
  const errors: FieldError[] = fresh
    .filter(({ supersedes }) => supersedes !== null && !mine.has(supersedes))
    .map((note) => ({
      field: single ? 'supersedes' : `${all.indexOf(note)}.supersedes`,
      message: `you have no note ${note.supersedes}`,
    }));
  if (errors.length === 0) return;
  const detail = errors.map((e) => `${e.field}: ${e.message}`).join('; ');
  throw new Problem({ status: 400, title: 'Bad request', detail, errors });
}

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
  const stored = rows.filter(({ id }) => inserted.has(id));
  await addCitations(
    tx,
    'note',
    stored.map(({ id, project, metadata }) => ({
      id,
      projectId: project === null ? null : (projects.get(project) ?? null),
      refs: referencesOf(metadata),
    })),
  );
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

type Selected = Awaited<ReturnType<typeof select>>[number];

/** Adds the fields that are computed from the others. */
function derive(note: Selected) {
  const { breadcrumbs } = note.metadata;
  const words = note.content.trim();
  return {
    ...note,
    wordCount: words === '' ? 0 : words.split(/\s+/).length,
    hasBreadcrumbs: Object.values(breadcrumbs ?? {}).some((list) => Array.isArray(list) && list.length > 0),
    ageDays: Math.max(0, (Date.now() - note.createdAt.getTime()) / 86_400_000),
  };
}

export type Note = ReturnType<typeof derive>;

/**
 * Returns notes, the newest first, replaced ones included.
 *
 * @throws Problem (400) when `before` is not a note of the caller
 */
export async function listNotes(
  tx: Tx,
  filter: {
    projectId?: string | undefined;
    channel?: string | undefined;
    /** only notes in channels of this type, or of this agent */
    channels?: ChannelFilter | undefined;
    agent?: string | undefined;
    messageType?: MessageType | undefined;
    /** a name that it mentions, in upper or lower case */
    mention?: string | undefined;
    maxAgeDays?: number | undefined;
    /** the id of a note: only the notes after it in this list are returned, which are older */
    before?: string | undefined;
    limit: number;
  },
): Promise<Note[]> {
  const ofChannels = isChannel(sql`${channels.name}`, filter.channels ?? {});
  const { projectId, channel, agent, messageType, mention, maxAgeDays, before } = filter;
  if (before !== undefined) await refuseUnknownBefore(tx, before);
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

/**
 * Returns SQL for whether a list of mentions has a name, without regard to case. The first part of it can use an index.
 */
export const mentions = (list: SQL, name: string): SQL =>
  // the list is searched as one text, which takes a third of the time of searching each name
  sql`(${list} <> '{}' and
    strpos(lower(E'\\n' || array_to_string(${list}, E'\\n') || E'\\n'), lower(E'\\n' || ${name} || E'\\n')) > 0)`;

async function refuseUnknownBefore(tx: Tx, id: string) {
  const [known] = await tx.select({ id: notes.id }).from(notes).where(eq(notes.id, id));
  if (known) return;
  const message = `you have no note ${id}`;
  const errors = [{ field: 'before', message }];
  throw new Problem({ status: 400, title: 'Bad request', detail: `before: ${message}`, errors });
}

/**
 * Returns a note by its id or the beginning of it, as it is cited.
 *
 * @throws Problem (404) when the caller has no such note, (409) when the beginning is that of several
 */
export async function getNote(tx: Tx, reference: string): Promise<Note> {
  const prefix = idPrefix(reference);
  if (prefix === null) return theOne([], 'note', reference);
  const is = prefix.length === 36 ? eq(notes.id, prefix) : sql`starts_with(${notes.id}::text, ${prefix})`;
  return derive(theOne(await select(tx).where(is).limit(2), 'note', reference));
}

/** Deletes a note for good, at a person's request. A note that it had replaced stays replaced. */
export async function eraseNote(tx: Tx, id: string) {
  await eraseNotes(tx, sql`id = ${id}`);
}
