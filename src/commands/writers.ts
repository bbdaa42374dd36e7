import { programs } from '../shell/lists.ts';
import { words } from '../shell/names.ts';

// Programs that write files which they name as words, as data. What an option writes is in the tables of options
// (`-o>`). What a redirection, a script of sed or awk or a program in the line writes is read from the line.

/**
 * Which of a program's words it writes. `last` and `second` are written only if there is a word before them, `first` is
 * a file that is changed. `sub` is a word that says what the program does: then the words count from behind it.
 */
type Which = 'all' | 'first' | 'second' | 'last';

const WHICH: Record<Which, string> = {
  all: 'tee sponge truncate shred ed ex fallocate dos2unix unix2dos mogrify ffmpeg',
  first: 'patch zip',
  second: 'uniq xxd lz4 unlz4 objcopy pdftotext pdftohtml pdftops ps2pdf djvups a2ping',
  last: `cp gcp mv gmv ln gln install ginstall rsync scp ditto qpdf pdfunite pdfseparate convert magick sox
    svgexport cjxl djxl avifenc avifdec flac lame`,
};

/** The same for programs whose first words say what they do. */
const WHICH_SUB: Record<string, Which> = {
  'git mv': 'last',
  'docker cp': 'last',
  'docker container cp': 'last',
  'docker compose cp': 'last',
  'docker-compose cp': 'last',
  'podman cp': 'last',
  'nerdctl cp': 'last',
  'kubectl cp': 'last',
  'gsutil cp': 'last',
  'aws s3 cp': 'last',
};

const byProgram = new Map(
  Object.entries(WHICH).flatMap(([which, names]) => words(names).map((name) => [name, which as Which])),
);

/**
 * Returns which words a program writes, and behind how many words they begin; null if it writes none of them.
 *
 * @param sub its first words, in lower case
 */
export function writerOf(program: string, sub: string): { which: Which; from: number } | null {
  const which = byProgram.get(program);
  if (which) return { which, from: 0 };
  const line = `${program} ${sub}`;
  const found = Object.keys(WHICH_SUB).find((key) => line === key || line.startsWith(`${key} `));
  return found ? { which: WHICH_SUB[found] as Which, from: found.split(' ').length - 1 } : null;
}

/** Programs that copy, link or move: if what they write is a folder, each file keeps its name in it. */
export const COPIES = programs('copiers-into-folders');

/** Programs that change a file which is there, and leave most of it as it is. */
export const EDITS = programs('editing-programs');

/** Programs that delete, rename or replace each file that they are given. */
export const REMOVES = programs('removers');
