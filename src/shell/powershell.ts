import { baseName } from './names.ts';
import { namesOf } from './shell-tools.ts';

// Says in bash what a line of PowerShell, or of the older shell of Windows, would certainly delete, write, send or stop, so
// that the rules can deny it. It is never allowed, so all else is left: variables, methods, names that are put together.

/** Lines of bash that do what commands of PowerShell do (tools.jsonc). */
const VERBS = [
  ...['rm -f', 'cp', 'mv', 'tee', 'cat', 'ls', 'cd', 'curl', 'pkill', 'systemctl stop'],
  ...['mkfs /dev/disk', 'shutdown now', 'sh'],
];
/** Programs whose words are a line themselves. */
const RUNS_LINE = /^(cmd|pwsh|powershell|start-process|start|saps|iex|invoke-expression)$/;
const NO_PATH = /^-(value|body|encoding|filter|include|exclude|method|headers|itemtype|erroraction|ea)$/i;
const MAX_LENGTH = 16_000;

/**
 * Returns a line of PowerShell as lines of bash. Never throws because of its content.
 *
 * @example bashLineOf('Remove-Item C:\\Users\\dev -Recurse -Force') // 'rm -f -r /Users/dev'
 */
export function bashLineOf(line: string, depth = 0): string {
  if (line.length > MAX_LENGTH || depth > 4) return 'too-long';
  const encoded = /[\s'"][-/]e(?:nc\w*|c)?['"]?\s+["']?([A-Za-z0-9+/=]{16,})/i.exec(line)?.[1];
  if (encoded) return bashLineOf(Buffer.from(encoded, 'base64').toString('utf16le'), depth + 1);
  const fetched =
    /\b(iex|invoke-expression)\b.{0,20}\b(iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring)\b/i;
  if (fetched.test(line)) return 'curl http://fetched.example | sh';
  // here-strings and comments run nothing
  const code = line.replace(/@(["'])\r?\n[\s\S]*?\n\1@/g, "'text'").replace(/(^|\s)#[^\n]*/g, '$1');
  let piped: string[] = [];
  const said = (code.match(/(?:'[^']*'|"[^"]*"|[^;|&{}\n'"])+|\|(?!\|)|[;&\n{}]/g) ?? []).map((part) => {
    if (part === '|' || /^[;&\n{}]$/.test(part)) {
      if (/[;&\n]/.test(part)) piped = [];
      return part === '|' ? part : '\n';
    }
    const [first = '', ...args] = (part.match(/'[^']*'|"[^"]*"|[^\s,()'"]+/g) ?? []).map(plain);
    const name = baseName(first);
    if (RUNS_LINE.test(name) && args.length > 0) {
      const at = args.findIndex((arg) => /^[-/](c|k|command)$/i.test(arg)) + 1;
      return bashLineOf(args.slice(at).join(' '), depth + 1);
    }
    const paths = args.filter(
      (arg, i) => !/^(-\w|\/\w{1,2}$|\$_)/.test(arg) && !NO_PATH.test(args[i - 1] ?? ''),
    );
    const all = paths.length > 0 ? paths : piped;
    piped = paths.length > 0 || !/^(where|sort|select|foreach|\?|%)/.test(name) ? paths : piped;
    if (/^(%|foreach(-object)?|if|while)$/.test(name)) return 'true';
    const verb = VERBS.find((one) => namesOf(one).has(name)) ?? quoted(name);
    const deep = verb === 'rm -f' && args.some((arg) => /^(-r(e\w*)?|-rf|-fr|\/s)$/i.test(arg)) ? ' -r' : '';
    return args.some((arg) => /^-(whatif|wi)$/i.test(arg))
      ? 'true'
      : [verb + deep, ...(verb === 'sh' ? [] : all.map(asBash))].join(' ');
  });
  return said
    .join(' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim();
}

const plain = (token: string): string => token.replace(/^(['"])(.*)\1$/s, '$2').replace(/\.exe$/i, '');

/** Returns a word as bash reads it: with paths of Unix, and the home folder by its name. */
function asBash(token: string): string {
  const home = /^(~|\$home|\$env:(?:home|homepath|userprofile)|%USERPROFILE%)(?=[\\/]|$)/i;
  const [, variable, rest] = /^\$?env:(\w+)(.*)$/is.exec(token.replace(home, '')) ?? [];
  const path = quoted(unixPath(rest ?? token.replace(home, '')));
  return home.test(token) ? `"$HOME"${path}` : variable ? `"$${variable.toUpperCase()}"${path}` : path;
}

/** Returns text as bash reads it literally, but for patterns of file names, which PowerShell's own commands follow. */
export const quoted = (text: string): string =>
  text
    .split(/([*?]+)/)
    .map((part) => (/^[\w@%+=:,./*?-]*$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`))
    .join('');

/** Returns a path of Windows as one of Unix: `C:\Users\dev\x` is `/Users/dev/x`, and a drive is the root folder. */
export const unixPath = (path: string): string =>
  path
    .replace(/^(?:\\\\[?.]\\)?[a-z]:(?=[\\/]|$)/i, (_, at: number, all: string) =>
      at === 0 && /^[^\\/]*:$/.test(all) ? '/' : '',
    )
    .replaceAll('\\', '/');
