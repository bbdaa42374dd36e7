/** A list in a text: what stands before it, its items in order, and what is said behind it about all of them. */
export type Numbered = { before: string; items: string[]; after: string };

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
  return { before: text.slice(0, marks[0]?.index).trim(), ...ended(items) };
}

const SENTENCE = /\n\s*\n|(?:\n|(?<=[.!?])\s+)(?=\p{Lu})/u;

/** What follows an empty line, or the last item where all have one sentence or line, is said about all of them. */
function ended(items: string[]): Pick<Numbered, 'items' | 'after'> {
  const whole = items.pop() ?? '';
  const [last = ''] = whole.split(items.some((item) => SENTENCE.test(item)) ? /\n\s*\n/ : SENTENCE);
  return { items: [...items, last].map(oneLine), after: whole.slice(last.length).trim() };
}

function byWords(text: string): Numbered | null {
  const [, before = '', first = ''] = /^([\s\S]*?)\bfirst(?:ly)?[,:]?\s+([\s\S]+)$/i.exec(text) ?? [];
  const [list = '', ...more] = first.split(/\n\s*\n/);
  const items = list.split(NEXT);
  items.push([items.pop(), ...more].join('\n\n'));
  return items.length < 3 ? null : { before: before.trim(), ...ended(items) };
}

const oneLine = (text: string): string => text.replace(/^\s+|[\s.,;]+$/g, '').replace(/\s+/g, ' ');

/** Most of an item that may be marks: in code there are more. */
const MOST_MARKS = 0.25;

function isWords(item: string): boolean {
  const marks = item.replace(/[\p{L}\p{N}\s,.'’"“”`-]/gu, '').length;
  return (
    (item.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) >= 2 && /\s/.test(item) && marks <= MOST_MARKS * item.length
  );
}
