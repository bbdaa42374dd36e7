import { stopWords } from '../language/stop-words.ts';
import { type Line, readLine } from '../shell/line.ts';
import { programs } from '../shell/lists.ts';
import { baseName } from '../shell/names.ts';
import { invocation, type Part, plainTask } from '../shell/parts.ts';
import { purposeOf } from '../shell/purposes.ts';
import { onlyCodeDiffers } from './moment.ts';
import { isRoutine } from './routine.ts';

// Between an error and the call that passed, a session does many things: it looks around, runs other checks, pushes,
// answers a review. Only some of that can be the reason why the call passes now. A lesson that lists the rest is noise,
// and one that advises to run the failed line before the failed line is worse. So this file says which commands may
// have been the cure.

/** Purposes of commands that only show whether the work is right. A build is not among them: it leaves something. */
const CHECKING = new Set(['test', 'lint', 'check', 'format']);

/** Purposes of commands that make ready what others need. */
const PREPARING = new Set(['install', 'migrate', 'generate', 'seed', 'build', 'start', 'deploy']);

/** Words by which a command makes something ready, whatever its program is. */
const PREPARES = new Set(
  (
    'init login auth setup bootstrap configure config enable register trust unlock allow grant create link pull use ' +
    'set restore update upgrade reset fix-perms prepare provision wait stop down prune clean clear kill chmod chown ' +
    'fetch download sync import load add switch select apply convert bind mount export approve accept signin sign-in ' +
    'deps assets codegen compile prebuild warm warmup flush tunnel port-forward connect rehash reshim repair unset'
  ).split(' '),
);

/** Programs that talk to a server of code: what they do concerns the moment, unless the call that failed is one of them. */
const HOSTS = programs('hosts');

/** Subcommands of git that record or send work. They answer only errors about git or a host. */
const RECORDS =
  /^(?:git (?:push|commit|add|checkout|switch|merge|rebase|tag|branch|stash|fetch|pull|worktree)|(?:gh|glab) (?:pr|mr|issue|release) (?:create|comment|edit|merge|review|close|ready|note))\b/;

/** Commands that write a new dependency into the manifest: the next session has it. */
const ADDS =
  /^(?:(?:npm (?:i|install|add)|pnpm (?:i|install|add)|bun (?:i|install|add)|yarn (?:workspace \S+ )?add|uv add|poetry add|pdm add|cargo add|go get|bundle add|composer require|dotnet add|mix igniter\.install|expo install)\b)(?!.*\s(?:-g|--global)\b)/;

const addsDependency = ({ program, args }: Part): boolean =>
  ADDS.test([program, ...args].join(' ')) &&
  (!/^(?:npm|pnpm|bun)$/.test(program) ||
    args.slice(1).some((arg) => /^@?[a-z]/i.test(arg) && !/^(?:-|\.\/)/.test(arg)));

/** Statements of a query that change something. */
const WRITES =
  /\b(?:insert|update|delete|create|alter|drop|grant|revoke|truncate|set|vacuum|refresh|call)\b/i;

/** Words that say nothing about what a command is about. */
const COMMON = stopWords('commands');

/**
 * Returns the commands of a resolution that may have been the reason why the failed call passes now: none that holds or
 * repeats the failed one, that only checks or looks, or that has nothing to do with it.
 *
 * @param failed the line that failed; null for other tools
 * @param error the lines of its error that matter
 */
export function curesAmong(commands: readonly Line[], failed: Line | null, error: string): Line[] {
  const able = commands
    .map((line) => withoutFailed(line, failed))
    .filter(
      (line) =>
        line.text !== '' &&
        !isRoutine(line) &&
        !(line.parts.length > 0 && line.parts.every(addsDependency)) &&
        !(failed !== null && onlyCodeDiffers(failed, line) && !WRITES.test(line.text)) &&
        !repeats(line, failed) &&
        !onlyChecks(line, failed) &&
        !isProbe(line, failed),
    );
  const about = tellingWords(`${failed?.text ?? ''} ${error}`);
  const related = able.filter((line) => isPreparation(line) || isAbout(line.text, about));
  // a single deed is the likeliest reason, whatever it is about
  return withoutTries(related.length > 0 || able.length > 1 ? related : able);
}

/** Returns the lines without those that were tried again in another way: of two that do the same, the last one helped. */
const withoutTries = (lines: Line[]): Line[] => {
  const isTriedAgain = (line: Line, later: Line) => {
    const [one, other] = [line.parts.at(-1), later.parts.at(-1)];
    return one && other ? isSamePart(one, other) : line.text === later.text;
  };
  return lines.filter((line, i) => !lines.slice(i + 1).some((later) => isTriedAgain(line, later)));
};

/** Returns what a line runs before the failed one, if it holds that; else the line itself. */
function withoutFailed(line: Line, failed: Line | null): Line {
  if (failed === null) return line;
  const [text, aim] = [line.plain, failed.plain];
  const at = text.indexOf(aim);
  return at < 0 || !/^\s*(?:$|[;&|])/.test(text.slice(at + aim.length))
    ? line
    : readLine(text.slice(0, at).replace(/\s*(?:&&|;)\s*$/, ''));
}

/** Whether a line holds the failed one, or a command of it: then it is no cure but another try. */
function repeats(line: Line, failed: Line | null): boolean {
  if (failed === null || line.setsVariables) return false;
  const { parts: wanted } = failed;
  const { parts: done } = line;
  const again = (part: Part) => wanted.some((one) => isSamePart(part, one) && isAsPlain(part, one));
  return done.length > 0 && done.every(again);
}

/** Whether a command has no option or variable of its own: with one, it may do what the other one did not. */
export const isAsPlain = (part: Part, other: Part): boolean =>
  [...part.args, ...part.env].every((word) => other.args.includes(word) || other.env.includes(word)) &&
  part.args.length === other.args.length;

/** Whether two commands are the same but for their options. */
export const isSamePart = (a: Part, b: Part): boolean =>
  invocation(a) === invocation(b) && thingsOf(a).join(' ') === thingsOf(b).join(' ');

const thingsOf = ({ args }: Part): string[] => args.filter((arg) => !arg.startsWith('-')).map(plainTask);

/** `playwright install` makes a checker ready. */
const READIES = /^(?:\S+ )?(?:install|add|sync|build|generate|migrate|init|setup)\b/;

/** Whether a line does nothing but check the work. */
function onlyChecks({ parts }: Line, failed: Line | null): boolean {
  const aims = failed?.parts.map(invocation) ?? [];
  return (
    parts.length > 0 &&
    parts.every((part) => {
      const purpose = purposeOf(part);
      return (
        purpose !== null &&
        CHECKING.has(purpose) &&
        !READIES.test(part.args.join(' ')) &&
        !aims.includes(invocation(part))
      );
    })
  );
}

/** Whether a line asks a server or a host, or records work, although the failed call had nothing to do with that. */
function isProbe({ parts }: Line, failed: Line | null): boolean {
  const aims = failed?.parts ?? [];
  const isRecord = (part: Part) => RECORDS.test([part.program, ...part.args].join(' '));
  const toHost = aims.some(({ program }) => program === 'git' || HOSTS.has(program));
  return (
    parts.length > 0 &&
    parts.every((part) => {
      if (HOSTS.has(part.program) && !changesHost(part)) return true;
      return isRecord(part) && !toHost;
    })
  );
}

/** Whether two lines ask a server or a host about different things, and change nothing there. */
export function isOtherQuestion({ parts: from }: Line, { parts: to }: Line): boolean {
  const asks = (part: Part) => (part.program === 'gh' || part.program === 'glab') && !changesHost(part);
  return from.length > 0 && to.length > 0 && [...from, ...to].every(asks);
}

const FETCHES = /(?:^|[;&|]\s*)(?:npx|bunx|pnpx|uvx|(?:pnpm|yarn) dlx|pipx run)\s+(?:-\S+\s+)*([\w@/.-]+)/;
/** Runs what is installed in the project, or fetches it: if it is not found there, it is nowhere in the project. */
const RUNS_OWN = /\b(?:npx|bunx|pnpx|(?:pnpm|npm|yarn|bun)\b.*\s(?:exec|x|run))\s/;

/** Whether a program that the project does not have was fetched by its name alone, which may be anybody's. */
export function isFetched(failed: string, worked: string, error: string): boolean {
  const name = FETCHES.exec(worked)?.[1];
  // in another folder of the project it may be installed
  const moved = /\bcd\s/.test(worked) && !/\bcd\s/.test(failed);
  return (
    name !== undefined && !moved && RUNS_OWN.test(failed) && failed.includes(name) && /not found/i.test(error)
  );
}

/** Whether two lines say in part the same of what is to be tested: a name of a file or of a test. */
export function testsTheSame(failed: string, worked: string): boolean {
  const names = (line: string) => line.match(/(?<![\w@/.-])\w[\w/]*[-._/][\w.-]*\w/g) ?? [];
  return names(failed).some((name) => worked.includes(baseName(name)));
}

/** Whether a command changes something on a host: `gh auth refresh`, `curl -X POST`, `ssh host 'systemctl restart web'`. */
function changesHost({ program, args }: Part): boolean {
  const line = args.join(' ');
  if (programs('code-hosts').has(program))
    return !/^(?:\w+ (?:view|list|status|diff|checks|watch)|search|status|api\b(?!.*\s(?:-X|--method|-f|-F|--input)\b))/.test(
      line,
    );
  if (programs('downloaders').has(program))
    return /(?:^|\s)(?:-X|--request|-d|--data\S*|-o|-O|--output|-F|-T|POST|PUT|DELETE)\b/.test(line);
  if (program === 'ssh') {
    const inner = args.slice(args.findIndex((arg) => /\s/.test(arg))).join(' ');
    return inner !== '' && !readLine(inner).onlyLooks;
  }
  return program === 'scp' || program === 'rsync';
}

function isPreparation(line: Line): boolean {
  if (line.setsVariables) return true;
  return line.parts.some((part) => {
    const purpose = purposeOf(part);
    if (purpose !== null && PREPARING.has(purpose)) return true;
    const words = [part.program, ...part.args.slice(0, 4)].flatMap((word) => [
      word,
      ...word.split(/[:\-_/.]/),
    ]);
    return words.some((word) => PREPARES.has(word.toLowerCase()));
  });
}

const isAbout = (line: string, about: ReadonlySet<string>): boolean =>
  [...tellingWords(line)].some((word) => about.has(word));

/** Whether an error names something that a line or a path is about. */
export function namesAny(error: string, line: string): boolean {
  const named = [...tellingWords(error)];
  const isLonger = (word: string, other: string) => other.length >= 5 && word.startsWith(other);
  return [...tellingWords(line)].some((word) =>
    named.some((other) => word === other || isLonger(word, other) || isLonger(other, word)),
  );
}

/** Returns the words of a text that can be about something: names of programs, files, packages, variables. */
const tellingWords = (text: string): Set<string> =>
  new Set(
    (
      text
        .toLowerCase()
        // the ending of a file says what language it is in
        .replace(/(?<=\w)\.[a-z]{1,4}\b(?!\.)/g, ' ')
        .match(/[a-z_][\w-]+/g) ?? []
    )
      .flatMap((word) => [word, word.replace(/\d+$/, ''), ...word.split(/[-_]/)])
      .filter((word) => word.length >= 2 && !COMMON.has(word)),
  );
