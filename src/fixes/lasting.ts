import type { Resolution } from '../incidents/incidents.ts';
import type { Edit } from '../incidents/steps.ts';
import { type Line, readLine } from '../shell/line.ts';
import { takesFields } from '../shell/shell-tools.ts';
import { objectIn } from '../text/json.ts';
import {
  curesAmong,
  isAsPlain,
  isFetched,
  isOtherQuestion,
  isSamePart,
  namesAny,
  testsTheSame,
} from './deeds.ts';
import { difference, folderOf } from './difference.ts';
import { explanationIn, termsOf } from './explanation.ts';
import { isConfig, isLintRun, isOfCode, isTest, isWaiting, LINTING, MENDS } from './kinds.ts';
import { isLongerUrl, isOneOff, isOtherAddress, momentOf, momentOfInput, onlyCodeDiffers } from './moment.ts';
import { isRoutinePart } from './routine.ts';

export { isRoutine } from './routine.ts';

// Most errors of a working day teach nothing: a test is red before its code is written, a type error is put right where
// it was made, a commit is tried again after a hook reformatted the files. A lesson must transfer: it must help in
// another session, with another task. This file says which do.

/** `lasting` becomes a lesson, `doubtful` waits for a person's review, `local` is dropped. */
export type Lasting = { verdict: 'lasting' | 'doubtful' | 'local'; reason: string };

export type Question = {
  tool: string;
  /** the line that failed; null for other tools */
  line: Line | null;
  /** what the tool worked on, for tools without a command */
  target?: string | null;
  error: string;
  errorType: string | null;
  resolution: Resolution;
  /** files that the agent had written in this session before the error */
  ownFiles: string[];
  /** whether an earlier session of the project saw this error too */
  seenBefore: boolean;
  /** the work tree */
  root?: string | null;
};

/** Returns whether what answered an error helps beyond its task. */
export function isLasting(question: Question): Lasting {
  const { line, resolution, error, tool } = question;
  const parts = line?.parts ?? [];
  if (line !== null && parts.length === 0) return local('the command only looked');
  const answer = answerTo(question, resolution);
  const { cures, settings, changed } = answer;
  const acted = changed || cures.length + resolution.edits.length > 0;
  const moment = momentOf({ tool, line, error, acted });
  if (moment !== null) return local(moment);
  if (resolution.kind === 'sibling') return siblingVerdict(question);
  // what was run before may have helped or not: only another line that works tells something
  if (SAYS_NOTHING.test(error) && !changed) return local('the error says nothing');
  const own = settings.length > 0 && settings.every(({ file }) => question.ownFiles.includes(file));
  const explanation = explanationIn(resolution.lastMessage ?? '', termsOf(resolution));
  const explained = explanation !== null;
  if (LINTING.test(error) && settings.length === 0 && (!changed || parts.every(isRoutinePart)))
    return local('a lint or format error');
  const waited = resolution.kind !== 'same' && readLine(resolution.command ?? '').parts.every(isWaiting);
  if (line !== null && (parts.every(isWaiting) || (waited && resolution.edits.length === 0)))
    return local('it only waited');
  const mended = !changed || MENDS.test(resolution.command ?? '');
  if (isLintRun(parts) && mended && cures.length === 0 && (settings.length === 0 || own))
    return local('a lint or format error');
  if (isToldBy(resolution, answer)) return lasting('the person told the way');
  if (changed && FORCED.test(resolution.command ?? '')) return doubtful('it was forced');
  if (cures.length > 0) return lasting('a command had to run first');
  if (settings.length > 0 && !own) return lasting('a setting was changed');
  if (changed) return changedVerdict(question, explained);
  if (own) return doubtful('a setting that this session had written itself');
  if (resolution.edits.length > 0) return codeVerdict(question, explanation);
  return local('it went away by itself');
}

/** An error that shows nothing but an exit code. */
const SAYS_NOTHING = /^\s*(?:Error: )?(?:Exit code -?\d+|failed without a message|error)?\s*$/i;

/** The parts of a resolution that may have been the cure. */
export type Answer = {
  cures: Line[];
  /** edits of files that say how the project is built, run or checked */
  settings: Edit[];
  /** whether another line worked */
  changed: boolean;
};

/** Returns the parts of a resolution that may have been the reason why the call passes. */
export function answerTo(
  { line, error, errorType }: { line: Line | null; error: string; errorType?: string | null },
  resolution: Resolution,
): Answer {
  const parts = line?.parts ?? [];
  // what a server of code answers does not depend on a file of the work tree
  const asksHost = parts.length > 0 && parts.every(({ program }) => program === 'gh' || program === 'glab');
  const settings = asksHost ? [] : resolution.edits.filter(({ file }) => isConfig(file));
  const cures = curesAmong(resolution.commands.map(readLine), line, error);
  // red code that was written on: what else was done meanwhile is not the reason, unless the error names it
  const wroteCode =
    isOfCode(parts, errorType ?? null) && resolution.edits.some(({ file }) => !isConfig(file));
  const changed = line !== null && differs(line, resolution);
  return {
    cures: wroteCode ? cures.filter(({ text }) => namesAny(error, text)) : cures,
    settings: wroteCode
      ? settings.filter(({ file, before, after }) =>
          namesAny(error, `${file} ${before ?? ''} ${after ?? ''}`),
        )
      : settings,
    changed: changed && !(wroteCode && isByTheWay(line, resolution, error)),
  };
}

/**
 * Whether a line that worked after the code had been put right differs from the one that failed by the way: in an option
 * or a path that neither the error nor the agent names.
 */
function isByTheWay(failed: Line, { command, lastMessage }: Resolution, error: string): boolean {
  const worked = command ?? '';
  const way = difference(failed, readLine(worked));
  if (way === 'environment' || way === 'program') return false;
  const more = worked.split(/[\s=]+/).filter((word) => !failed.text.includes(word));
  return (
    !namesAny(error, more.join(' ')) &&
    explanationIn(
      lastMessage ?? '',
      more.filter((word) => word.length > 2),
    ) === null
  );
}

/** Whether the person named what was done: a command, or a word of the line that worked. */
function isToldBy({ said, command, kind }: Resolution, { cures, changed }: Answer): boolean {
  if (said === null || !/`[^`]+`|\buse\b|\brun\b/i.test(said) || !(changed || cures.length > 0)) return false;
  const words =
    [...cures.map(({ text }) => text), changed && kind !== 'same' ? (command ?? '') : '']
      .join(' ')
      .match(/[\w./:@=-]{3,}/g) ?? [];
  return words.some((word) => said.includes(word));
}

/** The verdict about another tool of a server, or another input of the tool. */
function siblingVerdict({ tool, target, resolution }: Question): Lasting {
  const inputs = [target ?? '', (resolution.command ?? '').slice(tool.length)].map(objectIn);
  const [failed, worked] = inputs;
  const same = (resolution.command ?? '').startsWith(`${tool} `);
  const moment = same && failed && worked ? momentOfInput(failed, worked) : null;
  return moment === null ? lasting('another tool, or another input') : local(moment);
}

/** The verdict about changes of the code. They last only if they follow a rule of the project. */
function codeVerdict(
  { line, error, errorType, resolution, seenBefore }: Question,
  explanation: string | null,
): Lasting {
  const ofAll = explanation !== null && OF_ALL.test(explanation);
  if (ofAll) return lasting('the agent explained a rule of the project');
  const parts = line?.parts ?? [];
  const where = `${error} ${line?.text ?? ''}`;
  // the error, or the line, names the file that was put right
  const inPlace = resolution.edits.some(({ file }) => where.includes(file.split('/').at(-1) ?? file));
  if (isOfCode(parts, errorType) || inPlace) return local('a fix in the code where it was made');
  if (explanation !== null) return lasting('the agent explained a rule of the project');
  return seenBefore ? lasting('the error has come back') : local('a fix in the code where it was made');
}

/**
 * Returns whether an error that nothing solved belongs to its task, so that no other session needs to hear of it: a red
 * test, a lint error, code that does not compile yet.
 *
 * @param same whether exactly this error is back. Then even an error of a compiler or a test may concern
 *   another session
 */
export function isOfTask(
  {
    tool,
    line,
    salient,
    errorType,
  }: { tool: string; line: Line | null; salient: string; errorType: string | null },
  same: boolean,
): boolean {
  if (line === null) return !takesFields(tool);
  const { parts } = line;
  return (
    parts.length === 0 ||
    isTest(parts) ||
    isLintRun(parts) ||
    LINTING.test(salient) ||
    /^CONFLICT |merge conflict|could not apply/im.test(salient) ||
    (!same && /^(?:TS\d+|compile error|build failure|test failure)$/.test(errorType ?? ''))
  );
}

const lasting = (reason: string): Lasting => ({ verdict: 'lasting', reason });
const doubtful = (reason: string): Lasting => ({ verdict: 'doubtful', reason });
const local = (reason: string): Lasting => ({ verdict: 'local', reason });

function changedVerdict({ line, resolution, error, root }: Question, explained: boolean): Lasting {
  const [failed, worked] = [line ?? readLine(''), readLine(resolution.command ?? '')];
  if (onlyCodeDiffers(failed, worked)) return local('code that was written for this one time');
  if (isOneOff(failed)) return local('a script of this one time');
  if (isOtherAddress(failed.text, worked.text)) return local('another address');
  if (isOtherQuestion(failed, worked)) return local('another question to a server');
  if (/^No tests? /m.test(error) && !testsTheSame(failed.text, worked.text))
    return local('other tests were run');
  if (isFetched(failed.text, worked.text, error))
    return local('it fetched a program that the project does not have');
  const way = difference(failed, worked);
  if (
    way === 'preparation' &&
    root &&
    folderOf(worked.text) === root &&
    folderOf(failed.text) !== root &&
    worked.parts.length <= failed.parts.length
  )
    return local('the shell stood in another folder');
  const programs = [failed, worked].map(({ parts }) => parts.at(-1)?.program);
  // `gsed` after `sed`: a program that is there was meant
  const meant = programs[0] !== programs[1] && !/not found/i.test(error);
  if (!meant && isSlip(failed.text, worked.text)) return local('a slip of the pen');
  if (way === 'paths' && isLongerUrl(failed.text, worked.text)) return lasting('another address');
  if (way === 'first command' && !explained) return local('other files');
  if (way === 'paths') {
    if (explained && isWider(failed, worked, resolution))
      return lasting('the whole instead of a part, explained');
    if (NOT_THERE.test(error) || resolution.edits.length > 0) {
      return explained ? doubtful('another path, explained') : local('another path, or a part of the run');
    }
    return explained ? lasting('another argument, explained') : doubtful('another argument');
  }
  return lasting(`another ${way}`);
}

/**
 * Words that make an explanation hold for all things of a kind in the project: “component tests here carry
 * …”.
 */
const OF_ALL =
  /\b\w+s (?:here|in this (?:repo|repository|project|codebase|package))\b|\bin this (?:repo|repository|project|codebase) (?:all|every|each)\b/i;

/** Ways around a safeguard. They work, but they must not become lessons without a person's consent. */
export const FORCED =
  /\bgit\b[^;&|)]*\s(?:--force|-f|--no-verify|--hard)(?![\w-])|\brm -rf\b|\bsudo\b(?! (?:-\w+ )*(?:apt|apt-get|dnf|yum|apk|pacman|zypper|snap|systemctl|service)\b)|--(?:privileged|insecure|no-check-certificate)\b|\bcurl\b.*\s-k\b/;
/**
 * Whether two lines differ by one or two letters, as after a typing error. Other numbers (versions, ports) do
 * not count.
 */
function isSlip(failed: string, worked: string): boolean {
  let start = 0;
  while (start < failed.length && failed[start] === worked[start]) start++;
  let end = 0;
  while (
    end < failed.length - start &&
    end < worked.length - start &&
    failed.at(-1 - end) === worked.at(-1 - end)
  )
    end++;
  const [one, other] = [failed.slice(start, failed.length - end), worked.slice(start, worked.length - end)];
  return Math.max(one.length, other.length) <= 2 && !/[\d\s<>=~^*+-]/.test(one + other);
}

/**
 * Whether the same line worked with fewer arguments, such as without some files, and nothing was done in
 * between.
 */
function isWider(failed: Line, worked: Line, { edits, commands }: Resolution): boolean {
  const [from, to] = [failed, worked].map(({ parts }) => parts.at(-1)?.args ?? []) as [string[], string[]];
  return (
    edits.length + commands.length === 0 && to.length < from.length && to.every((word) => from.includes(word))
  );
}

const NOT_THERE =
  /no such file|not found|cannot find|does not exist|ENOENT|no tests? (?:files? )?found|did not match/i;

/**
 * Whether the line that worked is another than the one that failed, and not only a part of it or the same
 * with other output.
 */
function differs(failed: Line, { kind, command, edits }: Resolution): boolean {
  // a part of a line that works says nothing about the rest
  if (kind === 'same' || kind === 'part' || command === null) return false;
  const worked = readLine(command);
  const [wanted, done] = [failed.parts, worked.parts];
  const aim = wanted.at(-1);
  if (
    wanted.length > done.length &&
    aim &&
    done.every((part) => wanted.slice(0, -1).some((one) => isSamePart(one, part) && isAsPlain(part, one)))
  )
    return false;
  const way = difference(failed, worked);
  // with the code changed too, `pnpm vitest` after `npx vitest` is only another way to say the same
  return way !== null && (way !== 'wrapper' || edits.length === 0);
}
