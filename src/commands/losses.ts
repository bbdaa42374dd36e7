import { execFile } from 'node:child_process';
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { shorten } from '../base/text/clip.ts';
import { within } from '../base/timing/within.ts';
import { programs } from '../shell/names.ts';
import { REGENERABLE } from '../shell/places.ts';
import type { Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings, zoneOf } from '../shell/zones.ts';
import { EDITS, pathsAt, targetsOf, wordsOf } from './arguments.ts';
import { builtinPolicy } from './policy/index.ts';
import { decisionOf, type PartVerdict, type PolicyVerdict } from './types.ts';

// Git is asked what a command would lose, in the owner's project only: before files are deleted or overwritten that it may
// not have, and before work is discarded by git itself. That is rare, so it may take a few milliseconds more.

/** Names of files that tools leave behind and make again. */
const MADE_BY_TOOLS =
  /(\.(log|pyc|pyo|o|class|sw[a-p]|pid|tsbuildinfo|gcda|gcno|DS_Store|tmp|temp|eslintcache|coverage|orig|rej)|~|\.lock|-lock\.(json|yaml)|go\.sum)$/;
/** Options with which nothing is overwritten. */
const KEEPS = /^(-n|--no-clobber|-a|--append|--ignore-existing|-C|--continue-at|-c|--continue)$/;
const MAX_ASKED = 20;
/** How long a call waits for git to say what a discard would lose. */
const PATIENCE_MS = 1_500;
const LIMITS = { timeout: 1_000, maxBuffer: 1024 * 1024 };
const TABLE = builtinPolicy.options;

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
const linesOf = (out: string | null, end = '\0'): string[] | null =>
  out === null ? null : out.split(end).filter((line) => line !== '');

/**
 * Returns a verdict in which what would lose something is left, with the reason; and in which a discard of work that is
 * denied is allowed where git says that nothing would be lost.
 *
 * @param place of the owner's own machine
 */
export async function askWhatIsLost(verdict: PolicyVerdict, place: Surroundings): Promise<PolicyVerdict> {
  const parts = await Promise.all(
    verdict.parts.map(async (part, i): Promise<PartVerdict> => {
      const run = verdict.invocations[i];
      if (!run || run.remote) return part;
      if (part.decision === 'deny') return judgeDiscard(part, run, verdict.invocations, place);
      const { text, via } = part;
      const lost = part.asks ? null : await lostAmong(endangered(run, place), place);
      // in acceptEdits, and in its sandbox, the client would run it unasked
      return lost === null ? part : { text, via, decision: 'unknown', reason: lost, asks: true };
    }),
  );
  return { ...verdict, parts, decision: decisionOf(parts) };
}

/** The rules about what git itself discards. */
const DISCARDS = /^git\.(reset-hard|clean|discard-changes|lose-commits)$/;
/** Commands before a discard that leave the files and the branches as git sees them now. */
const STILL =
  /^(cd|pwd|echo|printf|ls|cat|head|tail|grep|true|set|:|test|\[|sleep)( |$)|^git (status|log|diff|show|fetch|rev-parse|branch|remote|ls-files)( |$)/;

/** Judges a discard of work that is denied by what git says would be lost. Without an answer it stays denied. */
async function judgeDiscard(
  part: PartVerdict,
  run: Invocation,
  line: readonly Invocation[],
  place: Surroundings,
): Promise<PartVerdict> {
  const { args, env, scripted, suspected, behind, openArgs, cwd } = run;
  const isPlain = args.every(({ known, glob }) => known && !glob) && env.length === 0 && !openArgs;
  // whose commits a branch has does not depend on where one is
  const still = args[0]?.text === 'branch' ? /^git (checkout|switch|pull|merge|push) / : /^$/;
  const isStill = ({ program, args, writes }: Invocation) =>
    [STILL, still].some((one) => one.test(`${program} ${args[0]?.text} `)) && writes.length === 0;
  const asks = run.program === 'git' && isPlain && line.slice(0, line.indexOf(run)).every(isStill);
  if (!DISCARDS.test(part.rule ?? '') || !asks || scripted || suspected || behind || cwd === null)
    return part;
  const asked = discardedBy(run, cwd, line, place).catch(() => null);
  const lost = await within(asked, PATIENCE_MS);
  if (lost === null) return part;
  // what it brings from another commit is no work, and may be anything
  const texts = args.map(({ text }) => text);
  const brings =
    texts[0] === 'checkout' ? texts.length > 2 && texts[1] !== '--' : /\s(-s|--source)/.test(texts.join(' '));
  const reason = 'git says that no work would be lost';
  if (lost.length === 0)
    return { text: part.text, via: part.via, decision: brings ? 'unknown' : 'allow', reason };
  const more = lost.length > 2 ? [`${lost.length - 2} more`] : [];
  const names = lost.slice(0, 2).map((name) => shorten(name, 40));
  return { ...part, reason: `would lose ${[...names, ...more].join(', ')}` };
}

/** Returns what a command of git would discard, by name; null where git does not say. */
async function discardedBy(
  run: Invocation,
  cwd: string,
  line: readonly Invocation[],
  place: Surroundings,
): Promise<string[] | null> {
  const { words, options, values } = wordsOf(run, TABLE);
  const [verb, ...named] = words.map(({ text }) => text);
  const texts = run.args.slice(1).map(({ text }) => text);
  // the settings of another repository may name programs; so may options of git itself
  const top = (await ask(cwd, 'rev-parse', '--show-toplevel'))?.trim();
  if (!top || !existsSync(place.root) || top !== realpathSync.native(place.root)) return null;
  if (run.args[0]?.text !== verb || texts.includes('-')) return null;
  if (options.some((one) => /^(-i|--interactive|--ours|--theirs|--merge|--pathspec.*)$/.test(one)))
    return null;
  if (verb === 'branch') {
    // a branch that the same line deletes keeps nothing
    const deletes = line.map((one) => wordsOf(one, TABLE).words.map(({ text }) => text));
    return commitsOf(
      cwd,
      named,
      deletes.flatMap(([first, ...names]) => (first === 'branch' ? names : [])),
    );
  }
  if (verb === 'worktree') {
    const folder = resolvePath(named[1] ?? '', cwd, place.home) ?? cwd;
    const [files, commits] = [await changesIn(folder, true, []), await commitsOf(folder, ['HEAD'], [])];
    return named[0] === 'remove' && files && commits ? [...files, ...commits] : null;
  }
  if (verb === 'clean') {
    if (options.some((one) => /^(-q|--quiet)$/.test(one))) return null;
    const found = linesOf(await ask(cwd, 'clean', '-n', ...texts), '\n');
    const made = (path: string) =>
      MADE_BY_TOOLS.test(path) || (/ -\w*x/i.test(` ${texts.join(' ')}`) && REGENERABLE.test(path));
    const paths = found?.map((one) => one.replace(/^Would (remove|skip repository) /, ''));
    return paths?.filter((path) => !made(path)) ?? null;
  }
  if (!/^(reset|checkout|switch|restore)$/.test(verb ?? '')) return null;
  const isPath = (text: string) =>
    (texts.includes('--') && texts.lastIndexOf(text) > texts.indexOf('--')) || isThere(join(cwd, text));
  const source = values.find(({ option }) => /^(-s|--source)$/.test(option))?.arg.text;
  const target = source ?? named.find((text) => !isPath(text));
  const spec = named.filter(isPath);
  const changed = await changesIn(cwd, false, spec);
  const hidden = target === undefined || target === 'HEAD' ? [] : await overwrittenBy(target, top, cwd, spec);
  const lost = changed && hidden && [...changed, ...hidden];
  if (verb !== 'reset' || target === undefined) return lost;
  const branch = (await ask(cwd, 'symbolic-ref', '-q', '--short', 'HEAD'))?.trim();
  const commits = await commitsOf(cwd, ['HEAD', `^${target}`], branch ? [branch] : []);
  return lost && commits && [...lost, ...commits];
}

/** Returns the changed files in a folder, with those that git does not have if these are asked for too. */
const changesIn = async (folder: string, untracked: boolean, spec: string[]): Promise<string[] | null> =>
  linesOf(await ask(folder, ...STATUS, `--untracked-files=${untracked ? 'all' : 'no'}`, '--', ...spec))?.map(
    (one) => one.slice(3),
  ) ?? null;

/** Returns the files that git does not have and that lie where another commit has one. */
async function overwrittenBy(target: string, top: string, cwd: string, spec: string[]) {
  const changed = linesOf(await ask(cwd, ...STATUS, '--untracked-files=all', '--ignored', '--', ...spec));
  const untracked = changed?.filter((one) => /^(\?\?|!!)/.test(one)).map((one) => one.slice(3));
  if (untracked === undefined || untracked.length > 1_000) return null;
  if (untracked.length === 0) return [];
  return linesOf(await ask(top, 'ls-tree', '-r', '--name-only', '-z', target, '--', ...untracked));
}

/** Returns the commits of some refs that no branch but these, no remote and no tag holds, as `abc1234 subject`. */
async function commitsOf(cwd: string, refs: string[], branches: string[]): Promise<string[] | null> {
  const others = [...branches.map((name) => `--exclude=${name}`), '--branches', '--remotes', '--tags'];
  const found = await ask(cwd, 'rev-list', '--oneline', '--max-count=100', ...refs, '--not', ...others);
  return linesOf(found, '\n');
}

const hasPattern = (path: string): boolean => /[*?[]/.test(path);

/** Returns the paths that a command deletes or writes over; those that it finds are patterns. */
function endangered(run: Invocation, place: Surroundings): string[] {
  const { program } = run;
  const { words, options, values } = wordsOf(run, TABLE);
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
  const over = targetsOf(run, TABLE)
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

/** Returns which of some paths git could not give back, and why; null if that is none. */
async function lostAmong(paths: string[], { root, own, ...place }: Surroundings): Promise<string | null> {
  const isOwn = (path: string) => own?.made.has(path) === true;
  for (const path of paths.slice(0, MAX_ASKED)) {
    const zone = zoneOf({ text: path, known: true, glob: false, quoted: true }, '/', { root, ...place });
    if (!['project', 'project-root', 'regenerable', 'secret'].includes(zone) || isOwn(path)) continue;
    if (!hasPattern(path) && !isThere(path)) continue;
    const name = path.slice(root.length + 1);
    const spec = hasPattern(path) ? `:(top,glob)${name}` : path;
    const changes = linesOf(await ask(root, ...STATUS, '--untracked-files=all', '--ignored', '--', spec));
    if (changes === null && /^(project|secret)$/.test(zone) && !MADE_BY_TOOLS.test(path))
      return `loses ${name}: git does not have it`;
    const left = (changes ?? []).filter(
      (line) => !MADE_BY_TOOLS.test(line) && !isOwn(join(root, line.slice(3))),
    );
    // a folder is what tools make again only while git tracks nothing in it, and is told to ignore it
    const tracked = zone === 'regenerable' ? await ask(root, 'ls-files', '--', spec) : null;
    if (tracked && !hasPattern(path) && !isFile(path)) return `loses ${name}: it holds files that git tracks`;
    const again = tracked === '' && left.every((line) => line.startsWith('!!'));
    const [lost] = again ? [] : left;
    if (lost !== undefined)
      return `loses ${lost.slice(3)}: ${/^(\?\?|!!)/.test(lost) ? 'git does not have it' : 'it has changes that git does not have'}`;
  }
  return null;
}
