import { dropOldest } from '../drop-oldest.ts';
import { programs } from '../shell/lists.ts';
import { isInterpreter, SHELLS } from '../shell/names.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings, within } from '../shell/zones.ts';
import { clip } from '../text/clip.ts';
import { pathOf, targetsOf, wordsOf } from './arguments.ts';
import { hostsOf, plainHost } from './hosts.ts';
import type { Options } from './options.ts';
import { builtinPolicy } from './policy/index.ts';
import { decisionOf, type PartVerdict, type PolicyVerdict } from './types.ts';
import { COPIES, EDITS } from './writers.ts';

// What is written, fetched, unpacked or checked out and then runs is left, by one rule: in the line that does it, and in a
// session at its first run. No list of what programs obey could close that, so whoever may decide does so once.

/** Programs that run code of the project: their scripts, settings, tests or sources. */
const RUNS_CODE = programs('run-code');
/** Programs that only read and rewrite the files that they are given. They obey only their settings. */
const REWRITERS = programs('rewriters');

/** Whether a program runs the project's code, so that a path or an address in an option may be code or settings. */
export const obeysValues = (program: string): boolean =>
  RUNS_CODE.has(program) && !programs('values-elsewhere').has(program);

/** Files that a tool obeys although nobody names them to it. */
const SETTINGS =
  /^(package\.json|\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.cjs|pnpm-workspace\.yaml|bunfig\.toml|(GNU)?[Mm]akefile|.*\.(mk|cmake|gemspec|gradle|kts|tf|tofu|hcl|nix|nimble|rockspec|csproj|fsproj|sln|targets|props|pth|code-workspace)|CMakeLists\.txt|CMakePresets\.json|build\.ninja|\.?justfile|Justfile|Taskfile.*|Rakefile|Gemfile|Podfile|Fastfile|Cargo\.toml|build\.rs|config\.toml|rust-toolchain(\.toml)?|go\.(mod|work)|pom\.xml|gradle\.properties|nuget\.config|composer\.json|mix\.exs|Package\.swift|setup\.(py|cfg)|pyproject\.toml|uv\.toml|pip\.conf|conftest\.py|pytest\.ini|tox\.ini|noxfile\.py|tasks\.py|requirements[\w.-]*\.(txt|in)|Pipfile|environment\.ya?ml|manage\.py|(site|user)customize\.py|deno\.jsonc?|.*\.config\.[cm]?[jt]s|\.\w+rc(\.\w+)?|\.(pre-commit-config|lefthook)\.ya?ml|lefthook\.ya?ml|nodemon\.json|nx\.json|turbo\.json|WORKSPACE|BUILD(\.bazel)?|MODULE\.bazel|\.bazelrc|(docker-)?compose[\w.-]*\.ya?ml|Dockerfile[\w.-]*|Vagrantfile|Procfile|\.envrc|\.?mise\.toml|\.tool-versions|\.gitattributes|\.gitmodules|build\.xml|build\.sbt|[\w-]*\.cabal|stack\.yaml|dune(-project)?|build\.zig|phpunit\.xml|\.rspec|(serverless|skaffold|kustomization|mkdocs|_config|shard|sqlc|buf(\.gen)?|Chart|values|Pulumi[\w.-]*|template|action|\.?goreleaser)\.ya?ml|(cdk|wrangler|sst|dagger|vercel|firebase)\.(json|toml)|Tiltfile|Earthfile|Brewfile|conf\.py|(deps|bb)\.edn|project\.clj)$/;
/** In these folders every file is obeyed. */
const SETTINGS_FOLDER =
  /(^|\/)(\.git|\.husky|\.cargo|\.mvn|\.vscode|\.idea|\.bundle|\.yarn|node_modules|\.?venv)\//;
/** Whether a tool obeys a file by its name or its folder. */
const isObeyedName = (path: string): boolean =>
  SETTINGS.test(path.slice(path.lastIndexOf('/') + 1)) || SETTINGS_FOLDER.test(path);
/** Files with source code. */
const SOURCE =
  /\.([cm]?[jt]sx?|pyi?|rb|php|go|rs|java|kt|scala|exs?|lua|pl|pm|t|sh|bash|cs|fs|swift|c|cc|cpp|h|hpp|zig|jl|r)$/i;

/** Files that say which packages come: a changed one counts as an install that names them. */
const MANIFEST =
  /(^|\/)(package(-lock)?\.json|pnpm-lock\.yaml|pyproject\.toml|[\w.-]*requirements[\w.-]*\.(txt|in)|Cargo\.toml|go\.(mod|sum)|Gemfile|Pipfile|composer\.json|Dockerfile[\w.-]*|pom\.xml|build\.gradle(\.kts)?|[\w-]+\.lock|bun\.lockb)$/;
const INSTALLS =
  /^(npm|pnpm|yarn|bun) (install|ci|i|add|up\w*)\b|^yarn ?$|^(pip3?|uv|poetry|pdm|pipenv|cargo|go|bundle|composer|gradlew?|mvnw?|dotnet|docker|podman|docker-compose)( |$)/;
/** Files that tests are found in by their names. */
const TEST = /(^|\/)(tests?|spec|__tests__)\/|[._-](test|spec)\.\w+$|(^|\/)test_\w+\.py$|_test\.\w+$/;

/** Code that has not run yet. `from`: what brought it; `tree`: tools find it by themselves, and what lies below it. */
export type Fresh = { from: string; tree: boolean };
export type Brought = {
  fresh: Map<string, Fresh>;
  /** names in git of what came from outside: remotes that were added, branches that were fetched from others */
  names: Set<string>;
};
export const nothingBrought = (): Brought => ({ fresh: new Map(), names: new Set() });

const WRITTEN = 'this session';

/** Matches refs of what others propose. */
const PROPOSED = /(^|[:+/])(pull|pull-requests|merge-requests|pr|mr)\/\d+/;
/** Matches addresses of other repositories. */
const ADDRESS = /^(?!file:)[a-z+]+:\/\/(?!(localhost|127\.0\.0\.1)[:/])|^[\w.-]+@[\w.-]+:/i;
const CLONES = /^((gh|glab) (repo|gist) clone|git (clone|submodule add)) /;
const CHECKS_OUT = /^((gh|glab|hub) (pr|mr) checkout|gh co|hub (checkout|merge|am|apply)) /;
const DOWNLOADS = /^(gh|glab) (release|run) download\b/;
const SHOWS = /^(gh|glab) ((pr|mr) diff|gist view|api)\b/;
const TAKES_OVER =
  /^git (checkout|switch|merge|rebase|reset|cherry-pick|restore|read-tree|worktree add|apply|am|pull)\b/;
const nameOf = (text: string) => text.replace(/\/+$|\.git$|[?#].*$/g, '').replace(/^.*[/:]/s, '');

/** Notes what a command writes, fetches, unpacks or checks out. */
export function bring(run: Invocation, brought: Brought, place: Surroundings, table: Options): void {
  // what stands in a script or a string may never run
  if (run.scripted || run.suspected || run.behind || run.remote) return;
  const { program, args, writes, cwd } = run;
  const { words, values } = wordsOf(run, table);
  const texts = words.map(({ text }) => text);
  const line = `${program} ${texts.join(' ')} `;
  const from = `“${clip([program, ...args.map(({ text }) => text)].join(' '), 60)}”`;
  const mark = (path: string, tree: boolean, by = from) => brought.fresh.set(path, { from: by, tree });
  const at = (text: string) => resolvePath(text, cwd, place.home) ?? text;
  const here = within(cwd ?? '/', place.root) ? place.root : (cwd ?? place.root);
  const folder = values.find(({ option }) => /^(-C|-d|-D|--dir(ectory)?|-P|--output-dir)$/.test(option))?.arg;
  const sources = [
    ...(run.input.kind === 'pipe' ? run.input.from : []),
    ...args.flatMap((arg) => arg.from ?? []),
  ];
  const isForeign = (text: string) => {
    const ref = text.replace(/^--?[\w-]+=/, '').replace(/[~^:].*$/s, '');
    return (
      PROPOSED.test(text) ||
      ADDRESS.test(text) ||
      [ref, ref.split('/')[0] ?? ''].some((one) => brought.names.has(one)) ||
      (brought.names.size > 0 && /^([\da-f]{7,40}$|\$)/.test(ref))
    );
  };
  const used = [...args, ...run.reads, ...sources.flatMap((one) => [...one.args, ...one.reads])];
  const taken = [...brought.fresh].find(([path]) =>
    used.some((arg) => within(pathOf(arg, run, place), path)),
  );
  const outside =
    taken !== undefined ||
    [run, ...sources].some((one) => isFetching(one)) ||
    (program === 'git' && used.some(({ text }) => isForeign(text)));
  if (CLONES.test(line)) {
    const [what = '', into] = texts.slice(texts.findIndex((text) => /^(clone|add)$/.test(text)) + 1);
    return void mark(at(into ?? nameOf(what)), true);
  }
  if (CHECKS_OUT.test(line)) return void mark(here, true);
  if (program === 'git' && /^(remote (add|set-url)|fetch|branch|tag) /.test(texts.join(' '))) {
    const branches = texts.flatMap((ref) => /:(?:refs\/heads\/)?([\w./-]+)$/.exec(ref)?.[1] ?? []);
    const named =
      texts[0] === 'remote'
        ? texts.slice(2, 3)
        : texts[0] === 'fetch'
          ? ['FETCH_HEAD', ...branches]
          : texts.slice(1, 2);
    if (outside || texts[0] === 'remote') for (const name of named) brought.names.add(name);
    return;
  }
  if ((TAKES_OVER.test(line) || program === 'patch') && outside)
    return void mark(texts[0] === 'worktree' ? at(texts[2] ?? '.') : here, true);
  const unpacks = programs('unpackers').has(program) && !/^(-?\w*[tc]|-[lvp])/.test(args[0]?.text ?? '');
  if (unpacks || DOWNLOADS.test(line)) return void mark(at(folder?.text ?? '.'), true);
  const kept =
    isFetching(run) &&
    writes.length === 0 &&
    !args.some(({ text }) => /^(-\w*o|--output\S*|-qO-|-O-)$/.test(text));
  const keeps =
    kept && (/^(wget|aria2c)/.test(program) || args.some(({ text }) => /^-\w*O|^--remote-name/.test(text)));
  const names = keeps ? texts.map((text) => at(`${folder?.text ?? '.'}/${nameOf(text)}`)) : [];
  for (const path of names) mark(path, false);
  for (const target of targetsOf(run, table)) {
    const path = pathOf(target, run, place);
    const redirected = writes.some((one) => one.target === target);
    // what is edited stays the project's, but for settings; what a build writes comes from its sources
    const edits = !redirected && EDITS.has(program) && !isObeyedName(path);
    const builds = !redirected && RUNS_CODE.has(program) && !programs('copy-sources').has(program);
    if (!path.startsWith('/dev/') && !edits && !builds)
      mark(path, (taken?.[1].tree && COPIES.has(program)) || isFound(path), outside ? from : WRITTEN);
  }
}

const isFound = (path: string): boolean => isObeyedName(path) || TEST.test(path);

/** Whether a command brings something from another machine. */
function isFetching({ program, args }: Invocation): boolean {
  const texts = args.map(({ text }) => text);
  if (programs('downloaders').has(program))
    return !texts.some((text) =>
      /^(https?:\/\/)?(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(:|\/|$)/.test(text),
    );
  if (programs('far-copiers').has(program))
    return texts.slice(0, -1).some((text) => /^(s3|gs|az|https):\/\/|^[\w.@-]{2,}:(?!\\)/.test(text));
  return SHOWS.test(`${program} ${texts.filter((text) => !text.startsWith('-')).join(' ')} `);
}

/** Subcommands that only look, fetch or stop. */
const LOOKS =
  /^(ls|list|view|info|show|outdated|audit|why|explain|config|get|search|tree|metadata|version|help|env|doc|fmt|freeze|ps|logs|images|inspect|stop|down|rm|cp|diff|whoami|bin|prefix|root|licenses|graph|vendor|cache|fetch|pull)\b/;
const RUNS_HOOKS = /^(commit|push|merge|rebase|checkout|switch|pull|am|cherry-pick|worktree)\b/;
/** What an interpreter runs of its own. */
const OWN_MODULE = /^-m (json\.tool|http\.server|venv|timeit|calendar)\b/;

/**
 * Returns what a command runs that has not run yet.
 *
 * @param inLine in the line that writes a source of the project, all programs that find sources run it
 */
export function firstRuns(
  run: Invocation,
  fresh: ReadonlyMap<string, Fresh>,
  { place, table, inLine }: { place: Surroundings; table: Options; inLine: boolean },
): [string, Fresh][] {
  if (fresh.size === 0 || run.remote) return [];
  const { program, path, code, args, cwd } = run;
  const { words, values, sub, options } = wordsOf(run, table);
  const script = args.map(({ text }) => text).join(' ');
  const interprets =
    /^(source|\.)$/.test(program) ||
    SHELLS.has(program) ||
    (isInterpreter(program) && !code && !OWN_MODULE.test(script));
  // a shell only checks it
  if (
    SHELLS.has(program) &&
    args[0]?.text === '-n' &&
    args.slice(1).every(({ text }) => /^[\w./]/.test(text))
  )
    return [];
  const looks = LOOKS.test(sub) || options.some((option) => /^(--version|--help|--check)$/.test(option));
  const runsCode =
    RUNS_CODE.has(program) &&
    !programs('data-only').has(program) &&
    !looks &&
    !(isInterpreter(program) && code);
  const given = [...words, ...values.map(({ arg }) => arg), ...run.reads];
  const inArgs: Arg[] = interprets
    ? given
    : runsCode || programs('sql-clients').has(program)
      ? REWRITERS.has(program)
        ? values.filter(({ option }) => /^(-c|--(config|plugin|parser))/.test(option)).map(({ arg }) => arg)
        : given
      : [];
  const executed = (run.executes ?? []).flatMap((stage) => [...stage.args, ...stage.reads]);
  const named = [...inArgs, ...executed, ...(path.includes('/') ? [{ ...WORD, text: path }] : [])];
  const paths = named.map((arg) =>
    pathOf({ ...arg, text: arg.text.replace(/^-[\w-]*=|^@/, '') }, run, place),
  );
  const at = cwd ?? place.root;
  const installs = INSTALLS.test(`${program} ${sub}`);
  return [...fresh].filter(([file, { tree }]) => {
    if (paths.some((one) => within(one, file))) return true;
    if (program === 'git') return tree && inLine && RUNS_HOOKS.test(sub) && /\.(husky|git)\//.test(file);
    if (!interprets && !runsCode) return false;
    if (MANIFEST.test(file)) return installs && within(file, place.root);
    const found = tree || (inLine && SOURCE.test(file) && !programs('obey-settings-only').has(program));
    // what tests and builds find by themselves may lie further down
    return (
      found && (within(at, file) || (runsCode && within(file, within(at, place.root) ? place.root : at)))
    );
  });
}

const WORD: Arg = { text: '', known: true, glob: false, quoted: true };
/** The rule that denies a first run where a question stops nothing. */
export const FIRST_RUN = 'session.first-run';

/** Returns why a command is left that runs something for the first time. */
export const firstRunPart = (
  { text, via }: PartVerdict,
  [path, { from, tree }]: [string, Fresh],
): PartVerdict => ({
  text,
  via,
  decision: 'unknown',
  reason: `runs for the first time what came with ${from}`,
  instead: "let a person run it once, or work in the client's sandbox (lore init --sandbox)",
  personal: true,
  // tests that tools find are left, and never denied: else an agent could not write one
  ...(!(tree && TEST.test(path)) && { rule: FIRST_RUN }),
});

/** What is remembered of one session. It is kept in memory only. */
export type Seen = Brought & {
  /** files of the session's own that have run once */
  ran: Set<string>;
  /** hosts that a person let it talk to */
  hosts: Set<string>;
  /** what a person lets pass by letting a call run, by the id that the client gave the call */
  waiting: Map<string, Passing>;
};

/** What counts as seen by a person once a call has run. */
export type Passing = { places: string[]; hosts: string[] };

/** Returns the memory of a session that has seen nothing. */
export const nothingSeen = (): Seen => ({
  ...nothingBrought(),
  ran: new Set(),
  hosts: new Set(),
  waiting: new Map(),
});

const MAX_SEEN = 200;

/** Notes that the session writes a file by a tool of the client. */
export function noteWrite(seen: Seen, path: string): void {
  noteSeen(seen, { ...nothingBrought(), fresh: new Map([[path, { from: WRITTEN, tree: isFound(path) }]]) });
}

/** Notes what a call is about to bring, and what a person lets pass if the call runs. */
export function noteSeen(
  seen: Seen,
  { fresh, names }: Brought,
  call: string | null = null,
  passing: Passing = { places: [], hosts: [] },
): void {
  for (const [path, one] of fresh) if (one.from !== WRITTEN || !seen.ran.has(path)) seen.fresh.set(path, one);
  for (const name of names) seen.names.add(name);
  if (call !== null && passing.places.length + passing.hosts.length > 0) seen.waiting.set(call, passing);
  dropOldest(seen.fresh, MAX_SEEN);
  dropOldest(seen.names, MAX_SEEN);
  dropOldest(seen.waiting, MAX_SEEN);
}

/** Notes that a call has run. */
export function noteRan(seen: Seen, call: string): void {
  const { places, hosts } = seen.waiting.get(call) ?? { places: [], hosts: [] };
  seen.waiting.delete(call);
  for (const path of places) {
    if (seen.fresh.get(path)?.from === WRITTEN) seen.ran.add(path);
    seen.fresh.delete(path);
  }
  for (const host of hosts) seen.hosts.add(host);
  dropOldest(seen.hosts, MAX_SEEN);
  dropOldest(seen.ran, MAX_SEEN);
}

/**
 * Returns a verdict in the light of what the session has seen, what the line brings, and what a person lets pass by
 * letting it run. A call that only stands for one of another tool brings nothing.
 */
export function inLightOfSession(
  {
    place,
    seen = nothingSeen(),
    ...asked
  }: { place: Surroundings; seen?: Seen; of?: unknown; forTool?: boolean },
  verdict: PolicyVerdict,
): { verdict: PolicyVerdict; brought: Brought; passing: Passing } {
  const table = builtinPolicy.options;
  if (asked.of || asked.forTool)
    return { verdict, brought: nothingBrought(), passing: { places: [], hosts: [] } };
  const all: Brought = { fresh: new Map(seen.fresh), names: new Set(seen.names) };
  const places = new Set<string>();
  const parts = verdict.parts.map((part, i): PartVerdict => {
    const run = verdict.invocations[i];
    if (!run) return part;
    const ran = firstRuns(run, all.fresh, { place, table, inLine: false });
    for (const [path] of ran) places.add(path);
    bring(run, all, place, table);
    const [first] = ran;
    if (part.decision === 'allow' && first) return firstRunPart(part, first);
    const { text, via, decision, hosts } = part;
    if (decision !== 'unknown' || !hosts?.every((host) => seen.hosts.has(host))) return part;
    return { text, via, decision: 'allow', reason: `a person let this session talk to ${hosts.join(', ')}` };
  });
  const hosts =
    verdict.decision === 'unknown' ? verdict.invocations.flatMap((run) => hostsOf(run, table)) : [];
  return {
    verdict: { ...verdict, parts, decision: decisionOf(parts) },
    brought: all,
    passing: { places: [...places], hosts: hosts.map(plainHost) },
  };
}
