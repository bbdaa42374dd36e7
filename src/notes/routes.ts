import { setImmediate } from 'node:timers/promises';
import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, instant, json, limit, problem, time, wire } from '../http/schemas.ts';
import { hearNotes } from '../learnings/hear-note.ts';
import { listInProject, ProjectName } from '../sessions/projects.ts';
import {
  addNotes,
  eraseNote,
  getNote,
  listChannels,
  listNotes,
  type PreparedNote,
  prepareNote,
} from './notes.ts';
import { messageTypes } from './schema.ts';

const list = z.array(z.string().max(4096)).max(10_000).optional();

/** Other names are allowed too. The breadcrumbs named here must be lists of texts, because links are made of them. */
const Metadata = z
  .looseObject({
    breadcrumbs: z
      .looseObject({
        modified_files: list,
        created_files: list,
        deleted_files: list,
        commits: list,
        pull_requests: list,
        issues: list,
        tests: list,
        documentation: list,
        config_files: list,
        logs: list,
        external_refs: list,
      })
      .optional(),
    task_context: z.record(z.string(), z.unknown()).optional(),
    extraction_hints: z.record(z.string(), z.unknown()).optional(),
  })
  .openapi('NoteMetadata');

const name = (max: number) => z.string().trim().min(1).max(max);

const NewNote = z
  .strictObject({
    project: ProjectName,
    /** default: `agent-notes:{agent}:{project}` */
    channel: name(300).optional(),
    agent: name(200).optional(),
    senderProject: name(4096).optional(),
    content: z.string().min(1).max(100_000),
    confidence: z.number().min(0).max(1).default(0.5),
    createdAt: instant().optional(),
    /** default: the type that belongs to the channel's name, else `reflection` */
    messageType: z.enum(messageTypes).optional(),
    /** default: the conversation, session or thread named in the metadata */
    conversation: name(300).optional(),
    mentions: z.array(name(200)).max(100).default([]),
    /** idempotency key: a second note with the same key is not stored, and the first one is returned */
    key: name(300).optional(),
    /** id of the note that this one replaces */
    supersedes: z.guid().optional(),
    metadata: Metadata.default({}),
  })
  .openapi('NewNote');

const Note = z
  .object({
    id: z.string(),
    project: z.string(),
    channel: z.string(),
    sender: z.string().nullable(),
    senderProject: z.string().nullable(),
    content: z.string(),
    confidence: z.number(),
    mentions: z.array(z.string()),
    messageType: z.enum(messageTypes),
    conversation: z.string().nullable(),
    key: z.string().nullable(),
    supersedes: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    createdAt: time,
    validUntil: time.nullable(),
    wordCount: z.number(),
    hasBreadcrumbs: z.boolean(),
    ageDays: z.number(),
  })
  .openapi('Note');

const StoredNotes = z
  .object({
    notes: z.array(z.object({ id: z.string(), key: z.string().nullable(), created: z.boolean() })),
  })
  .openapi('StoredNotes');

const Channel = z.object({
  name: z.string(),
  notes: z.number(),
  lastActivity: time,
  agents: z.array(z.string()),
});

const reference = z.object({ id: z.string().min(8).max(45) });
const project = z.string().min(1).max(4096).optional();
const noSuch = { 404: problem('No such note') };
const stored = z.union([Note, StoredNotes]);

const routes = {
  create: createRoute({
    method: 'post',
    path: '/v1/notes',
    summary: 'Write a note, or up to 1,000 in their order, all or none',
    request: body(z.union([NewNote, z.array(NewNote).min(1).max(1000)])),
    responses: {
      201: json(stored, 'The note; for an array, the ids in its order'),
      200: json(stored, 'The same, when the keys were known and nothing was stored'),
      ...commonProblems,
    },
  }),
  list: createRoute({
    method: 'get',
    path: '/v1/notes',
    summary: 'Notes, the newest first',
    request: {
      query: z.object({
        project,
        channel: z.string().min(1).max(300).optional(),
        agent: z.string().min(1).max(200).optional(),
        messageType: z.enum(messageTypes).optional(),
        /** the last id of the previous page */
        before: z.guid().optional(),
        limit: limit(500, 50),
      }),
    },
    responses: { 200: json(z.object({ notes: z.array(Note) }), 'The notes'), ...commonProblems },
  }),
  get: createRoute({
    method: 'get',
    path: '/v1/notes/{id}',
    summary: 'A note',
    request: { params: reference },
    responses: { 200: json(Note, 'The note'), ...noSuch, ...commonProblems },
  }),
  erase: createRoute({
    method: 'delete',
    path: '/v1/notes/{id}',
    summary: 'Erase a note for good',
    request: { params: reference },
    responses: { 204: { description: 'Erased' }, ...noSuch, ...commonProblems },
  }),
  channels: createRoute({
    method: 'get',
    path: '/v1/channels',
    summary: 'Channels that hold notes, the last used first',
    request: { query: z.object({ project }) },
    responses: { 200: json(z.object({ channels: z.array(Channel) }), 'The channels'), ...commonProblems },
  }),
};

export function noteRoutes(services: { db: Database; wake(worker: 'embed'): void }): Router {
  const app = router();
  app.openapi(routes.create, async (c) => {
    const given = c.req.valid('json');
    const single = !Array.isArray(given);
    const prepared: PreparedNote[] = [];
    for (const note of single ? [given] : given) {
      prepared.push(prepareNote(note));
      // to redact many long notes takes a while, and hooks are answered in between
      await setImmediate();
    }
    const [notes, note] = await asCaller(services, c, async (tx) => {
      const added = await addNotes(tx, prepared, { single });
      await hearNotes(tx, c.get('caller').scope, prepared, added);
      return [added, single ? await getNote(tx, added[0]?.id as string) : null];
    });
    services.wake('embed');
    const created = notes.some((one) => one.created);
    return c.json(note === null ? { notes } : wire(note), created ? 201 : 200);
  });
  app.openapi(routes.list, async (c) => {
    const { project, ...filter } = c.req.valid('query');
    const notes = await asCaller(services, c, (tx) =>
      listInProject(tx, project, (projectId) => listNotes(tx, { ...filter, projectId })),
    );
    return c.json({ notes: wire(notes) }, 200);
  });
  app.openapi(routes.get, async (c) => {
    const note = await asCaller(services, c, (tx) => getNote(tx, c.req.valid('param').id));
    return c.json(wire(note), 200);
  });
  app.openapi(routes.erase, async (c) => {
    await asCaller(services, c, async (tx) => eraseNote(tx, (await getNote(tx, c.req.valid('param').id)).id));
    return c.body(null, 204);
  });
  app.openapi(routes.channels, async (c) => {
    const channels = await asCaller(services, c, (tx) =>
      listInProject(tx, c.req.valid('query').project, (projectId) => listChannels(tx, { projectId })),
    );
    return c.json({ channels }, 200);
  });
  return app;
}
