import { estimateTokens } from '../text/tokens.ts';

// What is noted about using a skill, as a list of entries, the newest last. It grows with use, so rules keep it short.

/** A memory with more tokens is compacted. */
const MAX_MEMORY_TOKENS = 1_000;
/** Tokens of a memory after it was compacted, so that not every new entry compacts it again. */
const COMPACT_TOKENS = 600;

type Entry = {
  /** its number in the text */
  place: number;
  /** whether it is a `###` heading, which is kept as it is */
  heading: boolean;
  text: string;
  /** what makes two entries the same */
  key: string;
  times: number;
};

const TIMES = /\s*\(×(\d{1,6})\)\s*$/;
const BULLET = /^(?:[-*+]|\d{1,9}[.)])[ \t]+/;
const DATE = /^[[(]?\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+Z?)?[\])]?\s*[:–—-]?\s*/;

/** Returns whether a memory is to be compacted. */
export const isTooLong = (memory: string): boolean => estimateTokens(memory) > MAX_MEMORY_TOKENS;

/**
 * Returns a shorter memory by fixed rules. Entries that say the same become one, at the place of the newest
 * and with their number (“×3”). Then entries are left out until it is short enough: first the oldest ones
 * that were not repeated, then the least repeated. If one entry alone is too long, its beginning is kept.
 */
export function compactMemory(memory: string): string {
  const entries = merged(entriesOf(memory));
  const newest = entries.findLast(({ heading }) => !heading);
  if (!newest) return cut(memory, COMPACT_TOKENS);
  const byWorth = entries
    .filter((entry) => !entry.heading && entry !== newest)
    .sort((a, b) => a.times - b.times || a.place - b.place);
  const dropped = new Set<Entry>();
  let bytes = Buffer.byteLength(joined(entries));
  for (const entry of byWorth) {
    if (bytes <= COMPACT_TOKENS * 3) break;
    dropped.add(entry);
    bytes -= Buffer.byteLength(`${line(entry)}\n`);
  }
  const kept = joined(withoutEmptyHeadings(entries.filter((entry) => !dropped.has(entry))));
  return estimateTokens(kept) <= COMPACT_TOKENS ? kept : cut(line(newest), COMPACT_TOKENS);
}

/** Returns a memory with one more entry, in one line. */
export const withEntry = (memory: string, entry: string): string =>
  memory === '' ? `- ${entry}` : `${memory}\n- ${entry}`;

/** Returns a memory without an entry that was added, also if it was merged with equal ones. */
export function withoutEntry(memory: string, added: string): string {
  const key = keyOf(`- ${added}`);
  return joined(entriesOf(memory).filter((entry) => entry.heading || entry.key !== key));
}

/** An entry is a line of a list with what is indented under it, or a paragraph. */
function entriesOf(memory: string): Entry[] {
  const blocks: string[] = [];
  let paragraph = false;
  for (const line of memory.split(/\r?\n/)) {
    const last = blocks.at(-1);
    if (line.trim() === '') paragraph = false;
    else if (/^#/.test(line) || BULLET.test(line) || last === undefined) {
      blocks.push(line);
      paragraph = !/^#/.test(line);
    } else if (paragraph || /^[ \t]/.test(line)) blocks[blocks.length - 1] = `${last}\n${line}`;
    else {
      blocks.push(line);
      paragraph = true;
    }
  }
  return blocks.map((text, place) => ({
    place,
    heading: /^#/.test(text),
    text: text.replace(TIMES, '').trimEnd(),
    key: keyOf(text),
    times: Number(TIMES.exec(text)?.[1] ?? 1),
  }));
}

const keyOf = (text: string): string =>
  text
    .replace(TIMES, '')
    .replace(BULLET, '')
    .replace(DATE, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim() || text.trim();

/** Merges equal entries at the place of the last one. Headings are kept as they are. */
function merged(entries: Entry[]): Entry[] {
  const same = new Map<string, { times: number; last: Entry }>();
  for (const entry of entries) {
    if (entry.heading) continue;
    same.set(entry.key, { times: (same.get(entry.key)?.times ?? 0) + entry.times, last: entry });
  }
  return entries.flatMap((entry) => {
    const all = same.get(entry.key);
    if (entry.heading) return [entry];
    return all?.last === entry ? [{ ...entry, times: all.times }] : [];
  });
}

const withoutEmptyHeadings = (entries: Entry[]): Entry[] =>
  entries.filter((entry, i) => !entry.heading || entries[i + 1]?.heading === false);

const line = ({ text, times }: Entry): string => (times > 1 ? `${text} (×${times})` : text);
const joined = (entries: Entry[]): string => entries.map(line).join('\n');

/** Cuts a text to at most this many tokens, three bytes each; a character that is cut in two is left out. */
function cut(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  const head = Buffer.from(text).subarray(0, (tokens - 1) * 3);
  return `${head.toString().replace(/\uFFFD+$/, '')}…`;
}
