import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import { etag } from 'hono/etag';
import { secureHeaders } from 'hono/secure-headers';
import type { Config } from '../../base/config.ts';
import { packageRoot } from '../../base/files/package-root.ts';
import { type Router, router } from '../../http/serve.ts';

/** Paths that belong to the API: what is not found there is a problem document, never the page. */
const NOT_THE_PAGE = /^\/(?:v1|health|openapi\.json|realtime)(?:\/|$)/;

const NOT_BUILT = `The page is not built. Run npm run build in Lore's folder, and load this again.\n`;

/**
 * Returns the route for requests that no other route answers: the files that the build put into dist/dashboard, and the
 * page itself for addresses that only the page knows (`/learnings`, `/plans/…`).
 *
 * @param services.pageFolder where the page was built to, if not in dist/dashboard
 */
export function pageRoutes(services: { config: Pick<Config, 'supabase'>; pageFolder?: string }): Router {
  const root = services.pageFolder ?? fileURLToPath(new URL('dist/dashboard', packageRoot));
  const { url, anonKey } = services.config.supabase;
  const config = { api: '', supabase: url && anonKey ? { url, key: anonKey } : null };
  const app = router();
  app.get('/config.json', (c) => c.json(config, 200, { 'cache-control': 'no-cache' }));
  app.use('*', secureHeaders(policyFor(url)));
  app.use('*', etag());
  app.get('*', async (c, next) => {
    const { path } = c.req;
    if (NOT_THE_PAGE.test(path) || /\.(?:map|gz)$/.test(path)) return c.notFound();
    // the names of these files hold a hash of their content
    const hashed = path.startsWith('/assets/');
    const asksForPage = path === '/' || (!hashed && c.req.header('accept')?.includes('text/html') === true);
    c.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    c.header('vary', 'accept-encoding');
    const served = await serveStatic({ root, precompressed: true })(c, async () => {});
    if (served instanceof Response) return served;
    if (asksForPage && existsSync(`${root}/index.html`)) {
      return (await serveStatic({ root, path: 'index.html', precompressed: true })(c, next)) ?? c.notFound();
    }
    c.header('cache-control', 'no-store');
    return asksForPage ? c.text(NOT_BUILT, 503) : c.notFound();
  });
  return app;
}

/**
 * What a browser may do with the page: run its own scripts and ask its own server, nothing else. The page holds a key, so
 * no foreign script may run in it, no form may leave it, and no other page may frame it.
 */
function policyFor(supabase: string | undefined): Parameters<typeof secureHeaders>[0] {
  const realtime = supabase === undefined ? [] : [new URL(supabase).origin];
  return {
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'", ...realtime.flatMap((origin) => [origin, origin.replace(/^http/, 'ws')])],
      manifestSrc: ["'self'"],
      workerSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
    strictTransportSecurity: false,
    permissionsPolicy: { camera: [], microphone: [], geolocation: [], payment: [], usb: [] },
  };
}
