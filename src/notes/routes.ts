import { setImmediate } from 'node:timers/promises';
import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { type FreshnessServices, freshnessOf } from '../freshness/freshness.ts';
import type { Caller } from '../http/env.ts';
import { writerOf } from '../http/key-scope.ts';
import { type Router, router } from '../http/router.ts';
import { limit } from '../http/schemas.ts';
import { addErase, reference, references } from '../records/by-id.ts';
import { serve } from '../records/serve.ts';
import { listInProject } from '../sessions/projects.ts';
import { describeAgent, describeChannel, listAgents, listChannels } from './channels.ts';
import { eraseNotes } from './erase.ts';
import { addNotes, getNote, listNotes, type PreparedNote, prepareNote } from './notes.ts';
import { messageTypes } from './schema.ts';
import { Agent, Channel, ChannelType, NewNote, Note, name, StoredNotes } from './shapes.ts';

const text = (max: number) => z.string().min(1).max(max).optional();
const project = text(4096);
const body = z.strictObject({ description: name(2000).nullable() });

type Needs = FreshnessServices & { wake(worker: 'embed' | 'baselines'): void };

export function noteRoutes(services: Needs): Router {
  const app = router();
  const route = serve(app, services);
  /** Adds to each note its citations that are stale. */
  const withStale = async <N extends { id: string; hasBreadcrumbs: boolean }>(caller: Caller, notes: N[]) => {
    const citing = notes.filter((note) => note.hasBreadcrumbs).map(({ id }) => id);
    const stale = await freshnessOf(services, caller, citing);
    return notes.map((note) => ({ ...note, stale: stale.get(note.id) ?? [] }));
  };
  route(
    'POST /v1/notes',
    'Write a note, or up to 1,000 in their order, all or none; 200 if all their keys were known',
    {
      body: z.union([NewNote, z.array(NewNote).min(1).max(1000)]),
      answer: z.union([Note, StoredNotes]),
      created: 'sometimes',
    },
    async ({ as, body, caller, isNew }) => {
      const single = !Array.isArray(body);
      const prepared: PreparedNote[] = [];
      for (const note of single ? [body] : body) {
        const { project = caller.project ?? undefined } = note;
        prepared.push(prepareNote({ ...note, project }, writerOf(caller.scope)));
        // redacting many long notes takes a while, so hooks are answered in between
        await setImmediate();
      }
      const { notes, note } = await as(async (tx) => {
        const notes = await addNotes(tx, prepared, single);
        return { notes, note: single ? await getNote(tx, notes[0]?.id as string) : null };
      });
      services.wake('embed');
      services.wake('baselines');
      isNew(notes.some((one) => one.created));
      return note === null ? { notes } : { ...note, stale: [] };
    },
  );
  route(
    'GET /v1/notes',
    'Notes, the newest first',
    {
      query: z.object({
        project,
        channel: text(300),
        /** only notes in channels of this type */
        channelType: ChannelType.optional(),
        /** only notes in the channels of this agent, whoever wrote them */
        owner: text(200),
        agent: text(200),
        messageType: z.enum(messageTypes).optional(),
        mention: text(200),
        maxAgeDays: z.coerce.number().int().min(1).max(36_500).optional().openapi({ type: 'integer' }),
        /** the last id of the previous page */
        before: z.guid().optional(),
        limit: limit(500, 50),
      }),
      answer: z.object({ notes: z.array(Note) }),
    },
    async ({ as, caller, query: { project, channelType, owner, ...filter } }) => {
      const channels = { type: channelType, owner };
      const notes = await as((tx) =>
        listInProject(tx, project, (projectId) => listNotes(tx, { ...filter, channels, projectId })),
      );
      return { notes: await withStale(caller, notes) };
    },
  );
  route(
    'GET /v1/notes/{id}',
    'A note',
    { params: reference, answer: Note, problems: references },
    async ({ as, caller, params }) =>
      (await withStale(caller, [await as((tx) => getNote(tx, params.id))]))[0] as never,
  );
  addErase(route, 'note', getNote, (tx, id) => eraseNotes(tx, sql`id = ${id}`));
  route(
    'GET /v1/channels',
    'Channels, the last used first',
    {
      query: z.object({ project, type: ChannelType.optional(), owner: text(200) }),
      answer: z.object({ channels: z.array(Channel) }),
    },
    async ({ as, query: { project, ...filter } }) => ({
      channels: await as((tx) =>
        listInProject(tx, project, (projectId) => listChannels(tx, { ...filter, projectId })),
      ),
    }),
  );
  route(
    'PATCH /v1/channels/{name}',
    'Say what a channel is for; null takes the description away',
    { params: z.object({ name: name(5000) }), body, answer: Channel, problems: { 404: 'No such channel' } },
    ({ as, params, body }) => as((tx) => describeChannel(tx, params.name, body.description)),
  );
  route(
    'GET /v1/agents',
    'Agents that wrote notes or were started as subagents, the last active first',
    { answer: z.object({ agents: z.array(Agent) }) },
    async ({ as }) => ({ agents: await as((tx) => listAgents(tx)) }),
  );
  route(
    'PATCH /v1/agents/{name}',
    'Say what an agent is for; one that is not known yet is made',
    { params: z.object({ name: name(200) }), body, answer: Agent },
    ({ as, params, body }) => as((tx) => describeAgent(tx, params.name, body.description)),
  );
  return app;
}
