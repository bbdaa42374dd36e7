import { programs } from '../shell/names.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { type Surroundings, upwards } from '../shell/zones.ts';
import { wordsOf } from './arguments.ts';
import type { MatchContext } from './types.ts';

// Packages that a command fetches by name. Anybody may publish one under a name that is misspelled or made up, and it runs
// code when it is installed, so the client asks.

/** What stands before the names, as a line of the program and the words that are no options. */
const INSTALLS = [
  '(npm|pnpm|yarn|bun) (workspaces? \\S+ )?(install|i|in|add|it|install-test|link|ln|update|up|upgrade)',
  'pip[\\d.]* (install|download|wheel)|uv (add|pip install)|(poetry|pdm|rye|bundle|bundler) add|(pipenv|gem) install',
  'cargo (add|install|binstall)|go (get|install|mod download)|composer require',
  'dotnet (add (\\S+ )?package|package add)',
];
const INSTALLS_NAMED = new RegExp(`^(${INSTALLS.join('|')}) (?=.)`);
/** The same for what runs the program of the first name. With others than npm, `exec` runs only what is installed. */
const RUNS_NAMED = /^(npx|pnpx|bunx|uvx|npm (exec|x)|(pnpm|yarn) dlx|bun x|uv tool run|pipx run) /;

/** Whether a command installs packages by name, or runs the program of one that is not installed in the project. */
export function bringsPackage(invocation: Invocation, { place, options: table }: MatchContext): boolean {
  const { words, values, options } = wordsOf(invocation, table);
  if (options.some((option) => /^--(no|no-install|offline)$/.test(option))) return false;
  const line = [invocation.program, ...words.map(({ text }) => text), ''].join(' ');
  const behind = (pattern: RegExp) => words.slice((pattern.exec(line)?.[0].split(' ').length ?? 0) - 2);
  if (RUNS_NAMED.test(line)) {
    const asked = values.filter(({ option }) => /^(-p|--package)$/.test(option)).map(({ arg }) => arg);
    const named = asked.length > 0 ? asked : behind(RUNS_NAMED).slice(0, 1);
    const folder = invocation.cwd ?? place.root;
    return named.flatMap(nameIn).some((name) => !isInstalled(name, folder, place));
  }
  return INSTALLS_NAMED.test(line) && behind(INSTALLS_NAMED).flatMap(nameIn).length > 0;
}

/** Returns the name of a package in a word, without its version; none when the word means a path. */
const nameIn = ({ text, known }: Arg): string[] =>
  known && /^[./~]|\.(tgz|whl|gz|zip|gem|nupkg)$/.test(text)
    ? []
    : [text.replace(/(?<=.)@[^/]*$|\s*[[<>=!~;(:].*$/s, '')];

/**
 * Whether a program is installed in a folder of the project, or above it. Where the project has none at all, or nobody can
 * look, only a tool that everybody knows by that name counts.
 */
function isInstalled(name: string, folder: string, { exists = () => false, root }: Surroundings): boolean {
  const isAbove = (names: string[]) =>
    upwards(names, folder, root, (path) => (exists(path) ? path : null)) !== null;
  const installed = [`node_modules/${name}/package.json`, `node_modules/.bin/${name}`, `.venv/bin/${name}`];
  return (
    isAbove(installed) ||
    (programs('package-tools').has(name) && !isAbove(['node_modules', '.venv', 'package-lock.json']))
  );
}
