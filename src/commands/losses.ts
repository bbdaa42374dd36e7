import { execFile } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { globPattern } from '../shell/globs.ts';
import { programs } from '../shell/lists.ts';
import type { Invocation } from '../shell/types.ts';
import { type Surroundings, within, zoneOf } from '../shell/zones.ts';
import { COPIES, EDITS, pathsAt, targetsOf, wordsOf } from './arguments.ts';
import { builtinPolicy } from './policy/index.ts';
import { decisionOf, type PartVerdict, type PolicyVerdict } from './types.ts';

// Git is asked what a command would lose, in the owner's project only: before files are deleted or overwritten that it may
// not have, and before a command of git stays denied that throws away work only if there is some. Both are rare, so they
// may take a few milliseconds more.

/** Rules that deny what may throw work away, where git can tell whether it would. */
const DISCARDS = new Set(['git.lose-commits', 'git.discard-changes', 'git.reset-hard']);
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
 * Returns a verdict in which what would lose something is left, with the reason; those denials are lifted that would lose
 * nothing.
 *
 * @param place of the owner's own machine
 */
export async function askWhatIsLost(verdict: PolicyVerdict, place: Surroundings): Promise<PolicyVerdict> {
  const parts = await Promise.all(
    verdict.parts.map(async (part, i): Promise<PartVerdict> => {
      const run = verdict.invocations[i];
      if (!run || run.remote) return part;
      const { text, via } = part;
      if (part.decision === 'allow') {
        const lost = await lostBy(run, place);
        return lost === null ? part : { text, via, decision: 'unknown', reason: lost };
      }
      // in a longer line git cannot say what there will be when its turn comes
      const alone = verdict.parts
        .slice(0, i)
        .every(({ decision }, n) => decision === 'allow' && keeps(verdict.invocations[n], run));
      if (!DISCARDS.has(part.rule ?? '') || !alone) return part;
      const lost = await discardedBy(run, place);
      if (lost === 'unsure') return part;
      if (lost !== null) return { ...part, reason: lost };
      return { text, via, decision: 'allow', reason: 'git says that nothing would be lost' };
    }),
  );
  return { ...verdict, parts, decision: decisionOf(parts) };
}

/** Whether an earlier command of the line leaves things so that what git says now still holds after it. */
function keeps(run: Invocation | undefined, later: Invocation): boolean {
  if (!run || run.writes.some(({ target }) => !target.text.startsWith('/dev/'))) return false;
  const line = [run.program, ...run.args.map(({ text }) => text)].join(' ');
  // a fetch may remove branches of remotes
  if (/^git fetch/.test(line)) return later.args[0]?.text === 'reset';
  return /^(cd|pwd|ls|echo|true|git (status|log|diff|show|branch$|(checkout|switch) \w[\w./-]*$))( |$)/.test(
    line,
  );
}

/** Files that a command deletes or writes over: a path, a pattern of the shell, or those of these names in a folder. */
type Endangered = { path: string; names?: string[] };

function endangered(run: Invocation, place: Surroundings): Endangered[] {
  const table = builtinPolicy.options;
  const { program } = run;
  const { words, options } = wordsOf(run, table);
  const deletes = programs('deleters').has(program);
  const listers = options.includes('-delete')
    ? [run]
    : deletes
      ? words.flatMap((word) => word.listedBy ?? [])
      : [];
  const listed = listers
    .filter((lister) => /^g?find$/.test(lister.program))
    .flatMap((find) => {
      const isName = (i: number) => /^-i?name$/.test(find.args[i - 1]?.text ?? '');
      const names = find.args.filter((_, i) => isName(i)).map(({ text }) => text);
      const starts = wordsOf(find, table).words.flatMap((word) => pathsAt(word, find, place));
      return (starts.length === 0 ? [find.cwd ?? place.root] : starts).map((path) => ({ path, names }));
    });
  const gone = deletes ? words.flatMap((word) => pathsAt(word, run, place)) : [];
  const spares =
    options.some((option) => KEEPS.test(option)) || EDITS.has(program) || /^(sponge|sort)$/.test(program);
  const over = targetsOf(run, table).flatMap((target) => {
    const redirection = run.writes.find((one) => one.target === target);
    const forced = program !== 'ln' || options.some((option) => /^(-f|--force)$/.test(option));
    if (redirection?.append ?? (spares || !forced)) return [];
    const copied = COPIES.has(program) ? words.filter((word) => word !== target) : [];
    return pathsAt(target, run, place).flatMap((path) =>
      kindOf(path) === 'folder' ? copied.map(({ text }) => join(path, basename(text))) : path,
    );
  });
  const files = over.filter((path) => kindOf(path) === 'file');
  return [...[...gone, ...files].map((path) => ({ path })), ...listed];
}

function kindOf(path: string): 'file' | 'folder' | 'none' {
  try {
    const info = lstatSync(path, { throwIfNoEntry: false });
    return info?.isFile() ? 'file' : info?.isDirectory() ? 'folder' : 'none';
  } catch {
    return 'none';
  }
}

/** Returns what a command deletes or overwrites that git could not give back; null if that is nothing. */
async function lostBy(run: Invocation, { root, own, ...place }: Surroundings): Promise<string | null> {
  const isOwn = (path: string) => own?.made.has(path) === true;
  for (const { path, names = [] } of endangered(run, { root, ...place }).slice(0, MAX_ASKED)) {
    const zone = zoneOf({ text: path, known: true, glob: false, quoted: true }, '/', { root, ...place });
    if (!['project', 'project-root', 'regenerable'].includes(zone) || isOwn(path)) continue;
    const glob = /[*?[]/.test(path);
    if (!glob && kindOf(path) === 'none') continue;
    const name = path.slice(root.length + 1);
    const spec = glob ? `:(top,glob)${name}` : path;
    const [tracked, status] = await Promise.all([
      ask(root, 'ls-files', '--', spec),
      ask(root, ...STATUS, '--untracked-files=all', '--ignored', '--', spec),
    ]);
    if (tracked === null || status === null) {
      if (zone === 'project' && !MADE_BY_TOOLS.test(path)) return `${name}: git does not have it`;
      continue;
    }
    const patterns = names.map((one) => globPattern(one));
    const isMeant = (file: string) =>
      patterns.length === 0 || patterns.some((one) => one === null || one.test(basename(file)));
    const changes = status
      .split('\0')
      .filter((line) => line !== '' && !MADE_BY_TOOLS.test(line) && isMeant(line.slice(3)))
      .filter((line) => !isOwn(join(root, line.slice(3))));
    // a folder is what tools make again only while git tracks nothing in it, and is told to ignore it
    const again = zone === 'regenerable' && tracked === '' && changes.every((line) => line.startsWith('!!'));
    const [lost] = again ? [] : changes;
    if (lost !== undefined)
      return `${lost.slice(3)}: ${/^(\?\?|!!)/.test(lost) ? 'git does not have it' : 'it has changes that git does not have'}`;
  }
  return null;
}

/** Returns what a command of git would throw away: null if nothing, `unsure` if that is not known. */
async function discardedBy(run: Invocation, { root }: Surroundings): Promise<string | null> {
  const { cwd, args } = run;
  const plain = run.via.length + run.env.length + run.otherCwds.length + run.writes.length === 0;
  if (cwd === null || run.openArgs || !plain || !args.every(({ known }) => known) || !within(cwd, root))
    return 'unsure';
  const [verb = '', ...rest] = args.map(({ text }) => text);
  const flags = rest.filter((text) => text.startsWith('-') && text !== '--').join(' ');
  const words = rest.filter((text) => !text.startsWith('-'));
  if (!words.every((word) => /^[\w./@+#{}~^-]+$/.test(word))) return 'unsure';
  const others = ['--branches', '--remotes', '--tags'];
  if (verb === 'branch' && /^((-[Ddfqv]+|--delete|--force)( |$))*$/.test(flags)) {
    const [refs, not] = [words.map((name) => `refs/heads/${name}`), words.map((name) => `--exclude=${name}`)];
    return commitsLost(await ask(cwd, 'rev-list', '--count', ...refs, '--not', ...not, ...others), words);
  }
  const restores = verb === 'restore' || (verb === 'checkout' && rest[0] === '--');
  if (restores && /^((-q|--quiet|-W|--worktree)( |$))*$/.test(flags))
    return changesLost(await ask(cwd, ...STATUS, '--untracked-files=no', '--', ...words));
  if (verb !== 'reset' || words.length > 1 || !/^((--hard|-q|--quiet)( |$))*$/.test(flags)) return 'unsure';
  const [to = 'HEAD'] = words;
  const changed = changesLost(await ask(cwd, ...STATUS, '--untracked-files=no'));
  if (changed !== null || to === 'HEAD') return changed;
  const about = ['--name-only', '-z', '--no-renames', '--no-ext-diff', '--diff-filter=A'];
  const added = await ask(cwd, 'diff', ...about, 'HEAD', to);
  const over = added?.split('\0').find((path) => path !== '' && kindOf(join(root, path)) !== 'none');
  if (over !== undefined) return `overwrites ${over}, which git does not have`;
  const branch = (await ask(cwd, 'symbolic-ref', '-q', '--short', 'HEAD'))?.trim();
  if (added === null || !branch) return 'unsure';
  const count = await ask(cwd, 'rev-list', '--count', 'HEAD', '--not', to, `--exclude=${branch}`, ...others);
  return commitsLost(count, [branch]);
}

function commitsLost(count: string | null, names: string[]): string | null {
  if (count === null) return 'unsure';
  return count.trim() === '0'
    ? null
    : `drops commits of ${names.slice(0, 2).join(', ')} that nothing else holds`;
}

/** @param status of git; null: it failed */
function changesLost(status: string | null): string | null {
  if (status === null) return 'unsure';
  const lost = status.split('\0').find((line) => line !== '' && !/^[ D]D/.test(line));
  return lost === undefined ? null : `throws away the changes in ${lost.slice(3)}`;
}
