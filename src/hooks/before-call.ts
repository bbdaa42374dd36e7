import { checkCommand, surroundings } from '../commands/check.ts';
import { workTreeAround } from '../commands/files.ts';
import { openHeld } from '../commands/held.ts';
import type { Tx } from '../db/open.ts';
import { readWhenQuiet } from '../distil/readings.ts';
import { staleLines } from '../freshness/freshness.ts';
import { countHits } from '../guards/guards.ts';
import { DENIED, openIncident } from '../incidents/incidents.ts';
import type { Offer } from '../offers/frame.ts';
import { keysOfCall } from '../recall/call-keys.ts';
import { offerLesson } from '../recall/offer-lesson.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { takesFields } from '../shell/shell-tools.ts';
import { within } from '../within.ts';
import { answerOfGuards, offerRules } from './guard-call.ts';
import { type KnownSession, noteOwn, stillOffered, toldBeforeCall } from './known-sessions.ts';
import { claimForAgent, startsAgent } from './plan-agents.ts';
import { targetOf } from './target.ts';
import type { Answer, Asked, HookServices, Stored } from './types.ts';

/**
 * Returns what is decided on a call that is about to run; null if nothing is. The verdict on a command comes first. If
 * that stops nothing and no person has decided on this very command, the rules of persons are asked.
 */
export async function judgeCall(services: HookServices, asked: Asked): Promise<Answer | null> {
  const verdict = await judgeCommand(services, asked);
  if (verdict?.checked.decision === 'deny' || verdict?.checked.source === 'person') return verdict;
  return (await answerOfGuards(services, asked, verdict)) ?? verdict;
}

/**
 * Returns the verdict on a shell command. For a tool that opens a file, returns null unless the call is denied because
 * the file guards Lore itself.
 */
async function judgeCommand(services: HookServices, asked: Asked) {
  const { claims, raw } = asked;
  if (raw.tool_name === 'Write') await noteWritten(services, asked);
  const bash = raw.tool_name === 'Bash';
  const command = bash ? raw.tool_input?.command : asCommand(services, raw);
  if (typeof command !== 'string') return null;
  const session = await sessionOf(services, asked);
  const root = session ? session.root : claims.role === 'owner' && raw.cwd ? workTreeAround(raw.cwd) : null;
  const place = { ...surroundings(raw.cwd ?? root, root), ...(session && { own: session.own }) };
  const outcome = await checkCommand(services, claims, { command, place });
  const { checked, check, remember, invocations } = outcome;
  if (session && checked.decision !== 'deny') noteOwn(session, outcome.own);
  if (!bash && checked.decision !== 'deny') return null;
  return { checked, kept: { check, remember }, invocations };
}

/** Notes a file that a session is about to write where nothing was: it may later delete it. */
async function noteWritten(services: HookServices, asked: Asked): Promise<void> {
  const path = asked.raw.tool_input?.file_path;
  if (asked.claims.role !== 'owner' || typeof path !== 'string' || path.includes('\0')) return;
  const session = await sessionOf(services, asked);
  if (session && openHeld().kind(path) === 'none')
    noteOwn(session, { made: new Set([path]), moved: new Set() });
}

const FILE_TOOLS: Record<string, 'cat' | 'tee'> = {
  Read: 'cat',
  Grep: 'cat',
  Edit: 'tee',
  MultiEdit: 'tee',
  Write: 'tee',
  NotebookEdit: 'tee',
};

/**
 * Returns a shell command that does to a file what another tool is about to do, so that the same rules judge
 * both. Null if the file cannot be one that guards Lore.
 */
function asCommand({ config }: HookServices, { tool_name, tool_input: input }: HookEvent): string | null {
  const tool = tool_name ?? '';
  const program = Object.hasOwn(FILE_TOOLS, tool) ? FILE_TOOLS[tool] : undefined;
  if (program === undefined) return null;
  const path = input?.file_path ?? input?.notebook_path ?? input?.path;
  if (typeof path !== 'string' || path.includes('\0')) return null;
  if (!/\.claude|\.lore|managed-settings/i.test(path) && !path.includes(config.home)) return null;
  return `${program} '${path.replaceAll("'", "'\\''")}' # by the tool ${tool}`;
}

/** If a session is not in memory yet, its command waits this long for the database to tell the work tree. */
const PATIENCE_MS = 20;

/** Returns the session; null if it is not in memory and the database does not tell it in time. */
async function sessionOf(
  { sessions, log }: HookServices,
  { claims, event, at }: Asked,
): Promise<KnownSession | null> {
  return within(sessions.of(claims, event, at), PATIENCE_MS).catch((error) => {
    log.warn({ error }, 'a session could not be read; its work tree is not known');
    return null;
  });
}

const MAX_AT_CALL = 2;

/**
 * Offers the rules that a call would break and the lessons that are about it. Lessons that hold the call come first.
 */
export async function offerBeforeCall(services: HookServices, asked: Asked): Promise<Offer[]> {
  const rules = await offerRules(services, asked);
  const said = new Set(rules.map(({ sourceId }) => sourceId));
  const others = await offerLessons(services, asked);
  return [...rules, ...others.filter(({ sourceId }) => sourceId === null || !said.has(sourceId))];
}

async function offerLessons(services: HookServices, asked: Asked): Promise<Offer[]> {
  const { claims, event, at } = asked;
  const tool = event.tool_name ?? '';
  if (startsAgent(event)) return claimForAgent(services, asked);
  const given = event.tool_input?.command;
  const command = typeof given === 'string' ? given : null;
  // an error of the client's own file tools says nothing about the project, so no lesson is about their calls
  if (command === null && !takesFields(tool)) return [];
  const session = await services.sessions.of(claims, event, at);
  const lessons = await services.callLessons.of(claims, session.projectId);
  const keys = keysOfCall({ tool, target: targetOf(event, session), command });
  const known = new Set(stillOffered(session, event));
  const told = lessons.at(keys, command).flatMap((lesson) => {
    const holds = services.config.hold && lesson.holds && !toldBeforeCall(session, lesson.id);
    return holds || !known.has(lesson.id) ? [{ lesson, holds }] : [];
  });
  const shown = [...told.filter(({ holds }) => holds), ...told.filter(({ holds }) => !holds)].slice(
    0,
    MAX_AT_CALL,
  );
  const stale = staleLines(
    services,
    claims,
    shown.flatMap(({ lesson }) => lesson.citations),
  );
  return shown.map(({ lesson, holds }, i) => ({
    ...offerLesson(i === 0 ? lesson : { ...lesson, why: null }, undefined, stale(lesson.id)),
    ...(holds && { holds }),
  }));
}

/**
 * Counts the rules of persons that acted. Opens an incident for a command that a rule of commands denied, as for a
 * command that failed: the next try may resolve it.
 */
export async function recordDecision(tx: Tx, stored: Stored): Promise<void> {
  const { session, event, target, at, check, offers = [] } = stored;
  const stopped = check?.source === 'guard' ? [check.lessonId] : [];
  const told = offers.flatMap(({ kind, sourceId, withheld }) =>
    kind === 'rule' && !withheld ? [sourceId] : [],
  );
  await countHits(
    tx,
    [...stopped, ...told].filter((id) => id !== null),
    at,
  );
  if (check?.decision !== 'deny' || check.rule === null) return;
  const error = `${DENIED}${check.rule}: ${check.reason}`;
  if (await openIncident(tx, session, event, { target, error, at })) await readWhenQuiet(tx, session);
}
