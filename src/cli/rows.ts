import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Config } from '../base/config.ts';
import { Problem } from '../base/errors/problem.ts';
import type { Answer, Rest, Route } from '../base/wire/wire.ts';
import help from './help.txt' with { type: 'text' };
import { type Io, refuseAgents, refuseUnlessPerson } from './io.ts';
import table from './options.txt' with { type: 'text' };
import text from './records.txt' with { type: 'text' };

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

// Commands as rows of a table: records.txt says how each is called, and what is done with what it was given.

// biome-ignore lint/suspicious/noExplicitAny: what a person gave, and what a route answers: its schema says no
export type Any = any;
/** What a command does with its arguments and options, by their names. */
export type Action = (given: Any, cli: Cli) => unknown;

/** `shows`: columns of a table; with `{fields}` of the answer a text, and with `|*` behind it all else that is known. */
export type Row = {
  name: string;
  args: string;
  route: string;
  options: string[];
  help: string;
  shows: string;
};

const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
const ROWS: Row[] = lines.flatMap((line, i) => {
  if (line.startsWith(' ')) return [];
  const [usage = '', route = '', options = ''] = line.split(' :: ');
  const [, name = '', args = ''] = /^([\w -]*\w)(?: ([<[].*))?$/.exec(usage) ?? [];
  const below = lines[i + 1]?.startsWith(' ') ? lines[i + 1] : '';
  const [help = '', shows = ''] = (below ?? '').split('::').map((part) => part.trim());
  return [{ name, args, route, options: options.split(' ').filter(Boolean), help, shows }];
});

/** What stands among the options of a row and is none: who may run it, and how it is read. */
const MARKS = ['person', 'no-agent', 'hidden', 'loose'];
/** Arguments of several words that are not one text. */
const LISTS = ['steps', 'names', 'words'];

/** Defines a command and its subcommands. @param load returns what a row does */
export function define(first: string, top: Command, cli: Cli, load: (row: Row) => Promise<Action>): void {
  for (const row of ROWS.filter(({ name }) => name.split(' ')[0] === first)) {
    const { name, args, options, help } = row;
    const sub = name.split(' ')[1];
    const hidden = options.includes('hidden');
    const command = sub ? top.command(sub, { hidden }).description(help) : top.enablePositionalOptions();
    if (args !== '') command.arguments(args);
    if (options.includes('loose')) command.allowUnknownOption();
    readArguments(command);
    const fields = Object.fromEntries(
      options
        .filter((one) => !MARKS.includes(one) && !one.startsWith('{'))
        .map((one) => addOption(command, one)),
    );
    command.action(async (...values) => {
      if (options.includes('person')) refuseUnlessPerson(cli.io, name);
      if (options.includes('no-agent')) refuseAgents(cli.io, name);
      const given: Any = {};
      for (const [i, argument] of command.registeredArguments.entries()) {
        const [field = '', inner] = (argument.name() === 'plan' ? 'id' : argument.name()).split('.');
        const isText = Array.isArray(values[i]) && !LISTS.includes(field);
        const value = isText ? values[i].join(' ') || undefined : values[i];
        // `from.type` is the type in `from`
        if (value !== undefined)
          given[field] = inner === undefined ? value : { ...given[field], [inner]: value };
      }
      for (const [option, value] of Object.entries(command.opts())) given[fields[option] ?? option] = value;
      await (await load(row))(given, cli);
    });
  }
}

// Options and arguments: a value that does not fit is wrong usage, and commander names it.

/**
 * Collects an option that may be repeated. It takes one value each time. If it took several, it would also
 * take the arguments of the command.
 */
const each = (given: string, before: string[] = []): string[] => [...before, given];

/** Returns the problem of arguments that commander cannot tell are wrong; it ends like those that it can. */
export const wrongUsage = (detail: string): Problem =>
  new Problem({ status: 400, title: 'Wrong usage', detail });

/** Returns a reader of texts that match a pattern. */
const matching = (pattern: RegExp, must: string) => (given: string) => {
  if (pattern.test(given)) return given;
  throw new InvalidArgumentError(`It must be ${must}.`);
};

/** Returns a reader of whole numbers from `least` on. */
const whole = (least: number) => (given: string) => {
  if (/^\d{1,15}$/.test(given) && Number(given) >= least) return Number(given);
  throw new InvalidArgumentError(`It must be a whole number, ${least} or more.`);
};

/** Reads an id, or the beginning of one, as lists and citations show it: `1a2b3c4d`, `lore:1a2b3c4d`, a whole one. */
const id = matching(/^(lore:)?[0-9a-f]{8}[0-9a-f-]*$/i, 'an id or its first 8 characters, such as 1a2b3c4d');
const share = matching(/^(0|1|1?\.0+|0?\.\d+)$/, 'a number from 0 to 1, such as 0.8');

/** Reads an instant. A day means its beginning in UTC. */
function time(given: string): string {
  const instant = /^\d{4}-\d\d-\d\d$/.test(given) ? `${given}T00:00:00Z` : given;
  if (/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/i.test(instant) && !Number.isNaN(Date.parse(instant)))
    return instant;
  throw new InvalidArgumentError(
    'It must be a day or an instant, such as 2026-01-31 or 2026-01-31T12:00:00Z.',
  );
}

/** Reads JSON, or else the text itself. */
function jsonOr(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

/** The readers of options.txt. */
const READERS: Record<string, (given: string, before: never) => unknown> = {
  ...{ number: whole(1), json: jsonOr, many: each, time, id, share: (given) => Number(share(given)) },
  numbers: (given, before: number[] = []) => [...before, whole(1)(given)],
};

const rowOf = (name: string): string[] =>
  (table.split('\n').find((line) => line.startsWith(`${name} :: `)) ?? `${name} :: --${name}`).split(' :: ');

/** Says what the arguments of a command are, and reads them, by the rows `<name>` of options.txt. */
function readArguments(command: Command): void {
  for (const argument of command.registeredArguments) {
    const [, , about = '', reader = ''] = rowOf(`<${argument.name()}>`);
    argument.description = about;
    if (READERS[reader]) argument.argParser(READERS[reader] as never);
  }
}

/** Adds an option of options.txt to a command. Returns its name there, and the name that the route has for it. */
function addOption(command: Command, name: string): [name: string, field: string] {
  const [, flags = '', about = '', reader = '', field] = rowOf(name);
  const option = new Option(flags, about);
  const [first = '', ...choices] = reader.split(' ');
  if (choices.length > 0) option.choices(choices);
  else if (READERS[first]) option.argParser(READERS[first] as never);
  command.addOption(choices.length > 0 && first !== 'of' ? option.default(first) : option);
  return [option.attributeName(), field ?? option.attributeName()];
}
