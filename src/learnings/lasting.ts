import type { Resolution } from '../incidents/incidents.ts';
import { invocation, type Part, partsOf, setsVariables } from '../incidents/ladder.ts';
import { baseName } from '../shell/names.ts';
import { explanationIn } from './explanation.ts';

// Most errors of a working day teach nothing: a test is red before its code is written, a type error is put right where
// it was made, a commit is tried again after a hook reformatted the files. A lesson must transfer: it must help in
// another session, with another task. This file says which do.

/** `lasting` becomes a lesson, `doubtful` waits for a person's review, `local` is dropped. */
export type Lasting = { verdict: 'lasting' | 'doubtful' | 'local'; reason: string };

export type Question = {
  tool: string;
  /** the failed shell command; null for other tools */
  command: string | null;
  error: string;
  errorType: string | null;
  resolution: Resolution;
  /** files that the agent had written in this session before the error */
  ownFiles: string[];
  /** whether an earlier session of the project saw this error too */
  seenBefore: boolean;
};

/** Returns whether what answered an error helps beyond its task. */
export function isLasting(question: Question): Lasting {
  const { command, resolution } = question;
  const explanation = explanationIn(resolution.lastMessage ?? '', termsOf(resolution));
  const explained = explanation !== null;
  const parts = command === null ? [] : partsOf(command);
  if (command !== null && parts.length === 0) return local('the command only looked');
  if (resolution.kind === 'sibling') return lasting('another tool, or another input');
  const prepared = resolution.commands.filter((line) => !isRoutine(line));
  const configured = resolution.edits.filter(({ file }) => isConfig(file));
  const own = configured.length > 0 && configured.every(({ file }) => question.ownFiles.includes(file));
  const changed = command !== null && differs(command, resolution);
  if (/^CONFLICT |merge conflict|could not apply/im.test(question.error)) return local('a merge conflict');
  if (LINTING.test(question.error) && configured.length === 0 && (!changed || parts.every(isRoutinePart)))
    return local('a lint or format error');
  const waited = resolution.kind !== 'same' && partsOf(resolution.command ?? '').every(isWaiting);
  if (command !== null && (parts.every(isWaiting) || (waited && resolution.edits.length === 0)))
    return local('it only waited');
  if (isLintRun(parts) && !changed && prepared.length === 0 && configured.length === 0)
    return local('a lint or format error');
  if (
    resolution.said !== null &&
    /`[^`]+`|\buse\b|\brun\b/i.test(resolution.said) &&
    (changed || prepared.length > 0)
  )
    return lasting('the person told the way');
  if (changed && FORCED.test(resolution.command ?? '')) return doubtful('it was forced');
  if (prepared.length > 0) return lasting('a command had to run first');
  if (configured.length > 0 && !own) return lasting('a setting was changed');
  if (changed) return changedVerdict(question, explained);
  if (explained && (!isTest(parts) || OF_ALL.test(explanation)))
    return lasting('the agent explained a rule of the project');
  if (question.seenBefore && resolution.edits.length > 0) return lasting('the error has come back');
  if (own) return doubtful('a setting that this session had written itself');
  if (resolution.edits.length > 0) {
    return explained
      ? doubtful('a fix in the code, explained')
      : local('a fix in the code where it was made');
  }
  return local('it went away by itself');
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
    command,
    salient,
    errorType,
  }: { tool: string; command: string | null; salient: string; errorType: string | null },
  same: boolean,
): boolean {
  if (command === null) return !tool.startsWith('mcp__');
  const parts = partsOf(command);
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

function changedVerdict({ command, resolution, error }: Question, explained: boolean): Lasting {
  const way = difference(command ?? '', resolution.command ?? '');
  const programs = [command ?? '', resolution.command ?? ''].map((line) => partsOf(line).at(-1)?.program);
  // `gsed` after `sed`: a program that is there was meant
  const meant = programs[0] !== programs[1] && !/not found/i.test(error);
  if (!meant && isSlip(command ?? '', resolution.command ?? '')) return local('a slip of the pen');
  if (way === 'paths' && isLongerUrl(command ?? '', resolution.command ?? ''))
    return lasting('another address');
  if (way === 'paths') {
    if (explained && isWider(command ?? '', resolution))
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

/** Whether the address that worked ends like the one that failed: the same thing behind another base. */
function isLongerUrl(failed: string, worked: string): boolean {
  const path = (line: string) => /https?:\/\/[^\s/"']+(\/[^\s"'?]*)/.exec(line)?.[1] ?? '';
  const [one, other] = [path(failed), path(worked)];
  return one.length > 1 && other.length > one.length && other.endsWith(one);
}

/**
 * Whether the same line worked with fewer arguments, such as without some files, and nothing was done in
 * between.
 */
function isWider(failed: string, { command: worked, edits, commands }: Resolution): boolean {
  const words = (line: string) => partsOf(line).at(-1)?.args ?? [];
  const [from, to] = [words(failed), words(worked ?? '')];
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
export function differs(command: string, { kind, command: worked, edits }: Resolution): boolean {
  if (kind === 'same' || worked === null) return false;
  const way = difference(command, worked);
  // with the code changed too, `pnpm vitest` after `npx vitest` is only another way to say the same
  return way !== null && (way !== 'wrapper' || edits.length === 0);
}

/**
 * Returns the version in `program@version`, as a line asks a package runner for it; undefined if the line has
 * none.
 */
const versionOf = (program: string, line: string): string | undefined =>
  line
    .split(/[\s;&|]+/)
    .find((word) => word.includes(`${program}@`))
    ?.split('@')
    .at(-1);

/** How the line that worked differs from the one that failed. */
type Way = 'program' | 'environment' | 'preparation' | 'option' | 'paths' | 'wrapper';

/** Returns how two command lines differ; null if they run the same. */
function difference(failed: string, worked: string): Way | null {
  const wanted = partsOf(failed);
  const done = partsOf(worked);
  const aim = wanted.at(-1);
  const like = aim && done.find((part) => invocation(part) === invocation(aim));
  if (!aim || !like) return 'program';
  const isElsewhere = (part: Part, one: Part) =>
    part.path !== one.path &&
    baseName(part.path) === baseName(one.path) &&
    invocation(part) === invocation(one);
  if (done.some((part) => wanted.some((one) => isElsewhere(part, one)))) return 'program';
  if (like.env.some((one) => !aim.env.includes(one)) || /\bexport\s+\w+=/.test(worked)) return 'environment';
  if (PREPARED.test(worked) && (!PREPARED.test(failed) || folderOf(worked) !== folderOf(failed)))
    return 'preparation';
  const extra = done.filter(
    (part) => part !== like && !wanted.some((one) => invocation(one) === invocation(part)),
  );
  if (extra.some((part) => !isRoutinePart(part))) return 'preparation';
  const isOption = (arg: string) => arg.startsWith('-');
  const options = (args: string[]) => args.filter(isOption).join(' ');
  const aside = (args: string[]) => args.filter((arg) => !isOption(arg));
  if (options(like.args) !== options(aim.args)) return hasOnlyQuiet(like, aim) ? null : 'option';
  const [from, to] = [aside(aim.args), aside(like.args)];
  if (from.join(' ') === to.join(' ')) {
    if (aroundOf(like) !== aroundOf(aim)) return 'wrapper';
    // `npx wrangler@3` after `npx wrangler@latest`
    if (versionOf(aim.program, failed) !== versionOf(aim.program, worked)) return 'program';
    // what runs before it may differ: `uv add 'httpx<0.28' && uv run main.py`
    const changed = done.some(
      (part) =>
        part !== like &&
        !isRoutinePart(part) &&
        !wanted.some(
          (one) => invocation(one) === invocation(part) && one.args.join(' ') === part.args.join(' '),
        ),
    );
    return changed ? 'preparation' : null;
  }
  return to.concat(from).every((arg) => PATH.test(arg) || from.includes(arg) === to.includes(arg))
    ? 'paths'
    : 'option';
}

const PREPARED = /(?:^|[;&|]\s*)(?:source|\.|cd)\s/;
const folderOf = (line: string): string => /^cd (\S+?)\/? &&/.exec(line)?.[1] ?? '';

/** Returns the wrappers and runners of a command, without those that only watch it. */
const aroundOf = ({ around }: Part): string => (WATCHERS.has(around[0] ?? '') ? '' : around.join(' '));
const WATCHERS = new Set(['time', 'timeout', 'nice', 'nohup', 'stdbuf', 'command', 'exec']);

const PATH = /^[\w@./:*-]+$/;
const QUIET =
  /^(?:-q|-v+|-vv|--quiet|--verbose|--silent|-s|--no-color|--color(?:=\w+)?|-x|--bail|-t|--lf|--reporter.*|--tb.*)$/;
/**
 * Short options that make a test runner quiet, but take a value in other programs: `dotnet ef -s src/Web`.
 */
const SHORT = /^-[stx]$/;

/** Whether two commands differ in options that only change what is shown. */
function hasOnlyQuiet(a: Part, b: Part): boolean {
  const more = (one: Part, other: Part) =>
    one.args.flatMap((arg, i) => {
      if (other.args.includes(arg)) return [];
      const value = one.args[i + 1] ?? '-';
      return arg.startsWith('-')
        ? [{ arg, value: !value.startsWith('-') && !other.args.includes(value) }]
        : [];
    });
  const extra = [...more(a, b), ...more(b, a)];
  return (
    extra.length > 0 &&
    extra.every(({ arg, value }) => QUIET.test(arg) && !(SHORT.test(arg) && value && !isTest([a])))
  );
}

/** Commands that format, stage, wait, or put back: they belong to any work and teach nothing. */
const ROUTINE = [
  /^(?:prettier|eslint|biome|ruff|black|isort|gofmt|goimports|rubocop|rustfmt|stylelint|dprint|autopep8|php-cs-fixer|ktlint|swiftformat|clang-format|terraform fmt|cargo fmt|go fmt|dotnet format|mix format|npm run (?:format|lint|fix)\S*|pnpm (?:run )?(?:format|lint|fix)\S*|yarn (?:format|lint|fix)\S*|make (?:format|fmt|fix))\b/,
  /^git (?:add|checkout|restore|commit|reset|mv|rm|clean|rebase|merge|cherry-pick|apply)\b/,
  /^(?:docker|podman) (?:container )?(?:rm|stop|kill)\b/,
  /^(?:sleep|wait|mkdir|touch|true|open|code|mv|cp|rm|sed|perl|awk|tee|cat|patch|node -e|python -c)\b/,
];

/** A file that is copied from an example, or taken away because it stood in the way, is a preparation. */
const PREPARES =
  /\.(?:example|sample|template|dist)\b|\.lock\b|\brm -rf? \S*(?:cache|node_modules|\.next|dist|target|build)\b/;
/** Signing existing commits is a preparation too. */
const SIGNS =
  /\bgit (?:commit\b(?=.*\s--amend\b).*\s-s|(?:commit\b(?=.*\s--amend\b)|rebase\b).*\s(?:-S|--signoff|--gpg-sign))(?!\w)/;

/**
 * Whether all commands of a line are routine, so that the line teaches nothing. Preparations are not routine.
 */
export function isRoutine(line: string): boolean {
  if (PREPARES.test(line) || SIGNS.test(line) || setsVariables(line)) return false;
  return partsOf(line).every(isRoutinePart);
}

const isRoutinePart = ({ program, args }: { program: string; args: string[] }): boolean =>
  ROUTINE.some((pattern) => pattern.test(`${program} ${args.join(' ')}`));

/** Files that say how a project is built, run or checked. */
const CONFIG =
  /(?:^|\/)(?:package\.json|(?:global|nx|turbo|angular|lerna|vercel|firebase|deno|renovate|project|workspace|appsettings\S*|devcontainer)\.jsonc?|pyproject\.toml|setup\.(?:cfg|py)|cargo\.toml|go\.mod|gemfile|composer\.json|makefile|justfile|dockerfile\S*|\S*compose\S*\.ya?ml|\.[\w.-]*rc(?:\.\w+)?|\.env\S*|\.nvmrc|\.tool-versions|\.npmrc|\.gitignore|\.dockerignore|[\w.-]*config[\w.-]*\.\w+|[\w.-]+\.(?:toml|ini|cfg|conf|properties|gradle|kts|tf|tfvars|csproj|cmake|ya?ml|xml|plist|podspec|lock)|CMakeLists\.txt|Package\.swift|mix\.exs|build\.sbt|requirements\S*\.txt|BUILD(?:\.bazel)?|WORKSPACE|config\/\S+|\.github\/\S+|tsconfig\S*\.json|\w*settings\S*\.(?:py|json))$/i;

export const isConfig = (file: string) => CONFIG.test(file);

/** Commands that do nothing but wait for something. */
const WAITING =
  /\bkubectl\b.*\s(?:wait|rollout status)\b|\bpg_isready\b|\bwait-(?:on|for)\b|\bgh run watch\b/;

const isWaiting = ({ program, args }: Pick<Part, 'program' | 'args'>): boolean =>
  WAITING.test(`${program} ${args.join(' ')}`);

/** What linters and formatters print. */
const LINTING =
  /code style issues|would reformat|reformatted|files? (?:were|was) modified by this hook|✖ \d+ problems?|\d+ problems? \(\d+ errors?|no-unused-vars|prettier\/prettier|\b[EFW]\d{3,4}\b.*(?:unused|line too long|whitespace)|run prettier|gofmt|rustfmt|trailing whitespace|formatting issues/i;

const isLintRun = (parts: readonly Pick<Part, 'program' | 'args'>[]): boolean =>
  parts.length > 0 &&
  parts.every(
    ({ program, args }) =>
      /^(?:eslint|prettier|ruff|black|isort|flake8|stylelint|biome|rubocop|gofmt|tsc|mypy|pyright)$/.test(
        program,
      ) || /\b(?:lint|format|fmt)\b/.test(args.join(' ')),
  );

const isTest = (parts: readonly Pick<Part, 'program' | 'args'>[]): boolean =>
  parts.some(({ program, args }) =>
    /\b(?:pytest|jest|vitest|mocha|rspec|phpunit|ctest|tests?)\b/.test(
      `${program} ${args.slice(0, 2).join(' ')}`,
    ),
  );

/** Returns the words of a fix. A sentence that contains one of them may explain the fix. */
export function termsOf({ command, commands, edits }: Resolution): string[] {
  const lines = [...commands, command ?? ''];
  const words = lines
    .flatMap((line) => line.split(/[\s='"`;&|()]+/))
    .filter((word) => /[a-z]{3}/i.test(word));
  const files = edits.map(({ file }) => file.split('/').at(-1) ?? file);
  const changed = edits.flatMap(({ before, after }) =>
    (after ?? '')
      .split(/[\s"'`,;:(){}]+/)
      .filter((word) => word.length > 3 && !(before ?? '').includes(word)),
  );
  return [...new Set([...words, ...files, ...changed])];
}
