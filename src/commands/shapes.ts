import { createHmac } from 'node:crypto';
import { redactText } from '../redaction/redact.ts';
import { baseName, isInterpreter, programs, SHELLS, words } from '../shell/names.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings, within, zoneOf } from '../shell/zones.ts';
import { pathOf, targetsOf } from './arguments.ts';
import type { Files } from './files.ts';
import type { MatchContext, Shape } from './types.ts';

// The shape of a command that is only unknown to the rules: nothing speaks against it. What a person allowed once need
// not be asked again in other words. Only what is certain has a shape. Where in doubt a word stays as it is written, so
// that the shape fits fewer commands.

/**
 * What cannot be undone, what others see at once, what gives rights and what brings foreign code: a person's yes to it
 * holds for this one call only.
 */
const FINAL = new RegExp(
  `(^|[^a-z])(${words(`
    delet destroy drop purg prun remov rm wip eras clear clean flush reset restor truncat overwrit uninstall forc publish deploy
    releas promot rollback revert undo down apply upgrad migrat merg clos cancel transfer send upload push post put patch kill
    terminat approv accept public shutdown reboot halt stop disabl revok rotat grant login logout auth token secret password
    admin root exec eval install prod clone checkout fetch pull(?!s) import sync`).join('|')})`,
  'i',
);
/** The words with which programs fetch what others wrote. */
const FETCHES = /^(i|in|ins|add|get|require|dlx|x|create|init|up|update|global|tool|run|self|plugin)$|@|:\//;
const MAX_ARGS = 40;
const MAX_SHAPE = 600;

/** Returns the shape of a command; null if it has none. */
export function shapeOf(invocation: Invocation, context: MatchContext): Shape | null {
  const { program, path, args, reads, env, cwd, via, input } = invocation;
  const { place } = context;
  if (cwd === null || !within(cwd, place.root)) return null;
  const { code, executes, openArgs, remote, scripted, suspected, background } = invocation;
  if (code || executes || openArgs || remote || scripted || suspected || background) return null;
  if (programs('far-reaching').has(program) || !/^[\w+./-]+$/.test(path)) return null;
  // what other commands print is not known to the letter
  if (input.kind === 'pipe' || input.kind === 'text') return null;
  if (!via.every((one) => programs('plain-wrappers').has(one))) return null;
  const targets = targetsOf(invocation, context.options);
  const texts = [...args, ...reads, ...targets, ...env.map(({ value }) => value)];
  if (texts.length > MAX_ARGS || !texts.every(isPlain)) return null;
  const named = [program, ...args.map(({ text }) => text)];
  if (named.some((text) => isFinal(text) || isLanguage(text))) return null;
  if (programs('package-fetchers').has(program) && args.some(({ text }) => FETCHES.test(text))) return null;
  const file = path.includes('/') ? pathOf({ ...plainArg, text: path }, invocation, place) : null;
  if (file !== null && !['project', 'system'].includes(zoneOf({ ...plainArg, text: file }, cwd, place)))
    return null;
  // where no file is looked at, nothing is known of its content; what is temporary may have been written by anybody
  const sees = place.exists !== undefined;
  if (!sees && (file !== null || texts.some(({ text }) => /^[/~]|^\.\.?\//.test(valueIn(text))))) return null;
  if ([...args, ...reads].some((arg) => isTemporary(arg, invocation, place))) return null;
  const kind = (arg: Arg) => kindOf(arg, invocation, place);
  const text = [
    ...(cwd === place.root ? [] : [`(${cwd.slice(place.root.length + 1)})`]),
    ...env.map(({ name, value }) => `${name}=${quoted(value.text)}`),
    ...via,
    file === null ? path : quoted(path),
    ...args.map(kind),
    ...targets.map((arg) => `>${kind(arg)}`),
    ...reads.map((arg) => `<${kind(arg)}`),
    ...(input.kind === 'file' ? ['<'] : []),
  ].join(' ');
  if (text.length > MAX_SHAPE || redactText(text) !== text) return null;
  return { text, files: file === null ? [] : [file] };
}

/** `dropAll` drops, too. */
const isFinal = (text: string): boolean => FINAL.test(text.replace(/([a-z])(?=[A-Z])/g, '$1-'));

const plainArg: Arg = { text: '', known: true, glob: false, quoted: true };

/** Whether a word is known to the letter: nothing in it is worked out when it runs, and it hides nothing. */
const isPlain = ({ known, glob, from, text }: Arg): boolean =>
  known && !glob && !from && !/\p{Cc}|^\/dev\/fd\//u.test(text);

const isTemporary = (arg: Arg, { cwd }: Invocation, place: Surroundings): boolean => {
  const text = valueIn(arg.text);
  const path = resolvePath(text, cwd, place.home);
  return path !== null && place.exists?.(path) === true && zoneOf({ ...arg, text }, cwd, place) === 'temp';
};

/** Returns what stands for a word in a shape: a file of the project stands for its kind, all else for itself. */
function kindOf(arg: Arg, { cwd }: Invocation, place: Surroundings): string {
  const value = valueIn(arg.text);
  const path = resolvePath(value, cwd, place.home);
  const end = /\.[\w-]{1,12}$/.exec(path ?? '')?.[0];
  if (path === null || end === undefined || place.exists?.(path) !== true) return quoted(arg.text);
  if (zoneOf({ ...arg, text: value }, cwd, place) !== 'project') return quoted(arg.text);
  return `${arg.text.slice(0, arg.text.length - value.length)}<file${end}>`;
}

/** Returns the value of an option that has it attached, else the word. */
const valueIn = (text: string): string => /^--?[\w-]+=(.+)$/s.exec(text)?.[1] ?? text;

/** Returns a word in a form that no other word, and no two words together, can have. */
const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : JSON.stringify(text));

/** Whether a word is the name of a program that runs programs. */
const isLanguage = (word: string): boolean => SHELLS.has(baseName(word)) || isInterpreter(baseName(word));

/**
 * Returns the shapes of what no rule knows in a line, each with the key under which it is kept: of this work tree, and of
 * the content of its files. Null if something else is against the line, or something in it has no shape.
 *
 * @param files null: no file is looked at, and no shape has files
 */
export function shapesOf(
  secret: string,
  line: { decision: string; parts: readonly { decision: string; shape?: Shape }[] },
  root: string,
  files: Files | null,
): { key: string; shape: string }[] | null {
  const left = line.parts.filter(({ decision }) => decision !== 'allow');
  const shapes = left.flatMap(({ shape }) => shape ?? []);
  if (line.decision !== 'unknown' || shapes.length < left.length) return null;
  return shapes.map((shape) => {
    const hash = createHmac('sha256', secret).update(JSON.stringify(['shape', shape.text, root]));
    for (const path of shape.files)
      hash.update(`\0${JSON.stringify(path)}\0`).update(files?.print(path) ?? '');
    return { key: hash.digest('hex'), shape: shape.text };
  });
}
