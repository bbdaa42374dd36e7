import { sql } from 'drizzle-orm';
import { lastingSentence } from '../asking/lasting.ts';
import { rulesAsking } from '../commands/checks.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { query, type Tx } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { answerGuard } from '../guards/guards.ts';
import { isCall, type SessionStep } from '../incidents/steps.ts';
import { saidIn } from '../language/standing.ts';
import { ModelUnavailable } from '../llm/ask.ts';
import { projectNameOf } from '../sessions/projects.ts';
import { type SessionIds, sessionContext } from '../sessions/sessions.ts';
import { assistantWords, rejections } from '../sessions/transcript.ts';
import { askModel } from './ask-model.ts';
import { type Giver, keepRule, remember } from './hand-in.ts';
import { type Read, readSession, seePiece } from './readings.ts';
import { queueSaid } from './said.ts';
import type { DistilServices, Waiting } from './services.ts';

type Turn = Awaited<ReturnType<typeof loadTurn>>;

/**
 * Reads a session when its turn has ended: resolves its errors, and queues those that code can write a lesson of. If a model
 * is set up, it is asked what an agent would be asked otherwise, and what it hands in goes through the same checks.
 */
export async function readTurn(
  services: DistilServices,
  claims: Claims,
  request: Waiting<'turn'>,
): Promise<void> {
  const { db, ask, log } = services;
  const session = { id: request.sessionId, projectId: request.projectId };
  // without a model only what a person said to a rejected call is read in the turn; it stands in the owner's transcripts
  const wanted = ask !== null || claims.role === 'owner';
  let reading: Parameters<typeof readSession>[4] = null;
  let turn: Turn | null = null;
  while (turn === null) {
    const next = await asUser(db, claims, async (tx) => {
      const found = await readSession(tx, request.id, session, wanted, reading);
      return found === null || 'piece' in found ? found : loadTurn(tx, session, found);
    });
    if (next === null) return;
    if ('piece' in next) reading = seePiece(next);
    else turn = next;
  }
  await hearRejections(services, claims, session, turn);
  if (ask === null || !isWorthReading(turn.steps)) return;
  try {
    const read = transcriptOf(claims, turn);
    const words = read === null ? '' : await assistantWords(read.path, read.from, read.to);
    const { task, branch } = turn.context;
    const about = { project: turn.project, branch, task };
    const { answer, model } = await askModel(ask, claims, session.id, { ...about, words }, turn.steps);
    const giver: Giver = {
      ...{ by: 'model', evaluator: model, event: 'Stop' },
      ...{ projectId: session.projectId, sessionId: session.id, agentId: null },
    };
    const handedIn = [
      ...answer.remember.map((one) => () => remember(services, claims, one, giver)),
      ...answer.rules.map((rule) => () => keepRule(services, claims, rule, giver)),
    ];
    for (const handIn of handedIn) await handIn().catch(ignoreRefusal);
  } catch (error) {
    if (!(error instanceof ModelUnavailable)) throw error;
    log.warn({ reason: error.message }, 'no model for this turn');
  }
}

/** What a model left out, or may not say: nobody is there to hear it. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Problem)) throw error;
}

async function loadTurn(tx: Tx, session: SessionIds, { steps: all, turn }: Read) {
  const acted = all.findLastIndex((step) => step.kind !== 'prompt');
  const prompt = all.slice(0, Math.max(0, acted)).findLastIndex((step) => step.kind === 'prompt');
  const steps = all.slice(Math.max(0, prompt));
  const first = steps[0]?.at ?? new Date();
  const [project] = await query<{ name: string }>(
    tx,
    sql`select ${projectNameOf(sql`${session.projectId}::uuid`)} as name`,
  );
  return {
    steps,
    // of a long turn only the last steps are here
    since: turn.began !== null && turn.began < first ? turn.began : first,
    project: project?.name ?? '',
    context: await sessionContext(tx, session.id),
  };
}

/** Whether a turn has what an agent would be asked about: an error that something was done about, or a sentence that may last. */
function isWorthReading(steps: SessionStep[]): boolean {
  if (steps.some((step) => step.kind === 'prompt' && lastingSentence(step.text) !== null)) return true;
  const calls = steps.filter(isCall);
  return calls.some(
    ({ signature, target }, i) =>
      signature !== null &&
      calls.slice(i + 1).some((next) => {
        return next.ok && next.target !== target && (next.edits.length > 0 || next.line !== null);
      }),
  );
}

/** Returns the instants between which a turn happened, and the transcript of it that may be read; null if none may. */
function transcriptOf(claims: Claims, { steps, since: from, context }: Turn) {
  const to = steps.at(-1)?.at;
  const path = claims.role === 'owner' ? context.transcriptPath : null;
  return path && to ? { path, from, to } : null;
}

/** Hears what a person meant by rejecting a call. No hook reports that; only the transcript has it. */
async function hearRejections(
  { db }: DistilServices,
  claims: Claims,
  session: SessionIds,
  turn: Turn,
): Promise<void> {
  const read = transcriptOf(claims, turn);
  const rejected = read === null ? [] : await rejections(read.path, read.from, read.to);
  if (rejected.length === 0) return;
  const said = rejected.flatMap(({ hint }) => (hint === null ? [] : saidIn(hint)));
  await asUser(db, claims, async (tx) => {
    await queueSaid(tx, session, 'rejection', said);
    // a “no” to the question of a rule that nobody had confirmed confirms it
    const ids = rejected.map(({ toolUseId }) => toolUseId);
    for (const lesson of await rulesAsking(tx, session.id, ids)) await answerGuard(tx, lesson, 'no', '');
  });
}
