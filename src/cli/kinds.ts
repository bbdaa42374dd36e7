import type { Command } from 'commander';
import type { Route } from '../base/wire/wire.ts';
import type { Cli, Define } from './commands.ts';
import { projectHere } from './here.ts';
import { refuseUnlessPerson } from './io.ts';
import { addOption, readArguments } from './options.ts';
import { plain } from './print.ts';
import { specialOf } from './special.ts';
import { details, fill, list } from './table.ts';

// Commands as rows of a table. Arguments and options are what the route takes, by their names: those in its path, the
// others in the body or the query.

// biome-ignore lint/suspicious/noExplicitAny: what a person gave, and what a route answers: its schema says no
export type Any = any;
/** Makes what is sent of what was given. */
export type Change = (given: Any, cli: Cli) => Any;
/** Returns the text of an answer. */
export type Print = (answer: Any, cli: Cli) => string;

/** `shows`: columns of a table; with `{fields}` of the answer a text, and with `|*` behind it all else that is known. */
type Row = { name: string; args: string; route: string; options: string[]; help: string; shows: string };

function rowsOf(text: string): Row[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.flatMap((line, i) => {
    if (line.startsWith(' ')) return [];
    const [usage = '', route = '', options = ''] = line.split(' :: ');
    const [, name = '', args = ''] = /^([\w -]*\w)(?: ([<[].*))?$/.exec(usage) ?? [];
    const [help = '', shows = ''] = (lines[i + 1] ?? '').split('::').map((part) => part.trim());
    return [{ name, args, route, options: options.split(' ').filter(Boolean), help, shows }];
  });
}

/** The severities of findings, as a list of them is sorted. */
const GRAVEST = ['critical', 'high', 'medium', 'low', 'info'];

/** Returns the commands of a text of rows, by the first word of their names. */
export function commandsOf(
  text: string,
  changes: Record<string, Change>,
  prints: Record<string, Print>,
): Record<string, Define> {
  const rows = rowsOf(text);
  const names = new Set(rows.map(({ name }) => name.split(' ')[0] as string));
  const define = (first: string, command: Command, cli: Cli) => {
    for (const row of rows.filter(({ name }) => name.split(' ')[0] === first))
      add(command, cli, row, changes[row.name], prints[row.name] ?? prints[first]);
  };
  return Object.fromEntries([...names].map((name) => [name, (command, cli) => define(name, command, cli)]));
}

/** Adds the command of a row: the command itself, or a subcommand. */
function add(parent: Command, cli: Cli, row: Row, change?: Change, print?: Print): void {
  const { name, args, route, options, help, shows } = row;
  const sub = name.split(' ')[1];
  const command =
    sub === undefined ? parent.enablePositionalOptions() : parent.command(sub).description(help);
  if (args !== '') command.arguments(args);
  readArguments(command);
  const named = options.filter((one) => one !== 'person').map((one) => addOption(command, one));
  const fields = Object.fromEntries(named);
  command.action(async (...values) => {
    const { io, config, call } = cli;
    if (options.includes('person')) refuseUnlessPerson(io, name);
    let input: Any = {};
    for (const [i, argument] of command.registeredArguments.entries()) {
      const [field = '', inner] = (argument.name() === 'plan' ? 'id' : argument.name()).split('.');
      const value =
        Array.isArray(values[i]) && field !== 'steps' ? values[i].join(' ') || undefined : values[i];
      // `from.type` is the type in `from`
      if (value !== undefined)
        input[field] = inner === undefined ? value : { ...input[field], [inner]: value };
    }
    for (const [option, value] of Object.entries(command.opts())) input[fields[option] ?? option] = value;
    if (options.includes('here')) input.project ??= await projectHere(config, io, { make: true });
    if (input.supersedes) {
      const params = { id: input.supersedes };
      input.supersedes = (await call(`GET /v1/${parent.name() as 'notes'}/{id}`, { params })).id;
    }
    if (change) input = await change(input, cli);
    const params = Object.fromEntries(
      [...route.matchAll(/\{(\w+)\}/g)].map(([, one = '']) => [one, input[one]]),
    );
    const rest = Object.fromEntries(Object.entries(input).filter(([one]) => !(one in params)));
    const asked = { params, [/^(GET|DELETE)/.test(route) ? 'query' : 'body']: rest };
    const given = [asked] as never[] as [never];
    const answer: Any = (await call(route as Route, ...given)) ?? { ...params, done: sub };
    const kind = route.split('/')[2] ?? '';
    const special = specialOf(kind);
    if (shows !== '' && !shows.includes('{')) {
      const records: Any[] = Object.values(answer).find(Array.isArray) ?? [];
      if (kind === 'findings')
        records.sort((a, b) => GRAVEST.indexOf(a.severity) - GRAVEST.indexOf(b.severity));
      return list(io, records, `No ${parent.name()}.`, shows, special);
    }
    if (io.json) return io.print(answer);
    const [text = '', all] = shows.split('|');
    io.log(print && shows === '' ? print(answer, cli) : plain(fill(text, { ...input, ...answer }, special)));
    if (all) details(io, answer);
  });
}
