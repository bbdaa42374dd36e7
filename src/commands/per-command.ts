/**
 * Returns a function that remembers for each object what it returned the first time. Hundreds of conditions ask the same of
 * one command, and each judgement of a line has commands of its own.
 */
export function perCommand<Key extends object, Rest extends unknown[], Value>(
  find: (key: Key, ...rest: Rest) => Value,
): (key: Key, ...rest: Rest) => Value {
  const known = new WeakMap<Key, { value: Value }>();
  return (key, ...rest) => {
    const before = known.get(key);
    if (before) return before.value;
    const value = find(key, ...rest);
    known.set(key, { value });
    return value;
  };
}
