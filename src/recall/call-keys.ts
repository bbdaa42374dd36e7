import { isRoutine } from '../fixes/lasting.ts';
import type { ResolvedHow } from '../incidents/incidents.ts';
import { type Line, readLine } from '../shell/line.ts';
import { programs } from '../shell/lists.ts';
import { aimOf, invocation, type Part, plainTask, TASKS } from '../shell/parts.ts';
import { takesFields } from '../shell/shell-tools.ts';
import { objectIn } from '../text/json.ts';

// A lesson is told at the call that it is about. Which calls those are must be found without reading for meaning, so
// calls and lessons have keys, from strict to loose:
//
//   =npm run build -- --prod   exactly this line (the target of a call)
//   ~python train.py           the same line but for options and numbers
//   git commit                 the same program and subcommand
//   program npm                any call of the program: only if another program must be used in its place
//   builds gradle              a call of the program that builds, tests or packs
//   tool mcp__db__query        any call of an MCP tool
//
// A call also has keys for its options and variables (`with TZ`), by which a lesson sees that the call follows it. What a
// person said is told at calls by guards (src/guards), and not by keys.

/** The keys of a call, and how strict each is: 3 is the line itself, 0 only the program. */
export type CallKey = { key: string; strictness: 0 | 1 | 2 | 3 };

/**
 * Returns the keys of a tool call, the strictest first.
 *
 * @param target the call's target, as calls are compared by
 * @param line its shell line; null for other tools
 */
export function keysOfCall(call: { tool: string; target: string | null; line: Line | null }): CallKey[] {
  const { tool, target, line } = call;
  const keys: CallKey[] = target === null ? [] : [{ key: `=${target}`, strictness: 3 }];
  const add = (strictness: 0 | 1 | 2, added: string[]) => {
    for (const key of added) keys.push({ key, strictness });
  };
  if (takesFields(tool)) add(1, [`tool ${tool}`]);
  for (const part of line?.parts ?? []) {
    add(2, [`~${shapeOf(part)}`]);
    add(
      0,
      settingsOf(part).map((name) => `with ${name}`),
    );
    const run = runBy(part);
    for (const one of run ? [part, run] : [part]) {
      add(1, [invocation(one)]);
      add(0, [`program ${one.program}`]);
    }
    if (isBuild(part)) add(1, [buildKey(part)]);
  }
  return keys.sort((a, b) => b.strictness - a.strictness);
}

/** Returns a command without its options and with every number as 0: the next release is the same line. */
const shapeOf = (part: Pick<Part, 'program' | 'args'>): string =>
  [invocation(part), ...part.args.filter((arg) => !arg.startsWith('-') && !/^\d+$/.test(arg))]
    .join(' ')
    .replace(/\d+/g, '0');

/**
 * What decides at which calls a lesson is told: the keys of these calls, the keys that show that a call follows it
 * already, and the lines that it recommends. An agent that runs one of these lines knows the lesson.
 */
export type LessonKeys = { at: Set<string>; done: Set<string>; lines: string[] };

/** The parts of a lesson that decide at which calls it is told. */
export type LessonAtCalls = {
  status: 'trial' | 'active';
  lesson: string;
  appliesTo: string[];
  /** the target of the call that failed; null for a stated lesson */
  target: string | null;
  /** how the error was resolved; null if that is not known */
  resolvedHow: ResolvedHow | null;
};

/**
 * Returns the keys at which a lesson is told. One on trial is told at exactly its line. One that was stated is told at the
 * commands that it is said to apply to.
 */
export function keysOfLesson(told: LessonAtCalls): LessonKeys {
  const { status, target, lesson, appliesTo } = told;
  const lines =
    target === null ? [] : codeIn(lesson).filter((code) => /\s/.test(code) && !target.includes(code));
  const done = new Set<string>();
  if (target !== null && status === 'trial') return { at: new Set([`=${target}`]), done, lines };
  if (target !== null) return { ...keysOfFailure(told, target), lines };
  if (status === 'trial') return { at: new Set(), done, lines };
  const named = appliesTo.filter((item) => item.includes(' ')).flatMap(invocationsIn);
  return { at: new Set(named), done, lines };
}

/**
 * Whether another shape of the input helped, and not another word in it: then the lesson is about this very input, and of
 * no use to a call that says something else.
 */
function hasOtherShape(target: string, { tool, command }: ResolvedHow): boolean {
  if (!command?.startsWith(`${tool} `)) return false;
  const [failed, worked] = [target, command.slice(tool.length)].map(objectIn);
  if (!failed || !worked) return true;
  const changed = Object.keys({ ...failed, ...worked }).filter(
    (name) => JSON.stringify(failed[name]) !== JSON.stringify(worked[name]),
  );
  return changed.some((name) =>
    [failed[name], worked[name]].some((value) => typeof value === 'object' && value !== null),
  );
}

/**
 * A lesson from a failure is told at the failed line, whatever its options and numbers are. If another line works
 * instead, or something had to run first, it is told at every call of the program and subcommand, because all of them
 * may need it. If another program works instead, it is told at every call of the program.
 */
function keysOfFailure({ resolvedHow: how }: LessonAtCalls, target: string): Omit<LessonKeys, 'lines'> {
  const at = new Set([`=${target}`]);
  const done = new Set<string>();
  if (how && takesFields(how.tool)) {
    if ((how.kind === 'sibling' && !hasOtherShape(target, how)) || how.commands.length > 0)
      at.add(`tool ${how.tool}`);
    return { at, done };
  }
  const aim = aimOf(readLine(target).parts, how?.error ?? '');
  if (!aim) return { at, done };
  at.add(`~${shapeOf(aim)}`);
  if (how === null) return { at, done };
  const before = how.commands.map(readLine);
  const prepared = !before.every(isRoutine);
  if (how.kind !== 'same' || prepared) {
    at.add(invocation(aim));
    const run = runBy(aim);
    if (run) at.add(invocation(run));
  }
  if (prepared && isBuild(aim)) at.add(buildKey(aim));
  for (const [, name] of how.commands.join('\n').matchAll(/\bexport (\w+)=/g)) done.add(`with ${name}`);
  const worked = readLine(how.command ?? '').parts.find(({ program }) => program === aim.program);
  const added = worked ? settingsOf(worked).filter((name) => !settingsOf(aim).includes(name)) : [];
  // another program worked instead, so every call of this one may fail
  const byOther = how.kind === 'tool' || (how.kind === 'wrapped' && how.command !== null && !worked);
  const elsewhere = worked !== undefined && worked.path !== aim.path;
  if (
    byOther ||
    elsewhere ||
    before.some(({ setsVariables }) => setsVariables) ||
    isMissing(aim.program, how.error)
  )
    at.add(`program ${aim.program}`);
  if (added.length === 1) done.add(`with ${added[0]}`);
  return { at, done };
}

/** Whether an error says that a program is not there. */
const isMissing = (program: string, error: string): boolean =>
  [...error.matchAll(/([\w.+-]+): (?:command )?not found$|command not found: (\S+)$/gm)].some(
    ([, before, after]) => (before ?? after) === program,
  );

/**
 * Programs that build, with their subcommands for it. What has to run before one of them has to run before
 * all.
 */
const BUILDERS = programs('project-builders');
const BUILDS =
  /^(?:build|compile|test|check|run|publish|pack|package|verify|assemble|install|bundle|jar)(?=$|[A-Z:])/;

/** Their `install` fetches packages. That of gradle, maven and make builds. */
const INSTALLERS = programs('installers');

function isBuild(part: Part): boolean {
  if (!BUILDERS.has(part.program)) return false;
  if (TASKS.test(part.program)) return part.args.some((arg) => BUILDS.test(plainTask(arg)));
  const task = invocation(part).split(' ').at(-1) ?? '';
  return BUILDS.test(task) && !(task === 'install' && INSTALLERS.has(part.program));
}

const buildKey = ({ program }: Part): string => `builds ${program.replace(/(?<=gradle|mvn)w$/, '')}`;

/** Returns the program that a package manager runs by its name: `jest`, of `pnpm jest`; null if it runs none. */
function runBy({ program, args }: Part): Part | null {
  const [first = '', ...rest] = args;
  if (!/^(?:pnpm|yarn|bun)$/.test(program) || !/^[a-z][\w-]*$/.test(first)) return null;
  return { program: first, path: first, args: rest, env: [], writes: [], around: [program] };
}

/** Returns the names of the options and variables of a command: `--prod`, `TZ`, `CC` of `make CC=gcc`. */
const settingsOf = ({ args, env }: Part): string[] =>
  [...args.filter((arg) => /^-|^[A-Z_]\w*=/.test(arg)), ...env].map(
    (word) => word.split('=', 1)[0] as string,
  );

const codeIn = (text: string): string[] =>
  [...text.matchAll(/[`“]([^`“”]{1,200})[`”]/g)].map((match) => (match[1] as string).trim());

const invocationsIn = (command: string): string[] => readLine(command).parts.map(invocation);
