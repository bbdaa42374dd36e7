import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { inspectDatabase } from '../db/inspect.ts';
import { Problem } from '../errors/problem.ts';
import { packageRoot } from '../files/package-root.ts';
import { type Check, report } from './doctor.ts';
import type { Io } from './io.ts';

const MAX_MS = 15_000;
const FUNCTIONS = fileURLToPath(new URL('edge-functions', packageRoot));

/** Returns the names of the Edge Functions, which are folders; none where Lore is installed from npm. */
export const edgeFunctions = (): string[] =>
  existsSync(FUNCTIONS)
    ? readdirSync(FUNCTIONS, { withFileTypes: true })
        .flatMap((one) => (one.isDirectory() ? [one.name] : []))
        .sort()
    : [];

/**
 * Checks a hosted database and project, of which DATABASE_URL and SUPABASE_URL are the addresses, and prints what to do.
 * It asks no server of Lore and changes nothing. Returns whether everything is well.
 */
export async function doctorRemote(config: Config, io: Io): Promise<boolean> {
  return report(await remoteChecks(config), io);
}

async function remoteChecks(config: Config): Promise<Check[]> {
  if (config.databaseUrl === undefined) {
    throw new Problem({
      status: 400,
      title: 'Bad option',
      detail: '--remote looks at the database of DATABASE_URL: set it.',
      errors: [{ field: 'DATABASE_URL', message: 'is not set' }],
    });
  }
  const { url } = config.supabase;
  const project: Promise<Check>[] =
    url === undefined
      ? [
          Promise.resolve({
            name: 'project',
            ok: true,
            detail: 'SUPABASE_URL is not set: functions and tokens are not looked at',
          }),
        ]
      : [checkTokens(config, url), ...edgeFunctions().map((name) => checkFunction(url, name))];
  const [database, rest] = await Promise.all([inspectDatabase(config), Promise.all(project)]);
  return [...database, ...rest];
}

/** Whether an access token of the project can be checked: by its public keys, or by the secret that signs it. */
async function checkTokens({ supabase }: Config, url: string): Promise<Check> {
  const name = 'tokens';
  if (supabase.jwtSecret !== undefined) return { name, ok: true, detail: 'signed by SUPABASE_JWT_SECRET' };
  try {
    const answer = await fetch(`${url}/auth/v1/.well-known/jwks.json`, {
      signal: AbortSignal.timeout(MAX_MS),
    });
    const keys = ((await answer.json()) as { keys?: unknown[] }).keys?.length ?? 0;
    return keys > 0
      ? { name, ok: true, detail: `${keys} signing key(s) published` }
      : {
          name,
          ok: false,
          detail:
            'no signing key is published: make one in the project (JWT keys), or set SUPABASE_JWT_SECRET',
        };
  } catch (error) {
    return { name, ok: false, detail: `${url} does not answer: ${reasonOf(error)}` };
  }
}

/** Whether a function is there. It refuses who has no key by a problem document, unlike the platform in front of it. */
async function checkFunction(url: string, name: string): Promise<Check> {
  const said = (ok: boolean, detail: string): Check => ({ name: `function ${name}`, ok, detail });
  try {
    const answer = await fetch(`${url}/functions/v1/${name}`, {
      method: 'POST',
      signal: AbortSignal.timeout(MAX_MS),
    });
    const { status } = answer;
    const type = answer.headers.get('content-type') ?? '';
    const text = (await answer.text()).slice(0, 200);
    if (status < 300 || (status < 500 && type.includes('problem+json'))) return said(true, 'answers');
    if (status === 401)
      return said(
        false,
        'the platform refuses its callers: verify_jwt = false in supabase/config.toml, then lore deploy',
      );
    if (status === 404) return said(false, 'not deployed: lore deploy');
    return said(false, `answers ${status}: ${text}`);
  } catch (error) {
    return said(false, `does not answer: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message || String((cause as { code?: unknown }).code) : message;
}
