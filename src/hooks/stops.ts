import { readCommand, surroundings } from '../commands/check.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { keysOfCall } from '../offers/recall/call-keys.ts';
import { redactText } from '../redaction/redact.ts';
import { findProject } from '../sessions/projects.ts';
import { readLine } from '../shell/line.ts';
import { brokenAt, strictest } from './guard-call.ts';
import type { HookServices } from './types.ts';

// What the hook before a call would find beside the verdict on a command, for a person who asks in advance. Nothing is
// stored, and no hold is used up.

/** Where commands would run: no session makes them. */
export type StopsPlace = { project: string; cwd: string; root: string; branch: string | null };

/** A person's rule that would deny a command or have a person asked, or a lesson that would hold it once. */
export type Stop = { decision: 'deny' | 'ask' | 'hold'; lessonId: string; lesson: string };

/** Returns for each shell command what of a project would stop it; null if nothing would. */
export async function stopsOf(
  services: HookServices,
  claims: Claims,
  commands: string[],
  { project: name, cwd, root, branch }: StopsPlace,
): Promise<(Stop | null)[]> {
  const project = await asUser(services.db, claims, (tx) => findProject(tx, name), { readOnly: true });
  if (!project || !services.config.hold) return commands.map(() => null);
  const guards = await services.guards.newest(claims, project.id);
  const lessons = await services.callLessons.newest(claims, project.id);
  const session = { root, branch, passed: [] };
  const stopOf = async (command: string): Promise<Stop | null> => {
    const asked = { line: readLine(command), place: surroundings(cwd, root, services) };
    const { judged } = await readCommand(services, asked, claims.role === 'owner');
    const raw = { tool_name: 'Bash', tool_input: { command }, cwd };
    const invocations = judged.verdict.withScripts;
    const broken = brokenAt(services, guards, { raw, session, invocations });
    const stop = strictest(broken);
    if (stop) return { decision: stop.decision, lessonId: stop.guard.lessonId, lesson: stop.guard.lesson };
    // lessons are about lines as they were stored
    const line = readLine(redactText(command));
    const keys = keysOfCall({ target: line.targetIn({ cwd, root }), line });
    const holding = lessons.at(keys).find(({ holds }) => holds);
    return holding ? { decision: 'hold', lessonId: holding.id, lesson: holding.lesson } : null;
  };
  const found: (Stop | null)[] = [];
  for (const command of commands) found.push(await stopOf(command));
  return found;
}
