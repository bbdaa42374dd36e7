import { baseName, words } from './names.ts';

// Says in bash what a line of PowerShell would delete, write, send or stop, as far as a few patterns tell. What comes out
// may be denied and is never allowed, so what the patterns miss is left.

/** Longest line that is read, in characters. */
const MAX_LENGTH = 16_000;
const MAX_DEPTH = 4;

/** Programs of bash, each with PowerShell's commands and their other names that do the same. */
const VERBS = new Map(
  Object.entries({
    rm: 'remove-item ri rm del erase rd rmdir',
    cp: 'copy-item copy cpi cp xcopy robocopy',
    mv: 'move-item move mi mv rename-item ren rni',
    tee: 'set-content sc add-content ac clear-content clc out-file tee-object export-csv new-item ni set-acl icacls',
    cat: 'get-content gc type cat import-csv select-string sls',
    ls: 'get-childitem gci dir ls get-item gi',
    cd: 'set-location sl cd chdir push-location',
    curl: 'invoke-webrequest iwr invoke-restmethod irm start-bitstransfer',
    pkill: 'stop-process spps kill taskkill',
    'pgrep -l': 'get-process gps',
    'systemctl stop': 'stop-service spsv suspend-service remove-service restart-service set-service',
    'mkfs /dev/disk': 'format-volume clear-disk initialize-disk remove-partition reset-physicaldisk',
    'shutdown now': 'stop-computer restart-computer',
    'echo x': 'write-output write-host echo write',
  }).flatMap(([program, names]) => words(names).map((name) => [name, program] as const)),
);
/** Parameters whose value is text, and no path. */
const TEXT =
  /^-(value|body|encoding|filter|include|exclude|method|headers|contenttype|itemtype|erroraction|ea|argumentlist)$/i;
const TOKENS = /'(?:[^']|'')*'|"(?:[^"`]|`[\s\S])*"|[^\s;|&{}(),'"]+|&&|\|\||[;|&{},\n]/g;

/**
 * Returns a line of PowerShell, or of the older shell of Windows, as lines of bash. Never throws because of its content.
 *
 * @param depth how deep it stands in other lines
 * @example bashLineOf('Remove-Item C:\\Users\\dev -Recurse -Force') // 'rm /Users/dev -r -f'
 */
export function bashLineOf(line: string, depth = 0): string {
  if (line.length > MAX_LENGTH || depth > MAX_DEPTH) return 'too-long';
  const plain = line
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/(?<=\s)[–—―](?=\w)/g, '-')
    .replace(/@(["'])\r?\n[\s\S]*?\n\1@/g, "'text'")
    .replace(/<#[\s\S]*?#>|(^|\s)#[^\n]*/g, '$1')
    .replace(/`\r?\n/g, ' ');
  const values = new Map<string, string[]>();
  for (const [, name = '', value = ''] of plain.matchAll(/\$(\w+)\s*=\s*([^;\n|]+)/g))
    values.set(name.toLowerCase(), [/^["'][^"'$]*["']\s*$/.test(value) ? value.trim() : 'some-value']);
  for (const [, name = '', list = ''] of plain.matchAll(/foreach\s*\(\s*\$(\w+)\s+in\s+([^)]*)\)/gi))
    values.set(name.toLowerCase(), list.split(','));
  const said: string[] = [];
  for (const [, name = '', path = ''] of plain.matchAll(METHOD))
    said.push(
      `${/^(read|open)/i.test(name) ? 'cat' : /^(delete|move)/i.test(name) ? 'rm -rf' : 'tee'} ${asBash(path)}`,
    );
  for (const [, encoded = ''] of plain.matchAll(ENCODED))
    said.push(bashLineOf(Buffer.from(encoded, 'base64').toString('utf16le'), depth + 1));
  let statement: string[] = [];
  let piped: string[] = [];
  const end = (isPipe: boolean) => {
    const found = statement.flatMap((token) => expand(token, values, piped));
    const { line: next, paths } = say(found, piped, said.at(-1) ?? '', depth);
    if (next !== '') said.push(next);
    piped = isPipe ? paths : [];
    statement = [];
  };
  for (const [token] of plain.matchAll(TOKENS)) {
    // a block behind a pipe goes over what comes through it
    if (token === '{') statement = [];
    else if (token === '}') end(true);
    else if (token === '|') end(true);
    else if (/^(;|&&|\|\||&|\n)$/.test(token)) end(false);
    else if (token !== ',') statement.push(token);
  }
  end(false);
  return said.join('\n');
}

const METHOD = /\[(?:System\.)?IO\.(?:File|Directory)\]::(\w+)\(\s*("[^"]*"|'[^']*')/gi;
const ENCODED = /[\s'"][-/]e(?:nc\w*|c)?['"]?\s+["']?([A-Za-z0-9+/=]{16,})/gi;

/** Returns a word with the values of the line's own variables, and what came through the pipe for `$_`. */
function expand(token: string, values: Map<string, string[]>, piped: string[]): string[] {
  if (/^\$_(\.|$)/.test(token)) return piped;
  const name = token.startsWith("'") ? '' : (/\$(\w+)/.exec(token)?.[1] ?? '');
  const known = values.get(name.toLowerCase());
  return known ? known.map((value) => token.replace(`$${name}`, () => unquoted(value.trim()))) : [token];
}

/** Says one command in bash. `paths`: what it gives the command behind a pipe */
function say(
  tokens: string[],
  piped: string[],
  before: string,
  depth: number,
): { line: string; paths: string[] } {
  const called = tokens[1] === '=' ? tokens.slice(2) : tokens;
  const [first = '', ...args] = called;
  const name = baseName(unquoted(first));
  const nothing = { line: '', paths: piped };
  if (first === '' || /^[$[@]/.test(first) || (/^["']/.test(first) && args.length === 0)) return nothing;
  if (args.some((arg) => /^-(whatif|wi)$/i.test(arg))) return nothing;
  if (/^(iex|invoke-expression)$/.test(name) && args.length === 0)
    return { line: `${before} | sh`, paths: [] };
  if (/^(iex|invoke-expression|cmd|pwsh|powershell|start-process|start|saps)$/.test(name)) {
    const from = args.findIndex((arg) => /^["']?[-/](c|k|command)["']?$/i.test(arg)) + 1;
    const inner = args.slice(from).map(unquoted).join(' ');
    const line = bashLineOf(inner.replace(/^\w+ -ArgumentList \/c /i, ''), depth + 1);
    // what is fetched is run
    return { line: /^i/.test(name) && line.startsWith('curl ') ? `${line} | sh` : line, paths: [] };
  }
  if (name === 'wsl') return { line: args.join(' ').replace(/^-d \S+ /, ''), paths: [] };
  const verb = VERBS.get(name);
  if (verb === undefined) return { line: [name, ...args.map(asBash)].join(' '), paths: [] };
  const options: string[] = [];
  const named: string[] = [];
  for (const [i, arg] of args.entries()) {
    if (/^(-rf|-fr)$/.test(arg)) options.push('-r', '-f');
    else if (/^(-r(e\w*)?|\/s)$/i.test(arg)) options.push('-r');
    else if (/^(-fo?(r\w*)?|\/q)$/i.test(arg)) options.push('-f');
    else if (!/^-[a-z]|^\/[a-z]{1,2}$/i.test(arg) && !TEXT.test(args[i - 1] ?? '')) named.push(asBash(arg));
  }
  const paths = named.length > 0 ? named : piped.map(asBash);
  const takes = /^(rm|cp|mv|tee)$/.test(verb) ? options : [];
  return { line: [verb, ...takes, ...paths].join(' '), paths: paths.length > 0 ? paths : ['.'] };
}

const unquoted = (token: string): string =>
  token.startsWith("'") ? token.slice(1, -1).replaceAll("''", "'") : token.replace(/^"|"$/g, '');

/** Returns a word as bash reads it: with paths of Unix, and without quotes of PowerShell. */
function asBash(token: string): string {
  const text = unixPath(
    unquoted(token)
      .replace(/%USERPROFILE%/i, '~')
      .replace(/^env:(?=\w)/i, '$env:'),
  );
  if (token.startsWith("'")) return quoted(text.replace(/\.exe$/i, ''));
  return text
    .replace(/\.exe$/i, '')
    .split(/(\$(?:env:)?\w+|^~(?=\/|$))/i)
    .map((part) => {
      if (!/^[$~]/.test(part)) return quoted(part);
      if (/^(~|\$home|\$env:(home|homepath|userprofile))$/i.test(part)) return '"$HOME"';
      return /^\$env:te?mp$/i.test(part)
        ? '"$TMPDIR"'
        : `"$${part.replace(/^\$(env:)?/i, '').toUpperCase()}"`;
    })
    .join('');
}

/** Returns text as bash reads it literally, but for patterns of file names, which PowerShell's own commands follow. */
export const quoted = (text: string): string =>
  text
    .split(/([*?]+)/)
    .map((part) =>
      part === '' || /^[\w@%+=:,./*?-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`,
    )
    .join('');

/** Returns a path of Windows as one of Unix: `C:\Users\dev\x` is `/Users/dev/x`, and a drive is the root folder. */
export const unixPath = (path: string): string =>
  path
    .replace(/^(?:\\\\[?.]\\)?[a-z]:(?=[\\/]|$)/i, (_, at: number, all: string) =>
      at === 0 && /^[^\\/]*:$/.test(all) ? '/' : '',
    )
    .replaceAll('\\', '/');
