import type { Effect } from '../types.ts';
import { COMMON } from './common.ts';
import { type Language, MARK, type Name } from './language.ts';
import { namedWrites } from './named-writes.ts';
import { MAX_LITERALS, scan } from './scan.ts';

// Reads a program without parsing its language: strings and comments are separated from code, and then each name that
// is called must be known to only compute or print. All other names are reported with what they may do.

/** Most characters of a program that are read. A longer program is never harmless. */
export const MAX_CODE = 16 * 1024;
const MAX_LINE = 4000;
const MAX_NAMES = 5000;

/**
 * Returns what a program may do, judged by its names and strings alone.
 *
 * @param isOwn whether a module of Python is one of the project, by its dotted name
 * @returns `writesTo` are the files that it writes, if it names them all; `literals` are its strings; `lines` are its
 * strings too, and neighbouring ones joined as an argument list or a sum would join them
 */
export function readCode(
  text: string,
  language: Language,
  isOwn: (module: string) => boolean = () => false,
): { effects: Effect[]; literals: string[]; lines: string[]; writesTo?: string[] } {
  const { code, literals, sure } = scan(text.slice(0, MAX_CODE), language);
  const effects = new Set<Effect>();
  if (!sure) effects.add('other');
  const own = declared(code);
  const functions = new Set([
    ...definedFunctions(code),
    ...importedFunctions(code, text.includes('`') ? [] : literals, isOwn),
  ]);
  const modules = ownModules(code, isOwn);
  const writers: string[] = [];
  for (const name of namesOf(code, language)) {
    const effect = effectOf(name, language, own, functions, modules);
    if (effect) effects.add(effect);
    if (effect === 'writes') writers.push(name.name);
  }
  // a string may name a callback: array_map("unlink", …)
  for (const literal of language.callsByName ? literals : []) {
    const effect = namedEffect(literal.replace(/^\\/, ''), language);
    if (effect) effects.add(effect);
  }
  // a computed member that is called may be any function
  if (language.computedCalls && /\]\s?\(/.test(code)) effects.add('dynamic');
  for (const effect of language.inspect?.(code, literals, text) ?? []) effects.add(effect);
  if (hidesCall(text, language)) effects.add('other');
  const named =
    language.writes && effects.size === 1 && effects.has('writes') && text.length <= MAX_CODE
      ? namedWrites(code, literals, language.writes, writers)
      : null;
  if (named) effects.add('named');
  const paths = /\bhomedir\b|\bPath\.home\b|\bHOME\b/.test(text) ? ['~'] : [];
  return {
    effects: effects.size === 0 ? ['harmless'] : [...effects],
    literals: [...literals, ...paths],
    lines: joinedLiterals(code, literals),
    ...(named && { writesTo: named }),
  };
}

/**
 * Returns what the use of a name may do; null when it only computes or the program defines it. A call of a variable is
 * `other`, because the variable may hold any function: `f = os.execvpe`.
 */
function effectOf(
  found: Name,
  language: Language,
  own: Set<string>,
  functions: Set<string>,
  modules: Set<string>,
): Effect | null {
  const { name, called, member, sigil } = found;
  if (sigil && !called) return null;
  if (name === 'write' && /\b(stdout|stderr|STDOUT|STDERR)\.$/.test(member)) return null;
  if (isOfPatterns(found)) return null;
  if (own.has(name) && !called) return null;
  const effect = namedEffect(name, language);
  if (effect) return effect;
  if (called && modules.has(member.replace(/\.$/, '')) && !FAR_NAME.test(name)) return null;
  if (sigil && called && language.callsVariables) return 'dynamic';
  const asked = called || (language.bareCalls === 'always' && !sigil);
  const defined = called && member === '' ? functions : own;
  if (!asked || defined.has(name) || language.keywords.has(name) || language.harmless.has(name)) return null;
  // in $hash{name} the name is a key
  if (language.bareCalls === 'always' && member === '{') return null;
  return 'other';
}

const isOfPatterns = ({ name, member }: Name): boolean => name === 'compile' && /\bre\.$/.test(member);

/**
 * Effects of calls that must not occur in a harmless program, not even in what seems to be a string or a
 * comment.
 */
const FAR: Effect[] = ['commands', 'deletes', 'network', 'dynamic'];
/** Calls without parentheses, as in Perl and Ruby. */
const BARE_CALL =
  /\b(?:system|exec|spawn|unlink|rmdir|syscall|popen|eval)\s+(?:["'`%]|q[qwxr]?\s*\W)|%x\W|\bqx\s*\W/;
const HANDED_ON =
  /\.\s*(?:system|popen|rmtree|remove|unlink|unlinkSync|rmSync|execSync|spawnSync|execFileSync)\b/;

/**
 * Whether a program has a far-reaching call anywhere, also in what seem to be strings and comments. No
 * scanner can tell in all of ten languages where these end, and harmless programs seldom print such calls.
 */
function hidesCall(text: string, language: Language): boolean {
  const runs = language.syntax.backtick === 'runs' && /`[^`]*`/.test(text);
  return (
    runs ||
    (language.bareCalls === 'always' && BARE_CALL.test(text)) ||
    HANDED_ON.test(text) ||
    namesOf(text.slice(0, MAX_CODE), language).some(
      (found) =>
        found.called && !isOfPatterns(found) && FAR.includes(namedEffect(found.name, language) as Effect),
    )
  );
}

const namedEffect = (name: string, { effects, harmless }: Language): Effect | null =>
  effects.get(name) ?? (harmless.has(name) ? null : (COMMON.get(name) ?? null));

function namesOf(code: string, language: Language): Name[] {
  const names: Name[] = [];
  const pattern = /[A-Za-z_][\w]*/g;
  for (let match = pattern.exec(code); match && names.length < MAX_NAMES; match = pattern.exec(code)) {
    const name = match[0];
    const before = code.slice(Math.max(0, match.index - 16), match.index);
    const after = code.slice(match.index + name.length, match.index + name.length + 3);
    // not names: prefixes of strings (f"…"), and keys (`name =>`, `name:`)
    if (after.startsWith(MARK) && /^[rRbBfFuU]{1,2}$/.test(name)) continue;
    // but a colon at the end of a line begins a block in Python
    if (/^\s?=>/.test(after) || /^:[^:\n]/.test(after)) continue;
    const string = language.bareCalls === 'before a string' && /^\s?\uE000/.test(after);
    names.push({
      name,
      called: string || /^[?!]?\s?\(/.test(after) || /\bnew\s$/.test(before),
      member: /[\w.]*[{.]$/.exec(before)?.[0] ?? '',
      sigil: /[$@%&]\{?$/.test(before) && !/&&\s?$/.test(before),
    });
  }
  return names;
}

const FUNCTIONS = [
  /\b(?:def|function\*?|sub|fn|class)\s(\w+)/g,
  /\b([A-Za-z_]\w*)\s?=\s?(?:async\s)?(?:function\b|lambda\b|\(?[\w\s,]{0,100}\)?\s?=>)/g,
];

/** Returns the names of the functions that the program defines. */
const definedFunctions = (code: string): Set<string> =>
  new Set(FUNCTIONS.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1] as string)));

const IMPORTS = [
  /\bimport\s?\{([^}]{1,200})\}\s?from\s?\uE000/g,
  /\b(?:const|let|var)\s?\{([^}]{1,200})\}\s?=\s?(?:await\s?)?(?:require|import)\s?\(\uE000\s?\)/g,
];
/** Imports in Python: the module, and what is taken out of it. */
const FROM = /\bfrom\s(\w+(?:\.\w+)*)\simport\s([\w ,]{1,200})/g;
const IMPORT = /\bimport\s(\w+(?:\.\w+)*)(?:\sas\s(\w+))?/g;
/** Names that projects usually give to their own packages. */
const USUALLY_OWN = /^(apps?|src|lib|tests?|core|api|utils|models|services|backend|server|project)(\.|$)/;
/** Functions of the project itself that do more than compute, as their names tell. */
const FAR_NAME =
  /delete|drop|remove|destroy|reset|clean|clear|truncate|purge|wipe|send|mail|notify|deploy|publish|push|upload|release|kill|exec|run|spawn|write|save|store|create|update|insert|migrate|seed|install|sync|main|start|serve|pay|charge|request|fetch|post|put|patch/i;

/**
 * Returns the functions that a program takes from modules of the project: calling them is running the project's own code,
 * as `node dist/x.js` is.
 *
 * @param literals the strings, in their order; empty if one string may contain another
 */
function importedFunctions(code: string, literals: string[], isOwn: (module: string) => boolean): string[] {
  const harmless = (name: string) => /^[A-Za-z_]\w*$/.test(name) && !FAR_NAME.test(name);
  const fromPython = [...code.matchAll(FROM)]
    .filter(([, module = '']) => USUALLY_OWN.test(module) || isOwn(module))
    .flatMap((match) => takenOut(match[2] ?? ''));
  const fromFiles = IMPORTS.flatMap((pattern) => [...code.matchAll(pattern)]).flatMap((match) => {
    const mark = match[0].includes(MARK) ? code.slice(0, match.index).split(MARK).length - 1 : -1;
    if (mark >= 0 && !/^\.\/(?!.*\.\.)/.test(literals[mark] ?? '')) return [];
    return takenOut(match[1] ?? '');
  });
  return [...fromPython, ...fromFiles].filter(harmless);
}

/** Returns the names that an import gives to what it takes out of a module. */
const takenOut = (list: string): string[] =>
  list.split(',').map((name) => name.trim().replace(/^\w+\s?(as\b|:)\s?/, ''));

/** Returns the names under which a program in Python has modules of the project: `import shop.cart as c`. */
function ownModules(code: string, isOwn: (module: string) => boolean): Set<string> {
  const whole = [...code.matchAll(IMPORT)]
    .filter(([, module = '']) => isOwn(module))
    .map(([, module = '', name = module]) => name);
  const parts = [...code.matchAll(FROM)].flatMap(([, module = '', list = '']) =>
    takenOut(list).filter(
      (name, i) => isOwn(`${module}.${list.split(',')[i]?.trim().split(/\s/)[0]}`) && name,
    ),
  );
  // a name that gets another value later may not stand for a module any more
  const isKept = (name: string) => !new RegExp(`\\b${name}\\s?(=(?!=)|:=|\\bin\\b)`).test(code);
  return new Set([...whole, ...parts].filter(isKept));
}

const DECLARATIONS = [
  /\b([A-Za-z_]\w*)\s?=(?![=~>])/g,
  /\b(?:const|let|var|my|our|local)\s([^=;]{1,200})/g,
  /\b(?:def|function|sub|fn|class)\s(\w+)/g,
  /\b(?:def|function)\s?\w{0,60}\s?\(([^)]{0,200})\)/g,
  /\bfor\s([\w\s,()]{1,100}?)\sin\b/g,
  /\blambda\s([\w\s,]{0,100}):/g,
  /\(([\w\s,]{0,100})\)\s?=>/g,
  /\b(\w+)\s?=>/g,
  /\bas\s(\w+)/g,
  // parameters of a block in Ruby
  /\|([\w\s,]{1,100})\|/g,
];

/** Returns the names that the program defines. */
function declared(code: string): Set<string> {
  const own = new Set<string>();
  for (const pattern of DECLARATIONS) {
    for (const match of code.matchAll(pattern)) {
      for (const name of (match[1] ?? '').split(/[\s,*:{}[\]()]+/))
        if (/^[A-Za-z_]\w*$/.test(name)) own.add(name);
    }
  }
  return own;
}

/** Returns each string, and also the strings of each list or sum joined together. */
function joinedLiterals(code: string, literals: string[]): string[] {
  const lines: string[] = [];
  let at = 0;
  let list: string[] = [];
  let previous = -1;
  const flush = () => {
    if (list.length > 1) lines.push(list.join(' '));
    list = [];
  };
  // these are only suspicions, so the first ones are enough
  for (let i = code.indexOf(MARK); i >= 0 && at < 20 * MAX_LITERALS; i = code.indexOf(MARK, i + 1)) {
    const literal = literals[at] ?? '';
    at++;
    const between = previous < 0 ? null : code.slice(previous + 1, i).replace(/\s+/g, '');
    const joined = between !== null && /^[+.]$/.test(between) && (list.at(-1)?.length ?? 0) < MAX_LINE;
    if (joined) list.push(`${list.pop() ?? ''}${literal}`);
    else if (between !== null && /^\]?,\[?$/.test(between)) list.push(literal);
    else {
      flush();
      list = [literal];
    }
    if (literal !== '') lines.push(list.length === 1 ? (list[0] as string) : literal);
    previous = i;
  }
  flush();
  return [...new Set(lines)]
    .filter((line) => /[a-z]/i.test(line) && line.length < MAX_LINE)
    .slice(0, MAX_LITERALS);
}
