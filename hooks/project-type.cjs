// @ts-check
// What a project is made with, as the files at the top of its folder say. The session-start hook tells the server, which
// cannot look into a folder on another machine; on its own machine the server looks too.
'use strict';

const fs = require('node:fs');

/** Files at the top of a project, with what they say that the project is made with. */
const TYPES = /** @type {[type: string, file: RegExp][]} */ ([
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
]);

/** Most names that are read: a folder with more of them is no project's. */
const MAX_NAMES = 2000;

/**
 * Returns what a project is made with: 'typescript' or 'go, terraform'. Null when its files tell nothing or the folder
 * cannot be read.
 *
 * @param {string | null} folder
 * @returns {string | null}
 */
function projectTypeIn(folder) {
  const names = folder === null ? [] : namesIn(folder);
  const types = TYPES.filter(([, file]) => names.some((name) => file.test(name))).map(([type]) => type);
  // a project of TypeScript has a package.json too
  const said = types.filter((type) => type !== 'node' || !types.includes('typescript'));
  return said.length === 0 ? null : said.join(', ');
}

/** @param {string} folder */
function namesIn(folder) {
  /** @type {string[]} */
  const names = [];
  try {
    const dir = fs.opendirSync(folder);
    try {
      for (let entry = dir.readSync(); entry && names.length < MAX_NAMES; entry = dir.readSync())
        names.push(entry.name);
    } finally {
      dir.closeSync();
    }
  } catch {}
  return names;
}

module.exports = { projectTypeIn };
