import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { type Finding, inspectDatabase } from '../db/inspect.ts';
import { Problem } from '../errors/problem.ts';
import { packageRoot } from '../files/package-root.ts';

export const badOption = (field: string, detail: string, message: string) =>
  new Problem({ status: 400, title: 'Bad option', detail, errors: [{ field, message }] });

/** Returns the names of the Edge Functions, which are folders; none where Lore is installed from npm. */
export function edgeFunctions(): string[] {
  const folder = fileURLToPath(new URL('edge-functions', packageRoot));
  const all = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  return all.flatMap((one) => (one.isDirectory() ? [one.name] : [])).sort();
}

/**
 * Checks a hosted database and project, of which DATABASE_URL and SUPABASE_URL are the addresses. It asks no server of Lore
 * and changes nothing.
 */
export async function remoteChecks(config: Config): Promise<Finding[]> {
  if (config.databaseUrl === undefined)
    throw badOption('DATABASE_URL', '--remote looks at the database of DATABASE_URL: set it.', 'is not set');
  const { url } = config.supabase;
  const unset = {
    name: 'project',
    ok: true,
    detail: 'SUPABASE_URL is not set: functions and tokens are not looked at',
  };
  const [database, ...rest] = await Promise.all([
    inspectDatabase(config),
    ...(url === undefined ? [unset] : [checkTokens(config, url)]),
    ...(url === undefined ? [] : edgeFunctions().map((name) => checkFunction(url, name))),
  ]);
  return [...database, ...rest];
}

/** Asks an address of the project. @param look returns what is wrong with the answer, or that it is well */
async function checked(
  name: string,
  address: string,
  method: string,
  look: (answer: Response, text: string) => [ok: boolean, detail: string],
): Promise<Finding> {
  try {
    const answer = await fetch(address, { method, signal: AbortSignal.timeout(15_000) });
    const [ok, detail] = look(answer, await answer.text());
    return { name, ok, detail };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { message?: string; code?: string } };
    return {
      name,
      ok: false,
      detail: `${address} does not answer: ${cause?.message || cause?.code || message}`,
    };
  }
}

/** Whether an access token of the project can be checked: by its public keys, or by the secret that signs it. */
const checkTokens = async ({ supabase }: Config, url: string): Promise<Finding> =>
  supabase.jwtSecret !== undefined
    ? { name: 'tokens', ok: true, detail: 'signed by SUPABASE_JWT_SECRET' }
    : checked('tokens', `${url}/auth/v1/.well-known/jwks.json`, 'GET', (_, text) => {
        const keys = (JSON.parse(text) as { keys?: unknown[] }).keys?.length ?? 0;
        return keys > 0
          ? [true, `${keys} signing key(s) published`]
          : [
              false,
              'no signing key is published: make one in the project (JWT keys), or set SUPABASE_JWT_SECRET',
            ];
      });

/** Whether a function is there. It refuses who has no key by a problem document, unlike the platform in front of it. */
const checkFunction = (url: string, name: string): Promise<Finding> =>
  checked(`function ${name}`, `${url}/functions/v1/${name}`, 'POST', ({ status, headers }, text) => {
    const isOurs = headers.get('content-type')?.includes('problem+json') === true;
    if (status < 300 || (status < 500 && isOurs)) return [true, 'answers'];
    if (status === 401)
      return [
        false,
        'the platform refuses its callers: verify_jwt = false in supabase/config.toml, then lore deploy',
      ];
    return [false, status === 404 ? 'not deployed: lore deploy' : `answers ${status}: ${text.slice(0, 200)}`];
  });
