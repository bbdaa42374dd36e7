import { isObject } from '../base/text/json.ts';
import { words } from './names.ts';
import { quoted } from './powershell.ts';
import { namesOf } from './shell-tools.ts';

// The door for calls of tools: whatever a client or an MCP server calls its shell and its file tools, here each call gets
// the name and the fields of Lore's own (those of Claude Code). Everything behind this door (verdicts, persons' rules,
// errors, lessons, SQL) knows only these, so all of it works the same for every client.

type Fields = Record<string, unknown>;

/** A call in Lore's own words. */
export type OwnCall = {
  tool_name: string;
  tool_input: Fields;
  /** the folder that it names to run in, if it does */
  cwd?: string;
  /** what the client calls the tool */
  tool: string;
  /** a line that `cmd` reads; it comes as a call of PowerShell, which runs it by `cmd /c` */
  shell?: 'cmd';
};

/** What a tool may do. Where two clients differ, the fields decide. */
const KINDS = words('Bash PowerShell cmd Read Write Edit Patch Grep Glob WebFetch Task Skill');
/** Tools that are Claude Code's own, and so Lore's: letters in the order in which it writes them. */
const OWN = new Set(
  words('Bash PowerShell Monitor Read Write Edit MultiEdit NotebookEdit Grep Glob WebFetch Task Skill'),
);
const SHELL = /^(?:Bash|PowerShell|cmd)$/;
/** A tool of an MCP server counts only if the server says that its tools are about this machine. */
const LOCAL =
  /shell|bash|term|command|cmd|console|process|desktop|pwsh|(?:^|[^a-z])(?:fs|files?|filesystem|editor|text)(?:[^a-z]|$)/i;
/** What tells in its name, or in those of its fields, that a call reaches another machine. */
const REMOTE =
  /ssh|docker|container|kube|k8s|remote|vm|github|gitlab|bitbucket|s3|gcs|azure|redis|sql|database|mongo| (?:host(?:name)?|pod|server|machine|device|instance|owner|repo(?:sitory)?|bucket|namespace|(?:sandbox|connection|project)_?id)\b/i;

const valuesAt = (given: Fields, field: string): unknown[] =>
  Object.keys(given)
    .filter((key) => namesOf(`field-${field}`).has(key.replaceAll('_', '').toLowerCase()))
    .map((key) => given[key]);
const isText = (value: unknown): value is string => typeof value === 'string';
const textAt = (given: Fields, field: string): string | undefined => valuesAt(given, field).find(isText);
const listAt = (...values: unknown[]): unknown[] | undefined => values.find(Array.isArray);

/**
 * Returns a call in Lore's own words; null if it has them already, or if nobody knows what the tool does. The fields that
 * came stay in the input beside Lore's.
 *
 * @example ownCall('run_terminal_cmd', { command: 'npm test' })?.tool_name // 'Bash'
 * @example ownCall('apply_patch', { input: '*** Begin Patch\n…' })?.tool_name // 'MultiEdit'
 */
export function ownCall(tool: string | null | undefined, given: unknown): OwnCall | null {
  if (!tool || !isObject(given)) return null;
  const [, server, name = tool.replace(/^MCP:.*/, '')] = /^mcp__(.*?)__(.+)$/.exec(tool) ?? [];
  const plainName = name.toLowerCase().replace(/[_.-]/g, '');
  const kind = KINDS.find((one) => namesOf(one).has(plainName));
  const patch = patchOf(kind === 'Patch' && server === undefined, given);
  if (patch) return { tool, tool_name: 'MultiEdit', tool_input: { ...given, ...patch } };
  // a command of Lore's own tool may come as a list of words
  if (OWN.has(tool))
    return Array.isArray(given.command)
      ? shellCall(tool, tool === 'PowerShell' ? tool : 'Bash', given)
      : null;
  // by itself, this name says too little
  if (tool === 'run' || kind === undefined) return null;
  if (server !== undefined && (!LOCAL.test(server) || REMOTE.test([tool, ...Object.keys(given)].join(' '))))
    return null;
  if (SHELL.test(kind)) return shellCall(tool, kind, given);
  if (/^(Read|Write|Edit|Patch)$/.test(kind)) return fileCall(tool, kind, given);
  const skill = [given.skill, given.name].find(isText);
  const needed = { WebFetch: given.url, Task: given.prompt, Skill: skill }[kind] ?? given.pattern;
  if (server !== undefined || !isText(needed)) return null;
  return { tool, tool_name: kind, tool_input: kind === 'Skill' ? { ...given, skill } : given };
}

function shellCall(tool: string, kind: string, given: Fields): OwnCall | null {
  const command = commandIn(given);
  if (command === null || command === '') return null;
  const said = isText(given.shell) ? given.shell : '';
  const isCmd = /(?:^|[\\/])cmd(?:\.exe)?$/i.test(said) || (kind === 'cmd' && !/pwsh|powershell/i.test(said));
  const cwd = textAt(given, 'folder');
  return {
    tool,
    tool_name: kind !== 'Bash' || isCmd || /pwsh|powershell/i.test(said) ? 'PowerShell' : 'Bash',
    tool_input: { ...given, command },
    ...(cwd && { cwd }),
    ...(isCmd && { shell: 'cmd' as const }),
  };
}

/** Returns the line that a call runs: a text, words, or a program with its arguments; null if it has none. */
function commandIn(given: Fields): string | null {
  for (const value of valuesAt(given, 'command')) {
    if (isText(value)) {
      const args = listAt(given.args, given.arguments) ?? [];
      return [value, ...args.map((one) => quoted(String(one)))].join(' ');
    }
    if (!Array.isArray(value) || !value.every(isText)) continue;
    // `["bash", "-lc", "npm test"]`: the line is the last word
    const isLine = value.length === 3 && /^\S*\b(?:ba|z|da)?sh -l?i?c$/.test(value.slice(0, 2).join(' '));
    return isLine ? (value[2] as string) : value.map(quoted).join(' ');
  }
  return null;
}

function fileCall(tool: string, kind: string, given: Fields): OwnCall | null {
  const file_path = textAt(given, 'path');
  if (!file_path) return null;
  const edits = editsIn(given);
  const content = textAt(given, 'content') ?? '';
  const as = (tool_name: string, more: Fields) => ({
    tool,
    tool_name,
    tool_input: { ...given, file_path, ...more },
  });
  // editors with one tool for all say in a field what it is to do
  const does = tool === 'str_replace_editor' ? given.command : undefined;
  if (does === 'create' || (kind === 'Write' && edits.length === 0)) return as('Write', { content });
  if (does === 'view' || kind === 'Read') return as('Read', {});
  if (edits.length > 1) return as('MultiEdit', { edits });
  return as('Edit', edits[0] ?? { old_string: '', new_string: content });
}

type Edited = { old_string: string; new_string: string };

function editsIn(given: Fields): Edited[] {
  const list = listAt(given.edits, given.replacements, given.diffs) ?? [given];
  return list.filter(isObject).flatMap((part): Edited[] => {
    const [before, after] = [textAt(part, 'old'), textAt(part, 'new')];
    if (before === undefined && after === undefined) return [];
    return [{ old_string: before ?? '', new_string: after ?? '' }];
  });
}

/** A file that a patch changes, with the lines that go and those that come. */
type PatchedFile = Edited & { file_path: string; change: 'add' | 'update' | 'delete' };
const MAX_FILES = 100;

/**
 * Returns the fields of a call that applies a patch as models of OpenAI write it (`*** Begin Patch`).
 *
 * @param whole whether it is given to a tool for patches, else it is the line of a shell, which must do nothing else
 */
function patchOf(whole: boolean, given: Fields) {
  const form = whole
    ? /^()()\s*(\*\*\* Begin Patch[\s\S]*)$/
    : /^\s*(?:cd [^\n;&|]+ && )?(?:apply_patch|applypatch)\s+<<\s*(['"]?)(\w+)\1\n(\*\*\* Begin Patch[\s\S]*?)\n\2\s*$/;
  const values = (whole ? Object.values(given) : [given.command, given.cmd]).flat().filter(isText);
  const patch = values.flatMap((one) => form.exec(one)?.[3] ?? [])[0] ?? '';
  // a file that is moved counts twice: it goes, and it comes
  const parts = patch.split(/^(?=\*\*\* (?:Add|Update|Delete) File: )/m).slice(1, MAX_FILES);
  const files = parts.flatMap((part): PatchedFile[] => {
    const [, what = '', file_path = ''] = /^\*\*\* (\w+) File: (.+?)\s*$/m.exec(part) ?? [];
    const to = /^\*\*\* Move to: (.+?)\s*$/m.exec(part)?.[1];
    const lines = (sign: string) =>
      part.split(/\r?\n/).flatMap((line) => (line.startsWith(sign) ? [line.slice(1)] : []));
    const texts = { old_string: lines('-').join('\n'), new_string: lines('+').join('\n') };
    if (to)
      return [
        { file_path, change: 'delete', ...texts },
        { file_path: to, change: 'add', ...texts },
      ];
    return [{ file_path, change: what.toLowerCase() as PatchedFile['change'], ...texts }];
  });
  const [first] = files;
  if (!first) return null;
  const { file_path, old_string, new_string } = first;
  return { file_path, edits: [{ old_string, new_string }], files };
}
