import { readWordLists } from '../../base/text/jsonc.ts';
import { programs, words } from '../../shell/names.ts';
import wellKnown from '../../shell/well-known.jsonc' with { type: 'text' };
import { type Example, GuardRule, type Match } from './rule.ts';
import { oneSpelling } from './words.ts';

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
const READS =
  /(?<!\p{L})(?:read|open|look (?:at|into|in)|lies|lese|öffne|lire|lis|ouvr\p{L}*|leas?|abras?|leia|leggere|apri)(?!\p{L})|读|打开|読|開|읽|열/iu;

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

type Named = { kind: 'command' | 'path'; text: string; args?: string[]; at: number; end: number };

/** Returns the commands and paths that a text names, where they stand, and the text without them. */
function namedIn(text: string): { named: Named[]; prose: string } {
  const named: Named[] = [];
  const take = (all: string, at: number, found: Omit<Named, 'at' | 'end'> | null): string => {
    if (found !== null) named.push({ ...found, at, end: at + all.length });
    return ' '.repeat(all.length);
  };
  const prose = text
    .normalize('NFC')
    .replace(QUOTED, (all: string, ...groups) => {
      const inside = groups.slice(0, 5).find((one) => typeof one === 'string') as string;
      const at = groups[5] as number;
      const [first = '', second] = inside.split(/\s+/);
      if (second === undefined && first.replace(PATH, '') === '')
        return take(all, at, { kind: 'path', text: first });
      const isCommand = PROGRAMS.has(first) || (/^[\w./-]+$/.test(first) && RUNS.test(text.slice(0, at)));
      return take(all, at, isCommand ? { kind: 'command', text: inside } : null);
    })
    .replace(PUSHES, (all: string, one: string | undefined, other: string, at: number) =>
      take(all, at, { kind: 'command', text: 'git push', args: [one ?? other] }),
    )
    .replace(PATH, (path: string, at: number) => take(path, at, { kind: 'path', text: path }));
  const tokens = [...prose.matchAll(TOKEN)];
  for (const [i, { 0: program, index: at }] of tokens.entries()) {
    const isRun = RUNS.test(prose.slice(0, at));
    // `git push` is one command, and push no program
    const isInside = named.some((one) => at > one.at && at < one.end);
    if (isInside || !PROGRAMS.has(program) || (EVERYDAY.has(program) && !isRun)) continue;
    let end = at + program.length;
    for (const { 0: word, index } of tokens.slice(i + 1, i + 5)) {
      // “never run make seed”: what stands behind it is a name of the project
      const isTask = TASKS.has(program) && /run $/.test(prose.slice(0, at)) && end === at + program.length;
      if (!/^ +$/.test(prose.slice(end, index)) || !(/^[-.]/.test(word) || VERBS.has(word) || isTask)) break;
      end = index + word.length;
    }
    named.push({ kind: 'command', text: prose.slice(at, end), at, end });
  }
  return { named: named.sort((a, b) => a.at - b.at), prose };
}

const last = (cue: RegExp, text: string): number => [...text.matchAll(cue)].at(-1)?.index ?? -1;

/** Whether a text forbids what it names at a place: the nearest word before it that forbids or wants says so. */
function isForbidden(prose: string, { at, end }: Named): boolean {
  const before = prose.slice(0, at).replace(/^.*(?:[.,;!?](?=\s)|[，、。；！？])/su, '');
  const [behind = ''] = prose.slice(end).split(/[,、。，;]/);
  return last(NEVER, before) > last(WANTED, before) || NEVER_BEHIND.test(behind);
}

const bash = (command: string): Example => ({ tool: 'Bash', input: { command } });
const edit = (file: string): Example => ({ tool: 'Edit', input: { file_path: file, new_string: 'x' } });

/** Splits a command into the words that choose what it does and its options: `git push`, `--force`. */
function matchOf({ kind, text, args: given = [] }: Named, isRead: boolean): Match {
  // a path without an ending is a folder
  if (kind === 'path')
    return {
      kind,
      globs: [/\/$|[*.][^/]*$/.test(text) ? text : `${text}/**`],
      ...(isRead && { reads: true as const }),
    };
  const [program = '', ...options] = text.trim().split(/\s+(?=-|\.$)/);
  const args = [...options.flatMap((option) => option.split(/\s+/)), ...given];
  return { kind, program: program.replace(/\s+/g, ' '), ...(args.length > 0 && { args: args.slice(0, 8) }) };
}

/**
 * Returns the rule that a person's words are to the letter; null if they name nothing, or say more than that.
 *
 * @example literalGuard('Always use pnpm, never npm') // stops `npm`
 */
export function literalGuard(text: string): GuardRule | null {
  const { named, prose } = namedIn(text);
  const asks = ASKS.test(prose);
  if (!asks && CONDITION.test(prose)) return null;
  const meant = named.filter((one) => asks || isForbidden(prose, one)).slice(0, 6);
  const others = named.filter((one) => !meant.includes(one));
  const [first] = meant;
  // “never use sed in src/” names both, and means neither alone; nor does “python … never a bare python”
  if (
    !first ||
    meant.some(({ kind, text: name }) => kind !== first.kind || others.some((one) => one.text === name))
  )
    return null;
  const kept = others.find(({ kind }) => kind === 'command');
  const isPath = first.kind === 'path';
  const isRead = isPath && !CHANGES.test(prose) && READS.test(prose);
  if (isPath ? !isRead && !CHANGES.test(prose) : !meant.every(({ end }) => TAIL.test(prose.slice(end))))
    return null;
  /** what is wanted may be another name of the same program: it is told apart as it is written */
  const [called, twin] = [first.text, kept?.text ?? ''].map((line) => line.split(' ')[0] as string);
  const isTwin =
    kept !== undefined &&
    called !== twin &&
    oneSpelling([called as string])[0] === oneSpelling([twin as string])[0];
  const sample = first.text.replace(/\*+/g, 'x').replace(/\/$/, '/a.txt');
  const made = GuardRule.safeParse({
    when: meant.map((one) => ({ ...matchOf(one, isRead), ...(isTwin && { without: [twin] }) })),
    then: asks ? 'ask' : 'deny',
    breaks: [
      isRead
        ? bash(`cat ${sample}`)
        : isPath
          ? edit(sample)
          : bash([first.text, ...(first.args ?? [])].join(' ')),
    ],
    keeps: [bash(kept?.text ?? 'ls -la'), edit('another/place/b.bin')],
  });
  return made.data ?? null;
}
