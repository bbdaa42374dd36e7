import { and, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { type SessionIds, sessionContext } from '../sessions/sessions.ts';
import { PIECE } from '../sessions/story.ts';
import { lineOfTool } from '../shell/line.ts';
import { clip } from '../text/clip.ts';
import { isTry } from './ladder.ts';
import { answerInLater, type Resolved, readResolutions, triesOf } from './resolve.ts';
import { incidents, type Tried } from './schema.ts';
import { type Call, type Follower, isCall, type SessionStep } from './steps.ts';

/** How long an error that nothing answered can still be answered by other sessions of its project. */
const OPEN_DAYS = 30;
/** Most older errors of a project that are looked at, the newest first. */
const MAX_OLDER = 50;
/** Most own errors of a session that are looked at, the newest first. */
const MAX_OWN = 1_000;
const MAX_TEXT = 4000;
/** An answer comes at most this many calls after its error (`MAX_BETWEEN` in ladder.ts). */
const WINDOW = 200;
/** So many calls of a piece are looked at again with the next one: those before an answer, and those after it. */
const KEPT = 2 * WINDOW;
/** Most errors that are remembered from earlier pieces, because they may come again. */
const MAX_EARLIER = 100;
const UNANSWERED = ['open', 'unresolved'] as const;

/** SQL condition: the project has errors that a later call may answer. */
export const hasUnanswered = (projectId: string) =>
  sql`exists (select 1 from incidents where project_id = ${projectId} and status in ('open', 'unresolved')
        and opened_at > now() - make_interval(days => ${OPEN_DAYS}::int))`;

/** What answered an error. `tells`: whether a lesson may be written about it. */
type Found = Resolved & { tells: boolean };

/**
 * Follows a session's story to close the incidents that its calls answer: its own, and those of other sessions of the
 * project, which nothing has answered so far. Following it again changes nothing. `settle` returns the ids of the
 * incidents that a lesson may be written about, in the order in which they happened.
 *
 * The last calls of each piece are looked at again together with the next one, so that an answer is found wherever a
 * piece ends.
 *
 * @param options.notBefore when the story begins at the earliest; null: with the session
 * @param options.explained closes only errors about which an agent has said something since, because other agents
 *   still work
 * @param options.ended notes what was tried in vain about each error that nothing answered
 * @returns null if there is no such incident
 */
export async function followErrors(
  tx: Tx,
  session: SessionIds,
  options: { notBefore: Date | null; explained: boolean; ended: boolean },
): Promise<Follower<string[]> | null> {
  const { notBefore, explained, ended } = options;
  const own = (await unanswered(tx, eq(incidents.sessionId, session.id), MAX_OWN)).map(toOwn);
  const before = await unanswered(
    tx,
    and(eq(incidents.projectId, session.projectId), ne(incidents.sessionId, session.id)),
    MAX_OLDER,
  );
  if (own.length + (explained ? 0 : before.length) === 0) return null;
  const first = new Date(Math.min(...own.map(({ openedAt }) => openedAt.getTime())));
  const asked = before.length > 0 ? null : first;
  const since = notBefore !== null && (asked === null || asked < notBefore) ? notBefore : asked;
  // what answered an error that is older than the story was looked for when the story's beginning happened
  let older = explained ? [] : before.filter(({ openedAt }) => since === null || openedAt >= since);
  const idOf = new Map(own.map(({ id, toolUseId }) => [toolUseId, id]));
  const found = new Map<string, Found>();
  const foundOlder = new Map<string, Found>();
  const tried = new Map<string, Tried>();
  /** errors of other sessions whose answer would come too late now */
  const tooLate = new Set<string>();
  /** the last steps of the piece before, and its errors before these that nothing has answered so far */
  let kept: SessionStep[] = [];
  let earlier: Call[] = [];
  /** answers in turns that have not ended yet */
  let unexplained: { one: Found; said: string | null }[] = [];

  const explain = (steps: SessionStep[]) => {
    for (const step of unexplained.length > 0 ? steps : []) {
      if (step.kind === 'prompt') {
        for (const { one, said } of unexplained) one.resolution.lastMessage = said;
        unexplained = [];
      } else if (step.kind === 'said') {
        for (const waiting of unexplained) {
          if (step.agentId === waiting.one.worked.agentId) waiting.one.resolution.lastMessage ??= step.text;
          else if (step.agentId === null) waiting.said ??= step.text;
        }
        unexplained = unexplained.filter(({ one }) => one.resolution.lastMessage === null);
      }
    }
  };
  const keep = (into: Map<string, Found>, id: string, one: Resolved, tells: boolean, last: boolean) => {
    const answer = { ...one, tells };
    into.set(id, answer);
    if (!last && answer.resolution.lastMessage === null) unexplained.push({ one: answer, said: null });
  };

  return {
    since,
    see(piece, last) {
      const fresh = since === null ? piece : piece.filter(({ at }) => at >= since);
      explain(fresh);
      const now = [...kept, ...fresh];
      const again = now.filter((step) => isCall(step) && step.signature !== null) as Call[];
      const steps = [
        ...earlier.filter((call) =>
          again.some((one) => one.signature === call.signature && isTry(call, one)),
        ),
        ...now,
      ];
      const calls = steps.filter(isCall);
      /** Whether nothing that comes later can be a better answer. */
      const isFinal = ({ worked }: Resolved) => last || calls.indexOf(worked) < calls.length - WINDOW;
      const { answered, told } = readResolutions(steps);
      for (const one of answered) {
        const id = idOf.get(one.failed.toolUseId);
        if (id !== undefined && !found.has(id) && isFinal(one))
          keep(found, id, one, told.includes(one), last);
      }
      older = older.filter((incident) => {
        const { id, openedAt, signature } = incident;
        const same = answered.find(({ failed }) => failed.signature === signature);
        const one = same ?? (tooLate.has(id) ? null : answerElsewhere(incident, steps));
        if (calls.filter(({ at }) => at > openedAt).length > WINDOW) tooLate.add(id);
        if (!one || !(isFinal(one) || (!same && tooLate.has(id)))) return true;
        // if this session saw the error too, its own incident gets the lesson
        const resolution = { ...one.resolution, sessionId: session.id };
        keep(foundOlder, id, { ...one, resolution }, !same, last);
        return false;
      });
      for (const call of ended ? calls : []) {
        const id = idOf.get(call.toolUseId);
        const vain = id === undefined || found.has(id) ? null : triesOf(call, steps);
        if (id === undefined || vain === null) continue;
        const before = tried.get(id)?.steps ?? [];
        tried.set(id, { ...vain, steps: [...new Set([...before, ...vain.steps])].slice(-MAX_TRIES) });
      }
      const from = now.indexOf(now.filter(isCall).at(-KEPT) ?? (now[0] as SessionStep));
      kept = now.slice(Math.max(0, from)).slice(-PIECE);
      earlier = [...earlier, ...now.slice(0, now.length - kept.length).filter(isCall)]
        .filter(({ toolUseId }) => idOf.has(toolUseId) && !found.has(idOf.get(toolUseId) as string))
        .slice(-MAX_EARLIER);
    },
    async settle(tx) {
      for (const { one, said } of unexplained) one.resolution.lastMessage = said;
      const closed: string[] = [];
      const left = new Map(own.map((one) => [one.id, one]));
      for (const [id, one] of found) {
        if (explained && one.resolution.lastMessage === null) continue;
        await close(tx, id, one);
        left.delete(id);
        if (one.tells) closed.push(id);
      }
      for (const [id, one] of foundOlder) {
        await close(tx, id, one);
        if (one.tells) closed.push(id);
      }
      if (ended) await noteTries(tx, session.id, [...left.values()].reverse(), tried);
      return closed;
    },
  };
}

/** Most deeds that are noted as tried in vain. */
const MAX_TRIES = 10;

/**
 * Notes for each unanswered error of a session that has ended what was tried in vain. If an error happened several
 * times, notes it only with the first of them.
 *
 * @param errors the oldest first
 */
async function noteTries(tx: Tx, sessionId: string, errors: Own[], tried: Map<string, Tried>): Promise<void> {
  if (tried.size === 0) return;
  const { root } = await sessionContext(tx, sessionId);
  const seen = new Set<string>();
  for (const { id, signature } of errors) {
    const one = seen.has(signature) ? undefined : tried.get(id);
    seen.add(signature);
    if (!one) continue;
    const steps = root === null ? one.steps : one.steps.map((step) => step.replaceAll(`${root}/`, ''));
    await tx
      .update(incidents)
      .set({ tried: { ...one, steps } })
      .where(eq(incidents.id, id));
  }
}

const unanswered = (tx: Tx, where: ReturnType<typeof and>, most: number) =>
  tx
    .select({
      id: incidents.id,
      agentId: incidents.agentId,
      toolName: incidents.toolName,
      toolUseId: incidents.toolUseId,
      target: incidents.target,
      input: incidents.input,
      error: incidents.error,
      signature: incidents.signature,
      openedAt: incidents.openedAt,
    })
    .from(incidents)
    .where(
      and(
        where,
        inArray(incidents.status, [...UNANSWERED]),
        gt(incidents.openedAt, sql`now() - make_interval(days => ${OPEN_DAYS}::int)`),
      ),
    )
    .orderBy(sql`${incidents.openedAt} desc`)
    .limit(most);

type Unanswered = Awaited<ReturnType<typeof unanswered>>[number];
type Own = Pick<Unanswered, 'id' | 'toolUseId' | 'signature' | 'openedAt'>;

const toOwn = ({ id, toolUseId, signature, openedAt }: Unanswered): Own => ({
  id,
  toolUseId,
  signature,
  openedAt,
});

async function close(tx: Tx, id: string, { worked, resolution }: Resolved): Promise<void> {
  const stored = {
    ...resolution,
    command: resolution.command && clip(resolution.command, 2000),
    commands: resolution.commands.map((line) => clip(line, 300)),
    attempts: resolution.attempts.map((line) => clip(line, 300)),
    said: resolution.said && clip(resolution.said, 1000),
    lastMessage: resolution.lastMessage && clip(resolution.lastMessage, MAX_TEXT),
  };
  await tx
    .update(incidents)
    .set({ status: 'resolved', resolvedAt: worked.at, resolution: stored })
    .where(and(eq(incidents.id, id), inArray(incidents.status, [...UNANSWERED])));
}

/** Returns how a session answered an error of another session; null if it did not. */
function answerElsewhere(incident: Unanswered, steps: SessionStep[]): Resolved | null {
  const { input } = incident;
  const call: Call = {
    kind: 'call',
    toolUseId: incident.toolUseId,
    agentId: incident.agentId,
    tool: incident.toolName,
    line: lineOfTool(incident.toolName, input),
    target: incident.target,
    input,
    ok: false,
    signature: incident.signature,
    output: incident.error,
    printed: incident.error,
    edits: [],
    at: incident.openedAt,
  };
  return answerInLater(call, steps);
}
