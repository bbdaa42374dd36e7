import { clip } from '../text/clip.ts';
import { readLine } from './line.ts';
import { isShellTool, shellCommandOf, takesFields } from './shell-tools.ts';

// What a call of a tool was about, and which files it changes.

const field = (input: unknown, name: string): string | null => {
  const value = input !== null && typeof input === 'object' ? (input as Record<string, unknown>)[name] : null;
  return typeof value === 'string' && value !== '' ? value : null;
};

/**
 * Returns JSON with sorted keys, so that the order in which a client sends them does not matter; null when it nests too
 * deeply for the stack.
 */
function stableJson(value: unknown): string | null {
  const sorted = (_key: string, part: unknown): unknown =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  try {
    return JSON.stringify(value, sorted) ?? null;
  } catch {
    return null;
  }
}

/**
 * Returns what a tool call was about, in a form that can be compared between calls:
 * - tools that run a shell line: the line's target, see `Line`
 * - file tools: the file
 * - searches: pattern and path
 * - WebFetch: the URL
 * - MCP tools: compact JSON of at most 300 characters
 *
 * Returns null for other tools and for input of another shape.
 *
 * @param place the folder that the session's shell is in, and the project's folder
 */
export function toolTarget(
  tool: string,
  input: unknown,
  place?: { cwd: string; root: string },
): string | null {
  const command = shellCommandOf(tool, input);
  if (isShellTool(tool)) return command === null || command === '' ? null : readLine(command).targetIn(place);
  switch (tool) {
    case 'Edit':
    case 'MultiEdit':
    case 'Write':
    case 'NotebookEdit':
    case 'Read':
      return field(input, 'file_path') ?? field(input, 'notebook_path');
    case 'Grep':
    case 'Glob': {
      const pattern = field(input, 'pattern');
      const path = field(input, 'path');
      return pattern && path ? `${pattern} ${path}` : pattern;
    }
    case 'WebFetch':
      return field(input, 'url');
    default:
      return takesFields(tool) ? clip(stableJson(input) ?? '', 300) || null : null;
  }
}

/** Returns the files of a patch, see `ownCall`. */
function patched(input: unknown): string[] {
  const files = Object(input).files as unknown;
  return Array.isArray(files) ? files.flatMap((file) => field(file, 'file_path') ?? []) : [];
}

/**
 * Returns the files that a call of a writing tool (Edit, MultiEdit, Write, NotebookEdit) changes; none for other tools.
 */
export function filesTouched(tool: string, input: unknown): string[] {
  const writes = tool === 'Edit' || tool === 'MultiEdit' || tool === 'Write' || tool === 'NotebookEdit';
  const file = writes ? toolTarget(tool, input) : null;
  return file === null ? [] : [...new Set([file, ...patched(input)])];
}
