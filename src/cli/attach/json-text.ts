import { applyEdits, createScanner, type Edit, type Node, parse, parseTree } from 'jsonc-parser';

// Edits JSON with comments as text, so that everything else in the file stays as it is.

export const JSONC = { allowTrailingComma: true };
const LINE_BREAK = /[\r\n]/;

export function treeOf(text: string): Node {
  const root = parseTree(text, [], JSONC);
  if (!root) throw new Error('unreachable: the text was parsed before');
  return root;
}

/** Returns the property of this name. If there are two, it returns the last, like JSON.parse and the client. */
export function property(object: Node | undefined, name: string): Node | undefined {
  if (object?.type !== 'object') return undefined;
  return object.children?.findLast((child) => child.children?.[0]?.value === name);
}

export function member(object: Node | undefined, name: string): Node | undefined {
  return property(object, name)?.children?.[1];
}

export function plain(text: string, node: Node): unknown {
  return parse(text.slice(node.offset, node.offset + node.length), [], JSONC);
}

/**
 * Returns the indentation of the line at `offset`. `opens` says that nothing else comes before `offset` in
 * the line.
 */
function lineOf(text: string, offset: number): { indent: string; opens: boolean } {
  const start = 1 + Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1));
  const indent = /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
  return { indent, opens: start + indent.length === offset };
}

/** Returns the offset of the comma behind a node; comments between them do not matter. */
function commaAfter(text: string, node: Node): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(node.offset + node.length);
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',' ? scanner.getTokenOffset() : undefined;
}

/** Returns where the white space before `end` begins. */
function gapBefore(text: string, end: number): number {
  let start = end;
  while (start > 0 && ' \t\r\n'.includes(text.charAt(start - 1))) start--;
  return start;
}

/** Returns the line break and the indentation unit of the file. */
function styleOf(text: string): { eol: string; unit: string } {
  const first = treeOf(text).children?.[0];
  const line = first && lineOf(text, first.offset);
  return { eol: /\r\n|\n|\r/.exec(text)?.[0] ?? '\n', unit: (line?.opens && line.indent) || '  ' };
}

/**
 * Returns the text with a property (or, without `name`, an array item) added at the end. Comments there keep their
 * place.
 */
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
  // a container on one line stays on one line; an empty one gets several lines, unless the whole file is one line
  const context = last ? text.slice(container.offset, close) : container.parent ? text.trim() : eol;
  const oneLine = !LINE_BREAK.test(context);

  const key = name === undefined ? '' : `${JSON.stringify(name)}: `;
  const json = oneLine ? JSON.stringify(value) : JSON.stringify(value, null, unit).replaceAll('\n', indent);
  const end = gapBefore(text, close);
  const comma = last && commaAfter(text, last);
  const edits: Edit[] = [];
  if (last && comma === undefined) edits.push({ offset: last.offset + last.length, length: 0, content: ',' });
  const lead = oneLine ? (last ? ' ' : '') : indent;
  const trailingComma = comma === undefined ? '' : ',';
  const tail = last || oneLine || LINE_BREAK.test(text.slice(end, close)) ? '' : eol + outer;
  edits.push({ offset: end, length: 0, content: lead + key + json + trailingComma + tail });
  return applyEdits(text, edits);
}

export function replace(text: string, node: Node, value: unknown): string {
  const { eol, unit } = styleOf(text);
  const { offset, length } = node;
  const oneLine = !LINE_BREAK.test(text.slice(offset, offset + length));
  const indent = eol + lineOf(text, offset).indent;
  const content = oneLine
    ? JSON.stringify(value)
    : JSON.stringify(value, null, unit).replaceAll('\n', indent);
  return applyEdits(text, [{ offset, length, content }]);
}

/** Returns the text without a property or array item, its comma, and its line if that would be blank. Comments stay. */
export function remove(text: string, node: Node): string {
  const siblings = node.parent?.children ?? [];
  const end = node.offset + node.length;
  const comma = commaAfter(text, node);
  const previous = siblings[siblings.indexOf(node) - 1];
  const otherComma = comma ?? (previous && commaAfter(text, previous));
  const through = comma === end ? end + 1 : end;
  const start = gapBefore(text, node.offset);
  // the line break before it may end a line comment, so it stays unless a line break follows too
  const joins = LINE_BREAK.test(text.slice(start, node.offset)) && !/^[ \t]*[\r\n]/.test(text.slice(through));
  const from = joins ? node.offset : start;
  const edits: Edit[] = [{ offset: from, length: through - from, content: '' }];
  if (otherComma !== undefined && otherComma !== end)
    edits.push({ offset: otherComma, length: 1, content: '' });
  return applyEdits(text, edits);
}
