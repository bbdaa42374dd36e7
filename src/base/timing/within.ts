/**
 * Returns what some work resolves to, or null if that takes longer than `ms` milliseconds. The work goes on.
 *
 * @throws what the work rejects with in time
 */
export async function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  let begin: NodeJS.Immediate | undefined;
  const late = new Promise<null>((resolve) => {
    // Most work is done at once, from memory. A timer for it would wake the process later, also after it was cleared.
    begin = setImmediate(() => {
      timer = setTimeout(() => resolve(null), ms);
    });
  });
  // a failure that comes too late must not be an unhandled rejection
  work.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    clearImmediate(begin);
    clearTimeout(timer);
  }
}
