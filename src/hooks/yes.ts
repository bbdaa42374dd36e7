import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { dropOldest } from '../base/drop-oldest.ts';
import { storeShapes } from '../commands/checks.ts';
import { openFiles } from '../commands/files.ts';
import { shapeVerdict } from '../commands/verdict.ts';
import { asUser } from '../db/as-user.ts';
import { answerGuard } from '../learnings/guards/guards.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { isShellTool, shellCommandOf } from '../shell/shell-tools.ts';
import type { KnownSession, Question } from './known-sessions.ts';
import { senderOf } from './peer.ts';
import type { Asked, HookServices } from './types.ts';

// A person's yes: in the client's default mode, a call on which Lore had no opinion, or about which it asked, runs only
// if the person allows it. The client does not report the yes, but the call that ran proves it.

const MAX_QUESTIONS = 100;
const MAX_SHOWN = 100;

const kindOf = (tool: string | null | undefined) => (isShellTool(tool) ? 'shell' : 'files');

/** Returns the files of secrets that a person let a session read with a tool of this kind. */
export const shownTo = (session: KnownSession, tool: string | null | undefined): ReadonlySet<string> =>
  session.yes.shown[kindOf(tool)];

/**
 * Whether a person decides on a call, and on all of it. In its other modes the client runs calls unasked, and what a
 * subagent may do is decided where it was started.
 */
const isPersons = ({ permission_mode: mode, agent_id: agent, tool_input: input }: HookEvent): boolean =>
  mode === 'default' && !agent && !input?.run_in_background && !input?.dangerouslyDisableSandbox;

/**
 * Notes what a person allows if a call runs that is about to be decided on. `guard`: it is asked about for a rule that nobody
 * has confirmed, and the answer says whether that was meant.
 */
export function noteQuestion(session: KnownSession, raw: HookEvent, { yes, guard }: Partial<Question>): void {
  const id = raw.tool_use_id;
  if (!id || !isPersons(raw)) return;
  const learns = raw.tool_name !== 'Monitor' && (yes?.shapes.length || yes?.secrets.length);
  if (!guard && !learns) return;
  const { questions } = session.yes;
  const before = questions.get(id)?.yes ?? { shapes: [], secrets: [] };
  const line = shellCommandOf(raw.tool_name, raw.tool_input);
  questions.set(id, { line, yes: yes ?? before, ...(guard && { guard }) });
  dropOldest(questions, MAX_QUESTIONS);
}

/** Learns from a call that ran what its person allowed by that. The client does not wait for it. */
export function learnYes(services: HookServices, asked: Asked): void {
  const { raw, session } = asked;
  const id = raw.tool_use_id ?? '';
  const question = session?.yes.questions.get(id);
  if (!session || !question || !isPersons(raw)) return;
  if (question.line !== shellCommandOf(raw.tool_name, raw.tool_input)) return;
  session.yes.questions.delete(id);
  services.inBackground('learn', () =>
    learn(services, asked, question, session.yes.shown).catch((error) =>
      services.log.warn({ error }, "a person's yes was not learned"),
    ),
  );
}

async function learn(
  services: HookServices,
  asked: Asked,
  question: Question,
  shown: KnownSession['yes']['shown'],
): Promise<void> {
  const { claims, raw, at, connection } = asked;
  // whoever reads the key of the hooks could say that a call ran
  if ((await senderOf(services, claims, connection)) === 'agent') return;
  const { guard } = question;
  if (guard !== undefined)
    await asUser(services.db, claims, (tx) => answerGuard(tx, guard.lesson, 'yes', guard.call));
  const files = shown[kindOf(raw.tool_name)];
  for (const path of question.yes.secrets) if (files.size < MAX_SHOWN) files.add(path);
  const learned = [...question.yes.shapes];
  if (learned.length === 0 || !(await services.verdicts.of(claims)).learns) return;
  if (isContained(services, asked)) return;
  for (const one of learned) services.verdicts.add(claims.userId, one.key, shapeVerdict(one));
  if (services.journal?.add({ claims, at: at.toISOString(), learned })) return;
  await asUser(services.db, claims, (tx) => storeShapes(tx, learned, at));
}

/** Whether the client runs a command in its sandbox without asking, so that nobody has allowed what ran. */
export function isContained({ config }: HookServices, { claims, raw, session }: Asked): boolean {
  const leaves = String(raw.tool_input?.dangerouslyDisableSandbox) === 'true';
  if (session === null || claims.role !== 'owner' || leaves || !isShellTool(raw.tool_name)) return false;
  const files = openFiles();
  const own = ['settings.local.json', 'settings.json'].map((name) =>
    join(session.root ?? '/', '.claude', name),
  );
  return [...own, join(config.clientFolder, 'settings.json')].some((path) => {
    try {
      const { sandbox } = Object(parse(files.read(path)?.text ?? '{}')) as { sandbox?: unknown };
      const { enabled, autoAllowBashIfSandboxed } = Object(sandbox);
      return enabled === true && autoAllowBashIfSandboxed !== false;
    } catch {
      // what cannot be read may say so
      return true;
    }
  });
}
