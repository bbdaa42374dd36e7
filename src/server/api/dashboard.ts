import { dirname } from 'node:path';
import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { Config } from '../../base/config.ts';
import { attachmentsIn } from '../../base/files/attachments.ts';
import { isClone, loreForAgents } from '../../base/files/package-root.ts';
import { choicesFor } from '../../commands/checks.ts';
import { query } from '../../db/open.ts';
import { Unchecked, uncheckedOf } from '../../hooks/routes.ts';
import { time } from '../../http/schemas.ts';
import { served } from '../../http/serve.ts';

// What the phone page shows first, in one read. The numbers come from sql/realtime/dashboard.sql.

const counts = { sessions: z.number(), learnings: z.number(), commands: z.number(), errors: z.number() };

const Waiting = z.object({
  kind: z.enum(['command', 'step', 'client']),
  /** the code of a command, `<plan>/<number>` of a step; for a client, Lore's id of the session */
  id: z.string(),
  /** the project; for a command that no session asked for, its folder */
  project: z.string(),
  /** for a command, its whole text, as far as it is kept */
  title: z.string(),
  detail: z.string(),
  at: time,
  /** what a person may do about a command by POST /v1/commands/overrule; empty for the other kinds */
  choices: z.array(z.enum(['once', 'always', 'keep'])),
  /** the rule guards against what cannot be undone: nobody can allow the command */
  catastrophic: z.boolean(),
  rule: z.string().nullable(),
  /** the tool, if it was not the shell */
  tool: z.string().nullable(),
  /** a person's rule for the project stopped it */
  held: z.boolean(),
  cwd: z.string().nullable(),
});

const Work = z.object({
  projectId: z.string(),
  project: z.string(),
  /** null: the step was claimed without a session */
  sessionId: z.string().nullable(),
  /** the title of the session, or what a subagent is to do */
  title: z.string().nullable(),
  agent: z.string().nullable(),
  /** the client's id of a subagent */
  agentId: z.string().nullable(),
  /** the model that does it, as far as the client has told */
  model: z.string().nullable(),
  /** what its session waits for a person to do */
  waitingFor: z.string().nullable(),
  /** when its session was last heard of */
  heardAt: time,
  /** the step at work; null: the session follows no plan */
  plan: z
    .object({
      id: z.string(),
      goal: z.string(),
      step: z.number(),
      description: z.string(),
      done: z.number(),
      total: z.number(),
    })
    .nullable(),
});

const Did = z.object({
  /** `stopped`: a call, `held`: one by a lesson; else a lesson that was told, and whether it helped, if that is known yet */
  kind: z.enum(['stopped', 'held', 'told', 'helped', 'failed']),
  /** the code of the call (as of a check), or the id of the lesson */
  id: z.string(),
  sessionId: z.string(),
  project: z.string(),
  text: z.string(),
  /** of a lesson the error that it answers, null if it answers none; of a call why it was stopped, or the lesson */
  about: z.string().nullable(),
  /** how often today: a call was tried, a lesson was told with this outcome */
  times: z.number(),
  at: time,
});

const Dashboard = z
  .object({
    now: time,
    /** numbers of the current day in the time zone */
    today: z.object({
      ...counts,
      allowed: z.number(),
      denied: z.number(),
      /** calls that a person's rule or a lesson stopped */
      held: z.number(),
      /** commands that nobody could verify */
      unverified: z.number(),
      /** calls that Lore stopped by itself: denied or held */
      stopped: z.number(),
      /** lessons told, without a person's rules */
      told: z.number(),
      /** how often one of them helped, each once a session */
      helped: z.number(),
      /** share (0–1) of allowed commands among those that were decided; null: none was decided */
      safetyRate: z.number().nullable(),
    }),
    /** the last active first, 200 at most */
    projects: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        status: z.enum(['active', 'idle', 'blocked']),
        /** why it is blocked */
        reason: z.string().nullable(),
        lastActivity: time,
        lastTitle: z.string().nullable(),
        activeSessions: z.number(),
        today: z.object({ ...counts, denied: z.number() }),
      }),
    ),
    /** what a person may decide, the newest first, 100 at most */
    waiting: z.array(Waiting),
    /** what agents do, the last heard of first, 100 at most */
    working: z.array(Work),
    /** what Lore did today: 20 stopped calls and 20 lessons at most, each once */
    did: z.array(Did),
    /** where calls are not checked; without a remedy, do as \`attach\` says */
    unchecked: z.array(Unchecked),
    /** how a project is attached: a command, in which PATH stands for it or that is run there; for the owner also where it was */
    attach: z.object({ command: z.string(), attached: z.array(z.string()) }),
    /** lessons in force; all that waits */
    counts: z.object({ learnings: z.number(), waiting: z.number() }),
  })
  .openapi('Dashboard');

/** Offsets are left out, because PostgreSQL reads their sign the other way round. */
const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin')
  .default('UTC');

function isTimeZone(name: string): boolean {
  if (!/^[a-z][\w+-]*(?:\/[\w+-]+)*$/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** What is shown of a command besides; of other kinds nothing. */
type About = Pick<z.infer<typeof Waiting>, 'catastrophic' | 'rule' | 'tool' | 'held' | 'cwd'>;
const NOTHING: About = { catastrophic: false, rule: null, tool: null, held: false, cwd: null };
type Row = Omit<z.infer<typeof Dashboard>, 'waiting' | 'unchecked' | 'attach'> & {
  waiting: (Omit<z.infer<typeof Waiting>, keyof About | 'choices'> & {
    about: Partial<About> & { covered?: boolean };
  })[];
};

export const dashboardRoutes = served((route, services: Parameters<typeof uncheckedOf>[0]) =>
  route(
    'GET /v1/dashboard',
    'How the projects stand, the counts of the day, and what waits for a person',
    { query: z.strictObject({ timeZone: TimeZone }), answer: Dashboard },
    async ({ caller, query: { timeZone }, as }) => {
      const [row] = await as((tx) => query<{ told: Row }>(tx, sql`select dashboard(${timeZone}) as told`));
      const { waiting, ...told } = (row as { told: Row }).told;
      const shown = waiting.map(({ about: { covered = true, ...about }, ...one }) => {
        const all = { ...one, ...NOTHING, ...about };
        const isCommand = one.kind === 'command';
        return { ...all, choices: isCommand ? choicesFor({ ...all, command: one.title, covered }) : [] };
      });
      const unchecked = await uncheckedOf(services, caller);
      const attach = howToAttach(services.config, caller.role === 'owner');
      return { ...told, waiting: shown, unchecked, attach };
    },
  ),
);

/** The owner has this installation; others have their own. */
function howToAttach({ home }: Pick<Config, 'home'>, isOwner: boolean): z.infer<typeof Dashboard>['attach'] {
  if (!isOwner) return { command: 'lore init', attached: [] };
  const attached = [...new Set(attachmentsIn(home).map((file) => dirname(dirname(file))))];
  return { command: `${loreForAgents} init${isClone ? ' PATH' : ''}`, attached };
}
