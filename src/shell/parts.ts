import { baseName, programs, words } from './names.ts';
import { isLook, type ShellPipeline, type ShellStep } from './steps.ts';

// The commands of a line that do something, as lessons, errors and patterns compare them.

export type Part = Pick<ShellStep, 'program' | 'args' | 'path' | 'writes'>;

/** Matches programs that only prepare what follows, or say something. */
export const PREPARES =
  /^(cd|pushd|popd|echo|printf|true|false|:|test|\[|\[\[|\(\(|export|set|unset|source|\.|sleep|wait|exit|return|read|local|declare)$/;

/** Returns the commands of a line that do something, without preparation such as `cd`, filters, and files being shown. */
export const partsIn = (pipelines: readonly ShellPipeline[]): readonly Part[] =>
  pipelines.flatMap(({ steps }) => {
    const acting = steps.filter(
      (step) => step.writes.length > 0 || !(PREPARES.test(step.program) || isLook(step)),
    );
    // commands behind a pipe are filters, unless the command before the pipe only feeds them
    return acting.slice(0, 1);
  });

/** Sets a variable for the commands and the calls after it: `export JAVA_HOME=…`, `. ./env.sh`. */
export const SETS_VARIABLE = /(?:^|[;&]\s*)(?:export\s+\w+=|unset\s+\w|(?:source|\.)\s)/;

/** Returns the command of a line that failed: the one that the error names at the start of a line, else the last one. */
export function aimOf(parts: readonly Part[], error: string): Part | undefined {
  const names = [...error.matchAll(/^([\w./+-]+): (?:fatal )?(?:error|fatal)\b/gim)].map(
    (match) => match[1] ?? '',
  );
  return parts.findLast(({ program }) => names.some((name) => baseName(name) === program)) ?? parts.at(-1);
}

/** What commands are for, by their words (`for-…` in lists.jsonc). The first that fits counts. */
const PURPOSES = words('test lint check build format start migrate install deploy generate seed');

/** Returns what a command is for, as far as its first words tell; null if they do not. */
export function purposeOf(part: Pick<ShellStep, 'program' | 'args'>): string | null {
  const firsts = [part.program, ...part.args.slice(0, 3).filter((arg) => !arg.startsWith('-'))];
  const pieces = firsts.flatMap((word) => [word, ...word.split(/[:\-_/.]/)]);
  return PURPOSES.find((purpose) => pieces.some((piece) => programs(`for-${purpose}`).has(piece))) ?? null;
}

/** Whether a command runs tests, a linter, a check of types or a build. */
export const isCheck = (part: Part): boolean => /^(test|lint|check|build)$/.test(purposeOf(part) ?? '');

/** Programs of which other than one word chooses what they do, and those with a word that needs another one. */
const DEPTHS: Record<string, number> = {
  ...{ gh: 2, glab: 2, aws: 2, az: 2, gcloud: 3 },
  ...{ psql: 0, mysql: 0, curl: 0, ssh: 0 },
};
const DEEPER =
  /^(npm run|pnpm run|yarn run|bun run|docker (compose|buildx|image|container)|nix flake|uv pip|prisma migrate|prisma db|git stash|npm exec|yarn workspace)$/;
const INTERPRETERS = /^(?:python|node|ruby|perl|php|deno|bash|sh|zsh|tsx|ts-node)$/;
/** Options that take a value, before a script (`php -d memory_limit=1G artisan`) or a subcommand. */
const VALUED =
  /^(?:-[dWXrIofCnpHc]|--(?:import|require|loader|env-file|file|context|namespace|prefix|filter|workspace|project|profile|region|cwd|dir))$/;

/**
 * Returns the program of a part with the words that choose what it does.
 *
 * @example invocation({ program: 'docker', args: ['compose', '-f', 'x.yml', 'up', '-d'] }) // 'docker compose up'
 */
export function invocation({ program, args }: Pick<Part, 'program' | 'args'>): string {
  if (INTERPRETERS.test(program)) {
    const at = args.findIndex((arg, i) => !arg.startsWith('-') && !VALUED.test(args[i - 1] ?? ''));
    const name = baseName(args[at] ?? '');
    // a module is a program, and these scripts have subcommands
    return args[0] === '-m' || /^(manage\.py|artisan)$/.test(name)
      ? [name, ...leading(args.slice(at + 1), 1)].join(' ')
      : `${program} ${name}`;
  }
  if (program === 'docker-compose') return invocation({ program: 'docker', args: ['compose', ...args] });
  const depth = DEPTHS[program] ?? 1;
  const first = leading(args, depth);
  const deeper = DEEPER.test([program, ...first].join(' ')) ? leading(args, depth + 1) : first;
  // `:importer:test` and `:exporter:test` are one task in two modules
  const tasks = deeper.map((word) => (word.startsWith(':') ? (word.split(':').at(-1) ?? word) : word));
  return [program.replace(/^(gradle|mvn)w$/, '$1'), ...tasks].join(' ');
}

function leading(args: string[], count: number): string[] {
  const found: string[] = [];
  for (let i = 0; i < args.length && found.length < count; i++) {
    const word = args[i] as string;
    if (word.startsWith('-')) i += VALUED.test(word) ? 1 : 0;
    else if (/^:?[A-Za-z][\w:.-]*$/.test(word) && !/\.\w{1,4}$/.test(word)) found.push(word);
    // a toolchain (`cargo +nightly build`), or the value of an option: `flask --app 'shop:create("dev")' routes`
    else if (!word.startsWith('+') && !args[i - 1]?.startsWith('-')) break;
  }
  return found;
}
