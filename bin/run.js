// Runs the built CLI; builds it first when it is missing or older than its source (about 0.1 s; the page about 2 s).
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const changed = (file) => statSync(`${root}${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const PAGE = 'src/dashboard';

const newest = (folder) =>
  Math.max(
    ...readdirSync(`${root}${folder}`, { withFileTypes: true }).map((entry) => {
      const path = `${folder}/${entry.name}`;
      if (path === PAGE) return 0;
      return entry.isDirectory() ? newest(path) : changed(path);
    }),
  );

const [server, page] = [changed('dist/cli/main.js'), changed('dist/dashboard/index.html')];
if (newest('src') > server) {
  const { buildDist } = await import('../scripts/build.js');
  await buildDist();
}
if (newest(PAGE) > page) {
  const { buildPage } = await import('../scripts/build.js');
  await buildPage();
}
await import('../dist/cli/main.js');
