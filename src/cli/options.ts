import { type Command, InvalidArgumentError, Option } from 'commander';
import { Problem } from '../errors/problem.ts';

// How options and arguments of commands are read. A value that does not fit is wrong usage, and commander
// names the option.

/**
 * Collects an option that may be repeated. It takes one value each time. If it took several, it would also
 * take the arguments of the command.
 */
export const each = (given: string, before: string[] = []): string[] => [...before, given];

/** Returns the problem of arguments that commander cannot tell are wrong; it ends like those that it can. */
export const wrongUsage = (detail: string): Problem =>
  new Problem({ status: 400, title: 'Wrong usage', detail });

/** Returns a reader of texts that match a pattern. */
const matching = (pattern: RegExp, must: string) => (given: string) => {
  if (pattern.test(given)) return given;
  throw new InvalidArgumentError(`It must be ${must}.`);
};

/** Returns a reader of whole numbers from `least` on. They stay texts, because most are sent in a URL. */
export const whole = (least: number) => (given: string) => {
  if (/^\d{1,15}$/.test(given) && Number(given) >= least) return given;
  throw new InvalidArgumentError(`It must be a whole number, ${least} or more.`);
};

/** Reads a share, 0 to 1. */
export const share = matching(/^(0|1|1?\.0+|0?\.\d+)$/, 'a number from 0 to 1, such as 0.8');

/** Reads an id, or the beginning of one, as lists and citations show it: `1a2b3c4d`, `lore:1a2b3c4d`, a whole one. */
export const id = matching(
  /^(lore:)?[0-9a-f]{8}[0-9a-f-]*$/i,
  'an id or its first 8 characters, such as 1a2b3c4d',
);

/** Reads a whole id. */
export const wholeId = matching(
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  'a whole id, such as 1a2b3c4d-0000-4000-8000-1a2b3c4d5e6f',
);

/** Reads an instant. A day means its beginning in UTC. */
export function time(given: string): string {
  const instant = /^\d{4}-\d\d-\d\d$/.test(given) ? `${given}T00:00:00Z` : given;
  if (/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/i.test(instant) && !Number.isNaN(Date.parse(instant)))
    return instant;
  throw new InvalidArgumentError(
    'It must be a day or an instant, such as 2026-01-31 or 2026-01-31T12:00:00Z.',
  );
}

/** Reads an option that names one of these. */
export const oneOf =
  (...choices: string[]) =>
  (given: string) => {
    if (choices.includes(given)) return given;
    throw new InvalidArgumentError(`It must be one of ${choices.join(', ')}.`);
  };

/** The same for an option that may be repeated. */
export const eachOf =
  (...choices: string[]) =>
  (given: string, before?: string[]) =>
    each(oneOf(...choices)(given), before);

export const choice = (flags: string, text: string, ...choices: string[]) =>
  new Option(flags, text).choices(choices);

/** What arguments of these names are. */
const ARGUMENTS: Record<string, [text: string, read?: (given: string) => string]> = {
  id: ['id or its first 8 characters, as cited', id],
  step: ['its number', whole(1)],
  plan: ['id or its first 4 characters'],
};

/** Adds a subcommand, such as `show <id>`. */
export function sub(command: Command, usage: string, text: string): Command {
  const made = command.command(usage).description(text);
  for (const argument of made.registeredArguments) {
    const [about = '', read] = ARGUMENTS[argument.name()] ?? [];
    argument.description ||= about;
    if (read) argument.argParser(read);
  }
  return made;
}

/** Makes a command list something: by a project, and no more than a number of results. */
export const listing = (command: Command, most = '50'): Command =>
  command
    .enablePositionalOptions()
    .option('-p, --project <name>', 'only this project')
    .option('-n, --limit <n>', 'most results', whole(1), most);
