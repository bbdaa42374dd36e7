import { z } from 'zod';
import { redactText } from '../../redaction/redact.ts';

// What a skill may be called, and its other text files, which lie beside its SKILL.md: scripts, references, templates.

/** The name of a skill. It is also the name of a folder, so it must not be a path to another place. */
export const SKILL_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** A file beside a SKILL.md. */
export type SkillFile = {
  /** within the folder of the skill, with slashes */
  path: string;
  text: string;
  executable: boolean;
};

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
