import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';
import { redactValue } from './redaction/redact.ts';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

/** Returns a log that writes one redacted JSON object per line to stderr. */
export function createLog(level: Config['logLevel']): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        logMethod(args, method) {
          method.apply(this, args.map((arg) => redactValue(plain(arg))) as Parameters<typeof method>);
        },
      },
    },
    destination(),
  );
}

/** What waits for a disk that is full is kept up to this length, in characters. More is dropped. */
const MAX_WAITING = 1_000_000;

/** Standard error, which may be a file on a full disk or a pipe that nobody reads: a failed write ends no server. */
function destination() {
  const stderr = pino.destination({ dest: 2, sync: true, maxLength: MAX_WAITING });
  stderr.on('error', () => {});
  return stderr;
}

/** Turns errors into plain objects, because redaction copies values deeply and would lose an error's fields. */
function plain(arg: unknown): unknown {
  if (arg instanceof Error) return { error: described(arg) };
  if (typeof arg === 'object' && arg !== null && 'error' in arg && arg.error instanceof Error) {
    return { ...arg, error: described(arg.error) };
  }
  return arg;
}

/** A chain of causes is logged up to here. It could be a circle. */
const MAX_CAUSES = 10;

/** Returns an error with its causes. The database's own error stands behind the one that Drizzle throws. */
function described(error: Error, depth = 1): object {
  const { name, message, stack, cause } = error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const more = cause === undefined || depth >= MAX_CAUSES ? {} : { cause: asCause(cause, depth) };
  return { name, message, ...code, stack, ...more };
}

const asCause = (cause: unknown, depth: number) =>
  cause instanceof Error ? described(cause, depth + 1) : String(cause);
