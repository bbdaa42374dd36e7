import { readdir } from 'node:fs/promises';

/** Files at the top of a project, with what they say that the project is made with. */
const TYPES: [type: string, file: RegExp][] = [
  ['typescript', /^tsconfig.*\.json$/],
  ['node', /^package\.json$/],
  ['deno', /^deno\.jsonc?$/],
  ['python', /^(pyproject\.toml|setup\.(py|cfg)|requirements.*\.txt|Pipfile)$/],
  ['rust', /^Cargo\.toml$/],
  ['go', /^go\.(mod|work)$/],
  ['jvm', /^(pom\.xml|(build|settings)\.gradle(\.kts)?|build\.sbt)$/],
  ['dotnet', /\.(sln|slnx|csproj|fsproj)$/],
  ['ruby', /^Gemfile$/],
  ['php', /^composer\.json$/],
  ['elixir', /^mix\.exs$/],
  ['swift', /^Package\.swift$/],
  ['dart', /^pubspec\.yaml$/],
  ['c/c++', /^(CMakeLists\.txt|meson\.build|configure\.ac)$/],
  ['terraform', /\.tf$/],
];

/**
 * Returns what a project is made with, as the files at the top of its folder tell: 'typescript' or 'go,
 * terraform'. Null when they tell nothing or the folder cannot be read. The server may call this only for the
 * person on its machine.
 */
export async function projectTypeIn(folder: string | null): Promise<string | null> {
  const names = folder === null ? [] : await readdir(folder).catch(() => []);
  const types = TYPES.filter(([, file]) => names.some((name) => file.test(name))).map(([type]) => type);
  // a project of TypeScript has a package.json too
  const said = types.filter((type) => type !== 'node' || !types.includes('typescript'));
  return said.length === 0 ? null : said.join(', ');
}
