import { createWriteStream, renameSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../config.ts';
import { callServer } from './client.ts';
import type { Output } from './print.ts';

type Page = { records: unknown[]; next: string | null };

/**
 * Writes everything that the caller has as JSON lines, to standard output or to a file. A file is written whole or not
 * at all.
 */
export async function exportFile(
  config: Config,
  output: Output,
  file: string | undefined,
  options: { project?: string; observations?: boolean },
): Promise<void> {
  let records = 0;
  async function* lines() {
    for (let after: string | null | undefined; after !== null; ) {
      const query = new URLSearchParams({
        ...(options.project !== undefined && { project: options.project }),
        ...(after !== undefined && { after }),
        ...(options.observations && { observations: 'true' }),
      });
      const page: Page = await callServer(config, 'GET', `/v1/export?${query}`);
      records += page.records.length;
      for (const record of page.records) yield `${JSON.stringify(record)}\n`;
      after = page.next;
    }
  }
  if (file === undefined) {
    try {
      await pipeline(Readable.from(lines()), process.stdout, { end: false });
    } catch (error) {
      // the reader of the pipe has closed it, as `head` does
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    }
    return;
  }
  const partial = `${file}.partial`;
  await pipeline(Readable.from(lines()), createWriteStream(partial, { mode: 0o600 }));
  renameSync(partial, file);
  console.log(output.json ? JSON.stringify({ records, file }) : `${records} records in ${file}.`);
}
