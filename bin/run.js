// Runs the built CLI; builds it first when it is missing or older than its source (about 0.1 s).
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const built = statSync(`${root}dist/cli/main.js`, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const newest = (folder) =>
  Math.max(
    ...readdirSync(folder, { withFileTypes: true }).map((entry) =>
      entry.isDirectory() ? newest(`${folder}/${entry.name}`) : statSync(`${folder}/${entry.name}`).mtimeMs,
    ),
  );

if (built === 0 || newest(`${root}src`) > built) {
  const { buildDist } = await import('../scripts/build.js');
  await buildDist();
}
await import('../dist/cli/main.js');
