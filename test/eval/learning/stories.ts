// The histories that `test/eval/learning.ts` plays: their shape, and where they are read from.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonLines } from '../../support/json-lines.ts';

/** One thing that happens in a session. `$ROOT` in any string stands for the folder of the project. */
export type StoryEvent =
  | { t: 'start' }
  | { t: 'end' }
  | { t: 'compact' }
  | { t: 'prompt'; text: string }
  /** the agent says something in between; `stop` is what it says at the end of its turn */
  | { t: 'say'; text: string }
  | { t: 'stop'; text: string }
  | Call
  /** a command in the background; `failed` is told by a notification, then its output is read */
  | { t: 'bg'; id: string; cmd: string; status: string; exit: number | null; out: string }
  | { t: 'sub'; id: string; prompt: string; events: StoryEvent[]; text: string };

export type Call =
  | { t: 'bash'; cmd: string; out: string; exit: number; interrupt?: boolean }
  | { t: 'edit'; file: string; old: string; new: string; error?: string }
  | { t: 'write'; file: string; content: string; before?: string | null; error?: string }
  | { t: 'read'; file: string; content?: string; error?: string }
  | { t: 'grep'; pattern: string; out: string }
  | { t: 'tool'; name: string; input: object; response?: unknown; error?: string };

/** All patterns are regular expressions without regard to case. */
export type Expected = {
  /** what the right lesson holds: the action */
  names: string[];
  /** what makes it another lesson */
  wrong?: string[];
};

export type Story = {
  id: string;
  kind: 'fix' | 'preference' | 'fact' | 'none';
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

/** Reads a set: a folder with files of a story a line, and `prompts.json`. */
export function readStories(folder: string): { stories: Story[]; prompts: Prompts } {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const stories = files.flatMap((name) => jsonLines<Story>(join(folder, name)));
  return {
    stories: stories.sort((a, b) => (a.id < b.id ? -1 : 1)),
    prompts: JSON.parse(readFileSync(join(folder, 'prompts.json'), 'utf8')),
  };
}
