import { clip } from '../base/text/clip.ts';
import { isObject } from '../base/text/json.ts';
import { readLine } from './line.ts';
import { isShellTool, shellCommandOf, takesFields } from './shell-tools.ts';

// What a call of a tool was about, and which files it changes.

const field = (input: unknown, name: string): string | null => {
  const value = Object(input)[name] as unknown;
  return typeof value === 'string' && value !== '' ? value : null;
};

/** Returns JSON with sorted keys, so that their order does not matter; null when it nests too deeply for the stack. */
function stableJson(value: unknown): string | null {
  const sorted = (_key: string, part: unknown): unknown =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part;
  try {
    return JSON.stringify(value, sorted) ?? null;
  } catch {
    return null;
  }
}

/**
 * Returns what a tool call was about, in a form that can be compared between calls: a shell line's target (see `Line`),
 * a file, pattern and path of a search, a URL, the compact JSON of a tool of an MCP server (at most 300 characters).
 * Null for other tools and for input of another shape.
 *
 * @param place the folder that the session's shell is in, and the project's folder
 */
export function toolTarget(
  tool: string,
  input: unknown,
  place?: { cwd: string; root: string },
): string | null {
  if (isShellTool(tool)) return readLine(shellCommandOf(tool, input) ?? '').targetIn(place) || null;
  if (/^(Edit|MultiEdit|Write|NotebookEdit|Read)$/.test(tool))
    return field(input, 'file_path') ?? field(input, 'notebook_path');
  if (/^(Grep|Glob)$/.test(tool)) {
    const [pattern, path] = [field(input, 'pattern'), field(input, 'path')];
    return pattern && path ? `${pattern} ${path}` : pattern;
  }
  if (tool === 'WebFetch') return field(input, 'url');
  return takesFields(tool) ? clip(stableJson(input) ?? '', 300) || null : null;
}

/** Returns the files that a call of a writing tool changes, also by a patch (see `ownCall`); none for other tools. */
export function filesTouched(tool: string, input: unknown): string[] {
  const file = /^(Edit|MultiEdit|Write|NotebookEdit)$/.test(tool) ? toolTarget(tool, input) : null;
  const files = Object(input).files as unknown;
  const patched = Array.isArray(files) ? files.flatMap((one) => field(one, 'file_path') ?? []) : [];
  return file === null ? [] : [...new Set([file, ...patched])];
}
