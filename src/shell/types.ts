import type { ParsedScript, Redirection, SyntaxNode } from 'unbash';

// The types with which this room describes a shell line. Walking a line is recursive across files: a command
// may be a wrapper, the command in it an interpreter, and its program may run a line again. So the shared
// types are in one file that imports none of the others.

/** A word after expansion. `known` is false when part of it is decided only when it runs. */
export type Arg = {
  text: string;
  known: boolean;
  glob: boolean;
  quoted: boolean;
  /** the commands in a substitution that is part of it */
  from?: Invocation[];
  /** for a pattern that stands for the files that a command lists: that command, and the filters behind it */
  listedBy?: Invocation[];
  /** for `$@`: the words that it stands for when it is in quotes */
  words?: Arg[];
};

type WrittenFile = { target: Arg; append: boolean };

/** What a command reads on standard input, as far as the line shows it. */
export type Input =
  | { kind: 'none' }
  | { kind: 'text'; text: string; known: boolean }
  | { kind: 'file'; target: Arg }
  | { kind: 'pipe'; from: Invocation[] };

/** What an inline program may do. A program with the effect `harmless` has no other effect. */
// biome-ignore format: one line says it
export const EFFECTS = ['harmless', 'commands', 'deletes', 'writes', 'network', 'dynamic', 'decodes', 'other'] as const;
export type Effect = (typeof EFFECTS)[number];

/** An inline program: what it may do, and the strings in it that look like paths. */
type Code = { text: string; effects: Effect[]; paths: Arg[] };

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
  /** a guess, such as a string in a program: it may lead to a deny, and otherwise it has no influence on the verdict */
  suspected?: boolean;
  /** it is made of the words of a program that nobody knows: only denials and a person's rules look at it */
  behind?: true;
  /** all that it does is to run a script or a program of a package by its name, which is among the commands */
  own?: true;
  /** it is in what the line runs: in a task of the project, and the line is allowed only if it is; or in a program file */
  scripted?: 'task' | 'file';
};

/** `unknowns`: the parts of a line that cannot be worked out before it runs. */
export type Parsed = { invocations: Invocation[]; unknowns: { text: string; why: string }[] };

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
  /** Whether a program is known to do something harmless. Left out: none is. */
  knows?: (program: string) => boolean;
};

/** The beginning of a file. `whole`: whether that is all of it. */
export type FileText = { text: string; whole: boolean };

/** A command with its words expanded, before wrappers and functions are followed. */
export type Running = Pick<Invocation, 'env' | 'input' | 'writes' | 'reads' | 'openArgs' | 'background'> & {
  words: Arg[];
};

/** What the compound commands around a command give it. */
export type Around = { input: Input; redirects: readonly Redirection[]; background: boolean | undefined };

/** What holds at one point of a line: the folder, variables and functions. */
export type Scope = Pick<Invocation, 'cwd' | 'via' | 'remote'> & {
  vars: Map<string, Arg>;
  functions: Map<string, SyntaxNode>;
  /** what a command without an input of its own reads */
  stdin: Input;
  depth: number;
};

/** Source text and its syntax tree. */
export type Source = { readonly text: string; readonly script: ParsedScript };

/** Collects what a line would run. Every function that walks shares it. */
export type Walk = Parsed & {
  place: Place;
  /** how much of the line's budget is used, in characters read */
  work: number;
  /** how many files may still be read, how many files deep the walk is, and which texts of files were walked */
  files: { left: number; depth: number; walked: Set<string> };
  /** the functions that were walked, and those that the line defines, with the scope at that point */
  called: Set<SyntaxNode>;
  defined: { body: SyntaxNode; scope: Scope }[];
  /** Walks source text. It is passed so that no file must import walk.ts. */
  line: (walk: Walk, text: string, scope: Scope) => void;
  script: (walk: Walk, script: ParsedScript, scope: Scope) => void;
  node: (walk: Walk, node: SyntaxNode, scope: Scope, around: Partial<Around>) => void;
  command: (walk: Walk, scope: Scope, running: Running) => void;
};
