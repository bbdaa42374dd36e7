import { eq, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { callsBetween, callsOn, countCalls } from '../sessions/calls.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import type { Session } from '../sessions/sessions.ts';
import { clip, filesTouched, invocationOf, programOf } from '../shell/command-key.ts';
import { onlyLooks } from '../shell/looks.ts';
import { outputError } from './detect.ts';
import { incidents, type Resolution } from './schema.ts';

const WRITING_TOOLS = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'];

/** Errors that name a wrong invocation. For these, the next call of the same program that works is the answer. */
const INVOCATION_ERRORS =
  /^Denied by rule |command not found|unknown (?:\w+ )?(option|command|argument|flag)|unrecognized|invalid (option|argument)|missing script|no such (file|command|script)|not recognized|no upstream branch|^usage:|no module named|is not a (git|docker) command/im;

/** Errors of a wrong subcommand. For these, another subcommand may be the answer. */
const WRONG_SUBCOMMAND = /unknown command|missing script|is not a \w+ command/i;

/** Most calls between a wrong invocation and the right one. */
const MAX_CALLS_BETWEEN = 3;

/**
 * Closes the session's incidents that this successful call resolves. That is a call of the same tool on the same
 * target. If the error named a wrong invocation, it is also a call of the same program in another way shortly
 * afterwards.
 */
export async function resolveIncidents(
  tx: Tx,
  session: Session,
  event: HookEvent,
  call: { target: string | null; at: Date },
): Promise<void> {
  if (!event.tool_name || call.target === null) return;
  type Open = { id: string; target: string | null; error: string; openedAt: string };
  const open = await query<Open>(
    tx,
    sql`select id, target, error, opened_at as "openedAt" from incidents
        where session_id = ${session.id} and status in ('open', 'unresolved') and tool_name = ${event.tool_name}
          and opened_at <= ${call.at.toISOString()}
        order by opened_at desc limit 20`,
  );
  for (const row of open) {
    const incident = { ...row, openedAt: new Date(row.openedAt) };
    const kind =
      incident.target === call.target
        ? 'same'
        : (await isVariant(tx, session, event, incident, call))
          ? 'variant'
          : null;
    if (kind === null) continue;
    const resolution = await describeResolution(tx, session, event, kind, incident.openedAt, call);
    await tx
      .update(incidents)
      .set({ status: 'resolved', resolvedAt: call.at, resolution })
      .where(eq(incidents.id, incident.id));
  }
}

async function isVariant(
  tx: Tx,
  session: Session,
  event: HookEvent,
  incident: { target: string | null; error: string; openedAt: Date },
  call: { target: string | null; at: Date },
): Promise<boolean> {
  if (event.tool_name !== 'Bash' || !incident.target || !call.target) return false;
  if (!INVOCATION_ERRORS.test(incident.error)) return false;
  const kind = WRONG_SUBCOMMAND.test(incident.error) ? programOf : invocationOf;
  if (onlyLooks(call.target) || kind(incident.target) !== kind(call.target)) return false;
  const period = { after: incident.openedAt, until: call.at };
  return (await countCalls(tx, session.id, period, MAX_CALLS_BETWEEN + 1)) <= MAX_CALLS_BETWEEN;
}

/** Returns what was done since the error: edits, and commands other than those that only look. */
async function describeResolution(
  tx: Tx,
  session: Session,
  event: HookEvent,
  kind: Resolution['kind'],
  since: Date,
  call: { target: string | null; at: Date },
): Promise<Resolution> {
  const period = { after: since, until: call.at };
  const calls = await callsBetween(tx, session.id, [...WRITING_TOOLS, 'Bash'], period);
  const edits = calls
    .filter((c) => WRITING_TOOLS.includes(c.tool ?? ''))
    .flatMap((c) => editsOf(c.tool ?? '', c.event));
  const commands = calls
    .filter((c) => c.tool === 'Bash' && c.target !== null && c.target !== call.target)
    .map((c) => c.target as string)
    .filter((command) => !onlyLooks(command));
  return {
    kind,
    toolUseId: event.tool_use_id ?? null,
    command: call.target,
    edits: edits.slice(-10),
    commands: [...new Set(commands)].slice(-10).map((command) => clip(command, 300)),
    lastMessage: null,
  };
}

type Edit = { old_string?: unknown; new_string?: unknown };

function editsOf(tool: string, event: HookEvent): Resolution['edits'] {
  const input = event.tool_input ?? {};
  const file = filesTouched(tool, input)[0];
  if (file === undefined) return [];
  if (tool === 'MultiEdit' && Array.isArray(input.edits)) {
    return (input.edits as Edit[]).map((edit) => ({
      file,
      before: text(edit.old_string),
      after: text(edit.new_string),
    }));
  }
  if (tool === 'Edit') return [{ file, before: text(input.old_string), after: text(input.new_string) }];
  const response = event.tool_response as { originalFile?: unknown } | null | undefined;
  return [{ file, before: text(response?.originalFile), after: text(input.content ?? input.new_source) }];
}

const text = (value: unknown) => (typeof value === 'string' ? clip(value, 4000) : null);

/**
 * Resolves the incidents that later calls of the session answered. Recovered events need it: they arrive out of order.
 */
export async function resolveLate(tx: Tx, session: Session): Promise<void> {
  type Open = { target: string; since: string };
  const open = await query<Open>(
    tx,
    sql`select target, min(opened_at) as since from incidents
        where session_id = ${session.id} and status in ('open', 'unresolved') and target is not null
        group by target`,
  );
  if (open.length === 0) return;
  const since = new Date(Math.min(...open.map((row) => new Date(row.since).getTime())));
  const targets = open.map((row) => row.target);
  for (const { event, target, at } of await callsOn(tx, session.id, targets, since)) {
    if (outputError(event.tool_name ?? '', event.tool_input, event.tool_response) !== null) continue;
    await resolveIncidents(tx, session, event, { target, at });
  }
}
