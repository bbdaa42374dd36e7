import type { Config } from '../base/config.ts';
import type { Answer, Rest, Route } from '../base/wire/wire.ts';
import help from './help.txt' with { type: 'text' };
import type { Io } from './io.ts';

/** What a command works with. */
export type Cli = {
  io: Io;
  /** read when it is first used, so that help needs no valid one */
  readonly config: Config;
  /** asks the running server: {@link callServer} */
  call<R extends Route>(route: R, ...given: Rest<R>): Promise<Answer<R>>;
  /** ends with another exit code than 0, when the command is done */
  exit(code: number): void;
};

/** What the help says of each command, under its headings: help.txt. */
export const HELP: [heading: string, commands: [name: string, text: string][]][] = help
  .trim()
  .split(/^# /m)
  .slice(1)
  .map((group) => {
    const [heading = '', ...lines] = group.trim().split('\n');
    return [`${heading}:`, lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string])];
  });
