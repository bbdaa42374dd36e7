import { dirname } from 'node:path';
import { clip } from '../base/text/clip.ts';
import { inner } from './arg.ts';
import { isInterpreter, programs, SHELLS } from './names.ts';
import { LOADER } from './places.ts';
import type { Arg, FileText, Invocation, Scope, Walk } from './types.ts';
import { resolvePath, upwards } from './zones.ts';

// What a command runs from files of the project: a shell script, a script of package.json, a target of a Makefile. Such a
// command is only as safe as the file, so the file is walked too. Other lists of tasks are not read, and so are left.

/** Most characters of a text that are walked. If it is longer, the line that runs it is not allowed. */
const MAX_SCRIPT = 32 * 1024;
/** Folders of dependencies and of build results. Their files are made by tools, and long. */
const MADE = /(^|\/)(node_modules|dist|build|out|target|vendor|\.?venv|\.next|\.cache)\//;
/** Returns why a command in a script, and so the line that runs it, is not allowed. */
export const inScript = (why: string): string =>
  `stands in what it runs, and ${why.replace(/^stands in what it runs, and /, '')}`;

/** Lines for a shell. `file`: they are a program of their own, and not a line of a list of tasks. */
type Text = { text: string; cwd: string; file?: true };

/** Looks into the files that a command runs, and adds what they would run as *scripted* invocations. */
export function walkScripts(walk: Walk, scope: Scope, invocation: Invocation): void {
  const { files } = walk;
  if (invocation.remote || invocation.cwd === null || walk.place.read === undefined) return;
  const told = clip([invocation.path, ...invocation.args.map((arg) => arg.text)].join(' '), 80);
  const unread = (why: string) => walk.unknowns.push({ text: told, why });
  try {
    for (const found of textsOf(walk, invocation, invocation.cwd)) {
      const key = `${found.cwd}\0${found.text}`;
      if (files.walked.has(key)) continue;
      files.walked.add(key);
      if (found.text.length > MAX_SCRIPT) unread(`runs more than ${MAX_SCRIPT} characters of a file`);
      if (files.left-- <= 0) return void unread('runs more files than are looked through');
      const via = [...scope.via, invocation.path];
      walkFile(walk, found, inner(scope, { cwd: found.cwd, functions: new Map(), via }));
    }
  } catch (error) {
    unread(`runs what is not looked through: ${(error as Error).message}`);
  }
}

/** Walks what a file holds. Its budget is its own: a long script does not make the line unknown. */
function walkFile(walk: Walk, { text, file }: Text, scope: Scope): void {
  const work = walk.files.depth === 0 ? 0 : walk.work;
  const aside: Walk = { ...walk, invocations: [], unknowns: [], defined: [], work };
  walk.files.depth += 1;
  try {
    walk.line(aside, text.slice(0, MAX_SCRIPT), scope);
  } finally {
    walk.files.depth -= 1;
    const scripted = file ? 'file' : 'task';
    walk.invocations.push(...aside.invocations.map((found) => ({ scripted, ...found }) as const));
    walk.unknowns.push(...aside.unknowns.map(({ text, why }) => ({ text, why: inScript(why) })));
  }
}

/** Commands that run tasks of a list that is not read. */
const TASKS = /^(composer|deno|task) (run|task|[a-z:-]+)( |$)/;
const PACKAGE_MANAGERS = programs('node-package-managers');

function textsOf(walk: Walk, invocation: Invocation, cwd: string): Text[] {
  const { program, path, args } = invocation;
  const words = args.filter((arg) => !arg.text.startsWith('-'));
  const [first, second] = words.map((arg) => (arg.known ? arg.text : ''));
  const isShell = SHELLS.has(program);
  const sources = /^(source|\.)$/.test(program);
  // it is not known before the line runs which file a pattern finds first
  if (/\/.*[*?[]|[*?[].*\//.test(path) || ((isShell || sources || isInterpreter(program)) && words[0]?.glob))
    throw new Error('files that a pattern finds');
  if (TASKS.test(`${program} ${first ?? ''} `)) throw new Error('a list of tasks');
  const file = (name: string | undefined): Text[] => {
    if (!name || (MADE.test(name) && !isShell)) return [];
    const found = readText(walk, resolvePath(name, cwd, walk.place.home));
    if (found === null) return [];
    const text = found.whole ? found.text : found.text.padEnd(MAX_SCRIPT + 1);
    // a program in another language, or a compiled one, is no lines for a shell
    const begin = /^#!([^\n]*)/.exec(text)?.[1]?.split(/[\s/]+/);
    const [head = ''] = text.split('\n', 1);
    if (!isShell && (begin ? !begin.some((one) => SHELLS.has(one)) : /[\0\ufffd]/.test(head))) return [];
    // bash refuses to run a file with a NUL in its first line, and other shells do not
    if (head.includes('\0')) throw new Error(`${name} holds more than text`);
    return [{ text, cwd, file: true }];
  };
  if (isShell) return args.some((arg) => /^-\w*c/.test(arg.text)) ? [] : file(first);
  // a version manager's own files are long, and only set variables and functions
  if (sources)
    return new RegExp(LOADER).test(resolvePath(first ?? '', cwd, walk.place.home) ?? '') ? [] : file(first);
  if (path.includes('/') && !/^\/(usr|bin|sbin|opt)\//.test(path) && !isInterpreter(program))
    return file(path);
  if (program === 'node' && args[0]?.text === '--run')
    return packageScripts(walk, cwd, [second ?? first ?? '']);
  if (PACKAGE_MANAGERS.has(program)) return managersScripts(walk, invocation, cwd);
  return /^(just|g?make)$/.test(program) ? tasksOf(walk, invocation, cwd) : [];
}

/** Options that say where a package manager works. In other programs these letters mean something else. */
export const PLACE = /^(-C|--prefix|--cwd|--dir|-w|--workspace|-F|--filter|--scope)$/;
/** What makes a package manager do the same in each package, or in one that only the workspace knows. */
const EACH = /^(-r|-ws|--recursive|--workspaces|recursive|workspaces?|foreach)$/;
const QUIET = /^(-s|--(silent|if-present))$/;
const INSTALLS = /^(install|i|ci|add|it|cit|clean-install|install-test|rebuild|link|update|up|upgrade)$/;

/** Returns the value of an option: `-C x`, `-Cx`, `--prefix=x`. */
function optionValue(args: Arg[], name: RegExp): string | undefined {
  for (const [i, { text }] of args.entries()) {
    if (name.test(text)) return args[i + 1]?.text;
    const [, long, value] = /^(--[\w-]+)=(.*)$/.exec(text) ?? /^(-[A-Za-z])(.+)$/.exec(text) ?? [];
    if (long && name.test(long)) return value;
  }
  return undefined;
}

/** Returns the scripts of package.json that a package manager runs. */
function managersScripts(walk: Walk, invocation: Invocation, cwd: string): Text[] {
  const { args } = invocation;
  const texts = args
    .filter((arg, i) => !arg.text.startsWith('-') && !PLACE.test(args[i - 1]?.text ?? ''))
    .map((arg) => (arg.known ? arg.text : ''));
  const runs = texts.findIndex((text) => /^run(-script)?$/.test(text));
  const verb = runs < 0 ? texts[0] : texts[runs + 1];
  const name = verb === 't' ? 'test' : (verb ?? (runs < 0 ? 'install' : ''));
  const named = optionValue(args, PLACE);
  const folder = resolvePath(named ?? '.', cwd, walk.place.home) ?? cwd;
  // a filter may mean any package of the workspace, unless it is a folder
  const each = args.some(({ text }) => EACH.test(text));
  if (each || (named !== undefined && readText(walk, `${folder}/package.json`) === null)) {
    if (nearest(walk, cwd, ['package.json'])) throw new Error('scripts of several packages');
    return [];
  }
  const installs = runs < 0 && INSTALLS.test(name);
  const names = installs ? ['preinstall', 'install', 'postinstall', 'prepare'] : [name];
  const found = packageScripts(walk, folder, names);
  const plain = args.every(({ text }) =>
    [/^[^-]/, PLACE, QUIET].some((one) => one.test(text.replace(/=.*/, ''))),
  );
  if (found.length > 0 && !installs && texts.at(-1) === verb && plain) invocation.own = true;
  if (found.length === 0 && runs >= 0 && name !== '' && nearest(walk, folder, ['package.json']))
    throw new Error(`no script is called ${name}`);
  return found;
}

function packageScripts(walk: Walk, cwd: string, names: string[]): Text[] {
  const manifest = nearest(walk, cwd, ['package.json']);
  if (!manifest) return [];
  if (!manifest.found.whole) throw new Error(`${manifest.path} is too long`);
  let scripts: Record<string, unknown> = {};
  try {
    scripts = Object(JSON.parse(manifest.found.text)).scripts ?? {};
  } catch {
    return []; // the manager refuses it too
  }
  return names
    .flatMap((name) => [`pre${name}`, name, `post${name}`])
    .flatMap((key) => {
      const text = Object.hasOwn(scripts, key) ? scripts[key] : undefined;
      return typeof text === 'string' ? [{ text, cwd: dirname(manifest.path) }] : [];
    });
}

/** Matches a rule of a makefile or a justfile: its targets, what they need, and a command in the same line. */
const RULE = /^@?([^\s#:=][^:=]*?) *::?(?!=)([^;]*);?(.*)$/;
/** Matches a variable of a makefile, and a command that gives one its value. */
const VARIABLE = /^(?:export +)?(\w+)[ \t]*(!|:{0,2}|\?|\+)=[ \t]*(.*)$/gm;

/**
 * Returns what a makefile or a justfile runs for the targets of a call (left out: the first) and for what these need, as
 * one text with its variables.
 *
 * @throws Error when a target that is asked for is not found, or not all of the file can be read
 */
function tasksOf(walk: Walk, { program, args }: Invocation, from: string): Text[] {
  const cwd = resolvePath(optionValue(args, /^(-C|--directory)$/) ?? '.', from, walk.place.home) ?? from;
  if (optionValue(args, /^(-f|--file|--makefile)$/)) throw new Error('another list of tasks');
  const usual = program === 'just' ? 'justfile Justfile .justfile' : 'GNUmakefile makefile Makefile';
  const found = usual.split(' ').flatMap((name) => readText(walk, `${cwd}/${name}`) ?? [])[0];
  if (!found) return [];
  if (!found.whole || /^-?s?include\s/m.test(found.text)) throw new Error('a list of tasks in several files');
  // as bash says it: make's variables are its own, and `$(shell x)` is `$(x)`
  const text = found.text
    .replaceAll('\\\n', ' ')
    .replaceAll('$(MAKE)', 'make')
    .replace(/\{\{.*?\}\}|\$[@<^?*]/g, 'x')
    .replace(/\$[({](\w+)[)}]/g, (_, name) => `\${${name}}`)
    .replaceAll('$(shell ', '$(')
    .replaceAll('$$', '$');
  const rules: { names: string[]; needs: string[]; lines: string[] }[] = [];
  for (const line of text.split('\n')) {
    const [, names, needs = '', inline = ''] = RULE.exec(line) ?? [];
    const recipe = /^[ \t]+[@+-]*(\S.*)$/.exec(line)?.[1];
    if (recipe !== undefined) rules.at(-1)?.lines.push(recipe);
    else if (names !== undefined)
      rules.push({ names: names.split(/\s+/), needs: needs.split(/\s+/), lines: [inline] });
  }
  const asked = args.flatMap(({ text: word }, i) =>
    /^-|=|^\d+$/.test(word) || /^-[CIoWjl]$/.test(args[i - 1]?.text ?? '') ? [] : [word],
  );
  const all = new Set(rules.flatMap(({ names }) => names));
  // a set that grows is walked to its end
  const wanted = new Set(
    asked.length > 0 ? asked : [...all].filter((name) => !/^[.%]/.test(name)).slice(0, 1),
  );
  for (const target of wanted)
    for (const { names, needs } of rules)
      if (names.includes(target)) for (const need of needs) wanted.add(need);
  // any target may be one of a pattern
  const isPattern = (name: string) => /[%$]/.test(name);
  const lost = [...all].some(isPattern) ? undefined : asked.find((target) => !all.has(target));
  if (lost !== undefined) throw new Error(`no target is called ${lost}`);
  const ran = rules.filter(({ names }) => names.some((name) => isPattern(name) || wanted.has(name)));
  const set = [...text.matchAll(VARIABLE)].map(([, name, how, value = '']) =>
    how === '!' ? `${name}=$(${value})` : `${name}="${value.replace(/["\\`]/g, '\\$&')}"`,
  );
  const lines = ['CC=cc', 'RM="rm -f"', ...set, ...ran.flatMap((rule) => rule.lines)];
  return ran.length > 0 ? [{ text: lines.join('\n'), cwd }] : [];
}

/** Returns the text of the nearest of these files, at or above `cwd`; null when there is none in the project. */
function nearest(walk: Walk, cwd: string, names: string[]): { path: string; found: FileText } | null {
  const { root } = walk.place;
  return root === undefined ? null : upwards(names, cwd, root, (path) => readText(walk, path));
}

/** Returns the beginning of a file; null when nothing is there. */
const readText = (walk: Walk, path: string | null): FileText | null =>
  path === null ? null : (walk.place.read?.(path) ?? null);
