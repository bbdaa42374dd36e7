import type { ResolvedHow } from '../incidents/incidents.ts';
import {
  aimOf,
  invocation as ladderInvocation,
  type Part,
  partsOf,
  plainTask,
  purposeOf,
  setsVariables,
  TASKS,
} from '../incidents/ladder.ts';
import { isRoutine } from './lasting.ts';

// A lesson is told at the call that it is about. Which calls those are must be found without reading for meaning, so
// calls and lessons have keys, from strict to loose:
//
//   =npm run build -- --prod   exactly this line (the target of a call), or exactly this file
//   ~python train.py           the same line but for options and numbers
//   git commit                 the same program and subcommand
//   git push @main             a push to this branch; `git push @` if the line names none
//   program npm                any call of the program
//   builds gradle              a call of the program that builds, tests or packs
//   tool mcp__db__query        any call of an MCP tool
//   for deploy                 any call with this purpose
//   file config/default.json   a change of this file
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
  if (file !== null) {
    keys.push({ key: `file ${file}`, strictness: 2 });
    keys.push({ key: `file ${file.split('/').at(-1)}`, strictness: 1 });
  }
  if (tool.startsWith('mcp__')) keys.push({ key: `tool ${tool}`, strictness: 1 });
  for (const part of command === null ? [] : partsOf(command)) {
    keys.push({ key: `~${shapeOf(part)}`, strictness: 2 });
    keys.push(...settingsOf(part).map((name) => ({ key: `with ${name}`, strictness: 0 as const })));
    keys.push(...invocationKeys(part).map((key) => ({ key, strictness: 1 as const })));
    keys.push({ key: `program ${part.program}`, strictness: 0 });
    const run = runBy(part);
    if (run) {
      keys.push(...invocationKeys(run).map((key) => ({ key, strictness: 1 as const })));
      keys.push({ key: `program ${run.program}`, strictness: 0 });
    }
    if (isBuild(part)) keys.push({ key: buildKey(part), strictness: 0 });
    const purpose = purposeIn(part);
    if (purpose !== null) keys.push({ key: `for ${purpose}`, strictness: 0 });
  }
  return keys.sort((a, b) => b.strictness - a.strictness);
}

/** Test runners: their first word is what to test, and not a subcommand. */
const RUNNERS = new Set(['pytest', 'jest', 'mocha', 'rspec', 'phpunit', 'ctest', 'tox', 'nox']);

/** Returns the program with its subcommand. */
const invocation = (part: Pick<Part, 'program' | 'args'>): string =>
  RUNNERS.has(part.program) ? part.program : ladderInvocation(part);

/** Returns what a command is for. Only its program and subcommand count: `kubectl logs deploy/api` deploys nothing. */
function purposeIn(part: Part): string | null {
  const [program = '', ...args] = invocation(part).split(' ');
  return purposeOf({ program, args });
}

function invocationKeys(part: Part): string[] {
  const name = invocation(part);
  if (name !== 'git push') return [name];
  // the second word behind `push` that is no option says where to: `main`, `HEAD:main`
  const ref = part.args.filter((arg) => !arg.startsWith('-'))[2] ?? '';
  return [name, `git push @${ref.split(':').at(-1)}`];
}

/** Returns a command without its options and with every number as 0: the next release is the same line. */
const shapeOf = (part: Pick<Part, 'program' | 'args'>): string =>
  [invocation(part), ...part.args.filter((arg) => !arg.startsWith('-') && !/^\d+$/.test(arg))]
    .join(' ')
    .replace(/\d+/g, '0');

/** What of a lesson says at which calls it is told. */
export type Told = {
  lesson: string;
  appliesTo: string[];
  /** the target of the call that failed; null for a stated lesson */
  target: string | null;
  /** how the error was resolved; null if that is not known */
  resolvedHow: ResolvedHow | null;
  fromPerson: boolean;
};

/** Keys at which a lesson is told, and the invocations and lines that already do what it says. */
export type LessonKeys = { at: Set<string>; done: Set<string> };

/** Returns the keys at which a lesson is told. */
export function keysOfLesson(told: Told): LessonKeys {
  if (told.target !== null) return keysOfFailure(told, told.target);
  const named = told.appliesTo.filter((item) => item.includes(' ')).flatMap(invocationsIn);
  if (!told.fromPerson) return { at: new Set(named), done: new Set() };
  const { at, done } = keysOfWords(told.lesson);
  for (const name of named) if (!done.has(name)) at.add(name);
  return { at, done };
}

/**
 * A lesson from a failure is told at the failed line, whatever its options and numbers are. If another line works
 * instead, or something had to run first, it is told at every call of the program and subcommand, because all of them
 * may need it. If the program itself was called in another way, it is told at every call of the program.
 */
function keysOfFailure({ lesson, resolvedHow: how }: Told, target: string): LessonKeys {
  const at = new Set([`=${target}`]);
  // the lines that the lesson recommends: who runs one of them knows already
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
  // another program did it, so all that this one is asked to do is in question
  const byOther = how.kind === 'tool' || (how.kind === 'wrapped' && how.command !== null && !worked);
  const elsewhere = worked !== undefined && worked.path !== aim.path;
  if (byOther || elsewhere || (worked && added.length > 0 && isOfProgram(aim, worked)))
    at.add(`program ${aim.program}`);
  const where = added.filter((name) => saysWhere(aim.program, name));
  if (where.length > 0) for (const program of clientsLike(aim.program)) at.add(`program ${program}`);
  for (const name of added.length === 1 ? added : where) done.add(`with ${name}`);
  return { at, done };
}

/** Errors that are about the program or where and as whom it works, and not about what it was asked to do. */
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

/** Programs that build, and the subcommands that do it: what one of them needs first, the others need too. */
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

/** Options that say with what a program connects, as whom, and what it works on. */
const WHERE =
  /^--(?:project|profile|region|zone|context|kube-?context|kubeconfig|namespace|host|hostname|port|socket|user|username|account|subscription|tenant|endpoint|endpoint-url|remote|cluster|server|registry|org|organization|workspace|flavor|url|database-url|address|addr|proxy|cacert|ca-file|profiles-dir|project-dir|config-dir)$/;
/** Letters of the same. */
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
/** Clients of one server, which take the same such options. */
const CLIENTS = [
  'psql pg_dump pg_restore createdb dropdb pg_isready pgcli vacuumdb',
  'mysql mysqldump mysqladmin mysqlimport mariadb mariadb-dump',
  'mongosh mongo mongodump mongorestore mongoexport mongoimport',
].map((line) => line.split(' '));

const clientsLike = (program: string): string[] =>
  CLIENTS.find((clients) => clients.includes(program)) ?? [program];

/** Returns whether an option says where or as whom a program works. That holds for all its subcommands. */
const saysWhere = (program: string, option: string): boolean =>
  WHERE.test(option) || clientsLike(program).some((client) => WHERE_OF[client]?.includes(option));

/** Returns the names of the options and variables of a command: `--prod`, `TZ`, `CC` of `make CC=gcc`. */
const settingsOf = ({ args, env }: Part): string[] =>
  [...args.filter((arg) => /^-|^[A-Z_]\w*=/.test(arg)), ...env].map(
    (word) => word.split('=', 1)[0] as string,
  );

/**
 * Returns whether what a command has more than the failed one is about its program, and not about the subcommand: a
 * variable, an option before the subcommand (`kubectl -n shop get`), or any option where the subcommand is only a task of
 * the project (`./gradlew assemble --no-daemon`).
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

/** Programs of which a project uses one; the names of some are plain words, so those count in code marks only. */
const SUBSTITUTES = [
  'npm pnpm yarn bun',
  'pip pipenv uv poetry pdm conda',
  'jest vitest mocha',
  'docker podman nerdctl',
  'ts-node tsx',
  'mvn gradle',
  'eslint biome oxlint',
  'prettier biome dprint',
  'black ruff autopep8',
  'make just task rake',
].map((line) => line.split(' '));
const PLAIN_WORDS = new Set(['make', 'just', 'task', 'rake', 'black', 'bun', 'poetry']);
const TOOLS = new Set(SUBSTITUTES.flat().filter((tool) => !PLAIN_WORDS.has(tool)));

/** What people call the things that commands do. */
const DEEDS: [RegExp, string][] = [
  [/\bcommit(?:s|ting|ted)?\b/gi, 'git commit'],
  [/\bmerg(?:e|es|ing)\b/gi, 'git merge'],
  [/\brebas(?:e|es|ing)\b/gi, 'git rebase'],
  [/\b(?:pull requests?|PRs?)\b/g, 'gh pr create'],
  [/\bdeploy(?:s|ing|ed|ments?)?\b/gi, 'for deploy'],
  [/\b(?:releas|publish)(?:e|es|ing)?\b/gi, 'for deploy'],
  [/\binstall(?:s|ing)?\b|\badd(?:ing)? (?:\w+ )?(?:packages?|dependenc(?:y|ies))\b/gi, 'for install'],
  [/\bmigrat(?:e|es|ing|ions?)\b/gi, 'for migrate'],
  [/\b(?:run|running|start) (?:\w+ ){0,2}tests?\b|\btests? (?:run|need|require)s?\b/gi, 'for test'],
  [/\bbuild(?:s|ing)?\b/gi, 'for build'],
  [/\blint(?:s|ing)?\b/gi, 'for lint'],
];
const NOUN_BEFORE = /\b(?:the|a|an|our|this|each|every|last|from|release|generated) $/i;
const NOUN_AFTER = /^ (?:folder|director|output|file|cache|notes|branch|script)/i;
const BRANCH = /\b(?:main|master|develop|trunk|staging|production|prod)\b/gi;
const NEGATION =
  /\b(?:never|don['’]?t|do not|not|avoid|no|stop|without|nobody|instead of|rather than|forget)\b/i;
const FILE =
  /(?<![\w/.@-])(?:[\w.@-]+\/)*[\w@-][\w.@-]*\.(?:json|ya?ml|toml|[cm]?[jt]sx?|py|rb|go|rs|java|kt|sql|md|lock|env|ini|cfg|conf|xml|html|s?css|proto|sh|tf)(?![\w/*-])/g;

/**
 * Returns the keys of what a person said. A named program is told at its substitutes ("use pnpm": at npm), what is
 * forbidden and what is to be prepared at its own calls, a deed ("commit", "deploy") at the commands that do it.
 */
function keysOfWords(lesson: string): LessonKeys {
  const at = new Set<string>();
  const done = new Set<string>();
  const wanted = new Set<string>();
  const plain = lesson.replace(/`[^`]*`/g, (code) => '#'.repeat(code.length));
  /** the words of the same clause before a place */
  const before = (index: number) =>
    plain
      .slice(0, index)
      .split(/[.;:!?,](?=\s)|\s[–—-]\s/)
      .at(-1) ?? '';
  const name = (tool: string, index: number) => {
    if (NEGATION.test(before(index))) at.add(`program ${tool}`);
    else wanted.add(tool);
  };
  for (const match of lesson.matchAll(/`([^`]{1,200})`/g)) {
    const code = match[1] as string;
    const words = before(match.index);
    if (SUBSTITUTES.flat().includes(code)) {
      name(code, match.index);
      continue;
    }
    const prepared = /\b(?:before|when|whenever|after|until)(?: (?:you|we))?(?: run(?:ning)?)? $/i.test(
      words,
    );
    for (const part of partsOf(code)) {
      if (prepared || NEGATION.test(words)) at.add(invocation(part));
      else {
        done.add(invocation(part));
        const purpose = purposeIn(part);
        if (purpose !== null && /\b(?:use|using|with|via|through|run|by) $/i.test(words))
          at.add(`for ${purpose}`);
      }
    }
  }
  for (const match of plain.matchAll(/[a-z][\w-]*/gi)) {
    const tool = match[0].toLowerCase();
    if (TOOLS.has(tool)) name(tool, match.index);
  }
  for (const tool of wanted) {
    const others = SUBSTITUTES.filter((set) => set.includes(tool)).flat();
    for (const other of others) if (!wanted.has(other)) at.add(`program ${other}`);
  }
  for (const [pattern, key] of DEEDS) {
    for (const match of plain.matchAll(pattern)) {
      const after = plain.slice(match.index + match[0].length);
      if (!NOUN_BEFORE.test(plain.slice(0, match.index)) && !NOUN_AFTER.test(after)) at.add(key);
    }
  }
  if (/\bpush(?:es|ing)?\b/i.test(plain)) {
    const branches = plain.match(BRANCH) ?? [];
    if (branches.length === 0) at.add('git push');
    else for (const branch of [...branches, '']) at.add(`git push @${branch.toLowerCase()}`);
  }
  for (const match of plain.matchAll(FILE)) {
    // "withDb() from test/db.ts" names a file to use, not one to leave alone
    if (!/\b(?:from|in|see|use|edit|with|by) $/i.test(plain.slice(0, match.index)))
      at.add(`file ${match[0]}`);
  }
  return { at, done };
}
