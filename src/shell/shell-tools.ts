import { readWordLists } from '../base/text/jsonc.ts';
import text from './tools.jsonc' with { type: 'text' };

/** Returns the names that others have for a tool, a field or a command, see tools.jsonc. */
export const namesOf = readWordLists(text, 'tools.jsonc');

/** The client's tools that run a line of a shell. `Skill` and others have a field `command` too, but run none. */
const SHELL_TOOLS = ['Bash', 'PowerShell', 'Monitor'];

/** Those of them whose line bash reads. */
const BASH_TOOLS = new Set(['Bash', 'Monitor']);

/** Whether a tool runs a line of bash. */
export const isBashTool = (tool: string | null | undefined): boolean => BASH_TOOLS.has(tool ?? '');

/** Whether a tool runs a line of a shell. */
export const isShellTool = (tool: string | null | undefined): boolean => SHELL_TOOLS.includes(tool ?? '');

/** Returns the line that a call runs in a shell; null for other tools, and for input of another shape. */
export function shellCommandOf(tool: string | null | undefined, input: unknown): string | null {
  if (!isShellTool(tool) || input === null || typeof input !== 'object') return null;
  const { command } = input as { command?: unknown };
  return typeof command === 'string' ? command : null;
}

/** The client's own tools whose calls are about a file, a line, an address or another agent. */
const OWN_TOOLS =
  /^(?:Bash|BashOutput|Kill\w+|PowerShell|Monitor|Read|Write|Edit|MultiEdit|Notebook\w+|Grep|Glob|LS|Web\w+|Task\w*|Agent|Todo\w+|\w*PlanMode|AskUserQuestion|Skill|SlashCommand|ToolSearch|SendMessage)$/;

/** Whether the fields of its input are all there is to a tool's call: a tool of an MCP server, or one that a program added. */
export const takesFields = (tool: string): boolean => !OWN_TOOLS.test(tool);
