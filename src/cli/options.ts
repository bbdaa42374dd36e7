import { InvalidArgumentError } from 'commander';
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

/** Returns a reader of whole numbers from `least` on. They stay texts, because most are sent in a URL. */
export const whole = (least: number) => (given: string) => {
  if (/^\d{1,15}$/.test(given) && Number(given) >= least) return given;
  throw new InvalidArgumentError(`It must be a whole number, ${least} or more.`);
};

/** Reads a share, 0 to 1. */
export function share(given: string): string {
  if (/^(0|1|[01]?\.\d+)$/.test(given) && Number(given) <= 1) return given;
  throw new InvalidArgumentError('It must be a number from 0 to 1, such as 0.8.');
}

/** Reads an id, or the beginning of one, as lists and citations show it: `1a2b3c4d`, `lore:1a2b3c4d`, a whole one. */
export function id(given: string): string {
  if (/^(lore:)?[0-9a-f]{8}[0-9a-f-]*$/i.test(given)) return given;
  throw new InvalidArgumentError('It must be an id or its first 8 characters, such as 1a2b3c4d.');
}

/** Reads a whole id. */
export function wholeId(given: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given)) return given;
  throw new InvalidArgumentError('It must be a whole id, such as 1a2b3c4d-0000-4000-8000-1a2b3c4d5e6f.');
}

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
