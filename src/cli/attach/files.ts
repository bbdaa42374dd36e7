import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { Problem } from '../../errors/problem.ts';

// Reads and writes the files of an attached project, and the record that is kept of them.

export type SettingsPlace = { folder: string; file: string; target: string; recordFile: string };

/** The record that an attach leaves in `<home>/attachments`, so that a detach can restore the former bytes. */
const Attached = z.object({
  file: z.string(),
  /** the file before the first attach, in base64; null if there was none */
  original: z.base64().nullable(),
  madeFolder: z.boolean(),
  writtenSha256: z.string(),
  keySha256: z.string(),
  url: z.string(),
  /** the settings of the client's sandbox that were written */
  sandbox: z.looseObject({ network: z.object({ allowedDomains: z.array(z.string()) }) }).optional(),
  /** what was added to make git ignore the file */
  excluded: z
    .object({
      file: z.string(),
      line: z.string(),
      added: z.string(),
      madeFile: z.boolean(),
      madeFolder: z.boolean(),
    })
    .nullable()
    .default(null),
});
export type Attached = z.infer<typeof Attached>;

export function badOption(field: string, message: string): Problem {
  return new Problem({
    status: 400,
    title: 'Bad option',
    detail: `${field} ${message}`,
    errors: [{ field, message }],
  });
}

export function conflict(place: SettingsPlace, text: string, offset: number, problem: string): Problem {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  const position = `${place.file}:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
  return new Problem({
    status: 409,
    title: 'Cannot merge into the settings',
    detail: `${position}: ${problem}. Nothing was changed.`,
  });
}

export function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

/** Where settings are: of the project in `dir`, or, with `user`, those of the person, in the folder of the client. */
export type Where = { dir: string; home: string; user?: string | undefined };

/** Returns the file with the person's own settings. */
export const userSettings = (clientFolder: string): string => join(clientFolder, 'settings.json');

/**
 * Finds the files, runs `work` on them and returns its result.
 *
 * @throws Problem 400 if `dir` is no folder, 409 if the file system refuses something
 */
export function inPlace<T>(options: Where, work: (place: SettingsPlace) => T): T {
  const dir = resolve(options.dir);
  if (!fs.statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw badOption('dir', `${dir} is not a folder`);
  const file = options.user ?? join(dir, '.claude', 'settings.local.json');
  const folder = dirname(file);
  try {
    const target = realPath(file);
    return work({
      folder,
      file,
      target,
      recordFile: join(options.home, 'attachments', `${sha256(target)}.json`),
    });
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new Problem({
      status: 409,
      title: 'Cannot change the settings',
      detail: `${file}: ${error.message}`,
      cause: error,
    });
  }
}

/** Returns the path that a write has to go to: symbolic links are followed, even if their target does not exist yet. */
export function realPath(path: string): string {
  try {
    return fs.realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const parent = realPath(dirname(path));
  const link = fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
    ? fs.readlinkSync(path)
    : undefined;
  return link === undefined ? join(parent, basename(path)) : realPath(resolve(parent, link));
}

export function readIfThere(file: string): Buffer | undefined {
  return fs.statSync(file, { throwIfNoEntry: false }) && fs.readFileSync(file);
}

/** Returns the bytes as text. @throws Problem (409) if the text could not be turned back into the same bytes */
export function decode(place: SettingsPlace, bytes: Buffer | undefined): { bom: string; text: string } {
  const all = bytes?.toString() ?? '';
  if (bytes && !Buffer.from(all).equals(bytes)) throw conflict(place, '', 0, 'the file is not UTF-8');
  const bom = all.startsWith('\uFEFF') ? '\uFEFF' : '';
  return { bom, text: all.slice(bom.length) };
}

/** Returns the record; undefined if it is missing or damaged. */
export function readRecord(place: SettingsPlace): Attached | undefined {
  try {
    return Attached.safeParse(JSON.parse(fs.readFileSync(place.recordFile, 'utf8'))).data;
  } catch {
    return undefined;
  }
}
