import {
  type Command,
  type CommandNode,
  forEachChild,
  type ParsedScript,
  parse,
  type Redirection,
  type SyntaxNode,
} from 'unbash';

/** Longer commands are not parsed: hostile nesting costs most there, and heredoc bodies are most of their text. */
const MAX_PARSED = 8_192;

/** A simple command inside a shell line, with wrappers such as `sudo` or `timeout 60` taken off. */
export type ShellStep = {
  /** Basename of the real program, `[[` and `((` for shell conditions, '' when only assignments stand there. */
  program: string;
  args: string[];
  /** Reads its arguments from another command (`… | xargs grep x`). */
  viaXargs: boolean;
  /** Stands after a pipe. */
  piped: boolean;
  /** Files this step writes: redirect targets, and the arguments of `tee`. */
  writes: string[];
};

/** One pipeline; `statement` counts top-level statements, `nested` is true inside `if`, `for`, `( )`, `bash -c`. */
export type ShellPipeline = { steps: ShellStep[]; statement: number; nested: boolean };

export const words = (text: string): Set<string> => new Set(text.split(/\s+/));

// ssh, gh, kubectl and the clouds' tools show text made elsewhere: a log line there is not this command's failure
const READERS =
  words(`cat tac bat head tail less more grep egrep fgrep zgrep rg ag ack sed awk gawk mawk jq yq cut sort
  uniq tr column nl fold strings xxd od hexdump diff colordiff cmp comm zcat base64 xmllint man help history
  journalctl dmesg ssh gh glab kubectl oc aws gcloud az heroku fly vercel`);
export const SPEAKERS =
  words(`echo printf cd pushd popd pwd ls find fd tree true false : test [ [[ (( which type command hash
  pgrep pidof sleep wait date env printenv export set unset source . stat file du df basename dirname readlink realpath
  mkdir touch id whoami hostname uname exit return read local declare alias wc
  ps top htop lsof ss netstat who w ifconfig ip mount jobs seq lsblk lscpu kill`);
/** After a pipe these only choose what is shown of the output in front of them. */
export const FILTERS = words(
  'tail head grep egrep fgrep rg tee cat less more sed awk cut sort uniq wc tr column nl fold strings ts',
);

// programs of which only some subcommands show text
const SHOWING = new Map<string, RegExp>(
  Object.entries({
    git: /^(?:-[Cc] \S+ |--no-pager |-P )*(?:log|diff|show|blame|grep|cat-file|shortlog|reflog|stash (?:list|show)|help)\b/,
    npm: /^(?:ls|list|ll|la|view|info|show|outdated|audit|explain|why|search|help|docs|config|root|prefix)\b/,
    pnpm: /^(?:ls|list|ll|la|view|info|show|outdated|audit|why|help|config|root)\b/,
    yarn: /^(?:list|info|outdated|audit|why|help|config)\b/,
    pip: /^(?:show|list|freeze|index|config|help)\b/,
    cargo: /^(?:tree|metadata|search|help|info)\b/,
    go: /^(?:list|env|doc|version|help)\b/,
    docker: /^(?:compose (?:-\S+ \S+ )*)?(?:logs|ps|images|inspect|exec|top|stats|version|info|history)\b/,
    podman: /^(?:logs|ps|images|inspect|exec|top|stats|version|info)\b/,
    'docker-compose': /^(?:logs|ps|images|exec|top)\b/,
    systemctl: /^(?:status|list|show|cat|is-)/,
    apt: /^(?:list|show|search|policy)\b/,
    brew: /^(?:list|info|search)\b/,
    terraform: /^(?:show|output|state|providers)\b/,
  }),
);

const GIT_SPEAKING =
  /^(?:-[Cc] \S+ |--no-pager )*(?:status|ls-files|ls-tree|branch|rev-parse|rev-list|remote|config|tag|describe|check-ignore)\b/;

/**
 * What the output of a program is: `reads` shows text that other programs made (files, logs, histories), `speaks`
 * says little of its own, `fetches` shows an answer from the network, `runs` speaks for itself.
 */
export function outputKind(step: ShellStep): 'reads' | 'speaks' | 'fetches' | 'runs' {
  const { program, args } = step;
  if (program === '' || SPEAKERS.has(program)) return 'speaks';
  if (program === 'curl' || program === 'wget' || program === 'http') return 'fetches';
  if (program === 'git' && GIT_SPEAKING.test(args.join(' '))) return 'speaks';
  const shows =
    SHOWING.get(program)?.test(args.join(' ')) || args.includes('--help') || args[0] === '--version';
  return READERS.has(program) || shows ? 'reads' : 'runs';
}

// wrapper → its options that take a value in the next word
export const WRAPPERS: Record<string, string[]> = {
  sudo: ['-u', '-g', '-h', '-p', '-C'],
  doas: ['-u'],
  env: ['-u', '-C'],
  time: ['-o', '-f'],
  timeout: ['-k', '-s', '--kill-after', '--signal'],
  nice: ['-n'],
  ionice: ['-c', '-n'],
  stdbuf: ['-i', '-o', '-e'],
  xargs: ['-n', '-P', '-I', '-L', '-d', '-a', '-E', '-s'],
  npx: ['-p', '--package'],
  bunx: ['-p', '--package'],
  nohup: [],
  setsid: [],
  exec: [],
  command: [],
  unbuffer: [],
  'cross-env': [],
  'uv run': ['--with', '--python', '-p'],
  'poetry run': [],
  'pipenv run': [],
  'bundle exec': [],
  'pnpm exec': [],
  'pnpm dlx': [],
  'yarn dlx': [],
  'npm exec': [],
  'python -m': [],
};
export const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

const basename = (program: string): string => {
  const base = program.slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1);
  return base.replace(/\.exe$/i, '').replace(/^(python|pip)[\d.]+$/, '$1');
};

export function realCommand(argv: string[]): { program: string; args: string[]; viaXargs: boolean } {
  let rest = argv;
  let viaXargs = false;
  while (rest.length > 0) {
    const program = basename(rest[0] ?? '');
    const two = `${program} ${rest[1]}`;
    const name = two in WRAPPERS ? two : program;
    // `command -v x` asks where x is; it does not run it
    if (!Object.hasOwn(WRAPPERS, name) || (name === 'command' && /^-[vV]/.test(rest[1] ?? ''))) break;
    let at = name === two ? 2 : 1;
    while (at < rest.length && /^-./.test(rest[at] ?? ''))
      at += WRAPPERS[name]?.includes(rest[at] ?? '') ? 2 : 1;
    while (ASSIGNMENT.test(rest[at] ?? '')) at++;
    if (name === 'timeout') at++;
    if (at >= rest.length) break;
    if (name === 'xargs') viaXargs = true;
    rest = rest.slice(at);
  }
  return { program: basename(rest[0] ?? ''), args: rest.slice(1), viaXargs };
}

export const commandWords = (node: Command): string[] => {
  const rest = node.suffix.flatMap((part) =>
    part.type === 'Word' ? [part.value] : part.type === 'Assignment' ? [part.text] : [],
  );
  return node.name ? [node.name.value, ...rest] : [];
};

export const isOutput = (part: { type: string; operator?: string }): boolean =>
  part.type === 'Redirect' && (part.operator ?? '').includes('>') && part.operator !== '<>';

/** False for `2>&1`, `> /dev/null`: they move or drop output and leave nothing behind. */
export function writesFile(part: Redirection): boolean {
  if (part.type !== 'Redirect' || !isOutput(part)) return false;
  const target = part.target?.value ?? '';
  return !(/^(?:\d+|-|\d+-)$/.test(target) || /^\/dev\/(?:null|stdout|stderr|tty)$/.test(target));
}

export function toStep(node: Command, piped = false): ShellStep {
  const step = realCommand(commandWords(node));
  const targets = [...node.prefix, ...node.suffix].flatMap((part) =>
    part.type === 'Redirect' && writesFile(part) ? [part.target?.value ?? ''] : [],
  );
  const files = step.program === 'tee' ? step.args.filter((arg) => !arg.startsWith('-')) : [];
  return { ...step, piped, writes: [...targets, ...files] };
}

export function parseShell(command: string): ParsedScript | null {
  // a NUL is the printer's own heredoc mark
  if (command.length > MAX_PARSED || command.includes('\0')) return null;
  try {
    const script = parse(command);
    return script.errors?.length ? null : script;
  } catch {
    return null;
  }
}

// words are not entered: that would parse their substitutions, nested ones again and again
const CONTAINERS =
  words(`Statement AndOr CompoundList If Elif For ArithmeticFor While Case CaseItem Select Subshell
  BraceGroup Function Coproc Redirected`);

/**
 * The simple commands of a shell line, by pipeline and in source order, including those inside compound commands and
 * `bash -c '…'`; command substitutions are left out (their output is not shown). Null when the text is not valid
 * bash, or longer than 8 KB.
 */
export function shellPipelines(command: string, depth = 0): ShellPipeline[] | null {
  const script = parseShell(command);
  if (!script) return null;
  const pipelines: ShellPipeline[] = [];
  script.commands.forEach((top, statement) => {
    const visit = (node: SyntaxNode, nested: boolean): void => {
      switch (node.type) {
        case 'Command':
          add([node], nested);
          return;
        case 'Pipeline':
          add(node.commands, nested);
          return;
        case 'TestCommand':
        case 'ArithmeticCommand': {
          const program = node.type === 'TestCommand' ? '[[' : '((';
          pipelines.push({
            steps: [{ program, args: [], viaXargs: false, piped: false, writes: [] }],
            statement,
            nested,
          });
          return;
        }
        default:
          if (!CONTAINERS.has(node.type)) return;
          forEachChild(node, (child) =>
            visit(child, nested || (node.type !== 'Statement' && node.type !== 'AndOr')),
          );
      }
    };
    const add = (commands: readonly CommandNode[], nested: boolean): void => {
      const steps: ShellStep[] = [];
      for (const [position, node] of commands.entries()) {
        if (node.type !== 'Command') {
          visit(node, true);
          continue;
        }
        const step = toStep(node, position > 0);
        const inner =
          /^(?:ba|z|da|k)?sh$/.test(step.program) && /^-\w*c$/.test(step.args[0] ?? '') ? step.args[1] : null;
        const scripts = inner && depth < 3 ? shellPipelines(inner, depth + 1) : null;
        if (scripts) pipelines.push(...scripts.map((pipeline) => ({ ...pipeline, statement, nested: true })));
        else steps.push(step);
      }
      if (steps.length > 0) pipelines.push({ steps, statement, nested });
    };
    visit(top, false);
  });
  return pipelines;
}
