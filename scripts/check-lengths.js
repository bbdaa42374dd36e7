// Checks that files of more than 400 lines say why at their top: `// Longer than 400 lines because …` (`--` in SQL), and
// that no room of src has more lines of TypeScript than scripts/lengths.json says. These numbers only fall:
// `npm run lengths -- --lower` writes those of today where they are lower, and a commit that raised one fails, unless those
// of other rooms fell by as many lines in it.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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

const BUDGET = 'scripts/lengths.json';
const now = linesOfRooms();
const budget = JSON.parse(readFileSync(join(root, BUDGET), 'utf8'));
for (const [room, lines] of Object.entries(now)) {
  if (budget[room] === undefined) faults.push(`src/${room} has no number of lines in ${BUDGET}`);
  else if (lines > budget[room])
    faults.push(
      `src/${room} has ${lines} lines and may have ${budget[room]}: delete, or move what is another room's`,
    );
}
const budgetThen = budgetBefore();
const raised = Object.entries(budget).filter(([room, lines]) => lines > (budgetThen[room] ?? lines));
const more = raised.reduce((sum, [room, lines]) => sum + lines - budgetThen[room], 0);
const fallen = Object.entries(budgetThen).reduce(
  (sum, [room, lines]) => sum + (room === 'all' ? 0 : Math.max(0, lines - (budget[room] ?? 0))),
  0,
);
if (more > fallen || budget.all > budgetThen.all)
  for (const [room, lines] of raised)
    faults.push(`${BUDGET}: ${room} was raised from ${budgetThen[room]} to ${lines}`);
if (process.argv.includes('--lower')) {
  const lower = Object.entries(now).map(([room, lines]) => [room, Math.min(lines, budget[room] ?? lines)]);
  writeFileSync(join(root, BUDGET), `${JSON.stringify(Object.fromEntries(lower), null, 2)}\n`);
}

/** Returns the lines of TypeScript of each room of src, and of `all` of them. */
function linesOfRooms() {
  const rooms = { all: 0 };
  for (const name of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.tsx?$/.test(name)) continue;
    const room = name.includes('/') ? name.split('/')[0] : 'base';
    const lines = readFileSync(join(root, 'src', name), 'utf8').split('\n').length - 1;
    rooms[room] = (rooms[room] ?? 0) + lines;
    rooms.all += lines;
  }
  return rooms;
}

/** Returns the numbers of the commit before this one; none outside of a clone. */
function budgetBefore() {
  try {
    const git = (commit) =>
      execFileSync('git', ['show', `${commit}:${BUDGET}`], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    return JSON.parse(git('HEAD~1'));
  } catch {
    return {};
  }
}

for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
