import { lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings, within } from '../shell/zones.ts';
import { type Answer, type Ask, changes, createAsk } from './ask-git.ts';
import { decisionOf } from './judge.ts';
import type { PartVerdict, PolicyVerdict } from './types.ts';

// Some commands of git throw away work only if there is some. Before such a command stays denied, git is asked what
// would be lost, in the owner's project only. These denials are rare, so they may take a few milliseconds more.

/** Rules that deny what may throw work away, where git can tell whether it would. */
const DISCARDS = new Set(['git.lose-commits', 'git.discard-changes', 'git.reset-hard']);

/** What git answers on a command: what would be lost; null when nothing would be; `unsure` when that is not known. */
type Loss = string | null | 'unsure';

/** A command of git in parts: where it runs, what it does, and the words behind that. */
type Command = { folder: string; verb: string; flags: string[]; words: string[]; paths: string[] | null };

/**
 * Returns a verdict in which those denials are lifted that would lose nothing, and the others name what would be lost.
 *
 * @param place of the owner's own machine
 */
export async function askWhatIsLost(verdict: PolicyVerdict, place: Surroundings): Promise<PolicyVerdict> {
  const denied = verdict.parts.flatMap((part, i) => (part.decision === 'deny' ? [i] : []));
  if (denied.length === 0 || denied.length > MAX_ASKED) return verdict;
  if (!denied.every((i) => DISCARDS.has(verdict.parts[i]?.rule ?? ''))) return verdict;
  const commands = denied.map((i) => readCommand(verdict.invocations[i], place));
  const known = commands.filter((command) => command !== null);
  // a second kind of command may drop what the first one needs, so two kinds in one line are not looked at
  if (known.length < commands.length || new Set(known.map(({ verb }) => verb)).size > 1) return verdict;
  const before = verdict.parts
    .slice(0, denied.at(-1))
    .map((part, i) => ({ part, run: verdict.invocations[i] }));
  const others = before.filter(({ part }) => part.decision !== 'deny');
  if (!others.every(({ part, run }) => changesNothing(part, run))) return verdict;
  const fetches = others.some(({ run }) => run?.program === 'git' && run.args[0]?.text === 'fetch');
  const moves = others.some(({ run }) => /^(checkout|switch)$/.test(run?.args[0]?.text ?? ''));
  const losses = await Promise.all(
    known.map((command) => lossOf(command, { fetches, moves, all: known }).catch((): Loss => 'unsure')),
  );
  const parts = verdict.parts.map((part, i): PartVerdict => {
    const loss = losses[denied.indexOf(i)];
    if (loss === undefined || loss === 'unsure') return part;
    if (loss !== null) return { ...part, reason: loss };
    return {
      text: part.text,
      via: part.via,
      decision: 'allow',
      reason: 'git says that nothing would be lost',
    };
  });
  return { ...verdict, parts, decision: decisionOf(parts) };
}
const MAX_ASKED = 5;

/** Programs that leave a repository as it is. */
const LOOKS = /^(cd|pwd|ls|cat|echo|printf|head|tail|wc|grep|rg|true|:|test|\[|sleep|date)$/;
const GIT_LOOKS =
  /^((status|log|diff|show|rev-parse|rev-list|ls-files|merge-base|stash (list|show)|worktree list)( |$)|fetch( -q| --quiet| --all| --tags)*( \w[\w./-]*){0,2}$|remote( -v)?$|branch( -(a|r|vv?|-list|-merged|-show-current))*$|worktree remove \w\S*$|(checkout|switch) \w[\w./-]*$)/;

/** Whether an earlier command of the line leaves things so that what git says now still holds after it. */
function changesNothing({ decision }: PartVerdict, run: Invocation | undefined): boolean {
  if (decision !== 'allow' || !run || run.writes.some(({ target }) => !target.text.startsWith('/dev/')))
    return false;
  if (run.program !== 'git') return LOOKS.test(run.program);
  return GIT_LOOKS.test(run.args.map(({ text }) => text).join(' '));
}

/** Reads a command of git; null unless all of it is plain and it runs in the project. */
function readCommand(run: Invocation | undefined, place: Surroundings): Command | null {
  if (run?.program !== 'git' || run.cwd === null) return null;
  if (run.remote || run.openArgs || run.via.length || run.env.length || run.otherCwds.length) return null;
  if (run.writes.some(({ target }) => !/^\/dev\/(null|std(out|err))$/.test(target.text))) return null;
  if (!run.args.every(({ known }) => known)) return null;
  const texts = run.args.map(({ text }) => text);
  let folder: string | null = run.cwd;
  while (texts[0] === '-C' && folder !== null) {
    folder = resolvePath(texts[1] ?? '', folder, place.home);
    texts.splice(0, 2);
  }
  const verb = texts.shift();
  if (folder === null || !within(folder, place.root) || verb === undefined) return null;
  const end = texts.indexOf('--');
  const head = end < 0 ? texts : texts.slice(0, end);
  return {
    folder,
    verb,
    flags: head.filter((text) => text.startsWith('-')),
    words: head.filter((text) => !text.startsWith('-')),
    paths: end < 0 ? null : texts.slice(end + 1),
  };
}

type Line = { fetches: boolean; moves: boolean; all: Command[] };

/** Asks git what a command would lose. */
async function lossOf(command: Command, line: Line): Promise<Loss> {
  const ask = createAsk(command.folder);
  const top = await ask('rev-parse', '--show-toplevel');
  if (top.code !== 0) return 'unsure';
  const only = (flags: RegExp) => command.flags.every((flag) => flags.test(flag));
  switch (command.verb) {
    case 'branch':
      return only(/^(-[Ddfqv]+|--delete|--force|--quiet|--verbose)$/) && !command.paths
        ? lossOfBranches(ask, command.words, line)
        : 'unsure';
    case 'checkout':
      if (line.moves || !only(/^(-q|--quiet)$/)) return 'unsure';
      return lossOfFiles(ask, command.paths ?? command.words, command.words.length > (command.paths ? 0 : 1));
    case 'restore': {
      const source = command.flags.some((flag) => /^(-s|--source)/.test(flag));
      if (line.moves || !only(/^(-[WSq]+|--worktree|--staged|--quiet|--source=.+|-s.+)$/)) return 'unsure';
      const both = source || command.flags.some((flag) => /^(-\w*S|--staged)/.test(flag));
      return lossOfFiles(ask, [...command.words, ...(command.paths ?? [])], both);
    }
    case 'reset':
      return only(/^(--hard|-q|--quiet)$/) && !line.moves && !command.paths && command.words.length <= 1
        ? lossOfReset(ask, top.out.trim(), command.words[0] ?? 'HEAD', line.fetches)
        : 'unsure';
    case 'worktree':
      return only(/^(-f|--force)$/) && !command.paths && command.words.length === 2
        ? lossOfWorkTree(ask, resolve(command.folder, command.words[1] ?? ''))
        : 'unsure';
    case 'stash':
      return only(/^(-q|--quiet)$/) && !command.paths
        ? lossOfStash(createAsk(top.out.trim()), command.words)
        : 'unsure';
    default:
      return 'unsure';
  }
}

/** Names of commits and branches that mean one thing only. */
const PLAIN_NAME = /^(?!-)[\w./@+#{}~^-]+$/;
/** What git answers when there is no such thing. */
const MISSING = 1;
const EVERYTHING_ELSE = ['--branches', '--remotes', '--tags'];

async function lossOfBranches(ask: Ask, names: string[], { all, fetches }: Line): Promise<Loss> {
  // a branch that is deleted too keeps no commits for another one, and a fetch may remove branches of remotes
  const gone = all.flatMap(({ words }) => words);
  const others = fetches ? ['--branches', '--tags'] : EVERYTHING_ELSE;
  if (![...names, ...gone].every((name) => /^(?!-)[\w./+#-]+$/.test(name))) return 'unsure';
  const there: string[] = [];
  for (const name of names) {
    const { code } = await ask('rev-parse', '-q', '--verify', `refs/heads/${name}`);
    if (code === 0) there.push(name);
    else if (code !== MISSING) return 'unsure';
  }
  if (there.length === 0) return null;
  const own = await ask(
    'rev-list',
    '--count',
    ...there.map((name) => `refs/heads/${name}`),
    '--not',
    ...gone.map((name) => `--exclude=${name}`),
    ...others,
  );
  if (own.code !== 0) return 'unsure';
  return own.out.trim() === '0' ? null : `drops ${commits(own)} of ${shown(there)} that nothing else holds`;
}

/**
 * @param both whether the version in the index is overwritten too, perhaps with one of another commit, which may have
 *   a file where an untracked one lies
 */
async function lossOfFiles(ask: Ask, paths: string[], both: boolean): Promise<Loss> {
  if (paths.length === 0) return 'unsure';
  const untracked = both ? ['--untracked-files=normal', '--ignored'] : ['--untracked-files=no'];
  const changed = await changes(ask, ...untracked, '--', ...paths);
  if (changed === null) return 'unsure';
  const lost = changed.filter(({ index, tree }) => isWork(tree) || (both && isWork(index)));
  return lost.length === 0 ? null : `overwrites the changes in ${shown(lost.map(({ path }) => path))}`;
}

/** @param fetches whether the line fetches before: the target may then be newer than what is seen now */
async function lossOfReset(ask: Ask, top: string, target: string, fetches: boolean): Promise<Loss> {
  if (!PLAIN_NAME.test(target)) return 'unsure';
  const changed = await changes(ask, `--untracked-files=${fetches ? 'normal' : 'no'}`);
  if (changed === null) return 'unsure';
  const lost = changed.filter(({ index, tree }) => isWork(index) || isWork(tree));
  if (lost.length > 0) return `throws away the changes in ${shown(lost.map(({ path }) => path))}`;
  if (target === 'HEAD' || target === '@') return null;
  const branch = await ask('symbolic-ref', '-q', '--short', 'HEAD');
  if (branch.code !== 0 && branch.code !== MISSING) return 'unsure';
  const current = branch.code === 0 ? [`--exclude=${branch.out.trim()}`] : [];
  const own = await ask('rev-list', '--count', 'HEAD', '--not', target, ...current, ...EVERYTHING_ELSE);
  const added = await ask('diff', ...NAMES, '--diff-filter=A', 'HEAD', target);
  if (own.code !== 0 || added.code !== 0) return 'unsure';
  if (own.out.trim() !== '0') return `drops ${commits(own)} that no other branch or remote holds`;
  const over = added.out.split('\0').filter((path) => path && isThere(join(top, path)));
  return over.length === 0 ? null : `overwrites ${shown(over)}, which git does not have`;
}

/** A work tree goes with what is ignored in it, as it does without force. */
async function lossOfWorkTree(ask: Ask, folder: string): Promise<Loss> {
  const trees = await ask('worktree', 'list', '--porcelain');
  if (trees.code !== 0 || !trees.out.split('\n').includes(`worktree ${folder}`)) return 'unsure';
  const changed = await changes(createAsk(folder));
  if (changed === null) return 'unsure';
  if (changed.length === 0) return null;
  return `deletes a work tree with changes in ${shown(changed.map(({ path }) => path))}`;
}

/** @param words `drop`, perhaps with the name of a stash, or `clear` */
async function lossOfStash(ask: Ask, [verb, name]: string[]): Promise<Loss> {
  const list = await ask('stash', 'list', '--format=%gd');
  if (list.code !== 0) return 'unsure';
  const all = list.out.split('\n').filter(Boolean);
  const wanted = name === undefined ? all.slice(0, 1) : [/^\d+$/.test(name) ? `stash@{${name}}` : name];
  const stashes = verb === 'clear' ? all : wanted;
  if (stashes.length > MAX_ASKED || !stashes.every((stash) => /^stash@\{\d+\}$/.test(stash))) return 'unsure';
  for (const stash of stashes) {
    const names = await ask('diff', ...NAMES, `${stash}^1`, stash);
    const staged = await ask('diff', ...NAMES, `${stash}^1`, `${stash}^2`);
    const untracked = await ask('rev-parse', '-q', '--verify', `${stash}^3`);
    if (names.code !== 0 || staged.code !== 0) return 'unsure';
    /** Whether two versions are the same in all these files; one version: whether the work tree is as it. */
    const same = async (list: string, ...versions: string[]) => {
      const paths = list.split('\0').filter(Boolean);
      if (paths.length === 0) return true;
      if (paths.length > MAX_PATHS) return false;
      const where = paths.map((path) => `:(top,literal)${path}`);
      return (await ask('diff', '--quiet', ...NO_PROGRAMS, ...versions, '--', ...where)).code === 0;
    };
    const kept =
      untracked.code === MISSING &&
      ((await same(names.out, stash)) || (await same(names.out, stash, 'HEAD'))) &&
      (await same(staged.out, `${stash}^2`, stash));
    if (!kept)
      return `drops ${stash} with changes in ${shown(names.out.split('\0').filter(Boolean))} that nothing else holds`;
  }
  return null;
}
const NO_PROGRAMS = ['--no-ext-diff', '--no-textconv'];
const NAMES = ['--name-only', '-z', '--no-renames', ...NO_PROGRAMS];
const MAX_PATHS = 200;

/** Whether a mark of `git status` stands for work: a deletion is undone without a loss. */
const isWork = (mark: string) => mark !== ' ' && mark !== 'D';

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

const commits = ({ out }: Answer) => (out.trim() === '1' ? '1 commit' : `${out.trim()} commits`);

/** Returns a few names, so that the reason stays short. */
function shown(names: string[]): string {
  const some = names.slice(0, 2).map((name) => (name.length > 40 ? `…${name.slice(-39)}` : name));
  const more = names.length - some.length;
  return more > 0 ? `${some.join(', ')} and ${more} more` : some.join(', ') || 'no file';
}
