// The thread that redacts large values for large.ts.
import { parentPort } from 'node:worker_threads';
import { type RedactOptions, redactValue } from './redact.ts';

export type Redacted = { id: number; value: unknown };
type Request = { id: number; value: unknown; options?: RedactOptions };

parentPort?.on('message', ({ id, value, options }: Request) => {
  const answer: Redacted = { id, value: redactValue(value, options) };
  parentPort?.postMessage(answer);
});
