import { dropOldest } from '../drop-oldest.ts';
import type { ResolvedHow } from '../incidents/incidents.ts';
import { aimOf, type Part, partsOf, plainTask, setsVariables, TASKS } from '../incidents/ladder.ts';
import { isRoutine } from './lasting.ts';
import { branchKeys } from './spoken/branches.ts';
import { keysOfWords, type LessonKeys } from './spoken/keys.ts';
import {
  deedKeys,
  exactKeys,
  fileKeys,
  filesOf,
  invocation,
  longOptions,
  lookKeys,
  programKeys,
} from './spoken/parts.ts';

export type { LessonKeys };

// A lesson is told at the call that it is about. Which calls those are must be found without reading for meaning, so
// calls and lessons have keys, from strict to loose:
//
//   =npm run build -- --prod   exactly this line (the target of a call), or exactly this file
//   ~python train.py           the same line but for options and numbers
//   git commit                 the same program and subcommand
//   git push @main             a push to this branch; `git push @` if the line names none
//   git push @release/*        a push to a branch of this group
//   forced git push @main      a forced push; also `git push to upstream` (a remote) and `git push tags`
//   git commit @main           a commit on this branch, as far as the line tells; `git merge @main` is a merge into it,
//                              `git merge of main` a merge of it, `delete @main` its deletion
//   pr base main               a pull request against this branch
//   npm install + --force      the same program and subcommand with this option or word; `npm install +` with any
//   as bundle exec rails       the program as it was called; `around uv` if uv runs it
//   program npm                any call of the program
//   builds gradle              a call of the program that builds, tests or packs
//   tool mcp__db__query        any call of an MCP tool
//   looks with grep            a call that only shows something with this program; `shows .env`, this file
//   task seed                  a task or script of the project with this word in its name
//   in prod                    a call whose words name this environment
//   for deploy                 any call that does this (spoken/deeds.ts); `for deploy in prod` and `for deploy in ?` say
//                              where
//   file config/default.json   a change of this file, also by a shell command
//   under build/               a change of a file in this folder; `edits under build/` if the file was there before
//
// A call also has keys for its options and variables (`with TZ`), by which a lesson sees that the call follows it.

/** The keys of a call, and how strict each is: 3 is the line itself, 0 only the purpose. */
export type CallKey = { key: string; strictness: 0 | 1 | 2 | 3 };

/**
 * Returns the keys of a tool call, the strictest first.
 *
 * @param target the call's target, as calls are compared by
 * @param command the shell command; null for other tools
 * @param file the file that the call changes, relative to the work tree; null if it changes none
 */
export function keysOfCall(call: {
  tool: string;
  target: string | null;
  command: string | null;
  file: string | null;
}): CallKey[] {
  const { tool, target, command, file } = call;
  const keys: CallKey[] = target === null ? [] : [{ key: `=${target}`, strictness: 3 }];
  const add = (strictness: 0 | 1 | 2, added: string[]) => {
    for (const key of added) keys.push({ key, strictness });
  };
  const addFile = (changed: string, isEdit: boolean, strictness: 1 | 2) => {
    const { exact, loose } = fileKeys(changed);
    add(strictness, [exact]);
    add(1, loose);
    if (isEdit)
      add(
        1,
        loose.filter((key) => key.startsWith('under ')).map((key) => `edits ${key}`),
      );
  };
  if (file !== null) addFile(file, tool !== 'Write', 2);
  if (tool.startsWith('mcp__')) add(1, [`tool ${tool}`]);
  const parts = command === null ? [] : partsOf(command);
  for (const part of parts) {
    add(2, [`~${shapeOf(part)}`]);
    add(
      0,
      [...settingsOf(part), ...longOptions(part)].map((name) => `with ${name}`),
    );
    const run = runBy(part);
    for (const one of run ? [part, run] : [part]) {
      add(1, [invocation(one), ...exactKeys(one)]);
      add(0, [...programKeys(one), ...deedKeys(one)]);
    }
    if (isBuild(part)) add(0, [buildKey(part)]);
    for (const changed of filesOf(part))
      addFile(changed, part.program === 'sed' || part.program === 'perl', 1);
  }
  add(1, branchKeys(parts));
  if (command !== null) add(0, lookKeys(command));
  return keys.sort((a, b) => b.strictness - a.strictness);
}

/** Returns a command without its options and with every number as 0: the next release is the same line. */
const shapeOf = (part: Pick<Part, 'program' | 'args'>): string =>
  [invocation(part), ...part.args.filter((arg) => !arg.startsWith('-') && !/^\d+$/.test(arg))]
    .join(' ')
    .replace(/\d+/g, '0');

/** The parts of a lesson that decide at which calls it is told. */
export type Told = {
  lesson: string;
  appliesTo: string[];
  /** the target of the call that failed; null for a stated lesson */
  target: string | null;
  /** how the error was resolved; null if that is not known */
  resolvedHow: ResolvedHow | null;
  fromPerson: boolean;
};

/** Returns the keys at which a lesson is told. */
export function keysOfLesson(told: Told): LessonKeys {
  if (told.target !== null) return keysOfFailure(told, told.target);
  const named = told.appliesTo.filter((item) => item.includes(' ')).flatMap(invocationsIn);
  if (!told.fromPerson) return { at: new Set(named), done: new Set() };
  const { at, done } = rememberedKeys(told.lesson);
  // what the words name was read with them
  const more = told.appliesTo.filter((item) => item.includes(' ') && !saysIt(told.lesson, item));
  for (const name of more.flatMap(invocationsIn)) if (!done.has(name)) at.add(name);
  return { at, done };
}

/**
 * When one lesson changes, all of its project are read again. Reading the words of 2,000 takes half a second, so what was
 * read is remembered.
 */
const remembered = new Map<string, LessonKeys>();
const MAX_REMEMBERED = 4_000;

function rememberedKeys(lesson: string): LessonKeys {
  const keys = remembered.get(lesson) ?? keysOfWords(lesson);
  remembered.set(lesson, keys);
  dropOldest(remembered, MAX_REMEMBERED);
  return { at: new Set(keys.at), done: new Set(keys.done) };
}

const saysIt = (lesson: string, command: string): boolean =>
  lesson.toLowerCase().includes(command.toLowerCase());

/**
 * A lesson from a failure is told at the failed line, whatever its options and numbers are. If another line works
 * instead, or something had to run first, it is told at every call of the program and subcommand, because all of them
 * may need it. If the program itself was called in another way, it is told at every call of the program.
 */
function keysOfFailure({ lesson, resolvedHow: how }: Told, target: string): LessonKeys {
  const at = new Set([`=${target}`]);
  // the lines that the lesson recommends: an agent that runs one of them already knows the lesson
  const done = new Set(codeIn(lesson).flatMap((code) => (code === target ? [] : `=${code}`)));
  if (how?.tool.startsWith('mcp__')) {
    if (how.kind === 'sibling' || how.commands.length > 0) at.add(`tool ${how.tool}`);
    return { at, done };
  }
  const aim = aimOf(partsOf(target), how?.error ?? '');
  if (!aim) return { at, done };
  at.add(`~${shapeOf(aim)}`);
  if (how === null) return { at, done };
  const prepared = !how.commands.every(isRoutine);
  if (how.kind !== 'same' || prepared) {
    at.add(invocation(aim));
    const run = runBy(aim);
    if (run) at.add(invocation(run));
  }
  if (prepared && isBuild(aim)) at.add(buildKey(aim));
  if (how.commands.some(setsVariables) || OF_PROGRAM.test(how.error) || isMissing(aim.program, how.error))
    at.add(`program ${aim.program}`);
  for (const [, name] of how.commands.join('\n').matchAll(/\bexport (\w+)=/g)) done.add(`with ${name}`);
  const worked = partsOf(how.command ?? '').find(({ program }) => program === aim.program);
  const added = worked ? settingsOf(worked).filter((name) => !settingsOf(aim).includes(name)) : [];
  // another program worked instead, so every call of this one may fail
  const byOther = how.kind === 'tool' || (how.kind === 'wrapped' && how.command !== null && !worked);
  const elsewhere = worked !== undefined && worked.path !== aim.path;
  if (byOther || elsewhere || (worked && added.length > 0 && isOfProgram(aim, worked)))
    at.add(`program ${aim.program}`);
  const where = added.filter((name) => saysWhere(aim.program, name));
  if (where.length > 0) for (const program of clientsLike(aim.program)) at.add(`program ${program}`);
  for (const name of added.length === 1 ? added : where) done.add(`with ${name}`);
  return { at, done };
}

/**
 * Errors about the program itself, or about where or as which user it works, and not about what it was asked
 * to do.
 */
const OF_PROGRAM = new RegExp(
  [
    // another version
    'unsupported (?:\\S+ ){0,3}version|(?:required|requires|incompatible) (?:\\S+ ){0,4}version|version mismatch',
    // nobody, or somebody who may not
    'not (?:logged|signed) in|un(?:authori[sz]ed|authenticated)\\b|(?:not|isn.t) authenticated|authentication (?:failed|required)',
    'log ?in (?:first|again|required)|(?:please|must) (?:log|sign) ?in|access denied|accessdenied|(?:^|: )denied:',
    '\\b(?:no|missing|invalid|expired|without)(?: \\w+){0,3} credentials|credentials? (?:\\w+ ){0,4}(?:expired|invalid|missing|not found)',
    '(?:token|session|login) (?:\\S+ ){0,6}(?:expired|invalid)|expired ?(?:\\w+ )?token',
    // the wrong folder
    'no \\S+ (?:project |config\\w* )?file found|not (?:in )?an? \\S+ (?:project|repository|workspace)\\b|no project (?:file|root)',
    'could not (?:find|read) (?:a |any )?\\S+\\.(?:toml|ya?ml|json|gradle|xml|exs)\\b',
  ].join('|'),
  'im',
);

/** Whether an error says that a program is not there. */
const isMissing = (program: string, error: string): boolean =>
  [...error.matchAll(/([\w.+-]+): (?:command )?not found$|command not found: (\S+)$/gm)].some(
    ([, before, after]) => (before ?? after) === program,
  );

/**
 * Programs that build, with their subcommands for it. What has to run before one of them has to run before
 * all.
 */
const BUILDERS =
  /^(?:dotnet|gradlew?|cargo|go|mvnw?|cmake|swift|zig|sbt|stack|cabal|dune|flutter|mix|npm|pnpm|yarn|bun|nx|turbo)$/;
const BUILDS =
  /^(?:build|compile|test|check|run|publish|pack|package|verify|assemble|install|bundle|jar)(?=$|[A-Z:])/;

const isBuild = (part: Part): boolean =>
  BUILDERS.test(part.program) &&
  (TASKS.test(part.program)
    ? part.args.some((arg) => BUILDS.test(plainTask(arg)))
    : BUILDS.test(invocation(part).split(' ').at(-1) ?? ''));

const buildKey = ({ program }: Part): string => `builds ${program.replace(/(?<=gradle|mvn)w$/, '')}`;

/** Returns the program that a package manager runs by its name: `jest`, of `pnpm jest`; null if it runs none. */
function runBy({ program, args }: Part): Part | null {
  const [first = '', ...rest] = args;
  if (!/^(?:pnpm|yarn|bun)$/.test(program) || !/^[a-z][\w-]*$/.test(first)) return null;
  return { program: first, path: first, args: rest, env: [], writes: [], around: [program] };
}

/** Options that say what a program connects to, as which user, and what it works on. */
const WHERE =
  /^--(?:project|profile|region|zone|context|kube-?context|kubeconfig|namespace|host|hostname|port|socket|user|username|account|subscription|tenant|endpoint|endpoint-url|remote|cluster|server|registry|org|organization|workspace|flavor|url|database-url|address|addr|proxy|cacert|ca-file|profiles-dir|project-dir|config-dir)$/;
/** Short forms of these options, for each program. */
const WHERE_OF: { [program: string]: string[] } = {
  kubectl: ['-n'],
  helm: ['-n'],
  oc: ['-n'],
  dvc: ['-r'],
  docker: ['-H', '-c'],
  psql: ['-h', '-p', '-U'],
  mysql: ['-h', '-P', '-S'],
  'redis-cli': ['-h', '-p'],
};
/** Groups of programs that are clients of the same server and take the same of these options. */
const CLIENTS = [
  'psql pg_dump pg_restore createdb dropdb pg_isready pgcli vacuumdb',
  'mysql mysqldump mysqladmin mysqlimport mariadb mariadb-dump',
  'mongosh mongo mongodump mongorestore mongoexport mongoimport',
].map((line) => line.split(' '));

const clientsLike = (program: string): string[] =>
  CLIENTS.find((clients) => clients.includes(program)) ?? [program];

/**
 * Returns whether an option says where, or as which user, a program works. Such an option holds for all
 * subcommands.
 */
const saysWhere = (program: string, option: string): boolean =>
  WHERE.test(option) || clientsLike(program).some((client) => WHERE_OF[client]?.includes(option));

/** Returns the names of the options and variables of a command: `--prod`, `TZ`, `CC` of `make CC=gcc`. */
const settingsOf = ({ args, env }: Part): string[] =>
  [...args.filter((arg) => /^-|^[A-Z_]\w*=/.test(arg)), ...env].map(
    (word) => word.split('=', 1)[0] as string,
  );

/**
 * Returns whether the settings that the command that worked has in addition to the failed one are about the
 * program, and not about the subcommand. This holds for a variable and for an option before the subcommand
 * (`kubectl -n shop get`). It holds for any option if the subcommand is only a task of the project
 * (`./gradlew assemble --no-daemon`).
 */
function isOfProgram(failed: Part, worked: Part): boolean {
  const before = ({ args }: Part) => {
    const [, subcommand = ''] = invocation({ program: worked.program, args }).split(' ');
    return args.slice(0, Math.max(0, args.indexOf(subcommand))).join(' ');
  };
  return (
    TASKS.test(failed.program) ||
    worked.env.some((variable) => !failed.env.includes(variable)) ||
    before(failed) !== before(worked)
  );
}

const codeIn = (text: string): string[] =>
  [...text.matchAll(/[`“]([^`“”]{1,200})[`”]/g)].map((match) => (match[1] as string).trim());

const invocationsIn = (command: string): string[] => partsOf(command).map(invocation);
