import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { settings } from './schema.ts';

/** What is not set is as usual; schema.ts says what each means. */
export type Settings = Awaited<ReturnType<typeof readSettings>>;
const onOff = (is: boolean): 'on' | 'off' => (is ? 'on' : 'off');

/** Returns the caller's settings. */
export async function readSettings(tx: Tx) {
  const [row] = await tx.select().from(settings);
  return {
    modelSpending: onOff(row?.modelSpending !== false),
    claudeLogin: onOff(row?.claudeLogin === true),
    shapes: onOff(row?.shapes !== false),
    permissions: row?.permissions ?? ('allow' as const),
    voice: (row?.voice ?? {}) as Record<string, string>,
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
