/** A list in a text: what stands before it, and its items in order. */
export type Numbered = { before: string; items: string[] };

const MARK = /(?:^|\s)\(?(\d{1,2})[.)]\s+(?=\S)/g;
const FENCE = /(```|~~~)[\s\S]*?(?:\1|$)/g;
const NEXT = /[,;.]?\s+(?:and\s+)?(?:then|next|after that|afterwards|(?:and )?finally|lastly)[,:]?\s+/i;

/**
 * Returns the numbered list of a text, also one that stands on one line, or what it says is to be done “first …, then …,
 * then …”. Null if there is none of two items, or if its items are code, names or questions.
 *
 * @example numberedIn('Do this: 1. add a 2. test b').items // ['add a', 'test b']
 */
export function numberedIn(text: string): Numbered | null {
  const own = text.slice(0, 20_000).replace(FENCE, '\n').trim();
  const list = byNumbers(own) ?? byWords(own);
  if (list === null || /^#{1,6} \S/m.test(own) || list.items.every((item) => item.endsWith('?'))) return null;
  return list.items.every(isWords) ? list : null;
}

function byNumbers(text: string): Numbered | null {
  const marks: RegExpExecArray[] = [];
  for (const mark of text.matchAll(MARK)) if (Number(mark[1]) === marks.length + 1) marks.push(mark);
  if (marks.length < 2) return null;
  const items = marks.map(({ index, 0: mark }, i) => text.slice(index + mark.length, marks[i + 1]?.index));
  // what follows an empty line is said about all of them
  const last = (items.pop() as string).split(/\n\s*\n/, 1)[0] as string;
  return { before: text.slice(0, marks[0]?.index).trim(), items: [...items, last].map(oneLine) };
}

function byWords(text: string): Numbered | null {
  const [, before = '', first] = /^([\s\S]*?)\bfirst(?:ly)?[,:]?\s+([\s\S]+)$/i.exec(text) ?? [];
  const items = (first?.split(/\n\s*\n/, 1)[0] ?? '').split(NEXT).map(oneLine);
  return items.length < 3 ? null : { before: before.trim(), items };
}

const oneLine = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\s.,;]+$/, '')
    .trim();

/** Most of an item that may be marks: in code there are more. */
const MOST_MARKS = 0.25;

function isWords(item: string): boolean {
  const marks = item.replace(/[\p{L}\p{N}\s,.'’"“”`-]/gu, '').length;
  return (
    (item.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) >= 2 && /\s/.test(item) && marks <= MOST_MARKS * item.length
  );
}
