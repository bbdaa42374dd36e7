import { programs } from '../shell/lists.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { upwards } from '../shell/upwards.ts';
import type { Surroundings } from '../shell/zones.ts';
import { wordsOf } from './arguments.ts';
import type { MatchContext } from './match.ts';

// Packages that a command fetches by name. Anybody may publish one under a name that is misspelled or made up, and it runs
// code when it is installed, so the client asks.

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

/** Whether a command installs packages by name, or runs the program of one that is not installed in the project. */
export function bringsPackage(invocation: Invocation, { place, options }: MatchContext): boolean {
  for (const { name, runs } of packagesOf(invocation, options))
    if (
      !runs ||
      !(programs('package-tools').has(name) || isInstalled(name, invocation.cwd ?? place.root, place))
    )
      return true;
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

/** Returns the name of a package in a word, without its version; null when the word means a path. */
function nameIn({ text, known }: Arg): string | null {
  if (known && /^[./~]|\.(tgz|whl|gz|zip|gem|nupkg)$|@workspace:/.test(text)) return null;
  return text.replace(/(?<=.)@[^/]*$|\s*[[<>=!~;(:].*$/s, '');
}

/** Whether a package or a program of Node is installed in a folder of the project, or above it. */
function isInstalled(name: string, folder: string, { exists, root }: Surroundings): boolean {
  const installed = [`node_modules/${name}/package.json`, `node_modules/.bin/${name}`];
  return (
    exists !== undefined && upwards(installed, folder, root, (path) => (exists(path) ? path : null)) !== null
  );
}
