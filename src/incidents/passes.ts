import type { Line } from '../shell/line.ts';
import { baseName } from '../shell/names.ts';
import { aimOf, invocation, isCheck, type Part, purposeOf } from '../shell/parts.ts';
import { takesFields } from '../shell/shell-tools.ts';
import type { Resolution } from './schema.ts';
import type { Call } from './steps.ts';

// Does a call that worked show that what failed before works now? Seldom it is the very same line: agents add a flag, set a
// variable, change the folder or put a runner before it.

/** How a call that worked resembles the one that failed. */
export type Likeness = Resolution['kind'];

/**
 * Returns how a call does what another one was to do; null if it does not.
 *
 * - `same`: the same tool on the same target, whatever is run after it
 * - `arguments`: the same program for the same thing, behind a runner or with other options; for tools that take fields,
 *   other fields
 */
export function doesAgain(failed: Call, call: Call): 'same' | 'arguments' | null {
  if (failed.tool === call.tool && failed.target !== null && failed.target === call.target) return 'same';
  if (failed.line === null || call.line === null)
    return failed.line === call.line && failed.tool === call.tool && takesFields(failed.tool)
      ? 'arguments'
      : null;
  // a command that runs after it cannot be the reason that it passed
  if (call.line.text.startsWith(`${failed.line.text} && `)) return 'same';
  if (inOtherFolder(failed, call)) return null;
  return passes({ line: failed.line, error: failed.output }, call.line) ? 'arguments' : null;
}

/** Whether a line runs what an error names: the same program with the same target, by itself or behind a runner. */
export function passes({ line, error }: { line: Line; error: string }, now: Line): boolean {
  const aim = aimOf(line.parts, error);
  return aim !== undefined && now.parts.some((part) => isSame(aim, part));
}

function isSame(aim: Part, part: Part): boolean {
  const inside = { program: aim.program, args: part.args.slice(part.args.indexOf(aim.program) + 1) };
  const runs = part.program === aim.program ? part : part.args.includes(aim.program) ? inside : null;
  if (runs === null || invocation(runs) !== invocation(aim)) return false;
  // another test, host or file that is well says nothing about the one that failed
  return !(isCheck(aim) || CARRIERS.test(aim.program)) || words(aim).join(' ') === words(runs).join(' ');
}

/** Programs that carry any request anywhere, or put any file about. */
const CARRIERS =
  /^(?:ssh|scp|curl|wget|http|psql|mysql|docker-compose|rm|rmdir|mv|cp|ln|touch|mkdir|chmod|chown|cat|ls|kill)$/;

/** The arguments of a command that are no options, in one order. */
const words = ({ args }: Pick<Part, 'args'>): string[] => args.filter((arg) => !arg.startsWith('-')).sort();

/** Whether neither folder of two calls contains the other: another package says nothing about this one. */
function inOtherFolder(a: Call, b: Call): boolean {
  const [one, other] = [folderOf(a), folderOf(b)];
  return one !== '' && other !== '' && !one.startsWith(other) && !other.startsWith(one);
}

/** Returns the folder that a call changes to first; '' if there is none or if it lies above the project. */
const folderOf = ({ target }: Call): string => {
  const folder = /^cd (?!\.\.)(\S+) && /.exec(target ?? '')?.[1];
  return folder === undefined ? '' : `${folder}/`;
};

/** Programs that handle any file: that they handle the one of an error does not answer it. */
const HANDLERS = /^(?:git|rm|mv|cp|chmod|chown|touch|mkdir|kill|code|vim|nano|prettier|sed|cat|ls)$/;

/**
 * Whether another line serves the purpose of a line that was no right use of its program: both run tests, say, or name the
 * same thing.
 */
export function servesSame({ line, error }: { line: Line; error: string }, now: Line): boolean {
  const aim = aimOf(line.parts, error);
  if (aim === undefined) return false;
  const purpose = purposeOf(aim);
  const does = invocation(aim).split(' ');
  return now.parts.some((part) => {
    if (purpose !== null && !APART.test(purpose) && purpose === purposeOf(part)) return true;
    const same = part.program === aim.program;
    const doesNow = invocation(part).split(' ');
    // a subcommand that was typed wrongly begins like the right one
    if (same && does.at(-1)?.[0] === doesNow.at(-1)?.[0]) return true;
    const named = words(aim).map(baseName);
    const common = words(part).filter((word) => /\w\w/.test(word) && named.includes(baseName(word)));
    return (
      (same || !HANDLERS.test(part.program)) &&
      common.some((word) => !(does.includes(word) && doesNow.includes(word)))
    );
  });
}

/** Two programs that start, install or deploy something are two things; two that check the work may be one. */
const APART = /^(?:start|install|deploy|seed)$/;

/** What a command line can name wrongly. */
const NAMED =
  '(?:sub-?command|command|option|flag|switch|argument|parameter|script|task|target|recipe|choice|action|goal|remote|file|directory|service|project|workspace|package|preset)';
/** A program says that it does not know what the line names. The thing itself must stand in what it says. */
const UNKNOWN = new RegExp(
  [
    `\\b(?:unknown|unrecogni[sz]ed|invalid|illegal|unexpected|unsupported|bad|undefined|no such|missing)(?: [\\w-]+){0,2}? ${NAMED}s?\\b`,
    `\\b${NAMED}s?:? (?:called |named )?["'\`“‘<]?[\\w:./@-]*["'\`”’>]? (?:is |was |does |could |has )?(?:not|n't) (?:be )?(?:found|exist|recogni[sz]ed|defined|supported|known|specified|a )`,
    'command not found|: not found|not found: |is not a \\S+ command|unknown shorthand',
    "does not appear to be a git repository|can't open file|cannot find module .*/|no rule to make target",
  ].join('|'),
  'i',
);
/** A program says how it is to be called, or that it found nothing to run. */
const NOTHING_RUN = new RegExp(
  [
    'no (?:makefile|justfile|rakefile|package\\.json|configuration file|compose file|bin target)\\b',
    'no (?:tests?|test files?|test suites?|files?|targets?|input files?|projects?)(?: \\w+){0,3} (?:found|matched|ran|match)|collected 0 items|nothing to (?:run|do)',
    '^usage: |requires (?:an? )?(?:argument|value)|too (?:many|few) (?:positional )?arguments|expected (?:one|at least one) argument|the following arguments are required',
  ].join('|'),
  'im',
);

/** Whether an error says that a line was no right use of its program. */
export const isWrongUse = (error: string, failed: string): boolean =>
  NOTHING_RUN.test(error) || error.split('\n').some((line) => UNKNOWN.test(line) && namesAny(line, failed));

/** Whether a line of an error has a word that the failed line has too, besides the words of {@link UNKNOWN}. */
function namesAny(error: string, failed: string): boolean {
  // who says it is no part of what it says
  const said = error
    .replace(/^[\w./-]+: (?!(?:command )?not found)/, '')
    .replace(new RegExp(NAMED, 'gi'), ' ');
  const words = new Set(said.match(/[\w@](?:[\w./@:-]*\w)?/g));
  return failed
    .split(/[\s"'=]+/)
    .some((word) => word.length > 1 && (words.has(word) || words.has(word.replace(/^(?:-+|\.\/)/, ''))));
}
