// Reads notes and searches among them with filters, in a store of many notes.
import type { Lore } from './lore.ts';
import { percentiles, type Row } from './measure.ts';

const NOTES = 10_000;
const READS = 100;
const CHANNELS = ['decisions', 'patterns', 'policies', 'reviews'];

export async function benchNotes(lore: Lore): Promise<Row[]> {
  for (let from = 0; from < NOTES; from += 500) {
    const notes = Array.from({ length: 500 }, (_, i) => ({
      project: `/home/dev/${(from + i) % 20}`,
      agent: `agent${(from + i) % 30}`,
      // every fifth stands in the channel of its agent
      ...((from + i) % 5 > 0 && { channel: CHANNELS[(from + i) % 4] }),
      content: `Note ${from + i}: the ${words(from + i)} of the ledger, for @agent${(from + i) % 97}`,
    }));
    await lore.post('/v1/notes', notes);
  }
  await lore.settled();
  const read = async (what: string, path: string, body?: object, limit?: number) => {
    const times: number[] = [];
    for (let i = 0; i < READS; i++) {
      const begun = performance.now();
      await (body ? lore.post(path, body) : lore.get(path));
      times.push(performance.now() - begun);
    }
    return percentiles(what, times, { p95: limit });
  };
  const project = encodeURIComponent('/home/dev/3');
  const query = 'retry of the queue';
  return [
    await read(`50 notes of ${NOTES}`, '/v1/notes?limit=50', undefined, 20),
    await read('50 notes of a project', `/v1/notes?limit=50&project=${project}`, undefined, 20),
    await read('50 notes of a channel', '/v1/notes?limit=50&channel=reviews', undefined, 20),
    await read('50 notes of an agent’s channels', '/v1/notes?limit=50&owner=agent5', undefined, 20),
    await read('50 notes that mention a name', '/v1/notes?limit=50&mention=agent5', undefined, 20),
    await read('search, no filter', '/v1/search', { query }),
    await read('search, one type', '/v1/search', { query, messageTypes: ['decision'] }),
    await read('search, one mention', '/v1/search', { query, mentions: ['agent5'] }),
    await read('search, one agent', '/v1/search', { query, onlyAgent: 'agent5' }),
  ];
}

const WORDS = [
  'queue',
  'retry',
  'pool',
  'cache',
  'index',
  'schema',
  'token',
  'worker',
  'lock',
  'batch',
  'page',
];
const words = (n: number) => [1, 7, 13].map((step) => WORDS[(n * step) % WORDS.length]).join(' ');
