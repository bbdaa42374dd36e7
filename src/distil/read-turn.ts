import { lastingSentence } from '../asking/lasting.ts';
import { rulesAsking } from '../commands/checks.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { Problem } from '../errors/problem.ts';
import { answerGuard } from '../guards/guards.ts';
import { isCall, type SessionStep } from '../incidents/steps.ts';
import { saidIn } from '../language/standing.ts';
import { ModelUnavailable } from '../llm/ask.ts';
import { type SessionIds, sessionContext } from '../sessions/sessions.ts';
import { rejections } from '../sessions/transcript.ts';
import { askModel } from './ask-model.ts';
import { type Giver, keepRule, remember } from './hand-in.ts';
import { type Read, readSession, seePiece } from './readings.ts';
import { queueSaid } from './said.ts';
import type { DistilServices, Waiting } from './services.ts';

type Turn = { steps: SessionStep[]; since: Date; context: Awaited<ReturnType<typeof sessionContext>> };

/**
 * Reads a session when its turn has ended: resolves its errors, and queues those that code can write a lesson of. If a model
 * is set up, it is asked what an agent would be asked otherwise, and what it hands in goes through the same checks.
 */
export async function readTurn(
  services: DistilServices,
  claims: Claims,
  { id, sessionId, projectId }: Waiting<'turn'>,
): Promise<void> {
  const { db, ask, log } = services;
  const session = { id: sessionId, projectId };
  // without a model only what a person said to a rejected call is read in the turn; it stands in the owner's transcripts
  const wanted = ask !== null || claims.role === 'owner';
  let reading: Parameters<typeof readSession>[4] = null;
  let turn: Turn | null = null;
  while (turn === null) {
    const next = await asUser(db, claims, async (tx) => {
      const found = await readSession(tx, id, session, wanted, reading);
      return found === null || 'piece' in found ? found : turnOf(found, await sessionContext(tx, sessionId));
    });
    if (next === null) return;
    if ('piece' in next) reading = seePiece(next);
    else turn = next;
  }
  await hearRejections(services, claims, session, turn);
  if (ask === null || !isWorthReading(turn.steps)) return;
  const giver = { by: 'model', projectId, sessionId, agentId: null, event: 'Stop' } as const;
  try {
    const { task, branch } = turn.context;
    const { answer, model } = await askModel(ask, claims, sessionId, { task, branch }, turn.steps);
    const by: Giver = { ...giver, evaluator: model };
    const handedIn = [
      ...answer.remember.map((one) => () => remember(services, claims, one, by)),
      ...answer.rules.map((rule) => () => keepRule(services, claims, rule, by)),
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

/** Returns the steps since the last prompt before which something was done. */
function turnOf({ steps: all, turn }: Read, context: Turn['context']): Turn {
  const acted = all.findLastIndex((step) => step.kind !== 'prompt');
  const prompt = all.slice(0, Math.max(0, acted)).findLastIndex((step) => step.kind === 'prompt');
  const steps = all.slice(Math.max(0, prompt));
  const first = steps[0]?.at ?? new Date();
  // of a long turn only the last steps are here
  return { steps, context, since: turn.began !== null && turn.began < first ? turn.began : first };
}

/** Whether a turn has what an agent would be asked about: an error that something was done about, or a sentence that may last. */
function isWorthReading(steps: SessionStep[]): boolean {
  const calls = steps.filter(isCall);
  return (
    steps.some((step) => step.kind === 'prompt' && lastingSentence(step.text) !== null) ||
    calls.some(
      ({ signature, target }, i) =>
        signature !== null &&
        calls
          .slice(i + 1)
          .some((next) => next.ok && next.target !== target && (next.edits.length > 0 || next.line)),
    )
  );
}

/** Hears what a person meant by rejecting a call. No hook reports that; only the transcript has it. */
async function hearRejections(
  { db }: DistilServices,
  claims: Claims,
  session: SessionIds,
  { steps, since, context }: Turn,
): Promise<void> {
  const until = steps.at(-1)?.at;
  if (claims.role !== 'owner' || context.transcriptPath === null || !until) return;
  const rejected = await rejections(context.transcriptPath, since, until);
  if (rejected.length === 0) return;
  const said = rejected.flatMap(({ hint }) => (hint === null ? [] : saidIn(hint)));
  await asUser(db, claims, async (tx) => {
    await queueSaid(tx, session, 'rejection', said);
    // a “no” to the question of a rule that nobody had confirmed confirms it
    const ids = rejected.map(({ toolUseId }) => toolUseId);
    for (const lesson of await rulesAsking(tx, session.id, ids)) await answerGuard(tx, lesson, 'no', '');
  });
}
