import { startLore } from './lore.ts';
import { median, type Row, row } from './measure.ts';
import type { Store } from './store.ts';

/**
 * Measures the time from the start of the process until /health answers ok, on a folder with data. The first run warms
 * the page cache.
 */
export async function benchStart(store: Store): Promise<Row[]> {
  const times: number[] = [];
  for (let run = 0; run < 6; run++) {
    const lore = await startLore(store);
    if (run > 0) times.push(lore.startMs);
    await lore.stop();
  }
  return [row('to /health ok, median of 5', Math.round(median(times)), 'ms', 2000)];
}
