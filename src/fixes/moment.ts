import type { Line } from '../shell/line.ts';
import { programs } from '../shell/lists.ts';
import type { Part } from '../shell/parts.ts';

// Many errors are about the moment: a branch that exists already, a lock that another process holds, an element of a page
// that has changed, code that was written into the line for this one time. What answered them helps nobody next week.
// This file knows these classes, by the program that failed and by what changed until it passed.

/** What git and the hosts of code say about branches, commits and work trees as they are at the moment. */
const GIT_MOMENT = [
  'already exists',
  'fetch first|non-fast-forward|tip of your current branch is behind|divergent branches|have diverged',
  'index\\.lock|another git process',
  'would be overwritten by|uncommitted changes|unstaged changes|local changes|unmerged (?:files|paths)',
  'unknown revision|bad revision|bad object|ambiguous argument|not a valid object name|invalid object name',
  "couldn't find remote ref|pathspec .* did not match|not something we can merge|no such (?:ref|branch)|not a commit",
  'nothing to commit|no changes added|nothing added to commit|working tree clean|no local changes',
  'already (?:checked out|up to date)|is not fully merged|cannot delete branch',
  'no upstream branch|has no upstream|no tracking information',
  'a pull request for branch .* already exists|no commits between|could not resolve to a|no pull requests found',
  'index does not match|patch does not apply|patch failed|corrupt patch|no rebase in progress|no merge to abort',
  'failed to fill whole buffer|agent refused operation',
].map((text) => new RegExp(text, 'i'));

/** Programs that put files about, and what they say about a file that is there or is not. */
const FILES = programs('file-movers');
const FILES_MOMENT =
  /no such file|cannot (?:stat|open|remove)|file exists|not empty|is a directory|not a directory|same file/i;

/** What fails because of how the network, a machine or a server is just now. */
const PASSING =
  /\b(?:timed? ?out|ETIMEDOUT|ECONNRESET|EAI_AGAIN|socket hang up|connection reset|temporary failure|try again later|too many requests|rate limit(?:ed| exceeded)?|(?:502|503|504)\b.*(?:gateway|unavailable|timeout)|service unavailable|could not resolve host)\b/i;

/** What tools that drive a browser say about an element of the page as it is at the moment. */
const PAGE_MOMENT =
  /\bref\b.*not found|locator|selector|element|snapshot|navigat|timeout|detached|not visible|intercepts pointer|execution context|target (?:page|closed)|strict mode violation|no open (?:page|tab)|modal state/i;
/** What shells and filters say about the text of a line itself. */
const LINE_SYNTAX =
  /failed to parse jq|^jq: (?:error: (?:syntax|.*unexpected)|\d+ compile error)|\bsed: -e expression|^awk: .*syntax|\bgrep: .*(?:unmatched|invalid|repetition-operator|empty)|(?:ba|z|da)?sh: .*(?:syntax error|unexpected (?:EOF|end of file)|unmatched|parse error)|^\(eval\):\d+: (?:parse error|unmatched|no matches found|bad (?:pattern|substitution))|^zsh: (?:parse error|no matches found)|here-document at line/im;
const BROWSER = /^mcp__.*(?:playwright|puppeteer|browser|chrome|devtools|selenium|webdriver)/i;

/**
 * Returns why an error is about the moment; null if it is not.
 *
 * @param call.acted whether something was done that may have answered it
 */
export function momentOf(call: {
  tool: string;
  line: Line | null;
  error: string;
  acted: boolean;
}): string | null {
  const { tool, line, error, acted } = call;
  if (/^CONFLICT |merge conflict|could not apply/im.test(error)) return 'a merge conflict';
  if (line !== null && LINE_SYNTAX.test(error)) return 'a slip in a line that was written for this one time';
  if (BROWSER.test(tool) && PAGE_MOMENT.test(error)) return 'the page as it was at the moment';
  const parts = line?.parts ?? [];
  if (FILES.has(parts.at(-1)?.program ?? '') && FILES_MOMENT.test(error))
    return 'the files as they were at the moment';
  const ofGit = parts.some(({ program }) => program === 'git' || program === 'gh' || program === 'glab');
  if (ofGit && GIT_MOMENT.some((pattern) => pattern.test(error)))
    return 'the branches as they were at the moment';
  if (!acted && PASSING.test(error)) return 'the network, or a machine, as it was at the moment';
  return null;
}

/** Options of programs that take code: `python -c`, `node -e`, `gh api --jq`. */
const CODE_OPTION = /^(?:-c|-e|-p|-pe|-r|--eval|--command|--execute|--jq|-q|--query|--template|-t|-E)$/;
const CODED = programs('take-code');
/** Text that is code and not a name, a path or an option. */
const CODE = /\n|[;{}]|\bselect\b.*\bfrom\b|=>|\bimport \w|\bprint\(|\.\w+\(|^\.[\w[]|\|\s*\w+\(/is;

/**
 * Whether two lines differ only in code that was written into them: an ad-hoc query, `python -c`, a filter of jq. Quotes
 * around names, and the name of a schema before them, are no difference of code, because the next query needs them too.
 */
export function onlyCodeDiffers(failed: Line, worked: Line): boolean {
  const [from, to] = [failed.parts, worked.parts];
  if (from.length === 0 || from.length !== to.length) return false;
  const masked = (part: Part) => [
    ...part.env,
    part.path,
    ...part.args.map((arg, i) => (isCode(part, arg, i) ? '<code>' : arg)),
  ];
  const same = from.every((part, i) => masked(part).join('\0') === masked(to[i] as Part).join('\0'));
  const hasCode =
    from.some((part) => part.args.some((arg, i) => isCode(part, arg, i))) || failed.text.includes('<<');
  return same && hasCode && !onlyQuotesDiffer(failed.text, worked.text);
}

const isCode = ({ program, args }: Part, arg: string, i: number): boolean =>
  CODED.has(program) && (CODE_OPTION.test(args[i - 1] ?? '') || CODE.test(arg)) && !arg.startsWith('-');

const onlyQuotesDiffer = (a: string, b: string): boolean => {
  const plain = (text: string) =>
    text
      .replace(/["'`\\]|\b[a-z_]\w*\.(?=[\w"])/gi, '')
      .replace(/\s+/g, ' ')
      .toLowerCase();
  return plain(a) === plain(b);
};

/** Fields of an input that hold code: a query, a script. */
const CODE_FIELD =
  /^(?:sql|query|code|script|function|expression|statement|jql|cql|jq|body|text|content|command|pageFunction)$/i;
/** A value that names a thing of the moment: an element of a page, a place on it. */
const MOMENTARY = /^(?:[a-z]{1,3}\d+(?:[a-z_]\d+)*|\d+)$/;

/** Returns why the input that worked teaches nothing about the next call; null if it may teach something. */
export function momentOfInput(
  failed: Record<string, unknown>,
  worked: Record<string, unknown>,
): string | null {
  const keys = [...new Set([...Object.keys(failed), ...Object.keys(worked)])];
  const changed = keys.filter((key) => JSON.stringify(failed[key]) !== JSON.stringify(worked[key]));
  const both = changed.filter((key) => key in failed && key in worked);
  if (both.length === 0 || both.length < changed.length) return null;
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  if (both.every((key) => CODE_FIELD.test(key) && !onlyQuotesDiffer(text(failed[key]), text(worked[key]))))
    return 'a query or code of this one time';
  if (both.every((key) => MOMENTARY.test(text(failed[key])) && MOMENTARY.test(text(worked[key]))))
    return 'a thing of the moment';
  return null;
}

/** Whether a script that failed lies in a folder for temporary files: it was written for this one time. */
export const isOneOff = (line: Line): boolean =>
  line.parts.some(({ path, args }) =>
    [path, args[0] ?? ''].some((file) =>
      /^(?:\/private)?\/(?:tmp|var\/folders|dev\/shm)\/\S+\.\w+$/.test(file),
    ),
  );

/** Whether two lines ask different hosts. What one host answers says nothing about the other. */
export function isOtherAddress(failed: string, worked: string): boolean {
  const host = (line: string) => /https?:\/\/([^\s/"':]+)/.exec(line)?.[1];
  const [one, other] = [host(failed), host(worked)];
  return one !== undefined && other !== undefined && one !== other && !isLongerUrl(failed, worked);
}

/** Whether the address that worked ends like the one that failed: the same thing behind another base. */
export function isLongerUrl(failed: string, worked: string): boolean {
  const path = (line: string) => /https?:\/\/[^\s/"']+(\/[^\s"'?]*)/.exec(line)?.[1] ?? '';
  const [one, other] = [path(failed), path(worked)];
  return one.length > 1 && other.length > one.length && other.endsWith(one);
}
