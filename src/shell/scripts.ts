import { dirname } from 'node:path';
import { z } from 'zod';
import { lookup } from './lookup.ts';
import { SHELLS } from './names.ts';
import type { Invocation, Scope, Walk } from './types.ts';
import { upwards } from './upwards.ts';
import { resolvePath } from './zones.ts';

// What a command runs from files of the project: a shell script, a script of package.json, a target of a Makefile. Such
// a command is only as safe as the file, so the file is walked too. Its content can speak against the command, never
// for it.

const OTHER_LANGUAGE = new RegExp(`^#!(?!.*\\b(${[...SHELLS].join('|')})\\b)`);
/** In characters. The rest of a longer file is not read. */
const MAX_SCRIPT = 32 * 1024;

type Text = { text: string; cwd: string | null };

/**
 * Adds what the files that a command runs would run, as *scripted* invocations. Does nothing where files cannot be
 * read.
 */
export function walkScripts(walk: Walk, scope: Scope, invocation: Invocation): void {
  if (invocation.remote || invocation.cwd === null || walk.place.read === undefined) return;
  for (const { text, cwd } of textsOf(walk, invocation, invocation.cwd)) {
    if (walk.files.left-- <= 0) return;
    const aside: Walk = { ...walk, invocations: [], unknowns: [], work: 0 };
    const via = [...scope.via, invocation.path];
    try {
      walk.into.line(aside, text, {
        ...scope,
        vars: new Map(scope.vars),
        cwd,
        otherCwds: [],
        depth: scope.depth + 1,
        via,
      });
    } catch {
      // the file exceeds the budget: what was found until then counts
    }
    walk.invocations.push(...aside.invocations.map((found) => ({ ...found, scripted: true })));
  }
}

function textsOf(walk: Walk, { program, path, args }: Invocation, cwd: string): Text[] {
  const words = args.filter((arg) => !/^-/.test(arg.text));
  const [first, second] = words.map((arg) => (arg.known ? arg.text : ''));
  const file = (name: string | undefined): Text[] => {
    const text = name ? readText(walk, resolvePath(name, cwd, walk.place.home)) : null;
    return text === null || OTHER_LANGUAGE.test(text) ? [] : [{ text, cwd }];
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
  try {
    const { scripts } = Manifest.parse(JSON.parse(manifest.found));
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
  const rules = new Map<string, { needs: string[]; lines: string[] }>();
  let current: { needs: string[]; lines: string[] } | null = null;
  for (const line of makefile.found.split('\n')) {
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
function nearest(walk: Walk, cwd: string, names: string[]): { path: string; found: string } | null {
  const { root } = walk.place;
  return root === undefined ? null : upwards(names, cwd, root, (path) => readText(walk, path));
}

function readText(walk: Walk, path: string | null): string | null {
  const text = path === null ? null : (walk.place.read?.(path) ?? null);
  return text === null || text.includes('\0') ? null : text.slice(0, MAX_SCRIPT);
}
