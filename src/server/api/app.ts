import { OpenAPIHono } from '@hono/zod-openapi';
import { cors } from 'hono/cors';
import { pairingRoutes, redeemRoutes } from '../../accounts/pairings.ts';
import { accountRoutes } from '../../accounts/routes.ts';
import { settingsRoutes } from '../../accounts/settings-routes.ts';
import type { Config } from '../../base/config.ts';
import { description, version } from '../../base/files/package-root.ts';
import { commandRoutes } from '../../commands/routes.ts';
import { consolidationRoutes } from '../../consolidation/routes.ts';
import { hookRoutes } from '../../hooks/routes.ts';
import type { Env } from '../../http/env.ts';
import { notFound, onError } from '../../http/errors.ts';
import { knownHost } from '../../http/known-host.ts';
import { MAX_BYTES, requestIds, sizeLimit, strictJson } from '../../http/middleware.ts';
import { incidentRoutes } from '../../incidents/routes.ts';
import { auditRoutes } from '../../kinds/audits.ts';
import { freshnessRoutes } from '../../kinds/citations.ts';
import { episodeRoutes } from '../../kinds/episodes/episodes.ts';
import { erasureRoutes } from '../../kinds/erasure/erase.ts';
import { findingRoutes } from '../../kinds/findings.ts';
import { noteRoutes } from '../../kinds/notes.ts';
import { observationRoutes } from '../../kinds/observations.ts';
import { patternRoutes } from '../../kinds/patterns.ts';
import { skillRoutes } from '../../kinds/skills/skills.ts';
import { statementRoutes } from '../../kinds/statements.ts';
import { transferRoutes } from '../../kinds/transfer/transfer.ts';
import { guardRoutes } from '../../learnings/guards/routes.ts';
import { learningRoutes } from '../../learnings/routes.ts';
import { modelRoutes } from '../../llm/choose.ts';
import { metricsRoutes } from '../../metrics/routes.ts';
import { offerRoutes } from '../../offers/routes.ts';
import { planRoutes } from '../../plans/routes.ts';
import { pushRoutes } from '../../realtime/push/push.ts';
import { amendmentRoutes } from '../../search/amendments.ts';
import { searchRoutes } from '../../search/routes.ts';
import { projectRoutes } from '../../sessions/project-routes.ts';
import { sessionRoutes } from '../../sessions/routes.ts';
import { backupRoutes } from '../backup/backup.ts';
import { authenticated } from './authenticated.ts';
import { dashboardRoutes } from './dashboard.ts';
import { healthRoutes } from './health.ts';
import { inScope } from './key-scopes.ts';
import { mountMcp } from './mcp.ts';
import { pageRoutes } from './page.ts';
import { transcriptRoutes } from './transcripts.ts';
import { consoleRoutes, workRoutes } from './work.ts';

/** Tool outputs of several megabytes are common (a large file read). A larger body is a mistake. */
const MAX_HOOK_BYTES = 16 * 1024 * 1024;
/** For a skill with its files, and for the record of one. */
const MAX_SKILL_BYTES = 3 * 1024 * 1024;
const holdsSkills = (path: string) => path === '/v1/import' || path.startsWith('/v1/skills/');

const ROUTES = [
  hookRoutes,
  transcriptRoutes,
  searchRoutes,
  amendmentRoutes,
  learningRoutes,
  guardRoutes,
  incidentRoutes,
  noteRoutes,
  findingRoutes,
  episodeRoutes,
  planRoutes,
  freshnessRoutes,
  statementRoutes,
  observationRoutes,
  skillRoutes,
  patternRoutes,
  auditRoutes,
  transferRoutes,
  sessionRoutes,
  offerRoutes,
  projectRoutes,
  commandRoutes,
  consolidationRoutes,
  metricsRoutes,
  modelRoutes,
  accountRoutes,
  pairingRoutes,
  pushRoutes,
  settingsRoutes,
  erasureRoutes,
  consoleRoutes,
  workRoutes,
  backupRoutes,
  dashboardRoutes,
];

type Routes =
  | (typeof ROUTES)[number]
  | typeof authenticated
  | typeof healthRoutes
  | typeof knownHost
  | typeof pageRoutes;
/** The intersection of a union's members. */
type All<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;

/** All services that the routes need, in one object. Each route factory takes its own part of it. */
type Services = All<Parameters<Routes>[0]> & {
  config: Pick<Config, 'pageOrigins'>;
  /** whether the page lies elsewhere */
  withoutPage?: boolean;
};

/** Returns the whole HTTP API over the given services. */
export function createApp(services: Services): OpenAPIHono<Env> {
  const app = new OpenAPIHono<Env>();
  app.onError(onError(services.log));
  app.notFound(notFound);
  app.use(requestIds(services.log));
  // no browser takes the host of an Edge Function for a page of its own
  if (!services.withoutPage) app.use(knownHost(services));
  const { pageOrigins } = services.config;
  // browsers pass the answers on to pages of these origins, and to no other page; no credentials of a browser come along
  const allowed = cors({
    origin: pageOrigins,
    allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: ['authorization', 'content-type'],
    maxAge: 600,
  });
  app.use('/v1/*', (c, next) =>
    pageOrigins.includes(c.req.header('origin') ?? '') ? allowed(c, next) : next(),
  );
  app.route('/', healthRoutes(services));
  const hookSize = sizeLimit(MAX_HOOK_BYTES);
  const skillSize = sizeLimit(MAX_SKILL_BYTES);
  const size = sizeLimit(MAX_BYTES);
  app.use('/v1/pairings/redeem', size, strictJson);
  app.route('/', redeemRoutes(services));
  for (const paths of ['/v1/*', '/mcp']) {
    app.use(paths, authenticated(services));
    app.use(paths, inScope(services));
    app.use(paths, (c, next) => {
      const { path } = c.req;
      return (path === '/v1/hooks' ? hookSize : holdsSkills(path) ? skillSize : size)(c, next);
    });
    app.use(paths, strictJson);
  }
  // Wait until what the caller sent is stored, so that an answer reflects every event acknowledged to them before the
  // request. Verdicts do not wait: they must be given whatever the database does.
  app.use('/v1/*', async (c, next) => {
    if (!['/v1/hooks', '/v1/commands/check'].includes(c.req.path)) {
      await services.journal?.drained(c.get('caller').userId);
    }
    await next();
  });
  for (const routes of ROUTES) app.route('/', routes(services));
  mountMcp(app, services);
  app.openAPIRegistry.registerComponent('securitySchemes', 'key', { type: 'http', scheme: 'bearer' });
  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: { title: 'Lore', version, description },
    security: [{ key: [] }],
  });
  // last, because it answers what no other route does
  if (!services.withoutPage) app.route('/', pageRoutes(services));
  return app;
}
