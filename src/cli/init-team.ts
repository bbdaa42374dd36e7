import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { applyEdits, modify, parse } from 'jsonc-parser';
import { Problem } from '../errors/problem.ts';
import { ATTACHED_EVENTS } from '../files/attachments.ts';
import { packageRoot } from '../files/package-root.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import type { Io } from './io.ts';

// `lore init --team`: hooks that a repository holds, for a team whose server is elsewhere.

const SCRIPT = 'lore-hook.cjs';
const HOOK = { type: 'command', command: `node "$CLAUDE_PROJECT_DIR/.claude/${SCRIPT}"`, timeout: 5 };
const FORMAT = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

type Groups = { hooks?: { command?: unknown }[] }[];
type Hooks = Record<string, Groups>;

/**
 * Puts command hooks for every event into the committed `.claude/settings.json`, and the one file that they run beside it;
 * or takes both away. Nothing in them names a server or a key: LORE_URL and LORE_KEY do, in each person's environment.
 *
 * @throws Problem (409) if the settings are no JSON object; then nothing is changed
 */
export function initTeam(io: Io, dir: string, remove: boolean): void {
  const folder = join(dir, '.claude');
  const [file, script] = [join(folder, 'settings.json'), join(folder, SCRIPT)];
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const after = remove ? withoutHooks(before, file) : withHooks(before, file);
  if (remove) {
    rmSync(script, { force: true });
    if (after === '') rmSync(file, { force: true });
    else if (after !== before) writeAtomically(file, Buffer.from(after));
    try {
      rmdirSync(folder);
    } catch {
      // it is not there, or holds something else
    }
  } else {
    mkdirSync(folder, { recursive: true });
    writeAtomically(script, readFileSync(new URL('dist/team-hook.cjs', packageRoot)));
    if (after !== before) writeAtomically(file, Buffer.from(after));
  }
  if (io.json) io.print({ file, script, changed: after !== before });
  else
    io.log(
      remove
        ? `Removed: Lore's hooks are no longer in ${file}.`
        : `Written: ${file} and ${script}. Commit both. Whoever has LORE_URL and LORE_KEY in the environment uses them; for others they do nothing.`,
    );
}

/** Returns the settings in a text; those of an empty one are empty. */
function settingsIn(text: string, file: string): { hooks?: Hooks } {
  const errors: object[] = [];
  const settings = text.trim() === '' ? {} : parse(text, errors as never, { allowTrailingComma: true });
  const isObject = typeof settings === 'object' && settings !== null && !Array.isArray(settings);
  if (errors.length === 0 && isObject) return settings;
  throw new Problem({
    status: 409,
    title: 'Cannot merge into the settings',
    detail: `${file} holds no JSON object. Nothing was changed.`,
  });
}

const isOurs = ({ command }: { command?: unknown }) => String(command).includes(`.claude/${SCRIPT}`);

function withHooks(before: string, file: string): string {
  let text = before.trim() === '' ? '{}\n' : before;
  for (const event of ATTACHED_EVENTS) {
    const groups = settingsIn(text, file).hooks?.[event] ?? [];
    if (groups.some(({ hooks = [] }) => hooks.some(isOurs))) continue;
    const path = ['hooks', event, groups.length];
    text = applyEdits(text, modify(text, path, { hooks: [HOOK] }, { ...FORMAT, isArrayInsertion: true }));
  }
  return text;
}

/** Returns the text without the groups of hooks that `withHooks` added; '' if nothing else was in it. */
function withoutHooks(before: string, file: string): string {
  let text = before;
  const drop = (path: (string | number)[]) => {
    text = applyEdits(text, modify(text, path, undefined, FORMAT));
  };
  for (const event of ATTACHED_EVENTS) {
    const groups = settingsIn(text, file).hooks?.[event] ?? [];
    const at = groups.findIndex(({ hooks = [] }) => hooks.length === 1 && hooks.some(isOurs));
    if (at >= 0) drop(groups.length === 1 ? ['hooks', event] : ['hooks', event, at]);
  }
  const { hooks, ...others } = settingsIn(text, file);
  if (hooks && Object.keys(hooks).length === 0) drop(['hooks']);
  return Object.keys(others).length === 0 && Object.keys(hooks ?? {}).length === 0 ? '' : text;
}
