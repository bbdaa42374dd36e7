import { type Logger, pino } from 'pino';
import { redactValue } from '../redaction/redact.ts';
import type { Config } from './config.ts';
import { plainErrors } from './errors/plain-errors.ts';

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
          method.apply(this, args.map((arg) => redactValue(plainErrors(arg))) as Parameters<typeof method>);
        },
      },
    },
    destination(),
  );
}

/** Most characters of log that are kept while the disk is full. More is dropped. */
const MAX_WAITING = 1_000_000;

/**
 * Standard error may be a file on a full disk or a pipe that nobody reads. A failed write must not end the
 * server.
 */
function destination() {
  const stderr = pino.destination({ dest: 2, sync: true, maxLength: MAX_WAITING });
  stderr.on('error', () => {});
  return stderr;
}
