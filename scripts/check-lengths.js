// Checks that files of more than 400 lines say why at their top: `// Longer than 400 lines because …` (`--` in SQL).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAX_LINES = 400;
const FOLDERS = ['src', 'sql', 'test', 'bench', 'eval'];
const CODE = /\.(?:tsx?|js|sql)$/;
const REASON = /^(?:\/\/|--) Longer than 400 lines because \S/m;
/** The reason must be within this many first lines. */
const TOP_LINES = 5;

const root = fileURLToPath(new URL('..', import.meta.url));
const faults = FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((file) => CODE.test(file))
    .flatMap((file) => {
      const lines = readFileSync(join(root, file), 'utf8').trimEnd().split('\n');
      const tooLong = lines.length > MAX_LINES && !REASON.test(lines.slice(0, TOP_LINES).join('\n'));
      return tooLong ? [`${file} has ${lines.length} lines: split it, or say at its top why not`] : [];
    }),
);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
