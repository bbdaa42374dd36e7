import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { clip } from '../base/text/clip.ts';
import { query, type Tx } from '../db/open.ts';
import { type SessionIds, sessionOfId } from '../sessions/sessions.ts';
import { type Line, lineOfTool } from '../shell/line.ts';
import { takesFields } from '../shell/shell-tools.ts';
import { losesExit } from './detect.ts';
import { doesAgain, isWrongUse, type Likeness, servesSame } from './passes.ts';
import { incidents, type Resolution } from './schema.ts';
import type { Call, Edit, Follower, SessionStep } from './steps.ts';

// What was done about an error until the same call, or one for the same purpose, passed. That is evidence: it is kept with
// the error, shown, searched, and handed to whoever asks. What it means is not read here.

/** How long an error that nothing answered can still be answered by other sessions of its project. */
const OPEN_DAYS = 30;
/** Most errors of other sessions that are looked at, and most own ones that wait for an answer, the newest. */
const MAX_OTHERS = 50;
const MAX_WAITING = 100;
/** Most commands, edits and attempts that are kept, the last ones. */
const MAX_KEPT = 10;
const UNANSWERED = sql`status <> 'resolved' and opened_at > now() - make_interval(days => ${OPEN_DAYS}::int)`;

/** SQL condition: the project has errors that a later call may answer. */
export const hasUnanswered = (projectId: string) =>
  sql`exists (select 1 from incidents where project_id = ${projectId} and ${UNANSWERED})`;

/** An error that waits for its answer. */
type Waiting = {
  id: string;
  failed: Call;
  /** whether another session met it; `ended`: in this work tree, and it is over */
  elsewhere: boolean | 'ended';
  /** what was done since it happened last */
  edits: Edit[];
  commands: string[];
  /** commands that did not help */
  attempts: string[];
  /** all that was done before it happened again, and the error in which the last try ended */
  tried: string[];
  end: string;
  said: string | null;
};
type Answer = { of: Waiting; worked: Call; resolution: Resolution; told: boolean; ended: boolean };

/**
 * Follows a session's story to close the incidents that its calls answer: its own, and those of other sessions of the
 * project, which nothing has answered so far. Following it again changes nothing. `settle` returns the ids of the
 * incidents that a lesson may be written about, in the order in which they were answered.
 *
 * @param options.notBefore when the story begins at the earliest; null: with the session
 * @param options.ended notes what was tried in vain about each error that nothing answered
 * @returns null if there is no such incident
 */
export async function followErrors(
  tx: Tx,
  session: SessionIds,
  { notBefore, ended }: { notBefore: Date | null; ended: boolean },
): Promise<Follower<string[]> | null> {
  const { id, projectId } = session;
  const own = await unanswered(tx, sql`session_id = ${id}`, 1_000);
  const elsewhere = sql`project_id = ${projectId} and session_id <> ${id}`;
  const others = await unanswered(tx, elsewhere, MAX_OTHERS);
  if (own.length + others.length === 0) return null;
  const root = (await sessionOfId(tx, session.id))?.root ?? null;
  const first = new Date(Math.min(...own.map(({ openedAt }) => openedAt.getTime())));
  const asked = others.length > 0 ? null : first;
  const since = notBefore !== null && (asked === null || asked < notBefore) ? notBefore : asked;
  const idOf = new Map(own.map(({ id, toolUseId }) => [toolUseId, id]));
  // what answered an error that is older than the story was looked for when the story's beginning happened
  let waiting: Waiting[] = others
    .filter(({ openedAt }) => since === null || openedAt >= since)
    .map((one) =>
      waits(one.id, callOf(one), one.status === 'unresolved' && one.root === root ? 'ended' : true),
    );
  const answers: Answer[] = [];

  function see(step: SessionStep): void {
    if (step.kind === 'prompt') {
      for (const one of waiting) one.said = step.text;
      for (const one of answers) one.ended = true;
    } else if (step.kind === 'said') {
      for (const one of answers) {
        if (one.ended || (step.agentId !== null && step.agentId !== one.worked.agentId)) continue;
        one.resolution.lastMessage = clip(step.text, 4_000);
        one.ended = true;
      }
    } else {
      waiting = waiting.filter((one) => {
        if (step.at <= one.failed.at) return true;
        const likeness = step.ok && !showsAgain(one.failed, step) ? answersHow(one, step) : null;
        if (likeness !== null) answers.push(answerOf(one, step, likeness));
        else note(one, step);
        return likeness === null;
      });
      const id = step.signature === null ? undefined : idOf.get(step.toolUseId);
      if (id !== undefined) waiting = [...waiting, waits(id, step, false)].slice(-MAX_WAITING - MAX_OTHERS);
    }
  }

  function answerOf(of: Waiting, worked: Call, kind: Likeness): Answer {
    const kept = (lines: string[], most: number) => lines.map((line) => clip(line, most));
    const resolution: Resolution = {
      kind,
      toolUseId: worked.toolUseId,
      command: clip(worked.line?.text ?? `${worked.tool} ${worked.target ?? ''}`, 2_000),
      edits: of.edits,
      commands: kept(of.commands, 300),
      attempts: kept(of.attempts, 300),
      said: of.said && clip(of.said, 1_000),
      lastMessage: null,
      sessionId: of.elsewhere ? session.id : null,
    };
    // one call that answers several tries of the same thing is told once, about the first of them that this session met
    const { signature } = of.failed;
    const told =
      !(of.elsewhere && (nothingDone(of) || own.some((one) => one.signature === signature))) &&
      !answers.some((one) => one.told && one.of.failed.signature === signature && one.worked === worked);
    return { of, worked, resolution, told, ended: false };
  }

  return {
    since,
    see: (steps) => steps.filter(({ at }) => since === null || at >= since).forEach(see),
    async settle(tx) {
      for (const { of, worked, resolution } of answers)
        await query(tx)`
          update incidents set status = 'resolved', resolution = ${JSON.stringify(resolution)}::jsonb,
            resolved_at = ${worked.at.toISOString()}::timestamptz
          where id = ${of.id} and status <> 'resolved'`;
      if (ended) await noteTries(tx, session.id, waiting);
      return answers.flatMap(({ of, told }) => (told ? of.id : []));
    },
  };
}

const waits = (id: string, failed: Call, elsewhere: Waiting['elsewhere']): Waiting => {
  return { id, failed, elsewhere, edits: [], commands: [], attempts: [], tried: [], end: '', said: null };
};

/** Returns how a call that worked answers an error; null if it does not. */
function answersHow(of: Waiting, worked: Call): Likeness | null {
  const { failed, elsewhere } = of;
  const again = doesAgain(failed, worked);
  // while its session goes on, or in another work tree, a call that just passes says nothing about one that failed
  if (elsewhere)
    return elsewhere === true && nothingDone(of) && failed.target === worked.target ? null : again;
  if (again === 'same') return again;
  if (worked.line !== null && CANNOT_FAIL.test(worked.line.text)) return null;
  if (again !== null) return again;
  const { line, output: error } = failed;
  if (line === null || worked.line === null || !nothingDone(of) || !isWrongUse(error, line.text)) return null;
  return servesSame({ line, error }, worked.line) ? 'other' : null;
}

const nothingDone = ({ edits, commands }: Waiting): boolean => edits.length + commands.length === 0;

/** The success of a line proves nothing: it ends in `|| true`, or in a command that goes on in the background. */
const CANNOT_FAIL = /\|\|\s*(?:true|:|echo\b[^;&|]*)\s*;?\s*$|(?<![&>])&\s*$/;

/** Shortest line that identifies an error, in characters. `Error:` alone may be the heading of anything. */
const MIN_TELLING = 12;

/** Whether a call whose exit code is lost shows the lines of an error again: `mvn -U verify | head -3`. */
const showsAgain = ({ output }: Call, { line, printed }: Call): boolean =>
  line !== null &&
  (losesExit(line) || line.text.includes('|')) &&
  output.split('\n').some((one) => one.length >= MIN_TELLING && printed.includes(one));

/** Notes what a call that answers nothing means for an error: something was done, or it failed again. */
function note(one: Waiting, call: Call): void {
  const { failed } = one;
  const text = call.line?.text.trim();
  if (call.ok && !showsAgain(failed, call)) {
    one.edits = [...one.edits, ...call.edits].slice(-MAX_KEPT);
    // nobody knows what a tool of a server does
    const did = text ?? (takesFields(call.tool) ? `${call.tool} ${call.target ?? ''}`.trim() : '');
    if (did !== '' && (call.line === null || didMore(call.line))) one.commands = added(one.commands, did);
    return;
  }
  if (text !== undefined && call.target !== failed.target) one.attempts = added(one.attempts, text);
  if (doesAgain(failed, call) === null) return;
  const tried = [...one.commands, ...one.edits.map(({ file }) => `edited ${file}`)];
  if (text !== undefined && call.target !== failed.target) tried.push(text);
  one.tried = added(one.tried, ...tried.map((line) => clip(line.replace(/\s+/g, ' '), 200)));
  one.end = clip(call.output, 500);
  // what came before the last failure of the same kind did not help
  if (call.signature !== failed.signature && call.signature !== null) return;
  one.attempts = added(one.attempts, ...one.commands);
  one.edits = [];
  one.commands = [];
}

/** Whether a line did more than look. */
const didMore = (line: Line): boolean => !line.onlyLooks && (line.parts.length > 0 || line.setsVariables);

const added = (lines: string[], ...more: string[]): string[] =>
  [...new Set([...lines, ...more])].slice(-MAX_KEPT);

/** Notes what was tried in vain about each error that nothing answered, with the first of equal errors. */
async function noteTries(tx: Tx, sessionId: string, waiting: Waiting[]): Promise<void> {
  const left = waiting.filter(({ elsewhere }) => !elsewhere);
  if (left.length === 0) return;
  const root = (await sessionOfId(tx, sessionId))?.root ?? null;
  for (const [i, { id, failed, tried, end }] of left.entries()) {
    const before = left.findIndex((one) => one.failed.signature === failed.signature);
    if (tried.length === 0 || before < i) continue;
    const steps = root === null ? tried : tried.map((step) => step.replaceAll(`${root}/`, ''));
    await query(tx)`update incidents set tried = ${JSON.stringify({ steps, end })}::jsonb where id = ${id}`;
  }
}

const unanswered = (tx: Tx, where: SQL, most: number) =>
  tx
    .select({
      ...getTableColumns(incidents),
      root: sql<string | null>`(select s.root from sessions s where s.id = ${incidents.sessionId})`,
    })
    .from(incidents)
    .where(sql`${where} and ${UNANSWERED}`)
    .orderBy(sql`${incidents.openedAt} desc`)
    .limit(most);

/** Returns the call of an error that another session met. */
const callOf = (one: Awaited<ReturnType<typeof unanswered>>[number]): Call => ({
  kind: 'call',
  toolUseId: one.toolUseId,
  agentId: one.agentId,
  tool: one.toolName,
  line: lineOfTool(one.toolName, one.input),
  target: one.target,
  input: one.input,
  ok: false,
  signature: one.signature,
  output: one.error,
  printed: one.error,
  edits: [],
  at: one.openedAt,
});
