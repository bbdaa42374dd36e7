import { SHELLS } from '../shell/names.ts';
import type { Arg, Invocation, Unknown } from '../shell/types.ts';
import { parseCommand } from '../shell/walk.ts';
import { resolvePath, type Surroundings, within, zoneOf } from '../shell/zones.ts';
import { targetsOf, wordsOf } from './arguments.ts';
import { type LoadedWhen, type MatchContext, matches, mayBeAbout, zonesOf } from './match.ts';
import type { Options } from './options.ts';

type Severity = 'catastrophic' | 'high' | 'medium';

/** A rule: a reason to deny, as data. */
export type Rule = {
  /** `<subject>.<what>` */
  id: string;
  severity: Severity;
  /** what is wrong with the command, in a few words */
  reason: string;
  /** what to do instead */
  instead: string;
  when: LoadedWhen[];
  /** command lines that the rule must catch (`deny`) and must not catch (`pass`). The tests judge them. */
  examples: { deny: string[]; pass: string[] };
};

/**
 * A kind of command known to be read-only or to stay inside the project, as data. One that matches allows a command.
 */
export type Knowledge = {
  about: string;
  when: LoadedWhen[];
  examples: { allow: string[]; unknown: string[] };
};

export type Policy = { rules: Rule[]; knowledge: Knowledge[]; options: Options };

export type PartVerdict = {
  /** the simple command */
  text: string;
  via: string[];
  decision: 'allow' | 'deny' | 'unknown';
  rule?: string;
  severity?: Severity;
  reason: string;
  instead?: string;
};

export type PolicyVerdict = {
  decision: 'allow' | 'deny' | 'unknown';
  parts: PartVerdict[];
  /** what the line would run, in the order of `parts`; parts that are not commands follow behind */
  invocations: Invocation[];
};

/**
 * Judges a command line by rules alone: it is denied if any of its commands is denied, allowed if every one is known to
 * be harmless, and unknown otherwise. Never throws because of the line's content.
 */
export function judgeByPolicy(line: string, place: Surroundings, policy: Policy): PolicyVerdict {
  const { invocations: found, unknowns } = parseCommand(line, place);
  const context: MatchContext = { place, options: policy.options };
  const made = new Set<string>();
  const fetched: string[] = [];
  const judged = found
    .map((invocation) => {
      const part = judgePart(invocation, policy, context);
      if (part.decision === 'allow' && runsOneOf(made, invocation, place)) {
        part.decision = 'unknown';
        part.reason = 'runs what this line writes';
      }
      if (part.decision === 'allow' && runsIn(fetched, invocation, place)) {
        part.decision = 'unknown';
        part.reason = 'uses what this line fetches';
      }
      for (const target of targetsOf(invocation, policy.options)) made.add(pathOf(target, invocation, place));
      fetched.push(...foldersFetched(invocation, context));
      return { invocation, part };
    })
    .filter(
      ({ invocation, part }) => !(invocation.suspected || invocation.scripted) || part.decision === 'deny',
    )
    .map(({ invocation, part }) => ({ invocation, part: invocation.scripted ? inScript(part) : part }));
  const invocations = judged.map(({ invocation }) => invocation);
  const parts = [...judged.map(({ part }) => part), ...unknowns.map(unknownPart)];
  const decision = parts.some((part) => part.decision === 'deny')
    ? 'deny'
    : parts.every((part) => part.decision === 'allow')
      ? 'allow'
      : 'unknown';
  return { decision, parts, invocations };
}

/**
 * Turns a deny for a command in a script into `unknown`, unless it is catastrophic: a person may want the script to do
 * that.
 */
function inScript(part: PartVerdict): PartVerdict {
  if (part.severity === 'catastrophic') return part;
  const { text, via, reason } = part;
  return { text, via, decision: 'unknown', reason: `stands in what it runs, and ${reason}` };
}

const RUNNERS =
  /^(\.|source|python[\d.]*|node|deno|bun|tsx|ts-node|perl|ruby|php|lua|make|npx|sed|awk|git|psql|sqlite3|mysql)$/;

const pathOf = (arg: Arg, { cwd }: Invocation, { home }: Surroundings) =>
  resolvePath(arg.text, cwd, home) ?? arg.text;

/**
 * Whether a command runs a file that the line itself writes before: the file on disk then says nothing about what would
 * run.
 */
function runsOneOf(made: Set<string>, invocation: Invocation, place: Surroundings): boolean {
  if (made.size === 0) return false;
  const { program, path, args } = invocation;
  const own: Arg = { text: path, known: true, glob: false, quoted: false };
  const candidates = [
    ...(path.includes('/') ? [own] : []),
    ...(SHELLS.has(program) || RUNNERS.test(program) ? args : []),
  ];
  return candidates.some((arg) => made.has(pathOf(arg, invocation, place)));
}

/** Returns the folder that a clone makes. */
function foldersFetched(invocation: Invocation, { options, place }: MatchContext): string[] {
  const { words, sub } = wordsOf(invocation, options);
  if (invocation.program !== 'git' || !sub.startsWith('clone ')) return [];
  const [, url, folder] = words;
  const named = folder ?? (url && { ...url, text: /([^/:]+?)(\.git)?\/*$/.exec(url.text)?.[1] ?? url.text });
  return named ? [pathOf(named, invocation, place)] : [];
}

/** Programs that do not run what they look at. */
const LOOKS = /^(cd|ls|cat|head|tail|grep|rg|wc|find|tree|du|pwd|echo|file|stat|git|rm|diff|less|test|\[)$/;

/** Whether a command may run something out of a folder that the line itself fetched. */
function runsIn(fetched: string[], invocation: Invocation, place: Surroundings): boolean {
  if (fetched.length === 0 || LOOKS.test(invocation.program)) return false;
  const paths = [invocation.cwd ?? '', ...invocation.args.map((arg) => pathOf(arg, invocation, place))];
  return fetched.some((folder) => paths.some((path) => within(path, folder)));
}

const unknownPart = ({ text, why }: Unknown): PartVerdict => ({
  text,
  via: [],
  decision: 'unknown',
  reason: why,
});

const textOf = (invocation: Invocation): string =>
  [invocation.path, ...invocation.args.map((arg) => arg.text)].join(' ').slice(0, 300);

type Speaking = {
  rules: { entry: Rule; when: LoadedWhen[] }[];
  knowledge: { entry: Knowledge; when: LoadedWhen[] }[];
};
const MAX_PROGRAMS = 1000;
const speaking = new WeakMap<Policy, Map<string, Speaking>>();

/** Returns the rules and knowledge that may be about a program. Remembered, because most of a policy never is. */
function speakingOf(policy: Policy, program: string): Speaking {
  let programs = speaking.get(policy);
  // the names come from the commands, so the memory needs a limit
  if (!programs || programs.size > MAX_PROGRAMS) {
    programs = new Map();
    speaking.set(policy, programs);
  }
  const before = programs.get(program);
  if (before) return before;
  const about = <T extends Rule | Knowledge>(entries: T[]) =>
    entries
      .map((entry) => ({ entry, when: entry.when.filter((when) => mayBeAbout(when, program)) }))
      .filter(({ when }) => when.length > 0);
  const made = { rules: about(policy.rules), knowledge: about(policy.knowledge) };
  programs.set(program, made);
  return made;
}

function judgePart(whole: Invocation, policy: Policy, context: MatchContext): PartVerdict {
  const about = { text: textOf(whole), via: whole.via };
  const invocation = shortened(whole);
  const broken = speakingOf(policy, invocation.program).rules.find(({ when }) =>
    when.some((one) => matches(one, invocation, context)),
  );
  if (broken) {
    const { id, severity, reason, instead } = broken.entry;
    return { ...about, decision: 'deny', rule: id, severity, reason, instead };
  }
  const { program, path, env, openArgs } = invocation;
  if (invocation !== whole) return { ...about, decision: 'unknown', reason: 'too long to judge' };
  const unknown = (reason: string): PartVerdict => ({ ...about, decision: 'unknown', reason });
  const written = targetsOf(invocation, context.options).find(
    (target) => !zonesOf(target, invocation, context).every((zone) => WRITABLE.includes(zone)),
  );
  if (written) return unknown(`writes to ${written.text}`);
  const socket = invocation.reads.find(({ text }) =>
    /^\/dev\/(tcp|udp)\/(?!(localhost|127\.0\.0\.1)\/)/.test(text),
  );
  if (socket) return unknown(`talks to ${socket.text}`);
  const { sub, values } = wordsOf(invocation, context.options);
  const names = NAMES_ONLY.test(`${program} ${sub}`);
  const read = [
    ...invocation.reads,
    ...(names ? [] : invocation.args),
    // attached to its option: --file=.env
    ...values.filter(({ kind }) => kind === 'reads').map(({ arg }) => arg),
  ].find((arg) => zoneOf(arg, invocation.cwd, context.place) === 'secret');
  if (read) return unknown(`touches ${read.text}`);
  const hijack = [
    ...env.map(({ name, value }) => `${name}=${value.text}`),
    ...(SETS.has(program) ? invocation.args.map((arg) => arg.text) : []),
  ].find((text) => RUNS_MORE.test(text) && !HARMLESS.test(text));
  if (hijack) return unknown(`${hijack.split('=')[0]} makes it run something else`);
  // a path outside the folders for programs may name any program, so no knowledge applies to it by name
  const own =
    !/[/\\]/.test(path) || PROGRAM_FOLDERS.test(path) ? invocation : { ...invocation, program: './' };
  for (const { entry, when } of speakingOf(policy, own.program).knowledge) {
    const matched = when.find((one) => matches(one, own, context));
    if (!matched) continue;
    const { strange, values } = wordsOf(own, context.options);
    // what a person has allowed in a file of their own holds whatever the options are
    if (matched.linear) return { ...about, decision: 'allow', reason: entry.about };
    if (strange !== null) return unknown(`${strange} is an option that Lore does not know`);
    const obeyed = values.find(
      ({ kind, arg }) =>
        kind === 'runs' && !zonesOf(arg, own, context).every((zone) => OBEYABLE.includes(zone)),
    );
    if (obeyed) return unknown(`obeys ${obeyed.arg.text}`);
    return { ...about, decision: 'allow', reason: entry.about };
  }
  return unknown(openArgs ? 'its arguments are known only when it runs' : 'no rule knows this command');
}

const MAX_ARGS = 500;
const MAX_TEXT = 16_000;

/** Returns the beginning of a command that is too long to judge: enough to deny it, too little to allow it. */
function shortened(invocation: Invocation): Invocation {
  const { args, writes, reads, env } = invocation;
  const texts = [...args, ...reads, ...writes.map(({ target }) => target), ...env.map(({ value }) => value)];
  const length = texts.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= MAX_TEXT && args.length + writes.length + reads.length + env.length <= MAX_ARGS)
    return invocation;
  const short = (arg: Arg): Arg => ({ ...arg, text: arg.text.slice(0, MAX_TEXT / 10) });
  return {
    ...invocation,
    args: args.slice(0, 10).map(short),
    writes: writes.slice(0, 10),
    reads: reads.slice(0, 10),
    env: env.slice(0, 10),
  };
}

/** Commands that only name files and show nothing of what is in them. */
const NAMES_ONLY = /^(echo|printf|git (rm|check-ignore|ls-files|status))( |$)/;
/** Where code and settings may lie that a program is told to obey. */
const OBEYABLE = ['project', 'project-root', 'regenerable'];
const WRITABLE = ['project', 'project-root', 'regenerable', 'temp', 'sink'];
const SETS = new Set(['export', 'declare', 'typeset', 'local', 'readonly', 'set', 'env']);

/** Variables that name a program to run, or code to load, in the commands that run next. */
const RUNS_MORE =
  /^(LD_(PRELOAD|AUDIT|LIBRARY_PATH)|DYLD_\w+|BASH_ENV|ENV|PROMPT_COMMAND|SHELLOPTS|PS4|(GIT_)?(PAGER|EDITOR|SEQUENCE_EDITOR)|GIT_(SSH(_COMMAND)?|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND|EXEC_PATH|CONFIG\w*|TEMPLATE_DIR)|VISUAL|MANPAGER|BROWSER|SSH_ASKPASS|LESSOPEN|LESSCLOSE|PERL5(OPT|LIB|DB)|PYTHON(STARTUP|HOME)|RUBY(OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|NODE_OPTIONS|TAR_OPTIONS|RSYNC_RSH|CVS_RSH|PATH)=/;
/** Values of such variables that do no harm. */
const HARMLESS =
  /^\w+=("")?$|^\w+=:$|=(cat|less|more|true|false|vim?|nano|code --wait|less -\w+)$|^NODE_OPTIONS=(--(max-old-space-size|max_old_space_size|no-warnings|experimental-[\w-]+|enable-source-maps|trace-warnings|inspect|unhandled-rejections)(=\w+)?\s*)+$|^PATH=(?!.*(\/tmp|\/shm|(^|[=:])\.?(:|$)))|^LD_LIBRARY_PATH=(?!.*(\/tmp|\/shm))/;
const PROGRAM_FOLDERS =
  /^(\/usr)?(\/local)?\/s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$|^(\.\/)?node_modules\/\.bin\/[^/]+$|^(\.\/)?\.?venv\/bin\/[^/]+$/;
