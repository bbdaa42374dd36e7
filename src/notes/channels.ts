import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { indexable } from '../db/columns.ts';
import { query, type Tx } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { redactText } from '../redaction/redact.ts';
import { agents, channels, TYPE_OF_CHANNEL } from './schema.ts';
import type { Agent, Channel, ChannelType } from './shapes.ts';

// Channels and agents as records of their own: what they are for, and when something last happened there.

type ShownChannel = z.infer<typeof Channel>;
type ShownAgent = z.infer<typeof Agent>;
export type ChannelFilter = { type?: z.infer<typeof ChannelType> | undefined; owner?: string | undefined };

const typeOf = (name: SQL) => sql`case when starts_with(${name}, 'agent-notes:') then 'agent'
  when ${name} = any (${sql.param(Object.keys(TYPE_OF_CHANNEL))}::text[]) then 'standard' else 'other' end`;

/**
 * Returns SQL for the agent whose channel it is: `agent-notes:{agent}` or `agent-notes:{agent}:{project}`. Names of
 * agents may hold colons, so known agents come first, the longest name before others.
 */
const ownerOf = (name: SQL) => sql`case when starts_with(${name}, 'agent-notes:') then coalesce(
  (select a.name from agents a
   where ${name} = 'agent-notes:' || a.name or starts_with(${name}, 'agent-notes:' || a.name || ':')
   order by length(a.name) desc limit 1),
  nullif(split_part(${name}, ':', 2), 'unknown')) end`;

/** Returns SQL for whether a channel is one of those that are asked for; undefined if all are. */
export const isChannel = (name: SQL, { type, owner }: ChannelFilter): SQL | undefined =>
  and(
    type === undefined ? undefined : sql`${typeOf(name)} = ${type}`,
    owner === undefined ? undefined : sql`${ownerOf(name)} = ${owner}`,
  );

/**
 * Returns the channels, the most recently used first, each with its number of notes and its agents.
 *
 * @param filter.projectId only channels with notes of this project, and only these are counted
 */
export async function listChannels(
  tx: Tx,
  filter: { projectId?: string | undefined; name?: string | undefined } & ChannelFilter,
): Promise<ShownChannel[]> {
  const project = sql`${filter.projectId ?? null}::uuid`;
  const name = sql`${filter.name ?? null}::text`;
  return query<ShownChannel>(
    tx,
    sql`select c.name, ${typeOf(sql`c.name`)} as type, ${ownerOf(sql`c.name`)} as owner, c.description, coalesce(n.notes, 0) as notes, to_json(c.created_at) as "createdAt",
          to_json(n.last) as "lastActivity", coalesce(n.agents, '{}') as agents
        from channels c
        left join (
          select channel, count(*)::int as notes, max(created_at) as last,
            array_agg(distinct sender order by sender) filter (where sender is not null) as agents
          from notes
          where (${project} is null or project_id = ${project}) and (${name} is null or channel = ${name})
          group by channel
        ) n on n.channel = c.name
        where (n.channel is not null or ${project} is null) and (${name} is null or c.name = ${name})
          and ${isChannel(sql`c.name`, filter) ?? sql`true`}
        order by n.last desc nulls last, c.name`,
  );
}

const told = (description: string | null) => description && redactText(description);

/**
 * Describes a channel. Returns it.
 *
 * @param description null removes the description
 * @throws Problem (404) when the caller has no such channel
 */
export async function describeChannel(
  tx: Tx,
  given: string,
  description: string | null,
): Promise<ShownChannel> {
  const name = indexable(redactText(given));
  await tx
    .update(channels)
    .set({ description: told(description) })
    .where(eq(channels.name, name));
  const [channel] = await listChannels(tx, { name });
  if (channel) return channel;
  const detail = `You have no channel ${given}: the first note that is written to it makes it.`;
  throw new Problem({ status: 404, title: 'Channel not found', detail });
}

/** Returns the agents, the last active first. */
export async function listAgents(tx: Tx, filter: { name?: string } = {}): Promise<ShownAgent[]> {
  const name = sql`${filter.name ?? null}::text`;
  return query<ShownAgent>(
    tx,
    sql`select a.name, a.description, coalesce(n.notes, 0) as notes, coalesce(n.projects, '{}') as projects,
          to_json(a.created_at) as "createdAt", to_json(a.last_active) as "lastActive"
        from agents a
        left join (
          select n.sender, count(*)::int as notes,
            array_agg(distinct p.name order by p.name) filter (where p.name is not null) as projects
          from notes n left join projects p on p.id = n.project_id
          where n.sender is not null and (${name} is null or n.sender = ${name})
          group by n.sender
        ) n on n.sender = a.name
        where ${name} is null or a.name = ${name}
        order by a.last_active desc, a.name`,
  );
}

/**
 * Describes an agent. If it is not known yet, it is created. Returns it.
 *
 * @param description null removes the description
 */
export async function describeAgent(tx: Tx, given: string, description: string | null): Promise<ShownAgent> {
  const name = indexable(redactText(given));
  const set = { description: told(description) };
  await tx
    .insert(agents)
    .values({ name, ...set })
    .onConflictDoUpdate({ target: [agents.userId, agents.name], set });
  return (await listAgents(tx, { name }))[0] as ShownAgent;
}

/** Notes when an agent was started. */
export async function noteAgent(tx: Tx, given: string, at: Date): Promise<void> {
  if (given.trim() === '') return;
  const name = indexable(given.trim());
  await tx
    .insert(agents)
    .values({ name, createdAt: at, lastActive: at })
    .onConflictDoUpdate({
      target: [agents.userId, agents.name],
      set: { lastActive: at },
      setWhere: sql`${agents.lastActive} < excluded.last_active`,
    });
}
