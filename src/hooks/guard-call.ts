import { z } from '@hono/zod-openapi';
import { placeIn } from '../base/files/place-in.ts';
import { relativeTo } from '../base/files/relative-to.ts';
import { clip, shorten } from '../base/text/clip.ts';
import { within } from '../base/timing/within.ts';
import { callKey } from '../commands/cache-key.ts';
import { foldersOf, personsVerdict, readCommand, surroundings } from '../commands/check.ts';
import { type Check, storedText } from '../commands/verdict.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import type { MayBeDistant } from '../http/env.ts';
import { type CalledCommand, type CallPlace, callOf, mayBeGuarded } from '../learnings/guards/call.ts';
import { type GuardInForce, refusedGuards } from '../learnings/guards/guards.ts';
import { commandFits, fits, type Passed } from '../learnings/guards/judge.ts';
import { type Offer, quote } from '../offers/frame.ts';
import { keysOfCall } from '../offers/recall/call-keys.ts';
import { redactText } from '../redaction/redact.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { findProject } from '../sessions/projects.ts';
import { readLine } from '../shell/line.ts';
import type { Invocation } from '../shell/types.ts';
import { type KnownSession, PATIENCE_MS, stillOffered } from './known-sessions.ts';
import { targetOf } from './read-event.ts';
import type { Answer, Asked, HookServices } from './types.ts';
import { noteQuestion } from './yes.ts';

// The rules of persons before a call: which ones it would break, and what is answered then.

/**
 * Returns the rules that a call would break. The first call after a start may run without them.
 *
 * @param invocations the commands of a shell line that was read already, with those of its scripts
 */
async function brokenBy(
  services: HookServices,
  { claims, event, raw, session }: Asked,
  invocations?: readonly Invocation[],
): Promise<GuardInForce[]> {
  if (!session || isLores(event) || !mayBeGuarded(raw)) return [];
  const reading = services.guards.of(claims, session.projectId);
  const guards = await within(reading, PATIENCE_MS.call).catch((error) => {
    services.log.warn({ error }, 'the rules of a project could not be read');
  });
  if (!guards) return [];
  // the start of the session may not have been heard
  if (session.branch === null && guards.length > 0 && claims.role === 'owner' && raw.cwd)
    session.branch = placeIn(raw.cwd).branch ?? '';
  const broken = brokenAt(services, guards, { raw, session, invocations });
  const shape = broken.some(({ passes }) => passes.length > 0) ? shapeOf(event, session) : '';
  return broken.filter(({ passes }) => !passes.includes(shape));
}

/** Returns what a call works on, as a person's answer is kept: the same call in another spelling has the same. */
const shapeOf = (event: HookEvent, session: Pick<KnownSession, 'root'>): string =>
  clip(targetOf(event, session) ?? event.tool_name ?? '', MAX_SHAPE);

const MAX_SHAPE = 1_000;

/** A call, with what rules must know of the session that makes it. */
type GuardedCall = {
  raw: Pick<HookEvent, 'tool_name' | 'tool_input' | 'lore' | 'cwd'>;
  session: Pick<KnownSession, 'root' | 'branch' | 'passed'>;
  invocations: readonly Invocation[] | undefined;
};

/** Returns those of the guards that a call would break. */
function brokenAt(
  services: MayBeDistant,
  guards: GuardInForce[],
  { raw, session, invocations }: GuardedCall,
): GuardInForce[] {
  if (guards.length === 0) return guards;
  const place = { ...placeOf(services, session, raw.cwd), invocations };
  const call = callOf(raw, place);
  const passed = passedIn(services, session);
  return guards.filter(({ rule }) => fits(rule, call, passed));
}

/** Whether a call is one of Lore's own tools or agents. No rule of a project is about them. */
export const isLores = ({ tool_name, agent_type }: HookEvent): boolean =>
  /^mcp__(?:plugin_)?lore_/.test(tool_name ?? '') || (agent_type ?? '').startsWith('lore:');

export const placeOf = (
  services: MayBeDistant,
  session: GuardedCall['session'],
  cwd: string | null | undefined,
): CallPlace => ({
  root: session.root,
  cwd: cwd ?? session.root,
  ...foldersOf(services, cwd ?? session.root ?? '/'),
  branch: session.branch,
});

/** Returns whether a command passed in a session since the last change of a file. The lines are read once for all rules. */
function passedIn(services: MayBeDistant, session: GuardedCall['session']): Passed {
  let commands: CalledCommand[] | undefined;
  return (wanted) => {
    commands ??= session.passed.flatMap(({ line, cwd }) => {
      const call = { tool_name: 'Bash', tool_input: { command: line.text } };
      return callOf(call, { ...placeOf(services, session, cwd), branch: null }).commands;
    });
    return commands.some((command) => commandFits(wanted, command));
  };
}

/** Returns the one of broken guards that decides on the call, and what it decides; null if none of them stops it. */
function strictest(guards: GuardInForce[]): { guard: GuardInForce; decision: 'deny' | 'ask' } | null {
  const of = (decision: 'deny' | 'ask') => guards.find(({ rule }) => rule.then === decision);
  const [denies, asks] = [of('deny'), of('ask')];
  if (denies) return { guard: denies, decision: 'deny' };
  return asks ? { guard: asks, decision: 'ask' } : null;
}

/**
 * Returns the answer that a person's rule gives to a call: it is denied, or the client asks the person. Null if no rule
 * says so, or if a person has allowed this very call.
 *
 * @param given the verdict on a shell command, if the call is one
 */
export async function answerOfGuards(
  services: HookServices,
  asked: Asked,
  given: (Answer & { invocations: readonly Invocation[] }) | null,
): Promise<Answer | null> {
  asked.broken ??= brokenBy(services, asked, given?.invocations);
  const stop = strictest(await asked.broken);
  const { session } = asked;
  if (!stop || !session || !services.config.hold) return null;
  const { guard, decision } = stop;
  const check = given?.kept.check ?? checkOf(services, asked, session);
  // what a person decided on a command, its verdict knows already
  if (!given && (await personsVerdict(services, asked.claims, check.key)) === 'allow') return null;
  if (guard.unconfirmed) {
    const question = { lesson: guard.lessonId, call: shapeOf(asked.event, session) };
    noteQuestion(session, asked.raw, { guard: question });
  }
  const stopped = {
    decision,
    reason: `You said: ${wordsOf(guard)}`,
    source: 'guard',
    rule: null,
    severity: null,
    lessonId: guard.lessonId,
  } as const;
  return {
    checked: { decision, reason: reasonOf(guard, decision), source: 'guard' },
    kept: { check: { ...check, ...stopped, cached: false }, remember: false },
  };
}

/** Returns a record of a call, for the person who decides on it. All that it shows comes from the redacted event. */
export function checkOf({ secret }: HookServices, { raw, event }: Asked, session: KnownSession): Check {
  const tool = raw.tool_name ?? '';
  const cwd = event.cwd ?? session.root ?? '/';
  return {
    key: callKey(secret, { tool, input: raw.tool_input ?? {}, root: session.root }),
    tool,
    command: storedText(inOneLine(event, session)),
    cwd,
    decision: 'allow',
    source: 'none',
    rule: null,
    lessonId: null,
    severity: null,
    reason: '',
    cached: false,
    covered: true,
    ms: 0,
  };
}

const MAX_SHOWN = 300;

/** Says in one line what a call is about to do. */
function inOneLine({ tool_input: input }: HookEvent, session: KnownSession): string {
  const { command, file_path, notebook_path, path, new_string, content, new_source } = input ?? {};
  if (typeof command === 'string') return command;
  const file = file_path ?? notebook_path ?? path;
  if (typeof file !== 'string') return shorten(JSON.stringify(input ?? {}), MAX_SHOWN);
  const [first = ''] = String(new_string ?? content ?? new_source ?? '')
    .trim()
    .split('\n', 1);
  return shorten(`${relativeTo(session.root, file)}${first && ': '}${first}`, MAX_SHOWN);
}

/** Longest reason of a decision, in characters. */
const MAX_SAID = 299;
const HOW_TO_LIFT = ' Only a person can lift it: lore allow, in a terminal of their own.';

/**
 * Returns the reason of a decision, with the person's words to the letter, as far as there is room. The agent reads why a
 * call was denied; a question is read by the person themselves.
 */
function reasonOf(guard: GuardInForce, decision: 'deny' | 'ask'): string {
  const before = decision === 'ask' ? 'Lore: You said: ' : 'Lore: A person said about this project: ';
  const after = ` (lore:${guard.lessonId.slice(0, 8)}).${decision === 'deny' ? HOW_TO_LIFT : ''}`;
  return `${before}${wordsOf(guard, MAX_SAID - before.length - after.length)}${after}`;
}

/** Returns what a person said, as a quotation of at most `room` characters. */
function wordsOf({ lesson }: GuardInForce, room = MAX_SAID): string {
  // a reason stands outside of the frame: what a person pasted must be harmless, and a closing mark would end the quotation
  const words = quote(lesson, MAX_SAID).replace(/[“”]/g, '"');
  return `“${shorten(words, room - 2)}”`;
}

/** Offers the rules that a call would break and that do not stop it, each once a session. */
export async function offerRules(services: HookServices, asked: Asked): Promise<Offer[]> {
  asked.broken ??= brokenBy(services, asked);
  const broken = await asked.broken;
  if (!asked.session || broken.length === 0) return [];
  const told = new Set(stillOffered(asked.session, asked.event, ['PreToolUse']));
  return broken
    .filter(({ rule, lessonId }) => (rule.then === 'tell' || !services.config.hold) && !told.has(lessonId))
    .map(({ lesson, lessonId }) => ({
      kind: 'rule',
      sourceId: lessonId,
      relevance: 'high',
      lines: [`[HIGH] A person said: “${lesson}” (lore:${lessonId.slice(0, 8)})`],
    }));
}

/** What of a project would stop a command beside its verdict. */
export const Stop = z
  .object({
    /**
     * deny, ask: a person's rule; hold: a lesson stops it once, and the same call passes when it is made again; none: a rule
     * of a person that would stop too many of the project's past calls, and stops none
     */
    decision: z.enum(['deny', 'ask', 'hold', 'none']),
    lessonId: z.string(),
    lesson: z.string(),
  })
  .openapi('Stop');
type Stop = z.infer<typeof Stop>;

/**
 * Returns for each shell command what of a project would stop it beside its verdict, for a person who asks in advance; null
 * if nothing would. Nothing is stored, and no hold is used up.
 */
export async function stopsOf(
  services: HookServices,
  claims: Claims,
  commands: string[],
  place: Record<'project' | 'cwd' | 'root', string> & { branch: string | null },
): Promise<(Stop | null)[]> {
  const { project: name, cwd, root, branch } = place;
  const project = await asUser(services.db, claims, (tx) => findProject(tx, name), { readOnly: true });
  if (!project || !services.config.hold) return commands.map(() => null);
  const guards = await services.guards.newest(claims, project.id);
  const lessons = await services.callLessons.newest(claims, project.id);
  const refused = await asUser(services.db, claims, (tx) => refusedGuards(tx, project.id), {
    readOnly: true,
  });
  const session = { root, branch, passed: [] };
  const stopOf = async (command: string): Promise<Stop | null> => {
    const asked = { line: readLine(command), place: surroundings(cwd, root, services) };
    const { judged } = await readCommand(services, asked, claims.role === 'owner');
    const raw = { tool_name: 'Bash', tool_input: { command }, cwd };
    const invocations = judged.verdict.withScripts;
    const brokenOf = (some: GuardInForce[]) => brokenAt(services, some, { raw, session, invocations });
    const stop = strictest(brokenOf(guards));
    if (stop) return { decision: stop.decision, lessonId: stop.guard.lessonId, lesson: stop.guard.lesson };
    // lessons are about lines as they were stored
    const line = readLine(redactText(command));
    const keys = () => keysOfCall({ target: line.targetIn({ cwd, root }), line });
    const holding = lessons.at(keys).find(({ holds }) => holds);
    if (holding) return { decision: 'hold', lessonId: holding.id, lesson: holding.lesson };
    const [idle] = brokenOf(refused);
    return idle ? { decision: 'none', lessonId: idle.lessonId, lesson: idle.lesson } : null;
  };
  const found: (Stop | null)[] = [];
  for (const command of commands) found.push(await stopOf(command));
  return found;
}
