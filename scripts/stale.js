// Tells whether the files that the build makes are missing or older than their source.
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

/** Returns whether the server and the CLI have to be built (about 0.1 s). */
export const serverIsStale = () => Math.max(newest('src'), newest('hooks')) > changed('dist/cli/process.js');

/** Returns whether the phone page has to be built (about 2 s). */
export const pageIsStale = () => newest(PAGE) > changed('dist/dashboard/index.html');
