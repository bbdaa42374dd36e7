import { walkCode } from './code.ts';
import { lookup } from './lookup.ts';
import { noteExecuted, walkRunner } from './runners.ts';
import {
  type Arg,
  type Input,
  type Invocation,
  type Running,
  run,
  type Scope,
  type Walk,
  walkText,
} from './shell.ts';

// Programs that run another command: which of their words are theirs, and where the command begins.

type Wrapper = {
  /** options that take the next word as their value */
  valued?: string[];
  /** own words before the command begins (timeout's duration, chroot's folder) */
  skip?: number;
  /** VAR=value words before the command */
  assignments?: boolean;
  /** the rest is one line for a shell, not words */
  line?: boolean;
  /** the command runs on another host or in a container */
  remote?: boolean;
  /** more arguments come from standard input */
  openArgs?: boolean;
};

const words = (text: string) => text.split(' ');

const WRAPPERS: Record<string, Wrapper> = {
  sudo: {
    valued: words('-u -g -h -p -C -T -r -t -R -D --user --group --host --prompt --chdir'),
    assignments: true,
  },
  doas: { valued: words('-u -C') },
  run0: { valued: words('-u --user -g --group -D --chdir') },
  pkexec: { valued: ['--user'] },
  env: { valued: words('-u --unset -C --chdir -P'), assignments: true },
  nohup: {},
  setsid: {},
  nice: { valued: words('-n --adjustment') },
  ionice: { valued: words('-c -n -p --class --classdata') },
  chrt: { skip: 1 },
  taskset: { skip: 1 },
  stdbuf: { valued: words('-i -o -e --input --output --error') },
  unbuffer: {},
  timeout: { valued: words('-k -s --kill-after --signal'), skip: 1 },
  time: { valued: words('-f -o --format --output') },
  command: {},
  builtin: {},
  exec: { valued: ['-a'] },
  caffeinate: { valued: words('-t -w') },
  strace: { valued: words('-e -o -p -s -u -P -a') },
  ltrace: { valued: words('-e -o -p -s -u -a') },
  watch: { valued: words('-n --interval -q --equexit'), line: true },
  xargs: {
    valued: words(
      '-I -J -R -S -n -L -P -s -E -d -a --max-args --max-lines --max-procs --max-chars --arg-file --delimiter',
    ),
    openArgs: true,
  },
  chroot: { valued: words('--userspec --groups'), skip: 1, remote: true },
  flock: { valued: words('-w -E --timeout'), skip: 1 },
  busybox: {},
  toybox: {},
  dbus_run_session: {},
  faketime: { skip: 1 },
  proxychains: {},
  torsocks: {},
  firejail: {},
  bwrap: { remote: true },
  ssh: {
    valued: words('-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B'),
    skip: 1,
    line: true,
    remote: true,
  },
};

const SHELLS = new Set(words('sh bash zsh dash ksh ash fish rbash'));

const value = (text: string): Arg => ({ text, known: true, glob: false, quoted: false });

/** Looks through a command that runs another one, and walks that. */
export function unwrap(walk: Walk, outer: Scope, invocation: Invocation, running: Running): void {
  const { program, args } = invocation;
  noteExecuted(invocation);
  noteDownload(invocation);
  if (program === 'eval') {
    walkLine(walk, outer, args, 'eval', 'eval of text that is known only when it runs');
    return;
  }
  // only the shell itself knows its functions and aliases
  const scope: Scope = { ...outer, functions: new Map(), aliases: new Map() };
  walkCode(walk, scope, invocation);
  walkRunner(walk, scope, invocation, running);
  if (SHELLS.has(program)) {
    unwrapShell(walk, scope, invocation);
    return;
  }
  switch (program) {
    case 'find':
      unwrapFind(walk, scope, invocation, running);
      return;
    case 'fd':
    case 'fdfind':
      unwrapFd(walk, scope, invocation, running);
      return;
    case 'trap': {
      const [text] = args.filter((arg) => !arg.text.startsWith('-'));
      if (text && args.length > 1) walkLine(walk, scope, [text], 'trap', 'a trap known only when it runs');
      return;
    }
    case 'source':
    case '.':
      return;
    case 'su':
    case 'script':
    case 'runuser':
      unwrapOption(walk, scope, args, ['-c', '--command', '--session-command'], program);
      return;
    case 'flock': {
      if (args.some((arg) => arg.text === '-c')) {
        unwrapOption(walk, scope, args, ['-c'], program);
        return;
      }
      break;
    }
    case 'git':
      unwrapGit(walk, scope, invocation, running);
      return;
    case 'parallel':
      unwrapParallel(walk, scope, invocation, running);
      return;
    case 'docker':
    case 'podman':
    case 'kubectl':
    case 'oc':
    case 'nerdctl':
      unwrapContainer(walk, scope, invocation, running);
      return;
    case 'command':
      // -v and -V only ask where it is, unless a name to run follows the cluster with -p alone
      if (args[0] && /^-[vV]$/.test(args[0].text) && args.length === 2) return;
      break;
    case 'env': {
      const at = args.findIndex((arg) => /^(-S|--split-string)/.test(arg.text));
      if (at >= 0) {
        unwrapSplit(walk, scope, args, at);
        return;
      }
      break;
    }
  }
  const wrapper = lookup(WRAPPERS, program.replaceAll('-', '_')) ?? lookup(WRAPPERS, program);
  if (wrapper) unwrapWords(walk, scope, invocation, running, wrapper);
}

function unwrapWords(
  walk: Walk,
  scope: Scope,
  invocation: Invocation,
  running: Running,
  wrapper: Wrapper,
): void {
  const { args, program } = invocation;
  const rest = commandOf(args, wrapper);
  if (/^(g?time|[sl]trace)$/.test(program)) {
    const until = args.indexOf(rest.words[0] as Arg);
    const written = args.slice(0, until < 0 ? undefined : until).flatMap((arg, i, list) => {
      if (/^(-o|--output)$/.test(list[i - 1]?.text ?? '')) return [arg];
      const attached = /^(?:-o|--output=)(.+)$/.exec(arg.text)?.[1];
      return attached ? [{ ...arg, text: attached }] : [];
    });
    invocation.writes = [...invocation.writes, ...written.map((target) => ({ target, append: false }))];
  }
  const own: Scope = {
    ...scope,
    depth: scope.depth + 1,
    via: [...scope.via, program],
    remote: scope.remote || wrapper.remote === true,
    ...(wrapper.remote && { cwd: null }),
    ...(program === 'env' && { cwd: chdirOf(args) ?? scope.cwd }),
  };
  if (rest.words.length === 0) return;
  if (wrapper.line) {
    const text = rest.words.map((word) => word.text).join(' ');
    if (rest.words.every((word) => word.known)) walkText(walk, text, own);
    else walk.unknowns.push({ text, why: `${program} runs text that is known only when it runs` });
    return;
  }
  const fed = { ...running, env: [...running.env, ...rest.env] };
  if (wrapper.openArgs) runFed(walk, own, fed, rest.words, args);
  else run(walk, own, { ...fed, words: rest.words });
}

/** xargs: what it adds to the command, as far as its input tells. */
function runFed(walk: Walk, scope: Scope, running: Running, command: Arg[], args: Arg[]): void {
  const fromFile = args.some((arg) => /^(-a|--arg-file)/.test(arg.text));
  const fed = fromFile || running.input.kind !== 'pipe' ? null : printedWords(running.input.from);
  const placeholder = replaceString(args);
  const own: Running = { ...running, input: { kind: 'none' } };
  if (placeholder !== null) {
    if (!command.some((word) => word.text.includes(placeholder))) {
      run(walk, scope, { ...own, words: [...command, ...(fed ?? [])], openArgs: fed === null });
      return;
    }
    for (const input of fed ?? [{ ...value(placeholder), known: false }]) {
      const filled = command.map((word) =>
        word.text.includes(placeholder)
          ? {
              ...input,
              text: word.text.replaceAll(placeholder, input.text),
              known: word.known && input.known,
            }
          : word,
      );
      run(walk, scope, { ...own, words: filled, openArgs: fed === null });
    }
    return;
  }
  if (/^-[a-z]*c$/.test(command.at(-1)?.text ?? '') && SHELLS.has(command[0]?.text ?? ''))
    walk.unknowns.push({ text: 'xargs', why: 'a shell runs what comes on standard input' });
  if (fed) run(walk, scope, { ...own, words: [...command, ...fed] });
  else run(walk, scope, { ...own, words: command, openArgs: true });
}

/** The words that a pipeline hands to xargs: those of `echo`, or the files that `find` and `git ls-files` name. */
function printedWords(from: Invocation[]): Arg[] | null {
  const [source, ...filters] = from;
  if (!source || from.length === 0) return null;
  if (filters.length > 0) return null;
  const before = source.input.kind === 'pipe' ? source.input.from : [];
  // a filter prints a part of what it reads
  if (FILTERS.has(source.program) && before.length > 0 && source.args.every((arg) => !isFile(arg))) {
    const all = printedWords(before);
    return all?.every((arg) => arg.glob) ? all : null;
  }
  if (source.program === 'find' && !source.args.some((arg) => /^-f?printf$/.test(arg.text)))
    return foundBy(source.args);
  const below = (start: string): Arg => ({ text: `${start}/**`, known: true, glob: true, quoted: false });
  if (source.cwd !== null && namesFiles(source)) {
    const folders = source.args.filter((arg) => /[/~]|^\.+$/.test(arg.text) && !arg.text.startsWith('-'));
    return folders.every((arg) => arg.known) ? [below('.'), ...folders.map((arg) => below(arg.text))] : null;
  }
  const text = printedText(from);
  return text === null ? null : text.split(/\s+/).filter(Boolean).slice(0, 50).map(value);
}

/** Whether it prints the names of files that are there, below its folder or those that it is given. */
function namesFiles({ program, args }: Invocation): boolean {
  const texts = args.map((arg) => arg.text);
  if (program === 'git') {
    if (texts[0] === 'ls-files') return true;
    if (texts[0] === 'grep')
      return texts.some((text) => /^(-[a-z]*l|--files-with-matches|--name-only)$/.test(text));
    return /^(diff|diff-tree|diff-index|show)$/.test(texts[0] ?? '') && texts.includes('--name-only');
  }
  if (/^[ef]?grep$|^rg$/.test(program))
    return texts.some((text) => /^(-[a-zA-Z]*[lL][a-zA-Z]*|--files(-with(out)?-match(es)?)?)$/.test(text));
  return (
    /^(fd|fdfind)$/.test(program) &&
    !texts.some((text) => /^(-[xX]|--exec|--base-directory|--search-path)/.test(text))
  );
}

const FILTERS = new Set(words('sort uniq head tail grep egrep fgrep shuf'));
/** `head -5 list` reads a file instead. */
const isFile = (arg: Arg) => /\.\w+$/.test(arg.text) && /^[\w./-]+$/.test(arg.text) && !arg.quoted;

/** The files that `find` would name, as patterns below its starting points. */
function foundBy(args: Arg[]): Arg[] {
  const starts = args.filter((arg, i) => !/^[-(!]/.test(arg.text) && isStart(args, i));
  const first = args.findIndex((arg) => /^[-(!]/.test(arg.text) && !/^-[HLPD]$|^-O/.test(arg.text));
  const rest = first < 0 ? [] : args.slice(first);
  const names = rest.filter((_, i) => /^-i?name$/.test(rest[i - 1]?.text ?? ''));
  const plain = !rest.some((arg) => /^(-o|-or|-not|!|-prune|,|-path)$/.test(arg.text));
  const [name] = names;
  const below =
    plain && names.length === 1 && name && !name.text.includes('/') ? name : { ...value('**'), glob: true };
  return (starts.length > 0 ? starts : [value('.')]).map((start) => ({
    text: `${start.text}/${below.text}`,
    known: start.known && below.known,
    glob: true,
    quoted: false,
  }));
}

/** The words of the wrapped command, and the variables set before it. */
function commandOf(args: Arg[], wrapper: Wrapper): { words: Arg[]; env: { name: string; value: Arg }[] } {
  const env: { name: string; value: Arg }[] = [];
  let skip = wrapper.skip ?? 0;
  let i = 0;
  for (; i < args.length; i++) {
    const text = args[i]?.text ?? '';
    if (text === '--') {
      i++;
      while (skip > 0 && i < args.length) {
        i++;
        skip--;
      }
      break;
    }
    if (/^-./.test(text)) {
      if (wrapper.valued?.includes(text)) i++;
      continue;
    }
    if (text === '-' && wrapper.assignments) continue;
    const assignment = wrapper.assignments ? /^([A-Za-z_]\w*)=/.exec(text) : null;
    if (assignment) {
      env.push({ name: assignment[1] as string, value: value(text.slice(assignment[0].length)) });
      continue;
    }
    if (skip > 0) {
      skip--;
      continue;
    }
    break;
  }
  return { words: args.slice(i), env };
}

function chdirOf(args: Arg[]): string | null {
  const at = args.findIndex((arg) => arg.text === '-C' || arg.text === '--chdir');
  const dir = at >= 0 ? args[at + 1] : undefined;
  return dir?.known && dir.text.startsWith('/') ? dir.text : null;
}

function replaceString(args: Arg[]): string | null {
  for (const [i, arg] of args.entries()) {
    if (!arg.text.startsWith('-')) return null;
    if (arg.text === '-I' || arg.text === '-J') return args[i + 1]?.text ?? '{}';
    const attached = /^(?:-I|-J|--replace=)(.+)$/.exec(arg.text);
    if (attached) return attached[1] as string;
    if (/^(-i|--replace=?)$/.test(arg.text)) return '{}';
    if (/^-i./.test(arg.text)) return arg.text.slice(2);
  }
  return null;
}

function unwrapShell(walk: Walk, scope: Scope, invocation: Invocation): void {
  const { args, program, input, openArgs } = invocation;
  const own: Scope = {
    ...scope,
    vars: new Map(scope.vars),
    depth: scope.depth + 1,
    via: [...scope.via, program],
  };
  const at = args.findIndex((arg) => /^-[a-z]*c[a-z]*$/.test(arg.text));
  const end = args.findIndex((arg) => arg.text === '--' || !arg.text.startsWith('-'));
  if (at >= 0 && (end < 0 || at < end || args[end]?.text === '--')) {
    // options may stand between -c and the script
    const rest = args.slice(at + 1).filter((arg, i, list) => arg.text !== '--' || i !== list.indexOf(arg));
    const script = rest.find((arg) => !/^[-+][A-Za-z]/.test(arg.text));
    if (!script) {
      if (openArgs) walk.unknowns.push({ text: program, why: 'a shell runs what comes on standard input' });
      return;
    }
    const after = rest.slice(rest.indexOf(script) + 1);
    for (const [i, arg] of after.entries()) own.vars.set(String(i), arg);
    if (!script.known) {
      walk.unknowns.push({
        text: script.text,
        why: `${program} -c runs text that is known only when it runs`,
      });
    }
    // also when part of it is unknown: what is known may have to be denied
    walkText(walk, script.text, own);
    return;
  }
  if (end >= 0 && args[end]?.text !== '--') return; // a script file: judged by its path and content
  walkInput(walk, own, input, program);
}

/** A shell without a script runs its standard input. */
function walkInput(walk: Walk, scope: Scope, input: Input, program: string): void {
  if (input.kind === 'text') {
    if (!input.known) walk.unknowns.push({ text: program, why: 'a shell runs text known only when it runs' });
    walkText(walk, input.text, scope);
    return;
  }
  if (input.kind === 'file') {
    walk.unknowns.push({ text: input.target.text, why: `${program} runs a file on its standard input` });
    return;
  }
  if (input.kind !== 'pipe') return;
  const text = printedText(input.from);
  if (text !== null) walkText(walk, text, scope);
  else walk.unknowns.push({ text: program, why: 'a shell runs what another command prints' });
}

/** What a pipeline's first stages print, when the line tells: `echo …`, `printf …`, `cat` of a here-document. */
export function printedText(from: Invocation[]): string | null {
  const [only, ...more] = from;
  if (!only || more.length > 0) return null;
  if (only.program === 'echo' || only.program === 'printf') {
    const args = only.args.filter((arg, i) => !(i === 0 && /^-[neE]+$/.test(arg.text)));
    return args.every((arg) => arg.known)
      ? args.map((arg) => arg.text.replaceAll('\\n', '\n')).join(' ')
      : null;
  }
  if (only.program === 'cat' && only.args.length === 0 && only.input.kind === 'text' && only.input.known) {
    return only.input.text;
  }
  return null;
}

function walkLine(walk: Walk, scope: Scope, args: Arg[], via: string, why: string): void {
  const text = args.map((arg) => arg.text).join(' ');
  if (!args.every((arg) => arg.known)) walk.unknowns.push({ text, why });
  const own: Scope = { ...scope, depth: scope.depth + 1, via: [...scope.via, via] };
  walkText(walk, text, own);
  scope.cwd = own.cwd;
}

/** `git bisect run …`, `git submodule foreach …`, `git rebase --exec …`. */
function unwrapGit(walk: Walk, scope: Scope, invocation: Invocation, running: Running): void {
  const { args } = invocation;
  const at = args.findIndex((arg) => /^(bisect|submodule|rebase)$/.test(arg.text));
  const after = args.slice(at + 1);
  const sub = `${args[at]?.text} ${after.find((arg) => !arg.text.startsWith('-'))?.text}`;
  if (at < 0) return;
  if (sub.startsWith('rebase')) {
    unwrapOption(walk, scope, after, ['-x', '--exec'], 'git');
    return;
  }
  if (sub !== 'bisect run' && sub !== 'submodule foreach') return;
  const command = after.slice(after.findIndex((arg) => !arg.text.startsWith('-')) + 1);
  const own = commandOf(command, {}).words;
  if (sub === 'bisect run') run(walk, { ...scope, via: [...scope.via, 'git'] }, { ...running, words: own });
  else walkLine(walk, scope, own, 'git', 'git submodule foreach with text known only when it runs');
}

function unwrapOption(walk: Walk, scope: Scope, args: Arg[], names: string[], via: string): void {
  const at = args.findIndex((arg) => names.includes(arg.text));
  const attached = args.find((arg) =>
    names.some((name) => name.startsWith('--') && arg.text.startsWith(`${name}=`)),
  );
  const script =
    at >= 0 ? args[at + 1] : attached && { ...attached, text: attached.text.replace(/^[^=]*=/, '') };
  if (script) walkLine(walk, scope, [script], via, `${via} runs text that is known only when it runs`);
}

function unwrapSplit(walk: Walk, scope: Scope, args: Arg[], at: number): void {
  const option = args[at] as Arg;
  const attached = option.text.replace(/^(-S|--split-string=?)/, '');
  const [script, rest] =
    attached !== '' ? [value(attached), args.slice(at + 1)] : [args[at + 1], args.slice(at + 2)];
  if (script) walkLine(walk, scope, [script, ...rest], 'env', 'env -S with text known only when it runs');
}

const EXECS = new Set(words('-exec -execdir -ok -okdir -x -X --exec --exec-batch'));

function unwrapFind(walk: Walk, scope: Scope, invocation: Invocation, running: Running): void {
  const { args } = invocation;
  const own: Scope = { ...scope, depth: scope.depth + 1, via: [...scope.via, 'find'] };
  for (let i = 0; i < args.length; i++) {
    if (!EXECS.has(args[i]?.text ?? '')) continue;
    const length = args.slice(i + 1).findIndex((arg) => arg.text === ';' || arg.text === '+');
    const command = args.slice(i + 1, length < 0 ? undefined : i + 1 + length);
    // in the folder of the file the name alone is given: where that is, is not known
    const within = /dir$/.test(args[i]?.text ?? '');
    const found = foundBy(args).map((arg) => (within ? { ...arg, text: '{}', known: false } : arg));
    run(walk, own, {
      ...running,
      words: command.flatMap((arg) =>
        arg.text.includes('{}')
          ? found.map((file) => ({
              ...file,
              text: arg.text.replaceAll('{}', file.text),
              known: arg.known && file.known,
            }))
          : [arg],
      ),
      input: { kind: 'none' },
      writes: [],
    });
    i += command.length + 1;
  }
}

const FD_VALUED = words(
  '-e --extension -t --type -d --max-depth --min-depth --exact-depth -E --exclude -g -c --color -S --size -o --owner -j --threads --changed-within --changed-before --base-directory --search-path --max-results --path-separator --and',
);

/** `fd pattern folders -x command`: what it finds is put in place of `{}`, or else at the end. */
function unwrapFd(walk: Walk, scope: Scope, invocation: Invocation, running: Running): void {
  const { args } = invocation;
  const at = args.findIndex((arg) => /^(-x|-X|--exec|--exec-batch)(=|$)/.test(arg.text));
  if (at < 0) return;
  const [, ...folders] = commandOf(args.slice(0, at), { valued: FD_VALUED }).words.filter(
    (arg, i, list) => !/^-./.test(arg.text) && !FD_VALUED.includes(list[i - 1]?.text ?? ''),
  );
  const based = args.filter((_, i) => /^--(base-directory|search-path)$/.test(args[i - 1]?.text ?? ''));
  const attached = args[at]?.text.replace(/^[^=]*=?/, '') ?? '';
  const rest = args.slice(at + 1);
  const end = rest.findIndex((arg) => arg.text === ';');
  const command = [...(attached === '' ? [] : [value(attached)]), ...(end < 0 ? rest : rest.slice(0, end))];
  const extensions = args.filter((_, i) => /^(-e|--extension)$/.test(args[i - 1]?.text ?? ''));
  const below = extensions.length === 1 ? `*.${extensions[0]?.text}` : '**';
  const found = (folders.length + based.length > 0 ? [...folders, ...based] : [value('.')]).map((start) => ({
    text: `${start.text}/${below}`,
    known: start.known,
    glob: true,
    quoted: false,
  }));
  const slots = command.some((arg) => FD_SLOT.test(arg.text));
  const filled = command.flatMap((arg) =>
    FD_SLOT.test(arg.text)
      ? found.map((file) => ({
          ...file,
          text: arg.text.replace(FD_SLOT, file.text),
          known: arg.known && file.known,
        }))
      : [arg],
  );
  const own: Scope = { ...scope, depth: scope.depth + 1, via: [...scope.via, 'fd'] };
  if (filled.length === 0) return;
  run(walk, own, {
    ...running,
    words: slots ? filled : [...filled, ...found],
    input: { kind: 'none' },
    writes: [],
  });
}
const FD_SLOT = /\{(\/|\/\/|\.|\/\.)?\}/;

/** find's starting points stand before the first expression. */
const isStart = (list: Arg[], i: number) =>
  !list.slice(0, i).some((arg) => /^[-(!]/.test(arg.text) && !/^-[HLPD]|^-O/.test(arg.text));

function unwrapParallel(walk: Walk, scope: Scope, invocation: Invocation, running: Running): void {
  const { args } = invocation;
  const at = args.findIndex((arg) => /^::::?\+?$/.test(arg.text));
  const own: Scope = { ...scope, depth: scope.depth + 1, via: [...scope.via, 'parallel'] };
  const valued = words(
    '-j --jobs -I -N -n -S --sshlogin --delay --retries --joblog --results --timeout -a --arg-file --colsep -d',
  );
  const command = commandOf(at < 0 ? args : args.slice(0, at), { valued }).words;
  const inputs = at < 0 ? [] : args.slice(at + 1);
  if (command.length === 0) {
    // each input is a command line of its own
    const fromFile =
      /^::::/.test(args[at]?.text ?? '') || args.some((arg) => /^(-a|--arg-file)/.test(arg.text));
    const printed = running.input.kind === 'pipe' ? printedText(running.input.from) : null;
    const given = running.input.kind === 'text' && running.input.known ? running.input.text : printed;
    for (const line of inputs.length > 0 ? [] : (given ?? '').split('\n').slice(0, 50)) {
      if (line.trim() !== '') walkLine(walk, own, [value(line)], 'parallel', '');
    }
    if (fromFile || (at < 0 && given === null))
      walk.unknowns.push({ text: 'parallel', why: 'runs the command lines that it reads' });
    for (const line of inputs)
      walkLine(walk, own, [line], 'parallel', 'parallel runs text known only when it runs');
    return;
  }
  const from = running.input.kind === 'pipe' ? printedText(running.input.from) : null;
  const fed = inputs.length > 0 ? inputs : from === null ? [] : from.split('\n').map(value);
  if (fed.length === 0) {
    const slots = command.map((arg) => (arg.text.includes('{}') ? { ...arg, known: false } : arg));
    run(walk, own, { ...running, words: slots, openArgs: true, input: { kind: 'none' } });
    return;
  }
  const [only] = command;
  if (only && command.length === 1 && /\s/.test(only.text)) {
    // a shell runs it
    for (const input of fed.slice(0, 50)) {
      const text = only.text.includes('{}')
        ? only.text.replaceAll('{}', input.text)
        : `${only.text} ${input.text}`;
      const line = { ...only, text, known: only.known && input.known };
      walkLine(walk, own, [line], 'parallel', 'parallel runs text known only when it runs');
    }
    return;
  }
  for (const input of fed.slice(0, 50)) {
    const slots = command.some((arg) => arg.text.includes('{}'));
    const filled = command.map((arg) => ({
      ...arg,
      text: arg.text.replaceAll('{}', input.text),
      known: arg.known && input.known,
    }));
    run(walk, own, { ...running, words: slots ? filled : [...filled, input], input: { kind: 'none' } });
  }
}

const CONTAINER_VALUED = words(
  '-e --env --env-file -u --user -w --workdir -v --volume --mount --name -p --publish --network --entrypoint -l --label -n --namespace -c --container --context --platform --cpus -m --memory --add-host -h --hostname --gpus --rm= --cap-add --security-opt --device --pid',
);

/** `docker exec|run`, `kubectl exec`: a command in a container. */
function unwrapContainer(walk: Walk, scope: Scope, invocation: Invocation, running: Running): void {
  const { args, program } = invocation;
  const at = args.findIndex((arg) => ['exec', 'run'].includes(arg.text));
  if (
    at < 0 ||
    args
      .slice(0, at)
      .some((arg) => !arg.text.startsWith('-') && arg.text !== 'compose' && arg.text !== 'container')
  )
    return;
  const rest = args.slice(at + 1);
  if (args[at]?.text === 'run') noteMounts(invocation, rest);
  const dash = rest.findIndex((arg) => arg.text === '--');
  const command =
    (program === 'kubectl' || program === 'oc') && dash >= 0
      ? rest.slice(dash + 1)
      : commandOf(rest, { valued: CONTAINER_VALUED, skip: 1 }).words;
  if (command.length === 0) return;
  const own: Scope = {
    ...scope,
    cwd: null,
    remote: true,
    depth: scope.depth + 1,
    via: [...scope.via, program],
  };
  run(walk, own, { ...running, words: command, writes: [] });
}

/** What a container gets of the host it may change: its mounts count as written, or as read. */
function noteMounts(invocation: Invocation, args: Arg[]): void {
  for (const [i, arg] of args.entries()) {
    const attached = /^(?:-v=?|--volume=|--mount=)(.+)$/s.exec(arg.text);
    const given = /^(-v|--volume|--mount)$/.test(args[i - 1]?.text ?? '') ? arg.text : attached?.[1];
    if (given === undefined) continue;
    const source =
      /(?:^|,)(?:src|source)=([^,]+)/.exec(given)?.[1] ?? (/^type=/.test(given) ? '' : given.split(':')[0]);
    // a volume has a plain name; without a colon the place is the container's
    if (!source || (!/^[/.~$`]/.test(source) && arg.known)) continue;
    if (!/[:,]/.test(given) && arg.known) continue;
    if (/^\/etc\/(localtime|timezone|ssl\/certs)$/.test(source)) continue;
    const target: Arg = { ...arg, text: source };
    if (/(:|,)(ro|readonly)\b/.test(given)) invocation.reads = [...invocation.reads, target];
    else invocation.writes = [...invocation.writes, { target, append: true }];
  }
}

/** A download that takes its name from the address is a file that the line writes. */
function noteDownload(invocation: Invocation): void {
  const { program, args } = invocation;
  const named =
    program === 'wget'
      ? !args.some((arg) =>
          /^(-[a-zA-Z]*[OP]|--output-document|--directory-prefix|--spider|-i|--input)/.test(arg.text),
        )
      : program === 'curl' && args.some((arg) => /^(-[a-zA-Z]*O|--remote-name)/.test(arg.text));
  if (!named) return;
  for (const arg of args) {
    const name = /^\w+:\/\/[^?#]+\/([^/?#]+)(?:[?#]|$)/.exec(arg.text)?.[1];
    if (name && arg.known)
      invocation.writes = [...invocation.writes, { target: { ...arg, text: name }, append: false }];
  }
}
