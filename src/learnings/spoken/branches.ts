import type { Part } from '../../incidents/ladder.ts';
import { wordsOf } from './deeds-done.ts';
import type { SaidDeed } from './deeds-said.ts';
import type { Word } from './sentences.ts';

// Branches, remotes and tags: which ones a command of git works on, and which ones a person speaks of. `@main` is the
// branch `main`, `@release/*` any branch below `release/`, and `@` a branch that the command does not name.

/** Returns a branch with the groups that it belongs to: `release/2.8` is also one of `release/*`. */
function named(branch: string): string[] {
  const name = branch.replace(/^refs\/heads\//, '');
  if (name === '' || name === 'HEAD' || name === '.') return [''];
  const group = /^([A-Za-z]+)[/-]/.exec(name)?.[1];
  return group ? [name, `${GROUPS[group] ?? group}/*`] : [name];
}
const GROUPS: { [short: string]: string } = {
  feat: 'feature',
  rel: 'release',
  bugfix: 'fix',
  releases: 'release',
};

const IS_TAG = /^(?:refs\/tags\/.*|(?:[\w-]+@)?v?\d+\.\d+[\w.-]*)$/;

/** Returns the keys of the branches that the commands of a line commit to, merge into and push to. */
export function branchKeys(parts: readonly Part[]): string[] {
  const keys: string[] = [];
  /** the branch that an earlier command of the line went to; '' if none did */
  let current = '';
  for (const part of parts) {
    if (part.program === 'gh' || part.program === 'glab') {
      const [, kind, what] = wordsOf(part);
      if (what === 'merge') keys.push('git merge @');
      if (/^[pm]r$/.test(kind ?? '') && what === 'create') {
        const at = part.args.findIndex((arg) => /^(?:--base|-B|--target-branch)(?:=|$)/.test(arg));
        const base = at < 0 ? '' : (part.args[at]?.split('=')[1] ?? part.args[at + 1] ?? '');
        keys.push(`pr base ${base}`);
      }
    }
    if (part.program !== 'git') continue;
    const [, subcommand, ...rest] = wordsOf(part);
    const name = rest[0] ?? '';
    if (subcommand === 'switch' || (subcommand === 'checkout' && !part.args.includes('--'))) {
      const made = part.args.findIndex((arg) => /^(?:-[bBcC]|--create)$/.test(arg));
      current = made < 0 ? name : (part.args[made + 1] ?? '');
    } else if (subcommand === 'commit') keys.push(...named(current).map((branch) => `git commit @${branch}`));
    else if (subcommand === 'merge') {
      keys.push(...named(current).map((branch) => `git merge @${branch}`));
      keys.push(
        ...rest
          .flatMap((branch) => named(branch.replace(/^(?:origin|upstream)\//, '')))
          .map((branch) => `git merge of ${branch}`),
      );
    } else if (subcommand === 'push') keys.push(...pushKeys(part, rest, current));
  }
  return keys;
}

function pushKeys({ args }: Part, [remote = '', ...refs]: string[], current: string): string[] {
  const options = args.filter((arg) => arg.startsWith('-')).map((arg) => arg.split('=', 1)[0] as string);
  const has = (...names: string[]) => names.some((name) => options.includes(name));
  const branches = refs
    .filter((ref) => !IS_TAG.test(ref.replace(/^\+/, '')) && ref !== 'tag')
    .map((ref) => ref.replace(/^\+/, '').split(':').at(-1) ?? '');
  if (has('--all', '--mirror') || (refs.length === 0 && !has('--tags'))) branches.push(current);
  const forced =
    has('--force', '-f', '--force-with-lease', '--force-if-includes', '--mirror') ||
    refs.some((ref) => ref.startsWith('+'));
  const at = branches
    .flatMap((branch) => named(branch === 'HEAD' ? current : branch))
    .map((branch) => `git push @${branch}`);
  const keys = [...at, ...(remote === '' ? [] : [`git push to ${remote}`])];
  if (
    has('--tags', '--follow-tags', '--mirror') ||
    refs.some((ref) => IS_TAG.test(ref.replace(/^\+/, '')) || ref === 'tag')
  )
    keys.push('git push tags', ...(forced ? ['for move tag'] : []));
  if (forced) keys.push('forced git push', ...at.map((key) => `forced ${key}`));
  if (has('-d', '--delete')) keys.push(...branches.map((branch) => `delete @${branch}`));
  keys.push(...refs.filter((ref) => /^:\w/.test(ref)).map((ref) => `delete @${ref.slice(1)}`));
  return keys;
}

const BRANCH =
  /^(?:main|master|develop|trunk|staging|production|prod|mainline|gh-pages|next|[\w-]+\/[\w.*-]*|[\w-]+\*)$/;
const REMOTE = /^(?:origin|upstream|fork|heroku)$/;
/** What is said of a branch that is no name of it: "a shared branch". */
const NO_NAME =
  /^(?:the|a|an|any|all|your|our|my|this|that|other|own|new|same|these|those|every|each|no|shared|remote|local|right|separate|current|existing|old|topic|single|personal|named|of|on|to|from|in|delete|merge|default|protected|working|and|or|short-lived|long-lived|make|create|per)$/;

/** A branch or remote that a person names, and whether under a negation. */
type Named = { name: string; negated: boolean; remote: boolean; before: string };

/** Returns the branches and remotes that the sentence of a deed names, without those that it gets something from. */
function namedIn({ sentence }: SaidDeed): Named[] {
  const frozen = sentence.some(({ words }) =>
    words.some(({ text, code }) => !code && /^(?:frozen|protected|locked|off-limits|hands)$/.test(text)),
  );
  return sentence.flatMap(({ words }) => {
    let before = '';
    return words.flatMap((word, i): Named[] => {
      const name = nameOf(word, words[i - 1], words[i + 1]);
      if (name === null) {
        if (
          !word.code &&
          /^(?:to|on|onto|into|in|from|off|against|than|over|target|targets|with|at|merge|merging|rebase|push|base)$/.test(
            word.text,
          )
        )
          before = word.text;
        if (/^rebas/.test(word.text)) before = 'rebase';
        return [];
      }
      if (/^(?:from|off|than)$/.test(before)) return [];
      if (
        before === 'on' &&
        words.slice(0, i).some(({ text }) => /^rebas/.test(text)) &&
        !words.slice(0, i).some(({ text }) => /^push/.test(text))
      )
        return [];
      const remote = REMOTE.test(name) || isRemote(words[i + 1]) || isRemote(words[i - 1]);
      return [{ name, negated: word.negated || frozen, remote, before }];
    });
  });
}

const isRemote = (word: Word | undefined): boolean => word?.text === 'remote' && !word.code;

/** `agent/` are all branches below it. */
const asGroup = (name: string): string => name.replace(/\/$/, '/*');

function nameOf({ text, code }: Word, previous: Word | undefined, next: Word | undefined): string | null {
  if (code)
    return /^[\w.*/-]{2,60}$/.test(text) && !text.startsWith('-') && !/^\.|\.\w{2,4}$/.test(text)
      ? text
      : null;
  const isBranch = /^branch(?:es)?$/.test(next?.text ?? '');
  if (isRemote(next) && /^[a-z][\w-]*$/.test(text) && !NO_NAME.test(text)) return text;
  if (isBranch && !NO_NAME.test(text)) return BRANCH.test(text) ? asGroup(text) : `${text}/*`;
  if (/^(?:protected|default)$/.test(text) && isBranch) return 'main';
  if (REMOTE.test(text) || (BRANCH.test(text) && !/^(?:and\/or|ci\/cd|w\/o)$/.test(text)))
    return text === 'next' && previous?.text === 'the' ? null : asGroup(text);
  return null;
}

const chosen = (names: Named[]): Named[] => {
  const banned = names.filter(({ negated }) => negated);
  return banned.length > 0 ? banned : names;
};

/** Returns the keys at which a lesson about pushing is told, and those of calls that follow it. */
export function keysOfPush(said: SaidDeed): { at: string[]; done: string[] } {
  const { clause, at } = said;
  const words = said.sentence.flatMap((one) => one.words);
  const passive = /ed$/.test(clause.words[at]?.text ?? '');
  const object = clause.words
    .slice(passive ? Math.max(0, at - 3) : at + 1, passive ? at : at + 5)
    .map(({ text }) => text);
  if (
    /^(?:images?|containers?)$/.test(
      object.find((word) => !/^(?:the|a|any|docker|new|your)$/.test(word)) ?? '',
    )
  )
    return { at: ['for image'], done: [] };
  const tags = words.find(({ text, code }) => !code && /^tags?$/.test(text));
  const forced =
    words.some(({ text }) => /^(?:force-push|--force|-f$)|^force$/.test(text)) &&
    !words.some(({ text }) => text === '--force-with-lease');
  if (tags && object.some((word) => /^tags?$/.test(word)))
    return { at: [forced ? 'for move tag' : 'git push tags'], done: [] };
  const kind = forced ? 'forced git push' : 'git push';
  const names = namedIn(said);
  const only = clause.words.some(
    ({ text }, i) =>
      text === 'only' && (i === at - 1 || /^to$/.test(clause.words[i + 1]?.text ?? '') || i === at + 1),
  );
  const followed = names.filter(({ negated, remote }) => !negated && !remote);
  if (only && said.role === 'wanted' && followed.length > 0)
    return { at: [kind], done: followed.map(({ name }) => `git push @${name}`) };
  const about = chosen(names);
  if (about.length === 0) return { at: [kind], done: [] };
  const keys = about.map(({ name, remote }) => (remote ? `git push to ${name}` : `${kind} @${name}`));
  if (about.some(({ remote }) => !remote)) keys.push(`${kind} @`);
  return { at: keys, done: [] };
}

/** Returns the keys of a lesson about commits, merges or pull requests, on all branches or on those that it names. */
export function keysOnBranches(said: SaidDeed): { at: string[]; done: string[] } {
  const names = namedIn(said).filter(({ remote }) => !remote);
  if (said.deed === 'pr') {
    const bases = names.filter(({ before }) => /^(?:against|into|targets?|base|to)$/.test(before));
    const wanted = bases.filter(({ negated }) => !negated);
    if (wanted.length > 0 || bases.length === 0)
      return { at: ['for pr'], done: wanted.map(({ name }) => `pr base ${name}`) };
    return { at: [...bases.map(({ name }) => `pr base ${name}`), 'pr base '], done: [] };
  }
  const where = chosen(names.filter(({ before }) => /^(?:to|on|onto|into|in|with)$/.test(before)));
  if (said.deed === 'merge') {
    // "`staging` is reset every night, so never merge it"
    const isIt =
      said.role === 'forbidden' && /^(?:it|them|that)$/.test(said.clause.words[said.at + 1]?.text ?? '');
    const of = names.filter(
      ({ before, negated }) => (/^merg/.test(before) && negated) || (isIt && before === ''),
    );
    if (of.length > 0) return { at: of.map(({ name }) => `git merge of ${name}`), done: [] };
  }
  if (where.length === 0) return { at: [`for ${said.deed}`], done: [] };
  return { at: [...where.map(({ name }) => `git ${said.deed} @${name}`), `git ${said.deed} @`], done: [] };
}

/** Returns the names of the branches that a lesson about deleting speaks of. */
export const branchesToKeep = (said: SaidDeed): string[] => chosen(namedIn(said)).map(({ name }) => name);
