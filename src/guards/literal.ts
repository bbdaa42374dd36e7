import { programs } from '../shell/lists.ts';
import { words } from '../shell/names.ts';
import wellKnown from '../shell/well-known.jsonc' with { type: 'text' };
import { readWordLists } from '../text/word-lists.ts';
import { type Example, GuardRule, type Match } from './rule.ts';

// What is literal in a person's words: a command that is named to the letter and must not be run, or a path that must not
// be changed. What else a sentence means is said by whoever understands language: the agent, the person, their model.

const lists = readWordLists(wellKnown, 'well-known.jsonc');
const PROGRAMS = lists('programs');
const VERBS = new Set(
  [...lists('verbs')].filter((verb) => !/^(?:from|into|where|table|database)$/.test(verb)),
);
const TASKS = programs('task-runners');
/** Programs whose names are also words: they are programs in backticks, or behind “run” and “use”. */
const EVERYDAY = new Set(
  words(
    'make go find just task cat code next nox stack kind mix pod rake ant astro black touch kill test watch time',
  ),
);

/** Words that forbid, in front of what they forbid. Japanese and Korean have theirs behind it. */
const NEVER =
  /(?<!\p{L})(?:never|don['’]?t|do not|not|no longer|instead of|rather than|hands off|nie(?:mals)?|nicht|kein(?:e[nmrs]?)?|statt|anstatt|finger weg|jamais|pas|au lieu d[e']|nunca|jamás|en (?:vez|lugar) de|não|em vez de|mai|non|invece di|nooit|niet|geen|in plaats van)(?!\p{L})|(?:永远|绝对|千万)?(?:不要|不得|不许|不准|别|禁止|切勿|绝不|决不)|而不是|代替/giu;
const NEVER_BEHIND = /ないで|ません|するな|ないこと|禁止|の代わり|지\s?마|말고|대신|금지/;
/** What is wanted begins here. */
const WANTED =
  /(?<!\p{L})(?:(?<!(?:never|ever|not|don['’]?t) )use|but|sondern|nimm|benutze|utilise|mais|usa|sino|mas|gebruik|maar)(?!\p{L})|改用|而是|请用/giu;
/** A condition narrows what is meant. */
const CONDITION =
  /(?<!\p{L})(?:without|unless|except|until|before|after|if|when|ohne|außer|bevor|bis|wenn|sans|sauf|avant|quand|sin|salvo|antes|cuando|sem|exceto|quando|senza|tranne|prima|zonder|tenzij|voordat|als)(?!\p{L})|除非|之前|如果|前に|とき|없이|전에/iu;
const ASKS =
  /(?<!\p{L})(?:ask(?: me)?|frag(?:e|st)?|demande|preg[uú]nta(?:me)?|pergunt[ae]|chiedi(?:mi)?|vraag)(?!\p{L})|先问|问我|聞いて|確認して|물어/iu;
const CHANGES =
  /(?<!\p{L})(?:edit|touch|change|modify|write|hands off|änder|bearbeit|anfass|finger weg|anrühr|touche|modif|toques|edit|cambi|alter|mexa|tocc|bewerk|wijzig|raak)|改|编辑|动|編集|変更|触|수정|편집|건드/iu;

const QUOTED = /`([^`\n]+)`|"([^"\n]+)"|“([^”\n]+)”|«\s?([^»\n]+?)\s?»|「([^」\n]+)」/gu;
const PATH =
  /(?<![\p{L}\p{N}_@:/.-])(?:(?:[\p{L}\p{N}_.*-]+\/)+[\p{L}\p{N}_.*{}-]*(?<!\.)|\*(?:\.\w+)+|\.[a-z][\w.-]*\w|[\w-]+(?:\.[\w-]+)*\.(?:json|ya?ml|toml|lock|md|sql|env|css|[cm]?[jt]sx?|py|rb|go|rs|php|sh|proto))(?![\w/])/gu;
const TOKEN = /(?<![\w./@-])(?:(?:--?)?[a-zA-Z](?:[\w:.-]*\w)?|(?<= )\.(?= |$))/g;
const RUNS = /(?<!\p{L})(?:run|use|call|execute) $/iu;
/** What may follow a command that is named and not described: “npm here”, and not “npm to install things”. */
const TAIL =
  /^\s*(?:$|[.,;:!?)。，；！、–—-]|(?:or|and|nor|here|any ?more|again|ever|directly|yourself|in this|from your|hier|mehr|direkt|und|oder|noch|ici|ni|et|ou|aquí|aqui|en este|y|o|e|qui|in questo|of|en)(?!\p{L})|[をはもで은는을를]|了|和|或)/iu;

/** “never push to main”: the verb is git's own. */
const PUSHES =
  /(?<!\p{L})push(?:en|ing)?(?: directly| direkt)? (?:to|on|auf|naar|op|a|na|su|sur) (main|master|develop)(?![\p{L}/-])|(?:auf|naar|到) ?(main|master|develop) (?:direkt )?pushen/iu;

const pushesTo = (branch: string): GuardRule => ({
  when: [{ kind: 'command', program: 'git push' }],
  branch,
  then: 'deny',
  breaks: [bash(`git push origin ${branch}`)],
  keeps: [bash('git push origin feature/x')],
});

type Named = { kind: 'command' | 'path'; text: string; at: number };

/** Returns the commands and paths that a text names, where they stand, and the text without them. */
function namedIn(text: string): { named: Named[]; prose: string } {
  const named: Named[] = [];
  const take = (kind: Named['kind'], all: string, found: string, at: number): string => {
    named.push({ kind, text: found, at });
    return ' '.repeat(all.length);
  };
  const quoted = text.replace(QUOTED, (all: string, ...groups) => {
    const inside = groups.slice(0, 5).find((one) => typeof one === 'string') as string;
    const at = groups[5] as number;
    const [first = '', second] = inside.split(/\s+/);
    if (second === undefined && first.replace(PATH, '') === '') return take('path', all, first, at);
    return PROGRAMS.has(first) || (/^[\w./-]+$/.test(first) && RUNS.test(text.slice(0, at)))
      ? take('command', all, inside, at)
      : ' '.repeat(all.length);
  });
  const prose = quoted.replace(PATH, (path, at: number) => take('path', path, path, at));
  const tokens = [...prose.matchAll(TOKEN)];
  for (const [i, { 0: program, index: at }] of tokens.entries()) {
    const isRun = RUNS.test(prose.slice(0, at));
    if (!PROGRAMS.has(program) || (EVERYDAY.has(program) && !isRun)) continue;
    const own = [program];
    for (const { 0: word, index } of tokens.slice(i + 1, i + 5)) {
      const isNext = prose.slice(at, index).trim() === own.join(' ');
      // “never run make seed”: what stands behind it is a name of the project
      const isTask = TASKS.has(program) && /run $/.test(prose.slice(0, at)) && own.length === 1;
      if (!isNext || !(/^[-.]/.test(word) || VERBS.has(word) || isTask)) break;
      own.push(word);
    }
    // `git push` is one command, and push no program
    if (!named.some((one) => at > one.at && at < one.at + one.text.length))
      named.push({ kind: 'command', text: own.join(' '), at });
  }
  return { named: named.sort((a, b) => a.at - b.at), prose };
}

const last = (cue: RegExp, text: string): number => [...text.matchAll(cue)].at(-1)?.index ?? -1;

/** Whether a text forbids what it names at a place: the nearest word before it that forbids or wants says so. */
function isForbidden(prose: string, { at, text }: Named): boolean {
  const before =
    prose
      .slice(0, at)
      .split(/[.,;!?](?=\s)|[，、。；！？]/)
      .at(-1) ?? '';
  const behind = prose.slice(at + text.length).split(/[,、。，;]/)[0] ?? '';
  return last(NEVER, before) > last(WANTED, before) || NEVER_BEHIND.test(behind);
}

const bash = (command: string): Example => ({ tool: 'Bash', input: { command } });
const edit = (file: string): Example => ({ tool: 'Edit', input: { file_path: file, new_string: 'x' } });

/** Splits a command into the words that choose what it does and its options: `git push`, `--force`. */
function commandOf(text: string): Match {
  const all = text.trim().split(/\s+/);
  const first = all.findIndex((word, i) => i > 0 && /^(?:-|\.$)/.test(word));
  const [head, args] = first < 0 ? [all, []] : [all.slice(0, first), all.slice(first)];
  return { kind: 'command', program: head.join(' '), ...(args.length > 0 && { args: args.slice(0, 8) }) };
}

/** A path without an ending is a folder. */
const folderOf = (path: string): string =>
  path.endsWith('/') || /[*.][^/]*$/.test(path) ? path : `${path}/**`;

/**
 * Returns the rule that a person's words are to the letter; null if they name nothing, or say more than that.
 *
 * @example literalGuard('Always use pnpm, never npm') // stops `npm`
 */
export function literalGuard(text: string): GuardRule | null {
  const { named, prose } = namedIn(text.normalize('NFC'));
  const asks = ASKS.test(prose);
  if (!asks && CONDITION.test(prose)) return null;
  const meant = named.filter((one) => asks || isForbidden(prose, one)).slice(0, 6);
  const [first] = meant;
  const branch =
    named.length === 0 && NEVER.test(prose) ? PUSHES.exec(prose)?.slice(1).find(Boolean) : undefined;
  NEVER.lastIndex = 0;
  if (branch !== undefined) return pushesTo(branch);
  // “never use sed in src/” names both, and means neither alone
  if (!first || meant.some(({ kind }) => kind !== first.kind)) return null;
  if (first.kind === 'path' && !CHANGES.test(prose)) return null;
  const isDescribed = ({ at, kind, text: name }: Named) =>
    kind === 'command' && !TAIL.test(prose.slice(at).replace(name, '').replace(/^ +/, ' '));
  if (meant.some(isDescribed)) return null;
  // “python … never a bare python” says more than its names
  if (named.some((one) => !meant.includes(one) && meant.some(({ text: name }) => name === one.text)))
    return null;
  const wanted = named.find((one) => one.kind === 'command' && !meant.includes(one));
  const sample = first.text.replaceAll('**', 'x').replaceAll('*', 'x').replace(/\/$/, '/a.txt');
  const made = GuardRule.safeParse({
    when:
      first.kind === 'command'
        ? meant.map((one) => commandOf(one.text))
        : [{ kind: 'path', globs: meant.map((one) => folderOf(one.text)) }],
    then: asks ? 'ask' : 'deny',
    breaks: [first.kind === 'command' ? bash(first.text) : edit(sample)],
    keeps: [bash(wanted?.text ?? 'ls -la'), edit('another/place/b.bin')],
  });
  return made.success ? made.data : null;
}

/** Returns what is the same for a rule in other words, as it is stored with a lesson; '' if nothing in it is literal. */
export function keyOfWords(text: string): string {
  const rule = literalGuard(text);
  if (rule === null) return '';
  const { named, prose } = namedIn(text.normalize('NFC'));
  const wanted = named
    .filter((one) => rule.then !== 'ask' && !isForbidden(prose, one))
    .map((one) => one.text);
  const about = rule.when.map((match) =>
    match.kind === 'command'
      ? [match.program, ...(match.args ?? [])].join(' ')
      : 'globs' in match
        ? match.globs?.join(' ')
        : '',
  );
  return [rule.then, ...about.sort(), ...(wanted.length > 0 ? ['not', ...wanted.sort()] : [])].join(' ');
}
