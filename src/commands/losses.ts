import { execFile } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { programs } from '../shell/lists.ts';
import type { Invocation } from '../shell/types.ts';
import { type Surroundings, zoneOf } from '../shell/zones.ts';
import { EDITS, pathsAt, targetsOf, wordsOf } from './arguments.ts';
import { builtinPolicy } from './policy/index.ts';
import { decisionOf, type PartVerdict, type PolicyVerdict } from './types.ts';

// Git is asked what a command would lose, in the owner's project only, before files are deleted or overwritten that it may
// not have. That is rare, so it may take a few milliseconds more.

/** Names of files that tools leave behind and make again. */
const MADE_BY_TOOLS =
  /(\.(log|pyc|pyo|o|class|sw[a-p]|pid|tsbuildinfo|gcda|gcno|DS_Store|tmp|temp|eslintcache|coverage|orig|rej)|~|\.lock|-lock\.(json|yaml)|go\.sum)$/;
/** Options with which nothing is overwritten. */
const KEEPS = /^(-n|--no-clobber|-a|--append|--ignore-existing|-C|--continue-at|-c|--continue)$/;
const MAX_ASKED = 20;
const LIMITS = { timeout: 1_000, maxBuffer: 1024 * 1024 };

/** Asks git. It runs none of the programs that settings name, and waits for nothing. Null: it failed. */
function ask(cwd: string, ...args: string[]): Promise<string | null> {
  const mine = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const env = { ...Object.fromEntries(mine), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1' };
  const first = ['--no-optional-locks', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
  return new Promise((done) => {
    execFile('git', [...first, ...args], { cwd, env, ...LIMITS }, (error, out) => done(error ? null : out));
  });
}
const STATUS = ['status', '--porcelain=v1', '-z', '--no-renames'];

/**
 * Returns a verdict in which what would lose something is left, with the reason.
 *
 * @param place of the owner's own machine
 */
export async function askWhatIsLost(verdict: PolicyVerdict, place: Surroundings): Promise<PolicyVerdict> {
  const parts = await Promise.all(
    verdict.parts.map(async (part, i): Promise<PartVerdict> => {
      const run = verdict.invocations[i];
      const lost = run && !run.remote && part.decision === 'allow' ? await lostBy(run, place) : null;
      return lost === null ? part : { text: part.text, via: part.via, decision: 'unknown', reason: lost };
    }),
  );
  return { ...verdict, parts, decision: decisionOf(parts) };
}

const hasPattern = (path: string): boolean => /[*?[]/.test(path);

/** Returns the paths that a command deletes or writes over; those that it finds are patterns. */
function endangered(run: Invocation, place: Surroundings): string[] {
  const table = builtinPolicy.options;
  const { program } = run;
  const { words, options, values } = wordsOf(run, table);
  const gone = programs('deleters').has(program)
    ? words.flatMap((word) => {
        const found = /^g?find$/.test(word.listedBy?.[0]?.program ?? '');
        const paths = pathsAt(word, run, place);
        return found ? paths.map((path) => path.replace(/\/(?=[^/]*$)/, '/**/')) : paths;
      })
    : [];
  if (options.includes('-delete')) {
    const names = values.filter(({ option }) => /^-i?name$/.test(option)).map(({ arg }) => arg.text);
    const starts = words.length > 0 ? words.flatMap((word) => pathsAt(word, run, place)) : [run.cwd ?? '/'];
    for (const start of starts)
      gone.push(...(names.length > 0 ? names.map((name) => `${start}/**/${name}`) : [start]));
  }
  const forced = program !== 'ln' || options.some((option) => /^(-f|--force)$/.test(option));
  const spares =
    !forced ||
    options.some((option) => KEEPS.test(option)) ||
    EDITS.has(program) ||
    /^(sponge|sort)$/.test(program);
  const over = targetsOf(run, table)
    .filter((target) => !(run.writes.find((one) => one.target === target)?.append ?? spares))
    .flatMap((target) => pathsAt(target, run, place));
  return [...gone, ...over.filter(isFile)];
}

const isThere = (path: string): boolean => statOf(path) !== undefined;
const isFile = (path: string): boolean => statOf(path)?.isFile() === true;

function statOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Returns what a command deletes or overwrites that git could not give back; null if that is nothing. */
async function lostBy(run: Invocation, { root, own, ...place }: Surroundings): Promise<string | null> {
  const isOwn = (path: string) => own?.made.has(path) === true;
  for (const path of endangered(run, { root, ...place }).slice(0, MAX_ASKED)) {
    const zone = zoneOf({ text: path, known: true, glob: false, quoted: true }, '/', { root, ...place });
    if (!['project', 'project-root', 'regenerable'].includes(zone) || isOwn(path)) continue;
    if (!hasPattern(path) && !isThere(path)) continue;
    const name = path.slice(root.length + 1);
    const spec = hasPattern(path) ? `:(top,glob)${name}` : path;
    const status = await ask(root, ...STATUS, '--untracked-files=all', '--ignored', '--', spec);
    if (status === null && zone === 'project' && !MADE_BY_TOOLS.test(path))
      return `${name}: git does not have it`;
    const changes = (status ?? '')
      .split('\0')
      .filter((line) => line !== '' && !MADE_BY_TOOLS.test(line) && !isOwn(join(root, line.slice(3))));
    // a folder is what tools make again only while git tracks nothing in it, and is told to ignore it
    const again =
      zone === 'regenerable' &&
      changes.every((line) => line.startsWith('!!')) &&
      (changes.length === 0 || (await ask(root, 'ls-files', '--', spec)) === '');
    const [lost] = again ? [] : changes;
    if (lost !== undefined)
      return `${lost.slice(3)}: ${/^(\?\?|!!)/.test(lost) ? 'git does not have it' : 'it has changes that git does not have'}`;
  }
  return null;
}
