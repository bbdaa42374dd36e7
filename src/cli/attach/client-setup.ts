import type { Edit } from './edits.ts';

/** What a client's settings are made of. */
export type Means = {
  /** the folder of the project; null: the person's own settings, for all projects */
  dir: string | null;
  /** the person's home */
  home: string;
  /** the folder of the client's own settings, if the person has moved it */
  env: Record<string, string | undefined>;
  /** a line for a shell that runs Lore's hook */
  hook: string;
  /** a program with its arguments that serves Lore's tools over stdio */
  mcp: [command: string, ...args: string[]];
  /** the file with address and key */
  keyFile: string;
};

export type ClientSetup = {
  /** how a person calls it */
  title: string;
  /** it reads hooks only from the person's own settings */
  userOnly?: true;
  edits(means: Means): Edit[];
  /** what a person still has to do, or should know */
  note?: string;
};
