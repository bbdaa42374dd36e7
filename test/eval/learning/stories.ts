// The histories that `test/eval/learning.ts` plays: their shape, and where they are read from.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rowsOf } from '../../support/json-lines.ts';

/** One thing that happens in a session. `$ROOT` in any string stands for the folder of the project. */
export type StoryEvent =
  | { t: 'start'; source?: string }
  | { t: 'end' }
  | { t: 'compact' }
  | { t: 'prompt'; text: string }
  /** the agent says something in between; `stop` is what it says at the end of its turn */
  | { t: 'say'; text: string }
  | { t: 'stop'; text: string }
  | { t: 'bash'; cmd: string; out: string; exit: number; interrupt?: boolean }
  /** a command in the background; `failed` is told by a notification, then its output is read */
  | { t: 'bg'; id: string; cmd: string; status: string; exit: number | null; out: string }
  | { t: 'edit'; file: string; old: string; new: string; error?: string }
  | { t: 'write'; file: string; content: string; before?: string | null; error?: string }
  | { t: 'read'; file: string; content?: string; error?: string }
  | { t: 'grep'; pattern: string; out: string }
  | { t: 'tool'; name: string; input: object; response?: unknown; error?: string }
  | { t: 'sub'; id: string; prompt: string; events: StoryEvent[]; text: string };

/** All patterns are regular expressions without regard to case. */
export type Expected = {
  /** the lesson as a person would write it */
  gold?: string;
  /** what the right lesson holds: the action */
  names: string[];
  /** what shows that the lesson names the cause; without it, the gold's words do */
  cause?: string[];
  /** what makes it another lesson */
  wrong?: string[];
  /** what does not belong into it: failed attempts, unrelated edits */
  clutter?: string[];
};

export type Story = {
  id: string;
  kind: 'fix' | 'preference' | 'fact' | 'none';
  /** the kind of proof, for the table; `noise` and `task-local` are those of kind none */
  cls: string;
  eco: string;
  title: string;
  A: StoryEvent[];
  /** a later session of the same project, in which the mistake is solved or comes again */
  A2?: StoryEvent[];
  /** the sessions end without SessionEnd */
  noEnd?: boolean;
  /** B goes on in session A */
  sameSession?: boolean;
  B: { prompt: string; mistake?: StoryEvent[] };
  expected: Expected;
};

type Prompts = { unrelated: string[]; near: string[] };
type StorySet = { stories: Story[]; prompts: Prompts };

/**
 * Reads a set: a folder with a story per .json file or per line of a .jsonl file, or one such file. `prompts.json` is
 * beside the stories.
 */
export function readStories(path: string): StorySet {
  const folder = statSync(path).isDirectory() ? path : dirname(path);
  const files = folder === path ? filesOf(folder) : [path];
  const records = files.filter((file) => !file.endsWith('prompts.json')).flatMap(read);
  const stories = records as Story[];
  const twice = stories.find((story, n) => stories.findIndex(({ id }) => id === story.id) !== n);
  if (twice !== undefined) throw new Error(`two stories have the id ${twice.id}`);
  if (stories.length === 0) throw new Error(`no stories in ${path}`);
  return {
    stories: stories.sort((a, b) => (a.id < b.id ? -1 : 1)),
    prompts: JSON.parse(readFileSync(join(folder, 'prompts.json'), 'utf8')),
  };
}

const filesOf = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /\.jsonl?$/.test(name))
        .sort()
        .map((name) => join(folder, name))
    : [];

function read(file: string): unknown[] {
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.jsonl')) return [JSON.parse(text)];
  return rowsOf(text);
}
