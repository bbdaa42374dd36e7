import { known } from './arg.ts';
import { suspect } from './lines.ts';
import { programs } from './lists.ts';
import { lookup } from './lookup.ts';
import { baseName, words } from './names.ts';
import { managersWords, saysPlace } from './scripts.ts';
import type { Arg, Invocation, Running, Scope, Walk } from './types.ts';

// Development tools that run another command: npx tsc, uv run pytest, bundle exec rake, op run -- make.

/** Scopes of npm packages whose programs Lore knows by their name. */
const SCOPES = new Set(
  words(`
    biomejs angular nestjs vue babel commitlint changesets playwright storybook openapitools graphql-codegen tailwindcss
    sveltejs swc redocly stoplight capacitor ionic expo react-native react-native-community remix-run prisma sentry
    typescript arethetypeswrong eslint stryker-mutator lhci vercel astrojs tauri-apps tanstack quasar electron-forge wdio
    web rollup vitejs rspack rsbuild nrwl nx moonrepo apollo hey-api mermaid-js marp-team cloudflare sanity formatjs
    lingui cyclonedx microsoft vitest cspell next`),
);

type Runner = {
  /** subcommand with which it runs something; left out when it always does */
  sub?: string[];
  /** options that take the next word as their value */
  valued?: string[];
  /** options with which it runs nothing: `screen -r work` goes to a session that exists already */
  idle?: string[];
  /** how many words of its own come before the command */
  skip?: number;
  /** the command follows one of these words */
  behind?: string[];
  /** every word is a command line of its own */
  lines?: boolean;
  /** this option's value is a command line */
  option?: string;
  /** what follows its first word belongs to the command */
  optionsFirst?: boolean;
  /** VAR=value words before the command */
  assignments?: boolean;
  remote?: boolean;
  /** it fetches a package if needed, and the command begins with the package's name */
  fetches?: boolean;
};

const DASH = ['--'];
const PACKAGE = words('-p --package -c --call -w --workspace --registry --cache');

const RUNNERS: Record<string, Runner[]> = {
  npx: [
    { option: '-c', optionsFirst: true },
    { option: '--call', optionsFirst: true },
    { valued: PACKAGE, fetches: true },
  ],
  pnpx: [{ fetches: true }],
  bunx: [{ fetches: true }],
  npm: [
    { sub: ['exec'], option: '-c' },
    { sub: ['exec'], valued: PACKAGE, fetches: true },
    { sub: ['x'], valued: PACKAGE, fetches: true },
  ],
  pnpm: [
    { sub: ['exec'], valued: words('-C --filter -F') },
    { sub: ['dlx'], valued: words('--package'), fetches: true },
  ],
  yarn: [{ sub: ['dlx'], valued: words('-p --package'), fetches: true }, { sub: ['exec'] }],
  bun: [{ sub: ['x'], fetches: true }],
  uv: [
    {
      sub: ['run'],
      valued: words(
        '--with --python -p --group --extra --env-file --project --directory --package --index-url',
      ),
    },
    { sub: ['tool', 'run'], valued: words('--from --with --python'), fetches: true },
  ],
  uvx: [{ valued: words('--from --with --python -p'), fetches: true }],
  pipx: [{ sub: ['run'], valued: words('--spec --python --index-url'), fetches: true }],
  poetry: [{ sub: ['run'] }],
  pipenv: [{ sub: ['run'] }],
  pdm: [{ sub: ['run'] }],
  rye: [{ sub: ['run'] }],
  hatch: [{ sub: ['run'] }],
  conda: [{ sub: ['run'], valued: words('-n --name -p --prefix') }],
  micromamba: [{ sub: ['run'], valued: words('-n -p') }],
  bundle: [{ sub: ['exec'] }],
  tox: [{ sub: ['exec'], behind: DASH }],
  'cross-env': [{ assignments: true }],
  'env-cmd': [{ valued: words('-f -e') }],
  dotenv: [{ behind: DASH }, { valued: words('-e -f') }],
  dotenvx: [{ sub: ['run'], behind: DASH }],
  mise: [{ behind: DASH }],
  asdf: [{ sub: ['exec'] }],
  rbenv: [{ sub: ['exec'] }],
  pyenv: [{ sub: ['exec'] }],
  nvm: [{ sub: ['exec'], skip: 1 }],
  rtx: [{ behind: DASH }],
  direnv: [{ sub: ['exec'], skip: 1 }],
  opam: [{ sub: ['exec'], valued: words('--switch') }],
  dune: [{ sub: ['exec'], valued: words('--root --profile --context -p -j') }],
  stack: [{ sub: ['exec'], valued: words('--package --resolver --stack-yaml') }],
  cabal: [{ sub: ['exec'], valued: words('-w --with-compiler --project-file --project-dir') }],
  dlv: [{ sub: ['exec'] }],
  perf: [
    { sub: ['record'], valued: words('-e -F -o -g -p -c') },
    { sub: ['stat'], valued: words('-e -o -r -p') },
  ],
  devbox: [{ sub: ['run'] }],
  nix: [{ behind: words('-c --command') }],
  op: [{ sub: ['run'], behind: DASH }],
  doppler: [{ sub: ['run'], behind: DASH }],
  infisical: [{ sub: ['run'], behind: DASH }],
  chamber: [{ sub: ['exec'], behind: DASH }],
  'aws-vault': [{ sub: ['exec'], behind: DASH }],
  heroku: [
    { sub: ['run'], valued: words('-a --app -s --size'), remote: true },
    { sub: ['local:run'], valued: words('-e --env -p --port') },
  ],
  etcdctl: [{ sub: ['watch'], behind: DASH }],
  consul: [
    { sub: ['lock'], valued: words('-n -name -timeout'), skip: 1 },
    { sub: ['watch'], valued: words('-type -key -prefix -service -name -state -tag') },
  ],
  firebase: [
    {
      sub: ['emulators:exec'],
      valued: words(`
        --only --project -P --config -c --import --export-on-exit --log-verbosity --inspect-functions --ui-port`),
      lines: true,
    },
  ],
  netlify: [{ sub: ['dev:exec'], valued: words('--context') }],
  railway: [{ sub: ['run'], valued: words('-s --service -e --environment -p --project') }],
  sst: [{ sub: ['shell'], valued: words('--stage --target') }],
  vercel: [{ sub: ['env', 'run'], behind: DASH }],
  fly: [{ sub: ['ssh', 'console'], option: '-C', remote: true }],
  flyctl: [{ sub: ['ssh', 'console'], option: '-C', remote: true }],
  'docker-compose': [{ sub: ['exec'], valued: words('-u -e -w --user --env'), skip: 1, remote: true }],
  tmux: [
    { sub: ['new-session'], valued: words('-s -n -c -t -x -y'), lines: true },
    { sub: ['new'], valued: words('-s -n -c -t -x -y'), lines: true },
    { sub: ['new-window'], valued: words('-n -t -c'), lines: true },
    { sub: ['split-window'], valued: words('-t -c -l'), lines: true },
    { sub: ['send-keys'], valued: words('-t'), lines: true },
  ],
  screen: [{ valued: words('-S -dmS -t -c'), idle: words('-r -x -dr -Dr -rd') }],
  'start-server-and-test': [{ lines: true }],
  concurrently: [{ valued: words('-n --names -c --prefix-colors -k'), lines: true }],
  hyperfine: [{ valued: words('-w -r -m -M --warmup --runs -L --export-json -n'), lines: true }],
  watchexec: [{ behind: DASH }, { valued: words('-e -w -i --exts --watch --ignore') }],
  entr: [{}],
  vagrant: [{ sub: ['ssh'], option: '-c', remote: true }],
  gtimeout: [{ valued: words('-k -s'), skip: 1 }],
  gnice: [{ valued: words('-n') }],
  arch: [{}],
  rlwrap: [{}],
};

/** Whether it is known how a program runs another one. */
export const isRunner = (program: string): boolean => lookup(RUNNERS, program) !== undefined;

/** Walks the command that a runner of a development tool would run (`npx tsc`). */
export function walkRunner(walk: Walk, scope: Scope, invocation: Invocation, running: Running): void {
  const { program, args } = invocation;
  // the long name of uvx
  const name = program === 'uv' && args[0]?.text === 'tool' ? 'uvx' : program;
  const own: Scope = { ...scope, depth: scope.depth + 1, via: [...scope.via, name] };
  suspectLines(walk, own, invocation);
  const bin = binaryOf(walk, invocation);
  if (bin) {
    walk.into.command(walk, own, { ...running, words: bin });
    return;
  }
  const found = runnerCommand(program, args);
  if (!found) return;
  const inner: Scope = found.remote ? { ...own, remote: true, cwd: null } : { ...own };
  // an option of the runner may name another folder, and then it is not known where the command runs
  const its = args.slice(0, args.length - (found.words?.length ?? 0));
  if (its.some((arg) => ELSEWHERE.test(arg.text))) inner.cwd = null;
  for (const line of found.lines ?? []) walkLineOf(walk, inner, line);
  if (found.words) walk.into.command(walk, inner, { ...running, words: found.words });
}

/** What a word says that a program runs as a line of its own: `system("…")` of awk, `alias.x=!…` of git. */
const LINE_IN_WORD =
  /\bsystem\(\s*["'](.{1,2000}?)["']|"([^"]{1,2000})"\s*\|\s*&?\s*getline|(?:^|[=+:|])!(?!\s*$)(.+)|^[\w.-]+\.(?:cmd|command|textconv|helper|clean|smudge|process|sshcommand|pager|editor|fsmonitor)=(.+)|^--?(?:rsh|rsync-path|to-command|use-compress-program|rsh-command|checkpoint-action|upload-pack|receive-pack|exec|extcmd|unzip-command|filter)=(?:exec=)?(.+)/is;
/** Options of ordinary programs whose value is a line of its own. */
const LINE_OPTIONS = new Map([
  ['rsync', /^(-e|--rsh|--rsync-path)$/],
  ['git', /^(-x|--exec|--extcmd|--upload-pack)$/],
  ['tar', /^(-[cxMLf\d]*[FI]|--to-command|--use-compress-program)$/],
  ['ansible', /^(-a|--args)$/],
  ['split', /^--filter$/],
]);

/** Adds what the words of an ordinary program may run, as *suspected*: it can only be denied. */
function suspectLines(walk: Walk, scope: Scope, { program, args }: Invocation): void {
  const option = LINE_OPTIONS.get(program);
  const escapes = option || ESCAPING.test(program);
  for (const [i, { text }] of args.slice(0, 40).entries()) {
    const found = escapes ? LINE_IN_WORD.exec(text.slice(0, 8000)) : null;
    const line = option?.test(args[i - 1]?.text ?? '') ? text : found?.slice(1).find((one) => one);
    if (line) suspect(walk, scope, line);
  }
}
const ESCAPING = /^([gmn]?awk|n?vim?|ex|view|less|more|psql|mysql|sqlite3|gdb|ssh|scp|sftp)$/;

const OWN_WORDS = programs('node-manager-words');

/** Returns the program of a package that a manager runs by its name alone: `pnpm prisma generate`. */
function binaryOf(walk: Walk, invocation: Invocation): Arg[] | null {
  const { program, args } = invocation;
  if (invocation.own || !/^(pnpm|yarn|bun)$/.test(program)) return null;
  const given = managersWords(args);
  const first = given[0]?.text;
  const name = given[first === 'workspace' ? 2 : first === 'run' ? 1 : 0];
  if (!name || OWN_WORDS.has(name.text) || !walk.place.knows?.(baseName(name.text))) return null;
  const at = args.indexOf(name);
  if (saysPlace(args.slice(0, at))) invocation.own = true;
  return args.slice(at);
}

/** Walks what a program that nobody knows would run if it runs its words, or the value of an option such as `-c`. */
export function walkUnheard(walk: Walk, scope: Scope, { program, args }: Invocation, running: Running): void {
  const { length } = walk.invocations;
  const unknowns = walk.unknowns.length;
  const own = () => ({
    ...scope,
    vars: new Map(scope.vars),
    depth: scope.depth + 1,
    via: [...scope.via, program],
  });
  const starts = args.filter(
    ({ text, known, quoted }) => known && !quoted && walk.place.knows?.(baseName(text)),
  );
  for (const start of starts.slice(0, 8))
    walk.into.command(walk, own(), { ...running, words: args.slice(args.indexOf(start)) });
  for (const [i, { text }] of args.entries()) {
    const line = args[i + 1];
    if (line && TAKES_LINE.test(text)) walk.into.line(walk, line.text, own());
  }
  for (const found of walk.invocations.slice(length)) found.behind = true;
  walk.unknowns.length = unknowns;
}
const TAKES_LINE = /^-\w*[cx]$|^--(command|exec|cmd|run|session-command)$/;

const ELSEWHERE = /^(-C|--(dir|directory|cwd|prefix|chdir|working-dir(ectory)?))(=|$)/;
const PYTHON_RUNNERS = /^(uv|poetry|pdm|hatch|pipenv|rye|conda|mamba|micromamba)$/;

type Ran = { words?: Arg[]; lines?: Arg[]; remote?: boolean };

/** Returns the command or the lines that a runner would run; null when it runs nothing or the program is no runner. */
export function runnerCommand(program: string, args: Arg[]): Ran | null {
  if (/^python[\d.]*$|^pypy[\d.]*$/.test(program)) {
    const words = moduleOf(args);
    return words.length > 0 ? { words } : null;
  }
  for (const runner of lookup(RUNNERS, program) ?? []) {
    const rest = runner.sub ? after(args, runner.sub, runner) : args;
    const found = rest && commandsOf(rest, runner);
    if (!found) continue;
    const { remote = false, fetches } = runner;
    if (found.lines) return { lines: found.lines, remote };
    const [first, ...others] = found.words ?? [];
    if (!first) return null;
    // `uv run main.py` runs the file with Python
    if (PYTHON_RUNNERS.test(program) && /\.py$/.test(first.text))
      return { words: [known('python'), first, ...others], remote };
    return { words: [unversioned(first, fetches), ...others], remote };
  }
  return null;
}

/** Returns the module that Python runs, with its arguments: `pytest -q` for `-m pytest -q` and `-mpytest -q`. */
function moduleOf(args: Arg[]): Arg[] {
  const at = args.findIndex((arg) => !/^-[bBdEiIOqsSuvx]+$/.test(arg.text));
  const name = /^-[bBdEiIOqsSuvx]*m(.*)$/.exec(args[at]?.text ?? '')?.[1];
  if (name === undefined) return [];
  const rest = args.slice(at + 1);
  return name === '' ? rest : [{ ...(args[at] as Arg), text: name }, ...rest];
}

function walkLineOf(walk: Walk, scope: Scope, line: Arg): void {
  if (!line.known) walk.unknowns.push({ text: line.text, why: 'runs text that is known only when it runs' });
  walk.into.line(walk, line.text, scope);
}

/** Returns the arguments after the subcommand, or null when the subcommand is another one. */
function after(args: Arg[], sub: string[], runner: Runner): Arg[] | null {
  const { valued = [] } = runner;
  let at = 0;
  for (let i = 0; i < args.length; i++) {
    const text = args[i]?.text ?? '';
    if (text.startsWith('-')) {
      if (valued.includes(text)) i++;
      continue;
    }
    if (text !== sub[at]) return null;
    at++;
    if (at === sub.length) return args.slice(i + 1);
  }
  return null;
}

function commandsOf(args: Arg[], runner: Runner): { words?: Arg[]; lines?: Arg[] } | null {
  if (runner.option) {
    const at = args.findIndex((arg) => arg.text === runner.option);
    const before = args.slice(0, at);
    const started = before.some(
      ({ text }, i) => !text.startsWith('-') && !PACKAGE.includes(before[i - 1]?.text ?? ''),
    );
    const line = at >= 0 && !(runner.optionsFirst && started) ? args[at + 1] : undefined;
    return line ? { lines: [line] } : null;
  }
  const { behind } = runner;
  if (behind) {
    const at = args.findIndex((arg) => behind.includes(arg.text));
    return at < 0 ? null : { words: args.slice(at + 1) };
  }
  const { valued = [] } = runner;
  let skip = runner.skip ?? 0;
  for (let i = 0; i < args.length; i++) {
    const text = args[i]?.text ?? '';
    if (text === '--') return { words: args.slice(i + 1) };
    if (/^-./.test(text)) {
      if (runner.idle?.includes(text)) return null;
      if (valued.includes(text)) i++;
      continue;
    }
    if (runner.assignments && /^\w+=/.test(text)) continue;
    if (skip > 0) {
      skip--;
      continue;
    }
    return runner.lines
      ? { lines: args.slice(i).filter((arg) => !arg.text.startsWith('-')) }
      : { words: args.slice(i) };
  }
  return { words: [] };
}

/**
 * Returns a package's name as a program: `tsc` for `tsc@5`, `biome` for `@biomejs/biome@2`. For a URL or a
 * path, the result is a word that is not known.
 */
function unversioned(arg: Arg, fetches = false): Arg {
  if (fetches && /^[\w.-]+(:|\/)|^[/~]|^\.\.?\/|@.*[:/].*[:/]|@[\w.-]*:/.test(arg.text))
    return { ...arg, known: false };
  // anybody may name a package like a well-known one, under a scope of their own
  const scope = /^@([\w.-]+)\//.exec(arg.text)?.[1];
  if (fetches && scope !== undefined && !SCOPES.has(scope)) return { ...arg, known: false };
  const match = /^(?:@[\w.-]+\/)?([\w.-]+)(?:@[\w.^~*-]+)?$/.exec(arg.text);
  if (!match) return arg;
  const name = match[1] as string;
  // `@redocly/cli` is called redocly
  return { ...arg, text: name === 'cli' && scope !== undefined ? (CLI_OF.get(scope) ?? scope) : name };
}

/** The program of `@scope/cli`, for scopes whose program has another name. */
const CLI_OF = new Map([
  ['angular', 'ng'],
  ['nestjs', 'nest'],
  ['marp-team', 'marp'],
  ['react-native-community', 'react-native'],
]);
