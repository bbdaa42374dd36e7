import { inner, known, setArguments, suspect, undecided } from './arg.ts';
import { walkCode } from './inline-code.ts';
import { baseName, isInterpreter, programs, SHELLS } from './names.ts';
import { bashLineOf } from './powershell.ts';
import { foundBy, noteExecuted, printedText, printedWords } from './printed.ts';
import { PLACE } from './scripts.ts';
import type { Arg, Invocation, Running, Scope, Walk } from './types.ts';
import { type Inside, insideOf, isWrapper } from './wrappers.ts';
import { resolvePath } from './zones.ts';

// The command that another command runs: a wrapper, a shell, find, xargs, a container, a runner of a development tool.

const FROM_INPUT = 'runs what comes on standard input';
const AWK_OR_SED = /^([gmn]?awk|g?sed)$/;
/** Programs whose words may have a line in them: `system("…")` of awk, `alias.x=!…` of git, `:!…` of vim. */
const MAY_RUN_LINES =
  /^([gmn]?awk|n?vim?|ex|view|less|more|psql|mysql|sqlite3|gdb|ssh|scp|sftp|rsync|git|tar|ansible|split|strace)$/;

/** Walks the command that another command would run. */
export function unwrap(walk: Walk, outer: Scope, invocation: Invocation, running: Running): void {
  const { program, args } = invocation;
  noteExecuted(invocation);
  const [first] = args.filter((arg) => !arg.text.startsWith('-'));
  if (program === 'eval') {
    // the text runs in this shell, with its functions
    outer.cwd = walkLine(walk, outer, args, program).cwd;
    return;
  }
  if (program === 'trap') {
    if (!first || args.length < 2) return;
    const before = walk.invocations.length;
    walkLine(walk, inner(outer), [first], program);
    const isRelative = walk.invocations
      .slice(before)
      .some((one) => one.args.some(({ text }) => /^[^-/]/.test(text)));
    if (isRelative) outer.vars.set('trap ', first);
    return;
  }
  // other programs do not know the functions of this shell
  const scope: Scope = { ...outer, functions: new Map(), stdin: invocation.input };
  const own = inner(scope, { via: [...scope.via, program] });
  const runsWords =
    SHELLS.has(program) || isWrapper(program) || isInterpreter(program) || AWK_OR_SED.test(program);
  if (invocation.openArgs && runsWords && !first) walk.unknowns.push({ text: program, why: FROM_INPUT });
  walkCode(walk, scope, invocation);
  const isUnheard = !isWrapper(program) && walk.place.knows?.(program) === false;
  if (isUnheard || MAY_RUN_LINES.test(program)) suspectLines(walk, own, invocation);
  if (SHELLS.has(program)) unwrapShell(walk, own, invocation);
  else if (program === 'alias') for (const { text } of args) suspect(walk, own, text.replace(/^[^=]*=?/, ''));
  else if (/^(g?find|fd|fdfind)$/.test(program)) unwrapFinder(walk, own, invocation, running);
  else if (/^(pwsh|powershell|cmd)$/.test(program))
    suspect(walk, own, bashLineOf([program, ...args.map(({ text }) => `'${text}'`)].join(' ')));
  else {
    const bin = binaryOf(walk, invocation);
    const inside = bin ? null : insideOf(program, args);
    if (bin) walk.command(walk, own, { ...running, words: bin });
    else if (inside) walkInside(walk, own, invocation, running, inside);
    else if (isUnheard) walkUnheard(walk, own, invocation, running);
  }
}

/** Walks words that a program hands to a shell as one line. Returns the scope at its end. */
function walkLine(walk: Walk, scope: Scope, args: Arg[], via: string): Scope {
  const text = args.map((arg) => arg.text).join(' ');
  if (!args.every((arg) => arg.known))
    walk.unknowns.push({ text, why: `${via} runs text that is known only when it runs` });
  const own: Scope = {
    ...scope,
    depth: scope.depth + 1,
    via: scope.via.at(-1) === via ? scope.via : [...scope.via, via],
  };
  // walked even when part of it is unknown, because the known part may have to be denied
  walk.line(walk, text, own);
  return own;
}

/** Matches an option that names another folder, with its value if that is attached. */
const OTHER_FOLDER = /^(?:-[CD]|--(?:chdir|dir|directory|cwd|prefix|working-dir(?:ectory)?))(?:=?(.+))?$/;

/** Returns the folder that the options of a wrapper name (`env -C ..`), else that of the scope; null when it is not known. */
function folderIn({ place }: Walk, { cwd }: Scope, before: Arg[]): string | null {
  const at = before.findIndex(({ text }) => OTHER_FOLDER.test(text));
  if (at < 0) return cwd;
  const attached = OTHER_FOLDER.exec(before[at]?.text ?? '')?.[1];
  const folder = attached === undefined ? before[at + 1] : { ...(before[at] as Arg), text: attached };
  return folder?.known ? resolvePath(folder.text, cwd, place.home) : null;
}

function walkInside(
  walk: Walk,
  scope: Scope,
  invocation: Invocation,
  running: Running,
  inside: Inside,
): void {
  const { way, words, lines, before, env } = inside;
  const { program, openArgs } = invocation;
  const own: Scope = { ...scope, cwd: way.remote ? null : folderIn(walk, scope, before) };
  if (way.remote) own.remote = true;
  if (way.remote) for (const arg of before) noteMount(invocation, arg);
  if (openArgs && words.length + lines.length === 0) walk.unknowns.push({ text: program, why: FROM_INPUT });
  for (const line of lines) walkLine(walk, own, [line], program);
  if (way.line) walkLine(walk, own, words, program);
  if (way.line || words.length === 0) return;
  const fed = { ...running, env: [...running.env, ...env], ...(way.remote && { writes: [] }) };
  if (way.open) runFed(walk, own, fed, words, before);
  else walk.command(walk, own, { ...fed, words });
}

/** Notes a folder of this machine that a container mounts: it may change it, or only read it. */
function noteMount(invocation: Invocation, { text, known }: Arg): void {
  const path = /(?:^|=|^-\w*v)([/.~$`][^:,]*)[:,]/.exec(text)?.[1];
  if (path === undefined) return;
  const target = { text: path, known, glob: false, quoted: true };
  if (/[:,](ro|readonly)\b/.test(text)) invocation.reads = [...invocation.reads, target];
  else invocation.writes = [...invocation.writes, { target, append: true }];
}

/** Options of shells that change nothing about what runs. */
const PLAIN_OPTION =
  /^([-+][A-NP-Za-np-z0-9]+|--(login|norc|noprofile|posix|verbose|restricted|noediting|version|help))$/;

/** Walks what a shell would run: the script of -c, or its standard input. A file is judged by its path and content. */
function unwrapShell(walk: Walk, scope: Scope, { args, program, input, openArgs }: Invocation): void {
  let [asked, stdin, i] = [false, false, 0];
  for (; i < args.length; i++) {
    const { text, known } = args[i] as Arg;
    if (/^--?$/.test(text) || !/^[-+]./.test(text)) break;
    if (!known || !PLAIN_OPTION.test(text))
      walk.unknowns.push({ text, why: `${program} may run something for this option` });
    if (/^--(rcfile|init-file)$|^[-+][A-Za-z]*[oO]$/.test(text)) i++;
    asked ||= /^-[A-Za-z]*c|^--command$/.test(text);
    stdin ||= /^-[A-Za-z]*s/.test(text);
  }
  const [script, own, ...others] = args.slice(/^--?$/.test(args[i]?.text ?? '') ? i + 1 : i);
  if (asked && script) {
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

const EXEC = /^(-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/;
const SLOT = /\{[/.]{0,2}\}/g;

/** Returns a word with the name of a file in each place for it. */
const filled = (word: Arg, slot: string | RegExp, file: Arg): Arg => ({
  ...file,
  text: word.text.replaceAll(slot, () => file.text),
  known: word.known && file.known,
});

/** Walks the commands that find and fd run, with patterns in place of the files that they would find. */
function unwrapFinder(walk: Walk, scope: Scope, invocation: Invocation, running: Running): void {
  const { args, program } = invocation;
  const isFind = program.endsWith('find');
  for (let i = 0; i < args.length; i++) {
    const option = args[i]?.text ?? '';
    if (!EXEC.test(option)) continue;
    const rest = args.slice(i + 1);
    const end = rest.findIndex((arg) => arg.text === ';' || arg.text === '+');
    const command = end < 0 ? rest : rest.slice(0, end);
    const starts = isFind ? foundBy(args) : belowFolders(args.slice(0, i));
    const found = starts.map((arg) => ({ ...arg, listedBy: [invocation] }));
    const words = command.flatMap((arg) =>
      arg.text.search(SLOT) < 0 ? [arg] : found.map((file) => filled(arg, SLOT, file)),
    );
    if (!isFind && command.every((arg) => arg.text.search(SLOT) < 0)) words.push(...found);
    // -execdir runs in the folder of each file
    walk.command(walk, /dir$/.test(option) ? { ...scope, cwd: null } : scope, {
      ...running,
      words,
      writes: [],
    });
    i += command.length + 1;
  }
}

/** Returns what fd may find, as patterns: what lies below each word that looks like a folder. */
function belowFolders(args: Arg[]): Arg[] {
  const folders = args.filter(({ text }) => /^[^-].*[/~]|^[.~/]/.test(text));
  return (folders.length > 0 ? folders : [known('.')]).map(({ text, known }) => ({
    ...undecided(`${text}/**`),
    ...{ known, glob: true },
  }));
}

/** Walks the command of xargs with the words that its input adds, as far as they are known. */
function runFed(walk: Walk, scope: Scope, running: Running, command: Arg[], options: Arg[]): void {
  const { input } = running;
  const from =
    input.kind === 'pipe' && !options.some(({ text }) => /^(-a|--arg-file)/.test(text)) ? input.from : null;
  const fed = from && printedWords(from);
  const own: Running = { ...running, input: { kind: 'none' }, openArgs: !fed };
  const slot = placeholderOf(options);
  if (slot !== null && command.some((word) => word.text.includes(slot))) {
    for (const file of fed ?? [undecided(slot)]) {
      const words = command.map((word) => (word.text.includes(slot) ? filled(word, slot, file) : word));
      walk.command(walk, scope, { ...own, words });
    }
    return;
  }
  const line = command.map(({ text }) => text).join(' ');
  if (/ -[a-z]*c$/.test(line) && SHELLS.has(baseName(command[0]?.text ?? '')))
    walk.unknowns.push({ text: 'xargs', why: `a shell ${FROM_INPUT}` });
  // as in `kill $(lsof -ti:3000)`
  const kills = !fed && from && /^kill( -\w+)*$/.test(line);
  const added = kills ? [{ ...undecided('$(…)'), from }] : (fed ?? []);
  walk.command(walk, scope, { ...own, ...(kills && { openArgs: false }), words: [...command, ...added] });
}

/** Returns the placeholder that xargs replaces (`{}` in `-I{}`); null when it has none. */
function placeholderOf(options: Arg[]): string | null {
  for (const [i, { text }] of options.entries()) {
    const [, apart, attached] = /^(?:(-[IJ])|-[IJi](.+)|--replace=(.+)|-i|--replace=?)$/.exec(text) ?? [];
    if (apart) return options[i + 1]?.text ?? '{}';
    if (/^(-[IJi]|--replace)/.test(text)) return attached ?? /=(.+)/.exec(text)?.[1] ?? '{}';
  }
  return null;
}

/** What a word says that a program runs as a line of its own, and options whose value is such a line. */
const LINE_IN_WORD =
  /\bsystem\(\s*["'](.{1,2000}?)["']|"([^"]{1,2000})"\s*\|\s*&?\s*getline|(?:^|[=+:|])!(?!\s*$)(.+)|^[\w.-]+\.(?:cmd|command|textconv|helper|clean|smudge|process|sshcommand|pager|editor|fsmonitor)=(.+)|^--?(?:rsh|rsync-path|to-command|use-compress-program|rsh-command|checkpoint-action|upload-pack|receive-pack|exec|extcmd|unzip-command|filter)=(?:exec=)?(.+)/is;
const LINE_BEHIND =
  /^(-\w*[aceFIox]|--(command|exec|cmd|run|session-command|args|rsh|rsync-path|extcmd|upload-pack|to-command|use-compress-program|filter))$/;

/** Adds what the words of an ordinary program may run, as *suspected*: it can only be denied. */
function suspectLines(walk: Walk, scope: Scope, { args }: Invocation): void {
  for (const [i, { text }] of args.slice(0, 40).entries()) {
    const found = LINE_IN_WORD.exec(text.slice(0, 8000))?.slice(1);
    const line = found?.find((one) => one) ?? (LINE_BEHIND.test(args[i - 1]?.text ?? '') ? text : null);
    if (line) suspect(walk, scope, line.replace(/^\s*[|!]/, ''));
  }
}

const OWN_WORDS = programs('node-manager-words');

/** Returns the program of a package that a manager runs by its name alone: `pnpm prisma generate`. */
function binaryOf(walk: Walk, invocation: Invocation): Arg[] | null {
  const { program, args } = invocation;
  if (invocation.own || !/^(pnpm|yarn|bun)$/.test(program)) return null;
  const isOwn = (text: string) => /^(-.*|run|workspace)$/.test(text);
  const at = args.findIndex(({ text }, i) => {
    const before = args[i - 1]?.text ?? '';
    return !isOwn(text) && before !== 'workspace' && !PLACE.test(before);
  });
  const name = args[at]?.text ?? '';
  if (OWN_WORDS.has(name) || !walk.place.knows?.(baseName(name))) return null;
  if (args.slice(0, at).every(({ text }) => PLACE.test(text) || !text.startsWith('-'))) invocation.own = true;
  return args.slice(at);
}

/** Walks what a program that nobody knows would run if it runs its words. */
function walkUnheard(walk: Walk, scope: Scope, { args }: Invocation, running: Running): void {
  const { length } = walk.invocations;
  const unknowns = walk.unknowns.length;
  const starts = args.filter(
    ({ text, known, quoted }) => known && !quoted && walk.place.knows?.(baseName(text)),
  );
  for (const start of starts.slice(0, 8))
    walk.command(walk, inner(scope), { ...running, words: args.slice(args.indexOf(start)) });
  for (const found of walk.invocations.slice(length)) found.behind = true;
  walk.unknowns.length = unknowns;
}
