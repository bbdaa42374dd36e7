import { relative } from 'node:path';
import { type Line, readLine } from '../shell/line.ts';
import { programs } from '../shell/lists.ts';
import { inScript } from '../shell/scripts.ts';
import type { Arg, Invocation, Unknown } from '../shell/types.ts';
import { parseCommand } from '../shell/walk.ts';
import { runsByItself, type Surroundings, within, type Zone } from '../shell/zones.ts';
import { clip } from '../text/clip.ts';
import { changedBy, pathOf, targetsOf, wordsOf } from './arguments.ts';
import { doubtOn, sweepsSecrets } from './doubtful.ts';
import { hijackOf } from './environment.ts';
import { strangersOf } from './hosts.ts';
import { type MatchContext, matches, zonesOf } from './match.ts';
import { bringsPackage } from './named-installs.ts';
import type { Value } from './options.ts';
import { WRITABLE } from './policy/index.ts';
import { isKnown, speakingOf } from './rule-index.ts';
import { showingOf } from './secrets.ts';
import { sendsSecretTo } from './sends.ts';
import { shapeOf } from './shapes.ts';
import { shortened } from './shortened.ts';
import { startedBy } from './signals.ts';
import { decisionOf, type OwnFiles, type PartVerdict, type Policy, type PolicyVerdict } from './types.ts';
import type { LoadedWhen } from './when.ts';
import { bring, firstRunPart, firstRuns, nothingBrought, obeysValues } from './written.ts';

type LineContext = MatchContext & {
  isGuess: (invocation: Invocation) => boolean;
};

/** How many commands of a line are reported; long scripts have more. */
const MAX_KEPT = 200;
const NO_RULE = 'no rule knows this command';
/** Files that say where packages come from. A changed one may fetch others; a deleted one is made anew. */
const LOCKFILE = /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?)$/;
/** Programs whose options name files inside of a container. */
const OWN_PATHS = new Set([...programs('containers'), ...programs('composers')]);

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
  const { options } = policy;
  const brought = nothingBrought();
  const own: OwnFiles = { made: new Set(), written: new Set() };
  const moved: string[] = [];
  const links: string[] = [];
  const started = startedBy(found, place.home);
  const about: MatchContext = { place, options, started };
  about.onlyLooks = (invocation) => keepsAll(invocation, policy, about);
  let outward: string | null = null;
  const context: LineContext = {
    ...about,
    isGuess,
  };
  const judged = found
    .map((invocation) => {
      let part = judgePart(invocation, policy, context);
      const [first] = firstRuns(invocation, brought.fresh, { place, table: options, inLine: true });
      const path = (arg: Arg) => pathOf(arg, invocation, place);
      const deletes = programs('deleters').has(invocation.program) || invocation.program === 'find';
      if (first && part.decision !== 'deny') part = firstRunPart(part, first);
      else if (deletes && invocation.args.some((arg) => moved.some((to) => isNested(path(arg), to)))) {
        delete part.shape;
        if (part.decision === 'allow')
          part = { ...part, decision: 'unknown', reason: 'deletes what was moved there' };
      }
      const through = [...invocation.args, ...invocation.reads, ...targetsOf(invocation, options)];
      if (part.decision === 'allow' && through.some((arg) => links.some((link) => within(path(arg), link))))
        part = { ...part, decision: 'unknown', reason: 'works through a link that this line makes' };
      const does = part.byPerson || invocation.suspected ? null : outwardBy(invocation, policy, context);
      // what no rule knows, only a model or a person allows
      if (does !== null && part.decision === 'unknown' && !isGuess(invocation)) part.outward = does;
      else outward ??= does;
      // a command in a script or in a string may never run, so its file may never be written
      if (!isGuess(invocation)) bring(invocation, brought, place, options);
      const moves = /^(g?mv|git)$/.test(invocation.program);
      if (invocation.suspected || invocation.scripted || invocation.remote) return { invocation, part };
      for (const target of targetsOf(invocation, options)) {
        if (!target.known || target.glob || target.text.startsWith('/dev/')) continue;
        if (invocation.program === 'ln') links.push(path(target));
        if (moves) moved.push(path(target));
        else own.written.add(path(target));
        if (!moves && place.exists?.(path(target)) === false) own.made.add(path(target));
      }
      return { invocation, part };
    })
    .filter(({ invocation, part }) => !isGuess(invocation) || part.decision === 'deny')
    .map(({ invocation, part }) => ({
      invocation,
      part: invocation.scripted ? scriptPart(part, invocation) : part,
    }));
  const invocations = judged.map(({ invocation }) => invocation);
  const parts = [...judged.map(({ part }) => part), ...unknowns.map(unknownPart)];
  return {
    decision: decisionOf(parts),
    parts,
    invocations,
    withScripts: found.slice(0, MAX_KEPT),
    own,
    ...(outward !== null && { outward }),
  };
}

/** Returns what a command does beyond this machine, or brings in from outside; null if it does neither. */
function outwardBy(whole: Invocation, policy: Policy, context: LineContext): string | null {
  const invocation = shortened(whole);
  if (asksForHelp(invocation)) return null;
  const found = speakingOf(policy, invocation).outward.find(({ when }) =>
    when.some((one) => matches(one, invocation, context)),
  );
  return found?.entry.does ?? (bringsPackage(invocation, context) ? BRINGS : null);
}
const BRINGS = 'brings in a package by name';

/** Whether one of two paths lies in the other. */
const isNested = (one: string, other: string): boolean =>
  within(one.replace(/\/\*+$/, ''), other) || within(other, one.replace(/\/\*+$/, ''));

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

const unknownPart = ({ text, why }: Unknown): PartVerdict => ({
  text,
  via: [],
  decision: 'unknown',
  reason: why,
});

const textOf = (invocation: Invocation): string =>
  clip([invocation.path, ...invocation.args.map((arg) => arg.text)].join(' '), 300);

/** Whether a command is known to change nothing that it names. */
const keepsAll = (invocation: Invocation, policy: Policy, context: MatchContext): boolean =>
  speakingOf(policy, invocation).knowledge.some(
    ({ entry, when }) =>
      (entry.looks || entry.keeps) && when.some((one) => matches(one, invocation, context)),
  );

/** Returns where a command runs, for its reason, if the line went there from the folder that it began in. */
function landsIn(there: string | null, here: string): string {
  const way = there === null ? '' : relative(here, there);
  return way === '' ? '' : `, in ${clip(way.startsWith('../../') ? `${there}` : way, 80)}`;
}

function judgePart(whole: Invocation, policy: Policy, context: LineContext): PartVerdict {
  const about = { text: textOf(whole), via: whole.via };
  const invocation = shortened(whole);
  const broken = asksForHelp(invocation)
    ? undefined
    : speakingOf(policy, invocation).rules.find(({ when }) =>
        when.some((one) => matches(one, invocation, context)),
      );
  if (broken) {
    const { id, severity, reason, instead } = broken.entry;
    const where = landsIn(invocation.cwd, context.place.cwd);
    return { ...about, decision: 'deny', rule: id, severity, reason: `${reason}${where}`, instead };
  }
  const { path, openArgs } = invocation;
  const sent = sendsSecretTo(invocation, context);
  if (sent !== null) {
    const reason = `sends a secret ${sent}`;
    const instead = 'keep secrets on this machine';
    return { ...about, decision: 'deny', rule: 'network.send-value', severity: 'high', reason, instead };
  }
  if (context.isGuess(whole)) return { ...about, decision: 'unknown', reason: 'is only looked through' };
  const showing = showingOf(invocation, context);
  const swept = sweepsSecrets(invocation, context.options, context.place);
  if (swept) return { ...about, decision: 'unknown', reason: swept, asks: true };
  if (showing) return { ...about, decision: 'unknown', ...showing.doubt };
  if (invocation !== whole) return { ...about, decision: 'unknown', reason: 'too long to judge' };
  const unknown = (reason: string): PartVerdict => ({ ...about, decision: 'unknown', reason });
  const unheard = (reason: string): PartVerdict => {
    const shape = shapeOf(invocation, context);
    return { ...unknown(reason), ...(shape && { shape }) };
  };
  const targets = targetsOf(invocation, context.options);
  const written = targets.find(
    (target) =>
      !zonesOf(target, invocation, context).every(
        (zone) => WRITABLE.includes(zone) || (zone === 'secret' && makesAnew(invocation, target)),
      ),
  );
  if (written) return unknown(`writes to ${written.text}`);
  const doubted = doubtOn(invocation, targets, context.place);
  if (doubted) return unknown(doubted);
  if (movesAway(invocation, targets, context))
    return unknown('moves part of the project to where it is thrown away');
  const obeyedLater = changedBy(invocation, context.options).find(
    (arg) =>
      runsByItself(arg, invocation.cwd, context.place) ||
      (LOCKFILE.test(arg.text) && !/^(rm|unlink|trash)$/.test(invocation.program)),
  );
  if (obeyedLater) return unknown(`changes ${obeyedLater.text}, which tools run by themselves`);
  const hijack = hijackOf(invocation, context.place.root);
  if (hijack !== null) return unknown(`${hijack} may make it run something else`);
  // a path outside the folders for programs may name any program, so no knowledge applies to it by name
  const own =
    !/[/\\]/.test(path) || PROGRAM_FOLDERS.test(path) ? invocation : { ...invocation, program: './' };
  for (const { entry, when } of speakingOf(policy, own).knowledge) {
    const takesAny = (one: LoadedWhen) => entry.looks || one.open !== undefined || one.linear;
    const matched = when.find((one) => (!own.openArgs || takesAny(one)) && matches(one, own, context));
    if (!matched) continue;
    const { strange, values } = wordsOf(own, context.options);
    // if a person's own file allows the command, it is allowed whatever its options are
    if (matched.linear) return { ...about, decision: 'allow', reason: entry.about, byPerson: true };
    const doubt = speakingOf(policy, invocation).doubts.find((one) =>
      one.when.some((when) => matches(when, invocation, context)),
    );
    if (doubt) return unknown(doubt.entry.reason);
    if (strange !== null) return unheard(`${strange} is an option that Lore does not know`);
    const obeyed = values.find(
      ({ kind, arg }) =>
        kind === 'runs' &&
        // on another machine, what is known of its containers only looks
        !(own.remote && OWN_PATHS.has(own.program) && PLAIN_NAME.test(arg.text)) &&
        (/^\w+:\/\/|:[/~]/.test(arg.text) ||
          !zonesOf(arg, own, context).every((zone) => OBEYABLE.includes(zone))),
    );
    if (obeyed) return unknown(`obeys ${obeyed.arg.text}`);
    const foreign = obeysValues(own.program)
      ? values.find((value) => liesElsewhere(value, own, context))
      : null;
    if (foreign) return unknown(`is told of ${foreign.arg.text}`);
    const hosts = strangersOf(own, context.options, context.place);
    if (hosts[0] !== undefined)
      return { ...unknown(`talks to ${hosts[0]}, which nothing in the project names`), hosts };
    return { ...about, decision: 'allow', reason: entry.about };
  }
  // its commands are judged by themselves
  if (invocation.own) return { ...about, decision: 'allow', reason: "runs the project's own script" };
  return openArgs ? unknown('its arguments are known only when it runs') : unheard(NO_RULE);
}

/** Whether the value of an option names another host, or a path outside the project: `-p:Before=/tmp/x`. */
const liesElsewhere = ({ kind, arg }: Value, invocation: Invocation, context: LineContext): boolean => {
  const text = arg.text.replace(/^[^/]*=/s, '');
  if (kind !== 'data' && kind !== 'maybe') return false;
  if (
    /^(https?|s?ftp|file|git|ssh|data):(?!\/\/(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])([:/]|$))/i.test(
      text,
    )
  )
    return true;
  return (
    /^(\/|~|\.\.\/)/.test(text) &&
    !zonesOf({ ...arg, text }, invocation, context).every((zone) => OBEYABLE.includes(zone))
  );
};

/** Whether a command moves something of the project to where anything may be deleted. */
const movesAway = (invocation: Invocation, targets: Arg[], context: LineContext): boolean => {
  if (!/^g?mv$/.test(invocation.program)) return false;
  const lies = (arg: Arg, zone: Zone) => zonesOf(arg, invocation, context).includes(zone);
  if (!targets.some((target) => lies(target, 'temp') || lies(target, 'regenerable'))) return false;
  const { words } = wordsOf(invocation, context.options);
  return words.some((word) => !targets.includes(word) && lies(word, 'project'));
};

const EXPLAINS_SUBCOMMANDS = programs('explains-subcommands');

/** Whether a program with subcommands is asked how one of them is used, so that it does nothing else. */
const asksForHelp = ({ program, args, writes }: Invocation): boolean =>
  EXPLAINS_SUBCOMMANDS.has(program) &&
  args.at(-1)?.text === '--help' &&
  args.every((arg) => arg.known && /^[\w:.-]+$/.test(arg.text) && arg.text !== '--') &&
  writes.length === 0;

/** Whether a command makes a file of secrets from an example: `cp .env.example .env`. */
const makesAnew = ({ program, args }: Invocation, target: Arg): boolean =>
  program === 'cp' &&
  /^(\.\/)?([\w-]+\/)*[\w-]*\.env[\w.-]*$/.test(target.text) &&
  args.some((arg) => /\.env\.(example|sample|template|dist|test|defaults?)$/.test(arg.text));

/** The zones in which code and settings may lie that a program is told to obey. */
const OBEYABLE = ['project', 'project-root', 'regenerable'];
/** A file in the folder where a command runs, or below it. */
const PLAIN_NAME = /^(?!.*\.\.)[\w.][\w./-]*$/;
const PROGRAM_FOLDERS =
  /^\/Applications\/(Docker|OrbStack)\.app\/Contents\/(Resources|MacOS)\/x?bin\/[^/]+$|^(\.\/)?bin\/(rails|rake|rspec|bundle|console|magento|cake)$|^\.\/(artisan|manage\.py|spark|yii|craft)$|^(\/usr)?(\/local)?\/s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$|^(\.\/)?node_modules\/\.bin\/[^/]+$|^(\.\/)?\.?venv\/bin\/[^/]+$/;
