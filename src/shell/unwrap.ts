import { blank, inner, known, setArguments, suspect, undecided } from './arg.ts';
import { walkCode } from './inline-code.ts';
import { programs } from './lists.ts';
import { baseName, isInterpreter, SHELLS, words } from './names.ts';
import { evaluatesLoader } from './places.ts';
import { bashLineOf } from './powershell.ts';
import { foundBy, noteExecuted, printedText, printedWords } from './printed.ts';
import { managersWords, saysPlace } from './scripts.ts';
import type { Arg, Input, Invocation, Running, Scope, Walk } from './types.ts';
import { type Inside, insideOf, isWrapper } from './wrappers.ts';
import { resolvePath } from './zones.ts';

// The command that another command runs: a wrapper, a shell, find, xargs, a container, a runner of a development tool.

/** More words or lines than this are not looked at one by one. */
const MAX_FED = 50;
const WHEN_IT_RUNS = 'runs text that is known only when it runs';

/** Walks the command that another command would run. */
export function unwrap(walk: Walk, outer: Scope, invocation: Invocation, running: Running): void {
  const { program, args } = invocation;
  noteExecuted(invocation);
  if (program === 'eval' || program === 'trap') {
    const [first] = args.filter((arg) => !arg.text.startsWith('-'));
    // the text runs in this shell, with its functions
    if (program === 'eval' && !evaluatesLoader(args)) walkLine(walk, outer, args, program, outer);
    if (program === 'trap' && first && args.length > 1) {
      walk.traps.push({ text: first.text, scope: outer });
      walkLine(walk, inner(outer), [first], program);
    }
    return;
  }
  // other programs do not know the functions of this shell
  const scope: Scope = { ...outer, functions: new Map(), stdin: invocation.input };
  const own = inner(scope, { via: [...scope.via, program] });
  if (invocation.openArgs && takesCommand(program) && args.every((arg) => arg.text.startsWith('-')))
    walk.unknowns.push({ text: program, why: 'runs what comes on standard input' });
  walkCode(walk, scope, invocation);
  const kind = Object.keys(KINDS).find((one) => KINDS[one as Kind].test(program)) as Kind | undefined;
  if (SHELLS.has(program)) unwrapShell(walk, own, invocation);
  else if (kind === 'finder') unwrapFinder(walk, own, invocation, running);
  else if (kind === 'git') unwrapGit(walk, own, invocation, running);
  else if (kind === 'parallel') unwrapParallel(walk, own, invocation);
  else if (kind === 'windows')
    suspect(walk, own, bashLineOf([program, ...args.map(({ text }) => `'${text}'`)].join(' ')));
  if (kind || SHELLS.has(program)) return;
  suspectLines(walk, own, invocation);
  const bin = binaryOf(walk, invocation);
  const inside = bin ? null : insideOf(program, args);
  if (bin) walk.command(walk, own, { ...running, words: bin });
  else if (inside) walkInside(walk, own, invocation, running, inside);
  else if (!isWrapper(program) && walk.place.knows?.(program) === false)
    walkUnheard(walk, own, invocation, running);
}

/** Programs that run others in a way of their own. */
const KINDS = {
  finder: /^(g?find|fd|fdfind)$/,
  git: /^git$/,
  parallel: /^parallel$/,
  windows: /^(pwsh|powershell|cmd)$/,
};
type Kind = keyof typeof KINDS;

/** Whether a program runs its first word as a command, or as a program in its language. */
const takesCommand = (program: string): boolean =>
  SHELLS.has(program) || isWrapper(program) || isInterpreter(program) || /^([gmn]?awk|g?sed)$/.test(program);

/** Walks words that a program hands to a shell as one line. `back`: the scope that takes over a `cd` of the line */
function walkLine(walk: Walk, scope: Scope, args: Arg[], via: string, back?: Scope): void {
  const text = args.map((arg) => arg.text).join(' ');
  if (!args.every((arg) => arg.known)) walk.unknowns.push({ text, why: `${via} ${WHEN_IT_RUNS}` });
  const own: Scope = {
    ...scope,
    depth: scope.depth + 1,
    via: scope.via.at(-1) === via ? scope.via : [...scope.via, via],
  };
  // walked even when part of it is unknown, because the known part may have to be denied
  walk.line(walk, text, own);
  if (back) back.cwd = own.cwd;
}

function walkInside(
  walk: Walk,
  scope: Scope,
  invocation: Invocation,
  running: Running,
  { way, words: found, lines, before, env }: Inside,
): void {
  const { program, openArgs } = invocation;
  const own: Scope = way.remote ? { ...scope, remote: true, cwd: null, otherCwds: [] } : { ...scope };
  if (way.remote) noteMounts(invocation, before);
  // an option may name another folder
  for (const [i, { text, known, glob }] of before.entries()) {
    const [, attached] =
      /^(?:-C|-D|--(?:chdir|dir|directory|cwd|prefix|working-dir(?:ectory)?))(?:=(.*))?$/.exec(text) ?? [];
    if (/^(-C|-D|--(chdir|dir|directory|cwd|prefix|working-dir(ectory)?))(=|$)/.test(text) && !way.remote) {
      const to = attached === undefined ? before[i + 1] : { text: attached, known, glob };
      const plain = way.chdir && to?.known && !to.glob;
      Object.assign(own, {
        cwd: plain ? resolvePath(to.text, own.cwd, walk.place.home) : null,
        otherCwds: [],
      });
    }
  }
  if (openArgs && found.length + lines.length === 0)
    walk.unknowns.push({ text: program, why: 'runs what comes on standard input' });
  for (const line of lines) walkLine(walk, own, [line], program);
  if (way.line) walkLine(walk, own, found, program);
  if (way.line || found.length === 0) return;
  const fed = { ...running, env: [...running.env, ...env], ...(way.remote && { writes: [] }) };
  if (way.open) runFed(walk, own, fed, found, before);
  else walk.command(walk, own, { ...fed, words: found });
}

/** Notes the folders of this machine that a container mounts: it may change them, or only read them. */
function noteMounts(invocation: Invocation, before: Arg[]): void {
  const mounts = before.flatMap((arg, i) => {
    const attached = /^(?:--volume=|--mount=|-[ditTPq]*v=?)(.+)$/s.exec(arg.text)?.[1];
    if (attached !== undefined && !/^-[ditTPq]*v$/.test(arg.text)) return [{ ...arg, text: attached }];
    return /^(-[ditTPq]*v|--volume|--mount)$/.test(before[i - 1]?.text ?? '') ? [arg] : [];
  });
  for (const mount of mounts) {
    const { text } = mount;
    const source =
      /(?:^|,)(?:src|source)=([^,]+)/.exec(text)?.[1] ?? (/^type=/.test(text) ? '' : text.split(':')[0]);
    // a plain name is a volume, and a path without a colon is one inside the container
    if (!source || (mount.known && (!/^[/.~$`]/.test(source) || !/[:,]/.test(text)))) continue;
    const target: Arg = { ...mount, text: source };
    if (/(:|,)(ro|readonly)\b/.test(text)) invocation.reads = [...invocation.reads, target];
    else invocation.writes = [...invocation.writes, { target, append: true }];
  }
}

/** Options of shells that change nothing about what runs, and those that name a file to run first. */
const PLAIN_LONG = new Set(
  words('--login --norc --noprofile --posix --verbose --restricted --noediting --version --help'),
);

/** Walks what a shell would run: the script of -c, or its standard input. A file is judged by its path and content. */
function unwrapShell(walk: Walk, scope: Scope, { args, program, input, openArgs }: Invocation): void {
  let [asked, stdin, i] = [false, false, 0];
  for (; i < args.length; i++) {
    const { text, known } = args[i] as Arg;
    if (text === '--' || text === '-' || !/^[-+]./.test(text)) break;
    if (!known || (text.startsWith('--') ? !PLAIN_LONG.has(text) : !/^[-+][A-Za-z0-9]+$/.test(text)))
      walk.unknowns.push({ text, why: `${program} may run something for this option` });
    if (/^--(rcfile|init-file)$/.test(text)) i++;
    asked ||= /^-[A-Za-z]*c|^--command$/.test(text);
    stdin ||= /^-[A-Za-z]*s/.test(text);
  }
  const [script, ...after] = args.slice(/^--?$/.test(args[i]?.text ?? '') ? i + 1 : i);
  if (asked && script) {
    const [own, ...others] = after;
    if (own) scope.vars.set('0', own);
    setArguments(scope, others);
    walkLine(walk, scope, [script], program);
    return;
  }
  if (script && !stdin && !/^\/dev\/(stdin|fd\/)/.test(script.text)) return;
  const text = input.kind === 'pipe' ? printedText(input.from) : input.kind === 'text' ? input.text : null;
  // a shell leaves out a NUL, and so joins the text around it
  if (text !== null && !text.includes('\0'))
    walkLine(walk, scope, [known(text, { known: input.kind !== 'text' || input.known })], program);
  else if (input.kind !== 'none' || openArgs)
    walk.unknowns.push({ text: program, why: 'a shell runs what another command prints, or a file' });
}

const EXECS = new Set(words('-exec -execdir -ok -okdir -x -X --exec --exec-batch'));

/** Walks the commands that find and fd run, with patterns in place of the files that they would find. */
function unwrapFinder(walk: Walk, scope: Scope, invocation: Invocation, running: Running): void {
  const { args, program } = invocation;
  // an unset variable leaves no starting point, and find then begins in the working folder
  if (args[0]?.assumed && !args[0].quoted && args.some(({ text }) => text === '-delete' || EXECS.has(text)))
    walk.unknowns.push({ text: args[0].text, why: 'begins here if the variable is unset' });
  const exec = args.findIndex(({ text }) => EXECS.has(text));
  const folders = args
    .slice(0, Math.max(exec, 0))
    .filter(({ text }) => /^[^-].*[/~]|^\.\.?$|^[/~]/.test(text));
  const starts = program.endsWith('find')
    ? foundBy(args)
    : (folders.length > 0 ? folders : [known('.')]).map((one) => ({
        ...one,
        text: `${one.text}/**`,
        glob: true,
      }));
  const below = starts.every((arg) => arg.known && !/^[/~]|(^|\/)\.\.(\/|$)/.test(arg.text));
  const elsewhere = args.some(({ text }) => /^--(base-directory|search-path)/.test(text));
  for (let i = 0; i < args.length; i++) {
    const option = args[i]?.text ?? '';
    if (!EXECS.has(option)) continue;
    const rest = args.slice(i + 1);
    const end = rest.findIndex((arg) => arg.text === ';' || arg.text === '+');
    const command = end < 0 ? rest : rest.slice(0, end);
    // -execdir runs in the folder of each file and passes only its name
    const within = /dir$/.test(option) || elsewhere;
    const found = starts.map((arg) => ({ ...arg, ...(within && undecided('{}')), listedBy: [invocation] }));
    const slots = command.some((arg) => /\{[/.]{0,2}\}/.test(arg.text));
    const filled = command.flatMap((arg) =>
      /\{[/.]{0,2}\}/.test(arg.text)
        ? found.map((file) => ({
            ...file,
            text: arg.text.replaceAll(/\{[/.]{0,2}\}/g, () => file.text),
            known: arg.known && file.known,
          }))
        : [arg],
    );
    walk.command(walk, within && !below ? { ...scope, cwd: null } : scope, {
      ...running,
      words: slots || !/^fd/.test(program) ? filled : [...filled, ...found],
      writes: [],
    });
    i += command.length + 1;
  }
}

/** Walks the command of xargs with the words that its input adds, as far as they are known. */
function runFed(walk: Walk, scope: Scope, running: Running, command: Arg[], options: Arg[]): void {
  const from = printersFor(scope, running.input, options);
  const fed = from === null ? null : printedWords(from);
  const own: Running = { ...running, input: { kind: 'none' }, openArgs: fed === null };
  const slot = placeholderOf(options);
  if (slot !== null && command.some((word) => word.text.includes(slot))) {
    for (const input of fed ?? [undecided(slot)]) {
      const filled = command.map((word) =>
        word.text.includes(slot)
          ? { ...input, text: word.text.replaceAll(slot, () => input.text), known: word.known && input.known }
          : word,
      );
      walk.command(walk, scope, { ...own, words: filled });
    }
    return;
  }
  if (/^-[a-z]*c$/.test(command.at(-1)?.text ?? '') && SHELLS.has(baseName(command[0]?.text ?? '')))
    walk.unknowns.push({ text: 'xargs', why: 'a shell runs what comes on standard input' });
  // as in `kill $(lsof -ti:3000)`
  const kills = /^kill( -\w+)*$/.test(command.map(({ text }) => text).join(' '));
  if (fed) walk.command(walk, scope, { ...own, words: [...command, ...fed] });
  else if (kills && from)
    walk.command(walk, scope, {
      ...own,
      openArgs: false,
      words: [...command, { ...undecided('$(…)'), from }],
    });
  else walk.command(walk, scope, { ...own, words: command });
}

/** Returns the commands whose output xargs reads: a file is as good as printed by `cat`. Null: what it reads is not known. */
function printersFor(scope: Scope, input: Input, options: Arg[]): Invocation[] | null {
  const at = options.findIndex(({ text }) => /^(-a|--arg-file)/.test(text));
  if (at < 0 && input.kind === 'pipe') return input.from;
  const file =
    at < 0
      ? input.kind === 'file' && input.target
      : /^(-a|--arg-file)$/.test(options[at]?.text ?? '') && options[at + 1];
  return file ? [blank(scope, { program: 'cat', path: 'cat', args: [file] })] : null;
}

/** Returns the placeholder that xargs replaces (`{}` in `-I{}`); null when it has none. */
function placeholderOf(options: Arg[]): string | null {
  for (const [i, { text }] of options.entries()) {
    if (/^-[IJ]$/.test(text)) return options[i + 1]?.text ?? '{}';
    const attached = /^(?:-[IJ]|-i|--replace=)(.+)$/.exec(text)?.[1];
    if (attached) return attached;
    if (/^(-i|--replace=?)$/.test(text)) return '{}';
  }
  return null;
}

/** GNU parallel runs what it makes of its words and of what it reads: that is unknown, and may only be denied. */
function unwrapParallel(walk: Walk, scope: Scope, { args, input }: Invocation): void {
  walk.unknowns.push({ text: 'parallel', why: 'runs the command lines that it makes' });
  const at = args.findIndex((arg) => /^::::?\+?$/.test(arg.text));
  const start = args.findIndex((arg) => !/^-/.test(arg.text));
  const command = start < 0 || start === at ? [] : args.slice(start, at < 0 ? undefined : at);
  const printed = input.kind === 'pipe' ? (printedText(input.from) ?? '').split('\n') : [];
  const inputs = at < 0 ? printed.filter(Boolean) : args.slice(at + 1).map((arg) => arg.text);
  for (const text of inputs.slice(0, MAX_FED)) {
    const words = command.map((arg) => arg.text.replaceAll('{}', () => text));
    const all = command.some((arg) => arg.text.includes('{}')) ? words : [...words, text];
    suspect(walk, scope, command.length < 2 ? all.join(' ') : all.map((word) => `'${word}'`).join(' '));
  }
}

/** Walks what `git bisect run …`, `git submodule foreach …` and `git rebase --exec …` run. */
function unwrapGit(walk: Walk, scope: Scope, invocation: Invocation, running: Running): void {
  suspectLines(walk, scope, invocation);
  const { args } = invocation;
  const at = args.findIndex((arg) => /^(bisect|submodule|rebase)$/.test(arg.text));
  const after = args.slice(at + 1);
  if (at < 0) return;
  for (const [i, arg] of after.entries()) {
    const line = /^(-x|--exec)$/.test(arg.text) ? after[i + 1] : undefined;
    const text = /^--exec=(.*)$/s.exec(arg.text)?.[1];
    if (args[at]?.text === 'rebase' && (line || text !== undefined))
      walkLine(walk, scope, [line ?? { ...arg, text: text ?? '' }], 'git');
  }
  const run = after.findIndex(({ text }) => /^(run|foreach)$/.test(text));
  if (run < 0 || args[at]?.text === 'rebase') return;
  const command = after.slice(run + 1);
  while (command[0]?.text.startsWith('-')) command.shift();
  if (after[run]?.text === 'run') walk.command(walk, scope, { ...running, words: command });
  else walkLine(walk, scope, command, 'git');
}

/** What a word says that a program runs as a line of its own: `system("…")` of awk, `alias.x=!…` of git. */
const LINE_IN_WORD =
  /\bsystem\(\s*["'](.{1,2000}?)["']|"([^"]{1,2000})"\s*\|\s*&?\s*getline|(?:^|[=+:|])!(?!\s*$)(.+)|^[\w.-]+\.(?:cmd|command|textconv|helper|clean|smudge|process|sshcommand|pager|editor|fsmonitor)=(.+)|^--?(?:rsh|rsync-path|to-command|use-compress-program|rsh-command|checkpoint-action|upload-pack|receive-pack|exec|extcmd|unzip-command|filter)=(?:exec=)?(.+)/is;
/** Options of ordinary programs whose value is a line of its own. */
const LINE_OPTIONS = new Map([
  ['rsync', /^(-e|--rsh|--rsync-path)$/],
  ['git', /^(-x|--exec|--extcmd|--upload-pack)$/],
  ['tar', /^(-[cxMLf\d]*[FI]|--to-command|--use-compress-program)$/],
  ['ansible', /^(-a|--args)$/],
  ['split', /^--filter$/],
  ['strace', /^-o$/],
]);
const ESCAPING = /^([gmn]?awk|n?vim?|ex|view|less|more|psql|mysql|sqlite3|gdb|ssh|scp|sftp)$/;

/** Adds what the words of an ordinary program may run, as *suspected*: it can only be denied. */
function suspectLines(walk: Walk, scope: Scope, { program, args }: Invocation): void {
  const option = LINE_OPTIONS.get(program);
  if (!option && !ESCAPING.test(program)) return;
  for (const [i, { text }] of args.slice(0, 40).entries()) {
    const found = LINE_IN_WORD.exec(text.slice(0, 8000));
    const line = option?.test(args[i - 1]?.text ?? '') ? text : found?.slice(1).find((one) => one);
    if (line) suspect(walk, scope, line.replace(/^\s*[|!]/, ''));
  }
}

const OWN_WORDS = programs('node-manager-words');

/** Returns the program of a package that a manager runs by its name alone: `pnpm prisma generate`. */
function binaryOf(walk: Walk, invocation: Invocation): Arg[] | null {
  const { program, args } = invocation;
  if (invocation.own || !/^(pnpm|yarn|bun)$/.test(program)) return null;
  const given = managersWords(args);
  const first = given[0]?.text;
  const name = given[first === 'workspace' ? 2 : first === 'run' ? 1 : 0];
  if (!name || OWN_WORDS.has(name.text) || !walk.place.knows?.(baseName(name.text))) return null;
  const at = args.indexOf(name);
  if (saysPlace(args.slice(0, at))) invocation.own = true;
  return args.slice(at);
}

/** Walks what a program that nobody knows would run if it runs its words, or the value of an option such as `-c`. */
function walkUnheard(walk: Walk, scope: Scope, { args }: Invocation, running: Running): void {
  const { length } = walk.invocations;
  const unknowns = walk.unknowns.length;
  const starts = args.filter(
    ({ text, known, quoted }) => known && !quoted && walk.place.knows?.(baseName(text)),
  );
  for (const start of starts.slice(0, 8))
    walk.command(walk, inner(scope), { ...running, words: args.slice(args.indexOf(start)) });
  for (const [i, { text }] of args.entries()) {
    const line = args[i + 1];
    if (line && /^-\w*[cx]$|^--(command|exec|cmd|run|session-command)$/.test(text))
      walk.line(walk, line.text, inner(scope));
  }
  for (const found of walk.invocations.slice(length)) found.behind = true;
  walk.unknowns.length = unknowns;
}
