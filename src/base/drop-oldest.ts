/** Keeps a map or a set that remembers things at most `max` entries long, by taking out those that were added first. */
export function dropOldest(kept: Map<string, unknown> | Set<string>, max: number): void {
  while (kept.size > max) kept.delete(kept.keys().next().value as string);
}
