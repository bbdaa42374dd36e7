import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { asUser } from '../../src/db/as-user.ts';
import { query } from '../../src/db/open.ts';
import { type Entry, openJournal } from '../../src/hooks/journal.ts';
import { createLog } from '../../src/log.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'lore-journal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const log = createLog('silent');
const entry = (n: number, command = `echo ${n}`): Entry => ({
  claims: { userId: '00000000-0000-4000-8000-000000000000', role: 'owner' },
  event: {
    hook_event_name: 'PostToolUse',
    session_id: 'journal',
    tool_name: 'Bash',
    tool_use_id: `toolu_${n}`,
    tool_input: { command },
    tool_response: { stdout: String(n) },
  },
  at: new Date(1_760_000_000_000 + n).toISOString(),
});
const ids = (entries: Entry[]) => entries.map(({ event }) => event.tool_use_id);
const name = (() => {
  let n = 0;
  return () => join(folder, `${++n}.jsonl`);
})();

describe('a journal', () => {
  test('stores what it took, in order, and keeps nothing of it then', async () => {
    const file = name();
    const stored: Entry[] = [];
    const journal = openJournal(file, async (one) => void stored.push(one), log);
    const entries = Array.from({ length: 50 }, (_, n) => entry(n));
    for (const one of entries) expect(journal.add(one)).toBe(true);
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(50);
    expect(stored).toEqual([]);
    await journal.drained();
    expect(stored).toEqual(entries);
    expect(statSync(file).size).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await journal.close();
  });

  test('takes up what a killed process left, but for a line that was cut short', async () => {
    const file = name();
    const line = JSON.stringify(entry(1));
    writeFileSync(file, `${line}\n${JSON.stringify(entry(2))}\n${line.slice(0, 80)}`);
    const stored: Entry[] = [];
    const journal = openJournal(file, async (one) => void stored.push(one), log);
    // before the old ones are stored: it must not become part of the cut line
    journal.add(entry(3));
    expect(readFileSync(file, 'utf8')).toContain(`\n${JSON.stringify(entry(3))}\n`);
    await journal.drained();
    expect(ids(stored)).toEqual(['toolu_1', 'toolu_2', 'toolu_3']);
    await journal.close();
  });

  test('passes over what the database refuses', async () => {
    const stored: Entry[] = [];
    const store = async (one: Entry) => {
      if (one.event.tool_use_id === 'toolu_1') throw new Error('refused', { cause: { code: '23503' } });
      stored.push(one);
    };
    const journal = openJournal(name(), store, log);
    for (const n of [0, 1, 2]) journal.add(entry(n));
    await journal.drained();
    expect(ids(stored)).toEqual(['toolu_0', 'toolu_2']);
    await journal.close();
  });

  test('keeps what cannot be stored for now, over a restart too', async () => {
    const file = name();
    let full = true;
    const stored: Entry[] = [];
    const store = async (one: Entry) => {
      if (full) throw new Error('no space', { cause: { code: '53100' } });
      stored.push(one);
    };
    const first = openJournal(file, store, log);
    first.add(entry(0));
    await first.drained();
    first.add(entry(1));
    await first.drained();
    expect(stored).toEqual([]);
    await first.close();
    const second = openJournal(file, store, log);
    await second.drained();
    full = false;
    await expect.poll(() => ids(stored), { timeout: 5_000 }).toEqual(['toolu_0', 'toolu_1']);
    await second.close();
    expect(statSync(file).size).toBe(0);
  });

  test('leaves to the caller what is long, what the database would refuse, and too much at once', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const journal = openJournal(name(), () => held, log);
    expect(journal.add(entry(0, 'x'.repeat(200_000)))).toBe(false);
    expect(journal.add(entry(0, 'a\0b'))).toBe(false);
    expect(journal.add(entry(0, 'a\ud800b'))).toBe(false);
    const taken = Array.from({ length: 300 }, (_, n) => journal.add(entry(n)));
    expect(taken.slice(0, 200)).not.toContain(false);
    expect(taken.slice(200)).not.toContain(true);
    release();
    await journal.close();
  });
});

/** Its server is started here, not in `describe.skipIf`, which would start it all the same and never stop it. */
function onTheEmbeddedEngine(server: TestServer) {
  const file = join(server.home, 'journal.jsonl');

  test('shows an event to whoever asks after it was answered', async () => {
    for (let n = 0; n < 20; n++) {
      await server.hook({ ...entry(n).event, cwd: '/home/dev/journal' });
      const { body } = await server.request('GET', '/v1/sessions/journal?events=100');
      expect(body.events).toHaveLength(n + 1);
    }
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  test('keeps the check of an allowed command once, however often it is asked about', async () => {
    const event = {
      ...entry(40, 'git status').event,
      hook_event_name: 'PreToolUse',
      cwd: '/home/dev/journal',
    };
    const answers = [await server.hook(event), await server.hook(event)];
    for (const { hookSpecificOutput } of answers) expect(hookSpecificOutput.permissionDecision).toBe('allow');
    expect(
      await server.rows(`select c.decision, c.source, e.event from command_checks c
        join events e on e.session_id = c.session_id and e.tool_use_id = 'toolu_40' where c.command = 'git status'`),
    ).toEqual([{ decision: 'allow', source: 'policy', event: 'PreToolUse' }]);
  });

  test('answers while the database is busy, and keeps no secret on disk', async () => {
    const { body: me } = await server.request('GET', '/v1/me');
    let release = () => {};
    const busy = asUser(server.db, { userId: me.userId, role: 'owner' }, async (tx) => {
      await query(tx, sql`select 1`);
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const event = entry(30, `curl -H "Authorization: token ${secret}" example.org`).event;
    expect(await server.hook({ ...event, tool_response: { stdout: secret } })).toEqual({});
    const kept = readFileSync(file, 'utf8');
    release();
    await busy;
    expect(kept).toContain('toolu_30');
    expect(kept).not.toContain(secret);
    expect(await server.rows("select 1 from events where tool_use_id = 'toolu_30'")).toHaveLength(1);
  });
}

if (!process.env.TEST_DATABASE_URL) {
  const server = await startTestServer({ LORE_MODEL_DIR: '' });
  describe('a server on the embedded engine', () => onTheEmbeddedEngine(server));
}
