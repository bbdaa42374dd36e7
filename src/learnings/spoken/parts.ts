import { invocation as ladderInvocation, type Part } from '../../incidents/ladder.ts';
import { FILE_LOOKERS } from '../../shell/looks.ts';
import { baseName } from '../../shell/names.ts';
import { shellPipelines } from '../../shell/steps.ts';
import { deedsOf, taskWords, wordsOf } from './deeds-done.ts';

// Keys of one command of a line, by which it is told what a person said. call-keys.ts lists them.

/** Test runners: their first word is what to test, and not a subcommand. */
const RUNNERS = new Set(['pytest', 'jest', 'mocha', 'rspec', 'phpunit', 'ctest', 'tox', 'nox']);
/** Programs whose words are files: the first one chooses nothing. */
const ON_FILES = /^(?:rm|cp|mv|cat|find|grep|rg|sed|chmod|chown|kill|pkill|eslint|prettier|black|ruff|tsc)$/;

/** Returns the program with its subcommand. */
export const invocation = (part: Pick<Part, 'program' | 'args'>): string =>
  RUNNERS.has(part.program) ? part.program : ladderInvocation(part);

/** Programs with short options that mean the same as long ones. */
const SHORT: { [option: string]: string } = {
  'git push -f': '--force',
  'git commit -n': '--no-verify',
  'git commit -s': '--signoff',
  'git commit -a': '--all',
  'git commit -S': '--gpg-sign',
  'npm install -g': '--global',
  'gh pr create -d': '--draft',
  'gh pr merge -s': '--squash',
  'gh pr merge -r': '--rebase',
  'docker compose down -v': '--volumes',
};
const ALIASES: { [invocation: string]: string } = { 'npm i': 'npm install', 'pnpm i': 'pnpm install' };
const MAX_EXTRAS = 24;

/** Returns the program with its subcommand; programs that work on files have none. */
const headOf = (part: Part): string => {
  if (ON_FILES.test(part.program)) return part.program;
  const name = invocation(part);
  return ALIASES[name] ?? name;
};

/** Returns the options and further words of a command: long options first, single letters last. */
function extrasOf(part: Part): string[] {
  const head = headOf(part);
  const named = new Set(head.split(' '));
  const long: string[] = [];
  const words: string[] = [];
  const short: string[] = [];
  for (const arg of part.args) {
    if (/^--\w|^-\w+-\w|^-\w{4,}$/.test(arg)) long.push(arg.split('=', 1)[0] as string);
    else if (/^-\w/.test(arg)) for (const letter of arg.slice(1)) short.push(`-${letter}`);
    else if (/^[\w./:@*-]{1,60}$/.test(arg) && !named.has(arg)) words.push(arg);
  }
  for (const letter of short) {
    const same = SHORT[`${head} ${letter}`];
    if (same) long.push(same);
  }
  return [...long, ...words.slice(0, 4), ...short].slice(0, MAX_EXTRAS);
}

/** Returns the long names of a command's short options: `--no-verify` of `git commit -n`. */
export const longOptions = (part: Part): string[] =>
  part.args
    .filter((arg) => /^-[a-zA-Z]{1,3}$/.test(arg))
    .flatMap((arg) => [...arg.slice(1)].flatMap((letter) => SHORT[`${headOf(part)} -${letter}`] ?? []));

/** Returns the keys of a command as it is called: `as bundle exec rails`, `npm install + --force`. */
export function exactKeys(part: Part): string[] {
  const head = headOf(part);
  return [
    `as ${[...part.around, part.path].join(' ')}`,
    ...(part.around[0] === undefined ? [] : [`around ${part.around[0]}`]),
    `${head} +`,
    ...extrasOf(part).map((extra) => `${head} + ${extra}`),
  ];
}

/**
 * Returns the strictest of these keys that a command in a sentence stands for: `kubectl get + secret`,
 * `npm install + --force`.
 */
export function strictestKey(part: Part): string {
  if (part.around.length > 0) return `as ${[...part.around, part.path].join(' ')}`;
  const [extra] = extrasOf(part);
  if (extra !== undefined) return `${headOf(part)} + ${extra}`;
  return part.args.length > 0 ? `${headOf(part)} +` : `program ${part.program}`;
}

/** Returns the keys of a command's program, and of the script that it runs: `program bash`, `program deploy.sh`. */
export const programKeys = (part: Part): string[] =>
  [...new Set([part.program, wordsOf(part)[0]])].map((name) => `program ${name}`);

const ENVIRONMENTS: [string, RegExp][] = [
  ['prod', /(?<![a-z])(?:prod|production|live|prd)(?![a-z])/i],
  ['staging', /(?<![a-z])(?:staging|stage|stg)(?![a-z])/i],
  ['dev', /(?<![a-z])(?:dev|development|local|localhost|sandbox|127\.0\.0\.1)(?![a-z])/i],
  ['test', /(?<![a-z])(?:test|testing|qa|uat|ci)(?![a-z])/i],
];
/** Deeds that are done to an environment. */
export const IN_ENVIRONMENT =
  /^(?:deploy|migrate|release|rollback|seed|dump|change database|delete (?!branch|tag).*)$/;

/** Returns the environments that words name: `prod`, `staging`, `dev`, `test`. */
export const environmentsIn = (words: string[]): string[] =>
  ENVIRONMENTS.filter(([, pattern]) => words.some((word) => pattern.test(word))).map(([name]) => name);

/** Subcommands that only look. */
const ONLY_LOOKS =
  /(?:^| )(?:get|describe|logs?|top|diff|explain|list|ls|status|show|history|plan|output|ps|info|view|template|lint|version|whoami|config|(?:describe|list|get)-[\w-]+)(?= |$)/;

/** Returns the keys of what a command does, and in which environment: `for deploy`, `for deploy in prod`. */
export function deedKeys(part: Part): string[] {
  const said = wordsOf(part);
  const deeds = deedsOf(part, said);
  const tasks = [...new Set(taskWords(said))].slice(0, 6).map((word) => `task ${word}`);
  const words = [...part.env, part.path, ...part.args].filter(
    (word) => word.length < 200 && !/\s/.test(word),
  );
  const subject = words.map((word) => word.replace(/^db:test$|^migrate:?dev$/, ''));
  const named = environmentsIn(
    part.program === 'prisma' ? subject.filter((word) => word !== 'dev') : subject,
  );
  const where = named.length === 0 ? ['?'] : named;
  const isLocal = part.program === 'git' || deeds.some((deed) => /^(?:build|install|test|lint)$/.test(deed));
  return [
    ...deeds.flatMap((deed) => [
      `for ${deed}`,
      ...(IN_ENVIRONMENT.test(deed) ? where.map((place) => `for ${deed} in ${place}`) : []),
    ]),
    ...tasks,
    ...(isLocal ? [] : named.map((place) => `in ${place}`)),
    ...(isLocal || ONLY_LOOKS.test(said.slice(1, 4).join(' ')) || ON_FILES.test(part.program)
      ? []
      : named.map((place) => `changes in ${place}`)),
  ];
}

/**
 * Returns the programs of a line that only show something, because whoever wants `rg` wants no `grep` there, and the
 * files that they show.
 */
export const lookKeys = (command: string): string[] =>
  (shellPipelines(command) ?? []).flatMap(({ steps }) => {
    const { program = '', args = [] } = steps[0] ?? {};
    if (!FILE_LOOKERS.has(program)) return [];
    const files = args.filter((arg) => !arg.startsWith('-') && arg.length < 300).slice(0, 8);
    return [
      `looks with ${program}`,
      ...files.flatMap((file) => [...new Set([file, ...namesOf(file)])].map((name) => `shows ${name}`)),
    ];
  });

/** Returns the names by which people speak of a file: `.env.production` is also one of the `.env` files. */
function namesOf(file: string): string[] {
  const name = baseName(file);
  const isEnv = /^\.env\.(?!example|sample|template|dist)/.test(name);
  return [name, ...(isEnv ? ['.env'] : [])];
}

/** Returns the files that a command changes, as far as its words tell. */
export const filesOf = (part: Part): string[] =>
  [...part.writes, ...changedBy(part)]
    .filter((file) => file.length < 300)
    .slice(0, 8)
    .map((file) => file.replace(/^\.\/|\/$/g, ''));

/** Returns the words of a command that are files which it changes. */
function changedBy({ program, args }: Part): string[] {
  const words = args.filter((arg) => !arg.startsWith('-'));
  switch (program) {
    case 'sed':
    case 'perl':
      return args.some((arg) => /^-[a-zA-Z]*i|^--in-place/.test(arg))
        ? words.filter((word) => /^[\w./@*-]+$/.test(word))
        : [];
    case 'rm':
    case 'mv':
    case 'truncate':
    case 'unlink':
      return words;
    case 'cp':
      return words.slice(-1);
    case 'yq':
      return args.some((arg) => /^-i$|^--inplace$/.test(arg)) ? words.slice(1) : [];
    case 'prettier':
    case 'eslint':
    case 'biome':
    case 'gofmt':
    case 'clang-format':
      return args.some((arg) => /^(?:-w|-i|--write|--fix)$/.test(arg)) ? words : [];
    case 'patch': {
      const at = args.findIndex((arg) => /^(?:-d|--directory)$/.test(arg));
      return at < 0 ? [] : [`${args[at + 1]}/*`];
    }
    case 'git':
      return args[0] === 'rm' || args[0] === 'mv' ? words.slice(1) : [];
    default:
      return [];
  }
}

/** Returns the keys of a file that is changed: its path, its name, and each folder that it lies in. */
export function fileKeys(file: string): { exact: string; loose: string[] } {
  const folders = file
    .split('/')
    .slice(0, -1)
    .filter((name) => name !== '')
    .slice(-8);
  const paths = folders.map((_, i) => folders.slice(0, i + 1).join('/'));
  return {
    exact: `file ${file}`,
    loose: [
      `file ${baseName(file)}`,
      `file *${/\.\w+$/.exec(file)?.[0] ?? ''}`,
      ...new Set([...folders, ...paths].map((folder) => `under ${folder}/`)),
    ],
  };
}
