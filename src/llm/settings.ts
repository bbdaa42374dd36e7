import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';

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
  const [row] = await query<{
    spending: boolean;
    claude: boolean;
    shapes: boolean;
    permissions: Settings['permissions'];
    voice: Record<string, string>;
  }>(
    tx,
    sql`select model_spending as spending, claude_login as claude, shapes, permissions, voice from settings where user_id = auth.uid()`,
  );
  return {
    modelSpending: row?.spending === false ? 'off' : 'on',
    claudeLogin: row?.claude === true ? 'on' : 'off',
    shapes: row?.shapes === false ? 'off' : 'on',
    permissions: row?.permissions ?? 'allow',
    voice: row?.voice ?? {},
  };
}

/** Returns how much the caller wants to be told of each kind of offer, where it differs from the usual. */
export const readVoice = async (tx: Tx): Promise<Settings['voice']> => (await readSettings(tx)).voice;

/** Settings to change; those that are undefined stay as they are. */
export type SettingsChange = { [K in keyof Settings]?: Settings[K] | undefined };

/** Changes those of the caller's settings that are given. It holds from the next call of the model on. */
export async function changeSettings(tx: Tx, wanted: SettingsChange): Promise<Settings> {
  const now = await readSettings(tx);
  const spending = (wanted.modelSpending ?? now.modelSpending) === 'on';
  const login = (wanted.claudeLogin ?? now.claudeLogin) === 'on';
  const shapes = (wanted.shapes ?? now.shapes) === 'on';
  const permissions = wanted.permissions ?? now.permissions;
  const voice = JSON.stringify({ ...now.voice, ...wanted.voice });
  await query(
    tx,
    sql`insert into settings (model_spending, claude_login, shapes, permissions, voice)
        values (${spending}, ${login}, ${shapes}, ${permissions}, ${voice}::jsonb)
        on conflict (user_id) do update set model_spending = excluded.model_spending,
          claude_login = excluded.claude_login, shapes = excluded.shapes, permissions = excluded.permissions,
          voice = excluded.voice, updated_at = now()`,
  );
  // servers keep the shapes in memory, see `verdict-memory.ts`
  if (wanted.shapes !== undefined) await query(tx, sql`select pg_notify('lore_verdicts', auth.uid()::text)`);
  return readSettings(tx);
}
