import { known } from './arg.ts';
import { words } from './names.ts';
import type { Arg, Invocation, Running, Scope, Walk } from './types.ts';
import { commandOf } from './wrappers.ts';

// find and fd: the files that they would list, and the commands that they run on those files.

const EXECS = new Set(words('-exec -execdir -ok -okdir -x -X --exec --exec-batch'));

/** Walks the commands that `find … -exec` runs, with patterns in place of the files that it would find. */
export function unwrapFind(walk: Walk, scope: Scope, invocation: Invocation, running: Running): void {
  const { args } = invocation;
  const own: Scope = { ...scope, depth: scope.depth + 1, via: [...scope.via, 'find'] };
  // an unset variable leaves no starting point, and find then begins in the working folder
  if (args[0]?.assumed && !args[0].quoted && args.some(({ text }) => text === '-delete' || EXECS.has(text)))
    walk.unknowns.push({ text: args[0].text, why: 'find begins here if the variable is unset' });
  const below = foundBy(args).every((arg) => arg.known && !/^[/~]|(^|\/)\.\.(\/|$)/.test(arg.text));
  for (let i = 0; i < args.length; i++) {
    if (!EXECS.has(args[i]?.text ?? '')) continue;
    const length = args.slice(i + 1).findIndex((arg) => arg.text === ';' || arg.text === '+');
    const command = args.slice(i + 1, length < 0 ? undefined : i + 1 + length);
    // -execdir runs in the folder of each file and passes only its name, so the folder is not known
    const within = /dir$/.test(args[i]?.text ?? '');
    const found = foundBy(args).map((arg) => ({
      ...arg,
      ...(within && { text: '{}', known: false }),
      listedBy: [invocation],
    }));
    walk.into.command(walk, within && !below ? { ...own, cwd: null } : own, {
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
      writes: [],
    });
    i += command.length + 1;
  }
}

/** Matches an expression that finds one of several names: `-type d \\( -name a -o -name b \\) -prune`. */
const EITHER =
  /^(-type \w )?\( -name \S+( -o -name \S+)+ \)( -prune)?(( -print0?)| (-exec|-delete)( (?!-(o|or|name|exec)\b)\S+)*)?$/;

/** Returns the files that `find` would list, as patterns below its starting points. */
export function foundBy(args: Arg[]): Arg[] {
  const starts = args.filter((arg, i) => !/^[-(!]/.test(arg.text) && isStart(args, i));
  const first = args.findIndex((arg) => /^[-(!]/.test(arg.text) && !/^-[HLPD]$|^-O/.test(arg.text));
  const rest = first < 0 ? [] : withoutNarrowing(args.slice(first));
  const names = rest.filter((_, i) => /^-i?name$/.test(rest[i - 1]?.text ?? ''));
  const plain = !rest.some((arg) => /^(-o|-or|-not|!|,|-path)$/.test(arg.text));
  const told =
    ((plain && names.length === 1) || EITHER.test(rest.map(({ text }) => text).join(' '))) &&
    names.every(({ text }) => !/[/ ]/.test(text));
  const below = told
    ? names.map((name) => ({ ...name, text: withHidden(name.text) }))
    : [known('**', { glob: true })];
  return (starts.length > 0 ? starts : [known('.')]).flatMap((start) =>
    below.map((name) => ({
      text: `${start.text}/${name.text}`,
      known: start.known && name.known,
      glob: true,
      quoted: false,
    })),
  );
}

/** Tests that can only make the result smaller: `-not -path './.venv/*'`, `-maxdepth 3`. */
const NARROWS = /^-(?:path|ipath|wholename|name|iname|regex|iregex)$/;

/**
 * Returns an expression of `find` without tests that only narrow it. An `-o` stays, and then it is not known
 * what is found.
 */
function withoutNarrowing(expression: Arg[]): Arg[] {
  const kept: Arg[] = [];
  for (let i = 0; i < expression.length; i += 1) {
    const text = expression[i]?.text ?? '';
    const next = expression[i + 1]?.text ?? '';
    if (/^(?:!|-not)$/.test(text) && NARROWS.test(next)) i += 2;
    else if (/^-(?:max|min)depth$/.test(text)) i += 1;
    else kept.push(expression[i] as Arg);
  }
  return kept;
}

/**
 * Returns a pattern of find as the shell would read it. In find, `*` also matches the dot of a hidden name.
 * So if a pattern may find `.env`, the result begins with the dot.
 */
const withHidden = (name: string): string =>
  /^\*+\??[env*]*$/.test(name) && /[env]/.test(name) ? `.${name}` : name;

/** Whether a word is a starting point of `find`: starting points come before the first expression. */
const isStart = (list: Arg[], i: number) =>
  !list.slice(0, i).some((arg) => /^[-(!]/.test(arg.text) && !/^-[HLPD]|^-O/.test(arg.text));

const FD_VALUED = words(
  '-e --extension -t --type -d --max-depth --min-depth --exact-depth -E --exclude -g -c --color -S --size -o --owner -j --threads --changed-within --changed-before --base-directory --search-path --max-results --path-separator --and',
);

/**
 * Walks what `fd pattern folders -x command` runs. The files found replace `{}`, or go to the end if there is no `{}`.
 */
export function unwrapFd(walk: Walk, scope: Scope, invocation: Invocation, running: Running): void {
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
  const command = [...(attached === '' ? [] : [known(attached)]), ...(end < 0 ? rest : rest.slice(0, end))];
  const extensions = args.filter((_, i) => /^(-e|--extension)$/.test(args[i - 1]?.text ?? ''));
  const below = extensions.length === 1 ? `*.${extensions[0]?.text}` : '**';
  const found = (folders.length + based.length > 0 ? [...folders, ...based] : [known('.')]).map((start) => ({
    text: `${start.text}/${below}`,
    known: start.known,
    glob: true,
    quoted: false,
    listedBy: [invocation],
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
  walk.into.command(walk, own, {
    ...running,
    words: slots ? filled : [...filled, ...found],
    input: { kind: 'none' },
    writes: [],
  });
}

const FD_SLOT = /\{(\/|\/\/|\.|\/\.)?\}/;
