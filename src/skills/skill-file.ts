import { isMap, parseDocument } from 'yaml';

// A SKILL.md: front matter in YAML, then text, in which the section `## Memory` holds what was noted about using it.
// Taking a file apart and joining it again gives the same bytes.

/** Where the memory is in the content, and the text around it: its heading and the blank lines. */
export type MemoryPlace = { at: number; before: string; after: string };

export type SkillParts = {
  /** with its fences; empty if there is none */
  frontMatter: string;
  /** without the memory */
  content: string;
  /** null if there is no section for the memory */
  memoryPlace: MemoryPlace | null;
  memory: string;
};

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(?:[\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const MEMORY = /^##[ \t]+Memory[ \t]*#*[ \t]*$/i;

/**
 * Splits a SKILL.md into its parts. The section ends at the next heading of its level or above, outside of
 * code blocks.
 */
export function splitSkillFile(file: string): SkillParts {
  const frontMatter = FRONT_MATTER.exec(file)?.[0] ?? '';
  const body = file.slice(frontMatter.length);
  const section = memorySection(body);
  if (section === null) return { frontMatter, content: body, memoryPlace: null, memory: '' };
  const { start, textStart, end } = section;
  const raw = body.slice(textStart, end);
  const memory = raw.trim();
  const lead = memory === '' ? 0 : raw.length - raw.trimStart().length;
  const before = body.slice(start, textStart) + raw.slice(0, lead);
  return {
    frontMatter,
    content: body.slice(0, start) + body.slice(end),
    memoryPlace: { at: start, before, after: raw.slice(lead + memory.length) },
    memory,
  };
}

/** Returns the SKILL.md of these parts. Without a place the memory comes last, under a heading of its own. */
export function joinSkillFile({ frontMatter, content, memoryPlace, memory }: SkillParts): string {
  if (memoryPlace === null) {
    const text = frontMatter + content;
    if (memory === '') return text;
    const gap = text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n';
    return `${text}${gap}## Memory\n\n${memory}\n`;
  }
  const { at, before, after } = memoryPlace;
  const rest = content.slice(at);
  // an empty section may lack the line ends that are needed around a text
  const start = memory !== '' && !before.includes('\n') ? `${before}\n` : before;
  const end = memory !== '' && rest !== '' && !/^[^\S\n]*\n/.test(after) ? `\n${after}` : after;
  return frontMatter + content.slice(0, at) + start + memory + end + rest;
}

/** Returns where the memory is in a text: its heading, the text under it, and its end. Null if there is none. */
function memorySection(body: string): { start: number; textStart: number; end: number } | null {
  let fence: string | null = null;
  let found: { start: number; textStart: number } | null = null;
  let at = 0;
  for (const line of body.split(/(?<=\n)/)) {
    const text = line.replace(/\r?\n$/, '');
    const mark = FENCE.exec(text)?.[1] ?? null;
    if (fence !== null) {
      if (mark?.startsWith(fence) && text.trim() === mark) fence = null;
    } else if (mark !== null) fence = mark;
    else if (found !== null && /^##?[ \t]/.test(text)) return { ...found, end: at };
    else if (found === null && MEMORY.test(text)) found = { start: at, textStart: at + line.length };
    at += line.length;
  }
  return found && { ...found, end: body.length };
}

/** What Lore reads from front matter. */
export type SkillFields = {
  /** null if the front matter has none */
  description: string | null;
  category: string | null;
  /** all other fields but the name, as JSON */
  config: Record<string, unknown>;
};

/** Most aliases and brackets of YAML: with many of them a short text can become endless, or overflow the parser's stack. */
const MAX_ALIASES = 50;
const MAX_BRACKETS = 500;

/**
 * Reads front matter. If it is not valid YAML (an unquoted colon is common), reads the description and the
 * category from their lines, as clients do.
 */
export function readFrontMatter(frontMatter: string): SkillFields {
  const document = parsed(frontMatter);
  try {
    if (document !== null) {
      const fields = JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: MAX_ALIASES }) ?? {}));
      const { name: _, description, category, ...config } = fields;
      return { description: asText(description), category: asText(category), config };
    }
  } catch {
    // too many aliases
  }
  const line = (name: string) => {
    const said = new RegExp(`^${name}:[ \\t]*(\\S.*)$`, 'm').exec(inner(frontMatter))?.[1]?.trim();
    return said?.replace(/^(["'])(.*)\1$/, '$2') ?? null;
  };
  return { description: line('description'), category: line('category'), config: {} };
}

/** Returns the text between the fences. */
const inner = (frontMatter: string): string =>
  frontMatter.replace(/^.*\r?\n/, '').replace(/---[ \t]*(?:\r?\n)?$/, '');

/** Returns front matter as YAML; null if it is none. */
function parsed(frontMatter: string) {
  const text = inner(frontMatter);
  if ((text.match(/[[{]/g) ?? []).length > MAX_BRACKETS) return null;
  const document = parseDocument(text, { logLevel: 'silent' });
  const valid = document.errors.length === 0 && (document.contents === null || isMap(document.contents));
  return valid ? document : null;
}

const asText = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() || null : null;

/**
 * Returns front matter with these fields, and all others and the comments that it had. A field that is not given stays.
 *
 * @param before the front matter to change; empty: makes a new one
 * @returns null if it is not valid YAML, because changing a field would then lose the rest
 */
export function writeFrontMatter(
  before: string,
  fields: { name: string; description?: string | undefined; category?: string | undefined },
): string | null {
  const { name, ...given } = fields;
  const changed = Object.entries(given).filter(([, value]) => value !== undefined);
  if (before !== '' && changed.length === 0) return before;
  const document = parsed(before);
  if (document === null) return null;
  if (before === '') document.set('name', name);
  for (const [field, value] of changed) document.set(field, value);
  return `---\n${document.toString({ lineWidth: 0 })}---\n`;
}
