import { checkCommand, surroundings } from '../commands/check.ts';
import { workTreeAround } from '../commands/files.ts';
import type { Tx } from '../db/open.ts';
import { staleLines } from '../freshness/freshness.ts';
import { DENIED, openIncident } from '../incidents/incidents.ts';
import { keysOfCall } from '../learnings/call-keys.ts';
import { offerLesson } from '../learnings/offer-lesson.ts';
import { readWhenQuiet } from '../learnings/readings.ts';
import type { Offer } from '../offers/frame.ts';
import { relativeTo } from '../relative-to.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { filesTouched } from '../shell/command-key.ts';
import { within } from '../within.ts';
import { stillOffered, toldBeforeCall } from './known-sessions.ts';
import { claimForAgent, startsAgent } from './plan-agents.ts';
import { targetOf } from './target.ts';
import type { Answer, Asked, HookServices, Stored } from './types.ts';

/**
 * Returns the verdict on a shell command that is about to run. For a tool that opens a file, returns null
 * unless the call is denied because the file guards Lore itself.
 */
export async function judgeCommand(services: HookServices, asked: Asked): Promise<Answer | null> {
  const { claims, raw } = asked;
  const bash = raw.tool_name === 'Bash';
  const command = bash ? raw.tool_input?.command : asCommand(services, raw);
  if (typeof command !== 'string') return null;
  const root = await rootOf(services, asked);
  const place = surroundings(raw.cwd ?? root, root);
  const { checked, check, remember } = await checkCommand(services, claims, { command, place });
  if (!bash && checked.decision !== 'deny') return null;
  return { checked, kept: { check, remember } };
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

/**
 * Returns the session's work tree. If the database does not tell it in time, and the files are the owner's,
 * returns the nearest folder above the session's that holds `.git`. Null means that only the session's folder
 * counts.
 */
async function rootOf(
  { sessions, log }: HookServices,
  { claims, raw, event, at }: Asked,
): Promise<string | null> {
  const session = await within(sessions.of(claims, event, at), PATIENCE_MS).catch((error) => {
    log.warn({ error }, 'a session could not be read; its work tree is not known');
    return null;
  });
  if (session) return session.root;
  return claims.role === 'owner' && raw.cwd ? workTreeAround(raw.cwd) : null;
}

const MAX_AT_CALL = 3;

/** Offers the lessons that are about a call which is about to run. Those that hold the call come first. */
export async function offerBeforeCall(services: HookServices, asked: Asked): Promise<Offer[]> {
  const { claims, event, at } = asked;
  const tool = event.tool_name ?? '';
  if (startsAgent(event)) return claimForAgent(services, asked);
  const [file] = filesTouched(tool, event.tool_input);
  const command = event.tool_input?.command;
  // most calls of other tools change nothing
  if (tool !== 'Bash' && file === undefined && !tool.startsWith('mcp__')) return [];
  const session = await services.sessions.of(claims, event, at);
  const lessons = await services.callLessons.of(claims, session.projectId);
  const keys = keysOfCall({
    tool,
    target: targetOf(event, session),
    command: tool === 'Bash' && typeof command === 'string' ? command : null,
    file: file === undefined ? null : relativeTo(session.root, file),
  });
  const known = new Set(stillOffered(session, event));
  const told = lessons.at(keys).flatMap((lesson) => {
    const holds = services.config.hold && !toldBeforeCall(session, lesson.id) ? lesson.holds : null;
    return holds !== null || !known.has(lesson.id) ? [{ lesson, holds }] : [];
  });
  const first = [
    ...told.filter(({ holds }) => holds !== null),
    ...told.filter(({ holds }) => holds === null),
  ];
  const shown = first.slice(0, MAX_AT_CALL);
  const stale = staleLines(
    services,
    claims,
    shown.flatMap(({ lesson }) => lesson.citations),
  );
  return shown.map(({ lesson, holds }, i) => ({
    ...offerLesson(i === 0 ? lesson : { ...lesson, why: null }, undefined, stale(lesson.id)),
    kind: lesson.kind,
    ...(holds !== null && { holds }),
  }));
}

/**
 * Opens an incident for a command that a rule denied, as for a command that failed: the next try may resolve
 * it.
 */
export async function recordDenial(tx: Tx, { session, event, target, at, check }: Stored): Promise<void> {
  if (check?.decision !== 'deny' || check.rule === null) return;
  const error = `${DENIED}${check.rule}: ${check.reason}`;
  if (await openIncident(tx, session, event, { target, error, at })) await readWhenQuiet(tx, session);
}
