import { programs } from './lists.ts';
import type { ShellPipeline, ShellStep } from './steps.ts';

// Tells which commands only show something. It is for lessons, about commands that have already run. So if an
// option is in doubt, the command counts as one that only shows. Verdicts are stricter, because a wrong guess
// may cost a file: the options that make such a program write are listed in commands/policy.

// ssh, gh, kubectl and the tools of clouds show text from elsewhere: an error in it is not a failure of this command
const READERS = programs('text-readers');

/** Programs that prepare something or only report: a line is not about what they print. */
export const SPEAKERS = programs('speakers');

/** Matches the options of git that come before its subcommand. */
const GIT = '^(?:-[Cc] \\S+ |--no-pager |-P )*';

const GIT_SPEAKING = new RegExp(
  `${GIT}(?:status|ls-files|ls-tree|branch|rev-parse|rev-list|remote|config|tag|describe|check-ignore)\\b`,
);

/** Subcommands that only look, by program. Tested against the arguments joined by blanks. */
const LOOKING = new Map<string, RegExp>(
  Object.entries({
    git: new RegExp(
      `${GIT}(?:(?:log|diff|show|blame|grep|cat-file|shortlog|reflog|stash (?:list|show)|help|status|ls-files|ls-tree|rev-parse|rev-list|describe|check-ignore)\\b|branch\\b(?!.* (?:-[dDmMcCfu]\\b|--(?:delete|move|copy|force|set-upstream|unset|edit)))|remote(?: -v| show\\b.*| get-url\\b.*)?$|tag(?: -l\\b.*| --list\\b.*)?$|config (?:(?:--get|--list|-l|get|list)\\b|(?:--(?:global|local|system) )?[\\w.-]+$))`,
    ),
    npm: /^(?:ls|list|ll|la|view|info|show|outdated|explain|why|search|help|docs|root|prefix)\b/,
    pnpm: /^(?:ls|list|ll|la|view|info|show|outdated|why|help|root)\b/,
    yarn: /^(?:list|info|outdated|why|help)\b/,
    pip: /^(?:show|list|freeze|help)\b/,
    cargo: /^(?:tree|metadata|search|help|info)\b/,
    go: /^(?:list|doc|version|help|env(?! -[wu]))\b/,
    docker: /^(?:compose (?:-\S+ \S+ )*)?(?:logs|ps|images|inspect|top|stats|version|info|history)\b/,
    podman: /^(?:logs|ps|images|inspect|top|stats|version|info)\b/,
    'docker-compose': /^(?:logs|ps|images|top)\b/,
    kubectl:
      /^(?:get|describe|logs|top|explain|version|api-resources|config (?:view|current-context|get-contexts))\b/,
    gh: /^(?:\w+ (?:view|list|status|diff|checks)|search|status)\b/,
    systemctl: /^(?:status|list|show|cat|is-)/,
    apt: /^(?:list|show|search|policy)\b/,
    'apt-cache': /^/,
    brew: /^(?:list|info|search)\b/,
    nix: /^(?:flake (?:show|metadata)|search|eval)\b/,
    terraform: /^(?:-chdir=\S+ )?(?:show|output|providers|state (?:list|show))\b/,
    tofu: /^(?:-chdir=\S+ )?(?:show|output|providers|state (?:list|show))\b/,
  }),
);

/** Subcommands that show text from elsewhere but may also change something. */
const SHOWING = new Map<string, RegExp>(
  Object.entries({
    npm: /^(?:audit|config)\b/,
    pnpm: /^(?:audit|config)\b/,
    yarn: /^(?:audit|config)\b/,
    pip: /^(?:index|config)\b/,
    go: /^env\b/,
    docker: /^(?:compose (?:-\S+ \S+ )*)?exec\b/,
    podman: /^exec\b/,
    'docker-compose': /^exec\b/,
    terraform: /^state\b/,
  }),
);

/**
 * Returns what kind of output a command has:
 * - `reads`: text that other programs made (files, logs, histories)
 * - `speaks`: little of interest, from preparation or reporting (`cd`, `echo`)
 * - `fetches`: an answer from the network
 * - `runs`: the program's own output, which is what the command is about
 */
export function outputKind(step: ShellStep): 'reads' | 'speaks' | 'fetches' | 'runs' {
  const { program, args } = step;
  if (program === '' || SPEAKERS.has(program)) return 'speaks';
  if (programs('downloaders').has(program)) return 'fetches';
  const line = args.join(' ');
  if (program === 'git' && GIT_SPEAKING.test(line)) return 'speaks';
  const shows = LOOKING.get(program)?.test(line) || SHOWING.get(program)?.test(line) || asksForHelp(args);
  return READERS.has(program) || shows ? 'reads' : 'runs';
}

const asksForHelp = (args: string[]) => args.includes('--help') || args[0] === '--version';

const ONLY_LOOKERS = programs('only-lookers');

/** Programs that show files or the state of the machine, and nothing of what a project's own tools do. */
export const FILE_LOOKERS = programs('file-lookers');

/** Programs behind a pipe that only shorten or pick what a reader sees. */
export const FILTERS = programs('reading-filters');

/** Programs that only look, unless one of these options is given. */
const ACTING_OPTIONS = new Map<string, RegExp>(
  Object.entries({
    find: /^-(?:delete|exec|ok|fprint|fls)/,
    fd: /^(?:-[xX]|--exec)/,
    fdfind: /^(?:-[xX]|--exec)/,
    sed: /^(?:-[a-zA-Z]*i|--in-place)/,
    sort: /^(?:-o|--output)/,
    date: /^(?:-s|--set)/,
    jq: /^(?:-i|--in-?place)/,
    yq: /^(?:-[a-zA-Z]*i|--in-?place)/,
  }),
);

/** Whether a program that usually only looks has an option by which it acts: `sed -i`, `find -delete`. */
export const actsByOption = (program: string, args: string[]): boolean =>
  args.some((arg) => ACTING_OPTIONS.get(program)?.test(arg) === true);

function stepOnlyLooks({ program, args, writes }: ShellStep): boolean {
  if (writes.length > 0) return false;
  if (ACTING_OPTIONS.has(program)) return !actsByOption(program, args);
  return (
    ONLY_LOOKERS.has(program) || LOOKING.get(program)?.test(args.join(' ')) === true || asksForHelp(args)
  );
}

/** Whether every part of a line only shows something. */
export const onlyLooks = (pipelines: readonly ShellPipeline[]): boolean =>
  pipelines.every(({ steps }) => steps.length > 0 && steps.every(stepOnlyLooks));
