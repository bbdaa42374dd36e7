import { known } from '../shell/arg.ts';
import { programs } from '../shell/lists.ts';
import { GREPS, SHOWERS, TREE_GREPS } from '../shell/names.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { resolvePath, within } from '../shell/zones.ts';
import { wordsOf } from './arguments.ts';
import type { MatchContext } from './match.ts';
import { isShown, secretShownBy } from './secrets.ts';
import { sweptSecret } from './trees.ts';

// A line may copy, move or pack a secret and then read the copy. When the line is judged, the copy does not exist yet,
// so reading it is judged like reading the original.

/** What the commands of a line have copied and packed so far. */
export type Copies = {
  /** Notes a command of the line. */
  note(invocation: Invocation): void;
  /** Returns the secret that a command shows through a copy that the line made; null if it shows none. */
  shownBy(invocation: Invocation): string | null;
};

const COPIES = programs('copiers');
const PACKS = programs('packers');
const UNPACKS = new Set([
  ...programs('unpackers'),
  ...programs('inflaters'),
  ...programs('inflating-readers'),
]);
const ARCHIVE = /\.(tar|tgz|tbz2?|txz|zip|7z|rar|jar|gz|bz2|xz|zst|cpio)$/i;
const READS = new Set([...SHOWERS, ...GREPS, ...TREE_GREPS]);

/** Whether a command prints what is in an archive that it is given, and not only the names. */
const printsArchive = ({ program, args, code }: Invocation): boolean => {
  const has = (option: RegExp) => args.some(({ text }) => option.test(text));
  if (/tar$/.test(program)) return has(/^-?[a-zA-Z]*O|^--to-stdout$/);
  if (program === 'unzip') return has(/^-[a-zA-Z]*[pc]/);
  if (/^7z/.test(program)) return has(/^-so$/);
  if (program === 'zip') return false;
  return READS.has(program) || UNPACKS.has(program) || code !== undefined;
};
/** More than a person writes in one line. */
const MAX_COPIES = 20;

/** Returns a memory of what the commands of a line have copied and packed. */
export function createCopies(context: MatchContext): Copies {
  const { place, options } = context;
  /** for each copy, where what it is a copy of lies */
  const copies = new Map<string, string>();
  /** for each archive, what was packed into it */
  const archives = new Map<string, Arg[]>();
  const pathOf = ({ text, known }: Arg, cwd: string | null) =>
    known && !text.startsWith('-') ? resolvePath(text, cwd, place.home) : null;

  function original(path: string | null): string | null {
    if (path === null) return null;
    const copy = [...copies.keys()].filter((one) => within(path, one)).sort((a, b) => b.length - a.length)[0];
    return copy === undefined ? null : `${copies.get(copy)}${path.slice(copy.length)}`;
  }

  function noteCopy(invocation: Invocation): void {
    const { words, values } = wordsOf(invocation, options);
    const into = values.find(({ option }) => /^(-t|--target-directory)$/.test(option))?.arg;
    const target = pathOf(into ?? (words.at(-1) as Arg), invocation.cwd);
    if (target === null) return;
    for (const word of into ? words : words.slice(0, -1)) {
      const from = pathOf(word, invocation.cwd);
      if (from === null || copies.size >= MAX_COPIES) continue;
      const source = original(from) ?? from;
      copies.set(target, source);
      // if the target is a folder that exists, the copy is made in it
      copies.set(`${target}/${from.replace(/^.*\//, '')}`, source);
    }
  }

  function noteArchive(invocation: Invocation, words: Arg[]): void {
    const archive = words.find(({ text }) => ARCHIVE.test(text)) ?? words[0];
    const path = archive ? pathOf(archive, invocation.cwd) : null;
    const letters = /tar$/.test(invocation.program) ? invocation.args[0] : undefined;
    const packed = words.filter((word) => word !== archive && word !== letters);
    if (path !== null && packed.length > 0 && archives.size < MAX_COPIES)
      archives.set(
        path,
        packed.flatMap((word) => pathOf(word, invocation.cwd) ?? []).map((text) => known(text)),
      );
  }

  function packedSecret(invocation: Invocation, roots: Arg[]): string | null {
    const packing = { ...invocation, program: 'tar', path: 'tar', args: [known('-c'), ...roots], reads: [] };
    return secretShownBy(packing, context) ?? sweptSecret(packing, context)?.file ?? null;
  }

  return {
    note(invocation) {
      const { program, args, cwd } = invocation;
      if (COPIES.has(program) && args.length > 1) return noteCopy(invocation);
      if (!PACKS.has(program) && !UNPACKS.has(program)) return;
      const { words, values } = wordsOf(invocation, options);
      const files = [...values.map(({ arg }) => arg), ...words].filter(({ text }) => /[./\w]/.test(text));
      const opened = files.find((file) => archives.has(pathOf(file, cwd) ?? ''));
      if (!opened) return noteArchive(invocation, files);
      const into = values.find(({ option }) => /^(-d|-C|--directory)$/.test(option))?.arg ?? known('.');
      const [root] = archives.get(pathOf(opened, cwd) ?? '') ?? [];
      const target = pathOf(into, cwd);
      if (root && target !== null && target !== cwd) copies.set(target, root.text);
    },
    shownBy(invocation) {
      if (copies.size + archives.size === 0 || invocation.remote || !isShown(invocation)) return null;
      const { args, reads, cwd } = invocation;
      const archive = [...args, ...reads].find((arg) => archives.has(pathOf(arg, cwd) ?? ''));
      if (archive && printsArchive(invocation))
        return packedSecret(invocation, archives.get(pathOf(archive, cwd) ?? '') ?? []);
      const folder = original(cwd);
      const placed = (arg: Arg): Arg => {
        // in a copied folder, what is named from there is below its original
        const path = folder !== null && !/^[/~]/.test(arg.text) ? null : original(pathOf(arg, cwd));
        return path === null ? arg : { ...arg, text: path };
      };
      const moved = { ...invocation, cwd: folder ?? cwd, args: args.map(placed), reads: reads.map(placed) };
      if (folder === null && ![...args, ...reads].some((arg) => placed(arg) !== arg)) return null;
      return secretShownBy(moved, context) ?? sweptSecret(moved, context)?.file ?? null;
    },
  };
}
