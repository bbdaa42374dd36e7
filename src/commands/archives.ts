import { programs } from '../shell/lists.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings } from '../shell/zones.ts';

// What a command packs into an archive or unpacks from one, and the names that stand in an archive.

/** `file`: null when it is standard input or output; `folder`: where it is unpacked */
export type Archive = {
  packs: boolean;
  unpacks: boolean;
  file: Arg | null;
  folder: Arg | null;
  /** the files of it that are named; none if all are meant */
  members: Arg[];
};

const TAR = programs('tars');
/** Programs whose first word says what they do: `7z x a.7z`, `jar xf a.jar`. */
const BY_WORD = programs('archivers-by-word');

/** Returns what a command does with an archive; null when it is no such command. */
export function archiveOf({ program, args }: Invocation): Archive | null {
  const texts = args.map(({ text }) => text);
  const [first = ''] = texts;
  const has = (pattern: RegExp) => texts.some((text) => pattern.test(text));
  const behind = (option: RegExp) => args.find((_, i) => option.test(texts[i - 1] ?? '')) ?? null;
  const attached = (option: RegExp) => {
    const arg = args.find(({ text }) => option.test(text));
    return arg ? { ...arg, text: option.exec(arg.text)?.[1] ?? '' } : null;
  };
  const plainWord = (from: number) => args.slice(from).find(({ text }) => !text.startsWith('-')) ?? null;
  const clustered = TAR.has(program) || program === 'jar';
  if (clustered) {
    const does = (letter: string) =>
      new RegExp(`^-?[a-zA-Z]*${letter}`).test(first) || has(new RegExp(`^-[a-zA-Z]*${letter}[a-zA-Z]*$`));
    const unpacks = (does('x') || has(/^--(extract|get)$/)) && !has(/^-[a-zA-Z]*O|^--to-stdout$/);
    const packs = does('[cru]') || has(/^--(create|append|update)$/);
    const file = behind(/^(-?[a-zA-Z]*f|--file)$/) ?? attached(/^--file=(.+)$/);
    const folder = behind(/^(-C|--directory|-[a-zA-Z]*C)$/) ?? attached(/^--directory=(.+)$/);
    return made(unpacks, packs && !unpacks, file, folder);
  }
  if (program === 'unzip')
    return made(!has(/^-[a-zA-Z]*[lvptZz]/), false, plainWord(0), behind(/^-d$/) ?? attached(/^-d(.+)$/));
  if (program === 'zipfile' || program === 'tarfile')
    return made(has(/^(-e|--extract)$/), has(/^(-c|--create)$/), plainWord(0), plainWord(2));
  if (program === 'pax' || program === 'cpio') {
    const reads = program === 'pax' ? has(/^-\w*r/) && !has(/^-\w*w/) : has(/^(-\w*i\w*|--extract)$/);
    return made(reads, false, behind(/^-\w*[fFI]$/) ?? attached(/^--file=(.+)$/), behind(/^-D$/));
  }
  if (BY_WORD.has(program)) return made(/^[ex]$/.test(first), false, plainWord(1), attached(/^-o(.+)$/));
  return null;

  function made(unpacks: boolean, packs: boolean, file: Arg | null, folder: Arg | null): Archive {
    const at = file ? texts.findIndex((text) => text === file.text || text.endsWith(`=${file.text}`)) : -1;
    const members = args.slice(at + 1).filter(({ text }, i, list) => {
      return (
        !text.startsWith('-') &&
        text !== folder?.text &&
        !/^-(C|d|x)$|^--directory$/.test(list[i - 1]?.text ?? '')
      );
    });
    return { packs, unpacks, file: file?.text === '-' ? null : file, folder, members };
  }
}

/** Where a tar says that it is one. */
const TAR_MARK = 257;

/**
 * Returns the names of the files in an archive; null when they are not known: it is not there yet, it is long, or it
 * is compressed as a whole.
 */
export function namesInArchive(file: Arg | null, cwd: string | null, place: Surroundings): string[] | null {
  const path = file?.known && !file.glob ? resolvePath(file.text, cwd, place.home) : null;
  try {
    const content = path === null ? null : place.read?.(path, 'quietly');
    if (!content?.whole) return null;
    const { text } = content;
    // a name stands at the beginning of a block, which follows zeros or the text of the file before
    if (text.slice(TAR_MARK).startsWith('ustar'))
      return text.split(/\0+/).flatMap((part) => /[^\n]+$/.exec(part)?.[0] ?? []);
    // at the end of a zip stands a list of its files, with a name behind zeros and fields behind the name
    if (text.startsWith('PK'))
      return text
        .split('PK\x01\x02')
        .slice(1)
        .flatMap((entry) => entry.split(/\0+/))
        .map((name) => name.replace(/(UT|ux|PK.*)$/s, ''));
  } catch {
    // what cannot be read may hold anything
  }
  return null;
}
