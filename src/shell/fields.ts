import { isObject } from '../text/json.ts';
import { bashLineOf, quoted } from './powershell.ts';

// What a tool that takes fields (of an MCP server, or added by a program) is about to do, translated into a line of
// bash. Nobody knows what such a tool means. So only its own words count, and they may lead to a deny, and never to an
// allow.

type Field = { kind: 'command' | 'code' | 'source' | 'target' | 'path' | 'address'; text: string };

/** The names of fields, in lower case and without `_` and `-`. The first pattern that fits says what a field is. */
const KINDS: { kind: Field['kind']; name: RegExp }[] = [
  {
    kind: 'command',
    name: /^(?:full|shell|bash|terminal)?(?:commands?|commandline|cmd|cmdline|argv|shell)$/,
  },
  { kind: 'code', name: /^(?:code|script|sourcecode|javascript|python|powershell)$/ },
  { kind: 'source', name: /^(?:(?:source|src|from|old)(?:path|file|name|uri)?s?)$/ },
  { kind: 'target', name: /^(?:(?:destination|dest|dst|target|to|new)(?:path|file|name|uri|folder|dir)?)$/ },
  { kind: 'path', name: /(?:path|file|filename|folder|directory|dir|uri|notebook)s?$/ },
  { kind: 'address', name: /^(?:url|href|link|endpoint)s?$/ },
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
  const fields: Field[] = [];
  collect(input, { fields, guards }, 0);
  if (fields.length === 0) return null;
  const texts = (...kinds: Field['kind'][]) =>
    fields.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text);
  const language = [input.language, input.lang, input.runtime].find((one) => typeof one === 'string');
  const does = deedOf(tool, input);
  return [
    ...texts('command').map((text) => (isPowerShell(tool) ? bashLineOf(text) : text)),
    ...texts('code').flatMap((text) => ran(text, (language as string | undefined) ?? tool)),
    ...filesIn(does, texts('path'), texts('source'), texts('target')),
    ...texts('address').map((text) => `curl ${quoted(text)}`),
  ].join('\n');
}

type Collecting = { fields: Field[]; guards: (text: string) => boolean };

function collect(value: unknown, into: Collecting, nested: number, name = ''): void {
  const { fields, guards } = into;
  if (fields.length >= MAX_FIELDS || nested > MAX_NESTED) return;
  if (typeof value === 'string') {
    const kind = KINDS.find((one) => one.name.test(name))?.kind ?? (guards(value) ? 'path' : undefined);
    const text = kind && plain(kind, value);
    if (text) fields.push({ kind: /^https?:/i.test(text) ? 'address' : kind, text });
  } else if (Array.isArray(value)) {
    const kind = KINDS.find((one) => one.name.test(name))?.kind;
    // a command with its arguments as a list
    if (kind === 'command')
      collect(
        value
          .filter((one) => typeof one === 'string')
          .map(quoted)
          .join(' '),
        into,
        nested,
        name,
      );
    else for (const one of value) collect(one, into, nested + 1, name);
  } else if (isObject(value)) {
    const { args, arguments: more } = value as { args?: unknown; arguments?: unknown };
    const list = [args, more].find((one) => Array.isArray(one)) as unknown[] | undefined;
    for (const [key, of] of Object.entries(value)) {
      // a list of changes may be an object with a path for each key
      if (guards(key)) fields.push({ kind: 'path', text: key });
      const plainKey = key.toLowerCase().replace(/[_-]/g, '');
      const isCommand = typeof of === 'string' && KINDS[0]?.name.test(plainKey);
      const words = isCommand && list ? list.filter((one) => typeof one === 'string').map(quoted) : [];
      collect(words.length > 0 ? `${of} ${words.join(' ')}` : of, into, nested + 1, plainKey);
    }
  }
}

/** Returns the text of a field as a line of bash can hold it; null for what is no command, path or address. */
function plain(kind: Field['kind'], value: string): string | null {
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

const isPowerShell = (name: string): boolean => /powershell|pwsh/i.test(name);

/** Says that a program is run, in the languages that it may be in. */
function ran(code: string, language: string): string[] {
  if (isPowerShell(language)) return [bashLineOf(code)];
  if (/(?:^|[^a-z])(?:ba|z|k)?sh(?:[^a-z]|$)|shell|bash|terminal/i.test(language)) return [code];
  const inline = `'${code.replaceAll("'", "'\\''")}'`;
  const as = (program: string) => `${program} ${inline}`;
  if (/py|jupyter/i.test(language)) return [as('python3 -c')];
  if (/^(?:js|javascript|ts|typescript|node)/i.test(language)) return [as('node -e')];
  return [as('python3 -c'), as('node -e')];
}

type Deed = 'deletes' | 'moves' | 'copies' | 'lists' | 'reads' | 'writes';

/** What a tool does with files, by the words of its name. A tool without such a word may write. */
const DEEDS: [Deed, RegExp][] = [
  ['deletes', /^(?:delete|remove|rm|rmdir|unlink|trash|destroy|erase|purge)$/],
  ['moves', /^(?:move|mv|rename)$/],
  ['copies', /^(?:copy|cp|upload|attach|import)$/],
  ['lists', /^(?:list|ls|tree|stat|info|exists|dir|glob|find)$/],
  [
    'reads',
    /^(?:read|get|view|open|show|cat|fetch|search|grep|head|tail|load|describe|preview|diff|check|query|log|blame|history|status|stage|commit|validate|lint|analyze|explain)$/,
  ],
];
/** Names of what is written. */
const CONTENT = /^(?:(?:file|new)_?(?:str|string|text|source)|(?:file_?)?contents?|edits|patch)$/i;

function deedOf(tool: string, input: Record<string, unknown>): Deed {
  const said = [input.command, input.action, input.operation].filter((one) => typeof one === 'string');
  const words = [tool.replace(/^mcp__.*?__/, ''), ...said.filter((one) => /^\w+$/.test(one as string))]
    .join('_')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/);
  const deed = DEEDS.find(([, names]) => words.some((word) => names.test(word)))?.[0] ?? 'writes';
  const hasContent = Object.keys(input).some((key) => CONTENT.test(key));
  return hasContent && (deed === 'reads' || deed === 'lists') ? 'writes' : deed;
}

function filesIn(deed: Deed, paths: string[], sources: string[], targets: string[]): string[] {
  const words = (files: string[]) => files.map(asPath).join(' ');
  const all = [...paths, ...sources, ...targets];
  if (all.length === 0) return [];
  switch (deed) {
    case 'deletes':
      return [`rm -r -f ${words(all)}`];
    case 'moves':
    case 'copies': {
      const program = deed === 'moves' ? 'mv' : 'cp -r';
      const [from, to] = [[...paths, ...sources], targets.length > 0 ? targets : ['moved-file']];
      return from.length === 0
        ? [`tee ${words(to)}`]
        : to.map((one) => `${program} ${words([...from, one])}`);
    }
    case 'lists':
      return [`ls ${words(all)}`];
    case 'reads':
      return [`cat ${words(all)}`];
    default:
      return [
        ...(sources.length > 0 ? [`cat ${words(sources)}`] : []),
        ...(paths.length + targets.length > 0 ? [`tee ${words([...paths, ...targets])}`] : []),
      ];
  }
}

/** Returns a path as a word of bash. No program takes it for an option. */
const asPath = (path: string): string => {
  const name = path.startsWith('-') ? `./${path}` : path;
  return /^~(?:\/|$)/.test(name) ? `"$HOME"${quoted(name.slice(1))}` : quoted(name);
};
