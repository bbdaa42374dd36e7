// Bundles what the Edge Functions serve into edge-functions/lore.js: all packages as package-lock.json pins them, the data
// as text. So nothing is resolved where they run, and they start fast.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';
import { withoutLanguages } from './build.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What only a server of its own uses: the embedded engine, its embedding model, the build. */
const ABSENT =
  /^(@electric-sql\/.*|@xenova\/.*|onnxruntime-node|fs-native-extensions|esbuild|node-sqlite3-wasm|vite|ws)$|\/db\/embedded\/(client|folder)\.ts$|^\.\/embedded\/client\.ts$|^@hono\/node-server$/;

/** Lets an absent part fail when it is used, with its name. */
const withoutServer = {
  name: 'without what only a server uses',
  setup(build) {
    build.onResolve({ filter: ABSENT }, ({ path }) => ({ path, namespace: 'absent' }));
    // Drizzle asks it for these numbers, also where the database is PostgreSQL
    build.onLoad({ filter: /^@electric-sql\/pglite$/, namespace: 'absent' }, () => ({
      contents: `export const types = { DATE: 1082, TIMESTAMP: 1114, TIMESTAMPTZ: 1184, INTERVAL: 1186 };
        export class PGlite {}`,
    }));
    build.onLoad({ filter: /.*/, namespace: 'absent' }, ({ path }) => ({
      contents: `module.exports = new Proxy({}, { get(_, name) {
        if (name === '__esModule' || typeof name === 'symbol') return undefined;
        throw new Error(${JSON.stringify(`${path} is not part of an Edge Function`)});
      } });`,
      loader: 'js',
    }));
  },
};

/** A server finds the hooks' own file by its path; here it comes along. */
const withHooks = {
  name: 'what records cite',
  setup: (build) =>
    build.onLoad({ filter: /\/kinds\/look\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const contents = source.replace(
        'createRequire(import.meta.url)(file)',
        `require(${JSON.stringify(`${root}hooks/freshness.cjs`)})`,
      );
      if (contents === source) throw new Error(`${path} does not load the hooks' file as it did`);
      return { contents, loader: 'ts' };
    }),
};

/** Deno knows Node's modules by their full names only. */
const fullNames = {
  name: 'full names of Node modules',
  setup: (build) =>
    build.onResolve({ filter: /^[a-z_/]+$/ }, ({ path }) =>
      builtinModules.includes(path) ? { path: `node:${path}`, external: true } : undefined,
    ),
};

/** Writes edge-functions/lore.js. Returns what esbuild says about its parts. */
export async function buildFunctions(outfile = `${root}edge-functions/lore.js`) {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/server/functions/functions.ts'],
    outfile,
    bundle: true,
    write: false,
    plugins: [withoutLanguages, withoutServer, withHooks, fullNames],
    // what CommonJS packages ask for
    banner: {
      js: `import { createRequire as lore_createRequire } from 'node:module';
const require = lore_createRequire(import.meta.url);`,
    },
    platform: 'node',
    // where a package has both, its module: what CommonJS requires must be found when it runs
    mainFields: ['module', 'main'],
    format: 'esm',
    target: 'es2022',
    minifySyntax: true,
    minifyWhitespace: true,
    metafile: true,
    logLevel: 'warning',
  });
  // several test processes may build at the same time
  const made = `${outfile}.${process.pid}`;
  writeFileSync(made, outputFiles[0].contents);
  renameSync(made, outfile);
  return metafile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildFunctions();
  await stop();
}
