import { execFile } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { globPattern } from '../shell/globs.ts';
import { programs } from '../shell/lists.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings, within, zoneOf } from '../shell/zones.ts';
import { pathOf, pathsAt, targetsOf, wordsOf } from './arguments.ts';
import type { Options } from './options.ts';
import { builtinPolicy } from './policy/index.ts';
import { decisionOf, type PartVerdict, type PolicyVerdict } from './types.ts';
import { COPIES, EDITS } from './writers.ts';

// Git is asked what a command would lose, in the owner's project only: before files are deleted or overwritten that it may
// not have, and before a command of git stays denied that throws away work only if there is some. Both are rare, so they
// may take a few milliseconds more.

/** Rules that deny what may throw work away, where git can tell whether it would. */
const DISCARDS = new Set(['git.lose-commits', 'git.discard-changes', 'git.reset-hard']);
/** Names of files that tools leave behind and make again. */
const MADE_BY_TOOLS =
  /(\.(log|pyc|pyo|o|class|sw[a-p]|pid|tsbuildinfo|gcda|gcno|DS_Store|tmp|temp|eslintcache|coverage|orig|rej)|~|\.lock|-lock\.(json|yaml)|go\.sum)$/;
const KEEPS = /^(-n|--no-clobber|-a|--append|--ignore-existing|-C|--continue-at|-c|--continue)$/;
const MAX_ASKED = 20;
const PATIENCE_MS = 1_000;
const MAX_OUTPUT = 1024 * 1024;

/** What git answers; null: it failed. */
type Ask = (...args: string[]) => Promise<string | null>;

/** Returns a way to ask git in a folder. It runs none of the programs that settings name, and waits for nothing. */
function asking(cwd: string): Ask {
  const mine = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const env = { ...Object.fromEntries(mine), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1' };
  const first = ['--no-optional-locks', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
  const options = { cwd, env, timeout: PATIENCE_MS, maxBuffer: MAX_OUTPUT };
  return (...args) =>
    new Promise((done) => {
      execFile('git', [...first, ...args], options, (error, out) => done(error ? null : out));
    });
}

/**
 * Returns a verdict in which what would lose something is left, with the reason; those denials are lifted that would lose
 * nothing.
 *
 * @param place of the owner's own machine
 */
export async function askWhatIsLost(verdict: PolicyVerdict, place: Surroundings): Promise<PolicyVerdict> {
  const losses = await Promise.all(
    verdict.parts.map(async (part, i): Promise<PartVerdict> => {
      const run = verdict.invocations[i];
      if (!run || run.remote) return part;
      if (part.decision === 'allow') {
        const lost = await lostBy(run, place);
        return lost === null ? part : { text: part.text, via: part.via, decision: 'unknown', reason: lost };
      }
      if (!DISCARDS.has(part.rule ?? '')) return part;
      const before = verdict.parts
        .slice(0, i)
        .every((one, n) => changesNothing(one, verdict.invocations[n], run));
      const lost = before ? await discardedBy(run, place) : 'unsure';
      if (lost === 'unsure') return part;
      return lost !== null
        ? { ...part, reason: lost }
        : {
            text: part.text,
            via: part.via,
            decision: 'allow',
            reason: 'git says that nothing would be lost',
          };
    }),
  );
  return { ...verdict, parts: losses, decision: decisionOf(losses) };
}

/** Files that a command deletes or writes over: a path, a pattern of the shell, or those of these names in a folder. */
type Endangered = { path: string; names?: string[] };

function endangered(run: Invocation, place: Surroundings, table: Options): Endangered[] {
  const { program } = run;
  const { words, options } = wordsOf(run, table);
  const inFolder = (path: string, name: string) => (kindOf(path) === 'folder' ? join(path, name) : path);
  const deletes = programs('deleters').has(program);
  const listed = [
    ...(options.includes('-delete') ? [run] : []),
    ...words.flatMap((word) => word.listedBy ?? []),
  ];
  const found = listed.filter(({ program }) => /^g?find$/.test(program));
  const started = found.flatMap((find) => {
    const names = find.args.flatMap(({ text }, i, all) =>
      /^-i?name$/.test(all[i - 1]?.text ?? '') ? text : [],
    );
    const starts = wordsOf(find, table).words;
    const folders = starts.flatMap((word) => pathsAt(word, find, place));
    return (starts.length === 0 ? [find.cwd ?? place.root] : folders).map((path) => ({ path, names }));
  });
  const targets = targetsOf(run, table).filter(
    (target) =>
      !(options.some((option) => KEEPS.test(option)) && !run.writes.some((one) => one.target === target)) &&
      !run.writes.some((one) => one.target === target && one.append) &&
      !(EDITS.has(program) && words.includes(target)) &&
      !(program === 'ln' && !options.some((option) => /^(-f|--force)$/.test(option))),
  );
  const written = targets.flatMap((target) =>
    pathsAt(target, run, place).flatMap((path) =>
      COPIES.has(program) && words.includes(target)
        ? words.filter((word) => word !== target).map(({ text }) => inFolder(path, basename(text)))
        : path,
    ),
  );
  const read = [...wordsOf(run, table).words, ...run.reads, ...sourcesOf(run)].map((arg) =>
    pathOf(arg, run, place),
  );
  return [
    ...(deletes ? words.flatMap((word) => pathsAt(word, run, place)) : []).map((path) => ({ path })),
    ...(deletes || options.includes('-delete') ? started : []),
    // `jq . a | sponge a` edits it
    ...written
      .filter((path) => !(/^(sponge|sort)$/.test(program) && read.includes(path)) && kindOf(path) === 'file')
      .map((path) => ({ path })),
  ];
}

const sourcesOf = ({ input }: Invocation): Arg[] =>
  input.kind === 'pipe' ? input.from.flatMap((one) => [...one.args, ...one.reads]) : [];

function kindOf(path: string): 'file' | 'folder' | 'none' {
  try {
    const info = lstatSync(path, { throwIfNoEntry: false });
    return info?.isFile() ? 'file' : info?.isDirectory() ? 'folder' : 'none';
  } catch {
    return 'none';
  }
}

/** Returns what a command deletes or overwrites that git could not give back; null if that is nothing. */
async function lostBy(run: Invocation, place: Surroundings): Promise<string | null> {
  const paths = endangered(run, place, builtinPolicy.options).slice(0, MAX_ASKED);
  const isOwn = (path: string) => place.own?.made.has(path) === true;
  for (const { path, names = [] } of paths) {
    const zone = zoneOf({ text: path, known: true, glob: false, quoted: true }, '/', place);
    if (!['project', 'project-root', 'regenerable'].includes(zone) || isOwn(path)) continue;
    const glob = /[*?[]/.test(path);
    if (!glob && kindOf(path) === 'none') continue;
    const ask = asking(place.root);
    const spec = glob ? `:(top,glob)${path.slice(place.root.length + 1)}` : path;
    const [tracked, status] = await Promise.all([
      ask('ls-files', '--', spec),
      ask('status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all', '--ignored', '--', spec),
    ]);
    const name = path.slice(place.root.length + 1);
    if (tracked === null || status === null) {
      if (zone === 'project' && !MADE_BY_TOOLS.test(path)) return `${name}: git does not have it`;
      continue;
    }
    const patterns = names.map((name) => globPattern(name));
    const isMeant = (file: string) =>
      patterns.length === 0 || patterns.some((one) => one === null || one.test(basename(file)));
    const changes = status
      .split('\0')
      .filter((line) => line !== '' && !MADE_BY_TOOLS.test(line) && isMeant(line.slice(3)))
      .filter((line) => !isOwn(join(place.root, line.slice(3))));
    // a folder is what tools make again only while git tracks nothing in it, and is told to ignore it
    const again = zone === 'regenerable' && tracked === '' && changes.every((line) => line.startsWith('!!'));
    const [lost] = again ? [] : changes;
    if (lost !== undefined)
      return /^(\?\?|!!)/.test(lost)
        ? `${lost.slice(3)}: git does not have it`
        : `${lost.slice(3)}: it has changes that git does not have`;
  }
  return null;
}

const LOOKS = /^(cd|pwd|ls|cat|echo|printf|head|tail|wc|grep|rg|true|:|test|\[)$/;
const GIT_LOOKS =
  /^(status|log|diff|show|rev-parse|ls-files|merge-base|fetch|stash list|worktree list|(checkout|switch) \w[\w./-]*$)( |$)/;

/** Whether an earlier command of the line leaves things so that what git says now still holds after it. */
function changesNothing({ decision }: PartVerdict, run: Invocation | undefined, later: Invocation): boolean {
  if (decision !== 'allow' || !run || run.writes.some(({ target }) => !target.text.startsWith('/dev/')))
    return false;
  // a fetch may remove branches of remotes
  if (run.args[0]?.text === 'fetch' && later.args[0]?.text !== 'reset') return false;
  return run.program === 'git'
    ? GIT_LOOKS.test(run.args.map(({ text }) => text).join(' '))
    : LOOKS.test(run.program);
}

/** Returns what a command of git would throw away: null if nothing, `unsure` if that is not known. */
async function discardedBy(run: Invocation, place: Surroundings): Promise<string | null | 'unsure'> {
  if (
    run.cwd === null ||
    run.openArgs ||
    run.via.length > 0 ||
    run.env.length > 0 ||
    run.otherCwds.length > 0
  )
    return 'unsure';
  if (run.writes.length > 0 || !run.args.every(({ known }) => known) || !within(run.cwd, place.root))
    return 'unsure';
  const ask = asking(run.cwd);
  const [verb, ...rest] = run.args.map(({ text }) => text);
  const flags = rest.filter((text) => text.startsWith('-') && text !== '--');
  const words = rest.filter((text) => !text.startsWith('-'));
  const [first = 'HEAD'] = words;
  const others = ['--branches', '--remotes', '--tags'];
  if (!words.every((word) => /^[\w./@+#{}~^-]+$/.test(word))) return 'unsure';
  if (verb === 'branch' && flags.every((flag) => /^(-[Ddfqv]+|--delete|--force)$/.test(flag)))
    return commitsLost(
      await ask(
        'rev-list',
        '--count',
        ...words.map((name) => `refs/heads/${name}`),
        '--not',
        ...words.map((name) => `--exclude=${name}`),
        ...others,
      ),
      words,
    );
  if (
    /^(checkout|restore)$/.test(verb ?? '') &&
    flags.every((flag) => /^(-q|--quiet|-W|--worktree)$/.test(flag)) &&
    (verb === 'restore' || (rest.includes('--') && rest[0] === '--'))
  )
    return changesLost(
      await ask('status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=no', '--', ...words),
    );
  if (verb === 'worktree' && words.length === 2) {
    const folder = resolvePath(words[1] ?? '', run.cwd, place.home) ?? '/';
    const trees = await ask('worktree', 'list', '--porcelain');
    return trees?.includes(`worktree ${folder}\n`)
      ? changesLost(await asking(folder)('status', '--porcelain=v1', '-z'))
      : 'unsure';
  }
  if (verb !== 'reset' || words.length > 1 || !flags.every((flag) => /^(--hard|-q|--quiet)$/.test(flag)))
    return 'unsure';
  const changed = changesLost(
    await ask('status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=no'),
  );
  if (changed !== null || first === 'HEAD') return changed;
  const added = await ask(
    'diff',
    '--name-only',
    '-z',
    '--no-renames',
    '--no-ext-diff',
    '--diff-filter=A',
    'HEAD',
    first,
  );
  const over = added?.split('\0').find((path) => path !== '' && kindOf(join(place.root, path)) !== 'none');
  if (added === null || over !== undefined)
    return added === null ? 'unsure' : `overwrites ${over}, which git does not have`;
  const branch = (await ask('symbolic-ref', '-q', '--short', 'HEAD'))?.trim();
  return branch
    ? commitsLost(
        await ask('rev-list', '--count', 'HEAD', '--not', first, `--exclude=${branch}`, ...others),
        [branch],
      )
    : 'unsure';
}

const commitsLost = (count: string | null, names: string[]): string | null | 'unsure' =>
  count === null
    ? 'unsure'
    : count.trim() === '0'
      ? null
      : `drops commits of ${names.slice(0, 2).join(', ')} that nothing else holds`;

/** @param status of git; null: it failed */
const changesLost = (status: string | null): string | null | 'unsure' => {
  const [lost] = status?.split('\0').filter((line) => line !== '' && !/^[ D]D/.test(line)) ?? [];
  return status === null
    ? 'unsure'
    : lost === undefined
      ? null
      : `throws away the changes in ${lost.slice(3)}`;
};
