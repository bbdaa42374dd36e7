import { sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';
import { readLine } from '../shell/line.ts';
import { isCheck } from '../shell/parts.ts';
import { sessionMeasures } from './schema.ts';

type Counts = {
  started: string | null;
  first: string | null;
  prompts: number;
  calls: number;
  commands: number;
  errors: number;
  repeated: number;
  working: number | null;
  /**
   * shell commands after the first prompt, each with the first time that it passed and the commands until then, in the
   * order of these; null: it never passed
   */
  lines: { target: string; at: string | null; commands: number | null }[];
};

/**
 * Counts how a session that has ended went. When it goes on and ends again, it is counted anew.
 *
 * @returns its different errors and its tool calls
 */
export async function measureSession(tx: Tx, sessionId: string): Promise<{ errors: number; calls: number }> {
  const [found] = await query<Counts>(
    tx,
    sql`select to_json(started) as started, to_json(first_prompt) as first, prompts, calls, commands, errors,
          repeated_errors as repeated, working_ms::float8 as working, lines
        from session_counts(${sessionId}::uuid)`,
  );
  if (!found?.started) return { errors: 0, calls: 0 };
  const checks = found.lines.filter(({ target }) => readLine(target).parts.some(isCheck));
  const green = checks.find(({ at }) => at !== null);
  const measures = {
    startedAt: new Date(found.started),
    prompts: found.prompts,
    calls: found.calls,
    commands: found.commands,
    errors: found.errors,
    repeatedErrors: found.repeated,
    checked: checks.length > 0,
    greenSeconds: green?.at && found.first ? (Date.parse(green.at) - Date.parse(found.first)) / 1000 : null,
    commandsToSuccess: green?.commands ?? null,
    workingMs: found.working,
    measuredAt: new Date(),
  };
  await tx
    .insert(sessionMeasures)
    .values({ sessionId, ...measures })
    .onConflictDoUpdate({
      target: [sessionMeasures.userId, sessionMeasures.sessionId],
      set: measures,
    });
  return { errors: found.errors, calls: found.calls };
}

/**
 * Erases the counts of sessions that began before an instant. The counts of an erased session go with the
 * session.
 */
export async function erase(tx: Tx, { sessions, before }: Erasure): Promise<Erased> {
  const gone = await query(
    tx,
    sql`delete from session_measures
        where session_id = any (${sql.param(sessions)}::uuid[]) or started_at < ${before}::timestamptz returning 1`,
  );
  return { sessionMeasures: gone.length };
}
