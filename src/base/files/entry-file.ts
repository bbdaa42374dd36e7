import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { packageRoot } from './package-root.ts';
import { writeAtomically } from './write-atomically.ts';

const transpiled = new Map<string, Promise<URL>>();

/**
 * Returns the file that a new process or thread starts from. In tests Lore runs from its sources; the entry is
 * transpiled then, because Node 20 cannot read TypeScript.
 *
 * @param entry path below `src/`, without `.ts`
 * @example new Worker(await entryFile('db/embedded/thread'))
 */
export async function entryFile(entry: string): Promise<URL> {
  // the build of the package drops what only runs from sources, and esbuild with it
  if (typeof BUILT === 'undefined' && import.meta.url.endsWith('.ts')) return onceTranspiled(entry);
  return new URL(`dist/${entry}.js`, packageRoot);
}

function onceTranspiled(entry: string): Promise<URL> {
  const known = transpiled.get(entry) ?? transpile(entry);
  transpiled.set(entry, known);
  return known;
}

async function transpile(entry: string): Promise<URL> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`src/${entry}.ts`, packageRoot))],
    bundle: true,
    write: false,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
  const code = outputFiles[0]?.text ?? '';
  const folder = new URL('node_modules/.cache/lore/', packageRoot);
  const name = `${entry.replaceAll('/', '-')}-${createHash('sha256').update(code).digest('hex').slice(0, 16)}.mjs`;
  const file = new URL(name, folder);
  if (existsSync(file)) return file;
  await mkdir(folder, { recursive: true });
  writeAtomically(fileURLToPath(file), code, { sync: false });
  return file;
}
