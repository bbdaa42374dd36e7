import { bashLineOf, quoted } from './powershell.ts';
import { namesOf } from './shell-tools.ts';

// What a tool that takes fields (of an MCP server, or added by a program) is about to do, translated into a line of
// bash. Nobody knows what such a tool means. So only its commands, its programs, and the files that it deletes or that
// guard Lore count, and they may lead to a deny, and never to an allow.

/** The names of fields with a line of a shell or with a program, in lower case and without `_` and `-`. */
const COMMAND = /^(?:full|shell|bash|terminal)?(?:commands?|commandline|cmd|cmdline|argv|shell)$/;
const CODE = /^(?:code|script|sourcecode|javascript|python|powershell)$/;
const PATH = /(?:path|file|folder|directory|dir|uri)s?$/;
const POWERSHELL = /powershell|pwsh/i;
const SHELL = /(?:^|[^a-z])(?:ba|z|k)?sh(?:[^a-z]|$)|shell|bash|terminal/i;
/** Only so much of an input is looked at; lengths in characters. */
const MAX = { fields: 60, nested: 4, line: 16_000, path: 4096 };

const isText = (value: unknown): value is string => typeof value === 'string';
const asWords = (list: unknown[]): string => list.filter(isText).map(quoted).join(' ');

/**
 * Returns the line of bash that says what a call does with the commands and files in its fields; null if it names none.
 *
 * @param guards whether a text is the path of what guards Lore
 * @example lineOfFields('mcp__fs__delete', { path: '~' }) // 'rm -r -f "$HOME"'
 */
export function lineOfFields(
  tool: string,
  input: Record<string, unknown>,
  guards: (text: string) => boolean = () => false,
): string | null {
  const language = String([input.language, input.lang, input.runtime].find(isText) ?? tool);
  const said = [input.command, input.action, input.operation].filter((one) => /^\w+$/.test(String(one)));
  const words = [tool.replace(/^mcp__.*?__/, ''), ...said].join('_').replace(/([a-z])([A-Z])/g, '$1_$2');
  const does = (list: string) =>
    words
      .toLowerCase()
      .split(/[^a-z]+/)
      .some((word) => namesOf(list).has(word));
  const writes = Object.keys(input).some((name) => CONTENT.test(name));
  const deletes = does('deletes');
  const looks = does('lists') ? 'ls' : does('reads') ? 'cat' : 'tee';
  const deed = deletes ? 'rm -r -f' : writes ? 'tee' : looks;
  const lines: string[] = [];
  collect(input, '', 0);
  return lines.length === 0 ? null : lines.join('\n');

  function add(name: string, text: string): void {
    const isLine = COMMAND.test(name) || CODE.test(name);
    if (text === '' || text.includes('\0') || text.length > (isLine ? MAX.line : MAX.path)) return;
    if (POWERSHELL.test(isLine ? language : '')) lines.push(bashLineOf(text));
    else if (COMMAND.test(name) || (isLine && SHELL.test(language))) lines.push(text);
    // no language is parsed, so one stands for all
    else if (isLine) lines.push(`python3 -c '${text.replaceAll("'", "'\\''")}'`);
    else if (/^https?:\/\/\S+$/i.test(text)) lines.push(`curl ${quoted(text)}`);
    else if (guards(text) || (deletes && PATH.test(name))) lines.push(`${deed} ${asPath(text)}`);
  }

  function collect(value: unknown, name: string, nested: number): void {
    if (lines.length >= MAX.fields || nested > MAX.nested) return;
    if (isText(value)) add(name, value);
    else if (Array.isArray(value) && COMMAND.test(name)) add(name, asWords(value));
    else if (value !== null && typeof value === 'object') {
      const { args } = value as { args?: unknown };
      for (const [key, of] of Object.entries(value)) {
        // a list of changes may be an object with a path for each key
        if (guards(key)) add('', key);
        const own = Array.isArray(value) ? name : key.toLowerCase().replace(/[_-]/g, '');
        const line = isText(of) && COMMAND.test(own) && Array.isArray(args);
        collect(line ? `${of} ${asWords(args)}` : of, own, nested + 1);
      }
    }
  }
}

/** Names of what is written. */
const CONTENT = /^(?:(?:file|new)_?(?:str|string|text|source)|(?:file_?)?contents?|edits|patch)$/i;

/** Returns a path as a word of bash. No program takes it for an option. */
function asPath(path: string): string {
  const name = path.replace(/^file:\/\/(?:localhost)?(?=\/)/i, '').replace(/^-/, './-');
  return /^~(?:\/|$)/.test(name) ? `"$HOME"${quoted(name.slice(1))}` : quoted(name);
}
