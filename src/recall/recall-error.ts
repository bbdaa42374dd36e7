import { type SQL, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { type EarlierError, solvedWithLine, unsolvedBefore } from '../incidents/incidents.ts';
import { dayOf, type Offer, quote } from '../offers/frame.ts';
import { readLine } from '../shell/line.ts';
import { isCheck } from '../shell/parts.ts';
import { takesFields } from '../shell/shell-tools.ts';
import { offerLesson } from './offer-lesson.ts';
import { MIN_CONFIDENCE, type Row, recalledColumns, toRecalled } from './recall.ts';

// What is known from earlier errors about an error for which the project has no lesson. If an earlier error was solved,
// its lesson is told if the lesson was promoted. A fix that belongs to its task, or is only proposed is not
// told at another error than its own. If nothing solved the earlier error, a warning says what was tried in vain.

const MOST_LESSONS = 20;
/** In tokens. */
const LENGTH = { call: 40, tried: 70, end: 60 };
const MOST_TRIED = 4;

/** An error that has just happened. */
export type Failure = {
  projectId: string;
  sessionId: string;
  signature: { id: string; lines: string[]; text: string; salient: string };
  /** records that the agent already has in its context */
  offered: string[];
};

/**
 * Returns what is known about exactly this error: the lesson of one that printed the same line here, a warning of what was
 * tried in vain, or the lesson of another project of the user.
 */
export async function recallSameError(tx: Tx, failure: Failure): Promise<Offer[]> {
  const { projectId, sessionId, signature, offered } = failure;
  const [lessons, unsolved, alike] = await Promise.all([
    query<Row & { project: string }>(
      tx,
      sql`select ${recalledColumns}, p.name as project from learnings l join projects p on p.id = l.project_id
          where l.user_id = auth.uid() and l.signature = ${signature.id} and l.project_id <> ${projectId}
            and ${inForce}
          order by l.confidence desc, l.last_confirmed_at desc limit ${MOST_LESSONS}`,
    ),
    unsolvedBefore(tx, { projectId, sessionId, signature: signature.id }),
    solvedWithLine(tx, projectId, signature.lines).then((ids) => lessonsOf(tx, ids)),
  ]);
  const own = alike.find(({ id }) => !offered.includes(id));
  if (own) return [offerLesson(toRecalled(own, 'medium'), 'the same message')];
  const told = unsolved.some(({ id }) => offered.includes(id));
  const warning = unsolved.find((error) => isWorthAWarning(error));
  if (warning && !told) return [warn(warning)];
  const lesson = lessons.find(({ id }) => !offered.includes(id));
  return lesson ? [offerLesson(toRecalled(lesson, 'high'), `the same error in ${lesson.project}`)] : [];
}

const valid: SQL = sql`l.valid_until is null and l.confidence >= ${MIN_CONFIDENCE}`;
const inForce: SQL = sql`l.status = 'active' and ${valid}`;

/**
 * Returns the lessons that were learned from these errors, in the version that is in force now. If one call answered
 * several errors, the lesson of the first of them is that of all.
 */
const lessonsOf = async (tx: Tx, incidents: string[]): Promise<(Row & { incident: string })[]> =>
  incidents.length === 0
    ? []
    : query(
        tx,
        sql`select distinct ${recalledColumns}, e.id as incident
            from incidents e
            join incidents t on t.user_id = e.user_id and t.session_id = e.session_id
              and (t.id = e.id or t.resolution ->> 'toolUseId' = e.resolution ->> 'toolUseId')
            join learning_requests r on r.user_id = t.user_id and r.incident_id = t.id
            join learnings s on s.user_id = r.user_id and s.id = r.learning_id
            join learnings l on l.user_id = s.user_id and l.project_id = s.project_id and l.lineage_id = s.lineage_id
            where e.user_id = auth.uid() and e.id = any (${sql.param(incidents)}::uuid[])
              and l.status in ('proposed', 'active') and ${valid}`,
      );

/**
 * Whether a warning saves another session from trying the same in vain. A red test or build belongs to
 * its task and needs none.
 */
function isWorthAWarning({ tool, command }: EarlierError): boolean {
  if (command === null) return takesFields(tool);
  const { parts } = readLine(command);
  return parts.length > 0 && !parts.some(isCheck);
}

function warn(error: EarlierError): Offer {
  const { tried, openedAt, call } = error;
  const steps = tried.steps.slice(-MOST_TRIED).map((step) => `\`${step}\``);
  const days = (Date.now() - openedAt.getTime()) / 86_400_000;
  return {
    kind: 'error',
    sourceId: error.id,
    relevance: 'high',
    lines: [
      `[HIGH, unsolved] An earlier session did not solve this: \`${quote(call, LENGTH.call)}\``,
      `tried in vain: ${quote(steps.join(', '), LENGTH.tried)}`,
      `ended with: ${quote(tried.end, LENGTH.end)}`,
      `${dayOf(Math.max(0, days))} (lore:${error.id.slice(0, 8)})`,
    ],
  };
}
