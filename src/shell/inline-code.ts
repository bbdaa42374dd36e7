import { known, suspect } from './arg.ts';
import { programs } from './names.ts';
import { printedText } from './printed.ts';
import type { Arg, Effect, Invocation, Scope, Walk } from './types.ts';

// Programs that the line itself contains: python -c, node -e, a here-document for ruby … No language is parsed. A program
// of Python or JavaScript is harmless if all that it calls computes, reads or prints, and one of perl if it only replaces
// text or prints. Of any other one its names say what it may do, so that rules can deny it.

/** Interpreters, each with the option before the program, which may be attached to it (`-e'…'`). */
const INTERPRETERS: [program: RegExp, language: string, option: RegExp][] = [
  [/^(python|pypy)[\d.]*$/, 'python', /^-[bBdEiIOqsSuvxP]*c(.*)$/s],
  [/^(node|nodejs|bun|tsx|ts-node)$/, 'javascript', /^(?:-e|-p|-pe|--eval|--print)(?:=(.*))?$/s],
  [/^deno$/, 'javascript', /^eval()$/],
  [/^perl[\d.]*$/, 'perl', /^-[0-9a-zA-Z]*[eE](.*)$/s],
  [/^j?ruby[\d.]*$/, 'other', /^-[lanpwWvscS]*e(.*)$/s],
  [/^php[\d.]*$/, 'other', /^(?:-[rRB]|--run)(.*)$/s],
  [/^(lua(jit)?|osascript|julia|rscript|r|elixir|groovy|scala)[\d.]*$/, 'other', /^(?:-[eE]|--eval)(.*)$/s],
];

/** Most characters of a program that are read. A longer program is never harmless. */
const MAX_CODE = 16 * 1024;
const MAX_LINES = 120;

/**
 * Reads a program that the line gives to an interpreter and notes on the invocation what the program may do. Unless it
 * is harmless, adds what its strings would run as *suspected* invocations, which can only deny.
 */
export function walkCode(walk: Walk, scope: Scope, invocation: Invocation): void {
  const [, language, option] = INTERPRETERS.find(([name]) => name.test(invocation.program)) ?? [];
  if (!language || !option) return;
  const sources = sourcesOf(invocation, language, option);
  if (sources.length === 0) return;
  const whole = sources.map((source) => source.text).join('\n');
  const text = whole.slice(0, MAX_CODE);
  const strings = stringsIn(text);
  const effects = effectsOf(text, strings, language);
  if (text !== whole || !sources.every((source) => source.known && !source.glob)) effects.add('other');
  // perl runs `id|` and `|id` when it reads the files that it is given
  if (language === 'perl' && invocation.args.some((arg) => /^\s*\|\s*\S|\S\s*\|\s*$/.test(arg.text)))
    effects.add('commands');
  const paths = strings
    .filter((one) => one.length < 300 && /^(~|\.{0,2}\/|\.\.$|\.[a-z])|^[\w.-]+\/|^[\w-]+\.\w+$/i.test(one))
    .concat(/\bhomedir\b|\bPath\.home\b|\bHOME\b/.test(text) ? ['~'] : [])
    .map((one) => known(one, { quoted: true }));
  invocation.code = { text, effects: effects.size === 0 ? ['harmless'] : [...effects], paths };
  // a pattern may find secrets
  const reads = paths.map((arg) => ({ ...arg, glob: /[*?[]/.test(arg.text) }));
  invocation.reads = [...invocation.reads, ...reads];
  if (effects.size === 0) return;
  const own: Scope = { ...scope, depth: scope.depth + 1, via: [...scope.via, invocation.program] };
  // a line that is run may be a list of words
  const lists = [...text.matchAll(/(?:(?:'[^'\n]*'|"[^"\n]*")[\s,+[\]]*){2,20}/g)].map(([list]) =>
    list.replace(/(['"])\s*\+\s*['"]/g, '').replace(/[\s,+[\]]*(['"])[\s,+[\]]*/g, ' '),
  );
  const short = !text.includes('\n') && text.length <= 200 ? [text] : [];
  for (const line of [...new Set([...short, ...strings, ...lists])].slice(0, MAX_LINES))
    suspect(walk, own, line);
}

/** Returns the programs that an interpreter is given, and notes the commands that print them. */
function sourcesOf(invocation: Invocation, language: string, option: RegExp): Arg[] {
  const { args, input } = invocation;
  const sources: Arg[] = [];
  let file = false;
  for (let i = 0; i < args.length && !(file && language !== 'javascript'); i++) {
    const arg = args[i] as Arg;
    const found = option.exec(arg.text);
    if (found) {
      while (found[0] === 'eval' && args[i + 1]?.text.startsWith('-')) i++;
      const source = found[1] ? { ...arg, text: found[1] } : args[++i];
      if (source) sources.push(source);
      if (language === 'python') break;
    } else if (language === 'python' && /^-[bBdEiIOqsSuvxP]*m/.test(arg.text)) return [];
    else if (arg.text === '-') break;
    else if (/^-[WX]$/.test(arg.text)) i++;
    else file ||= !arg.text.startsWith('-');
  }
  const ran = (sources.length > 0 ? sources : args).flatMap((source) => source.from ?? []);
  if (ran.length > 0) invocation.executes = ran;
  if (sources.length > 0 || file) return sources;
  if (input.kind === 'text') return [known(input.text, { known: input.known, quoted: true })];
  if (input.kind !== 'pipe') return [];
  const printed = printedText(input.from);
  if (printed === null) invocation.executes = input.from;
  return printed === null ? [] : [known(printed, { quoted: true })];
}

/** Returns what stands between quotes; also what only seems to, because nobody can tell in all languages where strings end. */
function stringsIn(text: string): string[] {
  const strings = [/"((?:[^"\\\n]|\\.){1,400})"/g, /'((?:[^'\\\n]|\\.){1,400})'/g].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, inside = '']) =>
      inside.replace(/\\(n|['"`\\])/g, (_, sign) => (sign === 'n' ? '\n' : sign)),
    ),
  );
  const pieces = text.split(/["'`\n]/).filter((piece) => /^[^()=;]{3,400}$/.test(piece));
  return [...new Set([...strings, ...pieces])];
}

/** Takes the place of a string in code. */
const MARK = '\uE000';
/** A string that ends where it seems to. `f"…"` and `…${x}…` hold code themselves. */
const STRINGS = /(\b[rRbBuUfF]{1,2})?("""[^"\\]*"""|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/g;

const FAR_EFFECTS = ['commands', 'deletes', 'writes', 'network', 'dynamic', 'decodes'] as const;
/** Names that do more than compute in one language or another, with what they may do. */
const FAR = FAR_EFFECTS.map((effect) => {
  const names = [...programs(`code-${effect}`)].map((name) => name.replaceAll('*', '\\w*'));
  return [effect, new RegExp(`(?<![\\w$@%])(?:${names.join('|')})\\b(?!\\s?[=:][^=:])`, 'g')] as const;
});
/** Functions that compute, read or print, in Python and JavaScript, and words before a bracket that call nothing. */
const HARMLESS = programs('code-harmless');
/** Modules that only compute, or whose harmful functions have names of their own. */
const MODULES =
  /^(json|sys|os|re|math|datetime|time|collections|itertools|functools|pathlib|statistics|random|string|textwrap|csv|hashlib|uuid|platform|decimal|tomllib|ast|typing|glob|pprint|yaml|toml|numpy|configparser|struct|importlib\.(util|metadata))(\.|$)/;
const REQUIRED =
  /^((node:)?(fs|path|os|util|crypto|assert|url|zlib)|(\.\/)?[\w/.-]*\.json|\.\/(?!\S*(deploy|release|publish|destroy|migrate|seed))\S+|[a-z][\w.-]*)$/;
/** A program of perl: each statement replaces text, or prints. A flag `e` would run what it replaces by. */
const PERL =
  /^\s*((((s|y|tr)([/|#,!]))(?:(?!\5)[^\\@$`]|\\.|\$(?=[/|#,!)]))*\5(?:(?!\5)[^\\@$`]|\\.|\$\d)*\5[gimsx]*|print( \$_|\s?["'](?:[^"'$@`\\]|\\[nt]|\$[._])*["']| \$F\[-?\d+\](,\s?"(\\n|\\t| )")?)?)(\s+(if|unless)\s+(\$(\.|F\[\d\])\s?[=<>]=?\s?\d+|(&& |\.\. |!|\/([^/\\@$`]|\\.|\$(?=\/))*\/i? ?)+|\d+\s?\.\.\s?\d+))?\s*(;\s*|$))+$/;

/** Returns what a program may do, judged by its names and strings alone; nothing if it is harmless. */
function effectsOf(text: string, strings: string[], language: string): Set<Effect> {
  if (language === 'perl' && PERL.test(text)) return new Set();
  let code = text.replace(language === 'python' ? /(^|\n|[;\s])#[^\n]*/g : /(^|[\s;])\/\/[^\n]*/g, '$1');
  // a pattern of JavaScript
  if (language !== 'python') code = code.replace(/(^|[(,=!&|;]\s*)\/(?:[^/\\\n]|\\.)+\/[gimsuy]*/g, '$1');
  code = code.replace(STRINGS, (_, prefix: string | undefined, string: string) =>
    /f/i.test(prefix ?? '') && string.includes('{') ? ` ${MARK} ${string.slice(1, -1)} ` : ` ${MARK}`,
  );
  const effects = new Set<Effect>();
  for (const [effect, names] of FAR) {
    // a call in what seems to be a string counts
    const calls = [...text.matchAll(names)].some(({ 0: name, index }) =>
      /^\s?\(/.test(text.slice(index + name.length)),
    );
    // PHP calls a function that a string names
    const named = language === 'other' && strings.some((one) => /^\w+$/.test(one) && one.search(names) === 0);
    if (calls || named || code.search(names) >= 0) effects.add(effect);
  }
  if (!isPlain(code, strings, language) || BY_NUMBER.test(text)) effects.add('other');
  if (/\bdo shell script\b|`[^`]*`|%x\W/.test(text) && language !== 'javascript') effects.add('commands');
  if (strings.some((one) => /^(node:)?child_process$/.test(one))) effects.add('commands');
  if (strings.some((one) => NETWORK.test(one))) effects.add('network');
  if (/\bopen\s?\([^()]{0,200},\s?(mode\s?=\s?)?['"][rbt]*[wax+]/.test(text)) effects.add('writes');
  return effects;
}

/** A letter that is written by its number: it hides a name. */
const BY_NUMBER = /\\(?:x[2-7]|[ux]\{0*[2-7][\da-f]\}|u00[2-7]|(?:0[4-7]|1[0-7])[0-7])/i;
const NETWORK = /^(node:)?(net|https?|http2|tls|dgram|dns|got|axios|undici|socket|open-uri)$/;

/** What hides which function is called: a computed member, the result of a call, a hidden name, the whole environment. */
const HIDES =
  /`|["'\\]|\]\s?\(|\)\s?\(|\b__(?!name__|version__|file__|dirname|filename|doc__)\w+|\[\s?\uE000\s?\+|\byaml\s?\.\s?load\b|\benviron\b(?!\s?(\.\s?get\b|\[))|\.\s?env\b(?!\s?\.\s?\w)|\bprocess\b(?!\s?\.)|\$\s?[(\uE000]|\brequire\b(?!\s?\(\s?\uE000\s?\))|\bimport\s?\((?!\s?\uE000\s?\))|\bopen\b(?!\s?\()|\b(os|Path|pathlib)\b[\s\S]*\.\s?replace\b|\b(Bun|Deno|binding|mainModule|_load)\b|\b(open|Path)\s?\([^()]{0,200}(\+|%|\.\s?(join|format)\b)/;
/** A function of a module under another name, or given to another function. */
const RENAMED =
  /\b(os|shutil|sys|signal|io|pathlib)\s?\.\s?(?!path\b|environ\b|sep\b|argv\b|std(in|out|err)\b|version\w*|platform\b|executable\b|name\b|maxsize\b)[a-z]\w*\b(?!\s?\()/;

/** Whether code calls only what computes, reads or prints. */
function isPlain(code: string, literals: string[], language: string): boolean {
  if (
    !/^(python|javascript)$/.test(language) ||
    HIDES.test(language === 'javascript' ? code.replaceAll('`', '') : code)
  )
    return false;
  if (language === 'javascript') {
    if (/\b(require|import)\b/.test(code) && !literals.some((one) => REQUIRED.test(one))) return false;
  } else {
    const imported = [...code.matchAll(/(?:^|[\n;])\s*(?:from\s+([\w.]+)\s+)?import\s+([\w., ]+)/g)];
    const modules = imported.flatMap(([, from, list = '']) => from ?? list.split(','));
    if (!modules.every((one) => MODULES.test(one.trim())) || RENAMED.test(code)) return false;
  }
  return [...code.matchAll(/([A-Za-z_$][\w$]*)\s?\(/g)].every(([, name = '']) => HARMLESS.has(name));
}
