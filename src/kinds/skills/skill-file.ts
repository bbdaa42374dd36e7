import { isMap, parseDocument } from 'yaml';

// A SKILL.md: front matter in YAML, then text.

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
