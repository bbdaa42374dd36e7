import { readJsonc, readWordLists } from '../../base/text/jsonc.ts';
import { programs } from '../../shell/names.ts';
import wellKnown from '../../shell/well-known.jsonc' with { type: 'text' };
import { anyOf, type Cues } from '../language/cues.ts';
import text from './literal-words.jsonc' with { type: 'text' };
import { type Example, GuardRule, type Match } from './rule.ts';
import { oneSpelling } from './words.ts';

// What is literal in a person's words: a command that is named to the letter and must not be run, or a path that must not
// be changed. What else a sentence means is said by whoever understands language: the agent, the person, their model.

const lists = readWordLists(wellKnown, 'well-known.jsonc');
const PROGRAMS = lists('programs');
const VERBS = lists('verbs');
const TASKS = programs('task-runners');
/** Programs whose names are also words: they are programs in backticks, or behind “run” and “use”. */
const EVERYDAY = lists('everyday');

const QUOTED = /`([^`\n]+)`|"([^"\n]+)"|“([^”\n]+)”|«\s?([^»\n]+?)\s?»|「([^」\n]+)」/gu;
const PATH =
  /(?<![\p{L}\p{N}_@:/.-])(?:(?:[\p{L}\p{N}_.*-]+\/)+[\p{L}\p{N}_.*{}-]*(?<!\.)|\*(?:\.\w+)+|\.[a-z][\w.-]*\w|[\w-]+(?:\.[\w-]+)*\.(?:json|ya?ml|toml|lock|md|sql|env|css|[cm]?[jt]sx?|py|rb|go|rs|php|sh|proto))(?![\w/])/gu;
const TOKEN = /(?<![\w./@-])(?:(?:--?)?[a-zA-Z](?:[\w:.-]*\w)?|(?<= )\.(?= |$))/g;
/** In two words: `--no-verify` says what it does, and `--force` is another thing in each program. */
const OPTION = /(?<![\w./@-])--[a-z]+-[\w-]+/g;

const cues = readJsonc(text) as Record<string, Cues>;
const cue = (name: string): string => anyOf(cues[name] ?? {});
const finds = (name: string, flags = 'iu') => new RegExp(cue(name), flags);
const endsIn = (...names: string[]) => new RegExp(`(?:${names.map(cue).join('|')}) *$`, 'iu');

const NEVER = finds('never', 'giu');
const NEVER_BEHIND = finds('never-behind');
const WANTED = finds('wanted', 'giu');
const CONDITION = finds('condition');
const ASKS = finds('asks');
const CHANGES = finds('changes');
const READS = finds('reads');
const RUNS = endsIn('runs');
const CALLS = endsIn('runs', 'uses');
const BEFORE_OPTION = endsIn('runs', 'uses', 'with');
const OMITS = endsIn('omits');
const OMITS_BEHIND = finds('omits-behind');
/** “npm here”, and not “npm to install things”. */
const TAIL = new RegExp(`^\\s*(?:$|[.,;:!?)。，；！、–—-]|${cue('tail')})`, 'iu');

// “never push to main”, “no force pushes”: the verbs are git's own
const FORCED = finds('forced');
const DEED = ['git push', 'git commit', 'forced'].map(cue).join('|');
const BRANCH =
  /(?<![\w/.-])(?:origin\/)?(main|master|develop)(?![\w/-]|\.\w)(?: branche?| ?分支| ?ブランチ| ?브랜치)?/iu;
const DEEDS = new RegExp(
  [
    `(?:${DEED})(?: *(?:${DEED}|${cue('directly')}))* *${BRANCH.source}`,
    `(?:${cue('directly')} *)?${BRANCH.source}(?: *${cue('directly')})* *(?:${DEED})`,
    cue('forced'),
  ].join('|'),
  'giu',
);
/** A word that forbids, or nothing, directly before such a verb: “never rewrite commits on main” is about something else. */
const FORBIDS = new RegExp(`(?:^[^\\p{Script=Latin}]*|${cue('never')})(?: *${cue('light')})* *$`, 'iu');

type Named = { kind: 'command' | 'path'; text: string; args?: string[]; at: number; end: number };

/** Returns the text before a place in its clause. */
const clauseBefore = (text: string, at: number): string =>
  text.slice(0, at).replace(/^.*(?:[.,;!?](?=\s)|[，、。；！？])/su, '');

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
      // what is no command: the option or the branch is named in backticks, and read below
      if (/^(?:--[a-z][\w-]+|main|master|develop)$/.test(inside)) return ` ${inside} `;
      if (second === undefined && first.replace(PATH, '') === '')
        return take(all, at, { kind: 'path', text: first });
      const isCommand =
        PROGRAMS.has(first) || (/^[\w./-]+$/.test(first) && CALLS.test(text.slice(0, at).replace(NEVER, '')));
      return take(all, at, isCommand ? { kind: 'command', text: inside } : null);
    })
    .replace(DEEDS, (all: string, ...groups) => {
      const [at, whole] = groups.slice(-2) as [number, string];
      if (!ASKS.test(text) && !FORBIDS.test(clauseBefore(whole, at))) return all;
      const args = [...(FORCED.test(all) ? ['--force*'] : []), ...(BRANCH.exec(all)?.slice(1, 2) ?? [])];
      for (const program of ['git push', 'git commit'])
        if (finds(program).test(all)) take(all, at, { kind: 'command', text: program, args });
      return ' '.repeat(all.length);
    })
    .replace(PATH, (path: string, at: number) => take(path, at, { kind: 'path', text: path }));
  const tokens = [...prose.matchAll(TOKEN)];
  for (const [i, { 0: program, index: at }] of tokens.entries()) {
    const before = prose.slice(0, at).replace(NEVER, '');
    const isRun = CALLS.test(before);
    // `git push` is one command, and push no program
    const isInside = named.some((one) => at > one.at && at < one.end);
    if (isInside || !PROGRAMS.has(program) || (EVERYDAY.has(program) && !isRun)) continue;
    let end = at + program.length;
    for (const { 0: word, index } of tokens.slice(i + 1, i + 5)) {
      // “never run make seed”: what stands behind it is a name of the project
      const isTask = TASKS.has(program) && RUNS.test(before) && end === at + program.length;
      if (!/^ +$/.test(prose.slice(end, index)) || !(/^[-.]/.test(word) || VERBS.has(word) || isTask)) break;
      end = index + word.length;
    }
    named.push({ kind: 'command', text: prose.slice(at, end), at, end });
  }
  for (const { 0: option, index: at } of prose.matchAll(OPTION)) {
    const before = clauseBefore(prose, at).replace(NEVER, '');
    const isInside = named.some((one) => at > one.at && at < one.end);
    if (!isInside && (before.trim() === '' || BEFORE_OPTION.test(before) || /--[\w-]+ +$/.test(before)))
      named.push({ kind: 'command', text: `* ${option}`, at, end: at + option.length });
  }
  return { named: named.sort((a, b) => a.at - b.at), prose };
}

const last = (cue: RegExp, text: string): number => [...text.matchAll(cue)].at(-1)?.index ?? -1;

/** Whether a text forbids what it names at a place: the nearest word before it that forbids or wants says so. */
function isForbidden(text: string, prose: string, { at, end }: Named): boolean {
  const before = clauseBefore(prose, at);
  const [behind = ''] = prose.slice(end).split(/[,、。，;]/);
  if (OMITS.test(before) || OMITS_BEHIND.test(behind)) return false;
  // a verb may have it inside: “ne pousse jamais sur main”
  if (text.slice(at, end).search(NEVER) >= 0 || /^\s*(?:(?:and|so) )?no +$/i.test(before)) return true;
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
  const meant = named.filter((one) => asks || isForbidden(text.normalize('NFC'), prose, one)).slice(0, 6);
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
          : bash([first.text.replace('*', 'git commit'), ...(first.args ?? [])].join(' ')),
    ],
    keeps: [bash(kept?.text ?? 'ls -la'), edit('another/place/b.bin')],
  });
  return made.data ?? null;
}
