import type { CommandNode, ParsedScript, Redirection, Statement, SyntaxNode } from 'unbash';

// The types with which this room describes a shell line. Walking a line is recursive across files: a command may be a
// wrapper, the command in it an interpreter, and its program may run a line again. So the shared types stand in one
// file below all others.

/** A word after expansion. `known` is false when part of it is decided only when it runs. */
export type Arg = {
  text: string;
  known: boolean;
  glob: boolean;
  quoted: boolean;
  /** the commands in a substitution that is part of it */
  from?: Invocation[];
  /** of `$@`: the words that it stands for in quotes */
  words?: Arg[];
  /** rests on what a variable of the environment usually holds; it may be unset, and then that part is empty */
  assumed?: true;
};

export type WrittenFile = { target: Arg; append: boolean };

/** What a command reads on standard input, as far as the line shows it. */
export type Input =
  | { kind: 'none' }
  | { kind: 'text'; text: string; known: boolean }
  | { kind: 'file'; target: Arg }
  | { kind: 'pipe'; from: Invocation[] };

/** What an inline program may do. `harmless` never stands beside another effect. */
export const EFFECTS = [
  'harmless',
  'commands',
  'deletes',
  'writes',
  /** what it writes are files that it names, and it does nothing else but compute and print */
  'named',
  'network',
  'dynamic',
  'decodes',
  'other',
] as const;
export type Effect = (typeof EFFECTS)[number];

/** An inline program: what it may do, and the strings in it that look like paths. */
type Code = { text: string; effects: Effect[]; paths: Arg[]; writesTo?: Arg[] };

/** One simple command that would run. */
export type Invocation = {
  /** basename, lower case; '' when the name is not known */
  program: string;
  /** the program as written, which tells `./x` from `x` */
  path: string;
  args: Arg[];
  /** variables set for it alone */
  env: { name: string; value: Arg }[];
  /** folder it runs in; null when not known */
  cwd: string | null;
  /** folders that it may run in instead if a `cd` before it fails */
  otherCwds: string[];
  input: Input;
  writes: WrittenFile[];
  reads: Arg[];
  /** the programs that it is wrapped in, outermost first: sudo, xargs, bash, ssh … */
  via: string[];
  /** runs on another host or in a container */
  remote: boolean;
  /** more arguments come from standard input (xargs, parallel) */
  openArgs: boolean;
  background: boolean;
  /** the program that the line gives to an interpreter */
  code?: Code;
  /** the commands whose output it runs as a program: `… | sh`, `sh <(…)`, `eval "$(…)"` */
  executes?: Invocation[];
  /** of a group of commands with redirections (`{ … } > file`): the commands in it */
  group?: Invocation[];
  /** a guess, such as a string in a program: it may lead to a deny, and otherwise it has no influence on the verdict */
  suspected?: boolean;
  /** stands in a file that the line runs: it may speak against the line, never for it */
  scripted?: boolean;
};

/** A part of a line that cannot be worked out before it runs. */
export type Unknown = { text: string; why: string };

export type Parsed = { invocations: Invocation[]; unknowns: Unknown[] };

export type Place = {
  cwd: string;
  home: string;
  tmp: string;
  /** the project's folder: package.json and Makefile are looked for up to here */
  root?: string;
  /**
   * Returns the beginning of a file that a command runs; null when nothing is there. Left out: the line is judged
   * without the files that it runs.
   *
   * @throws Error that says why the file cannot be read
   */
  read?: (path: string) => FileText | null;
};

/** The beginning of a file. `whole`: whether that is all of it. */
export type FileText = { text: string; whole: boolean };

/** A command with its words expanded, before wrappers, functions and aliases are followed. */
export type Running = {
  words: Arg[];
  env: Invocation['env'];
  input: Input;
  writes: WrittenFile[];
  reads: Arg[];
  openArgs: boolean;
  background: boolean;
};

/** What holds at one point of a line: the folder, variables, functions and aliases. */
export type Scope = {
  cwd: string | null;
  otherCwds: string[];
  vars: Map<string, Arg>;
  functions: Map<string, { body: SyntaxNode; certain: boolean }>;
  aliases: Map<string, string>;
  /** what a command reads that has no input of its own */
  stdin: Input;
  depth: number;
  via: string[];
  remote: boolean;
};

export type Node =
  | Statement['command']
  | CommandNode
  | { type: 'CompoundList'; commands: readonly Statement[] };

/** The functions of the walk, handed to the files below it, so that no file imports the one that calls it. */
type Recursion = {
  /** Walks source text. Returns the commands that it added. */
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

/**
 * What the files that a line runs have used up of their budget, and what of them could not be looked through. `depth`:
 * how many files deep the walk is.
 */
type ScriptBudget = { left: number; work: number; depth: number; unread: Unknown[] };

/** Source text that was parsed and walked. */
export type Source = { text: string; script: ParsedScript };

/** Collects what a line would run. Every function that walks shares it. */
export type Walk = Parsed & {
  place: Place;
  work: number;
  files: ScriptBudget;
  into: Recursion;
  /** the nodes that were visited */
  seen: WeakSet<object>;
  /** what is accounted for at the end */
  sources: Source[];
  /** the functions that the line defines, with the scope at that point */
  functions: { body: SyntaxNode; scope: Scope }[];
};
