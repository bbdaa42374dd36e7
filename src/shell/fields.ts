import { bashLineOf, quoted } from './powershell.ts';
import { namesOf } from './shell-tools.ts';

// What a tool that takes fields (of an MCP server, or added by a program) is about to do, translated into a line of
// bash. Nobody knows what such a tool means. So only its own words count, and they may lead to a deny, and never to an
// allow.

type Kind = 'command' | 'code' | 'path' | 'address';

/** The names of fields, in lower case and without `_` and `-`. The first pattern that fits says what a field is. */
const KINDS: [Kind, RegExp][] = [
  ['command', /^(?:full|shell|bash|terminal)?(?:commands?|commandline|cmd|cmdline|argv|shell)$/],
  ['code', /^(?:code|script|sourcecode|javascript|python|powershell)$/],
  ['path', /(?:path|file|filename|folder|directory|dir|uri|notebook)s?$|^(?:src|from|old|dest|dst|to|new)$/],
  ['path', /^(?:source|old|destination|target|new)(?:name)?s?$/],
  ['address', /^(?:url|href|link|endpoint)s?$/],
];
/** Only so much of an input is looked at; lengths in characters. */
const LIMITS = { fields: 60, nested: 4, command: 16_000, code: 16_000, path: 4096, address: 4096 };

/**
 * Returns the line of bash that says what a call does with commands, files and addresses in its fields; null if it names
 * none.
 *
 * @param guards whether a text is the path of what guards Lore: it is taken for one whatever its field is called
 * @example lineOfFields('mcp__fs__move_file', { source: 'a', destination: 'b' }) // 'mv a b'
 */
export function lineOfFields(
  tool: string,
  input: Record<string, unknown>,
  guards: (text: string) => boolean = () => false,
): string | null {
  const found: Record<Kind, string[]> = { command: [], code: [], path: [], address: [] };
  let fields = 0;
  collect(input, '', 0);
  if (fields === 0) return null;
  const language = String([input.language, input.lang, input.runtime].find(isText) ?? tool);
  return [
    ...found.command.map((text) => (POWERSHELL.test(tool) ? bashLineOf(text) : text)),
    ...found.code.flatMap((text) => ran(text, language)),
    ...(found.path.length === 0 ? [] : [deedOn(found.path, tool, input)]),
    ...found.address.map((text) => `curl ${quoted(text)}`),
  ].join('\n');

  function add(kind: Kind, value: string): void {
    const text = value.replace(/^file:\/\/(?:localhost)?(?=\/)/i, '');
    const fits = /command|code/.test(kind) || !text.includes('\n');
    if (text === '' || text.includes('\0') || text.length > LIMITS[kind] || !fits) return;
    found[/^https?:/i.test(text) ? 'address' : kind].push(text);
    fields += 1;
  }

  function collect(value: unknown, name: string, nested: number): void {
    if (fields >= LIMITS.fields || nested > LIMITS.nested) return;
    const kind = KINDS.find(([, pattern]) => pattern.test(name))?.[0];
    if (isText(value)) {
      const as = kind ?? (guards(value) ? 'path' : undefined);
      if (as) add(as, value);
    } else if (Array.isArray(value) && kind === 'command') add(kind, asWords(value));
    else if (value !== null && typeof value === 'object') {
      const { args } = value as { args?: unknown };
      for (const [key, of] of Object.entries(value)) {
        // a list of changes may be an object with a path for each key
        if (guards(key)) add('path', key);
        const own = Array.isArray(value) ? name : key.toLowerCase().replace(/[_-]/g, '');
        const line = isText(of) && KINDS[0]?.[1].test(own) && Array.isArray(args);
        collect(line ? `${of} ${asWords(args)}` : of, own, nested + 1);
      }
    }
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
const asWords = (list: unknown[]): string => list.filter(isText).map(quoted).join(' ');

const POWERSHELL = /powershell|pwsh/i;

/** Says that a program is run: in a shell if the language is one, else in those that it may be in. */
function ran(code: string, language: string): string[] {
  if (POWERSHELL.test(language)) return [bashLineOf(code)];
  if (/(?:^|[^a-z])(?:ba|z|k)?sh(?:[^a-z]|$)|shell|bash|terminal/i.test(language)) return [code];
  const inline = `'${code.replaceAll("'", "'\\''")}'`;
  return [`python3 -c ${inline}`, `node -e ${inline}`];
}

/** The program that does with files what a word of a tool's name says. A tool without such a word may write. */
const DEEDS = { deletes: 'rm -r -f', moves: 'mv', copies: 'cp -r', lists: 'ls', reads: 'cat' };
/** Names of what is written. */
const CONTENT = /^(?:(?:file|new)_?(?:str|string|text|source)|(?:file_?)?contents?|edits|patch)$/i;

function deedOn(paths: string[], tool: string, input: Record<string, unknown>): string {
  const said = [input.command, input.action, input.operation].filter((one) => /^\w+$/.test(String(one)));
  const words = [tool.replace(/^mcp__.*?__/, ''), ...said].join('_').replace(/([a-z])([A-Z])/g, '$1_$2');
  const all = words.toLowerCase().split(/[^a-z]+/);
  const deed = Object.entries(DEEDS).find(([list]) => all.some((word) => namesOf(list).has(word)))?.[1];
  const writes =
    deed === undefined || (/^(cat|ls)$/.test(deed) && Object.keys(input).some((key) => CONTENT.test(key)));
  const to = /^(mv|cp)/.test(deed ?? '') && paths.length === 1 ? ['moved-file'] : [];
  return [writes ? 'tee' : deed, ...[...paths, ...to].map(asPath)].join(' ');
}

/** Returns a path as a word of bash. No program takes it for an option. */
const asPath = (path: string): string => {
  const name = path.startsWith('-') ? `./${path}` : path;
  return /^~(?:\/|$)/.test(name) ? `"$HOME"${quoted(name.slice(1))}` : quoted(name);
};
