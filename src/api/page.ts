import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Context } from 'hono';
import { getMimeType } from 'hono/utils/mime';
import type { Config } from '../config.ts';
import { packageRoot } from '../files/package-root.ts';
import type { Env } from '../http/env.ts';
import { type Router, router } from '../http/router.ts';

// The phone page: the files that the build put into dist/dashboard. They are few, so they are kept in memory,
// by the path of their URL. A path that is not among them is not found, so no request can read a file outside
// the folder.

type File = {
  body: Uint8Array<ArrayBuffer>;
  etag: string;
  type: string;
  zipped: Omit<File, 'type' | 'zipped'> | null;
};
type Files = Map<string, File>;

/** Paths that belong to the API: what is not found there is a problem document, never the page. */
const NOT_THE_PAGE = /^\/(?:v1|health|openapi\.json|realtime)(?:\/|$)/;
/** The names of these files hold a hash of their content. */
const HASHED = '/assets/';

const NOT_BUILT = `The page is not built. Run npm run build in Lore's folder, and load this again.\n`;

/**
 * Returns the route for requests that no other route answers: files of the page, and the page itself for
 * addresses that only the page knows (`/learnings`, `/plans/…`).
 *
 * @param services.pageFolder where the page was built to, if not in dist/dashboard
 */
export function pageRoutes(services: { config: Pick<Config, 'supabase'>; pageFolder?: string }): Router {
  const folder = services.pageFolder ?? fileURLToPath(new URL('dist/dashboard', packageRoot));
  const headers = securityHeaders(services.config);
  let known: { files: Files; builtAt: number } | undefined;

  /** Returns the files as they were built last; null when they were not. */
  const built = (): Files | null => {
    const builtAt = statSync(`${folder}/index.html`, { throwIfNoEntry: false })?.mtimeMs;
    if (builtAt === undefined) return null;
    if (known?.builtAt !== builtAt) known = { files: readFiles(folder), builtAt };
    return known.files;
  };

  const { url, anonKey } = services.config.supabase;
  const config = { api: '', supabase: url && anonKey ? { url, key: anonKey } : null };

  const app = router();
  app.get('/config.json', (c) => c.json(config, 200, { 'cache-control': 'no-cache' }));
  app.get('*', (c) => {
    const { path } = c.req;
    if (NOT_THE_PAGE.test(path)) return c.notFound();
    const files = built();
    const asksForPage =
      path === '/' || (!path.startsWith(HASHED) && /\btext\/html\b/.test(c.req.header('accept') ?? ''));
    const file = files?.get(path) ?? (asksForPage ? files?.get('/') : undefined);
    if (!file && !(files === null && asksForPage)) return c.notFound();
    for (const [name, value] of headers) c.header(name, value);
    if (!file) return c.text(NOT_BUILT, 503, { 'cache-control': 'no-store' });
    return send(c, file, path.startsWith(HASHED));
  });
  return app;
}

function send(c: Context<Env>, file: File, forGood: boolean): Response {
  const zipped = file.zipped !== null && acceptsGzip(c.req.header('accept-encoding')) ? file.zipped : null;
  const { body, etag } = zipped ?? file;
  c.header('content-type', file.type);
  c.header('etag', etag);
  c.header('cache-control', forGood ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (file.zipped !== null) c.header('vary', 'accept-encoding');
  if (zipped) c.header('content-encoding', 'gzip');
  if (matches(c.req.header('if-none-match'), etag)) return c.body(null, 304);
  c.header('content-length', String(body.byteLength));
  return c.body(body);
}

/** Reads a folder of files. Those that end in .gz are the compressed form of others. */
function readFiles(folder: string): Files {
  const names = (readdirSync(folder, { recursive: true }) as string[])
    .map((name) => `${folder}/${name}`)
    .filter((name) => statSync(name).isFile());
  const read = (name: string) => {
    const body = new Uint8Array(readFileSync(name));
    return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
  };
  const files: Files = new Map();
  for (const name of names) {
    if (name.endsWith('.gz') || name.endsWith('.map')) continue;
    const path = name.slice(folder.length).replaceAll('\\', '/');
    const file: File = {
      ...read(name),
      type: getMimeType(name) ?? 'application/octet-stream',
      zipped: existsSync(`${name}.gz`) ? read(`${name}.gz`) : null,
    };
    files.set(path === '/index.html' ? '/' : path, file);
  }
  return files;
}

const acceptsGzip = (header: string | undefined): boolean =>
  header?.split(',').some((one) => /^\s*(?:gzip|\*)\s*(?:;(?!\s*q=0(?:\.0*)?\s*$).*)?$/i.test(one)) ?? false;

const matches = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*') ?? false;

/**
 * What a browser may do with the page: run its own scripts and ask its own server, nothing else. The page holds a key, so
 * no foreign script may run in it, no form may leave it, and no other page may frame it.
 */
function securityHeaders({ supabase }: Pick<Config, 'supabase'>): [string, string][] {
  const realtime = supabase.url === undefined ? [] : [new URL(supabase.url).origin];
  const connect = ["'self'", ...realtime.flatMap((origin) => [origin, origin.replace(/^http/, 'ws')])];
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${connect.join(' ')}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return [
    ['content-security-policy', policy.join('; ')],
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'no-referrer'],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
    ['permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()'],
  ];
}
