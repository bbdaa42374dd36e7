import { dirname } from 'node:path';
import { dropOldest } from '../base/drop-oldest.ts';
import { clip } from '../base/text/clip.ts';
import { readJsonc } from '../base/text/jsonc.ts';
import { isInterpreter, programs, SHELLS } from '../shell/names.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings, within } from '../shell/zones.ts';
import { COPIES, EDITS, lineOf, pathOf, targetsOf, wordsOf } from './arguments.ts';
import text from './known/code.jsonc' with { type: 'text' };
import type { Options } from './options.ts';
import { builtinPolicy } from './policy/index.ts';
import { decisionOf, type PartVerdict, type PolicyVerdict } from './types.ts';

// What is written, fetched, unpacked or checked out and then runs is left, by one rule: in the line that does it, and in a
// session at its first run. No list of what programs obey could close that, so whoever may decide does so once.

/** Programs that run code of the project: their scripts, settings, tests or sources. */
const RUNS_CODE = programs('run-code');

const PATTERNS = new Map(
  Object.entries(readJsonc(text) as Record<string, string>).map(([name, one]) => [
    name,
    new RegExp(one, /^(source|foreign)$/.test(name) ? 'i' : ''),
  ]),
);
/** Whether a text fits the pattern of that name in code.jsonc. */
const fits = (name: string, text: string): boolean => (PATTERNS.get(name) as RegExp).test(text);

/** Whether a program runs the project's code, so that a path or an address in an option may be code or settings. */
export const obeysValues = (program: string): boolean =>
  RUNS_CODE.has(program) && !programs('values-elsewhere').has(program);

const isObeyedName = (path: string): boolean =>
  fits('settings', path.slice(path.lastIndexOf('/') + 1)) || fits('settingsFolder', path);

/**
 * Code that has not run yet, by its path. `from`: what brought it; `tree`: tools find it, and what lies below it; `edited`:
 * it is the project's, so only what names it runs it.
 */
export type Brought = Map<string, Fresh>;
type Fresh = { from: string; tree: boolean; edited?: true };
const WRITTEN = 'this session';

const nameOf = (text: string) => text.replace(/\/+$|\.git$|[?#].*$/g, '').replace(/^.*[/:]/s, '');

/** Notes what a command writes, fetches, unpacks or checks out. */
export function bring(run: Invocation, brought: Brought, place: Surroundings, table: Options): void {
  // what stands in a script or a string may never run
  if (run.scripted || run.suspected || run.behind || run.remote) return;
  const { program, args, writes, cwd } = run;
  const { words, values, options } = wordsOf(run, table);
  const texts = words.map(({ text }) => text);
  const line = `${program} ${texts.join(' ')} `;
  const from = `“${clip(lineOf(run), 60)}”`;
  const mark = (path: string, tree: boolean, by = from) => brought.set(path, { from: by, tree });
  const at = (text: string) => resolvePath(text, cwd, place.home) ?? text;
  const here = within(cwd ?? '/', place.root) ? place.root : (cwd ?? place.root);
  const folder = values.find(({ option }) => /^(-C|-d|-D|--dir(ectory)?|-P|--output-dir)$/.test(option))?.arg;
  const piped = run.input.kind === 'pipe' ? run.input.from : [];
  const sources = [...piped, ...args.flatMap((arg) => arg.from ?? [])];
  const used = [...args, ...run.reads, ...sources.flatMap((one) => [...one.args, ...one.reads])];
  const taken = [...brought].find(([path]) => used.some((arg) => within(pathOf(arg, run, place), path)));
  const isForeign = ({ text }: Arg) => fits('foreign', text.replace(/^--?[\w-]+=/, ''));
  const outside =
    taken !== undefined || [run, ...sources].some(isFetching) || (program === 'git' && used.some(isForeign));
  const targets = targetsOf(run, table);
  const keeps = /^(wget|aria2c)/.test(program) || args.some(({ text }) => /^-\w*O|^--remote-name/.test(text));
  const unpacks = programs('unpackers').has(program) && !/^(-?\w*[tc]|-[lvp])/.test(args[0]?.text ?? '');
  const onlyLooks = options.some((option) => /^--(check|dry-run|(num)?stat|summary)$/.test(option));
  // files of another commit: `git checkout main -- a.js`, `git restore --source=main a.js`
  const restores = texts[0] === 'restore' && values.some(({ option }) => /^(-s|--source)$/.test(option));
  const checksOut = texts[0] === 'checkout' && args[1]?.text !== '--';
  const ofCommit = program === 'git' && (restores || checksOut) ? words.slice(restores ? 1 : 2) : [];
  if (fits('clones', line)) {
    const [what = '', into] = texts.slice(texts.findIndex((text) => /^(clone|add)$/.test(text)) + 1);
    mark(at(into ?? nameOf(what)), true);
  } else if ((fits('checksOut', line) && !onlyLooks) || (fits('takesOver', line) && outside)) {
    mark(texts[0] === 'worktree' ? at(texts[2] ?? '.') : here, true);
  } else if (unpacks || fits('downloads', line) || (isFetching(run) && keeps && targets.length === 0)) {
    mark(at(folder?.text ?? '.'), true);
  } else {
    for (const target of [...targets, ...ofCommit]) {
      const path = pathOf(target, run, place);
      const redirected = writes.some((one) => one.target === target);
      // what a build writes comes from its sources
      const edits = !redirected && EDITS.has(program) && !isObeyedName(path);
      const builds =
        !redirected && !edits && RUNS_CODE.has(program) && !programs('copy-sources').has(program);
      const tree = (!edits && ((taken?.[1].tree && COPIES.has(program)) || isFound(path))) || false;
      if (!path.startsWith('/dev/') && !builds)
        brought.set(path, {
          ...{ from: outside || ofCommit.length > 0 ? from : WRITTEN, tree },
          ...(edits && { edited: true }),
        });
    }
  }
}

const isFound = (path: string): boolean => isObeyedName(path) || fits('test', path);

/** Whether a command brings something from another machine. */
function isFetching({ program, args }: Invocation): boolean {
  const texts = args.map(({ text }) => text);
  const isHere = (text: string) =>
    /^(https?:\/\/)?(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(:|\/|$)/.test(text);
  if (programs('downloaders').has(program)) return !texts.some(isHere);
  if (programs('far-copiers').has(program))
    return texts.slice(0, -1).some((text) => /^(s3|gs|az|https):\/\/|^[\w.@-]{2,}:(?!\\)/.test(text));
  return fits('shows', `${program} ${texts.filter((text) => !text.startsWith('-')).join(' ')} `);
}

/**
 * Returns what a command runs that has not run yet.
 *
 * @param inLine in the line that writes a source of the project, all programs that find sources run it
 */
export function firstRuns(
  run: Invocation,
  fresh: ReadonlyMap<string, Fresh>,
  { place, table, inLine }: { place: Surroundings; table: Options; inLine: boolean },
): [string, Fresh][] {
  if (fresh.size === 0 || run.remote) return [];
  const { program, path, code, args, cwd } = run;
  const { words, values, sub, options } = wordsOf(run, table);
  const script = args.map(({ text }) => text).join(' ');
  const module = (isInterpreter(program) && /^(?:-\w+ )*-m ([\w.]+)/.exec(script)?.[1]) || '';
  // with -n a shell only checks it
  if (SHELLS.has(program) && /^-n [\w./]/.test(script)) return [];
  const interprets =
    /^(source|\.)$/.test(program) ||
    SHELLS.has(program) ||
    (isInterpreter(program) && !code && !fits('ownModule', script));
  const looks = fits('looks', sub) || options.some((option) => /^(--version|--help|--check)$/.test(option));
  const runsCode =
    RUNS_CODE.has(program) &&
    !programs('data-only').has(program) &&
    !looks &&
    !(isInterpreter(program) && code);
  const reads =
    (interprets || runsCode || programs('sql-clients').has(program)) &&
    !programs('rewriters').has(program) &&
    !programs('seds').has(program);
  const named = [
    ...(reads ? [...words, ...values.map(({ arg }) => arg), ...run.reads] : []),
    ...(run.executes ?? []).flatMap((stage) => [...stage.args, ...stage.reads]),
    ...(path.includes('/') ? [{ ...WORD, text: path }] : []),
    // a file that sed or awk is told to obey; what a module is called, and what a program in the line names
    ...values
      .filter(({ option, kind }) => kind === 'runs' || (option === '-f' && !reads))
      .map(({ arg }) => arg),
    ...(module === '' ? [] : ['.py', '/__main__.py']).map((end) => ({
      ...WORD,
      text: `${module.replaceAll('.', '/')}${end}`,
    })),
    ...(code?.paths ?? []),
  ];
  const paths = named.map((arg) =>
    pathOf({ ...arg, text: arg.text.replace(/^-[\w-]*=|^@/, '') }, run, place),
  );
  const at = cwd ?? place.root;
  // Python takes its modules from the folder that it runs in
  const imports =
    code &&
    /^(python|pypy)/.test(program) &&
    /\bimport\b|PYTHONPATH/.test(`${code.text} ${run.env.map(({ name }) => name)}`);
  const findsSources = /^go (get|generate|mod (tidy|download))\b/.test(`${program} ${sub}`);
  const below = runsCode && within(at, place.root) ? place.root : at;
  const installs = fits('installs', `${program} ${sub}`);
  return [...fresh].filter(([file, { tree, edited }]) => {
    if (
      paths.some((one) => within(one, file) || (code && file.startsWith(`${one}.`) && fits('source', file)))
    )
      return !code || fits('source', file);
    if (imports && file.endsWith('.py') && dirname(file) === at) return true;
    if (findsSources && file.endsWith('.go')) return true;
    if (!interprets && !runsCode) return false;
    if (fits('manifest', file)) return installs && within(file, place.root);
    const found =
      tree || (inLine && !edited && fits('source', file) && !programs('obey-settings-only').has(program));
    // what tests and builds find by themselves may lie further down
    return found && (within(at, file) || (runsCode && within(file, below)));
  });
}

const WORD: Arg = { text: '', known: true, glob: false, quoted: true };
/** The rule that denies a first run where a question stops nothing. */
export const FIRST_RUN = 'session.first-run';

/** Returns why a command is left that runs something for the first time. */
export const firstRunPart = (
  { text, via }: PartVerdict,
  [path, { from, tree }]: [string, Fresh],
): PartVerdict => ({
  text,
  via,
  decision: 'unknown',
  reason: `runs for the first time what came with ${from}`,
  instead: "let a person run it once, or work in the client's sandbox (lore init --sandbox)",
  personal: true,
  // tests that tools find are left, and never denied: else an agent could not write one
  ...(!(tree && fits('test', path)) && { rule: FIRST_RUN }),
});

/** The files that a person lets run for the first time by letting a call run. */
export type Passing = string[];

/** What is remembered of one session. It is kept in memory only. */
export type Seen = {
  fresh: Brought;
  /** files of the session's own that have run once */
  ran: Set<string>;
  /** what a person lets pass by letting a call run, by the id that the client gave the call */
  waiting: Map<string, Passing>;
};

/** Returns the memory of a session that has seen nothing. */
export const nothingSeen = (): Seen => ({ fresh: new Map(), ran: new Set(), waiting: new Map() });

const MAX_SEEN = 200;

/** Notes that the session writes a file by a tool of the client. */
export const noteWrite = (seen: Seen, path: string): void =>
  noteSeen(seen, new Map([[path, { from: WRITTEN, tree: isFound(path) }]]));

/** Notes what a call is about to bring, and what a person lets pass if the call runs. */
export function noteSeen(
  seen: Seen,
  brought: Brought,
  call: string | null = null,
  passing: Passing = [],
): void {
  for (const [path, one] of brought)
    if (one.from !== WRITTEN || !seen.ran.has(path)) seen.fresh.set(path, one);
  if (call !== null && passing.length > 0) seen.waiting.set(call, passing);
  for (const kept of [seen.fresh, seen.waiting]) dropOldest(kept, MAX_SEEN);
}

/** Notes that a call has run. */
export function noteRan(seen: Seen, call: string): void {
  for (const path of seen.waiting.get(call) ?? []) {
    if (seen.fresh.get(path)?.from === WRITTEN) seen.ran.add(path);
    seen.fresh.delete(path);
  }
  seen.waiting.delete(call);
  dropOldest(seen.ran, MAX_SEEN);
}

/**
 * Returns a verdict in the light of what the session has seen, what the line brings, and what a person lets pass by
 * letting it run. A call that only stands for one of another tool brings nothing.
 */
export function inLightOfSession(
  asked: { place: Surroundings; seen?: Seen; of?: unknown; forTool?: boolean },
  verdict: PolicyVerdict,
): { verdict: PolicyVerdict; brought: Brought; passing: Passing } {
  const { place, seen = nothingSeen() } = asked;
  const table = builtinPolicy.options;
  if (asked.of || asked.forTool) return { verdict, brought: new Map(), passing: [] };
  const brought: Brought = new Map(seen.fresh);
  const passing = new Set<string>();
  const parts = verdict.parts.map((part, i): PartVerdict => {
    const run = verdict.invocations[i];
    if (!run) return part;
    const ran = firstRuns(run, brought, { place, table, inLine: false });
    for (const [path] of ran) passing.add(path);
    bring(run, brought, place, table);
    return part.decision === 'allow' && ran[0] ? firstRunPart(part, ran[0]) : part;
  });
  return { verdict: { ...verdict, parts, decision: decisionOf(parts) }, brought, passing: [...passing] };
}
