import { loreForAgents } from '../base/files/package-root.ts';
import { estimateTokens } from '../base/text/tokens.ts';
import { lastingSentence } from '../learnings/asking/lasting.ts';
import {
  askAboutError,
  askAboutOpenError,
  askAboutWords,
  MOST_TOKENS,
  wayOf,
} from '../learnings/asking/lines.ts';
import { notePassed } from '../learnings/asking/open-errors.ts';
import { callOf } from '../learnings/guards/call.ts';
import type { Offer } from '../offers/frame.ts';
import { placeOf } from './guard-call.ts';
import type { KnownSession } from './known-sessions.ts';
import { lineOf } from './read-event.ts';
import type { Asked, HookServices } from './types.ts';

// Asks an agent, at a trigger that is structure, to hand in what it knows: the cause of an error that is gone, or a rule
// that a person stated. All of it is decided in memory. Subagents are never asked, because their context ends with them.

/** Asks about an error that a call has answered. */
export async function askAfterCall(services: HookServices, asked: Asked): Promise<Offer[]> {
  const { claims, event, session } = asked;
  if (!session || event.agent_id) return [];
  const changes = () => callOf(event, placeOf(services, session, event.cwd)).changes;
  const gone = notePassed(session.asking, event, lineOf(event), changes);
  if (gone === null || session.asking.asked.has(gone.signature)) return [];
  const lessons = await services.callLessons.of(claims, session.projectId);
  if (lessons.answers(gone.signature)) return [];
  session.asking.asked.add(gone.signature);
  return ask(services, asked, session, (way) => askAboutError(gone, way));
}

/** Asks, with a prompt, about an error that the last turn ended with, or about what the person says. */
export async function askAtPrompt(
  services: HookServices,
  asked: Asked,
  session: KnownSession,
): Promise<Offer[]> {
  const { event } = asked;
  if (event.agent_id) return [];
  const sentence = lastingSentence(event.prompt ?? '');
  if (sentence !== null) return ask(services, asked, session, (way) => askAboutWords(sentence, way));
  const { left, asked: before } = session.asking;
  session.asking.left = null;
  if (left === null || before.has(left.signature)) return [];
  before.add(left.signature);
  return ask(services, asked, session, (way) => askAboutOpenError(left, way));
}

/** Asks within the budget of the session, if the person lets agents be asked. */
export async function ask(
  services: HookServices,
  { claims, event, plugin }: Asked,
  session: KnownSession,
  write: (way: ReturnType<typeof wayOf>) => string,
  { modelDoesIt = true } = {},
): Promise<Offer[]> {
  if (session.arm === 'withheld' || (await services.settings.of(claims)).voice.ask === 'none') return [];
  const line = write(wayOf(loreForAgents, plugin ? null : event.session_id.slice(0, 8)));
  const tokens = estimateTokens(line);
  if (session.asking.tokens + tokens > MOST_TOKENS) return [];
  // a model reads the same record by itself
  if (modelDoesIt && (await services.modelFor(claims)) !== null) return [];
  session.asking.tokens += tokens;
  return [{ kind: 'ask', sourceId: null, relevance: null, lines: [line] }];
}
