import { INTERPRETERS, type Part } from '../../incidents/ladder.ts';
import { baseName } from '../../shell/names.ts';
import { DEEDS, DELETIONS } from './deeds.ts';

/** Options before or behind a subcommand that take a value of their own. */
const VALUED =
  /^(?:-[fCnpcams]|-pl|-am|--(?:file|context|kube-?context|namespace|prefix|filter|workspace|project|profile|region|cwd|dir|message|title|body|app|config|stack|env|environment|stage|exec|manifest-path|scope|git-dir|work-tree|directory|notes|notes-file|base|head|repo|label))$/;
const MAX_WORDS = 6;

/**
 * Returns the program of a command with its words up to the sixth, without options, their values and texts.
 *
 * @example wordsOf(`kubectl --context prod apply -f deploy/`) // ['kubectl', 'apply']
 */
export function wordsOf({ program, args }: Pick<Part, 'program' | 'args'>): string[] {
  const words: string[] = [];
  for (let i = 0; i < args.length && words.length < MAX_WORDS; i++) {
    const arg = args[i] as string;
    if (arg === '--') continue;
    if (arg.startsWith('-')) {
      if (takesValue(program, arg, words[0])) i++;
    } else if (arg.length <= 80 && !/\s/.test(arg)) words.push(arg);
  }
  const [script = '', ...rest] = words;
  if (INTERPRETERS.test(program) && script !== '' && !(program === 'deno' && !script.includes('.')))
    return [baseName(script), ...rest];
  if (program === 'docker-compose') return ['docker', 'compose', ...words];
  return [program.replace(/^(gradle|mvn)w$/, '$1'), ...words];
}

/** Whether the word behind an option is its value. Behind the subcommand, `-C` and `-c` of git mean something else. */
function takesValue(program: string, option: string, subcommand: string | undefined): boolean {
  if (program !== 'git') return VALUED.test(option) && !(subcommand === undefined && /^-[as]$/.test(option));
  if (subcommand === undefined) return /^-[Cc]$|^--(?:git-dir|work-tree)$/.test(option);
  return /^-[mF]$|^--(?:message|author|date)$/.test(option) && subcommand !== 'branch';
}

/** Programs whose words are names of tasks, and where these begin. */
const TASK_AT: [RegExp, number][] = [
  [
    /^(?:npm|pnpm|yarn|bun|composer|pdm|hatch|mise|deno|turbo|lerna|nx|moon|wireit) (?:run|run-script|task|exec)$/,
    2,
  ],
  [
    /^(?:make|just|task|rake|rails|invoke|inv|mage|poe|nox|ant|tox|pnpm|yarn|bun|nx|turbo|gulp|grunt|fab|gradle|sbt) /,
    1,
  ],
];

/** Tasks that only tell about the deed that is in their name. */
const TELLS =
  /(?:^|[:_.-])(?:notes?|status|logs?|list|plan|dry|check|help|info|history|diff|preview|validate)(?=$|[:_.-])/;

/** Returns the words in the names of the tasks or of the script that a command runs. */
export function taskWords(words: string[]): string[] {
  const line = words.slice(0, 2).join(' ');
  const at = TASK_AT.find(([pattern, place]) => pattern.test(place === 2 ? line : `${words[0]} `))?.[1];
  // what generates a migration runs none
  if (/^(?:g|generate|new|create)$/.test(words[1] ?? '') && words[0] !== 'make') return [];
  const names = at === undefined ? [] : words.slice(at, at + 3);
  const script = words[0] as string;
  if (
    at === undefined &&
    /^[\w-]+\.(?:sh|py|rb|[cm]?[jt]s|pl|bash|fish|zsh|ps1)$|^(?:deploy|release|publish|migrate)/.test(script)
  )
    names.push(script);
  return names
    .filter((name) => !name.includes('=') && !TELLS.test(name))
    .flatMap((name) => name.split(/[:_./-]|(?<=[a-z])(?=[A-Z])/).map((piece) => piece.toLowerCase()));
}

const VERSION = /^:?(?:refs\/tags\/|(?:[\w-]+[@/])?v?\d+\.\d+)/;

/** Deeds of git that depend on options, or on which words follow. */
function gitDeeds(words: string[], args: string[]): string[] {
  const has = (...options: string[]) => args.some((arg) => options.includes(arg.split('=', 1)[0] as string));
  const [, subcommand, name] = words;
  switch (subcommand) {
    case 'commit':
      return has('--amend') ? ['amend'] : [];
    case 'pull':
      return has('--rebase', '-r') ? ['rebase'] : [];
    case 'checkout':
      return has('-b', '-B') ? ['branch'] : [];
    case 'switch':
      return has('-c', '-C', '--create') ? ['branch'] : [];
    case 'worktree':
      return has('-b') ? ['branch'] : [];
    case 'branch':
      if (has('-d', '-D', '--delete')) return ['delete branch'];
      if (has('-m', '-M', '--move')) return ['branch'];
      return name === undefined || has('-r', '-a', '--list', '-l', '--contains', '-u') ? [] : ['branch'];
    case 'tag':
      if (has('-d', '--delete')) return ['delete tag'];
      if (name === undefined || has('-l', '--list', '-v', '--contains', '--points-at')) return [];
      if (has('-f', '--force')) return ['tag', 'move tag'];
      return words.slice(2).some((word) => VERSION.test(word)) ? ['tag', 'release'] : ['tag'];
    case 'push': {
      if (!has('-d', '--delete') && !args.some((arg) => /^:\w/.test(arg))) return [];
      return [words.slice(2).some((word) => VERSION.test(word)) ? 'delete tag' : 'delete branch'];
    }
    default:
      return [];
  }
}

/** Programs that talk to a database in SQL. */
const SQL_CLIENTS =
  /^(?:psql|pgcli|mysql|mariadb|sqlite3|sqlcmd|clickhouse-client|cockroach|duckdb|bq|snowsql|usql|rails|manage\.py|mongosh|redis-cli)$/;
const DROPS =
  /\b(?:drop\s+(?:table|database|schema|column|index|collection)|truncate)\b|\.drop\(|\bdropDatabase\(|\bflush(?:all|db)\b/i;
const CHANGES =
  /\b(?:insert\s+into|update\s+\S+\s+set|delete\s+from|drop\s|truncate|alter\s|create\s|grant\s|revoke\s|deleteMany|updateMany|insertOne|flushall|flushdb)/i;

/** Tasks of Rails and the like that only tell something: `db:migrate:status`. */
const TOLD_BY_TASK = /:(?:status|version|list|info)$/;
/** Options with which nothing is done, or what was begun is left. */
const IDLE = /^--(?:dry-run|abort|quit|help)(?:=|$)/;

/**
 * Returns what a command does, by the names of the table: `commit`, `deploy`, `delete branch`.
 *
 * @param words its words, if they are at hand
 */
export function deedsOf(part: Part, words = wordsOf(part)): string[] {
  const line = words.join(' ');
  if (part.args.some((arg) => IDLE.test(arg)) || TOLD_BY_TASK.test(words[1] ?? '')) return [];
  const tasks = taskWords(words);
  const found = DEEDS.filter(
    ({ done, tasks: names }) => done?.test(line) || (names && tasks.some((word) => names.test(word))),
  ).map(({ name }) => name);
  if (part.program === 'git') found.push(...gitDeeds(words, part.args));
  for (const { name, done } of DELETIONS)
    if (name !== 'branch' && name !== 'tag' && done.test(line)) found.push(`delete ${name}`);
  if (/^gh pr merge\b/.test(line) && part.args.some((arg) => arg === '--delete-branch' || arg === '-d'))
    found.push('delete branch');
  if (SQL_CLIENTS.test(words[0] as string)) {
    const text = part.args.join(' ').slice(0, MAX_SQL);
    if (DROPS.test(text)) found.push('delete tables');
    if (CHANGES.test(text) || part.args.some((arg) => arg === '-f')) found.push('change database');
  } else if (/^(?:pg_restore|mysqlimport|mongorestore|dropdb)$/.test(part.program))
    found.push('change database');
  return found;
}

const MAX_SQL = 4_000;
