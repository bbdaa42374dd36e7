/** The most names that are taken from one text. */
const MAX_MENTIONS = 100;
/** Longest name, in characters; the same as for a name in a client's own list. */
const MAX_NAME = 200;

/**
 * An `@` that does not follow a word, a path or an address, and the name behind it. Not a name: a package
 * (`@acme/shop`), a call (`@Injectable()`), an address (`@ann@example.org`).
 */
const MENTION =
  /(?<![\p{L}\p{N}\p{M}_.@/+\\-])@([\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*(?:[-.:][\p{L}\p{N}\p{M}_]+)*)(?![\p{L}\p{N}_]|[-.:]+[\p{L}\p{N}_]|[-.:]*[/(@])/gu;

const FENCE = /^ {0,3}(?:[-*+>] ?|\d{1,9}[.)] )* {0,3}(`{3,}|~{3,})/;

/**
 * Returns the names that a text mentions as `@name`, each once, in their order. A name in code (between
 * backticks, or in a fenced block) does not count.
 *
 * @example mentionsIn('@reviewer: see `@types/node`, ask ann@example.org') // ['reviewer']
 */
export function mentionsIn(text: string): string[] {
  const names = new Set<string>();
  for (const paragraph of paragraphsOf(text)) {
    for (const [, name = ''] of withoutSpans(paragraph).matchAll(MENTION)) {
      if (name.length <= MAX_NAME) names.add(name);
      if (names.size === MAX_MENTIONS) return [...names];
    }
  }
  return [...names];
}

/** Returns the paragraphs outside of fenced blocks. A block that is not closed goes to the end. */
function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = [];
  let lines: string[] = [];
  let fence: string | null = null;
  const end = () => {
    if (lines.length > 0) paragraphs.push(lines.join('\n'));
    lines = [];
  };
  for (const line of text.split(/\r\n?|\n/)) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) && /^[`~\s]*$/.test(line.slice(line.indexOf(mark)))) fence = null;
    } else if (mark !== undefined && !(mark[0] === '`' && line.split(mark).slice(1).join('').includes('`'))) {
      end();
      fence = mark;
    } else if (line.trim() === '') {
      end();
    } else {
      lines.push(line);
    }
  }
  end();
  return paragraphs;
}

/**
 * Returns a paragraph without its code spans. A span is the text between two runs of equally many backticks.
 */
function withoutSpans(paragraph: string): string {
  const parts = paragraph.split(/(`+)/);
  // the places of the runs of each length, the last one first
  const runs = new Map<number, number[]>();
  for (let i = parts.length - 2; i > 0; i -= 2) {
    const length = (parts[i] as string).length;
    const same = runs.get(length);
    if (same) same.push(i);
    else runs.set(length, [i]);
  }
  let rest = parts[0] ?? '';
  for (let i = 1; i < parts.length; i += 2) {
    const same = runs.get((parts[i] as string).length) as number[];
    while ((same.at(-1) ?? Number.POSITIVE_INFINITY) <= i) same.pop();
    const close = same.at(-1);
    // a space takes the place of a span, so that the words around it stay apart
    rest += close === undefined ? parts[i] : ' ';
    if (close !== undefined) i = close;
    rest += parts[i + 1] ?? '';
  }
  return rest;
}
