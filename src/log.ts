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
    pino.destination({ dest: 2, sync: true }),
  );
}

/** Turns errors into plain objects, because redaction copies values deeply and would lose an error's fields. */
function plain(arg: unknown): unknown {
  if (arg instanceof Error) return { error: { name: arg.name, message: arg.message, stack: arg.stack } };
  if (typeof arg === 'object' && arg !== null && 'error' in arg && arg.error instanceof Error) {
    const { name, message, stack } = arg.error;
    return { ...arg, error: { name, message, stack } };
  }
  return arg;
}
