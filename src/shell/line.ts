import { relative } from 'node:path';
import { type ParsedScript, parse } from 'unbash';
import { dropOldest } from '../base/drop-oldest.ts';
import { clip } from '../base/text/clip.ts';
import { commandKey, folderOf, programOf } from './command-key.ts';
import { type Part, partsIn, SETS_VARIABLE } from './parts.ts';
import { shellCommandOf } from './shell-tools.ts';
import { onlyLooks, parseShell, pipelinesIn, type ShellPipeline } from './steps.ts';

// A shell line is read once, and what was read is handed on: to verdicts, persons' rules, lessons and errors alike. Each
// field is worked out when it is first asked for, and then kept. So ask for fields one by one: a spread works out all.

/** Where a line runs. `root`: the project's folder. */
type Folders = { cwd: string; root: string };

/** What a shell line says. */
export type Line = {
  readonly text: string;
  /**
   * The syntax tree, also that of a line with errors.
   *
   * @throws RangeError for a line that nests too deeply
   */
  readonly script: ParsedScript;
  /** the syntax tree; null when the text is not valid bash or longer than 8,192 characters */
  readonly tree: ParsedScript | null;
  /** its simple commands by pipeline, also those of `bash -c '…'`; null when there is no tree */
  readonly pipelines: readonly ShellPipeline[] | null;
  /** its commands that do something; none when there is no tree */
  readonly parts: readonly Part[];
  /** whether every part of it only shows something; false when there is no tree */
  readonly onlyLooks: boolean;
  /** whether it does nothing but set variables for the calls after it */
  readonly setsVariables: boolean;
  /** the program that it is about, see `programOf` */
  readonly program: string;
  /** equal for two lines that differ only in cosmetics, see `commandKey` */
  readonly key: string;
  /**
   * Returns what the line works on, comparable between calls: its key. If it runs in another folder than `root`, `cd <dir>
   * &&` comes before the key, because `npm test` in one package is not `npm test` in another.
   *
   * @param place undefined: not known, so the folder does not count
   */
  targetIn(place: Folders | undefined): string;
};

/**
 * Reads a shell line.
 *
 * @example readLine('cd web && npm test 2>&1 | tail').parts[0].program // 'npm'
 */
export function readLine(text: string): Line {
  const known = remembered.get(text);
  if (known) return known;
  const line = read(text);
  if (text.length <= MAX_REMEMBERED_LENGTH) {
    remembered.set(text, line);
    dropOldest(remembered, MAX_REMEMBERED);
  }
  return line;
}

/** Returns the line that a call runs in a shell; null for other tools, and for input of another shape. */
export function lineOfTool(tool: string | null | undefined, input: unknown): Line | null {
  const command = shellCommandOf(tool, input);
  return command === null ? null : readLine(command);
}

/**
 * The lines that were read last. A line reaches the server in requests that share no object: before it runs, after it has
 * run, when both events are stored, and when its session is read; and agents run the same lines again and again. To read
 * one anew for its target takes a tenth of a millisecond each time, to remember it two thousandths.
 */
const remembered = new Map<string, Line>();
const MAX_REMEMBERED = 500;
/** In characters. Longer lines are seldom repeated. */
const MAX_REMEMBERED_LENGTH = 2_000;

/** Returns a function that works something out when it is first called, and keeps it. What throws is tried again. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function read(text: string): Line {
  const script = once(() => parse(text));
  const tree = once(() => parseShell(text, script));
  const key = once(() => commandKey(line));
  const fields: { [Name in Exclude<keyof Line, 'text' | 'targetIn'>]: () => Line[Name] } = {
    script,
    tree,
    key,
    pipelines: once(() => (line.tree ? pipelinesIn(line.tree) : null)),
    parts: once(() => partsIn(line.pipelines ?? [])),
    onlyLooks: once(() => line.pipelines !== null && onlyLooks(line.pipelines)),
    setsVariables: () => SETS_VARIABLE.test(text) && line.parts.length === 0,
    program: once(() => programOf(line)),
  };
  const line = {
    text,
    targetIn(place) {
      const folder = place ? relative(place.root, folderOf(tree(), place.cwd)) : '';
      return folder === '' ? key() : `cd ${clip(folder, 200)} && ${key()}`;
    },
  } as Line;
  for (const [name, get] of Object.entries(fields))
    Object.defineProperty(line, name, { get, enumerable: true });
  return line;
}
