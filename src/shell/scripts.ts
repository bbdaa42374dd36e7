import { dirname } from 'node:path';
import { z } from 'zod';
import { clip } from '../text/clip.ts';
import { known } from './arg.ts';
import { spend } from './budget.ts';
import { programs } from './lists.ts';
import { LOADER } from './loaders.ts';
import { lookup } from './lookup.ts';
import { SHELLS } from './names.ts';
import { nearest, readText } from './project-files.ts';
import type { FileText, Invocation, Scope, Walk } from './types.ts';
import { packagesMeant } from './workspaces.ts';
import { resolvePath } from './zones.ts';

// What a command runs from files of the project: a shell script, a script of package.json, a target of a
// Makefile. Such a command is only as safe as the file, so the file is walked too. Its content can be a
// reason to deny the command, but never a reason to allow it.

const OTHER_LANGUAGE = new RegExp(`^#!(?!.*\\b(${[...SHELLS].join('|')})\\b)`);
/** Bash refuses to run a file with a NUL in its first line, and other shells do not. */
const MACHINE_CODE = /^[^\n]*\0/;
/** Compiled programs (ELF, Mach-O, Windows, WebAssembly), in which there is nothing to read. */
const COMPILED = /^(\x7fELF|\ufffd{3,4}|MZ|\0asm)/;
/** Most characters of a text that are walked. If it is longer, the line that runs it is not allowed. */
const MAX_SCRIPT = 32 * 1024;

/** What a file holds: lines for a shell, or with `as` a program in another language. */
type Text = { text: string; cwd: string | null; as?: [program: string, option: string] };

/**
 * Looks into the files that a command runs, and adds what they would run as *scripted* invocations. A file
 * that could not be read to its end is added to `walk.files.unread`.
 */
export function walkScripts(walk: Walk, scope: Scope, invocation: Invocation): void {
  if (invocation.remote || invocation.cwd === null || walk.place.read === undefined) return;
  const told = clip([invocation.path, ...invocation.args.map((arg) => arg.text)].join(' '), 80);
  const unread = (why: string) => walk.files.unread.push({ text: told, why });
  try {
    for (const { text, cwd, as } of textsOf(walk, invocation, invocation.cwd)) {
      if (text.length > MAX_SCRIPT) unread(`runs more than ${MAX_SCRIPT} characters of a file`);
      if (walk.files.left-- <= 0) return void unread('runs more files than are looked through');
      const via = [...scope.via, invocation.path];
      const own = { ...scope, vars: new Map(scope.vars), cwd, otherCwds: [], depth: scope.depth + 1, via };
      walkAside(walk, text.slice(0, MAX_SCRIPT), own, as);
    }
  } catch (error) {
    unread(`runs what is not looked through: ${(error as Error).message}`);
  }
}

/**
 * Walks a script. All scripts of a line share one budget, which is separate from the budget of the line.
 *
 * @throws Error when that budget is used up; what was found until then is added
 */
function walkAside(walk: Walk, text: string, scope: Scope, as: Text['as']): void {
  const { files } = walk;
  const outermost = files.depth === 0;
  const work = outermost ? files.work : walk.work;
  const aside: Walk = { ...walk, invocations: [], unknowns: [], sources: [], functions: [], traps: [], work };
  files.depth += 1;
  try {
    if (as) walkProgram(aside, text, scope, as);
    else walk.into.line(aside, text, scope);
  } finally {
    files.depth -= 1;
    if (outermost) files.work = aside.work;
    else walk.work = aside.work;
    walk.invocations.push(...aside.invocations.map((found) => ({ ...found, scripted: true })));
  }
}

/** Length of the pieces in which a program is read, in characters. */
const PIECE = 16 * 1024;

/** Walks a program in another language as if it were part of the line. */
function walkProgram(walk: Walk, text: string, scope: Scope, [program, option]: [string, string]): void {
  for (let at = 0; at < text.length; at += PIECE) {
    const piece = text.slice(at, at + PIECE);
    spend(walk, piece.length);
    const words = [known(program), known(option), known(piece, { quoted: true })];
    walk.into.command(walk, scope, {
      words,
      env: [],
      input: { kind: 'none' },
      writes: [],
      reads: [],
      openArgs: false,
      background: false,
    });
  }
}

/** Interpreters, each with the option that takes a program as its value. */
const LANGUAGES: [RegExp, [string, string]][] = [
  [/^(python|pypy)[\d.]*$/, ['python', '-c']],
  [/^(node|nodejs|bun|deno|tsx|ts-node)$/, ['node', '-e']],
  [/^perl[\d.]*$/, ['perl', '-e']],
  [/^j?ruby[\d.]*$/, ['ruby', '-e']],
  [/^php[\d.]*$/, ['php', '-r']],
  [/^lua(jit)?[\d.]*$/, ['lua', '-e']],
];
const languageOf = (program: string) => LANGUAGES.find(([name]) => name.test(program))?.[1];

/** Folders of dependencies and of build results. Their files are made by tools, and long. */
const MADE = /(^|\/)(node_modules|dist|build|out|target|vendor|\.?venv|\.next|\.cache)\//;

function textsOf(walk: Walk, { program, path, args }: Invocation, cwd: string): Text[] {
  const managesPackages = PACKAGE_MANAGERS.has(program);
  const runsTasks = /^(turbo|lerna)$/.test(program);
  const isPlace = (option = '') =>
    (managesPackages && FOLDER.test(option)) || ((managesPackages || runsTasks) && WORKSPACE.test(option));
  const words = args.filter((arg, i) => !/^-/.test(arg.text) && !isPlace(args[i - 1]?.text));
  const [first, second] = words.map((arg) => (arg.known ? arg.text : ''));
  // it is not known before the line runs which file a pattern finds first
  const runsFirst = SHELLS.has(program) || /^(source|\.)$/.test(program) || languageOf(program) !== undefined;
  if (/\/.*[*?[]|[*?[].*\//.test(path) || (runsFirst && words[0]?.glob))
    throw new Error('files that a pattern finds');
  const file = (name: string | undefined, as?: Text['as']): Text[] => {
    if (name && MADE.test(name) && (as || !SHELLS.has(program))) return [];
    const found = name ? readText(walk, resolvePath(name, cwd, walk.place.home)) : null;
    if (found === null || (COMPILED.test(found.text) && !SHELLS.has(program))) return [];
    if (MACHINE_CODE.test(found.text)) throw new Error(`${name} holds more than text`);
    const shebang = OTHER_LANGUAGE.test(found.text) && !as;
    if (shebang) {
      const other =
        languageOf(/^#!\s*\S*?([\w.-]+)(?:\s+([\w.-]+))?/.exec(found.text)?.slice(1).at(-1) ?? '') ??
        languageOf(/^#!\s*\S*?([\w.-]+)\s*$/m.exec(found.text)?.[1] ?? '');
      if (!other || SHELLS.has(program)) return [];
      return [{ text: whole(found), cwd, as: other }];
    }
    return [{ text: whole(found), cwd, ...(as && { as }) }];
  };
  if (SHELLS.has(program)) return args.some((arg) => /^-\w*c/.test(arg.text)) ? [] : file(first);
  // these are long, and only set variables and functions
  if (/^(source|\.)$/.test(program))
    return new RegExp(LOADER).test(resolvePath(first ?? '', cwd, walk.place.home) ?? '') ? [] : file(first);
  if (path.includes('/') && !/^\/(usr|bin|sbin|opt)\//.test(path) && !languageOf(program)) return file(path);
  const language = languageOf(program);
  // -c, -e and -m: no file is run
  if (
    language &&
    !/^(bun|deno)$/.test(program) &&
    !args.some((arg) => /^-\w*[cemrpE]$|^--(eval|print|run)/.test(arg.text))
  )
    return file(first, language);
  if (language && first && /\.[cm]?[jt]sx?$/.test((first === 'run' ? second : first) ?? ''))
    return file(first === 'run' ? second : first, language);
  if (managesPackages) {
    // `yarn workspace web build` names the package in its words
    const inside = program === 'yarn' && first === 'workspace' ? second : undefined;
    const [verb, next] = inside === undefined ? [first, second] : words.slice(2).map((arg) => arg.text);
    const name = verb === 'run' || verb === 'run-script' ? next : verb === 't' ? 'test' : (verb ?? 'install');
    const base = resolvePath(optionValues(args, FOLDER)[0] ?? '.', cwd, walk.place.home) ?? cwd;
    const filters = [...optionValues(args, WORKSPACE), ...(inside === undefined ? [] : [inside])];
    const names = INSTALLS.test(name ?? '')
      ? ['preinstall', 'install', 'postinstall', 'prepare']
      : [name ?? ''];
    const folders = filters.length > 0 ? packagesMeant(walk, base, filters) : [base];
    return folders.flatMap((folder) => names.flatMap((one) => packageScripts(walk, folder, one)));
  }
  if (runsTasks) {
    const tasks = words.map((arg) => arg.text).filter((task) => task !== 'run');
    const folders = packagesMeant(walk, cwd, optionValues(args, WORKSPACE));
    return folders.flatMap((folder) => tasks.flatMap((task) => packageScripts(walk, folder, task)));
  }
  if (program === 'composer')
    return listed(walk, cwd, ['composer.json'], (text) =>
      scriptsOf(text, 'scripts', first === 'run' ? second : first),
    );
  if (program === 'deno' && first === 'task')
    return listed(walk, cwd, ['deno.json', 'deno.jsonc'], (text) => scriptsOf(text, 'tasks', second));
  if (program === 'just') return listed(walk, cwd, ['justfile', 'Justfile', '.justfile'], justRecipes);
  if (program === 'task') return listed(walk, cwd, ['Taskfile.yml', 'Taskfile.yaml'], taskCommands);
  if (/^g?make$/.test(program)) {
    const folder =
      resolvePath(optionValues(args, /^(-C|--directory)$/)[0] ?? '.', cwd, walk.place.home) ?? cwd;
    const asked = words.map((arg) => arg.text);
    return makeRecipes(walk, folder, asked, optionValues(args, /^(-f|--file|--makefile)$/)[0]);
  }
  return [];
}

const PACKAGE_MANAGERS = programs('node-package-managers');
/**
 * Options of package managers and task runners that say where they work. In other programs these letters mean
 * something else: `perl -w x.pl`.
 */
const FOLDER = /^(-C|--prefix|--cwd|--dir)$/;
const WORKSPACE = /^(-w|--workspace|-F|--filter|--scope)$/;
const INSTALLS = /^(install|i|ci|add|it|cit|clean-install|install-test|rebuild|link|update|up|upgrade)$/;

/** Returns the values of an option: `-C x`, `-Cx`, `--prefix=x`. */
function optionValues(args: Invocation['args'], name: RegExp): string[] {
  return args.flatMap(({ text }, i) => {
    if (name.test(text)) return args[i + 1]?.text ?? [];
    const [, long, value] = /^(--[\w-]+)=(.*)$/.exec(text) ?? /^(-[A-Za-z])(.+)$/.exec(text) ?? [];
    return long && value !== undefined && name.test(long) ? [value] : [];
  });
}

/**
 * Returns the text of a file. If it is not the whole file, the text is made longer than `MAX_SCRIPT`, as a
 * sign of that.
 */
const whole = (found: FileText): string => (found.whole ? found.text : found.text.padEnd(MAX_SCRIPT + 1));

/** Returns what a file of tasks may run: the lines of all its tasks, whichever one is asked for. */
function listed(walk: Walk, cwd: string, names: string[], linesOf: (text: string) => string[]): Text[] {
  const file = nearest(walk, cwd, names);
  if (!file) return [];
  if (!file.found.whole) throw new Error(`${file.path} is too long`);
  const lines = linesOf(file.found.text);
  return lines.length > 0 ? [{ text: lines.join('\n'), cwd: dirname(file.path) }] : [];
}

/** Returns the commands that a JSON file keeps under a name: composer.json, deno.json. */
function scriptsOf(json: string, field: string, name: string | undefined): string[] {
  try {
    const scripts = z.record(z.string(), z.unknown()).parse(JSON.parse(json)[field] ?? {});
    const found = name === undefined ? undefined : lookup(scripts, name);
    return [found].flat().filter((line): line is string => typeof line === 'string');
  } catch {
    return [];
  }
}

/** Returns the lines of all recipes of a justfile. */
const justRecipes = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((line) => /^[ \t]+[@-]*(\S.*)$/.exec(line)?.[1]?.replace(/\{\{.*?\}\}/g, 'x') ?? []);

/** Returns the commands of all tasks of a Taskfile: `- command`, `cmd: command`. */
const taskCommands = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((line) => /^\s+-?\s*(?:cmd:|sh:|-)\s+(?!\w+:( |$))(.+)$/.exec(line)?.[2] ?? [])
    .map((line) => line.replace(/^(['"])(.*)\1$/, '$2').replace(/\{\{.*?\}\}/g, 'x'));

const Manifest = z.object({ scripts: z.record(z.string(), z.unknown()) });

function packageScripts(walk: Walk, cwd: string, name: string): Text[] {
  const manifest = nearest(walk, cwd, ['package.json']);
  if (!manifest) return [];
  if (!manifest.found.whole) throw new Error(`${manifest.path} is too long`);
  try {
    const { scripts } = Manifest.parse(JSON.parse(manifest.found.text));
    return [`pre${name}`, name, `post${name}`].flatMap((key) => {
      const text = lookup(scripts, key);
      return typeof text === 'string' ? [{ text, cwd: dirname(manifest.path) }] : [];
    });
  } catch {
    return [];
  }
}

/** Returns the recipes of the targets and of their prerequisites as one text. Make's variables are not expanded. */
function makeRecipes(walk: Walk, cwd: string, asked: string[], named?: string): Text[] {
  const makefile = nearest(walk, cwd, named ? [named] : ['GNUmakefile', 'makefile', 'Makefile']);
  if (!makefile) return [];
  if (!makefile.found.whole) throw new Error(`${makefile.path} is too long`);
  const text = withIncludes(walk, makefile.found.text, dirname(makefile.path), 0);
  const rules = new Map<string, { needs: string[]; lines: string[] }>();
  let current: { needs: string[]; lines: string[] } | null = null;
  for (const line of text.split('\n')) {
    const rule = /^([\w./-]+(?: +[\w./-]+)*) *:(?!=)([^=;]*)$/.exec(line);
    if (rule) {
      current = { needs: (rule[2] ?? '').trim().split(/\s+/), lines: [] };
      for (const target of (rule[1] ?? '').split(/ +/)) if (!rules.has(target)) rules.set(target, current);
    } else if (line.startsWith('\t'))
      current?.lines.push(line.replace(/^\t[@+-]*/, '').replaceAll('$$', '$'));
  }
  const targets = asked.filter((word) => !word.includes('='));
  const queue =
    targets.length > 0 ? targets : [...rules.keys()].filter((key) => !key.startsWith('.')).slice(0, 1);
  const done = new Set<string>();
  // make runs these when it reads the file
  const lines = [...text.matchAll(/\$\(shell\s+([^()]*(?:\([^()]*\)[^()]*)*)\)|^\w+\s*!=\s*(.+)$/gm)].map(
    (match) => (match[1] ?? match[2] ?? '').replaceAll('$$', '$'),
  );
  for (let target = queue.shift(); target !== undefined && done.size < 50; target = queue.shift()) {
    const rule = done.has(target) ? undefined : rules.get(target);
    done.add(target);
    lines.push(...(rule?.lines ?? []));
    queue.push(...(rule?.needs ?? []));
  }
  return lines.length > 0 ? [{ text: lines.join('\n'), cwd: dirname(makefile.path) }] : [];
}

/** Returns a makefile with the files that it includes, four levels deep. */
function withIncludes(walk: Walk, text: string, folder: string, level: number): string {
  if (level === 4) return text;
  const names = [...text.matchAll(/^-?s?include\s+([^$*\n]+)$/gm)].flatMap((match) =>
    (match[1] as string).trim().split(/\s+/),
  );
  const parts = names.slice(0, 20).flatMap((name) => {
    const found = readText(walk, resolvePath(name, folder, walk.place.home));
    if (found && !found.whole) throw new Error(`${name} is too long`);
    return found ? [withIncludes(walk, found.text, folder, level + 1)] : [];
  });
  return [text, ...parts].join('\n');
}
