import { readJsonc } from '../base/text/jsonc.ts';
import { words } from '../shell/names.ts';
import type { Invocation } from '../shell/types.ts';
import text from './known/variables.jsonc' with { type: 'text' };

// Variables before a command (`NAME=value command`, `export`, `env`, `cross-env`): only what known/variables.jsonc lists passes.

type Variables = Record<'own' | 'exported' | 'plain', string> & {
  any: string[];
  some: Record<string, string>;
  lists: Record<string, string>;
};
const known = readJsonc(text) as Variables;
const ANY_VALUE: ReadonlySet<string> = new Set(known.any.flatMap(words));
const SOME_VALUES = Object.entries(known.some).map(
  ([name, value]) => [new RegExp(name), new RegExp(value)] as const,
);
const [OWN, ALREADY_EXPORTED, PLAIN] = [known.own, known.exported, known.plain].map(
  (one) => new RegExp(one),
) as [RegExp, RegExp, RegExp];

const harmless = (name: string, text: string, root: string): boolean => {
  const value = text.replaceAll(`${root}/`, '').replaceAll(root, '.');
  if (value === '' || value === '""') return !/^(HOME|PATH|HISTFILE|CLAUDE\w*|LORE_\w+)$/.test(name);
  if (ANY_VALUE.has(name)) return true;
  const each = known.lists[name];
  if (each !== undefined) return value.split(':').every((part) => new RegExp(each).test(part));
  const some = SOME_VALUES.filter(([pattern]) => pattern.test(name));
  return some.length > 0
    ? some.some(([, pattern]) => pattern.test(value))
    : OWN.test(name) && PLAIN.test(value);
};

const ASSIGNMENT = /^([A-Za-z_]\w*|[$`][^=]+)(?:=([\s\S]*))?$/;
/** Builtins that set the variables which they name to what is known only when they run. */
const FILLS = /^(read|mapfile|readarray|getopts|let|printf|wait)$/;
/** Programs that set variables for what runs next. What `env` and `cross-env` set stands before the command. */
const SETS = /^(export|declare|typeset|readonly|local|set|env|cross-env)$/;

/**
 * Returns the name of a variable that a command sets, for itself or for what runs next, and that may make a program run,
 * load or contact something else; null when there is none.
 *
 * @param root the project's folder
 */
export function hijackOf({ program, args, env }: Invocation, root: string): string | null {
  for (const { name, value } of env) if (!harmless(name, value.text, root)) return name;
  const texts = args.map(({ text }) => text);
  if (FILLS.test(program))
    return texts.find((name) => ALREADY_EXPORTED.test(name) && !ANY_VALUE.has(name)) ?? null;
  if (!SETS.test(program)) return null;
  const before = /env$/.test(program);
  const end = before ? texts.findIndex((text) => !/^-|^[A-Za-z_]\w*=/.test(text)) : -1;
  const exports =
    program === 'export' || before || (program !== 'set' && texts.some((text) => /^-\w*x/.test(text)));
  for (const text of texts.slice(0, end < 0 ? undefined : end)) {
    const [, name, value] = ASSIGNMENT.exec(text) ?? [];
    if (name === undefined) continue;
    // without a value it has the one that the line gave it before, which was only checked if the name is one of these
    const checked = ANY_VALUE.has(name) || ALREADY_EXPORTED.test(name) || OWN.test(name);
    if (
      value === undefined
        ? exports && !checked
        : (exports || ALREADY_EXPORTED.test(name)) && !harmless(name, value, root)
    )
      return name;
  }
  return null;
}
