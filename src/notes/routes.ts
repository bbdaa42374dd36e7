import { setImmediate } from 'node:timers/promises';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Stale } from '../freshness/citations.ts';
import { type FreshnessServices, freshnessOf } from '../freshness/freshness.ts';
import { StaleCitations } from '../freshness/schemas.ts';
import type { Env } from '../http/env.ts';
import { WRITERS, writerOf } from '../http/key-scope.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, instant, json, limit, problem, time, wire } from '../http/schemas.ts';
import { listInProject, ProjectName } from '../sessions/projects.ts';
import { CHANNEL_TYPES, describeAgent, describeChannel, listAgents, listChannels } from './channels.ts';
import { Metadata } from './metadata.ts';
import { addNotes, eraseNote, getNote, listNotes, type PreparedNote, prepareNote } from './notes.ts';
import { messageTypes } from './schema.ts';

const name = (max: number) => z.string().trim().min(1).max(max);

const NewNote = z
  .strictObject({
    /** may be left out if there is an agent: the note is then found from all projects */
    project: ProjectName.optional(),
    /** default: `agent-notes:{agent}:{project}`, or `agent-notes:{agent}` without a project */
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
    /** those that the text names as `@name` are added */
    mentions: z.array(name(200)).max(100).default([]),
    /** idempotency key: a second note with the same key is not stored, and the first one is returned */
    key: name(300).optional(),
    /** id of the note that this one replaces */
    supersedes: z.guid().optional(),
    metadata: Metadata.default({}),
  })
  .refine(({ project, agent }) => project !== undefined || agent !== undefined, {
    message: 'name the project, or the agent whose note it is, to be found from all projects',
    path: ['project'],
    // a field that is wrong by itself is named alone
    when: ({ issues }) => issues.length === 0,
  })
  .openapi('NewNote');

const Note = z
  .object({
    id: z.string(),
    /** null: found from all projects */
    project: z.string().nullable(),
    channel: z.string(),
    sender: z.string().nullable(),
    senderProject: z.string().nullable(),
    /** by its key, whatever `sender` says; null: it is older than 0.5 */
    writtenBy: z.enum(WRITERS).nullable(),
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
    /** citations that are no longer as they were when the note was written */
    stale: StaleCitations,
  })
  .openapi('Note');

const StoredNotes = z
  .object({
    notes: z.array(z.object({ id: z.string(), key: z.string().nullable(), created: z.boolean() })),
  })
  .openapi('StoredNotes');

const Channel = z
  .object({
    name: z.string(),
    type: z.enum(CHANNEL_TYPES),
    /** the agent whose channel it is; null: it is nobody's own */
    owner: z.string().nullable(),
    description: z.string().nullable(),
    notes: z.number(),
    createdAt: time,
    lastActivity: time.nullable(),
    agents: z.array(z.string()),
  })
  .openapi('Channel');

const Agent = z
  .object({
    name: z.string(),
    description: z.string().nullable(),
    /** those that it wrote notes for */
    projects: z.array(z.string()),
    notes: z.number(),
    createdAt: time,
    /** when it last wrote a note or was started as a subagent */
    lastActive: time,
  })
  .openapi('Agent');

const description = body(z.strictObject({ description: z.string().trim().min(1).max(2000).nullable() }));
const named = z.object({ name: z.string().trim().min(1).max(5000) });

const reference = z.object({ id: z.string().min(8).max(45) });
const project = z.string().min(1).max(4096).optional();
const channelType = z.enum(CHANNEL_TYPES).optional();
const owner = z.string().min(1).max(200).optional();
const noSuch = { 404: problem('No such note'), 409: problem('The id is ambiguous') };
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
        /** only notes in channels of this type */
        channelType,
        /** only notes in the channels of this agent, whoever wrote them */
        owner,
        agent: z.string().min(1).max(200).optional(),
        messageType: z.enum(messageTypes).optional(),
        mention: z.string().min(1).max(200).optional(),
        maxAgeDays: z.coerce.number().int().min(1).max(36_500).optional().openapi({ type: 'integer' }),
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
    summary: 'Permanently erase a note',
    request: { params: reference },
    responses: { 204: { description: 'Erased' }, ...noSuch, ...commonProblems },
  }),
  channels: createRoute({
    method: 'get',
    path: '/v1/channels',
    summary: 'Channels, the last used first',
    request: { query: z.object({ project, type: channelType, owner }) },
    responses: { 200: json(z.object({ channels: z.array(Channel) }), 'The channels'), ...commonProblems },
  }),
  describeChannel: createRoute({
    method: 'patch',
    path: '/v1/channels/{name}',
    summary: 'Say what a channel is for; null takes the description away',
    request: { params: named, ...description },
    responses: { 200: json(Channel, 'The channel'), 404: problem('No such channel'), ...commonProblems },
  }),
  agents: createRoute({
    method: 'get',
    path: '/v1/agents',
    summary: 'Agents that wrote notes or were started as subagents, the last active first',
    responses: { 200: json(z.object({ agents: z.array(Agent) }), 'The agents'), ...commonProblems },
  }),
  describeAgent: createRoute({
    method: 'patch',
    path: '/v1/agents/{name}',
    summary: 'Say what an agent is for; one that is not known yet is made',
    request: { params: z.object({ name: name(200) }), ...description },
    responses: { 200: json(Agent, 'The agent'), ...commonProblems },
  }),
};

type Needs = FreshnessServices & { wake(worker: 'embed' | 'baselines'): void };

export function noteRoutes(services: Needs): Router {
  const app = router();
  /** Adds to each note its citations that are stale. */
  const withStale = async <N extends { id: string; hasBreadcrumbs: boolean }>(
    c: Context<Env>,
    notes: N[],
  ) => {
    const citing = notes.filter((note) => note.hasBreadcrumbs).map(({ id }) => id);
    const stale = await freshnessOf(services, c.get('caller'), citing);
    return notes.map((note) => ({ ...note, stale: stale.get(note.id) ?? [] }));
  };
  app.openapi(routes.create, async (c) => {
    const given = c.req.valid('json');
    const single = !Array.isArray(given);
    const { scope, project: own } = c.get('caller');
    const prepared: PreparedNote[] = [];
    for (const note of single ? [given] : given) {
      const { project = own ?? undefined } = note;
      prepared.push(prepareNote({ ...note, project }, writerOf(scope)));
      // redacting many long notes takes a while, so hooks are answered in between
      await setImmediate();
    }
    const [notes, note] = await asCaller(services, c, async (tx) => {
      const added = await addNotes(tx, prepared, { single });
      return [added, single ? await getNote(tx, added[0]?.id as string) : null];
    });
    services.wake('embed');
    services.wake('baselines');
    const created = notes.some((one) => one.created);
    return c.json(note === null ? { notes } : wire({ ...note, stale: [] }), created ? 201 : 200);
  });
  app.openapi(routes.list, async (c) => {
    const { project, channelType, owner, ...filter } = c.req.valid('query');
    const channels = { type: channelType, owner };
    const notes = await asCaller(services, c, (tx) =>
      listInProject(tx, project, (projectId) => listNotes(tx, { ...filter, channels, projectId })),
    );
    return c.json({ notes: wire(await withStale(c, notes)) }, 200);
  });
  app.openapi(routes.get, async (c) => {
    const note = await asCaller(services, c, (tx) => getNote(tx, c.req.valid('param').id));
    const [shown] = await withStale(c, [note]);
    return c.json(wire(shown as typeof note & { stale: Stale[] }), 200);
  });
  app.openapi(routes.erase, async (c) => {
    await asCaller(services, c, async (tx) => eraseNote(tx, (await getNote(tx, c.req.valid('param').id)).id));
    return c.body(null, 204);
  });
  app.openapi(routes.channels, async (c) => {
    const { project, ...filter } = c.req.valid('query');
    const channels = await asCaller(services, c, (tx) =>
      listInProject(tx, project, (projectId) => listChannels(tx, { ...filter, projectId })),
    );
    return c.json({ channels }, 200);
  });
  app.openapi(routes.describeChannel, async (c) => {
    const { description } = c.req.valid('json');
    const channel = await asCaller(services, c, (tx) =>
      describeChannel(tx, c.req.valid('param').name, description),
    );
    return c.json(channel, 200);
  });
  app.openapi(routes.agents, async (c) => {
    return c.json({ agents: await asCaller(services, c, (tx) => listAgents(tx)) }, 200);
  });
  app.openapi(routes.describeAgent, async (c) => {
    const { description } = c.req.valid('json');
    const agent = await asCaller(services, c, (tx) =>
      describeAgent(tx, c.req.valid('param').name, description),
    );
    return c.json(agent, 200);
  });
  return app;
}
