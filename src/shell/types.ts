import type { CommandNode, ParsedScript, Redirection, Statement, SyntaxNode } from 'unbash';

// The words in which this room speaks of a shell line. A line is walked in a circle (a command may be a wrapper, its
// command an interpreter, that one's program may run a line again), so the shared types stand below all of it.

/** A word after expansion. `known` is false when part of it is decided only when it runs. */
export type Arg = {
  text: string;
  known: boolean;
  glob: boolean;
  quoted: boolean;
  /** what runs in the substitution that it holds */
  from?: Invocation[];
};

export type WrittenFile = { target: Arg; append: boolean };

/** What a command reads on standard input, as far as the line tells. */
export type Input =
  | { kind: 'none' }
  | { kind: 'text'; text: string; known: boolean }
  | { kind: 'file'; target: Arg }
  | { kind: 'pipe'; from: Invocation[] };

/** What an inline program may do. `harmless` stands alone. */
export const EFFECTS = [
  'harmless',
  'commands',
  'deletes',
  'writes',
  'network',
  'dynamic',
  'decodes',
  'other',
] as const;
export type Effect = (typeof EFFECTS)[number];

/** An inline program: what it may do, and the strings in it that look like paths. */
type Code = { text: string; effects: Effect[]; paths: Arg[] };

/** One simple command that would run. */
export type Invocation = {
  /** basename, lower case; '' when the name is not known */
  program: string;
  /** as written, for telling `./x` from `x` */
  path: string;
  args: Arg[];
  /** variables set for it alone */
  env: { name: string; value: Arg }[];
  /** folder it runs in; null when not known */
  cwd: string | null;
  /** where it runs instead if a `cd` before it fails */
  otherCwds: string[];
  input: Input;
  writes: WrittenFile[];
  reads: Arg[];
  /** what it is wrapped in, outermost first: sudo, xargs, `bash -c`, ssh … */
  via: string[];
  /** runs on another host or in a container */
  remote: boolean;
  /** more arguments come from standard input (xargs, parallel) */
  openArgs: boolean;
  background: boolean;
  /** the program given to an interpreter in the line */
  code?: Code;
  /** commands whose output it runs as a program: `… | sh`, `sh <(…)`, `eval "$(…)"` */
  executes?: Invocation[];
  /** a guess (a string in a program): may deny, never allow or unsettle */
  suspected?: boolean;
  /** stands in a file that the line runs: it may speak against the line, not for it */
  scripted?: boolean;
};

export type Unknown = { text: string; why: string };

export type Parsed = { invocations: Invocation[]; unknowns: Unknown[] };

export type Place = {
  cwd: string;
  home: string;
  tmp: string;
  /** the project's folder, up to which package.json and Makefile are looked for */
  root?: string;
  /** the text of a file that a command runs, null when there is none to be had; without it no file is looked into */
  read?: (path: string) => string | null;
};

/** A command with its words expanded, before wrappers, functions and aliases are looked through. */
export type Running = {
  words: Arg[];
  env: Invocation['env'];
  input: Input;
  writes: WrittenFile[];
  reads: Arg[];
  openArgs: boolean;
  background: boolean;
};

export type Scope = {
  cwd: string | null;
  otherCwds: string[];
  vars: Map<string, Arg>;
  functions: Map<string, { body: SyntaxNode; certain: boolean }>;
  aliases: Map<string, string>;
  depth: number;
  via: string[];
  remote: boolean;
};

export type Node =
  | Statement['command']
  | CommandNode
  | { type: 'CompoundList'; commands: readonly Statement[] };

/** The walk itself, for what stands below it: so no file has to import the one that calls it. */
type Recursion = {
  /** walks source text; returns the commands that it added */
  line: (walk: Walk, text: string, scope: Scope) => Invocation[];
  script: (walk: Walk, script: ParsedScript, scope: Scope) => void;
  node: (
    walk: Walk,
    node: Node,
    scope: Scope,
    input: Input,
    redirects: readonly Redirection[],
    background: boolean,
  ) => void;
  command: (walk: Walk, scope: Scope, running: Running) => void;
};

/** Gathers what a line would run; shared by everything that walks. */
export type Walk = Parsed & { place: Place; work: number; files: { left: number }; into: Recursion };
