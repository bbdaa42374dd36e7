import { existsSync } from 'node:fs';
import { type Asked as AskedCommand, checkCommand, surroundings } from '../commands/check.ts';
import { workTreeAround } from '../commands/files.ts';
import { isGuardPath } from '../commands/guarded.ts';
import type { Check } from '../commands/verdict.ts';
import { noteSeen, noteWrite } from '../commands/written.ts';
import type { Tx } from '../db/open.ts';
import { staleLines } from '../kinds/citations.ts';
import { countHits } from '../learnings/guards/guards.ts';
import type { Offer } from '../offers/frame.ts';
import { keysOfCall } from '../offers/recall/call-keys.ts';
import { offerLesson } from '../offers/recall/offer-lesson.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { lineOfFields } from '../shell/fields.ts';
import { readLine } from '../shell/line.ts';
import { bashLineOf, unixPath } from '../shell/powershell.ts';
import { isBashTool, isShellTool, takesFields } from '../shell/shell-tools.ts';
import { filesTouched } from '../shell/tool-target.ts';
import type { Invocation } from '../shell/types.ts';
import { answerOfGuards, isLores, offerRules } from './guard-call.ts';
import { noteOwn, stillOffered, toldBeforeCall } from './known-sessions.ts';
import { claimForAgent, startsAgent } from './plans.ts';
import { lineOf, rawLineOf, targetOf } from './read-event.ts';
import type { Answer, Asked, HookServices, Stored } from './types.ts';
import { isContained, noteQuestion, shownTo } from './yes.ts';

/**
 * Returns what is decided on a call that is about to run; null if nothing is. The verdict on a command comes first. If
 * that stops nothing and no person has decided on this very command, the rules of persons are asked.
 */
export async function judgeCall(services: HookServices, asked: Asked): Promise<Answer | null> {
  const verdict = await judgeCommand(services, asked);
  if (verdict?.checked.decision === 'deny' || verdict?.checked.source === 'person') return verdict;
  return (await answerOfGuards(services, asked, verdict)) ?? verdict;
}

/** The answer to a call, with the commands of its line. */
type Verdict = Answer & { kept: { check: Check }; invocations: readonly Invocation[] };

/**
 * Returns the verdict on what a shell is to run. For other tools, returns null unless the call is denied because of what it
 * would do to Lore itself or because nothing could undo it, or a person is asked because it may show a secret.
 */
async function judgeCommand(services: HookServices, asked: Asked): Promise<Verdict | null> {
  const { claims, raw, session } = asked;
  if (WRITES.has(raw.tool_name ?? '')) noteWritten(asked);
  const line = toJudge(services, asked);
  if (line === null) return null;
  const root = session ? session.root : claims.role === 'owner' && raw.cwd ? workTreeAround(raw.cwd) : null;
  // PowerShell may name folders in the way of Windows
  const at = (path: string | null) => (path?.startsWith('/') === false ? unixPath(path) : path);
  const place = {
    ...surroundings(at(raw.cwd ?? root), at(root), services),
    ...(session && { own: session.own, shown: shownTo(session, raw.tool_name) }),
  };
  const outcome = await checkCommand(services, claims, {
    ...line,
    place,
    bypassed: raw.permission_mode === 'bypassPermissions' && !isContained(services, asked),
    ...(session && { seen: session.seen }),
  });
  const { checked, check, remember, invocations } = outcome;
  if (session && checked.decision !== 'deny') {
    noteOwn(session, outcome.own);
    noteSeen(session.seen, outcome.brought, raw.tool_use_id ?? null, outcome.passing);
  }
  if (session && asked.permissions !== 'judge-only') noteQuestion(session, raw, { yes: outcome.yes });
  if (!isShellTool(raw.tool_name)) {
    // most of these calls run nothing, so they are not denied only because nobody could judge them
    const denied = checked.decision === 'deny' && !(line.of && checked.source === 'none');
    const asked = line.forTool && checked.decision === 'ask' && checked.source === 'policy';
    if (!denied && !asked) return null;
  }
  if (checked.source === 'none' && isContained(services, asked))
    for (const one of [checked, check]) one.source = 'sandbox';
  // the line of bash says only a part of the call: even if a person allowed it, the client asks in its own way
  const answered =
    line.of && checked.decision === 'allow' ? { ...checked, decision: 'ask' as const } : checked;
  const verdict = { checked: answered, kept: { check, remember }, invocations };
  return String(raw.tool_input?.dangerouslyDisableSandbox) === 'true' ? outsideSandbox(verdict) : verdict;
}

/**
 * Returns the verdict on a command that is to run outside of the client's sandbox. What was judged harmless, or allowed
 * by a person, was so without that wish, so the person is asked.
 */
function outsideSandbox(verdict: Verdict): Verdict {
  const { checked, kept, invocations } = verdict;
  if (checked.decision !== 'allow') return verdict;
  const left = {
    decision: 'ask',
    source: 'none',
    reason: "not verified: asks to run outside of the client's sandbox",
  } as const;
  return { checked: left, kept: { check: { ...kept.check, ...left }, remember: false }, invocations };
}

/** Returns the line of bash that says what a call does; null if there is nothing in it for the rules of commands. */
function toJudge(services: HookServices, asked: Asked): Omit<AskedCommand, 'place'> | null {
  const { raw } = asked;
  const tool = raw.tool_name ?? '';
  const input = raw.tool_input ?? {};
  const line = rawLineOf(asked);
  const { tool: added, shell } = raw.lore ?? {};
  // nobody knows all that a tool of an MCP server does, so its command is never allowed, and its other fields count too
  const ofMcp = added?.startsWith('mcp__') === true;
  const named = ofMcp ? added : tool;
  const fieldsOf = (fields: Record<string, unknown>) =>
    lineOfFields(named, fields, (text) => isGuardPath(text, services.config.home));
  if (line !== null && isBashTool(tool) && !ofMcp) return { line };
  if (line !== null) {
    const read = isBashTool(tool)
      ? line.text
      : bashLineOf(shell === 'cmd' ? `cmd /c ${line.text}` : line.text);
    const others = Object.fromEntries(Object.entries(input).filter(([name]) => !BESIDE_COMMAND.test(name)));
    const text = [read, ofMcp ? fieldsOf(others) : null].filter((part) => part !== null).join('\n');
    return { line: readLine(text), of: { tool: added ?? tool, text: line.text, denials: 'all' } };
  }
  if (takesFields(named) && !isLores(raw)) {
    const command = fieldsOf(input);
    if (command === null) return null;
    return { line: readLine(command), of: { tool: named, text: JSON.stringify(input), denials: 'gravest' } };
  }
  const command = asCommand(services, raw);
  return command === null ? null : { line: readLine(command), forTool: true };
}

/** Where a command runs, and what names it. They say nothing beside the command. */
const BESIDE_COMMAND =
  /^(?:command|cmd|commandLine|command_line|shell_command|script|argv|args|arguments|shell|workdir|cwd|working_?dir(?:ectory)?|workingDirectory|directory)$/;

const WRITES = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/** Notes the files that a session is about to write. Where nothing was, it may later delete them. */
function noteWritten({ claims, raw, session }: Asked): void {
  if (!session || claims.role !== 'owner') return;
  const paths = filesTouched(raw.tool_name ?? '', raw.tool_input).filter((path) => !path.includes('\0'));
  noteOwn(session, { written: new Set(paths), made: new Set(paths.filter((path) => !existsSync(path))) });
  for (const path of paths) noteWrite(session.seen, path);
}

/**
 * Returns a shell command that does to files what another tool is about to do, so that the same rules judge both. Null
 * if the tool opens none, or if it writes one that cannot be a file that guards Lore.
 */
function asCommand(
  { config }: HookServices,
  { tool_name, tool_input: input = {} }: HookEvent,
): string | null {
  const tool = tool_name ?? '';
  const path = input?.file_path ?? input?.notebook_path ?? input?.path;
  let words: string[] = [];
  if (WRITES.has(tool))
    words = ['tee', ...filesTouched(tool, input).filter((one) => mayGuard(one, config.home))];
  if (tool === 'Read' && typeof path === 'string' && path !== '') words = ['cat', path];
  if (tool === 'Grep') words = searchOf(input ?? {}, String(path || '.'));
  if (words.length < 2) return null;
  const line = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  return line.includes('\0') ? null : `${line} # by the tool ${tool}`;
}

/** Whether a path may be one of a file that guards Lore, or that says which hooks a client runs. */
const mayGuard = (path: string, home: string): boolean =>
  /\.(?:claude|codex|cursor|copilot|lore)|opencode|managed-settings/i.test(path) || path.includes(home);

/** Returns the search of the tool Grep. It looks into hidden files, and not into those that git ignores. */
function searchOf(input: Record<string, unknown>, path: string): string[] {
  const told = (name: string, option: string) =>
    typeof input[name] === 'string' && input[name] !== '' ? [option, String(input[name])] : [];
  // the client splits patterns at blanks and at commas, except in braces
  const globs = typeof input.glob === 'string' ? (input.glob.match(/(?:\{[^{}]*\}|[^\s,])+/g) ?? []) : [];
  const shows = input.output_mode === 'content' ? [] : ['-l'];
  const where = globs.flatMap((glob) => ['-g', glob]);
  return ['rg', '--hidden', ...shows, ...where, ...told('type', '-t'), ...told('pattern', '-e'), path];
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
  const { claims, event, session } = asked;
  const tool = event.tool_name ?? '';
  if (session === null) return [];
  if (startsAgent(event)) return claimForAgent(services, asked, session);
  const given = event.tool_input?.command;
  const line = lineOf(event) ?? (typeof given === 'string' ? readLine(given) : null);
  // an error of the client's own file tools says nothing about the project, so no lesson is about their calls
  if (line === null && !takesFields(tool)) return [];
  const lessons = await services.callLessons.of(claims, session.projectId);
  const keys = () => keysOfCall({ target: targetOf(event, session), line });
  const known = new Set(stillOffered(session, event));
  const told = lessons.at(keys).flatMap((lesson) => {
    // what it advises was just done
    const isDone = () => session.passed.some(({ line: { text } }) => lesson.lesson.includes(`\`${text}\``));
    const holds = services.config.hold && lesson.holds && !toldBeforeCall(session, lesson.id) && !isDone();
    return holds || !known.has(lesson.id) ? [{ lesson, holds }] : [];
  });
  const shown = told.sort((a, b) => Number(b.holds) - Number(a.holds)).slice(0, MAX_AT_CALL);
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

/** Counts the rules of persons that acted. */
export async function recordDecision(tx: Tx, { at, check, offers = [] }: Stored): Promise<void> {
  const stopped = check?.source === 'guard' ? check.lessonId : null;
  const told = offers.map(({ kind, sourceId, withheld }) => (kind === 'rule' && !withheld ? sourceId : null));
  await countHits(
    tx,
    [stopped, ...told].filter((id) => id !== null),
    at,
  );
}
