import { isObject } from '../text/json.ts';
import { filesOfPatch, type PatchedFile, patchIn } from './patch.ts';
import { quoted } from './powershell.ts';

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

/** What a tool does, by its name in lower case without `_`, `-` and `.`. Where two clients differ, the fields decide. */
const NAMES: Record<string, RegExp> = {
  Bash: /^(?:bash|sh|zsh|fish|(?:local|run)?shell(?:command|cmd)?|terminal|runinterminal|(?:container|unified)?exec(?:command)?|execute(?:bash|shell|(?:bash|shell)?(?:command|script))?|run(?:terminal|bash|command|(?:terminal|bash)(?:command|cmd))?|startprocess)$/,
  PowerShell: /^(?:(?:run|execute)?(?:powershell|pwsh)(?:command|script)?)$/,
  cmd: /^(?:(?:run|execute)?cmd(?:exe)?)$/,
  Read: /^(?:(?:read|view|open)(?:text|media)?(?:file)?|viewimage)$/,
  Write: /^(?:write(?:(?:to)?file)?|create(?:file)?|savefile)$/,
  Edit: /^(?:edit(?:file|block)?|multiedit|strreplace|replace(?:infile|stringinfile)?|searchreplace|strreplaceeditor)$/,
  Patch: /^(?:apply)?patch$/,
  Grep: /^(?:grep(?:search)?|ripgrep|rg|searchfilecontent)$/,
  Glob: /^(?:glob(?:search)?|filesearch)$/,
  WebFetch: /^(?:web)?fetch(?:url|webpage)?$/,
  Task: /^(?:task|spawnagent)$/,
  Skill: /^skill$/,
};
/** Tools that are Claude Code's own, and so Lore's: letters in the order in which it writes them. */
const OWN =
  /^(?:Bash|PowerShell|Monitor|Read|Write|Edit|MultiEdit|NotebookEdit|Grep|Glob|WebFetch|Task|Skill)$/;
/** Names of tools of MCP servers count only if the server says that its tools are about this machine. */
const LOCAL_SHELL = /shell|bash|term|command|cmd|console|process|desktop|powershell|pwsh/i;
const LOCAL_FILES = /^(?:.*[^a-z])?(?:fs|files?|filesystem|editor|desktop|text)(?:[^a-z].*)?$/i;
/** A call with one of these fields, or of a server of such a name, reaches another machine. */
const REMOTE_FIELDS =
  /^(?:host(?:name)?|container(?:_?(?:id|name))?|pod|server|machine|device|instance|owner|repo(?:sitory)?|bucket|sandbox_?id|connection_?id|project_?id|namespace)$/i;
const REMOTE =
  /ssh|docker|container|kube|k8s|remote|vm|github|gitlab|bitbucket|s3|gcs|azure|redis|sql|database|mongo/i;

const COMMANDS = ['command', 'cmd', 'commandLine', 'command_line', 'shell_command', 'script', 'argv'];
const PATHS = [
  'file_path',
  'filePath',
  'path',
  'file',
  'filename',
  'target_file',
  'absolute_path',
  'absolutePath',
  'relative_workspace_path',
];
const FOLDERS = ['workdir', 'cwd', 'working_directory', 'workingDirectory', 'working_dir', 'directory'];
const OLD = ['old_string', 'oldString', 'old_str', 'oldText', 'old_text', 'search'];
const NEW = ['new_string', 'newString', 'new_str', 'newText', 'new_text', 'replace', 'replacement'];
const CONTENT = ['content', 'contents', 'file_text', 'fileText', 'text', 'code_edit', 'insert_text'];

/**
 * Returns a call in Lore's own words; null if it has them already, or if nobody knows what the tool does. The fields that
 * came stay in the input beside Lore's.
 *
 * @example ownCall('run_terminal_cmd', { command: 'npm test' })?.tool_name // 'Bash'
 * @example ownCall('apply_patch', { input: '*** Begin Patch\n…' })?.tool_name // 'MultiEdit'
 */
export function ownCall(tool: string | null | undefined, given: unknown): OwnCall | null {
  if (!tool || !isObject(given)) return null;
  const patch = patchOf(tool, given);
  if (patch) return { tool, tool_name: 'MultiEdit', tool_input: { ...given, ...patch } };
  if (OWN.test(tool)) return wholeCommand(tool, given);
  // by itself, this name says too little
  if (tool === 'run') return null;
  const mcp = /^mcp__(.*?)__(.+)$/.exec(tool);
  const kind = kindOf(mcp?.[2] ?? tool.replace(/^MCP:.*/, ''));
  if (kind === undefined) return null;
  if (mcp && !isOfThisMachine(tool, mcp[1] as string, kind, given)) return null;
  if (kind === 'Bash' || kind === 'PowerShell' || kind === 'cmd') return shellCall(tool, kind, given);
  if (kind === 'Grep' || kind === 'Glob') return asIs(tool, kind, given, mcp !== null || !given.pattern);
  if (kind === 'WebFetch') return asIs(tool, kind, given, mcp !== null || typeof given.url !== 'string');
  if (kind === 'Task') return asIs(tool, kind, given, mcp !== null || typeof given.prompt !== 'string');
  if (kind === 'Skill') return skillCall(tool, given, mcp !== null);
  return fileCall(tool, kind, given);
}

const kindOf = (name: string): string | undefined => {
  const plain = name.toLowerCase().replace(/[_.-]/g, '');
  return Object.keys(NAMES).find((kind) => NAMES[kind]?.test(plain));
};

const asIs = (tool: string, kind: string, given: Fields, unknown: boolean): OwnCall | null =>
  unknown ? null : { tool, tool_name: kind, tool_input: given };

/** A call of Lore's own tool whose command came as a list of words. */
function wholeCommand(tool: string, given: Fields): OwnCall | null {
  if (!Array.isArray(given.command)) return null;
  return shellCall(tool, tool === 'PowerShell' ? 'PowerShell' : 'Bash', given);
}

function isOfThisMachine(tool: string, server: string, kind: string, given: Fields): boolean {
  if (REMOTE.test(tool) || Object.keys(given).some((name) => REMOTE_FIELDS.test(name))) return false;
  if (kind === 'Bash' || kind === 'PowerShell' || kind === 'cmd') return LOCAL_SHELL.test(tool);
  return LOCAL_FILES.test(server);
}

const textAt = (given: Fields, names: readonly string[]): string | undefined => {
  const name = names.find((one) => typeof given[one] === 'string');
  return name === undefined ? undefined : (given[name] as string);
};

function shellCall(tool: string, kind: string, given: Fields): OwnCall | null {
  const command = commandIn(given);
  if (command === null || command === '') return null;
  const said = typeof given.shell === 'string' ? given.shell : '';
  const shell = /pwsh|powershell/i.test(said)
    ? 'PowerShell'
    : /(?:^|[\\/])cmd(?:\.exe)?$/i.test(said)
      ? 'cmd'
      : kind;
  const cwd = textAt(given, FOLDERS);
  return {
    tool,
    tool_name: shell === 'Bash' ? 'Bash' : 'PowerShell',
    tool_input: { ...given, command },
    ...(cwd && { cwd }),
    ...(shell === 'cmd' && { shell: 'cmd' as const }),
  };
}

/** Returns the line that a call runs: a text, words, or a program with its arguments; null if it has none. */
function commandIn(given: Fields): string | null {
  for (const name of COMMANDS) {
    const value = given[name];
    if (typeof value === 'string') {
      const args = [given.args, given.arguments].find((one) => Array.isArray(one)) as unknown[] | undefined;
      return args ? [value, ...args.map((one) => quoted(String(one)))].join(' ') : value;
    }
    if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) continue;
    const words = value as string[];
    // `["bash", "-lc", "npm test"]`: the line is the last word
    const [program = '', option = '', line] = words;
    if (
      line !== undefined &&
      words.length === 3 &&
      /(?:^|\/)(?:ba|z|da)?sh$/.test(program) &&
      /^-l?i?c$/.test(option)
    )
      return line;
    return words.map(quoted).join(' ');
  }
  return null;
}

function skillCall(tool: string, given: Fields, isMcp: boolean): OwnCall | null {
  const skill = textAt(given, ['skill', 'name']);
  return isMcp || skill === undefined ? null : { tool, tool_name: 'Skill', tool_input: { ...given, skill } };
}

function fileCall(tool: string, kind: string, given: Fields): OwnCall | null {
  const path = textAt(given, PATHS);
  if (path === undefined || path === '') return null;
  const edits = editsIn(given);
  const content = textAt(given, CONTENT);
  // editors with one tool for all say in a field what it is to do
  const does = tool === 'str_replace_editor' ? given.command : undefined;
  const whole = does === 'create' || (kind === 'Write' && edits === null);
  const own = whole
    ? 'Write'
    : does === 'view' || kind === 'Read'
      ? 'Read'
      : edits && edits.length > 1
        ? 'MultiEdit'
        : 'Edit';
  return {
    tool,
    tool_name: own,
    tool_input: {
      ...given,
      file_path: path,
      ...(own === 'Write' && { content: content ?? '' }),
      ...(own === 'Edit' && (edits?.[0] ?? { old_string: '', new_string: content ?? '' })),
      ...(own === 'MultiEdit' && { edits }),
    },
  };
}

type Edited = { old_string: string; new_string: string };

function editsIn(given: Fields): Edited[] | null {
  const list = [given.edits, given.replacements, given.diffs].find((one) => Array.isArray(one)) as
    | unknown[]
    | undefined;
  const parts = (list ?? [given]).filter(isObject);
  const edits = parts.flatMap((part): Edited[] => {
    const [before, after] = [textAt(part, OLD), textAt(part, NEW)];
    return before === undefined && after === undefined
      ? []
      : [{ old_string: before ?? '', new_string: after ?? '' }];
  });
  return edits.length === 0 ? null : edits;
}

/** The fields of a call that applies a patch, also of one given to a shell. */
function patchOf(
  tool: string,
  given: Fields,
): { file_path: string; edits: Edited[]; files: PatchedFile[] } | null {
  const named = kindOf(tool) === 'Patch';
  const values = named ? Object.values(given) : [given.command, given.cmd];
  const text = values.flat().find((one) => typeof one === 'string' && patchIn(one, named) !== null);
  if (typeof text !== 'string') return null;
  const files = filesOfPatch(patchIn(text, named) as string);
  const [first] = files;
  if (!first) return null;
  const { file_path, old_string, new_string } = first;
  return { file_path, edits: [{ old_string, new_string }], files };
}
