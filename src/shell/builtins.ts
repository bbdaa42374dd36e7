import { known } from './arg.ts';
import type { Arg, Invocation, Scope } from './types.ts';
import { resolvePath } from './zones.ts';

/**
 * Applies a shell builtin that changes what the rest of the line means (`cd`, `export`, `alias` …) to the scope.
 *
 * @returns false when the command is no such builtin
 */
export function builtin(invocation: Invocation, scope: Scope): boolean {
  const [first] = invocation.args.filter((arg) => !arg.text.startsWith('-') || arg.text === '-');
  switch (invocation.program) {
    case 'cd':
    case 'pushd': {
      if (!first) scope.cwd = scope.vars.get('HOME')?.text ?? null;
      else if (!first.known || first.text === '-' || first.glob) scope.cwd = null;
      else scope.cwd = resolvePath(first.text, scope.cwd, scope.vars.get('HOME')?.text ?? '/');
      return true;
    }
    case 'popd':
      scope.cwd = null;
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

function forget(scope: Scope, name: string): void {
  scope.vars.set(name, { ...known(`$${name}`), known: false });
}

function setVariable(scope: Scope, arg: Arg): void {
  const at = arg.text.indexOf('=');
  if (arg.text[at - 1] === '+') forget(scope, arg.text.slice(0, at - 1));
  else if (at > 0) scope.vars.set(arg.text.slice(0, at), { ...arg, text: arg.text.slice(at + 1) });
}
