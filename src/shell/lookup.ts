/**
 * Returns the entry of a table under a name from outside; undefined if there is none. Names that every object
 * has, such as `constructor`, do not count as entries.
 */
export const lookup = <T>(table: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
