import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { extractOf, toKept } from '../../src/kinds/outputs.ts';
import { redactText } from '../../src/redaction/redact.ts';
import { type Lore, startLore } from './lore.ts';
import { percentiles, type Row } from './measure.ts';
import type { Store } from './store.ts';

const RUNS = 40;
const SIZES = [2_000, 30_000, 1_000_000];

/** Returns a log of about this many characters, with an error in every thousandth line, different for each `seed`. */
function log(characters: number, seed: number): string {
  const lines: string[] = [];
  for (let i = 0, size = 0; size < characters; i++) {
    const line =
      i % 1000 === 7
        ? `2026-11-23 ERROR [worker] batch ${seed}-${i} failed: connection refused`
        : `2026-11-23T01:01:51.${i % 1000}Z INFO [worker-${i % 7}] batch ${seed}-${i} of customers in ${i % 97} ms ok`;
    lines.push(line);
    size += line.length + 1;
  }
  return lines.join('\n').slice(0, characters);
}

/**
 * Measures what long outputs cost: in this process for a megabyte, and the hook of a shell command in a server, with
 * masking on and off. Above 30,000 characters the output is in a file, as the client does it.
 */
export async function benchMasking(store: Store, folder: string): Promise<Row[]> {
  const times: Record<'mask' | 'redact', number[]> = { mask: [], redact: [] };
  for (let n = 0; n < RUNS; n++) {
    const text = log(1_000_000, n);
    const start = performance.now();
    const clean = redactText(text);
    const redacted = performance.now();
    extractOf((await toKept({ text: clean, whole: true })).id, clean);
    times.redact.push(redacted - start);
    times.mask.push(performance.now() - redacted);
  }
  const rows = [
    percentiles('extract, hash and deflate 1 MB, in process', times.mask, { p95: 20 }),
    percentiles('redact 1 MB, in process', times.redact),
  ];
  for (const mask of ['off', 'on']) {
    const lore = await startLore(store, { LORE_MASK: mask });
    try {
      for (const size of SIZES) {
        const title = `PostToolUse of ${size.toLocaleString('en-US')} characters, LORE_MASK=${mask}`;
        rows.push(percentiles(title, await hooks(lore, size, folder)));
      }
    } finally {
      await lore.stop();
    }
  }
  return rows;
}

async function hooks(lore: Lore, size: number, folder: string): Promise<number[]> {
  const id = `masking-${size}`;
  const files = join(folder, id, 'tool-results');
  mkdirSync(files, { recursive: true });
  const times: number[] = [];
  for (let n = 0; n < RUNS; n++) {
    const text = log(size, n);
    const path = join(files, `b${n}.txt`);
    const filed = size > 30_000;
    if (filed) writeFileSync(path, text);
    const { server } = await lore.hook({
      session_id: id,
      transcript_path: join(folder, `${id}.jsonl`),
      cwd: folder,
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'cat app.log' },
      tool_use_id: `${Date.now()}-${n}`,
      tool_response: {
        stdout: text.slice(0, 30_000),
        stderr: '',
        interrupted: false,
        ...(filed && { persistedOutputPath: path, persistedOutputSize: size }),
      },
    });
    // the first ones find code that is not compiled yet
    if (n >= RUNS / 4) times.push(server);
    await sleep(100);
  }
  return times;
}
