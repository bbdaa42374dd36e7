import { createHash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { indexable } from '../db/columns.ts';
import { query, type Tx } from '../db/open.ts';
import { field } from '../db/records.ts';
import { type Writer, writerOf } from '../http/key-scope.ts';
import { instant } from '../http/schemas.ts';
import { served } from '../http/serve.ts';
import { redactText, redactValue, WHOLE } from '../redaction/redact.ts';
import { ensureProjects, ProjectName, projectNamed } from '../sessions/projects.ts';
import { addChannels, ChannelType, channelsThat, TYPE_OF_CHANNEL } from './channels.ts';
import {
  addCitations,
  type FreshnessServices,
  freshnessOf,
  referencesOf,
  StaleCitations,
} from './citations.ts';
import { eraseNotes } from './erase.ts';
import { addErase, addReads, alone, inField, kindOf, type Row, reference } from './kind.ts';
import { since, transferred } from './records/transfer.ts';
import { messageTypes, notes } from './schema.ts';

// Notes. Triggers close a note that was replaced, and list agents: sql/notes.

export { messageTypes };

const name = (max: number) => z.string().trim().min(1).max(max);
const text = (max: number) => z.string().min(1).max(max).optional();
const messageType = z.enum(messageTypes);

const list = z.array(z.string().max(4096)).max(10_000).optional();
const said = z.string().max(10_000).optional();
/** The breadcrumbs of which links are made. */
const BREADCRUMBS =
  'modified_files created_files deleted_files commits pull_requests issues tests documentation config_files logs external_refs';
/** Any other names are allowed too. */
const Metadata = z.looseObject({
  breadcrumbs: z
    .looseObject(Object.fromEntries(BREADCRUMBS.split(' ').map((name) => [name, list])))
    .optional(),
  /** such as type, complexity, duration_minutes, test_results, blockers_encountered */
  task_context: z.record(z.string(), z.unknown()).optional(),
  extraction_hints: z
    .looseObject({ key_decision: said, pattern_identified: said, policy_discovered: said })
    .optional(),
});

const NewNote = z
  .strictObject({
    /** may be left out if there is an agent: the note is then found from all projects */
    project: ProjectName.optional(),
    /** default: `agent-notes:{agent}:{project}`, or `agent-notes:{agent}` without a project; a person's `person-notes:{project}` */
    channel: name(300).optional(),
    agent: name(200).optional(),
    senderProject: name(4096).optional(),
    content: z.string().min(1).max(100_000),
    confidence: z.number().min(0).max(1).default(0.5),
    createdAt: instant().optional(),
    /** default: the type that belongs to the channel's name, else `reflection` */
    messageType: messageType.optional(),
    conversation: name(300).optional(),
    /** those that the text names as `@name` are added */
    mentions: z.array(name(200)).max(100).default([]),
    /** idempotency key: a second note with the same key is not stored, and the first one is returned */
    key: name(300).optional(),
    /** id of the note that this one replaces, or its first 8 characters */
    supersedes: reference.shape.id.optional(),
    metadata: Metadata.default({}),
  })
  .refine(
    ({ project, agent }) => project !== undefined || agent !== undefined,
    alone('project', 'name the project, or the agent whose note it is, to be found from all projects'),
  )
  .openapi('NewNote');

const note = kindOf<Row & { metadata: Record<string, unknown> }>('note', notes, ['seq', 'dedupKey'], {
  key: { as: z.string().nullable(), sql: sql`t.dedup_key` },
  wordCount: { as: z.number(), sql: sql`(search_filters('{}', t.content)).words` },
  hasBreadcrumbs: { as: z.boolean(), sql: sql`(search_filters(t.metadata, '')).has_breadcrumbs` },
  ageDays: { as: z.number(), sql: sql`extract(epoch from now() - t.created_at)::float8 / 86400` },
});
/** `stale`: citations that are no longer as they were when the note was written */
const Note = z.object({ ...note.shape, stale: StaleCitations }).openapi('Note');
const Stored = z.object({ id: z.string(), key: z.string().nullable(), created: z.boolean() });
const StoredNotes = z.object({ notes: z.array(Stored) }).openapi('StoredNotes');

const named = field.text(8192).min(1).transform(indexable);
export const NOTE_RECORDS = transferred(notes, 'note', {
  columns: { key: 'dedupKey' },
  fields: {
    channel: named,
    sender: named.nullable().default(null),
    key: field.text(1000).nullable().default(null),
  },
  into: { createdAt: `coalesce(r."createdAt", now())`, validUntil: since('validUntil') },
  order: { created_at: 'timestamptz', seq: 'bigint' },
  rows: 50,
  /** Uses the key before redaction, which could make two keys equal. */
  accept: (record, { key }) => ({ ...record, key: typeof key === 'string' ? storableKey(key) : null }),
});

/** An `@` that does not follow a word, a path or an address, and the name behind it, which is no package and no call. */
const MENTION =
  /(?<![\p{L}\p{N}\p{M}_.@/+\\-])@([\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*(?:[-.:][\p{L}\p{N}\p{M}_]+)*)(?![\p{L}\p{N}_]|[-.:]+[\p{L}\p{N}_]|[-.:]*[/(@])/gu;
/** Code, in a fenced block or between backticks: no name in it is meant. */
const CODE = /^ {0,3}(`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\1|$(?![\s\S]))|(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\2(?!`)/gm;

/** Returns the names that a text mentions as `@name`, each once, in their order. */
const mentionsIn = (said: string): string[] => {
  const names = [...said.replace(CODE, ' ').matchAll(MENTION)].map(([, name = '']) => name);
  return [...new Set(names)].filter((name) => name.length <= 200).slice(0, 100);
};

type Prepared = ReturnType<typeof prepareNote>;

/** Redacts a note and fills in its defaults, before a transaction is opened, because it is slow for long texts. */
function prepareNote(note: z.output<typeof NewNote>, writtenBy: Writer) {
  const { key, supersedes, createdAt, ...texts } = note;
  const { agent, ...clean } = redactValue(texts, WHOLE);
  const channel = clean.channel === undefined ? null : indexable(clean.channel);
  return {
    ...{ senderProject: null, conversation: null, ...clean, project: clean.project ?? null },
    ...{ id: randomUUID() as string, channel, writtenBy, supersedes: supersedes ?? null },
    sender: agent === undefined ? null : indexable(agent),
    mentions: [...new Set([...clean.mentions, ...mentionsIn(clean.content)])],
    messageType: clean.messageType ?? TYPE_OF_CHANNEL[channel ?? ''] ?? 'reflection',
    key: key === undefined ? null : storableKey(key),
    createdAt: createdAt?.toISOString() ?? null,
  };
}

/**
 * Returns a key in the form in which it is stored: unchanged if it fits an index, or its hash if it contains a secret.
 * Redaction would make different keys equal.
 */
const storableKey = (key: string): string =>
  redactText(key) === key ? indexable(key) : `sha256:${createHash('sha256').update(key).digest('hex')}`;

/** Returns the channel in which an agent, or a person, writes unless told otherwise. `project`: its name, as everywhere. */
function ownChannel({ sender, writtenBy }: Prepared, project: string | undefined): string {
  const whose =
    sender === null && writtenBy === 'person' ? ['person-notes'] : ['agent-notes', sender ?? 'unknown'];
  return [...whose, ...(project === undefined ? [] : [project])].join(':');
}

/** Returns the ids of the caller's notes with the keys of these. */
async function idsOfKeys(tx: Tx, given: Prepared[]): Promise<Map<string | null, string>> {
  const keys = JSON.stringify(given.flatMap(({ key }) => key ?? []));
  const rows = await query<{ id: string; key: string }>(tx)`
    select id, dedup_key as key from notes where dedup_key in (select jsonb_array_elements_text(${keys}::jsonb))`;
  return new Map(rows.map((row) => [row.key, row.id]));
}

/**
 * Stores notes in the given order, all or none, and what they cite. If the key of one is known already, its result is the
 * id of the note stored under that key, with `created: false`.
 *
 * @param fieldOf the name of the field of a note, for errors
 * @throws Problem (400) naming a note whose `supersedes` is not a note of the caller
 */
async function addNotes(tx: Tx, given: Prepared[], fieldOf: (place: number) => string) {
  const known = await idsOfKeys(tx, given);
  const fresh: Prepared[] = [];
  for (const [i, one] of given.entries()) {
    if (known.has(one.key)) continue;
    if (one.key !== null) known.set(one.key, one.id);
    const { supersedes } = one;
    const older = supersedes && (await inField(fieldOf(i), note.get(tx, supersedes))).id;
    fresh.push({ ...one, supersedes: older });
  }
  const names = new Map<string | null, string>();
  const projects = await ensureProjects(tx, fresh, async (tx, given) => {
    const found = await projectNamed(tx, given);
    names.set(given, found.name);
    return found;
  });
  const placed = fresh.map((one) => ({
    ...one,
    channel: one.channel ?? indexable(ownChannel(one, names.get(one.project ?? null))),
  }));
  const created = new Set(await NOTE_RECORDS.restore(tx, placed, projects));
  const citing = fresh.map(({ id, project, metadata }) => ({
    id,
    projectId: project === null ? null : (projects.get(project) ?? null),
    refs: created.has(id) ? referencesOf(metadata) : [],
  }));
  await addCitations(tx, 'note', citing);
  const ids = created.size === given.length ? known : await idsOfKeys(tx, given);
  return given.map(({ id, key }) =>
    created.has(id) ? { id, key, created: true } : { id: ids.get(key) as string, key, created: false },
  );
}

/** Returns SQL for whether a list of mentions has a name, without regard to case. The first part can use an index. */
export const mentions = (list: SQL, name: string): SQL =>
  // the list is searched as one text, which takes a third of the time of searching each name
  sql`(${list} <> '{}' and
    strpos(lower(E'\\n' || array_to_string(${list}, E'\\n') || E'\\n'), lower(E'\\n' || ${name} || E'\\n')) > 0)`;

export const noteRoutes = served((route, services: FreshnessServices) => {
  route(
    'POST /v1/notes',
    'Write a note, or up to 1,000 in their order, all or none; 200 if all their keys were known',
    {
      body: z.union([NewNote, z.array(NewNote).min(1).max(1000)]),
      answer: z.union([Note, StoredNotes]),
      created: 'sometimes',
      wakes: ['embed', 'baselines'],
    },
    async ({ as, body, caller, isNew }) => {
      const single = !Array.isArray(body);
      const prepared: Prepared[] = [];
      for (const note of single ? [body] : body) {
        const { project = caller.project ?? undefined } = note;
        prepared.push(prepareNote({ ...note, project }, writerOf(caller.scope)));
        // hooks are answered between two notes
        await setImmediate();
      }
      const { stored, written } = await as(async (tx) => {
        const stored = await addNotes(tx, prepared, (i) => (single ? 'supersedes' : `${i}.supersedes`));
        return { stored, written: single ? await note.get(tx, stored[0]?.id as string) : null };
      });
      isNew(stored.some((one) => one.created));
      return written === null ? { notes: stored } : { ...written, stale: [] };
    },
  );
  addReads(route, note, {
    shown: Note,
    // replaced ones too
    filters: {
      channel: text(300),
      channelType: ChannelType.optional(),
      /** only notes in the channels of this agent, whoever wrote them */
      owner: text(200),
      agent: text(200),
      messageType: messageType.optional(),
      mention: text(200),
      maxAgeDays: z.coerce.number().int().min(1).max(36_500).optional().openapi({ type: 'integer' }),
    },
    where: ({ channel, agent, messageType, mention, maxAgeDays, ...channels }) => [
      channel && sql`t.channel = ${channel}`,
      channelsThat(channels) && sql`t.channel in ${channelsThat(channels)}`,
      maxAgeDays !== undefined && sql`t.created_at >= now() - make_interval(days => ${maxAgeDays}::int)`,
      agent && sql`t.sender = ${agent}`,
      messageType && sql`t.message_type = ${messageType}`,
      mention && mentions(sql`t.mentions`, mention),
    ],
    then: 'seq',
    more: async (caller, found) => {
      const ids = found.map(({ id }) => id);
      const stale = await freshnessOf(services, caller, ids);
      return found.map((note) => ({ ...note, stale: stale.get(note.id) ?? [] }));
    },
  });
  addErase(route, note, eraseNotes);
  addChannels(route);
});
