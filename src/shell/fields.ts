import { bashLineOf, quoted } from './powershell.ts';
import { namesOf } from './shell-tools.ts';

// What a tool that takes fields (of an MCP server, or added by a program) is about to do, translated into a line of
// bash. Nobody knows what such a tool means. So only its own words count, and they may lead to a deny, and never to an
// allow.

type Kind = 'command' | 'code' | 'source' | 'target' | 'path' | 'address';

/** The names of fields, in lower case and without `_` and `-`. The first pattern that fits says what a field is. */
const KINDS: [Kind, RegExp][] = [
  ['command', /^(?:full|shell|bash|terminal)?(?:commands?|commandline|cmd|cmdline|argv|shell)$/],
  ['code', /^(?:code|script|sourcecode|javascript|python|powershell)$/],
  ['source', /^(?:source|src|from|old)(?:path|file|name|uri)?s?$/],
  ['target', /^(?:destination|dest|dst|target|to|new)(?:path|file|name|uri|folder|dir)?$/],
  ['path', /(?:path|file|filename|folder|directory|dir|uri|notebook)s?$/],
  ['address', /^(?:url|href|link|endpoint)s?$/],
];

/** Only so much of an input is looked at. */
const MAX_FIELDS = 60;
const MAX_NESTED = 4;
const MAX_PATH = 4096;
/** Longest command or program that is looked at, in characters. */
const MAX_CODE = 16_000;

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
  const found: [Kind, string][] = [];
  collect(input, '', 0);
  if (found.length === 0) return null;
  const texts = (wanted: Kind) => found.flatMap(([kind, text]) => (kind === wanted ? [text] : []));
  const said = [input.language, input.lang, input.runtime].find((one) => typeof one === 'string');
  return [
    ...texts('command').map((text) => (POWERSHELL.test(tool) ? bashLineOf(text) : text)),
    ...texts('code').flatMap((text) => ran(text, String(said ?? tool))),
    ...filesIn(deedOf(tool, input), [...texts('path'), ...texts('source')], texts('target')),
    ...texts('address').map((text) => `curl ${quoted(text)}`),
  ].join('\n');

  function collect(value: unknown, name: string, nested: number): void {
    if (found.length >= MAX_FIELDS || nested > MAX_NESTED) return;
    const kind = KINDS.find(([, pattern]) => pattern.test(name))?.[0];
    if (typeof value === 'string') {
      const as = kind ?? (guards(value) ? 'path' : undefined);
      const text = as && plain(as, value);
      if (text) found.push([/^https?:/i.test(text) ? 'address' : as, text]);
    } else if (Array.isArray(value) && kind === 'command') collect(asWords(value), name, nested);
    else if (value !== null && typeof value === 'object') {
      const { args } = value as { args?: unknown };
      for (const [key, of] of Object.entries(value)) {
        // a list of changes may be an object with a path for each key
        if (guards(key)) found.push(['path', key]);
        const own = Array.isArray(value) ? name : key.toLowerCase().replace(/[_-]/g, '');
        const line = typeof of === 'string' && KINDS[0]?.[1].test(own) && Array.isArray(args);
        collect(line ? `${of} ${asWords(args)}` : of, own, nested + 1);
      }
    }
  }
}

const asWords = (list: unknown[]): string =>
  list
    .filter((one) => typeof one === 'string')
    .map(quoted)
    .join(' ');

/** Returns the text of a field as a line of bash can hold it; null for what is no command, path or address. */
function plain(kind: Kind, value: string): string | null {
  if (value === '' || value.includes('\0')) return null;
  if (kind === 'command' || kind === 'code') return value.length <= MAX_CODE ? value : null;
  if (value.length > MAX_PATH || value.includes('\n')) return null;
  const [, path] = /^file:\/\/(?:localhost)?(\/.*)$/i.exec(value) ?? [];
  try {
    return path === undefined ? value : decodeURIComponent(path);
  } catch {
    return path ?? value;
  }
}

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

function deedOf(tool: string, input: Record<string, unknown>): string {
  const said = [input.command, input.action, input.operation].filter((one) => /^\w+$/.test(String(one)));
  const words = [tool.replace(/^mcp__.*?__/, ''), ...said].join('_').replace(/([a-z])([A-Z])/g, '$1_$2');
  const all = words.toLowerCase().split(/[^a-z]+/);
  const deed =
    Object.entries(DEEDS).find(([list]) => all.some((word) => namesOf(list).has(word)))?.[1] ?? 'tee';
  const writes = Object.keys(input).some((key) => CONTENT.test(key));
  return writes && /^(cat|ls)$/.test(deed) ? 'tee' : deed;
}

function filesIn(deed: string, paths: string[], targets: string[]): string[] {
  const line = (program: string, files: string[]) =>
    files.length === 0 ? [] : [[program, ...files.map(asPath)].join(' ')];
  if (!/^(mv|cp)/.test(deed)) return line(deed, [...paths, ...targets]);
  if (paths.length === 0) return line('tee', targets);
  return (targets.length > 0 ? targets : ['moved-file']).flatMap((to) => line(deed, [...paths, to]));
}

/** Returns a path as a word of bash. No program takes it for an option. */
const asPath = (path: string): string => {
  const name = path.startsWith('-') ? `./${path}` : path;
  return /^~(?:\/|$)/.test(name) ? `"$HOME"${quoted(name.slice(1))}` : quoted(name);
};
