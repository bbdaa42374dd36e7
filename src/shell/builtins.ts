import { known } from './arg.ts';
import { holdsIndex } from './arithmetic.ts';
import type { Arg, Invocation, Scope } from './types.ts';
import { resolvePath } from './zones.ts';

/**
 * Applies a shell builtin that changes what the rest of the line means (`cd`, `export`, `alias` …) to the scope.
 *
 * @returns false when the command is not such a builtin
 */
export function builtin(invocation: Invocation, scope: Scope): boolean {
  const [first] = invocation.args.filter((arg) => !arg.text.startsWith('-') || arg.text === '-');
  switch (invocation.program) {
    case 'cd':
    case 'pushd': {
      const home = scope.vars.get('HOME');
      // with CDPATH a folder of that name may be found elsewhere
      const elsewhere = scope.vars.has('CDPATH') && !/^\.{0,2}\//.test(first?.text ?? '');
      if (!first) enter(scope, home?.known && invocation.program === 'cd' ? home.text : null);
      else if (!first.known || first.assumed || /^-|^\+\d/.test(first.text) || first.glob || elsewhere)
        enter(scope, null);
      else enter(scope, resolvePath(first.text, scope.cwd, home?.text ?? '/'));
      return true;
    }
    case 'popd':
      enter(scope, null);
      return true;
    case 'export':
    case 'declare':
    case 'typeset':
    case 'local':
    case 'readonly':
      for (const arg of invocation.args) setVariable(scope, arg);
      return true;
    case 'read':
    case 'mapfile':
    case 'readarray':
      for (const arg of invocation.args) {
        if (/^[A-Za-z_]\w*$/.test(arg.text)) forget(scope, arg.text);
      }
      return true;
    case 'printf':
    case 'getopts':
    case 'let':
    case 'wait':
      // -v NAME, -p NAME and NAME=… set a variable to a value that nobody knows before the line runs
      for (const arg of invocation.args) {
        const variable = /^(?:-[vp])?([A-Za-z_]\w*)/.exec(arg.text)?.[1];
        if (variable && scope.vars.has(variable)) forget(scope, variable);
      }
      return true;
    case 'set':
    case 'shift':
      // from here on, $1 and $@ have other values
      for (const name of scope.vars.keys()) if (/^(\d+|[@*])$/.test(name)) forget(scope, name);
      return true;
    case 'unset':
      for (const arg of invocation.args) {
        scope.vars.set(arg.text, known(''));
        scope.functions.delete(arg.text);
      }
      return true;
    case 'unalias':
      scope.aliases.clear();
      return true;
    case 'alias':
      for (const arg of invocation.args) {
        const at = arg.text.indexOf('=');
        if (at > 0) scope.aliases.set(arg.text.slice(0, at), arg.text.slice(at + 1));
      }
      return true;
    default:
      return false;
  }
}

/** Changes the scope's folder; null when the new folder is not known. */
function enter(scope: Scope, folder: string | null): void {
  scope.cwd = folder;
  if (folder === null) forget(scope, 'PWD');
  else scope.vars.set('PWD', known(folder));
}

/** Returns the arguments that a builtin takes for the name of a variable, whose index bash evaluates. */
function namesOf(program: string, args: Arg[]): string[] {
  const texts = args.map((arg) => arg.text);
  if (DECLARES.has(program)) return texts.map((text) => text.replace(/=.*$/s, ''));
  if (/^(read|unset|let|getopts|mapfile|readarray)$/.test(program)) return texts;
  const option = program === 'wait' ? '-p' : '-v';
  return /^(printf|wait|test|\[)$/.test(program) ? texts.filter((_, i) => texts[i - 1] === option) : [];
}

const DECLARES = new Set(['export', 'declare', 'typeset', 'local', 'readonly']);

/** Returns why it is not known what a builtin changes; null when it is known. */
export function strangeBuiltin({ program, args }: Invocation): string | null {
  if (DECLARES.has(program)) {
    if (args.some((arg) => /^-\w*n/.test(arg.text)) && program !== 'export')
      return 'a name for another variable';
    if (args.some((arg) => !arg.known && !/^[-+]|^\w+(\[.*\])?\+?(=|$)/.test(arg.text)))
      return 'sets a variable whose name is known only when it runs';
  }
  if (namesOf(program, args).some(holdsIndex)) return 'arithmetic may run what this index holds';
  if (program === 'alias') {
    if (args.some((arg) => /^-\w*[gs]/.test(arg.text))) return 'an alias that holds anywhere in a line';
    if (args.some((arg) => (!arg.known && !/^[-\w]/.test(arg.text)) || /=.*\s$/s.test(arg.text)))
      return 'an alias for more than one command';
  }
  return null;
}

function forget(scope: Scope, name: string): void {
  scope.vars.set(name, { ...known(`$${name}`), known: false });
}

function setVariable(scope: Scope, arg: Arg): void {
  const at = arg.text.indexOf('=');
  if (arg.text[at - 1] === '+') forget(scope, arg.text.slice(0, at - 1));
  else if (at > 0) scope.vars.set(arg.text.slice(0, at), { ...arg, text: arg.text.slice(at + 1) });
}
