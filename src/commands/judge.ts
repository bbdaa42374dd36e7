import { clip } from '../base/text/clip.ts';
import { type Line, readLine } from '../shell/line.ts';
import { programs } from '../shell/names.ts';
import { inScript } from '../shell/scripts.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { parseCommand } from '../shell/walk.ts';
import { runsByItself, type Surroundings, type Zone, zoneOf } from '../shell/zones.ts';
import { changedBy, pathOf, targetsOf, wordsOf } from './arguments.ts';
import { hijackOf } from './environment.ts';
import { hostsOf, isStranger } from './hosts.ts';
import { isKnown, matches, speakingOf } from './match.ts';
import type { Value } from './options.ts';
import { WRITABLE } from './policy/index.ts';
import type { LoadedWhen } from './rule-text.ts';
import { sendsSecretTo, showingOf } from './secrets.ts';
import { shapeOf } from './shapes.ts';
import {
  decisionOf,
  type MatchContext,
  type OwnFiles,
  type PartVerdict,
  type Policy,
  type PolicyVerdict,
} from './types.ts';
import { type Brought, bring, firstRunPart, firstRuns, obeysValues } from './written.ts';

/** How many commands of a line are reported; long scripts have more. */
const MAX_KEPT = 200;
const NO_RULE = 'no rule knows this command';

/**
 * Judges a command line by rules alone: it is denied if any of its commands is denied, allowed if every one is known to
 * be harmless, and unknown otherwise. Never throws because of the line's content.
 */
export function judgeByPolicy(text: string, at: Surroundings, policy: Policy): PolicyVerdict {
  return judgeLine(readLine(text), at, policy);
}

/** Judges a line that was read, see `judgeByPolicy`. */
export function judgeLine(whole: Line, at: Surroundings, policy: Policy): PolicyVerdict {
  const knows = (program: string) => isKnown(policy, program);
  const place: Surroundings = { ...at, knows };
  const { invocations: found, unknowns } = parseCommand(whole, place);
  // of a known program in a file, as of what a string may run, only a denial counts
  const isGuess = ({ suspected, behind, scripted, program }: Invocation): boolean =>
    suspected === true || behind === true || (scripted === 'file' && knows(program));
  const table = policy.options;
  const context: MatchContext = { place, options: table };
  context.onlyLooks = (invocation) => keepsAll(invocation, policy, context);
  const brought: Brought = new Map();
  const own: OwnFiles = { made: new Set(), written: new Set() };
  let moved = false;
  let linked = false;
  let outward: string | null = null;

  /** Judges a command in the light of those before it, and notes what it leaves for those behind it. */
  function judgeNext(invocation: Invocation): PartVerdict {
    const { program } = invocation;
    const guess = isGuess(invocation);
    let part = judgePart(invocation, policy, context, guess);
    const targets = targetsOf(invocation, table);
    const [first] = firstRuns(invocation, brought, { place, table, inLine: true });
    const deletes = programs('deleters').has(program) || program === 'find';
    const writes = targets.some(({ text }) => !text.startsWith('/dev/'));
    if (first && part.decision !== 'deny') part = firstRunPart(part, first);
    else if (part.decision === 'allow' && ((moved && deletes) || (linked && (writes || deletes))))
      part = { ...part, decision: 'unknown', reason: 'changes what may have been moved or linked there' };
    moved ||= /^(g?mv|git mv)$/.test(program === 'git' ? `git ${invocation.args[0]?.text}` : program);
    linked ||= program === 'ln';
    const does = part.byPerson || invocation.suspected ? null : outwardBy(invocation, policy, context);
    // what no rule knows, only a model or a person allows
    if (does !== null && part.decision === 'unknown' && !guess) part.outward = does;
    else outward ??= does;
    // a command in a script or in a string may never run, so its file may never be written
    if (!guess) bring(invocation, brought, place, table);
    if (invocation.suspected || invocation.scripted || invocation.remote) return part;
    for (const target of targets) {
      if (!target.known || target.glob || target.text.startsWith('/dev/') || /^(g?mv|git)$/.test(program))
        continue;
      const path = pathOf(target, invocation, place);
      own.written.add(path);
      if (place.exists?.(path) === false) own.made.add(path);
    }
    return part;
  }

  const judged = found
    .map((invocation) => ({ invocation, part: judgeNext(invocation) }))
    .filter(({ invocation, part }) => !isGuess(invocation) || part.decision === 'deny');
  const parts = [
    ...judged.map(({ invocation, part }) => (invocation.scripted ? scriptPart(part, invocation) : part)),
    ...unknowns.map(({ text, why }): PartVerdict => ({ text, via: [], decision: 'unknown', reason: why })),
  ];
  return {
    decision: decisionOf(parts),
    parts,
    invocations: judged.map(({ invocation }) => invocation),
    withScripts: found.slice(0, MAX_KEPT),
    own,
    ...(outward !== null && { outward }),
  };
}

/** Returns what a command does beyond this machine, or brings in from outside; null if it does neither. */
function outwardBy(whole: Invocation, policy: Policy, context: MatchContext): string | null {
  const invocation = shortened(whole);
  const found = speakingOf(policy, invocation).outward.find(({ when }) =>
    when.some((one) => matches(one, invocation, context)),
  );
  return found?.entry.does ?? null;
}

/**
 * Turns a deny for a command in a script into `unknown`, unless it is catastrophic: a person may want the script to do
 * that.
 */
function scriptPart(part: PartVerdict, { code, suspected }: Invocation): PartVerdict {
  // a verdict on a program in another language is a guess, so it does not stay catastrophic
  if (part.decision === 'allow' || (part.severity === 'catastrophic' && !code && !suspected)) return part;
  const { text, via, reason } = part;
  return { text, via, decision: 'unknown', reason: inScript(reason) };
}

/** Whether a command is known to change nothing that it names. */
const keepsAll = (invocation: Invocation, policy: Policy, context: MatchContext): boolean =>
  speakingOf(policy, invocation).knowledge.some(
    ({ entry, when }) =>
      (entry.looks || entry.keeps) && when.some((one) => matches(one, invocation, context)),
  );

const MAX_ARGS = 500;
const MAX_TEXT = 16_000;

/** Returns the beginning of a command that is too long to judge: enough to deny it, too little to allow it. */
function shortened(invocation: Invocation): Invocation {
  const { args, writes, reads, env } = invocation;
  const texts = [...args, ...reads, ...writes.map(({ target }) => target), ...env.map(({ value }) => value)];
  const length = texts.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= MAX_TEXT && texts.length <= MAX_ARGS) return invocation;
  const short = (arg: Arg): Arg => ({ ...arg, text: arg.text.slice(0, MAX_TEXT / 10) });
  const first = { args: args.slice(0, 10).map(short), writes: writes.slice(0, 10) };
  return { ...invocation, ...first, reads: reads.slice(0, 10), env: env.slice(0, 10) };
}

function judgePart(whole: Invocation, policy: Policy, context: MatchContext, guess: boolean): PartVerdict {
  const { place, options } = context;
  const text = clip([whole.path, ...whole.args.map((arg) => arg.text)].join(' '), 300);
  const about = { text, via: whole.via };
  const invocation = shortened(whole);
  const speaking = speakingOf(policy, invocation);
  const applies = ({ when }: { when: LoadedWhen[] }) => when.some((one) => matches(one, invocation, context));
  const broken = speaking.rules.find(applies);
  if (broken) {
    const { id, severity, reason, instead } = broken.entry;
    return { ...about, decision: 'deny', rule: id, severity, reason, instead };
  }
  const sent = sendsSecretTo(invocation, context);
  if (sent !== null) {
    const reason = `sends a secret ${sent}`;
    const instead = 'keep secrets on this machine';
    return { ...about, decision: 'deny', rule: 'network.send-value', severity: 'high', reason, instead };
  }
  const unknown = (reason: string): PartVerdict => ({ ...about, decision: 'unknown', reason });
  if (guess) return unknown('is only looked through');
  const showing = showingOf(invocation, context);
  if (showing) return { ...about, decision: 'unknown', ...showing };
  if (invocation !== whole) return unknown('too long to judge');
  const doubt = doubtBefore(invocation, context);
  if (doubt !== null) return unknown(doubt);
  const unheard = (reason: string): PartVerdict => {
    const shape = shapeOf(invocation, context);
    return { ...unknown(reason), ...(shape && { shape }) };
  };
  // a path outside the folders for programs may name any program, so no knowledge applies to it by name
  const { path } = invocation;
  const own =
    !/[/\\]/.test(path) || PROGRAM_FOLDERS.test(path) ? invocation : { ...invocation, program: './' };
  for (const { entry, when } of speakingOf(policy, own).knowledge) {
    const takesAny = (one: LoadedWhen) => entry.looks || one.open !== undefined || one.linear;
    const matched = when.find((one) => (!own.openArgs || takesAny(one)) && matches(one, own, context));
    if (!matched) continue;
    // if a person's own file allows the command, it is allowed whatever its options are
    if (matched.linear) return { ...about, decision: 'allow', reason: entry.about, byPerson: true };
    const doubted = speaking.doubts.find(applies);
    if (doubted) return unknown(doubted.entry.reason);
    const { strange, values } = wordsOf(own, options);
    if (strange !== null) return unheard(`${strange} is an option that Lore does not know`);
    const obeyed = values.find((value) => obeysElsewhere(value, own, context));
    if (obeyed) return unknown(`obeys ${obeyed.arg.text}`);
    const stranger = hostsOf(own, options).find((host) => isStranger(host, place));
    if (stranger !== undefined) return unknown(`talks to ${stranger}, which nothing in the project names`);
    return { ...about, decision: 'allow', reason: entry.about };
  }
  // its commands are judged by themselves
  if (invocation.own) return { ...about, decision: 'allow', reason: "runs the project's own script" };
  return invocation.openArgs ? unknown('its arguments are known only when it runs') : unheard(NO_RULE);
}

/** Returns why a command is left whatever is known of its program; null if nothing speaks against it. */
function doubtBefore(invocation: Invocation, context: MatchContext): string | null {
  const { place, options } = context;
  const { program, args, cwd } = invocation;
  const targets = targetsOf(invocation, options);
  // `cp .env.example .env` makes a file of secrets from an example
  const makesAnew = ({ text }: Arg) =>
    program === 'cp' && ENV_FILE.test(text) && args.some((arg) => ENV_EXAMPLE.test(arg.text));
  const written = targets.find((arg) => {
    const zone = zoneOf(arg, cwd, place);
    return !WRITABLE.includes(zone) && !(zone === 'secret' && makesAnew(arg));
  });
  if (written) return `writes to ${written.text}`;
  const deletes = /^(rm|unlink|trash)$/.test(program);
  const obeyed = changedBy(invocation, options).find((arg) => runsByItself(arg, cwd, place));
  if (obeyed) return `changes ${obeyed.text}, which tools run by themselves`;
  // where a `cd` fails, what follows runs in the folder before it
  if (deletes && cwd !== null && cwd !== place.cwd && place.exists?.(cwd) === false)
    return `deletes in ${cwd}, which is not there`;
  const hijack = hijackOf(invocation, place.root);
  return hijack === null ? null : `${hijack} may make it run something else`;
}

const ENV_FILE = /^(\.\/)?([\w-]+\/)*[\w-]*\.env[\w.-]*$/;
const ENV_EXAMPLE = /\.env\.(example|sample|template|dist|test|defaults?)$/;

/** The zones in which code and settings may lie that a program is told to obey. */
const OBEYABLE: Zone[] = ['project', 'project-root', 'regenerable'];
/** Matches an address of another machine. */
const ELSEWHERE =
  /^(https?|s?ftp|file|git|ssh|data):(?!\/\/(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])([:/]|$))/i;

/** Whether the value of an option names code or settings on another host or outside the project: `-p:Before=/tmp/x`. */
function obeysElsewhere({ kind, arg }: Value, invocation: Invocation, context: MatchContext): boolean {
  const isOutside = (one: Arg) => !OBEYABLE.includes(zoneOf(one, invocation.cwd, context.place));
  if (kind === 'runs') return /^\w+:\/\/|:[/~]/.test(arg.text) || isOutside(arg);
  if (!obeysValues(invocation.program) || (kind !== 'data' && kind !== 'maybe')) return false;
  const text = arg.text.replace(/^[^/]*=/s, '');
  return ELSEWHERE.test(text) || (/^(\/|~|\.\.\/)/.test(text) && isOutside({ ...arg, text }));
}

const PROGRAM_FOLDERS =
  /^\/Applications\/(Docker|OrbStack)\.app\/Contents\/(Resources|MacOS)\/x?bin\/[^/]+$|^(\.\/)?bin\/(rails|rake|rspec|bundle|console|magento|cake)$|^\.\/(artisan|manage\.py|spark|yii|craft)$|^(\/usr)?(\/local)?\/s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$|^(\.\/)?node_modules\/\.bin\/[^/]+$|^(\.\/)?\.?venv\/bin\/[^/]+$/;
