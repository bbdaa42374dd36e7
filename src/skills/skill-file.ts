import { isMap, isNode, isScalar, parseDocument, stringify } from 'yaml';

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

const OWN = ['name', 'description', 'category'];

/**
 * Most aliases of YAML: with many nested aliases a short text can become endless, and overflow the parser's
 * stack.
 */
const MAX_ALIASES = 50;
const MAX_DEPTH = 100;

/**
 * Reads front matter. If it is not valid YAML (an unquoted colon is common), reads the description and the
 * category from their lines, as clients do.
 */
export function readFrontMatter(frontMatter: string): SkillFields {
  const text = inner(frontMatter);
  const fields = parsed(text);
  if (fields === null) {
    const line = (name: string) => {
      const said = new RegExp(`^${name}:[ \\t]*(\\S.*)$`, 'm').exec(text)?.[1]?.trim();
      return said?.replace(/^(["'])(.*)\1$/, '$2') ?? null;
    };
    return { description: line('description'), category: line('category'), config: {} };
  }
  const config = Object.fromEntries(Object.entries(fields).filter(([name]) => !OWN.includes(name)));
  return { description: asText(fields.description), category: asText(fields.category), config };
}

/** Returns the text between the fences. */
function inner(frontMatter: string): string {
  const lines = frontMatter.split(/\r?\n/);
  return lines
    .slice(
      1,
      lines.findLastIndex((line) => line.startsWith('---')),
    )
    .join('\n');
}

function parsed(text: string): Record<string, unknown> | null {
  if ((text.match(/[[{]/g) ?? []).length > MAX_DEPTH && deepest(text) > MAX_DEPTH) return null;
  try {
    const document = parseDocument(text, { logLevel: 'silent' });
    if (document.errors.length > 0 || !isMap(document.contents))
      return document.contents === null ? {} : null;
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: MAX_ALIASES })));
  } catch {
    return null;
  }
}

function deepest(text: string): number {
  let depth = 0;
  let most = 0;
  for (const sign of text) {
    if (sign === '[' || sign === '{') most = Math.max(most, ++depth);
    else if (sign === ']' || sign === '}') depth--;
  }
  return most;
}

const asText = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() || null : null;

/** Returns what a description falls back to, as in the client: the first line of the text. */
export const firstLine = (content: string): string | null =>
  content
    .split(/\r?\n/)
    .map((line) => line.replace(/^#+\s*/, '').trim())
    .find((line) => line !== '') ?? null;

/**
 * Returns front matter with these fields. Only the fields that differ are written anew; all other bytes stay, comments
 * too.
 *
 * @param before the front matter to change; empty: makes a new one
 * @returns null if the present front matter is not valid YAML, because changing a field would then lose the
 *   rest
 */
export function writeFrontMatter(
  before: string,
  fields: { name: string; description: string; category: string | null; config: Record<string, unknown> },
): string | null {
  const { name, description, category, config } = fields;
  const now = readFrontMatter(before);
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  if (
    before !== '' &&
    now.description === description &&
    now.category === category &&
    same(now.config, config)
  )
    return before;
  const text = inner(before);
  const document = parseDocument(text, { logLevel: 'silent' });
  if (document.errors.length > 0) return null;
  if (!isMap(document.contents) || document.contents.flow) {
    const whole = { name, description, ...(category !== null && { category }), ...config };
    return fenced(stringify(whole, FORMAT));
  }
  const wanted: Record<string, unknown> = { description, ...(category !== null && { category }), ...config };
  const was: Record<string, unknown> = { ...now, ...now.config };
  const starts = document.contents.items.map(({ key }) => (isScalar(key) ? key.range?.[0] : undefined) ?? 0);
  const edits = document.contents.items.flatMap(({ key, value }, i) => {
    const field = isScalar(key) ? String(key.value) : '';
    const start = starts[i] as number;
    if (field === 'name' || same(was[field], wanted[field])) return [];
    if (!(field in wanted)) return [{ start, end: starts[i + 1] ?? text.length, put: '' }];
    const end = (isNode(value) ? value.range?.[1] : undefined) ?? start + field.length + 1;
    const put = stringify({ [field]: wanted[field] }, FORMAT).trimEnd();
    return [{ start, end, put: text.slice(start, end).endsWith('\n') ? `${put}\n` : put }];
  });
  let changed = text;
  for (const { start, end, put } of edits.reverse())
    changed = changed.slice(0, start) + put + changed.slice(end);
  const there = document.contents.items.map(({ key }) => String(isScalar(key) ? key.value : key));
  const added = Object.entries(wanted).filter(([field]) => !there.includes(field));
  const ending = changed === '' || changed.endsWith('\n') ? '' : '\n';
  return fenced(changed + ending + (added.length > 0 ? stringify(Object.fromEntries(added), FORMAT) : ''));
}

const FORMAT = { lineWidth: 0 };
const fenced = (text: string): string => `---\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}---\n`;
