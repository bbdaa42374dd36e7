/**
 * Returns what some work resolves to, or null if that takes longer than `ms` milliseconds. The work goes on.
 *
 * @throws what the work rejects with in time
 */
export async function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  // a failure that comes too late is nobody's any more
  work.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
