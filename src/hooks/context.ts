import {
  filledSince,
  noteRestored,
  noteTokens,
  saveWorkingState,
  stateToRestore,
} from '../compaction/compaction.ts';
import { offerState, workingStateOf } from '../compaction/working-state.ts';
import { asUser } from '../db/as-user.ts';
import type { Tx } from '../db/open.ts';
import type { Offer } from '../offers/frame.ts';
import { estimatedContext } from '../sessions/calls.ts';
import { noteModel } from '../sessions/sessions.ts';
import { type ContextUse, contextUse } from '../sessions/transcript.ts';
import { within } from '../timing/within.ts';
import type { KnownSession } from './known-sessions.ts';
import { offerOpenPlan } from './plan-prompt.ts';
import { offerAtStart, recordAgent } from './session-start.ts';
import type { Asked, HookServices, Stored } from './types.ts';

// Saves what a session works on while its context fills up, and tells it again after the context was
// compacted. The client sends PreCompact, SessionStart (source: compact) and PostCompact, in this order and
// within milliseconds.

/** A context that is fuller than this share of its window will soon be compacted. */
const NEARLY_FULL = 0.8;
/** The command hook that asks for the start of a session gives up after 1.5 s. */
const PATIENCE_MS = 1_000;

/** Saves what the session works on, because its context is about to be compacted. */
export async function recordPreCompact(tx: Tx, { session, event, key, at }: Stored): Promise<void> {
  const trigger = typeof event.trigger === 'string' ? event.trigger : null;
  const about = { reason: 'compaction' as const, eventKey: key, trigger, at };
  await saveWorkingState(tx, { ...session, clientId: event.session_id }, about);
}

/**
 * Notes when the session's agent was started, and which working state the agent was shown after a compaction.
 * A working state that was not saved before is saved now.
 */
export async function recordStart(tx: Tx, stored: Stored): Promise<void> {
  const { session, event, key, at, offers } = stored;
  await recordAgent(tx, stored);
  const shown = offers?.find(({ kind }) => kind === 'working-state');
  if (event.source !== 'compact' || !shown) return;
  const found = await stateToRestore(tx, session.id);
  const id =
    found?.id ??
    (await saveWorkingState(
      tx,
      { ...session, clientId: event.session_id },
      { reason: 'compaction', eventKey: key, at },
    ));
  await noteRestored(tx, id, shown.text, at);
}

/** Offers what is offered at any start. After a compaction, also offers what the session was working on. */
export async function offerAtSessionStart(services: HookServices, asked: Asked): Promise<Offer[]> {
  const { claims, event, at } = asked;
  if (event.source !== 'compact') {
    const plan = services.sessions.of(claims, event, at).then((s) => offerOpenPlan(services, asked, s));
    return (await Promise.all([plan, offerAtStart(services, asked)])).flat();
  }
  // what it was working on is read from its events, so all of them must be stored first
  if (services.journal) await within(services.journal.drained(claims.userId), PATIENCE_MS);
  const session = await services.sessions.of(claims, event, at);
  const [state, plan, lessons] = await Promise.all([
    asUser(
      services.db,
      claims,
      async (tx) =>
        (await stateToRestore(tx, session.id)) ?? {
          id: null,
          state: await workingStateOf(tx, { ...session, clientId: event.session_id }),
        },
      { readOnly: true, urgent: true },
    ),
    offerOpenPlan(services, asked, session),
    offerAtStart(services, asked),
  ]);
  // what the rules beside it say is not said twice
  const told = lessons.map(({ lines }) => lines[0] ?? '');
  const decisions = state.state.decisions.filter(
    (text) => !told.some((one) => one.startsWith(text.replace(/…$/, ''))),
  );
  return [offerState(state.id, { ...state.state, decisions }), ...plan, ...lessons];
}

/** Returns one line that says how full the context is, once for each time that it fills up. */
export function offerForFill({ config }: HookServices, session: KnownSession, { event }: Asked): Offer[] {
  const { filled } = session;
  if (!filled || event.agent_id || session.offered.some(({ sourceId }) => sourceId === filled.id)) return [];
  const share = Math.round((filled.tokens / config.contextTokens) * 100);
  const tokens = filled.tokens.toLocaleString('en-US');
  const line = `The context is about ${share} % full (${tokens} tokens). What this session is working on is saved and will be told again after a compaction; long outputs can be read again with lore obs.`;
  return [{ kind: 'working-state', sourceId: filled.id, relevance: null, lines: [line] }];
}

/**
 * Looks how full the session's context is. It runs behind the answer. If the context is nearly full, saves
 * what the session works on; the answer to the next prompt says so. After a compaction, notes the tokens
 * before and after it.
 */
export async function watchContext(services: HookServices, asked: Asked): Promise<void> {
  const { config, db, sessions, journal } = services;
  const { claims, event, at, key } = asked;
  if (event.agent_id) return;
  // what it works on is read from its events, so all of them must be stored first
  await journal?.drained(claims.userId);
  const session = await sessions.of(claims, event, at);
  // the transcript is on the machine of the person who runs the server, so only the owner's is read
  const path = claims.role === 'owner' ? event.transcript_path : null;
  const use = path ? await contextUse(path) : NOTHING;
  const estimated = use.tokens === null ? await estimate(services, asked, session.id) : null;
  const tokens = use.tokens ?? estimated ?? 0;
  const measured = use.tokens === null ? ('events' as const) : ('transcript' as const);
  if (event.hook_event_name === 'PreCompact' || event.hook_event_name === 'PostCompact') {
    const figure = event.hook_event_name === 'PreCompact' ? { before: tokens } : { after: estimated };
    await asUser(db, claims, (tx) => noteTokens(tx, session.id, { ...figure, measured, at }));
  }
  const { compaction, model } = use;
  if (model !== null && model !== session.model) {
    await asUser(db, claims, (tx) => noteModel(tx, session.id, model));
    session.model = model;
  }
  if (compaction && compaction.at.getTime() > (session.noted ?? 0)) {
    await asUser(db, claims, (tx) => noteTokens(tx, session.id, { ...compaction, measured: 'transcript' }));
    session.noted = compaction.at.getTime();
  }
  if (tokens < NEARLY_FULL * config.contextTokens) {
    session.filled = null;
  } else if (!session.filled && event.hook_event_name !== 'PreCompact') {
    const count = { count: tokens, measured };
    const id = await asUser(db, claims, async (tx) => {
      const before = await filledSince(tx, session.id, session.compactedAt);
      if (before) return before.id;
      const about = { reason: 'filled' as const, eventKey: `filled:${key}`, tokens: count, at };
      return saveWorkingState(tx, { ...session, clientId: event.session_id }, about);
    });
    session.filled = { id, tokens };
  }
}

const NOTHING: ContextUse = { tokens: null, compaction: null, model: null };

const estimate = ({ db }: HookServices, { claims }: Asked, sessionId: string): Promise<number> =>
  asUser(db, claims, (tx) => estimatedContext(tx, sessionId), { readOnly: true });
