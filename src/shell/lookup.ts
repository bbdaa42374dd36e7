/**
 * Returns the entry of a table under a name from outside. Names that every object has, such as `constructor`, are no
 * entries.
 */
export const lookup = <T>(table: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
