/**
 * Ends a statement that would never end, on both engines (SQLSTATE 57014): it would hold a connection, or the embedded
 * engine, for as long as somebody else holds a lock. Generous: Lore's slowest own statement takes seconds on a slow
 * machine.
 */
export const MAX_STATEMENT_MS = 30_000;
