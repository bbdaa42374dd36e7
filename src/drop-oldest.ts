/** Keeps a map that remembers things at most `max` entries long, by taking out the one that was added first. */
export function dropOldest(map: Map<string, unknown>, max: number): void {
  if (map.size > max) map.delete(map.keys().next().value as string);
}
