import type { Command } from 'commander';
import type { Cli } from './commands.ts';
import { refuseAgents, refuseUnlessPerson } from './io.ts';
import { addOption, readArguments } from './options.ts';
import text from './records.txt' with { type: 'text' };

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
export const ROWS: Row[] = lines.flatMap((line, i) => {
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
      options.filter((one) => !MARKS.includes(one)).map((one) => addOption(command, one)),
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
