import { dirname } from 'node:path';
import { z } from 'zod';
import { lookup } from './lookup.ts';
import { SHELLS } from './names.ts';
import type { FileText, Invocation, Scope, Walk } from './types.ts';
import { upwards } from './upwards.ts';
import { resolvePath } from './zones.ts';

// What a command runs from files of the project: a shell script, a script of package.json, a target of a Makefile. Such
// a command is only as safe as the file, so the file is walked too. Its content can speak against the command, never
// for it.

const OTHER_LANGUAGE = new RegExp(`^#!(?!.*\\b(${[...SHELLS].join('|')})\\b)`);
/** A shell refuses to run a file with a NUL in its first line, and leaves out any NUL behind that. */
const MACHINE_CODE = /^[^\n]*\0/;
/** In characters. A longer text is walked up to here, and the line that runs it is not allowed. */
const MAX_SCRIPT = 32 * 1024;

type Text = { text: string; cwd: string | null };

/**
 * Adds what the files that a command runs would run, as *scripted* invocations. What could not be looked through to its
 * end is added to `walk.files.unread`.
 */
export function walkScripts(walk: Walk, scope: Scope, invocation: Invocation): void {
  if (invocation.remote || invocation.cwd === null || walk.place.read === undefined) return;
  const told = [invocation.path, ...invocation.args.map((arg) => arg.text)].join(' ').slice(0, 80);
  const unread = (why: string) => walk.files.unread.push({ text: told, why });
  try {
    for (const { text, cwd } of textsOf(walk, invocation, invocation.cwd)) {
      if (text.length > MAX_SCRIPT) unread(`runs more than ${MAX_SCRIPT} characters of a file`);
      if (walk.files.left-- <= 0) return void unread('runs more files than are looked through');
      const via = [...scope.via, invocation.path];
      const own = { ...scope, vars: new Map(scope.vars), cwd, otherCwds: [], depth: scope.depth + 1, via };
      walkAside(walk, text.slice(0, MAX_SCRIPT), own);
    }
  } catch (error) {
    unread(`runs what is not looked through: ${(error as Error).message}`);
  }
}

/**
 * Walks a script. All scripts of a line share one budget, apart from that of the line.
 *
 * @throws Error when it is used up; what was found until then is added
 */
function walkAside(walk: Walk, text: string, scope: Scope): void {
  const { files } = walk;
  const outermost = files.depth === 0;
  const work = outermost ? files.work : walk.work;
  const aside: Walk = { ...walk, invocations: [], unknowns: [], sources: [], functions: [], work };
  files.depth += 1;
  try {
    walk.into.line(aside, text, scope);
  } finally {
    files.depth -= 1;
    if (outermost) files.work = aside.work;
    else walk.work = aside.work;
    walk.invocations.push(...aside.invocations.map((found) => ({ ...found, scripted: true })));
  }
}

function textsOf(walk: Walk, { program, path, args }: Invocation, cwd: string): Text[] {
  const words = args.filter((arg) => !/^-/.test(arg.text));
  const [first, second] = words.map((arg) => (arg.known ? arg.text : ''));
  const file = (name: string | undefined): Text[] => {
    const found = name ? readText(walk, resolvePath(name, cwd, walk.place.home)) : null;
    if (found === null || MACHINE_CODE.test(found.text) || OTHER_LANGUAGE.test(found.text)) return [];
    // one character too many says that this is not all of it
    return [{ text: found.whole ? found.text : found.text.padEnd(MAX_SCRIPT + 1), cwd }];
  };
  if (SHELLS.has(program)) return args.some((arg) => /^-\w*c/.test(arg.text)) ? [] : file(first);
  if (program === 'source' || program === '.') return file(first);
  if (path.includes('/') && !/^\/(usr|bin|sbin|opt)\//.test(path)) return file(path);
  if (/^(npm|pnpm|yarn|bun)$/.test(program)) {
    const name = first === 'run' || first === 'run-script' ? second : first === 't' ? 'test' : first;
    return name ? packageScripts(walk, cwd, name) : [];
  }
  if (/^g?make$/.test(program))
    return makeRecipes(
      walk,
      cwd,
      words.map((arg) => arg.text),
    );
  return [];
}

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
function makeRecipes(walk: Walk, cwd: string, asked: string[]): Text[] {
  const makefile = nearest(walk, cwd, ['GNUmakefile', 'makefile', 'Makefile']);
  if (!makefile) return [];
  if (!makefile.found.whole) throw new Error(`${makefile.path} is too long`);
  const rules = new Map<string, { needs: string[]; lines: string[] }>();
  let current: { needs: string[]; lines: string[] } | null = null;
  for (const line of makefile.found.text.split('\n')) {
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
  const lines: string[] = [];
  for (let target = queue.shift(); target !== undefined && done.size < 50; target = queue.shift()) {
    const rule = done.has(target) ? undefined : rules.get(target);
    done.add(target);
    lines.push(...(rule?.lines ?? []));
    queue.push(...(rule?.needs ?? []));
  }
  return lines.length > 0 ? [{ text: lines.join('\n'), cwd: dirname(makefile.path) }] : [];
}

/** Returns the text of the nearest of these files, at or above `cwd`. */
function nearest(walk: Walk, cwd: string, names: string[]): { path: string; found: FileText } | null {
  const { root } = walk.place;
  return root === undefined ? null : upwards(names, cwd, root, (path) => readText(walk, path));
}

function readText(walk: Walk, path: string | null): FileText | null {
  return path === null ? null : (walk.place.read?.(path) ?? null);
}
