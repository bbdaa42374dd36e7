/** What a table holds under a name that somebody else chose; not what every object has, as `constructor`. */
export const lookup = <T>(table: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
