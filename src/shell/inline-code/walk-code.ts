import { known } from '../arg.ts';
import { suspect } from '../lines.ts';
import { printedText } from '../printed.ts';
import type { Arg, Effect, Input, Invocation, Scope, Walk } from '../types.ts';
import { within } from '../zones.ts';
import { AWK } from './awk.ts';
import { type Interpreter, interpreterOf } from './languages.ts';
import { MAX_CODE, readCode } from './read-code.ts';
import { MAX_LITERALS } from './scan.ts';

// Programs that the line itself contains: python -c, node -e, a here-document for ruby …

/**
 * Reads a program that the line gives to an interpreter and notes on the invocation what the program may do. Unless it
 * is harmless, adds what its strings would run as *suspected* invocations, which can only deny.
 */
export function walkCode(walk: Walk, scope: Scope, invocation: Invocation): void {
  const interpreter = interpreterOf(invocation.program);
  if (!interpreter) return;
  const sources = sourcesOf(invocation, interpreter);
  if (sources.length === 0) return;
  const { language } = interpreter;
  const text = sources.map((source) => source.text).join('\n');
  // awk programs are frequent, and most of them only print, so these are not read
  if (language === AWK && !/system|getline|extension|inet|[|>@]/.test(text)) return;
  const alone = readCode(text, language);
  // only what is not known otherwise is looked for among the project's files
  const asks = alone.effects.join() === 'other' && /^(python|pypy)/.test(invocation.program);
  const isOwn = (module: string) => isOwnModule(walk, invocation.cwd, module);
  const read = asks ? readCode(text, language, isOwn) : alone;
  const more: Effect[] = [];
  if (!sources.every((source) => source.known && !source.glob) || text.length > MAX_CODE) more.push('other');
  if (language.opensPipes && invocation.args.some(isPipe)) more.push('commands');
  const effects = [...new Set([...read.effects, ...more])].filter(
    (effect) => effect !== 'named' || more.length === 0,
  );
  invocation.code = {
    text: text.slice(0, MAX_CODE),
    effects: more.length > 0 ? effects.filter((effect) => effect !== 'harmless') : effects,
    paths: pathsOf(read.literals),
    ...(read.writesTo && more.length === 0 && { writesTo: read.writesTo.map((text) => known(text)) }),
  };
  // a pattern may find secrets
  const reads = invocation.code.paths.map((arg) => ({ ...arg, glob: /[*?[]/.test(arg.text) }));
  invocation.reads = [...invocation.reads, ...reads];
  // a command that an awk program runs is in quotes next to `system` or a pipe, where escapes.ts finds it
  if (invocation.code.effects.includes('harmless') || language === AWK) return;
  const own: Scope = { ...scope, depth: scope.depth + 1, via: [...scope.via, invocation.program] };
  const lines = text.includes('\n') || text.length > 200 ? read.lines : [text, ...read.lines];
  for (const line of lines.slice(0, MAX_LITERALS)) suspect(walk, own, line);
}

/** Whether Python would find a module in the folder it runs in, which is part of the project. */
function isOwnModule({ place }: Walk, cwd: string | null, module: string): boolean {
  const { root, read } = place;
  if (cwd === null || root === undefined || !within(cwd, root) || !read) return false;
  const path = `${cwd}/${module.replaceAll('.', '/')}`;
  try {
    return [`${path}.py`, `${path}/__init__.py`].some((file) => read(file) !== null);
  } catch {
    return false;
  }
}

/**
 * Whether an argument is a command to Perl and Ruby, which run `id|` and `|id` when they read the files they are given.
 */
const isPipe = (arg: Arg) => /^\s*\|\s*\S|\S\s*\|\s*$/.test(arg.text) && !/\n/.test(arg.text);

/** Returns the programs that an interpreter is given, and notes the commands that print them. */
function sourcesOf(invocation: Invocation, interpreter: Interpreter): Arg[] {
  const { args } = invocation;
  const { code, attached, module, optionsFirst, firstWord, valued, optionsLast } = interpreter;
  const sources: Arg[] = [];
  let script = false;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as Arg;
    if (code.test(arg.text)) {
      let at = i + 1;
      while (optionsFirst && args[at]?.text.startsWith('-')) at++;
      const source = args[at];
      if (source) {
        sources.push(source);
        i = at;
        // the interpreter's options end here
        if (module) break;
        continue;
      }
    }
    const text = /^--(?:eval|print|run|source)=(.*)$/s.exec(arg.text)?.[1] ?? attached?.exec(arg.text)?.[1];
    if (text !== undefined) {
      sources.push({ ...arg, text });
      if (module) break;
      continue;
    }
    if (module?.test(arg.text)) return [];
    // `-`: the program comes on standard input, and the words that follow are its arguments
    if (arg.text === '-') break;
    if (firstWord?.test(arg.text) || valued?.test(arg.text)) i++;
    else if (!arg.text.startsWith('-')) {
      if (firstWord) {
        if (sources.length === 0 && !args.slice(0, i).some(namesFile)) sources.push(arg);
        break;
      }
      script = true;
      if (!optionsLast || sources.length > 0) break;
    }
  }
  if (sources.length > 0) {
    const ran = sources.flatMap((source) => source.from ?? []);
    if (ran.length > 0) invocation.executes = ran;
    return sources;
  }
  if (firstWord) return [];
  const fed = args.find((arg) => arg.from);
  if (fed?.from) invocation.executes = fed.from;
  if (script) return [];
  return textOf(invocation.input, invocation);
}

const namesFile = (arg: Arg) => /^(-f|--file|-E|--exec)/.test(arg.text);

function textOf(input: Input, invocation: Invocation): Arg[] {
  if (input.kind === 'text') return [{ text: input.text, known: input.known, glob: false, quoted: true }];
  if (input.kind !== 'pipe') return [];
  const printed = printedText(input.from);
  if (printed !== null) return [toArg(printed)];
  invocation.executes = input.from;
  return [];
}

const toArg = (text: string): Arg => known(text, { quoted: true });

/** Returns the strings that look like paths, and the path that all of them together would make: '~/.ss' + 'h/id_rsa'. */
function pathsOf(literals: string[]): Arg[] {
  const parts = literals.filter((text) => text !== '' && text.length < 100 && !/\s/.test(text));
  const together = parts.length > 1 && parts.length < 10 ? [parts.join(''), parts.join('/')] : [];
  return [...literals, ...together.filter((text) => SECRET_FOLDER.test(text))].filter(isPath).map(toArg);
}

const SECRET_FOLDER = /\.(ssh|aws|gnupg|kube|docker|config|netrc|pgpass|lore)\b/;
const isPath = (text: string) => text.length < 300 && /^(~|\.{0,2}\/|\.\.$|\.[a-z])|^[\w.-]+\//i.test(text);
