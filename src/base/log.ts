import { redactValue } from '../redaction/redact.ts';
import type { Config } from './config.ts';
import { plainErrors } from './errors/plain-errors.ts';

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
    const fields = typeof about === 'string' ? { msg: about } : (plainErrors(about) as object);
    const line = { level: at, time: new Date().toISOString(), ...fields, ...(message && { msg: message }) };
    console.error(JSON.stringify(redactValue(line)));
  };
  return { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };
}
