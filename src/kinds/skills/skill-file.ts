import { isMap, parseDocument } from 'yaml';
import { z } from 'zod';
import { redactText } from '../../redaction/redact.ts';

// A SKILL.md: front matter in YAML, then text. Other text files lie beside it: scripts, references, templates.

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(?:[\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)/;

/** Splits a SKILL.md into its front matter with its fences, empty if there is none, and what follows. */
export function splitSkillFile(file: string): { frontMatter: string; content: string } {
  const frontMatter = FRONT_MATTER.exec(file)?.[0] ?? '';
  return { frontMatter, content: file.slice(frontMatter.length) };
}

/**
 * Returns the description in front matter; null if there is none. If it is not valid YAML (an unquoted colon is common),
 * it is read from its line, as clients do.
 */
export function descriptionIn(frontMatter: string): string | null {
  const inner = frontMatter.replace(/^.*\r?\n/, '').replace(/---[ \t]*(?:\r?\n)?$/, '');
  const document = parsed(inner);
  if (document === null) {
    const line = /^description:[ \t]*(\S.*)$/m.exec(inner)?.[1]?.trim();
    return line?.replace(/^(["'])(.*)\1$/, '$2') ?? null;
  }
  const value = document.get('description');
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() || null : null;
}

/** Returns a text as YAML; null if it is none. */
function parsed(text: string) {
  try {
    const document = parseDocument(text, { logLevel: 'silent' });
    const valid = document.errors.length === 0 && (document.contents === null || isMap(document.contents));
    return valid ? document : null;
  } catch {
    // thousands of brackets in each other overflow the parser's stack
    return null;
  }
}

/** The name of a skill. It is also the name of a folder, so it must not be a path to another place. */
export const SKILL_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** The name of a skill that may be new. */
export const SkillName = z
  .string()
  .regex(
    SKILL_NAME,
    'must have 1 to 100 letters, digits, dots, hyphens and underscores, and begin with a letter or digit',
  )
  .refine((name) => redactText(name) === name, 'looks like a secret');

/** A file beside a SKILL.md. */
export const SkillFile = z.object({
  /** within the folder of the skill, with slashes */
  path: z.string(),
  text: z.string(),
  executable: z.boolean(),
});
export type SkillFile = z.output<typeof SkillFile>;

/** Most files of a skill, and most bytes of all of them. */
export const MAX_FILES = 200;
export const MAX_FILES_BYTES = 1_000_000;

/** Returns why a path must not be that of a file of a skill; null if it may. What is allowed never leaves the folder. */
export function whyNotPath(path: string): string | null {
  if (path.length > 300) return 'has a path of more than 300 characters';
  // a name of Windows may have no colon, and a backslash parts names there
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no name may hold one
  if (/[\u0000-\u001f\u007f\\:*?"<>|]/.test(path))
    return 'has a sign in its path that no name of a file has everywhere';
  const names = path.split('/');
  if (names.some((name) => name === '' || name.startsWith('.') || /[. ]$/.test(name)))
    return 'has a name in its path that is empty, begins with a dot, or ends with a dot or a space';
  if (path.toLowerCase() === 'skill.md') return 'is the SKILL.md itself';
  return redactText(path) === path ? null : 'has a path that looks like a secret';
}

/** The files as a request gives them. */
export const SkillFiles = z
  .array(
    z.strictObject({
      path: z.string().min(1),
      text: z.string().max(MAX_FILES_BYTES),
      executable: z.boolean().default(false),
    }),
  )
  .max(MAX_FILES)
  .superRefine((files, context) => {
    const paths = files.map(({ path }) => path.toLowerCase());
    for (const [i, { path, text }] of files.entries()) {
      const twice = paths.indexOf(path.toLowerCase()) < i;
      const wrong = twice ? 'is there twice, maybe in another case' : whyNotPath(path);
      if (wrong !== null) context.addIssue({ code: 'custom', message: wrong, path: [i, 'path'] });
      if (text.includes('\0')) context.addIssue({ code: 'custom', message: 'is no text', path: [i, 'text'] });
    }
    if (files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) > MAX_FILES_BYTES)
      context.addIssue({ code: 'custom', message: `has more than ${MAX_FILES_BYTES} bytes in total` });
  });
