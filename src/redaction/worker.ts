// The thread that redacts a large value for large.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { redactValue } from './redact.ts';

parentPort?.postMessage(redactValue(workerData.value, workerData.options));
