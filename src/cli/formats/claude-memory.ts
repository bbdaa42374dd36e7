import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Problem } from '../../errors/problem.ts';
import type { Item, RawNote } from './item.ts';

// Reads the memory of Claude Code. People write CLAUDE.md, CLAUDE.local.md and .claude/rules/*.md. Claude Code writes
// ~/.claude/projects/<project>/memory/*.md: an index MEMORY.md, and beside it one file per topic.

const SKIPPED = new Set(['node_modules', '.git', 'dist', 'vendor']);
const RULES = /(?:^|\/)\.claude\/rules\/(?:.*\/)?[^/]+\.md$/;

/** Whether people write rules for Claude Code into this file. */
const holdsRules = (file: string): boolean =>
  /^CLAUDE(?:\.local)?\.md$/.test(basename(file)) || RULES.test(file.replaceAll('\\', '/'));

/** Whether this Markdown file is one that Claude Code reads or writes as its memory. */
export const isClaudeMemory = (file: string): boolean =>
  holdsRules(resolve(file)) || existsSync(join(dirname(resolve(file)), 'MEMORY.md'));

/** Reads a memory file, or all memory files in a folder. @throws Problem if there are none */
export function readClaudeMemory(path: string): Item[] {
  const isFolder = statSync(path).isDirectory();
  const files = isFolder ? memoryFiles(path, false) : [path];
  if (files.length === 0) {
    const detail = `There is no CLAUDE.md, .claude/rules/*.md or MEMORY.md in ${path}.`;
    throw new Problem({ status: 400, title: 'Nothing to import', detail });
  }
  return files.flatMap((file) => {
    const name = relative(isFolder ? path : dirname(path), file).replaceAll('\\', '/');
    const about = { name, createdAt: statSync(file).mtime.toISOString(), isRule: holdsRules(file) };
    return sectionsOf(readFileSync(file, 'utf8')).map((section) => ({
      where: `${name}:${section.line}`,
      note: noteOf(section, about),
    }));
  });
}

/**
 * Returns the memory files of a folder. In one with a MEMORY.md every Markdown file counts, elsewhere only known names.
 */
function memoryFiles(folder: string, inside: boolean): string[] {
  const every = inside || existsSync(join(folder, 'MEMORY.md'));
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : memoryFiles(path, every);
      if (!entry.isFile() || !entry.name.endsWith('.md')) return [];
      return every || holdsRules(path) ? [path] : [];
    });
}

function noteOf(section: Section, file: { name: string; createdAt: string; isRule: boolean }): RawNote {
  const title = section.path.join(' › ');
  const { matter } = section;
  return {
    content: title === '' ? section.body : `${title}\n\n${section.body}`,
    agent: 'claude-code',
    createdAt: file.createdAt,
    ...(file.isRule ? { channel: 'policies', messageType: 'policy' } : { messageType: 'reflection' }),
    metadata: {
      imported_from: 'claude-memory',
      breadcrumbs: { documentation: [file.name] },
      ...(Object.keys(matter).length > 0 && { front_matter: matter }),
    },
  };
}

type Section = {
  /** number of its first line in the file, counted from 1 */
  line: number;
  /** the headings above it */
  path: string[];
  body: string;
  matter: FrontMatter;
};
type FrontMatter = Record<string, string | string[]>;

/**
 * Returns the sections of a Markdown file: the text under each heading, and each block or list before the first
 * heading. If the file has front matter, the text before the first heading is one section, named as the front matter
 * says.
 */
function sectionsOf(text: string): Section[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const { matter, end } = frontMatterOf(lines);
  const name = [matter.name, matter.description].filter((said) => typeof said === 'string').join(': ');
  const hasMatter = end > 0;
  const found: Section[] = [];
  let path: { level: number; title: string }[] = [];
  let headed = false;
  let fence: string | null = null;
  let body: string[] = [];
  let start = end;
  const finish = (next: number) => {
    const blank = body.findIndex((line) => line.trim() !== '');
    if (blank >= 0) {
      const titles = [...(hasMatter && name !== '' ? [name] : []), ...path.map(({ title }) => title)];
      found.push({ line: start + blank + 1, path: titles, body: body.join('\n').trim(), matter });
    }
    body = [];
    start = next;
  };
  for (let i = end; i < lines.length; i++) {
    const line = lines[i] as string;
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence)) fence = null;
    }
    const heading = fence === null ? /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/.exec(line) : null;
    if (heading) {
      finish(i + 1);
      const level = (heading[1] as string).length;
      path = [...path.filter((above) => above.level < level), { level, title: heading[2] as string }];
      headed = true;
      continue;
    }
    const ends = !headed && !hasMatter && fence === null && line.trim() === '' && !listGoesOn(lines, i, body);
    if (ends) finish(i + 1);
    else body.push(line);
  }
  finish(lines.length);
  return found;
}

const IN_LIST = /^\s*(?:[-*+]|\d+[.)])\s|^\s+\S/;

/** Returns whether a list continues after a blank line. */
function listGoesOn(lines: string[], blank: number, body: string[]): boolean {
  const first = body.find((line) => line.trim() !== '');
  const next = lines.slice(blank).find((line) => line.trim() !== '');
  return first !== undefined && next !== undefined && IN_LIST.test(first) && IN_LIST.test(next);
}

/** Reads front matter: names with a text, or with a list of texts below them. Memory files use no other YAML. */
function frontMatterOf(lines: string[]): { matter: FrontMatter; end: number } {
  const close =
    lines[0]?.trimEnd() === '---' ? lines.findIndex((line, i) => i > 0 && /^---\s*$/.test(line)) : -1;
  if (close < 0) return { matter: {}, end: 0 };
  const matter: FrontMatter = {};
  let last: string | undefined;
  for (const line of lines.slice(1, close)) {
    const item = /^\s*-\s+(.*)$/.exec(line)?.[1];
    const [, indent, name, value] = /^(\s*)([\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (item !== undefined && last !== undefined) {
      const list = matter[last];
      matter[last] = [...(Array.isArray(list) ? list : []), unquote(item)];
    } else if (name !== undefined) {
      last = name;
      // a nested name is kept without its parent: `metadata:` above `type: feedback` says nothing itself
      if (value) matter[name] = unquote(value);
      else if (indent === '') matter[name] = [];
    }
  }
  for (const [name, value] of Object.entries(matter)) if (value.length === 0) delete matter[name];
  return { matter, end: close + 1 };
}

const unquote = (text: string) => text.trim().replace(/^(["'])(.*)\1$/, '$2');
