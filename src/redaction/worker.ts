// The thread that redacts large values for large.ts, one after the other.
import { parentPort } from 'node:worker_threads';
import { redactValue } from './redact.ts';

parentPort?.on('message', ({ value, options, port }) => {
  port.postMessage(redactValue(value, options));
  port.close();
});
