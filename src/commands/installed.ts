import { programs } from '../shell/names.ts';
import type { Invocation } from '../shell/types.ts';
import { type Surroundings, upwards } from '../shell/zones.ts';
import { wordsOf } from './arguments.ts';
import type { Options } from './options.ts';

/** The words behind which a package manager is told whose program it is to run. */
const VERB = /^(exec|x|dlx|tool|run)$/;

/**
 * Whether the package whose program a command runs (`npx tsc`) is installed in its folder of the project, or above it.
 * Where the project has none at all, or nobody can look, only a tool that everybody knows by that name counts.
 */
export function isInstalled(
  invocation: Invocation,
  { exists = () => false, root }: Surroundings,
  options: Options,
): boolean {
  const { words, values } = wordsOf(invocation, options);
  const asked = values.filter(({ option }) => /^(-p|--package)$/.test(option)).map(({ arg }) => arg);
  const named = asked.length > 0 ? asked : words.filter(({ text }) => !VERB.test(text)).slice(0, 1);
  const isAbove = (names: string[]) =>
    upwards(names, invocation.cwd ?? root, root, (path) => (exists(path) ? path : null)) !== null;
  return named.every(({ text, known }) => {
    if (known && /^[./~]/.test(text)) return true;
    const name = text.replace(/(?<=.)@[^/]*$/, '');
    const installed = [`node_modules/${name}/package.json`, `node_modules/.bin/${name}`, `.venv/bin/${name}`];
    return (
      isAbove(installed) ||
      (programs('package-tools').has(name) && !isAbove(['node_modules', '.venv', 'package-lock.json']))
    );
  });
}
