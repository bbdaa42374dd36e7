import { migrateDatabase } from './migrate.ts';
import { type Database, query, unusable } from './open.ts';

/** Opens a database, migrates it and checks what a server may do there. A failure leaves nothing open. */
export async function openReady(
  open: () => Promise<Database>,
  migrateUrl: string | undefined,
): Promise<Database> {
  const db = await open();
  try {
    await migrateDatabase(db, migrateUrl);
    await checkRights(db);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** `bypasses`: the owner of Lore's functions looks past row level security, which it must to look up a key */
type Rights = Record<'me' | 'owner', string> & Record<'bypasses' | 'calls' | 'enters' | 'finds', boolean>;

/**
 * Checks that the role of DATABASE_URL can do a server's work. It need not own anything.
 *
 * @throws Problem (503) that says which statement gives what is missing
 */
export async function checkRights(db: Database): Promise<void> {
  if (db.engine === 'pglite') return;
  const [rights] = await query<Rights>(db.drizzle)`
    select current_user::text as me, o.rolname::text as owner, o.rolsuper or o.rolbypassrls as bypasses,
      has_schema_privilege(n.oid, 'usage') and has_function_privilege(p.oid, 'execute') as calls,
      pg_has_role('lore_user', 'set') as enters, to_regtype('vector') is not null as finds
    from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    join pg_roles o on o.oid = p.proowner
    where n.nspname = 'lore' and p.proname = 'authenticate'`;
  if (!rights) throw lacking('lore.authenticate is missing: the database is damaged');
  const { me, owner, bypasses, calls, enters, finds } = rights;
  if (!bypasses) {
    throw lacking(
      `${owner} owns Lore's functions and must look past row level security, to look up keys. ` +
        `As a superuser: alter role ${owner} bypassrls`,
    );
  }
  if (!calls || !enters) {
    const role = calls ? 'lore_user' : 'lore_server';
    throw lacking(`${me} lacks rights. As a superuser or as who made the role: grant ${role} to ${me}`);
  }
  if (!finds) {
    throw lacking(
      `${me} does not find the type vector: alter role ${me} set search_path = public, extensions`,
    );
  }
}

const lacking = (detail: string) => unusable(`DATABASE_URL: ${detail}.`);
