import { programs } from '../shell/lists.ts';
import { words } from '../shell/names.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { upwards } from '../shell/upwards.ts';
import type { Surroundings } from '../shell/zones.ts';
import { clip } from '../text/clip.ts';
import { wordsOf } from './arguments.ts';
import type { MatchContext } from './match.ts';
import { isWellKnown, likelyMeant, type Registry } from './well-known/index.ts';

// Packages that a command fetches by name. Anybody may publish one under a name that is misspelled or made up, and it runs
// code when it is installed. So a name is known if the project has it already, or if many use it.

/**
 * `verbs`: what stands before the names, among the words that are no options. `runs`: only the first name is a package,
 * and it is a program that is run.
 */
type Fetching = { programs: ReadonlySet<string>; verbs: RegExp; registry: Registry; runs?: true };

const FETCHING: Fetching[] = [
  {
    programs: programs('node-package-managers'),
    verbs: /^(?:workspaces? \S+ )?(?:install|i|in|add|it|install-test|link|ln|update|up|upgrade) /,
    registry: 'npm',
  },
  { programs: new Set(['npm']), verbs: /^(?:exec|x) /, registry: 'npm', runs: true },
  { programs: new Set(['pnpm', 'yarn']), verbs: /^dlx /, registry: 'npm', runs: true },
  { programs: new Set(['bun']), verbs: /^x /, registry: 'npm', runs: true },
  { programs: programs('node-runners'), verbs: /^/, registry: 'npm', runs: true },
  {
    programs: new Set(words('pip pip3 pip3.11 pip3.12')),
    verbs: /^(?:install|download|wheel) /,
    registry: 'pypi',
  },
  { programs: new Set(['uv']), verbs: /^(?:add|pip install) /, registry: 'pypi' },
  { programs: new Set(['uv']), verbs: /^tool run /, registry: 'pypi', runs: true },
  { programs: new Set(['uvx']), verbs: /^/, registry: 'pypi', runs: true },
  { programs: new Set(['pipx']), verbs: /^run /, registry: 'pypi', runs: true },
  { programs: new Set(words('poetry pdm rye')), verbs: /^add /, registry: 'pypi' },
  { programs: new Set(['pipenv']), verbs: /^install /, registry: 'pypi' },
  { programs: new Set(['cargo']), verbs: /^(?:add|install|binstall) /, registry: 'crates' },
  { programs: new Set(['gem']), verbs: /^install /, registry: 'gems' },
  { programs: new Set(['bundle', 'bundler']), verbs: /^add /, registry: 'gems' },
  { programs: new Set(['go']), verbs: /^(?:get|install|mod download) /, registry: 'go' },
  { programs: new Set(['composer']), verbs: /^require /, registry: 'composer' },
  { programs: new Set(['dotnet']), verbs: /^(?:add (?:\S+ )?package|package add) /, registry: 'nuget' },
];

/** Returns why a command is no ordinary install: it names a package that nobody knows. Null when it names none. */
export function strangePackage(invocation: Invocation, context: MatchContext): string | null {
  for (const { name, within, registry } of packagesOf(invocation, context)) {
    if (isWellKnown(registry, name)) continue;
    if ([name, within].some((one) => isInProject(registry, one, invocation.cwd, context.place))) continue;
    const meant = likelyMeant(registry, name);
    const question = meant === null ? '' : `; did you mean ${meant}?`;
    return `fetches ${clip(name, MAX_NAME)}, which neither the project nor a list of well-known packages has${question}`;
  }
  return null;
}

/** Whether a command installs packages by name, or runs the program of one that is not installed in the project. */
export function bringsPackage(invocation: Invocation, { place, ...context }: MatchContext): boolean {
  for (const { name, within, runs } of packagesOf(invocation, { place, ...context }))
    if (!runs || ![name, within].some((one) => isInstalled(one, invocation.cwd ?? place.root, place)))
      return true;
  return false;
}

/** `within`: the package that a program is in, if that has another name. */
type Named = { name: string; within: string; registry: Registry; runs: boolean };

/** Returns the packages that a command fetches by name. */
function* packagesOf(invocation: Invocation, context: MatchContext): Generator<Named> {
  const { words: given, values, options } = wordsOf(invocation, context.options);
  const line = `${given.map(({ text }) => text).join(' ')} `;
  const found = FETCHING.find(({ programs, verbs }) => programs.has(invocation.program) && verbs.test(line));
  if (!found || options.some((option) => /^--(no|no-install|offline)$/.test(option))) return;
  const { registry, runs = false } = found;
  const at = (found.verbs.exec(line)?.[0] ?? '').split(' ').length - 1;
  const asked = values.filter(({ option }) => runs && /^(-p|--package)$/.test(option)).map(({ arg }) => arg);
  const named = asked.length > 0 ? asked : runs ? given.slice(at, at + 1) : given.slice(at);
  for (const arg of named) {
    const name = nameIn(arg, registry);
    if (name === null) continue;
    const within = (runs && registry === 'npm' && IN_PACKAGE.get(name)) || name;
    yield { name, within, registry, runs };
  }
}

const MAX_NAME = 80;

/** Programs with another name than the package that they are in, which a project has installed if it runs them. */
const IN_PACKAGE = new Map(
  Object.entries({
    babel: '@babel/cli',
    biome: '@biomejs/biome',
    cap: '@capacitor/cli',
    changeset: '@changesets/cli',
    commitlint: '@commitlint/cli',
    docusaurus: '@docusaurus/core',
    eas: 'eas-cli',
    firebase: 'firebase-tools',
    formatjs: '@formatjs/cli',
    'graphql-codegen': '@graphql-codegen/cli',
    lhci: '@lhci/cli',
    lingui: '@lingui/cli',
    marp: '@marp-team/marp-cli',
    mmdc: '@mermaid-js/mermaid-cli',
    nest: '@nestjs/cli',
    ng: '@angular/cli',
    'openapi-generator-cli': '@openapitools/openapi-generator-cli',
    'openapi-ts': '@hey-api/openapi-ts',
    redocly: '@redocly/cli',
    remix: '@remix-run/dev',
    sb: 'storybook',
    'sentry-cli': '@sentry/cli',
    sls: 'serverless',
    stryker: '@stryker-mutator/core',
    'svelte-kit': '@sveltejs/kit',
    swc: '@swc/cli',
    tauri: '@tauri-apps/cli',
    vue: '@vue/cli',
    'vue-cli-service': '@vue/cli-service',
    wdio: '@wdio/cli',
  }),
);

/** What stands for the version behind a name, and for the extras of a package of Python. */
const VERSION: Record<Registry, RegExp> = {
  npm: /(?<=.)@[^/]*$/,
  pypi: /\s*[[<>=!~;@(].*$/s,
  crates: /@.*$/,
  gems: /:.*$/,
  go: /@.*$/,
  composer: /[:=].*$/,
  nuget: /@.*$/,
};

/** Returns the name of a package in a word; null when the word means a path, a version, or what no registry has. */
function nameIn({ text, known }: Arg, registry: Registry): string | null {
  if (!known) return text;
  if (/^[./~]|\.(tgz|whl|gz|zip|gem|nupkg)$|@workspace:/.test(text)) return null;
  const name = text.replace(VERSION[registry], '');
  switch (registry) {
    case 'composer':
      return name.includes('/') ? name : null;
    case 'go':
      // what has no dot in its first part is in the standard library, or stands for many
      return /^[^/]*\./.test(name) ? name : null;
    case 'pypi':
      return name.includes('/') ? null : name;
    default:
      return name;
  }
}

/** The files in which a project names its packages. */
const NAMING: Record<Registry, RegExp> = {
  npm: /^(package|package-lock|npm-shrinkwrap)\.json$|^(pnpm-lock|pnpm-workspace)\.yaml$|^yarn\.lock$|^bun\.lock$/,
  pypi: /^(pyproject\.toml|setup\.(cfg|py)|Pipfile(\.lock)?|(uv|poetry|pdm)\.lock|pylock\.toml|[\w.-]*(requirements|constraints)[\w.-]*\.(txt|in))$/,
  crates: /^Cargo\.(toml|lock)$/,
  gems: /^Gemfile(\.lock)?$|^gems\.(rb|locked)$|\.gemspec$/,
  go: /^go\.(mod|sum|work)$/,
  composer: /^composer\.(json|lock)$/,
  nuget: /\.(cs|fs|vb)proj$|^Directory\.(Packages|Build)\.props$|^packages\.(lock\.json|config)$/,
};
/** How many of them are read for one name. */
const MAX_READ = 16;

/** Whether a project has a package: installed, or in its manifest or its lock file. */
function isInProject(registry: Registry, name: string, cwd: string | null, place: Surroundings): boolean {
  const { list, read, root } = place;
  if (!list || !read) return false;
  const folder = cwd ?? root;
  if (registry === 'npm' && isInstalled(name, folder, place)) return true;
  const pattern = writtenAs(registry, name);
  let left = MAX_READ;
  const holds = (path: string) => {
    left -= 1;
    try {
      return pattern.test(read(path, 'quietly')?.text ?? '');
    } catch {
      return false;
    }
  };
  const here = (at: string) =>
    list(at)
      .filter(({ name: file, kind }) => kind !== 'folder' && NAMING[registry].test(file))
      .some(({ name: file }) => left > 0 && holds(`${at}/${file}`));
  return upwards(['.'], folder, root, (path) => (here(path.slice(0, -2)) ? path : null)) !== null;
}

/** Whether a package or a program of Node is installed in a folder of the project, or above it. */
function isInstalled(name: string, folder: string, { exists, root }: Surroundings): boolean {
  const installed = [`node_modules/${name}/package.json`, `node_modules/.bin/${name}`];
  return (
    exists !== undefined && upwards(installed, folder, root, (path) => (exists(path) ? path : null)) !== null
  );
}

/** Returns a pattern for a name as the manifests and lock files of a registry write it. */
function writtenAs(registry: Registry, name: string): RegExp {
  const plain = name.replace(/[^\w/@-]/g, '\\$&');
  switch (registry) {
    case 'npm':
      return new RegExp(`(^[ \\t]*['"/]*|["']|node_modules/)${plain}(["']?[ \\t]*:|@|/\\d)`, 'm');
    case 'pypi': {
      const parts = name.split(/[-_.]+/).join('[-_.]+');
      return new RegExp(`(^|["'\\s(,])${parts}(?=\\s*([[<>=!~;@,"')]|$))`, 'im');
    }
    case 'crates':
      return new RegExp(`(^|["'\\s.])${name.split(/[-_]/).join('[-_]')}(?=[ \\t]*([="'.\\]]|$))`, 'im');
    case 'gems':
      return new RegExp(`["']${plain}["']|^\\s+${plain}( \\(|!?$)`, 'm');
    case 'go':
      // a module, or a package in one
      return new RegExp(`(^|\\s)(${prefixesOf(name).join('|')})(/v\\d+)?\\s+v\\d`, 'im');
    default:
      return new RegExp(`["']${plain}["']`, 'i');
  }
}

/** Returns a path and the paths above it that can be a module: `github.com/a/b/c` and `github.com/a/b`. */
const prefixesOf = (path: string): string[] => {
  const parts = path.split('/').map((part) => part.replace(/[^\w-]/g, '\\$&'));
  return parts.slice(1).map((_, i) => parts.slice(0, i + 2).join('/'));
};
