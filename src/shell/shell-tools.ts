/** The client's tools that run a line of a shell. `Skill` and others have a field `command` too, but run none. */
const SHELL_TOOLS = new Set(['Bash', 'PowerShell', 'Monitor']);

/** Whether a tool runs a line of a shell. */
export const isShellTool = (tool: string | null | undefined): boolean => SHELL_TOOLS.has(tool ?? '');

/** Returns the line that a call runs in a shell; null for other tools, and for input of another shape. */
export function shellCommandOf(tool: string | null | undefined, input: unknown): string | null {
  if (!isShellTool(tool) || input === null || typeof input !== 'object') return null;
  const { command } = input as { command?: unknown };
  return typeof command === 'string' ? command : null;
}
