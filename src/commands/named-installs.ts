import { programs } from '../shell/lists.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { upwards } from '../shell/upwards.ts';
import type { Surroundings } from '../shell/zones.ts';
import { clip } from '../text/clip.ts';
import { wordsOf } from './arguments.ts';
import type { MatchContext } from './match.ts';

// Packages that a command fetches by name. Anybody may publish one under a name that is misspelled or made up, and it runs
// code when it is installed. So only what the project names already is fetched unasked.

/**
 * `verbs`: what stands before the names, among the words that are no options. `runs`: only the first name is a package,
 * and it is a program that is run.
 */
type Fetching = { programs: ReadonlySet<string>; verbs: RegExp; runs?: true };

const PIPS = new Set(['pip', 'pip3', 'pip3.11', 'pip3.12']);
const FETCHING: Fetching[] = [
  {
    programs: programs('node-package-managers'),
    verbs: /^(?:workspaces? \S+ )?(?:install|i|in|add|it|install-test|link|ln|update|up|upgrade) /,
  },
  // with the others, `exec` runs only what is installed
  { programs: new Set(['npm']), verbs: /^(?:exec|x) /, runs: true },
  { programs: new Set(['pnpm', 'yarn']), verbs: /^dlx /, runs: true },
  { programs: new Set(['bun']), verbs: /^x /, runs: true },
  { programs: programs('node-runners'), verbs: /^/, runs: true },
  { programs: PIPS, verbs: /^(?:install|download|wheel) / },
  { programs: new Set(['uv']), verbs: /^(?:add|pip install) / },
  { programs: new Set(['uv']), verbs: /^tool run /, runs: true },
  { programs: new Set(['uvx']), verbs: /^/, runs: true },
  { programs: new Set(['pipx']), verbs: /^run /, runs: true },
  { programs: new Set(['poetry', 'pdm', 'rye', 'bundle', 'bundler']), verbs: /^add / },
  { programs: new Set(['pipenv', 'gem']), verbs: /^install / },
  { programs: new Set(['cargo']), verbs: /^(?:add|install|binstall) / },
  { programs: new Set(['go']), verbs: /^(?:get|install|mod download) / },
  { programs: new Set(['composer']), verbs: /^require / },
  { programs: new Set(['dotnet']), verbs: /^(?:add (?:\S+ )?package|package add) / },
];

/** Returns why a command is no ordinary install: it fetches a package that the project does not name. */
export function strangePackage(invocation: Invocation, { place, options }: MatchContext): string | null {
  for (const { name, runs } of packagesOf(invocation, options)) {
    if (runs && programs('package-tools').has(name)) continue;
    if (!isInProject(name, invocation.cwd ?? place.root, place))
      return `fetches ${clip(name, MAX_NAME)}, which the project does not name`;
  }
  return null;
}

/** Whether a command installs packages by name, or runs the program of one that is not installed in the project. */
export function bringsPackage(invocation: Invocation, { place, options }: MatchContext): boolean {
  for (const { name, runs } of packagesOf(invocation, options))
    if (!runs || !isInstalled(name, invocation.cwd ?? place.root, place)) return true;
  return false;
}

/** Returns the packages that a command fetches by name. */
function packagesOf(
  invocation: Invocation,
  table: MatchContext['options'],
): { name: string; runs: boolean }[] {
  const { words, values, options } = wordsOf(invocation, table);
  const line = `${words.map(({ text }) => text).join(' ')} `;
  const found = FETCHING.find(({ programs, verbs }) => programs.has(invocation.program) && verbs.test(line));
  if (!found || options.some((option) => /^--(no|no-install|offline)$/.test(option))) return [];
  const { runs = false } = found;
  const at = (found.verbs.exec(line)?.[0] ?? '').split(' ').length - 1;
  const asked = values.filter(({ option }) => runs && /^(-p|--package)$/.test(option)).map(({ arg }) => arg);
  const named = asked.length > 0 ? asked : runs ? words.slice(at, at + 1) : words.slice(at);
  return named.flatMap((arg) => nameIn(arg) ?? []).map((name) => ({ name, runs }));
}

const MAX_NAME = 80;

/** Returns the name of a package in a word, without its version; null when the word means a path. */
function nameIn({ text, known }: Arg): string | null {
  if (known && /^[./~]|\.(tgz|whl|gz|zip|gem|nupkg)$|@workspace:/.test(text)) return null;
  return text.replace(/(?<=.)@[^/]*$|\s*[[<>=!~;(:].*$/s, '');
}

/** The files in which a project names its packages. */
const NAMING =
  /^(package|package-lock|npm-shrinkwrap|composer)\.json$|^(pnpm-lock|pnpm-workspace)\.yaml$|^pyproject\.toml$|^setup\.(cfg|py)$|\.lock$|^pylock\.toml$|^[\w.-]*(requirements|constraints)[\w.-]*\.(txt|in)$|^Cargo\.toml$|^Gemfile$|\.gemspec$|^go\.(mod|sum|work)$|\.(cs|fs|vb)proj$|^Directory\.(Packages|Build)\.props$/;
/** How many of them are read for one name. */
const MAX_READ = 16;

/** Whether a project has a package: installed, or in its manifest or its lock file. */
function isInProject(name: string, folder: string, place: Surroundings): boolean {
  const { list, read, root } = place;
  if (!list || !read) return false;
  if (isInstalled(name, folder, place)) return true;
  // registries take these for the same; of a Go package the first three parts are its module
  const parts = name
    .split('/')
    .slice(0, 3)
    .join('/')
    .split(/[-_.]+/);
  const written = parts.map((part) => part.replace(/[^\w/@]/g, '\\$&')).join('[-_.]+');
  const pattern = new RegExp(`(?<![\\w@/.-])(node_modules/)?${written}(?!\\.?[\\w-])`, 'i');
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
      .filter(({ name: file, kind }) => kind !== 'folder' && NAMING.test(file))
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
