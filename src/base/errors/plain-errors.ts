/** Turns an error, or one in the field `error`, into a plain object: a copy of it, or its JSON, would lose its fields. */
export function plainErrors(arg: unknown): unknown {
  if (arg instanceof Error) return { error: described(arg) };
  if (typeof arg === 'object' && arg !== null && 'error' in arg && arg.error instanceof Error) {
    return { ...arg, error: described(arg.error) };
  }
  return arg;
}

/** Most causes of an error that are logged. A chain of causes could be a circle. */
const MAX_CAUSES = 10;

/** Returns an error with its causes. The database's own error is the cause of the one that Drizzle throws. */
function described(error: Error, depth = 1): object {
  const { name, message, stack, cause } = error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const more = cause === undefined || depth >= MAX_CAUSES ? {} : { cause: asCause(cause, depth) };
  return { name, message, ...code, stack, ...more };
}

const asCause = (cause: unknown, depth: number) =>
  cause instanceof Error ? described(cause, depth + 1) : String(cause);
