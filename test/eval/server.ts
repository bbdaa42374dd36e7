import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/base/config.ts';
import { type Database, openDatabase } from '../../src/db/open.ts';
import { type RunningServer, startServer } from '../../src/server/compose.ts';
import { insisting } from '../support/asking.ts';

/** What an eval plays against. */
export type Lore = RunningServer & {
  db: Database;
  /** what is removed at the end: the data are in it, and the transcripts of the client may be in `projects` */
  folder: string;
  /** sends a request as the owner; rejects unless it succeeds */
  ask: ReturnType<typeof insisting>;
  /** sends an event, and returns what its answer says to the client */
  hook(event: object): Promise<{ permissionDecision?: string; additionalContext?: string }>;
};

/** Runs a server in this process on an empty folder while `work` goes on. `env` is what it is told besides. */
export async function withLore<T>(
  work: (lore: Lore) => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'lore-eval-'));
  const home = join(folder, 'lore');
  const usual = { LORE_HOME: home, LORE_PORT: '0', LORE_LOG_LEVEL: 'warn', CLAUDE_CONFIG_DIR: folder };
  // an agent may run this
  const config = readConfig({ ...process.env, DATABASE_URL: '', ...usual, LORE_CHECK_SENDER: 'off', ...env });
  let db: Database | undefined;
  const server = await startServer(config, {
    openDatabase: async () => {
      db = await openDatabase(config);
      return db;
    },
  });
  try {
    const { state } = await server.embedder.ready;
    if (state !== 'ready' && env.LORE_MODEL_DIR !== '')
      throw new Error('the embedding model could not be loaded');
    const ask = insisting(server.url, server.key);
    const hook: Lore['hook'] = async (event) =>
      (await ask('POST', '/v1/hooks', event)).hookSpecificOutput ?? {};
    return await work({ ...server, db: db as unknown as Database, folder, ask, hook });
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
