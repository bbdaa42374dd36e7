import { applyEdits, createScanner, type Edit, type Node, parse, parseTree } from 'jsonc-parser';

// JSON with comments as text: every edit leaves the rest of it as it is.

export const jsonc = { allowTrailingComma: true };
const lineBreak = /[\r\n]/;

export function treeOf(text: string): Node {
  const root = parseTree(text, [], jsonc);
  if (!root) throw new Error('unreachable: the text was parsed before');
  return root;
}

/** The property that counts: of two with one name the client, like JSON.parse, takes the last. */
export function property(object: Node | undefined, name: string): Node | undefined {
  if (object?.type !== 'object') return undefined;
  return object.children?.findLast((child) => child.children?.[0]?.value === name);
}

export function member(object: Node | undefined, name: string): Node | undefined {
  return property(object, name)?.children?.[1];
}

export function plain(text: string, node: Node): unknown {
  return parse(text.slice(node.offset, node.offset + node.length), [], jsonc);
}

/** The white space that the line of `offset` begins with; `opens`: nothing else stands before `offset`. */
function lineOf(text: string, offset: number): { indent: string; opens: boolean } {
  const start = 1 + Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1));
  const indent = /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
  return { indent, opens: start + indent.length === offset };
}

/** Offset of the comma that follows, comments aside. */
function commaAfter(text: string, node: Node): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(node.offset + node.length);
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',' ? scanner.getTokenOffset() : undefined;
}

/** Where the white space that ends at `end` begins. */
function gapBefore(text: string, end: number): number {
  let start = end;
  while (start > 0 && ' \t\r\n'.includes(text.charAt(start - 1))) start--;
  return start;
}

/** Line break and indentation unit of the file. */
function styleOf(text: string): { eol: string; unit: string } {
  const first = treeOf(text).children?.[0];
  const line = first && lineOf(text, first.offset);
  return { eol: /\r\n|\n|\r/.exec(text)?.[0] ?? '\n', unit: (line?.opens && line.indent) || '  ' };
}

/** Adds a property (or, without `name`, an array item) at the end; comments that stand there keep their place. */
export function append(
  text: string,
  container: Node | undefined,
  name: string | undefined,
  value: unknown,
): string {
  if (!container) throw new Error('unreachable: checkTypes saw the container');
  const { eol, unit } = styleOf(text);
  const close = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  const lastLine = last && lineOf(text, last.offset);
  const { indent: outer } = lineOf(text, container.offset);
  const indent = eol + (lastLine?.opens ? lastLine.indent : outer + unit);
  // what stands on one line stays there; an empty container opens up, unless the whole file is one line
  const context = last ? text.slice(container.offset, close) : container.parent ? text.trim() : eol;
  const oneLine = !lineBreak.test(context);

  const key = name === undefined ? '' : `${JSON.stringify(name)}: `;
  const json = oneLine ? JSON.stringify(value) : JSON.stringify(value, null, unit).replaceAll('\n', indent);
  const end = gapBefore(text, close);
  const comma = last && commaAfter(text, last);
  const edits: Edit[] = [];
  if (last && comma === undefined) edits.push({ offset: last.offset + last.length, length: 0, content: ',' });
  const lead = oneLine ? (last ? ' ' : '') : indent;
  const trailingComma = comma === undefined ? '' : ',';
  const tail = last || oneLine || lineBreak.test(text.slice(end, close)) ? '' : eol + outer;
  edits.push({ offset: end, length: 0, content: lead + key + json + trailingComma + tail });
  return applyEdits(text, edits);
}

export function replace(text: string, node: Node, value: unknown): string {
  const { eol, unit } = styleOf(text);
  const { offset, length } = node;
  const oneLine = !lineBreak.test(text.slice(offset, offset + length));
  const indent = eol + lineOf(text, offset).indent;
  const content = oneLine
    ? JSON.stringify(value)
    : JSON.stringify(value, null, unit).replaceAll('\n', indent);
  return applyEdits(text, [{ offset, length, content }]);
}

/** Takes out a property or an array item with its comma, and its line when that is left blank; comments stay. */
export function remove(text: string, node: Node): string {
  const siblings = node.parent?.children ?? [];
  const end = node.offset + node.length;
  const comma = commaAfter(text, node);
  const previous = siblings[siblings.indexOf(node) - 1];
  const otherComma = comma ?? (previous && commaAfter(text, previous));
  const through = comma === end ? end + 1 : end;
  const start = gapBefore(text, node.offset);
  // a line break before must stay unless another follows: it may end a line comment
  const joins = lineBreak.test(text.slice(start, node.offset)) && !/^[ \t]*[\r\n]/.test(text.slice(through));
  const from = joins ? node.offset : start;
  const edits: Edit[] = [{ offset: from, length: through - from, content: '' }];
  if (otherComma !== undefined && otherComma !== end)
    edits.push({ offset: otherComma, length: 1, content: '' });
  return applyEdits(text, edits);
}
