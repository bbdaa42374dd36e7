import { redactValue } from '../redaction/redact.ts';
import type { Config } from './config.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];

/** Each takes what is to be logged, and a message; or a message alone. */
export type Log = Record<Level, (about: object | string, message?: string) => void>;

/**
 * Returns a log that writes one redacted JSON object per line to standard error, which is also where a platform looks. The
 * console ignores what cannot be written: a full disk, or a pipe that nobody reads, must not end the server.
 */
export function createLog(level: Config['logLevel']): Log {
  const from = level === 'silent' ? LEVELS.length : LEVELS.indexOf(level);
  const say = (at: Level) => (about: object | string, message?: string) => {
    if (LEVELS.indexOf(at) < from) return;
    const fields = typeof about === 'string' ? { msg: about } : plainErrors(about);
    const line = { level: at, time: new Date().toISOString(), ...fields, ...(message && { msg: message }) };
    console.error(JSON.stringify(redactValue(line)));
  };
  return { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };
}

/** Turns an error, or one in the field `error`, into a plain object: its JSON would lose its fields. */
function plainErrors(about: object): object {
  if (about instanceof Error) return { error: described(about) };
  return 'error' in about && about.error instanceof Error
    ? { ...about, error: described(about.error) }
    : about;
}

/** Most causes of an error that are logged. A chain of causes could be a circle. */
const MAX_CAUSES = 10;

/** Returns an error with its causes. The database's own error is the cause of the one that Drizzle throws. */
function described(error: unknown, depth = 1): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const more = cause === undefined || depth >= MAX_CAUSES ? {} : { cause: described(cause, depth + 1) };
  return { name, message, ...code, stack, ...more };
}
