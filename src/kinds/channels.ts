import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { theOne } from '../base/text/short-id.ts';
import { indexable } from '../db/columns.ts';
import { query, type Tx } from '../db/open.ts';
import { time } from '../http/schemas.ts';
import type { Route } from '../http/serve.ts';
import { redactText } from '../redaction/redact.ts';
import { listInProject } from '../sessions/projects.ts';
import { page } from './kind.ts';

// Channels and agents, and what they are for. The first note in a channel makes it, the first note or start an agent.

/** The type of the notes in a channel of this name. */
export const TYPE_OF_CHANNEL: Record<string, 'decision' | 'pattern' | 'policy'> = {
  decisions: 'decision',
  patterns: 'pattern',
  policies: 'policy',
};

/** `agent`: where an agent writes unless told otherwise; `standard`: those that give notes their type. */
export const ChannelType = z.enum(['agent', 'standard', 'other']);
/** Only channels of a type, and only those of an agent, whoever writes there. */
export type AskedChannels = {
  channelType?: z.output<typeof ChannelType> | undefined;
  owner?: string | undefined;
};

const type = sql`channel_type(c)`;
/** The agent whose channel it is. */
const owner = sql`channel_owner(c)`;

/** Returns SQL for the names of the channels that are asked for; undefined: all are. */
export const channelsThat = (asked: AskedChannels): SQL | undefined =>
  asked.channelType === undefined && asked.owner === undefined
    ? undefined
    : sql`(select c.name from channels c where c.user_id = auth.uid()
        and coalesce(${type} = ${asked.channelType ?? null}, true) and coalesce(${owner} = ${asked.owner ?? null}, ${asked.owner === undefined}))`;

/** Returns the names of the channels that are asked for, of some or of all; undefined: any. */
export async function namesOfChannels(
  tx: Tx,
  asked: AskedChannels,
  among: string[] | undefined,
): Promise<string[] | undefined> {
  const fitting = channelsThat(asked);
  if (fitting === undefined) return among;
  const names = (await query<{ name: string }>(tx, fitting)).map(({ name }) => name);
  return among === undefined ? names : names.filter((name) => among.includes(name));
}

const described = { description: z.string().nullable(), createdAt: time, notes: z.number() };
const Channel = z
  .object({
    name: z.string(),
    type: ChannelType,
    /** the agent whose channel it is; null: it is nobody's own */
    owner: z.string().nullable(),
    ...described,
    /** null: it has no notes */
    lastActivity: time.nullable(),
    agents: z.array(z.string()),
  })
  .openapi('Channel');
const Agent = z
  .object({ name: z.string(), ...described, projects: z.array(z.string()), lastActive: time })
  .openapi('Agent');

const listChannels = (tx: Tx, where: SQL, projectId?: string) =>
  query<z.output<typeof Channel>>(tx)`
    select c.name, ${type} as type, ${owner} as owner, c.description, to_json(c.created_at) as "createdAt",
      count(n.id)::int as notes, to_json(max(n.created_at)) as "lastActivity",
      coalesce(array_agg(distinct n.sender) filter (where n.sender is not null), '{}') as agents
    from channels c
    left join notes n on n.user_id = c.user_id and n.channel = c.name
      and n.project_id = coalesce(${projectId ?? null}::uuid, n.project_id)
    where c.user_id = auth.uid() and ${where}
    group by c.user_id, c.name
    having ${projectId === undefined} or count(n.id) > 0
    order by max(n.created_at) desc nulls last, c.name`;

const listAgents = (tx: Tx, where: SQL) =>
  query<z.output<typeof Agent>>(tx)`
    select c.name, c.description, to_json(c.created_at) as "createdAt", to_json(c.last_active) as "lastActive",
      count(n.id)::int as notes, coalesce(array_agg(distinct p.name) filter (where p.name is not null), '{}') as projects
    from agents c
    left join notes n on n.user_id = c.user_id and n.sender = c.name
    left join projects p on p.id = n.project_id
    where c.user_id = auth.uid() and ${where}
    group by c.user_id, c.name order by c.last_active desc, c.name`;

/** Notes when an agent was started. */
export async function noteAgent(tx: Tx, given: string, at: Date): Promise<void> {
  const name = indexable(given.trim());
  if (name !== '') await query(tx)`select note_agent(${name}, ${at.toISOString()}::timestamptz)`;
}

/** Adds the routes that list channels and agents, and say what they are for. */
export function addChannels(route: Route): void {
  route(
    'GET /v1/channels',
    'Channels, the last used first',
    {
      query: z.strictObject({ project: page.project, type: ChannelType.optional(), owner: page.project }),
      answer: z.object({ channels: z.array(Channel) }),
    },
    async ({ as, query: { project, type: channelType, owner } }) => {
      const named = channelsThat({ channelType, owner });
      const where = named ? sql`c.name in ${named}` : sql`true`;
      return {
        channels: await as((tx) => listInProject(tx, project, (id) => listChannels(tx, where, id))),
      };
    },
  );
  route(
    'GET /v1/agents',
    'Agents that wrote notes or were started as subagents, the last active first',
    { answer: z.object({ agents: z.array(Agent) }) },
    async ({ as }) => ({ agents: await as((tx) => listAgents(tx, sql`true`)) }),
  );
  for (const [kind, used, answer, read] of [
    ['channel', 'channel', Channel, listChannels],
    ['agent', 'sender', Agent, listAgents],
  ] as const)
    route(
      `PATCH /v1/${kind}s/{name}`,
      `Say what a ${kind} is for; null takes the description away`,
      {
        params: z.object({ name: z.string().min(1).max(5000) }),
        body: z.strictObject({ description: z.string().trim().min(1).max(2000).nullable() }),
        answer: answer as z.ZodObject,
        problems: { 404: 'None of that name' },
      },
      ({ as, params, body: { description } }) =>
        as(async (tx) => {
          const name = indexable(redactText(params.name));
          const told = description && redactText(description);
          // the key of a project says nothing of the channels of others
          const changed = await query(tx)`
            update ${sql.raw(`${kind}s`)} c set description = ${told}
            where c.name = ${name} and (own_project() is null or exists (
              select from notes n where n.project_id = own_project() and n.${sql.raw(used)} = c.name)) returning 1`;
          const found = changed.length === 0 ? [] : await read(tx, sql`c.name = ${name}`);
          return theOne<Record<string, unknown>>(found, kind, params.name);
        }),
    );
}
