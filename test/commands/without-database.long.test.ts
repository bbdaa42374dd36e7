import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { asUser } from '../../src/db/as-user.ts';
import { type Database, openDatabase, query } from '../../src/db/open.ts';
import { type RunningServer, startServer } from '../../src/server/compose.ts';
import { noEmbedder, testDatabase } from '../support/server.ts';

// PostgreSQL is stopped or hangs behind a proxy on loopback. The embedded engine hangs in a transaction that does not
// end, or is dead because its thread was ended.

type Away = { name: string; begin: () => Promise<void>; end: () => Promise<void> };
type Lore = { server: RunningServer; aways: Away[]; db: Database };

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** A proxy to PostgreSQL that can be cut off, or keep its connections and say nothing more. */
async function proxyTo(
  url: string,
): Promise<{ url: string; cut(): void; hang(): void; mend(): Promise<void> }> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let silent = false;
  let server: Server;
  const listen = async (port: number) => {
    server = createServer((near) => {
      const far = new Socket().connect(Number(target.port || 5432), target.hostname);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(from);
        from.on('data', (bytes) => {
          if (!silent) to.write(bytes);
        });
        from.on('error', () => to.destroy());
        from.on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
      }
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  const port = await listen(0);
  undo.push(async () => cut());
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${port}`;
  return {
    url: proxied.href,
    cut,
    hang() {
      silent = true;
    },
    async mend() {
      cut();
      silent = false;
      await listen(port);
    },
  };
}

async function start(env: Record<string, string> = {}): Promise<Lore> {
  const home = mkdtempSync(join(tmpdir(), 'lore-home-'));
  undo.push(async () => rmSync(home, { recursive: true, force: true }));
  const database = await testDatabase();
  const proxy = database.url === undefined ? null : await proxyTo(database.url);
  const config = readConfig({
    LORE_HOME: home,
    LORE_PORT: '0',
    LORE_LOG_LEVEL: 'silent',
    ...(proxy && { DATABASE_URL: proxy.url }),
    ...env,
  });
  let db: Database | undefined;
  const server = await startServer(config, {
    openDatabase: async () => {
      db = await (proxy ? openDatabase(config) : database.open());
      return db;
    },
    embedder: await noEmbedder(),
  });
  undo.push(() => server.stop());
  const opened = db as unknown as Database;
  return {
    server,
    db: opened,
    aways: proxy ? behind(proxy) : embedded(opened, join(database.home, 'pgdata')),
  };
}

const behind = (proxy: Awaited<ReturnType<typeof proxyTo>>): Away[] => [
  { name: 'stopped', begin: async () => proxy.cut(), end: () => proxy.mend() },
  { name: 'hanging', begin: async () => proxy.hang(), end: () => proxy.mend() },
];

const owner = { userId: '00000000-0000-4000-8000-000000000000', role: 'owner' as const };

function embedded(db: Database, folder: string): Away[] {
  let release = () => {};
  let held: Promise<unknown> = Promise.resolve();
  return [
    {
      name: 'hanging',
      async begin() {
        const released = new Promise<void>((resolve) => {
          release = resolve;
        });
        let begun = false;
        held = asUser(db, owner, async (tx) => {
          await query(tx, sql`select 1`);
          begun = true;
          await released;
        });
        await expect.poll(() => begun).toBe(true);
      },
      async end() {
        release();
        await held;
      },
    },
    {
      // the thread has ended, and finds no database to open again
      name: 'dead',
      async begin() {
        const slow = asUser(db, owner, async (tx) => {
          await query(tx, sql`select 1`);
          renameSync(folder, `${folder}.away`);
          writeFileSync(folder, '');
          await db.single(tx, 'select pg_sleep(60)', 50);
        });
        await expect(slow).rejects.toMatchObject({ code: '57014' });
      },
      async end() {
        rmSync(folder);
        renameSync(`${folder}.away`, folder);
      },
    },
  ];
}

const POSTGRES = process.env.TEST_DATABASE_URL !== undefined;
const names = POSTGRES ? ['stopped', 'hanging'] : ['hanging', 'dead'];

const post = async ({ server }: Lore, path: string, body: unknown, key = server.key) => {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails if it is missing
  return { status: response.status, body: (await response.json()) as any };
};
const check = (lore: Lore, command: string, key?: string) =>
  post(lore, '/v1/commands/check', { command, cwd: '/home/dev/away' }, key);
let calls = 0;
const hook = (lore: Lore, command: string, key?: string, session = 'away') =>
  post(
    lore,
    '/v1/hooks',
    {
      hook_event_name: 'PreToolUse',
      session_id: session,
      cwd: '/home/dev/away',
      tool_name: 'Bash',
      tool_input: { command },
      tool_use_id: `away_${calls++}`,
    },
    key,
  );
const decisionOf = ({ status, body }: Awaited<ReturnType<typeof hook>>) =>
  [status, body.decision ?? body.hookSpecificOutput?.permissionDecision] as const;

describe.each(names)('with the database %s', (name) => {
  const away = async (lore: Lore, work: () => Promise<void>) => {
    const how = lore.aways.find((one) => one.name === name) as Away;
    await how.begin();
    try {
      await work();
    } finally {
      await how.end();
    }
  };
  const asks = [check, hook];
  const decisions = (lore: Lore, command: string) =>
    Promise.all(asks.map(async (ask) => decisionOf(await ask(lore, command))));
  const both = (decision: string) => asks.map(() => [200, decision]);

  test.each([
    ['with a journal', {}],
    ['without a journal', { LORE_JOURNAL: 'off' }],
  ])(
    'rules answer by hook and by check, %s, and a key not seen before is told that it cannot be verified',
    {
      timeout: 30_000,
    },
    async (_, env) => {
      const lore = await start(env);
      // the server's own key is known then, the new one is not
      const unseen = (await post(lore, '/v1/users', { name: 'ann' })).body.key;
      await away(lore, async () => {
        expect(await decisions(lore, 'rm -rf /')).toEqual(both('deny'));
        expect(await decisions(lore, 'git status')).toEqual(both('allow'));
        expect(decisionOf(await check(lore, 'frobnicate'))).toEqual([200, 'ask']);
        expect(decisionOf(await hook(lore, 'rm -rf /', lore.server.key, 'new'))).toEqual([200, 'deny']);
        for (const { status, body } of await Promise.all(asks.map((ask) => ask(lore, 'rm -rf /', unseen)))) {
          expect([status, body.title]).toEqual([503, 'Key cannot be verified']);
        }
      });
    },
  );

  // a database that hangs keeps whoever asks waiting
  if (name !== 'hanging') {
    test('whoever asks for data, or changes it, is told that the database is away', async () => {
      const lore = await start();
      const known = await post(lore, '/v1/search', { query: 'x', project: 'away' });
      expect(known.status).toBe(200);
      await away(lore, async () => {
        const answers = await Promise.all([
          post(lore, '/v1/search', { query: 'x', project: 'away' }),
          post(lore, '/v1/users', { name: 'bob' }),
        ]);
        for (const { body } of answers) {
          expect(body).toMatchObject({ status: 503, title: 'Database does not answer' });
        }
      });
    });
  }

  test('what only the database could allow is denied when the server fails closed', {
    timeout: 30_000,
  }, async () => {
    const lore = await start({ LORE_FAIL_MODE: 'closed' });
    const reset = await check(lore, 'git reset --hard');
    await post(lore, '/v1/commands/overrule', { code: reset.body.code, decision: 'allow', once: true });
    await away(lore, async () => {
      for (const command of ['rm -rf /', 'frobnicate', 'git reset --hard']) {
        expect(await decisions(lore, command)).toEqual(both('deny'));
      }
      expect(await decisions(lore, 'git status')).toEqual(both('allow'));
    });
  });
});
