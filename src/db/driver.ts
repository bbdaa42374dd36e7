export type Parser = (text: string, type: number) => unknown;

/** How the caller wants its rows; Drizzle passes these. `parsers`: by type number; they win over PGlite's own. */
export type RowOptions = { rowMode?: 'array' | 'object'; parsers?: Record<number, Parser> };

/** The rows that a statement returned, and its columns. */
export type Rows = { rows: Record<string, unknown>[]; fields: { name: string; dataTypeID: number }[] };
/** Runs a statement. One with `options` is kept prepared, where that can be. */
export type Query = (text: string, params?: unknown[], options?: RowOptions) => Promise<Rows>;

/** The driver's side of a transaction, on either engine. */
export type Transaction = {
  query: Query;
  /**
   * Sets what holds for the whole transaction. Must be called before its first statement. If it fails, all later statements
   * fail too, so nobody need wait for it.
   */
  enter(settings: Record<string, string>, readOnly: boolean): Promise<unknown>;
  /** Runs one statement once, and ends it after `limitMs` (SQLSTATE 57014). A text with several statements is refused. */
  single(text: string, limitMs: number): Promise<Rows>;
};

/**
 * Returns the driver's own transaction below one of Drizzle's, which Drizzle shows to nobody.
 *
 * @throws {Error} when a new version of Drizzle keeps it elsewhere
 */
export function driverOf<T>(tx: object): T {
  const client = (tx as { session?: { client?: T } }).session?.client;
  if (client === undefined) throw new Error('this version of Drizzle keeps its driver elsewhere');
  return client;
}

/**
 * Returns a transaction in the form that Drizzle's migrator takes. It begins one of its own, which is a savepoint here, so
 * that a lock taken before lasts until the migrations are committed.
 */
export function insideOf(tx: object): { dialect: unknown; session: unknown } {
  const outer = tx as {
    dialect: unknown;
    session: object;
    transaction(work: (nested: unknown) => Promise<unknown>): Promise<unknown>;
  };
  const { dialect, session } = outer;
  const transaction: typeof outer.transaction = (work) => outer.transaction(work);
  return { dialect, session: Object.create(session, { transaction: { value: transaction } }) };
}

/**
 * Ends a statement that would never end, on both engines (SQLSTATE 57014): it would hold a connection, or the embedded
 * engine, for as long as somebody else holds a lock. Generous: Lore's slowest own statement takes seconds on a slow machine.
 */
export const MAX_STATEMENT_MS = 30_000;
