import { runsPackage } from '../shell/runners.ts';
import { type Phrases, plain } from './languages.ts';
import type { Named } from './sentence.ts';
import { ALSO_WORDS, EVERYDAY, FOLDERS, PACKAGES, PROGRAMS, SUBCOMMANDS, TASK_WORDS } from './tool-names.ts';

// Finds what a sentence names to the letter: commands, programs, packages, options, paths, branches. Letters are
// those of any alphabet: `docs/Größe/`, `文档/`.

/** Something named, and where it stands in the text. */
export type Literal = Pick<Named, 'text' | 'kind'> & { at: number; end: number };

const CODE = /`([^`\n]{1,200})`/g;
const LINK = /\bhttps?:\/\/[^\s)`'"<>]{1,300}/gi;
const OPTION =
  /(?<![\p{L}\p{N}_-])(?:--[a-z][a-z0-9-]{1,40}(?:=[^\s,;.]{1,60})?|-[a-zA-Z](?![\p{L}\p{N}-]))/giu;
/** One part of a path. Chinese and Japanese letters count only before a slash or an ending: the sentence goes on without a blank. */
const SCRIPTS = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー';
const LETTER = `(?:(?![${SCRIPTS}])[\\p{L}\\p{M}\\p{N}_.@*~<>{}\\[\\]+-]|[${SCRIPTS}](?=[${SCRIPTS}]{0,30}(?:/|\\.[a-z0-9]{1,6}(?![a-z0-9]))))`;
const PART = `${LETTER}{1,80}`;
const PATH = new RegExp(
  `(?<![\\p{L}\\p{N}/@.-])(?:@?(?:~|\\.{1,2}|${PART})?/(?:${PART}/){0,12}(?:${PART})?|(?=[^\\s/]{0,80}\\.[a-z])${PART})`,
  'giu',
);
const CJK_BEFORE = new RegExp(
  `(?<=[${SCRIPTS}])(?:[a-zA-Z0-9_.@~-]{1,80}/(?:${PART}/){0,12}(?:${PART})?|[a-zA-Z0-9_-]{1,80}\\.[a-z][a-z0-9]{0,5}(?![a-z0-9]))`,
  'giu',
);
const ENDING =
  /\.(?:tsx?|jsx?|mjs|cjs|json5?|jsonc|ya?ml|toml|py|pyi|rs|go|rb|java|kts?|md|mdx|sql|sh|env(?:rc)?|proto|graphql|tf|tfvars|lock|css|scss|less|html|cfg|ini|conf|txt|php|cs|swift|exs?|vue|svelte|nvmrc|prisma|gradle|xml|csv|gitignore|dockerignore|editorconfig|plist|ipynb|lua|c|h|cc|cpp|hpp|zig|dart|scala|svg|png|log|pem|key|snap|patch)$/i;
const DOT_FILE =
  /^\.(?:env|git|github|vscode|npmrc|nvmrc|husky|eslintrc|prettierrc|gitlab-ci|circleci|claude|cursor|idea|devcontainer|dockerignore|gitignore|editorconfig)[\p{L}\p{N}_.-]*$/iu;
const NO_PATH =
  /^(?:console\.\w+|process\.env|system\.\w+|fmt\.\w+|and\/or|n\/a|w\/o?|i\/o|yes\/no|ci\/cd|tcp\/ip|s\/he|he\/she|on\/off|true\/false|input\/output|client\/server|read\/write|key\/value|up\/down|left\/right|e\.g\.?|i\.e\.?|z\.b\.?|etc\.?|node\.js|vue\.js|next\.js|three\.js|d3\.js|asp\.net|socket\.io|docs\.rs|\.net|\.+|\/|~)$/i;
const BRANCH =
  /(?<![A-Za-z0-9_/.-])(?:main|master|develop|trunk|staging|production|prod|(?:release|hotfix|feature|feat|fix)\/[\p{L}\p{N}*._-]{1,60})(?![A-Za-z0-9_/-])/giu;
const ENVIRONMENT =
  /(?<![\p{L}\p{N}_/.-])(?:production|prod|staging|stage|live|preprod|uat|produktion|produktiv|producción|produção|produzione|productie)(?![\p{L}\p{N}_/.-])|生产(?:环境)?|线上(?:环境)?|预发(?:环境)?|本番(?:環境)?|ステージング|운영(?: ?(?:환경|서버))?|프로덕션|스테이징/giu;
const SAME_PLACE: Record<string, string> = {
  produktion: 'prod',
  produktiv: 'prod',
  producción: 'prod',
  produção: 'prod',
  produzione: 'prod',
  productie: 'prod',
  production: 'prod',
  live: 'prod',
  生产: 'prod',
  生产环境: 'prod',
  线上: 'prod',
  线上环境: 'prod',
  预发: 'staging',
  预发环境: 'staging',
  本番: 'prod',
  本番環境: 'prod',
  ステージング: 'staging',
  운영: 'prod',
  '운영 환경': 'prod',
  '운영 서버': 'prod',
  운영환경: 'prod',
  운영서버: 'prod',
  프로덕션: 'prod',
  스테이징: 'staging',
  stage: 'staging',
};
/** Words of an ASCII name, also between letters of other scripts. */
const WORD = /(?<![A-Za-z0-9_./@-])[@A-Za-z][A-Za-z0-9_.@/-]{0,60}(?<![./@-])/g;

/** What stands in backticks. */
function kindOfCode(code: string): Named['kind'] {
  const text = code.trim();
  const [first = '', ...rest] = text.replace(/^\$ ?/, '').split(/\s+/);
  if (rest.length === 0) {
    if (/^--?[a-z]/i.test(text)) return 'option';
    if (PROGRAMS.has(text.toLowerCase())) return 'program';
    if (PACKAGES.has(text.toLowerCase())) return 'package';
    if (/^@[a-z0-9-]+\/[a-z0-9-]+$/i.test(text)) return 'package';
    if (isPath(text)) return 'path';
    if (text.search(BRANCH) === 0) return 'branch';
    return 'code';
  }
  if (/[(){}=;]/.test(text.replace(/\$\{?\w+\}?|<\w+>|(?<=\s|^)-{0,2}[\w-]+=/g, ''))) return 'code';
  return PROGRAMS.has(first.toLowerCase().replace(/^.*\//, '')) ||
    /^\.{0,2}\/|^[\w.-]+\/|^[A-Z_]+=/.test(first)
    ? 'command'
    : rest.every((word) => /^[\w@./:=-]+$/.test(word)) && /^[a-z][\w-]*$/.test(first)
      ? 'command'
      : 'code';
}

/** In Chinese a path follows its verb without a blank: “不要修改文档/”. */
const LEADS_TO_PATH =
  /^(?:不要|不能|不许|不准|不得|千万别|请勿|禁止|别|勿|请|去|再|直接|手动|随便|修改|编辑|改动|更改|触碰|删除|改|动|碰|删|在|把|到|往|对|和|或)+(?=[^/]+\/)/u;
/** “never use pkg/errors”: what is used is a module, and no folder. */
const isImport = (name: string, before: string): boolean =>
  /^[a-z][\w.-]*\/[a-z][\w-]*$/i.test(name) &&
  /(?:\buses?|\bimport|\brequire|\bbenutz\w*|\butilise\w*|\busa\w*|使用|用) $/iu.test(before);

function isPath(text: string): boolean {
  if (NO_PATH.test(text) || /^\d[\d./]*$/.test(text)) return false;
  if (ENDING.test(text) || DOT_FILE.test(text)) return true;
  const slashes = text.split('/').length - 1;
  if (slashes === 0) return false;
  const parts = text.split('/').filter((part) => part !== '');
  if (parts.length === 0) return false;
  if (parts.length > 1 && parts.every((part) => PROGRAMS.has(part.toLowerCase()))) return false;
  return (
    slashes > 1 || /\/$/.test(text) || /^[~./]/.test(text) || FOLDERS.has((parts[0] as string).toLowerCase())
  );
}

/**
 * Returns what a text names to the letter, in its order.
 *
 * @param text as {@link plain} returns it
 * @param git whether the sentence is about version control: only then `main` is a branch
 * @param ships whether it is about deploying, migrating, data: then `staging` is an environment
 */
export function literalsIn(
  text: string,
  { language }: Pick<Phrases, 'language'>,
  { git, ships }: { git: boolean; ships: boolean },
): Literal[] {
  const found: Literal[] = [];
  const taken = (at: number, end: number) => found.some((other) => at < other.end && other.at < end);
  const add = (at: number, name: string, kind: Named['kind'], end = at + name.length) => {
    if (name !== '' && !taken(at, end)) found.push({ text: name, kind, at, end });
  };
  for (const code of text.matchAll(CODE)) {
    const inner = (code[1] as string).trim();
    add(code.index, inner, kindOfCode(inner), code.index + code[0].length);
  }
  for (const link of text.matchAll(LINK)) {
    found.push({ text: '', kind: 'code', at: link.index, end: link.index + link[0].length });
  }
  for (const command of bareCommands(text, language === 'en')) {
    add(command.at, command.text, 'command');
  }
  for (const option of text.matchAll(OPTION)) add(option.index, option[0], 'option');
  for (const pattern of [PATH, CJK_BEFORE]) {
    for (const path of text.matchAll(pattern)) {
      const name = path[0].replace(/[.,:;!?)\]}>*]+$/, (end) => (/^\*+$/.test(end) ? end : ''));
      const kind =
        /^@[a-z0-9-]+\/[a-z0-9-]+$/i.test(name) || isImport(name, text.slice(0, path.index))
          ? 'package'
          : 'path';
      const from = LEADS_TO_PATH.exec(name)?.[0].length ?? 0;
      if (kind === 'package' || isPath(name)) add(path.index + from, name.slice(from), kind);
    }
  }
  if (git) for (const branch of text.matchAll(BRANCH)) add(branch.index, branch[0], 'branch');
  if (ships) {
    for (const place of text.matchAll(ENVIRONMENT)) {
      const name = place[0].toLowerCase();
      add(place.index, SAME_PLACE[name] ?? name, 'environment', place.index + place[0].length);
    }
  }
  for (const word of text.matchAll(WORD)) {
    const name = word[0].toLowerCase();
    // “helm secret rm”: a further word of the command before it
    if (found.some(({ kind, end }) => kind === 'command' && text.slice(end, word.index) === ' ')) continue;
    if (/^(?:github\.com|golang\.org|gopkg\.in)\//.test(name)) add(word.index, word[0], 'package');
    if (
      PROGRAMS.has(name) &&
      (!ALSO_WORDS.has(name) ||
        /(?:\buse|\busing|instead of|rather than) $/i.test(text.slice(0, word.index)) ||
        (language !== 'en' && !isProse(name, language)))
    ) {
      add(word.index, word[0], 'program');
    } else if (PACKAGES.has(name) && !EVERYDAY.has(name)) add(word.index, word[0], 'package');
  }
  return found.filter(({ text: name }) => name !== '').sort((a, b) => a.at - b.at);
}

const isProse = (name: string, language: string): boolean =>
  ['zh', 'ja', 'ko'].includes(language)
    ? false
    : /^(?:op|at|kind|mix|fly|go|service|task|tar|node|just|less|find|dd|ag|hub)$/.test(name);

/** Words that a command may go on with: options, paths, names of tasks and packages. */
const GOES_ON = /^(?:-{1,2}[a-zA-Z][\w-]*(?:=\S+)?|[\w@:./-]*[:/.@_-][\w@:./-]*|[a-z]+)$/;
/** Words after which a command does not go on, though they might be tasks. */
const ENDS =
  /^(?:yourself|manually|again|directly|ever|anymore|please|because|but|until|while|unless|this|that|any|so|it|over|under|via|inside|since|also|in|for|to|is|are|and|or|here|not|instead|before|after|with|without|first|on|at|from|when|if|as|by|only|never|always|avant|antes|vor|prima|voor|wenn|y|e|et|und|en|de|da|do)$/;

/** “docker volume rm”, “prisma db push”: subcommands that say what it is about, and the words that may follow them. */
const GROUPS =
  /^(?:system|volume|image|container|network|builder|stack|db|database|migrate|repo|secret|project)$/;
const GROUP_VERBS =
  /^(?:rm|prune|delete|drop|push|pull|reset|create|deploy|dev|remove|destroy|set|edit|clone|up|down|clear)$/;

/** Returns the commands that stand in a text without backticks: “make lint”, “npm run build”, “npx tsc --noEmit”. */
function bareCommands(text: string, english: boolean): { text: string; at: number }[] {
  const found: { text: string; at: number }[] = [];
  const words = [...text.matchAll(/[^\s,;!?()"`、。，：；]+/g)].map((word) => ({
    raw: word[0],
    at: word.index,
  }));
  let next = 0;
  for (const [i, { raw, at }] of words.entries()) {
    if (i < next) continue;
    const word = /[\x21-\x7e]+$/.exec(raw)?.[0] ?? '';
    const program = word.toLowerCase().replace(/^\.\//, '');
    const second = said(words[i + 1]?.raw ?? '');
    if (!opensCommand(program, word, second, english)) continue;
    const takesTask = /^(?:run|exec|dlx|-m|compose|pr|issue|release)$/.test(second) || runsPackage(program);
    let end = at + raw.length;
    for (next = i + 1; next < Math.min(words.length, i + 8); next += 1) {
      const { raw: piece, at: from } = words[next] as (typeof words)[number];
      const argument = said(piece);
      if (!/^\s+$/.test(text.slice(end, from)) || !GOES_ON.test(argument)) break;
      const plainWord = /^[a-z]+$/.test(argument);
      const ofGroup = next === i + 2 && GROUPS.test(second) && GROUP_VERBS.test(argument);
      if (next > i + 1 && plainWord && !ofGroup && (next > i + 2 || !takesTask || ENDS.test(argument))) break;
      end = from + argument.length;
      if (argument !== piece) {
        next += 1;
        break;
      }
    }
    if (end > at + raw.length)
      found.push({ at: at + raw.length - word.length, text: text.slice(at + raw.length - word.length, end) });
  }
  return found;
}

function opensCommand(program: string, word: string, second: string, english: boolean): boolean {
  if (/^\.\/[\w./-]+$/.test(word)) return second !== '' && /^-|[-:_./]/.test(second);
  if (!PROGRAMS.has(program)) return false;
  if (/^(?:make|just|task)$/.test(program)) {
    return (
      (TASK_WORDS.has(second) && (program === 'make' || !english)) || /^[a-z]+(?:[-_:][a-z]+)+$/.test(second)
    );
  }
  if (runsPackage(program)) return /^[\w@./-]+$/.test(second) && !ENDS.test(second);
  const known = SUBCOMMANDS[program];
  // of a program that nobody knows well, the next word of an English sentence is what it is told to do: “wrangler deploy”
  return known
    ? known.test(second)
    : english && !ALSO_WORDS.has(program) && /^[a-z][a-z:-]+$/.test(second) && !ENDS.test(second);
}

/** A word without the mark behind it, as far as it is ASCII. A dot that stands alone is the folder: `git add .`. */
const said = (word: string): string => (word === '.' ? word : ascii(word).replace(/[.:]+$/, ''));

/** The beginning of a word that is written in ASCII: a particle may follow without a blank. */
const ascii = (word: string): string => /^[\x21-\x7e]+/.exec(word)?.[0] ?? '';

/** At most this many names are kept of a text. */
const MAX_NAMES = 12;
const HOST =
  /(?<![\p{L}\p{N}_.-])(?:[a-z0-9-]{1,60}(?:\.[a-z0-9-]{1,60}){1,5}:\d{2,5}|localhost(?::\d{2,5})?|\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?)(?![\p{L}\p{N}_])/giu;
const PORT = /(?<![\p{L}\p{N}_.:-])(?:port |:)?\d{4,5}(?![\p{L}\p{N}_%]|\.\d)/giu;
const IDENTIFIER =
  /(?<![\p{L}\p{N}_])(?:[a-z]\w{0,60}_\w{1,60}|[a-z]{1,40}[A-Z]\w{0,60}|[A-Z][A-Z0-9_]{2,60})(?![\p{L}\p{N}_])/gu;

/** Returns the commands, files, addresses, ports, tools, branches and identifiers that a text names. */
export function namesIn(text: string): string[] {
  const said = plain(text);
  const literals = literalsIn(said, { language: 'en' }, { git: true, ships: true });
  const rest = said.replace(/`[^`]{1,200}`/g, ' ');
  const others = [LINK, HOST, PORT, IDENTIFIER].flatMap((pattern) => rest.match(pattern) ?? []);
  // the program of a command is named as well: it is what the next call may be made with
  const programs = literals.flatMap(({ kind, text: name }) =>
    kind === 'command' ? [name.split(' ')[0] as string] : [],
  );
  const names = [...literals.map(({ text: name }) => name), ...others, ...programs].map((name) =>
    name.replace(/^(?:port |:)/, '').trim(),
  );
  return [...new Set(names)].filter((name) => name !== '' && name.length <= 100).slice(0, MAX_NAMES);
}
