import type { Config } from '../../base/config.ts';
import { plainErrors } from '../../base/errors/plain-errors.ts';
import type { Log } from '../../base/log.ts';
import { redactValue } from '../../redaction/redact.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** Returns a log that writes one redacted JSON object per line to the console, which is where a platform looks. */
export function consoleLog(level: Config['logLevel']): Log {
  const from = level === 'silent' ? LEVELS.length : LEVELS.indexOf(level);
  const say = (at: (typeof LEVELS)[number]) => (about: object, message?: string) => {
    if (LEVELS.indexOf(at) < from) return;
    const line = { level: at, time: new Date().toISOString(), ...(plainErrors(about) as object), message };
    console.error(JSON.stringify(redactValue(line)));
  };
  return Object.fromEntries(LEVELS.map((one) => [one, say(one)])) as unknown as Log;
}
