import { programs } from '../shell/lists.ts';
import { AWKS } from '../shell/names.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { EDITS } from './writers.ts';
import { SOURCE } from './written.ts';

// Finds commands that empty a file which somebody wrote, and commands that write without end.

/** Files that people write by hand; an empty `__init__.py` is what Python asks for. */
const WRITTEN_BY_HAND =
  /^(?!.*\/?__init__\.py$).*\.([cm]?[jt]sx?|vue|svelte|pyi?|rb|php|go|rs|java|kt|scala|exs?|lua|pl|sh|cs|swift|c|cc|cpp|h|hpp|zig|sql|html?|s?css|md|mdx|rst|json|ya?ml|toml|tf|proto|graphql)$/i;

const sameFile = (one: string, other: string) => one.replace(/^\.\//, '') === other.replace(/^\.\//, '');

const isByHand = (target: Arg) => WRITTEN_BY_HAND.test(target.text) || /\.(sqlite3?|db)$/.test(target.text);

/**
 * Returns a file that a command empties or overwrites by mistake; null if there is none. It is one of these:
 *
 * - a file that is emptied before the command reads it (`sort a > a`)
 * - a file written by hand, as its name tells, that gets no content: the command prints or copies nothing
 * into it
 * - one of many files that all get the same content
 * - a file that is overwritten with its committed version
 * - a source that a report, a table or an archive replaces
 *
 * @param targets what the command writes
 */
export function emptiedBy(invocation: Invocation, targets: Arg[]): Arg | null {
  const { program, args, writes, input } = invocation;
  const sources = sourcesOf(invocation).filter(({ text }) => !text.startsWith('/dev/'));
  const own = writes.find(
    ({ target, append }) => !append && sources.some(({ text }) => sameFile(text, target.text)),
  );
  if (own) return own.target;
  const piped = program === 'tee' && input.kind === 'pipe' ? input.from.flatMap(sourcesOf) : [];
  const over = targets.find((target) => piped.some(({ text }) => sameFile(text, target.text)));
  if (over && !args.some(({ text }) => /^-\w*a|^--append$/.test(text))) return over;
  const many = targets.find(
    (target) => target.glob && !/^(mv|cp|ln|git)$/.test(program) && !EDITS.has(program) && isByHand(target),
  );
  if (many) return many;
  if (program === 'git') {
    const committed = args.flatMap((arg) => /^[^:]*:(.+)$/.exec(arg.text)?.[1] ?? []);
    const restored = writes.find(
      ({ target, append }) => !append && committed.some((name) => sameFile(name, target.text)),
    );
    if (restored) return restored.target;
  }
  // a program that writes a report or a table does not write sources; an option that names one is a mistake
  if (AWKS.includes(program) || (REPORTERS.has(program) && !args.some(({ text }) => text === 'mv'))) {
    const redirected = new Set(writes.map(({ target }) => target));
    const over = targets.find(
      (target) =>
        !redirected.has(target) && (REPORTERS.has(program) ? SOURCE.test(target.text) : isByHand(target)),
    );
    if (over) return over;
  }
  // a compressor replaces a source by an archive
  if (
    COMPRESSORS.has(program) &&
    !args.some(({ text }) =>
      /^-[a-zA-Z0-9]*[cdklt]|^--(keep|stdout|to-stdout|decompress|list|test)/.test(text),
    )
  ) {
    const source = args.find(({ text }) => SOURCE.test(text));
    if (source) return source;
  }
  const silent =
    isSilent(invocation) ||
    (/^(tee|sponge)$/.test(program) &&
      input.kind === 'pipe' &&
      input.from.length > 0 &&
      input.from.every(isSilent)) ||
    (/^(cat|cp|tee|sponge|sort|dd|head|install)$/.test(program) && copiesNothing(invocation, targets));
  if (!silent) return null;
  const appended = writes.filter((write) => write.append).map((write) => write.target);
  return targets.find((target) => !appended.includes(target) && isByHand(target)) ?? null;
}

/** Programs that write reports of what they find, and never a source. */
const REPORTERS = programs('reporters');

const COMPRESSORS = programs('replacing-compressors');

/** Programs that print nothing, whatever they are given. */
const SILENT = programs('silent');

/** Whether a command prints nothing, or nothing but blanks. */
function isSilent({ program, path, args, group }: Invocation): boolean {
  if (group) return group.every(isSilent);
  if (SILENT.has(program)) return path === program && !(program === 'exec' && args.length > 0);
  if (programs('printers').has(program)) return args.every(({ text }) => /^(-[neE]+|(\\n|\s)*)$/.test(text));
  if (/^(head|tail)$/.test(program))
    return /(^| )(-[cn] ?|--(bytes|lines)[= ])0( |$)/.test(args.map(({ text }) => text).join(' '));
  return program === 'cat' && args.length > 0 && args.every(({ text }) => text === '/dev/null');
}

/** Whether a command copies nothing but `/dev/null`, zeros or random bytes. */
function copiesNothing({ program, args, reads }: Invocation, targets: Arg[]): boolean {
  const inputs = [...args, ...reads].filter((arg) => !arg.text.startsWith('-') && !targets.includes(arg));
  const nothing = (arg: Arg) =>
    /^\/dev\/null$|^if=\/dev\/(null|zero|u?random)$/.test(arg.text) ||
    (program === 'dd' && !/^if=/.test(arg.text));
  return inputs.length > 0 && inputs.every(nothing);
}

/** Whether a command writes without end, or more than a disk should take: `yes > x`, `dd if=/dev/zero of=x`. */
export function fillsDisk(invocation: Invocation, targets: Arg[]): boolean {
  const { program, args } = invocation;
  const line = args.map(({ text }) => text).join(' ');
  if (/^(fallocate|truncate|mkfile)$/.test(program)) return HUGE.test(line);
  return targets.some(({ text }) => !text.startsWith('/dev/')) && isEndless(invocation);
}

function isEndless({ program, args, reads, input }: Invocation): boolean {
  const line = args.map(({ text }) => text).join(' ');
  if (/^g?head$/.test(program)) return HUGE.test(line);
  if (program === 'dd' && /(^| )count=/.test(line))
    return HUGE.test(line) || (/(^| )bs=\d*g/i.test(line) && !/(^| )count=\d( |$)/.test(line));
  if (program === 'yes') return true;
  const device = [...args, ...reads].some(({ text }) => /^(if=)?\/dev\/(zero|full|u?random)$/.test(text));
  return COPIERS.test(program) && (device || (input.kind === 'pipe' && input.from.some(isEndless)));
}

/** Matches a size of a hundred gigabytes or more. */
const HUGE = /(^|[^\w.])\d{3,}G|\d[TPE]i?B?( |$)/i;
const COPIERS = /^(cat|dd|tee|cp|base64|base32|xxd|od|hexdump|gzip|tr|pv|openssl|strings)$/;

/** Returns what a command and those that pipe into it may read: their words, and the files at their standard input. */
function sourcesOf({ program, args, reads, input }: Invocation): Arg[] {
  const own = programs('printers').has(program) ? reads : [...args, ...reads];
  return input.kind === 'pipe' ? [...own, ...input.from.flatMap(sourcesOf)] : own;
}
