/** In milliseconds. The hook waits for the verdict, and the agent waits for the hook. */
const TIME_LIMIT_MS = 1_000;

/**
 * Returns a function that says whether a user lets the model be asked (the kill switch of `PUT /v1/settings`). It reads
 * the user's row of `settings` with the user's own token, through the project's REST API. A user without a row has not
 * turned it off. If the row cannot be read, the model is not asked: the rules still answer.
 *
 * @param env SUPABASE_URL and SUPABASE_ANON_KEY, which Supabase gives to every function; without them nothing is read,
 *   and the answer is always yes
 */
export function createMaySpend(env: Record<string, string | undefined>) {
  const { SUPABASE_URL: url, SUPABASE_ANON_KEY: apikey } = env;
  return async (authorization: string): Promise<boolean> => {
    if (!url || !apikey) return true;
    try {
      const response = await fetch(`${url.replace(/\/+$/, '')}/rest/v1/settings?select=model_spending`, {
        headers: { apikey, authorization },
        signal: AbortSignal.timeout(TIME_LIMIT_MS),
      });
      const rows: unknown = response.ok ? await response.json() : null;
      return Array.isArray(rows) && rows.every((row) => row?.model_spending === true);
    } catch {
      return false;
    }
  };
}
