import { dirname } from 'node:path';
import { z } from 'zod';
import { clip } from '../text/clip.ts';
import { account } from './account.ts';
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

/** Returns why a command in a script, and so the line that runs it, is not allowed. */
export const inScript = (why: string): string =>
  `stands in what it runs, and ${why.replace(/^stands in what it runs, and /, '')}`;

/**
 * What a file holds: lines for a shell, or with `as` a program in another language. `file`: it is a program of its own,
 * and not a line of a list of tasks.
 */
type Text = { text: string; cwd: string | null; as?: [program: string, option: string]; file?: true };

/**
 * Looks into the files that a command runs, and adds what they would run as *scripted* invocations. A file
 * that could not be read to its end is added to `walk.files.unread`.
 */
export function walkScripts(walk: Walk, scope: Scope, invocation: Invocation): void {
  if (invocation.remote || invocation.cwd === null || walk.place.read === undefined) return;
  const told = clip([invocation.path, ...invocation.args.map((arg) => arg.text)].join(' '), 80);
  const unread = (why: string) => walk.files.unread.push({ text: told, why });
  try {
    for (const { cwd, ...found } of textsOf(walk, invocation, invocation.cwd)) {
      const { text } = found;
      // `pnpm -r test` may be the script of that name at the top
      const key = `${cwd}\0${text}`;
      if (walk.files.walked.has(key)) continue;
      walk.files.walked.add(key);
      if (text.length > MAX_SCRIPT) unread(`runs more than ${MAX_SCRIPT} characters of a file`);
      if (walk.files.left-- <= 0) return void unread('runs more files than are looked through');
      const via = [...scope.via, invocation.path];
      const own = { ...scope, vars: new Map(scope.vars), cwd, otherCwds: [], depth: scope.depth + 1, via };
      walkAside(walk, { ...found, text: text.slice(0, MAX_SCRIPT) }, own);
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
function walkAside(walk: Walk, { text, as, file }: Omit<Text, 'cwd'>, scope: Scope): void {
  const { files } = walk;
  const outermost = files.depth === 0;
  const work = outermost ? files.work : walk.work;
  const aside: Walk = { ...walk, invocations: [], unknowns: [], sources: [], functions: [], traps: [], work };
  files.depth += 1;
  try {
    if (as) walkProgram(aside, text, scope, as);
    else walk.into.line(aside, text, scope);
    if (!as && !file) {
      account(aside);
      walk.unknowns.push(...aside.unknowns.map(({ text, why }) => ({ text, why: inScript(why) })));
    }
  } finally {
    files.depth -= 1;
    if (outermost) files.work = aside.work;
    else walk.work = aside.work;
    // what is known of a program in another language are its names and strings
    const guess = as !== undefined && { suspected: true as const };
    const scripted = as || file ? 'file' : 'task';
    walk.invocations.push(...aside.invocations.map((found) => ({ scripted, ...found, ...guess }) as const));
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

function textsOf(walk: Walk, invocation: Invocation, cwd: string): Text[] {
  const { program, path, args } = invocation;
  const managesPackages = PACKAGE_MANAGERS.has(program);
  const words = managesPackages ? managersWords(args) : args.filter((arg) => !arg.text.startsWith('-'));
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
      const line = found.text.split('\n', 1)[0] ?? '';
      const other = line
        .split(/[\s/]+/)
        .map(languageOf)
        .find((one) => one !== undefined);
      if (!other || SHELLS.has(program)) return [];
      return [{ text: whole(found), cwd, as: other }];
    }
    return [{ text: whole(found), cwd, file: true, ...(as && { as }) }];
  };
  if (SHELLS.has(program)) return args.some((arg) => /^-\w*c/.test(arg.text)) ? [] : file(first);
  // these are long, and only set variables and functions
  if (/^(source|\.)$/.test(program))
    return new RegExp(LOADER).test(resolvePath(first ?? '', cwd, walk.place.home) ?? '') ? [] : file(first);
  if (path.includes('/') && !/^\/(usr|bin|sbin|opt)\//.test(path) && !languageOf(program)) return file(path);
  const script = program === 'node' ? optionValues(args, /^--run$/)[0] : undefined;
  if (script !== undefined) return packageScripts(walk, cwd, script);
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
    const texts = inside === undefined ? words.map((arg) => arg.text) : words.slice(2).map((arg) => arg.text);
    const runs = texts.findIndex((text) => RUN.test(text));
    const verb = runs < 0 ? texts.find((text) => !EACH.test(text)) : texts[runs + 1];
    const name = verb === 't' ? 'test' : (verb ?? (runs < 0 ? 'install' : ''));
    const base = resolvePath(optionValues(args, FOLDER)[0] ?? '.', cwd, walk.place.home) ?? cwd;
    const filters = [...optionValues(args, WORKSPACE), ...(inside === undefined ? [] : [inside])];
    const installs = runs < 0 && INSTALLS.test(name);
    const names = installs ? ['preinstall', 'install', 'postinstall', 'prepare'] : [name];
    const each = !installs && args.some(({ text }) => EACH.test(text));
    const wide = filters.length === 0 && each ? ['*'] : filters;
    const folders = wide.length > 0 ? packagesMeant(walk, base, wide) : [base];
    const found = folders.flatMap((folder) => names.flatMap((one) => packageScripts(walk, folder, one)));
    if (found.length > 0 && !installs && texts.at(-1) === verb && saysPlace(args)) invocation.own = true;
    if (found.length === 0 && runs >= 0 && name !== '' && nearest(walk, base, ['package.json']))
      throw new Error(`no script is called ${name}`);
    return found;
  }
  if (program === 'composer')
    return listed(walk, cwd, ['composer.json'], (text) =>
      scriptsOf(text, 'scripts', first === 'run' ? second : first),
    );
  if (program === 'deno' && first === 'task')
    return listed(walk, cwd, ['deno.json', 'deno.jsonc'], (text) => scriptsOf(text, 'tasks', second));
  if (program === 'just')
    return listed(walk, cwd, ['justfile', 'Justfile', '.justfile'], (text) =>
      recipes(
        text.replace(/\{\{.*?\}\}/g, 'x'),
        words.map((arg) => arg.text),
      ),
    );
  if (program === 'task') return listed(walk, cwd, ['Taskfile.yml', 'Taskfile.yaml'], taskCommands);
  if (/^g?make$/.test(program)) {
    const folder =
      resolvePath(optionValues(args, /^(-C|--directory)$/)[0] ?? '.', cwd, walk.place.home) ?? cwd;
    const named = optionValues(args, /^(-f|--file|--makefile)$/)[0];
    const asked = words.filter((word) => !MAKE_VALUED.test(args[args.indexOf(word) - 1]?.text ?? ''));
    return makeRecipes(
      walk,
      folder,
      asked.map((arg) => arg.text),
      named,
    );
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
const RUN = /^run(-script)?$/;
/** What makes a package manager do the same in each package. */
const EACH = /^(-r|-ws|--recursive|--workspaces|recursive|workspaces|foreach)$/;
const MAKE_VALUED = /^(-[CfIoWjl]|--(directory|file|makefile|include-dir))$/;

/** Returns the words of a package manager without its options and the values of those that say where it works. */
export const managersWords = (args: Invocation['args']): Invocation['args'] =>
  args.filter((arg, i) => {
    const option = args[i - 1]?.text ?? '';
    return !arg.text.startsWith('-') && !FOLDER.test(option) && !WORKSPACE.test(option);
  });

/** Whether the options before a word say nothing to a package manager but where it works, and in how many packages. */
export const saysPlace = (args: Invocation['args']): boolean =>
  args.every(({ text }) => !text.startsWith('-') || SAYS_PLACE.test(text.replace(/=.*/, '')));
const SAYS_PLACE = new RegExp(
  `${FOLDER.source}|${WORKSPACE.source}|^(-r|-ws|-s|--(recursive|workspaces|silent|parallel|stream|if-present))$`,
);

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
  const scripts = z.record(z.string(), z.unknown()).parse(JSON.parse(json)[field] ?? {});
  const found = name === undefined ? undefined : lookup(scripts, name);
  // composer calls another one `@name`
  const lines = [found].flat().map((line) => z.string().optional().parse(line) ?? '');
  return lines.map((line) => line.replace(/^@(?=(php|composer) )/, '').replace(/^@/, 'composer run '));
}

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

/** Returns the recipes of a makefile's targets as one text. */
function makeRecipes(walk: Walk, cwd: string, asked: string[], named?: string): Text[] {
  const names = named ? [named] : ['GNUmakefile', 'makefile', 'Makefile'];
  const paths = names.map((name) => resolvePath(name, cwd, walk.place.home));
  const found = paths.map((path) => readText(walk, path)).find((file) => file !== null);
  if (!found) return [];
  if (!found.whole) throw new Error('the makefile is too long');
  const text = withIncludes(walk, found.text, cwd, 0);
  const set = [...text.matchAll(/^(?:export +)?(\w+)[ \t]*(?:::?|\?)?=[ \t]*(.*)$/gm)];
  const variables = new Map([
    ...Object.entries({ MAKE: 'make', CC: 'cc', RM: 'rm -f' }),
    ...set.map(([, name, value]) => [name as string, value as string] as const),
  ]);
  const expand = (line: string, level = 0): string =>
    line.replace(/\$(?:\((\w+)\)|\{(\w+)\})/g, (whole, round, curly) => {
      const value = level < 4 ? variables.get(round ?? curly) : undefined;
      return value === undefined ? whole : expand(value, level + 1);
    });
  // make runs these when it reads the file
  const read = [...text.matchAll(/\$\(shell\s+([^()]*(?:\([^()]*\)[^()]*)*)\)|^\w+\s*!=\s*(.+)$/gm)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
  const lines = [
    ...read,
    ...recipes(
      expand(text),
      asked.filter((word) => !/=|^\d+$/.test(word)),
    ),
  ];
  if (lines.length === 0) return [];
  return [
    {
      text: lines.map((line) => expand(line).replaceAll('$(shell ', '$(').replaceAll('$$', '$')).join('\n'),
      cwd,
    },
  ];
}

/**
 * Returns the lines that a makefile or a justfile runs for some targets (left out: the first) and for what these need.
 *
 * @throws Error when a target that is asked for is not found
 */
function recipes(text: string, asked: string[]): string[] {
  type Rule = { needs: string[]; lines: string[] };
  const rules = new Map<string, Rule[]>();
  let current: Rule | null = null;
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    const [, names, needs = '', inline = ''] = RULE.exec(line) ?? [];
    const recipe = /^[ \t]+[@+-]*(\S.*)$/.exec(line)?.[1];
    if (recipe !== undefined) current?.lines.push(recipe);
    if (names === undefined) continue;
    current = { needs: needs.match(/[\w./%-]+/g) ?? [], lines: inline === '' ? [] : [inline] };
    for (const name of names.split(/\s+/)) {
      // any target may be one of a pattern
      const key = /[%$]/.test(name) ? '%' : name;
      rules.set(key, [...(rules.get(key) ?? []), current]);
    }
  }
  const lost = rules.has('%') ? undefined : asked.find((target) => !rules.has(target));
  if (lost !== undefined) throw new Error(`no target is called ${lost}`);
  const first = [...rules.keys()].filter((key) => !/^[.%]/.test(key)).slice(0, 1);
  const queue = ['%', ...(asked.length > 0 ? asked : first)];
  const lines: string[] = [];
  for (let target = queue.shift(); target !== undefined; target = queue.shift()) {
    for (const rule of rules.get(target) ?? []) {
      const made = target === '%' ? 'x' : target;
      const from = rule.needs.join(' ');
      lines.push(...rule.lines.map((line) => line.replace(/\$@/g, made).replace(/\$[<^?*]/g, from)));
      queue.push(...rule.needs);
    }
    rules.delete(target);
  }
  return lines;
}
/** Matches a rule of a makefile or a justfile: its targets, what they need, and a command in the same line. */
const RULE = /^@?([^\s#:=][^:=]*?) *::?(?!=)([^;]*);?(.*)$/;

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
