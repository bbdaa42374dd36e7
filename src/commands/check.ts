import { homedir, tmpdir } from 'node:os';
import { isAbsolute } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Log } from '../base/log.ts';
import { within } from '../base/timing/within.ts';
import type { Claims } from '../db/as-user.ts';
import type { MayBeDistant } from '../http/env.ts';
import { redactText } from '../redaction/redact.ts';
import type { Line } from '../shell/line.ts';
import { openProcesses } from '../shell/processes.ts';
import type { Invocation } from '../shell/types.ts';
import type { Surroundings } from '../shell/zones.ts';
import { cacheKey } from './cache-key.ts';
import { ABSENT, areUnchanged, type Files, type Looked, openFiles } from './files.ts';
import type { ModelJudge } from './judge-model.ts';
import { askWhatIsLost } from './losses.ts';
import { builtinPolicy } from './policy/index.ts';
import { decide, isPersonal } from './precedence.ts';
import { policyFor } from './rule-files.ts';
import { shapesOf } from './shapes.ts';
import type { OwnFiles, PolicyVerdict } from './types.ts';
import {
  type Check,
  type CheckedCommand,
  type Decided,
  judgeCall,
  judgeCommand,
  type KnownVerdict,
  type Learned,
  modelVerdict,
  storedText,
  type ToolCall,
  toChecked,
} from './verdict.ts';
import type { VerdictMemory } from './verdict-memory.ts';
import { type Brought, inLightOfSession, type Passing, type Seen } from './written.ts';

export type CheckServices = {
  log: Log;
  config: { home: string; port: number; failClosed: boolean };
  /** keys the codes and the keys of verdicts */
  secret: string;
  judgeByModel: ModelJudge;
  verdicts: VerdictMemory;
} & MayBeDistant;

type Reading = Pick<CheckServices, 'config' | 'secret'>;

/**
 * Returns where a command runs: the session's folder, the project's folder and those of the person.
 *
 * @param cwd if it is null or a relative path, the project's folder is used in its place
 * @param services if they are distant, the person's home folder is guessed from `cwd`
 */
export function surroundings(
  cwd: string | null,
  root: string | null,
  services: MayBeDistant = {},
): Surroundings {
  const clean = (path: string) => path.replace(/\/+$/, '') || '/';
  const known = cwd !== null && isAbsolute(cwd) ? clean(cwd) : clean(root ?? '/');
  return { cwd: known, root: root === null ? known : clean(root), ...foldersOf(services, known) };
}

/** The folders of the person who runs the server. Asked for once, because each answer takes a dozen system calls. */
let own: { home: string; tmp: string } | undefined;

/** Returns the person's folders. On a distant machine they are guessed from where the person works. */
export const foldersOf = ({ distant }: MayBeDistant, cwd: string): { home: string; tmp: string } => {
  if (distant)
    return { home: /^\/(root|(home|Users)\/[^/]+)(?=\/|$)/.exec(cwd)?.[0] ?? '/home/user', tmp: '/tmp' };
  own ??= { home: homedir(), tmp: tmpdir() };
  return own;
};

export type Asked = {
  line: Line;
  place: Surroundings;
  /** the call of another tool that the line stands for: it may be denied, and is never allowed */
  of?: ToolCall | undefined;
  /** it stands for the call of a tool that is no shell: only the rules and persons are asked, and no model */
  forTool?: boolean;
  /** whether the client asks nobody, so that a question would stop nothing */
  bypassed?: boolean;
  /** what the session has seen */
  seen?: Seen;
};

/** What is known of a command from the rules and from the files that it would run, before anybody is asked. */
type Judged = {
  verdict: PolicyVerdict;
  key: string;
  /** the command and its folder as they are stored: redacted before they are cut, or half a secret would not be recognised */
  shown: { command: string; cwd: string };
  /** what the model may see: redacted, and cut only at a length at which the model is not asked */
  text: string;
  /** the shapes of what no rule knows in it; null if something in it has none */
  shapes: Learned[] | null;
  /** the files that could not be read, and why */
  problems: string[];
  /** whether the key covers all files that the command runs; if not, no allowance may be remembered */
  covered: boolean;
};

/**
 * What a person allows by letting a command run: its shapes in this work tree, and that the session reads these files of
 * secrets. Both are empty unless the person is asked.
 */
export type Yes = { shapes: readonly Learned[]; secrets: readonly string[] };

type CheckOutcome = {
  checked: CheckedCommand & { code: string };
  /** what to store: nothing has been stored yet */
  check: Check;
  /** whether to keep the model's verdict for the next time */
  remember: boolean;
  /** the commands of the line, with those of the scripts that it runs */
  invocations: readonly Invocation[];
  /** the files that the line makes and writes */
  own: OwnFiles;
  /** what the line brings from outside, and what a person lets pass by letting it run */
  brought: Brought;
  passing: Passing;
  yes: Yes;
};

/** The model has a shorter limit of its own; this one also ends the wait for a database that does not answer. */
const MODEL_PATIENCE_MS = 4_000;

/**
 * Judges a command. `decide` says who outranks whom. Files are read for the owner alone, because they lie on the owner's
 * machine.
 *
 * The database is needed only to use up a person's verdict that holds once, and for the user's first check
 * after a start. While it does not answer, the rules still decide. Never throws because of a command's
 * content.
 */
export async function checkCommand(
  services: CheckServices,
  claims: Claims,
  asked: Asked,
): Promise<CheckOutcome> {
  const start = performance.now();
  const { judged, seen } = await readCommand(services, asked, claims.role === 'owner');
  const { verdict: rules, key, shown, text, problems, covered } = judged;
  let decided = await decideAsKnown(services, claims, asked, judged);
  let remember = false;
  if (!decided) {
    const { line, bypassed } = asked;
    const about = { command: text, cwd: shown.cwd, parts: rules.parts, length: line.text.length };
    const opinion =
      asked.of || asked.forTool || isPersonal(rules)
        ? null
        : await within(services.judgeByModel(claims, about), MODEL_PATIENCE_MS);
    const mode = asked.forTool ? { failClosed: false } : { ...services.config, bypassed };
    decided = decide({ rules, opinion }, mode) as Decided;
    remember = opinion !== null && opinion.decision !== 'ask' && covered;
    if (remember) services.verdicts.add(claims.userId, key, modelVerdict(decided));
  }
  const { decision, source, rule = null, severity = null, cached, reason, shapes } = decided;
  const isAsked = decision === 'ask';
  const secrets = rules.parts.flatMap((part) => part.secrets ?? []);
  return {
    checked: toChecked(decided, key, problems),
    check: {
      ...{ key, tool: asked.of?.tool ?? null, ...shown, decision, source, rule, lessonId: null, severity },
      ...{ reason: redactText(reason), cached, covered, ms: performance.now() - start },
      ...(shapes && { shapes }),
    },
    remember,
    invocations: rules.withScripts,
    own: rules.own,
    yes: {
      shapes: (isAsked && source !== 'policy' && judged.shapes) || [],
      secrets: isAsked && source === 'policy' ? secrets : [],
    },
    ...seen,
  };
}

/**
 * Returns what is known of a command from the rules and from the files that it would run, and what the session learns by
 * it.
 *
 * @param reads whether files may be read: those on this machine are the owner's
 */
export async function readCommand(
  services: Reading,
  asked: Asked,
  reads: boolean,
): Promise<{ judged: Judged; seen: Pick<CheckOutcome, 'brought' | 'passing'> }> {
  const ruled = judgeOrRecall(services, asked, reads);
  const { verdict: inLight, ...seen } = inLightOfSession(asked, ruled.verdict);
  const verdict = reads && !asked.of ? await askWhatIsLost(inLight, asked.place) : inLight;
  // what came from outside is no part of what a person allowed before
  return { judged: { ...ruled, verdict, shapes: isPersonal(verdict) ? null : ruled.shapes }, seen };
}

/**
 * Returns what a person decided on a call that has a key of its own, see `callKey`; null if nobody did. A verdict that
 * holds once is used up.
 */
export async function personsVerdict(
  services: Pick<CheckServices, 'verdicts' | 'log'>,
  claims: Claims,
  key: string,
): Promise<'allow' | 'deny' | null> {
  const known = (await services.verdicts.of(claims)).get(key);
  if (known?.checkedBy !== 'person' || !(await useUp(services, claims, key, known))) return null;
  return known.decision;
}

/** Agents run the same commands again and again, so the last judgements are kept. Longer ones are seldom repeated. */
const MAX_KEPT_COMMAND = 2_000;
const MAX_KEPT_FILES = 40;
const kept = new LRUCache<string, { judged: Judged; looked: Looked }>({ max: 500 });

/** Returns the judgement of the same command in the same place, if no file that it looked at has changed since. */
function judgeOrRecall({ config, secret }: Reading, asked: Asked, reads: boolean): Judged {
  const { line, place, of } = asked;
  const at = [place.cwd, place.root, [...(place.shown ?? [])]];
  const key = JSON.stringify([line.text, secret, config.home, config.port, reads, of, ...at]);
  const before = kept.get(key);
  if (before && areUnchanged(before.looked)) return before.judged;
  const files = reads ? openFiles() : null;
  // a number of a process may mean another one the next time; another caller's processes are not on this machine
  const processes = reads ? openProcesses() : undefined;
  const judged = judge({ config, secret }, asked, files, processes);
  const looked: Looked = files ?? { seen: new Map(), links: new Map() };
  const isSmall = key.length <= MAX_KEPT_COMMAND && looked.seen.size + looked.links.size <= MAX_KEPT_FILES;
  if (isSmall && !processes?.asked) kept.set(key, { judged, looked });
  else kept.delete(key);
  return judged;
}

/** How many problems an answer names. */
const MAX_PROBLEMS = 20;

/**
 * Returns the verdict of the rules. Has no side effects, but reads the files that the command would run.
 *
 * @param files null: no file is looked at, and a command that runs one is unknown. Else a verdict would tell others than
 *   the owner what is on the machine
 */
function judge(
  { config, secret }: Reading,
  asked: Asked,
  files: Files | null,
  processes: ReturnType<typeof openProcesses> | undefined,
): Judged {
  const { line, of } = asked;
  const command = line.text;
  const ran = new Set<string>();
  const unread = new Set<string>();
  const read = (path: string) => {
    ran.add(path);
    if (!files) throw new Error('no files are read for this caller');
    try {
      return files.read(path);
    } catch (error) {
      unread.add((error as Error).message);
      throw error;
    }
  };
  const place = {
    ...asked.place,
    read,
    ...(files && {
      real: (path: string) => files.real(path),
      // below a file is nothing
      exists: (path: string) => ![ABSENT, 'ENOTDIR'].includes(files.stamp(path)),
    }),
    ...(processes && { processes }),
  };
  const { policy, problems } = files
    ? policyFor({ root: place.root, personal: config.home, port: config.port }, files)
    : { policy: builtinPolicy, problems: [] };
  const { verdict, text } = of ? judgeCall(of, line, place, policy) : judgeCommand(line, place, policy);
  // a person decides on the call as it is, and not on what it was read as
  const decidedOn = of ? `${of.tool}\n${of.text}` : command;
  const shown = { command: storedText(text), cwd: redactText(place.cwd) };
  const covered = files ? !files.exhausted && !processes?.asked : ran.size === 0;
  // a command with a secret, or with a part that is not shown, may be another one the next time
  const shaped = !of && text === command && shown.command === command && (files === null || covered);
  // what a known program reads decides nothing; what it runs was read
  const judgedBy = verdict.invocations.filter((_, i) => verdict.parts[i]?.decision !== 'allow');
  const shapes = shaped ? shapesOf(secret, verdict, place.root, files) : null;
  return {
    verdict,
    key: cacheKey(secret, decidedOn, judgedBy, place, files, ran),
    text,
    shown,
    shapes: shapes?.map((one) => ({ ...one, command, root: place.root })) ?? null,
    problems: [...problems, ...unread].slice(0, MAX_PROBLEMS).map(redactText),
    covered,
  };
}

/** Returns the verdict of a person, the rules or the memory; null when only the model can judge the command. */
async function decideAsKnown(
  services: CheckServices,
  claims: Claims,
  asked: Asked,
  { key, verdict: rules, covered, shapes }: Judged,
): Promise<Decided | null> {
  const verdicts = await services.verdicts.of(claims);
  const known = verdicts.get(key);
  const isAllowed = (one: Learned) => verdicts.get(one.key)?.decision === 'allow';
  const said = { rules, covered, shapes: !asked.forTool && shapes?.every(isAllowed) ? shapes : null };
  const decided = decide({ ...said, known }, services.config);
  const holds = decided?.source !== 'person' || !known || (await useUp(services, claims, key, known));
  return holds ? decided : decide(said, services.config);
}

/** How long a check waits for the database to use up a verdict that holds once. */
const SPEND_PATIENCE_MS = 1_000;

/**
 * Uses up a verdict, if it holds once. Returns false when it was used up before. While the database does not answer, a
 * deny holds and an allowance does not.
 */
async function useUp(
  { verdicts, log }: Pick<CheckServices, 'verdicts' | 'log'>,
  claims: Claims,
  key: string,
  { once, decision }: KnownVerdict,
): Promise<boolean> {
  if (!once) return true;
  const spent = await within(verdicts.spend(claims, key), SPEND_PATIENCE_MS).catch((error) => {
    log.warn({ error }, 'a verdict for once could not be looked up');
    return null;
  });
  return spent ?? decision === 'deny';
}
