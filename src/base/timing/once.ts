/**
 * Returns a function that works something out when it is first called, and keeps it. What throws is tried again.
 *
 * @example const tree = once(() => parse(text)); tree(); tree(); // parsed once
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
