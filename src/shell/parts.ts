import { programs } from './lists.ts';
import { actsByOption, FILE_LOOKERS } from './looks.ts';
import { baseName } from './names.ts';
import { purposeOf } from './purposes.ts';
import type { ShellPipeline, ShellStep } from './steps.ts';

// The commands of a line that do something, as lessons, errors and patterns compare them.

export type Part = Pick<ShellStep, 'program' | 'args' | 'env' | 'path' | 'writes' | 'around'>;

/** Returns the commands of a line that do something, without preparation such as `cd`, filters, and files being shown. */
export const partsIn = (pipelines: readonly ShellPipeline[]): readonly Part[] =>
  pipelines.flatMap(({ steps }) => {
    const acting = steps.filter(
      (step) => step.writes.length > 0 || !(PREPARING.has(step.program) || isLook(step)),
    );
    // commands behind a pipe are filters, unless the command before the pipe only feeds them
    return acting.slice(0, 1);
  });

const PREPARING = new Set(
  'cd pushd popd echo printf true false : test [ [[ (( export set unset source . sleep wait exit return read local declare'.split(
    ' ',
  ),
);

/** Sets a variable for the commands and the calls after it: `export JAVA_HOME=…`, `. ./env.sh`. */
export const SETS_VARIABLE = /(?:^|[;&]\s*)(?:export\s+\w+=|unset\s+\w|(?:source|\.)\s)/;

/** Returns the command of a line that failed: the one that the error names at the start of a line, else the last one. */
export function aimOf(parts: readonly Part[], error: string): Part | undefined {
  const names = [...error.matchAll(/^([\w./+-]+): (?:fatal )?(?:error|fatal)\b/gim)].map(
    (match) => match[1] ?? '',
  );
  return parts.findLast(({ program }) => names.some((name) => baseName(name) === program)) ?? parts.at(-1);
}

/** Whether a command only shows a file or asks a program what it can do. Such a success answers no error. */
const isLook = ({ program, args, writes }: Omit<Part, 'env' | 'path' | 'around'>): boolean =>
  writes.length === 0 &&
  (program === '' ||
    (FILE_LOOKERS.has(program) && !actsByOption(program, args)) ||
    args.some((arg) => arg === '--help' || /^--list(?:-|$)/.test(arg)) ||
    (RUNNERS.has(program) && args.join(' ') === 'run') ||
    (args.length <= 2 && args.some((arg) => ['--version', '-V', '-h', 'help'].includes(arg))));

/** Package managers that only list what can be run if `run` gets no name. */
const RUNNERS = programs('node-package-managers');

/** Purposes of commands that show whether the work is right. */
const CHECKS = ['test', 'lint', 'check', 'build'];

/** Whether a command runs tests, a linter, a check of types or a build. */
export const isCheck = (part: Part): boolean => CHECKS.includes(purposeOf(part) ?? '');

/** Programs whose first words choose what they do, and how many words that takes. */
const SUBCOMMANDS: Record<string, number> = {
  docker: 1,
  gh: 2,
  glab: 2,
  aws: 2,
  gcloud: 3,
  az: 2,
  npm: 1,
  pnpm: 1,
  yarn: 1,
  bun: 1,
  'manage.py': 1,
  artisan: 1,
  psql: 0,
  mysql: 0,
  curl: 0,
  ssh: 0,
};
const DEEPER = new Set(
  'npm run,pnpm run,yarn run,bun run,docker compose,nix flake,uv pip,prisma migrate,prisma db,git stash,npm exec,yarn workspace'.split(
    ',',
  ),
);

/**
 * Returns the program of a part with the words that choose what it does.
 *
 * @example invocation({ program: 'docker', args: ['compose', '-f', 'x.yml', 'up', '-d'] }) // 'docker compose up'
 */
export function invocation({ program, args }: Pick<Part, 'program' | 'args'>): string {
  const [first = ''] = args;
  if (INTERPRETERS.test(program)) {
    const script =
      first === '-m'
        ? (args[1] ?? '')
        : (args.find((arg, i) => !arg.startsWith('-') && !BEFORE_SCRIPT.test(args[i - 1] ?? '')) ?? '');
    const name = baseName(script);
    const rest = args.slice(args.indexOf(script) + 1);
    return name in SUBCOMMANDS || first === '-m'
      ? [name, ...leading(rest, 1)].join(' ')
      : `${program} ${name}`;
  }
  if (GROUPED.test(`${program} ${args[0]} ${args[1]}`)) return invocation({ program, args: args.slice(1) });
  if (program === 'docker-compose') return invocation({ program: 'docker', args: ['compose', ...args] });
  const depth = SUBCOMMANDS[program] ?? 1;
  const words = leading(args, depth);
  const deeper = DEEPER.has([program, ...words].join(' ')) ? leading(args, depth + 1) : words;
  return [
    GRADLE.test(program) || program === 'mvnw' ? program.replace(/w$/, '') : program,
    ...deeper.map(plainTask),
  ].join(' ');
}

/** Subcommands of docker that also have a longer name: `docker buildx build`, `docker container run`. */
const GROUPED =
  /^(?:docker|podman) (?:buildx build|image (?:build|pull|push|save|load|tag|history)|container (?:run|exec|start|stop|restart|create|logs|cp|kill|rm|attach|wait|commit))$/;

const INTERPRETERS = /^(?:python|node|ruby|perl|php|deno|bash|sh|zsh|tsx|ts-node)$/;
/** Options of interpreters that come before the script and take a value: `php -d memory_limit=1G artisan`. */
const BEFORE_SCRIPT = /^(?:-[dWXrIo]|--(?:import|require|loader|env-file))$/;
const GRADLE = /^gradlew?$/;
/** `:importer:test` and `:exporter:test` are one task in two modules. */
const plainTask = (word: string) => (word.startsWith(':') ? (word.split(':').at(-1) ?? word) : word);

/** Options that come before the subcommand and take a value. */
const VALUED =
  /^(?:-[fCnpHc]|--(?:file|context|namespace|prefix|filter|workspace|project|profile|region|cwd|dir))$/;

function leading(args: string[], count: number): string[] {
  const found: string[] = [];
  for (let i = 0; i < args.length && found.length < count; i++) {
    const word = args[i] as string;
    // a toolchain: `cargo +nightly build`
    if (word.startsWith('+')) continue;
    if (word.startsWith('-')) {
      if (VALUED.test(word)) i += 1;
      continue;
    }
    if (!/^:?[A-Za-z][\w:.-]*$/.test(word) || /\.\w{1,4}$/.test(word)) {
      // the value of an option: `flask --app 'shop:create("dev")' routes`
      if (args[i - 1]?.startsWith('-')) continue;
      break;
    }
    found.push(word);
  }
  return found;
}
