import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { settings } from './schema.ts';

export type Settings = {
  /** `off`: the model is asked nothing, and rules do what they can without it */
  modelSpending: 'on' | 'off';
  /** `on`: the owner's own Claude Code login may be asked in the background, where no other model is set up */
  claudeLogin: 'on' | 'off';
  /** whether the shape of a command that a person lets run is allowed from then on */
  shapes: 'on' | 'off';
  /** what the answers to calls may say to the client, where a project has no setting of its own */
  permissions: 'allow' | 'deny-only' | 'judge-only';
  /** how much is told of each kind of offer, where it differs from the usual */
  voice: Record<string, string>;
};

/** Returns the caller's settings. */
export async function readSettings(tx: Tx): Promise<Settings> {
  const [row] = await tx.select().from(settings);
  return {
    modelSpending: row?.modelSpending === false ? 'off' : 'on',
    claudeLogin: row?.claudeLogin === true ? 'on' : 'off',
    shapes: row?.shapes === false ? 'off' : 'on',
    permissions: row?.permissions ?? 'allow',
    voice: row?.voice ?? {},
  };
}

/** Settings to change; those that are undefined stay as they are. */
export type SettingsChange = { [K in keyof Settings]?: Settings[K] | undefined };

/** Changes those of the caller's settings that are given. It holds from the next call of the model on. */
export async function changeSettings(tx: Tx, wanted: SettingsChange): Promise<Settings> {
  const now = await readSettings(tx);
  const row = {
    modelSpending: (wanted.modelSpending ?? now.modelSpending) === 'on',
    claudeLogin: (wanted.claudeLogin ?? now.claudeLogin) === 'on',
    shapes: (wanted.shapes ?? now.shapes) === 'on',
    permissions: wanted.permissions ?? now.permissions,
    voice: { ...now.voice, ...wanted.voice } as typeof settings.$inferInsert.voice,
    updatedAt: sql`now()` as unknown as Date,
  };
  await tx.insert(settings).values(row).onConflictDoUpdate({ target: settings.userId, set: row });
  // servers keep the shapes in memory, see `verdict-memory.ts`
  if (wanted.shapes !== undefined) await query(tx)`select pg_notify('lore_verdicts', auth.uid()::text)`;
  return readSettings(tx);
}
