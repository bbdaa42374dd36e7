import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { type Journal, openJournal } from '../../src/hooks/journal.ts';
import type { Entry } from '../../src/hooks/journal-file.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { startTestServer } from '../support/server.ts';

const log = createLog('silent');
const DATABASE = '11111111-0000-4000-8000-000000000000';
const USER = '00000000-0000-4000-8000-000000000000';
const OTHER = '00000000-0000-4000-8000-000000000001';

const event = (n: number, command = `echo ${n}`) => ({
  hook_event_name: 'PostToolUse',
  session_id: 'journal',
  tool_name: 'Bash',
  tool_use_id: `toolu_${n}`,
  tool_input: { command },
  tool_response: { stdout: String(n) },
});
const entry = (n: number, options: { command?: string; userId?: string } = {}): Entry => ({
  claims: { userId: options.userId ?? USER, role: 'owner' },
  event: event(n, options.command),
  at: new Date(1_760_000_000_000 + n).toISOString(),
});
const ids = (entries: Entry[]) => entries.map((one) => one.event?.tool_use_id);
const failure = (code: string) => Object.assign(new Error(`failed with ${code}`), { code });

/** Opens a journal with a store that fails as long as `fails` returns an error for one of the entries. */
function journal(options: { folder?: string; database?: string; sync?: boolean } = {}) {
  const { folder = temporaryFolder(), database = DATABASE, sync = false } = options;
  const place = { folder, database, sync };
  const state = {
    file: join(place.folder, `journal-${place.database}.jsonl`),
    refused: join(place.folder, `journal-${place.database}.refused.jsonl`),
    batches: [] as Entry[][],
    stored: [] as Entry[],
    fails: (_: Entry): Error | undefined => undefined,
    journal: undefined as unknown as Journal,
  };
  const store = async (batch: Entry[]) => {
    const error = batch.map(state.fails).find((found) => found !== undefined);
    if (error) throw error;
    state.batches.push(batch);
    state.stored.push(...batch);
  };
  const open = () => {
    state.journal = openJournal(place, store, log);
  };
  open();
  return Object.assign(state, { open });
}

describe('a journal', () => {
  // pauses before the next try are a random share of their limit
  beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0.5));
  afterEach(() => void vi.restoreAllMocks());

  test('stores its entries in order and in batches, and is empty afterwards', async () => {
    const j = journal();
    const entries = Array.from({ length: 120 }, (_, n) => entry(n));
    for (const one of entries) expect(j.journal.add(one)).toBe(true);
    expect(j.journal.status().waiting).toBe(120);
    expect(readFileSync(j.file, 'utf8').trim().split('\n')).toHaveLength(120);
    expect(j.stored).toEqual([]);
    await j.journal.drained();
    expect(j.stored).toEqual(entries);
    expect(j.batches.map((batch) => batch.length)).toEqual([50, 50, 20]);
    await expect.poll(() => statSync(j.file).size).toBe(0);
    expect(statSync(j.file).mode & 0o777).toBe(0o600);
    expect(j.journal.status().waiting).toBe(0);
    j.journal.add(entry(120));
    await j.journal.close();
    expect(j.stored).toHaveLength(121);
  });

  test('is drained for a user who waits for none but their own entries', async () => {
    const j = journal();
    for (let n = 0; n < 400; n++) j.journal.add(entry(n));
    j.journal.add(entry(400, { userId: OTHER }));
    const storedThen = j.journal.drained(OTHER).then(() => ids(j.stored));
    // who sends without pause
    for (let n = 401; n < 800; n++) j.journal.add(entry(n));
    const stored = await storedThen;
    expect(stored).toContain('toolu_400');
    expect(stored.length).toBeLessThanOrEqual(2 * 50 + 1);
    await j.journal.drained(USER);
    expect(j.stored).toHaveLength(800);
    expect(ids(j.stored.filter(({ claims }) => claims.userId === USER))).toEqual(
      Array.from({ length: 800 }, (_, n) => n).flatMap((n) => (n === 400 ? [] : `toolu_${n}`)),
    );
    await j.journal.close();
  });

  test('stores what a killed process left, except a line that was cut short', async () => {
    const folder = temporaryFolder();
    const line = JSON.stringify(entry(1));
    const file = join(folder, `journal-${DATABASE}.jsonl`);
    writeFileSync(file, `${line}\nnonsense\n${JSON.stringify(entry(2))}\n${line.slice(0, 80)}`);
    const j = journal({ folder });
    // added before the old ones are stored, to see that it does not become part of the cut line
    j.journal.add(entry(3));
    expect(readFileSync(file, 'utf8')).toContain(`\n${JSON.stringify(entry(3))}\n`);
    await j.journal.drained();
    expect(ids(j.stored)).toEqual(['toolu_1', 'toolu_2', 'toolu_3']);
    // a complete line that is no entry is kept for a person to look at
    expect(readFileSync(j.refused, 'utf8')).toContain('nonsense');
    await j.journal.close();
  });

  test('stores an event without its check or its offers when these are malformed', async () => {
    const folder = temporaryFolder();
    const lines = [
      { ...entry(1), check: { decision: 'perhaps' } },
      { ...entry(2), check: 'allow', offers: 'none' },
      { ...entry(3), offers: [{ kind: 'lesson' }] },
      entry(4),
      { ...entry(5), event: { hook_event_name: 'PostToolUse' } },
      { ...entry(6), at: 'now' },
    ];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    writeFileSync(join(folder, `journal-${DATABASE}.jsonl`), text);
    const j = journal({ folder });
    await j.journal.drained();
    expect(ids(j.stored)).toEqual(['toolu_1', 'toolu_2', 'toolu_3', 'toolu_4']);
    for (const { check, offers } of j.stored) expect([check, offers]).toEqual([undefined, undefined]);
    expect(j.journal.status().refused.map(({ reason }) => reason)).toEqual([
      'not a line of a journal',
      'not a line of a journal',
    ]);
    await j.journal.close();
  });

  test.each(['22P05'])(
    'puts aside what the database refuses for good (%s), with the reason, and tries it again on request',
    async (code) => {
      const j = journal();
      j.fails = (one) => (one.event?.tool_use_id === 'toolu_1' ? failure(code) : undefined);
      for (const n of [0, 1, 2]) j.journal.add(entry(n));
      await j.journal.drained();
      expect(ids(j.stored)).toEqual(['toolu_0', 'toolu_2']);
      expect(j.journal.status()).toMatchObject({
        waiting: 0,
        stuck: null,
        refused: [{ reason: `failed with ${code}`, event: 'PostToolUse', session: 'journal' }],
      });
      expect(statSync(j.refused).mode & 0o777).toBe(0o600);
      j.fails = () => undefined;
      expect(j.journal.retryRefused()).toBe(1);
      await j.journal.drained();
      expect(ids(j.stored)).toEqual(['toolu_0', 'toolu_2', 'toolu_1']);
      expect(j.journal.status().refused).toEqual([]);
      await j.journal.close();
    },
  );

  test.each([['a statement that took too long', failure('57014')]])(
    'stores what other users sent while one user cannot be stored because of %s',
    async (_name, error) => {
      const folder = temporaryFolder();
      const j = journal({ folder });
      j.fails = (one) => (one.event?.tool_use_id === 'toolu_1' ? error : undefined);
      for (const n of [0, 1, 2]) j.journal.add(entry(n));
      const command = 'x'.repeat(400_000);
      for (const n of [3, 4, 5]) j.journal.add(entry(n, { userId: OTHER, command }));
      await j.journal.drained();
      expect(ids(j.stored).sort()).toEqual(['toolu_0', 'toolu_3', 'toolu_4', 'toolu_5']);
      expect(j.journal.status()).toMatchObject({ waiting: 2, stuck: expect.stringContaining('failed') });
      // much that is stored does not wait in the file either, where a kill would leave it
      await expect
        .poll(() => readFileSync(j.file, 'utf8'))
        .toBe([1, 2].map((n) => `${JSON.stringify(entry(n))}\n`).join(''));
      expect(statSync(j.file).mode & 0o777).toBe(0o600);
      // the file is another one now; what comes then is in it
      j.journal.add(entry(6, { userId: OTHER }));
      expect(readFileSync(j.file, 'utf8')).toContain('toolu_6');
      await j.journal.drained();
      expect(ids(j.stored).at(-1)).toBe('toolu_6');
      j.fails = () => undefined;
      await expect.poll(() => ids(j.stored).slice(5)).toEqual(['toolu_1', 'toolu_2']);
      await j.journal.close();
      expect(statSync(j.file).size).toBe(0);
      expect(existsSync(j.refused)).toBe(false);
    },
  );

  test.each([
    ['a full disk at commit', new Error('failed', { cause: failure('53100') })],
    ['a missing right', failure('42501')],
    ['a server that is not there', failure('ECONNREFUSED')],
  ])('keeps what cannot be stored because of %s, over a restart too', async (_name, error) => {
    const j = journal();
    let broken = true;
    j.fails = () => (broken ? error : undefined);
    j.journal.add(entry(0));
    await j.journal.drained();
    j.journal.add(entry(1));
    await j.journal.drained();
    expect(j.journal.status()).toMatchObject({ waiting: 2, stuck: expect.stringContaining('failed') });
    await j.journal.close();
    j.open();
    await j.journal.drained();
    expect(j.stored).toEqual([]);
    broken = false;
    await expect.poll(() => ids(j.stored)).toEqual(['toolu_0', 'toolu_1']);
    await j.journal.close();
    expect(statSync(j.file).size).toBe(0);
    expect(existsSync(j.refused)).toBe(false);
  });

  test('leaves long entries, and those after its end, to the caller', async () => {
    const j = journal();
    expect(j.journal.add(entry(0, { command: 'x'.repeat(1_100_000) }))).toBe(false);
    await j.journal.close();
    expect(j.journal.add(entry(0))).toBe(false);
    expect(readFileSync(j.file, 'utf8')).toBe('');
  });

  test('asks senders to wait when they are faster than the database', async () => {
    const j = journal();
    for (let n = 0; n < 100; n++) j.journal.add(entry(n));
    expect(j.journal.isBehind(USER)).toBe(false);
    j.journal.add(entry(100));
    expect([j.journal.isBehind(USER), j.journal.isBehind(OTHER)]).toEqual([true, false]);
    await j.journal.drained();
    expect(j.journal.isBehind(USER)).toBe(false);
    expect(j.stored).toHaveLength(101);
    await j.journal.close();
  });
});

describe('a server', async () => {
  const server = await startTestServer({ LORE_MODEL_DIR: '' });
  const place = { cwd: '/home/dev/journal' };
  const onDisk = () =>
    readdirSync(server.home)
      .filter((name) => name.startsWith('journal-'))
      .map((name) => readFileSync(join(server.home, name), 'utf8'))
      .join('');

  test('shows an event to every request after its answer', async () => {
    for (let n = 0; n < 20; n++) {
      await server.hook({ ...event(n), ...place });
      const { body } = await server.request('GET', '/v1/sessions/journal?events=100');
      expect(body.events).toHaveLength(n + 1);
    }
    await expect.poll(onDisk).toBe('');
  });
});

describe('a server without a journal', async () => {
  const server = await startTestServer({ LORE_MODEL_DIR: '', LORE_JOURNAL: 'off' });

  test('stores an event before it answers, and keeps no file', async () => {
    expect(await server.hook({ ...event(1), cwd: '/home/dev/journal' })).toEqual({});
    expect(await server.rows("select tool_use_id from events where tool_use_id = 'toolu_1'")).toHaveLength(1);
    expect(readdirSync(server.home).filter((name) => name.startsWith('journal'))).toEqual([]);
  });
});
