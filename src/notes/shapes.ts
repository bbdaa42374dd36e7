import { z } from '@hono/zod-openapi';
import { StaleCitations } from '../freshness/schemas.ts';
import { WRITERS } from '../http/key-scope.ts';
import { instant, time } from '../http/schemas.ts';
import { ProjectName } from '../sessions/projects.ts';
import { Metadata } from './metadata.ts';
import { messageTypes } from './schema.ts';

// What goes over HTTP of notes, channels and agents.

export const name = (max: number) => z.string().trim().min(1).max(max);

export const NewNote = z
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

export const Note = z
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

export const StoredNotes = z
  .object({
    notes: z.array(z.object({ id: z.string(), key: z.string().nullable(), created: z.boolean() })),
  })
  .openapi('StoredNotes');

/** `agent`: where an agent writes unless told otherwise; `standard`: those that give notes their type. */
export const ChannelType = z.enum(['agent', 'standard', 'other']);

export const Channel = z
  .object({
    name: z.string(),
    type: ChannelType,
    /** the agent whose channel it is; null: it is nobody's own */
    owner: z.string().nullable(),
    description: z.string().nullable(),
    notes: z.number(),
    createdAt: time,
    /** null: it has no notes (in the project asked about) */
    lastActivity: time.nullable(),
    agents: z.array(z.string()),
  })
  .openapi('Channel');

export const Agent = z
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
