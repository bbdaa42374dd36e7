import { and, eq, type SQL, sql } from 'drizzle-orm';
import { indexable } from '../db/columns.ts';
import { query, type Tx } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { redactText } from '../redaction/redact.ts';
import { agents, channels, TYPE_OF_CHANNEL } from './schema.ts';

// Channels and agents as records of their own: what they are for, and when something last happened there.

/** `agent`: where an agent writes unless told otherwise; `standard`: those that give notes their type. */
export const CHANNEL_TYPES = ['agent', 'standard', 'other'] as const;
type ChannelType = (typeof CHANNEL_TYPES)[number];

export type Channel = {
  name: string;
  type: ChannelType;
  /** the agent whose channel it is; null: it is nobody's own */
  owner: string | null;
  description: string | null;
  notes: number;
  createdAt: string;
  /** null: it has no notes (in the project asked about) */
  lastActivity: string | null;
  agents: string[];
};

/** Returns SQL for the type of a channel. */
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

export type ChannelFilter = { type?: ChannelType | undefined; owner?: string | undefined };

/** Returns SQL for whether a channel is one of those that are asked for; undefined if all are. */
export function isChannel(name: SQL, { type, owner }: ChannelFilter): SQL | undefined {
  return and(
    type === undefined ? undefined : sql`${typeOf(name)} = ${type}`,
    owner === undefined ? undefined : sql`${ownerOf(name)} = ${owner}`,
  );
}

/**
 * Returns the channels, the most recently used first, each with its number of notes and its agents.
 *
 * @param filter.projectId only channels with notes of this project, and only these are counted
 */
export async function listChannels(
  tx: Tx,
  filter: { projectId?: string | undefined; name?: string | undefined } & ChannelFilter,
): Promise<Channel[]> {
  const project = sql`${filter.projectId ?? null}::uuid`;
  const name = sql`${filter.name ?? null}::text`;
  return query<Channel>(
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

/**
 * Describes a channel. Returns it.
 *
 * @param description null removes the description
 * @throws Problem (404) when the caller has no such channel
 */
export async function describeChannel(tx: Tx, name: string, description: string | null): Promise<Channel> {
  await tx
    .update(channels)
    .set({ description: description === null ? null : redactText(description) })
    .where(eq(channels.name, indexable(redactText(name))));
  const [channel] = await listChannels(tx, { name: indexable(redactText(name)) });
  if (channel) return channel;
  throw new Problem({
    status: 404,
    title: 'Channel not found',
    detail: `You have no channel ${name}: the first note that is written to it makes it.`,
  });
}

export type Agent = {
  name: string;
  description: string | null;
  /** the projects that it wrote notes for */
  projects: string[];
  notes: number;
  createdAt: string;
  /** when it last wrote a note or was started as a subagent */
  lastActive: string;
};

/** Returns the agents, the last active first. */
export async function listAgents(tx: Tx, filter: { name?: string | undefined } = {}): Promise<Agent[]> {
  const name = sql`${filter.name ?? null}::text`;
  return query<Agent>(
    tx,
    sql`select a.name, a.description, coalesce(n.notes, 0) as notes, coalesce(n.projects, '{}') as projects,
          to_json(a.created_at) as "createdAt", to_json(a.last_active) as "lastActive"
        from agents a
        left join (
          select n.sender, sum(n.notes)::int as notes,
            array_agg(p.name order by p.name) filter (where p.name is not null) as projects
          from (
            select sender, project_id, count(*) as notes from notes
            where sender is not null and (${name} is null or sender = ${name})
            group by sender, project_id
          ) n
          left join projects p on p.id = n.project_id
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
export async function describeAgent(tx: Tx, name: string, description: string | null): Promise<Agent> {
  const told = { description: description === null ? null : redactText(description) };
  const known = indexable(redactText(name));
  await tx
    .insert(agents)
    .values({ name: known, ...told })
    .onConflictDoUpdate({ target: [agents.userId, agents.name], set: told });
  return (await listAgents(tx, { name: known }))[0] as Agent;
}

/** Notes when an agent was started. */
export async function noteAgent(tx: Tx, name: string, at: Date): Promise<void> {
  if (name.trim() === '') return;
  await query(
    tx,
    sql`insert into agents as a (name, created_at, last_active)
        values (${indexable(name.trim())}, ${at.toISOString()}, ${at.toISOString()})
        on conflict (user_id, name) do update set last_active = excluded.last_active
        where a.last_active < excluded.last_active`,
  );
}

/** SQL conditions for channels and agents that have no note and no description. */
const empty: { channels: SQL; agents: SQL } = {
  channels: sql`not exists (select from notes n where n.channel = c.name)`,
  agents: sql`not exists (select from notes n where n.sender = c.name)`,
};

/**
 * Erases channels and agents without any note: those that were last active before an instant, and those that
 * lost their last note just now. A description that somebody wrote stays, unless everything from before an
 * instant is erased.
 *
 * @param before ISO 8601, or null
 * @param names the channels and agents of the notes that were erased
 */
export async function eraseEmpty(
  tx: Tx,
  before: string | null,
  names: { channels: string[]; agents: string[] },
): Promise<{ channels: number; agents: number }> {
  const gone = async (table: 'channels' | 'agents', last: SQL) =>
    (
      await query(
        tx,
        sql`delete from ${sql.raw(table)} c where ${and(
          empty[table],
          sql`(${last} < ${before}::timestamptz
            or (c.description is null and c.name = any (${sql.param(names[table])}::text[])))`,
        )} returning 1`,
      )
    ).length;
  return {
    channels: await gone('channels', sql`c.created_at`),
    agents: await gone('agents', sql`c.last_active`),
  };
}
