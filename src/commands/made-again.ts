import { words } from '../shell/names.ts';
import { textOrNothing } from '../shell/project-files.ts';
import type { Surroundings } from '../shell/zones.ts';
import { isIgnored } from './ignored.ts';

// Whether a folder is one that tools make again. Most names say so by themselves: node_modules, .next. Others are those
// of any folder too, so that git must ignore it, or the file of a build tool must be there.

/** What build tools make by their own rules, wherever their file lies. */
const BUILT = /^(dist|build|target|coverage)$/;
/** What some tools are told to make: their file names it. */
const TOLD = /^(out|tmp|temp|\.tmp)$/;
const TOOLS = words(
  `package.json tsconfig.json Makefile Cargo.toml pom.xml build.gradle build.gradle.kts CMakeLists.txt pyproject.toml
  setup.py go.mod meson.build BUILD.bazel mix.exs composer.json Package.swift pubspec.yaml build.sbt build.zig Rakefile
  Gemfile deno.json foundry.toml next.config.js next.config.mjs next.config.ts vite.config.js vite.config.ts`,
);

/**
 * Returns whether tools make a folder again.
 *
 * @param folder of the project, with a name that tools use
 */
export function isMadeAgain(folder: string, place: Surroundings): boolean {
  const at = folder.lastIndexOf('/');
  const name = folder.slice(at + 1);
  if (!(BUILT.test(name) || TOLD.test(name))) return true;
  if (!place.read || isIgnored(`${folder}/x`, place)) return true;
  const mention = new RegExp(`(^|[^\\w.-])${name.replace('.', '\\.')}([^\\w.-]|$)`);
  for (
    let from = folder.slice(0, at);
    from.length >= place.root.length;
    from = from.slice(0, from.lastIndexOf('/'))
  )
    for (const file of TOOLS) {
      const path = `${from}/${file}`;
      if (place.exists?.(path) === false) continue;
      if (BUILT.test(name) || mention.test(textOrNothing(path, place))) return true;
    }
  return false;
}
