import { OpenAPIHono } from '@hono/zod-openapi';
import { pairingRoutes, redeemRoutes } from '../accounts/pairings.ts';
import { accountRoutes } from '../accounts/routes.ts';
import { settingsRoutes } from '../accounts/settings-routes.ts';
import { backupRoutes } from '../backup/routes.ts';
import { commandRoutes } from '../commands/routes.ts';
import type { Config } from '../config.ts';
import { consolidationRoutes } from '../consolidation/routes.ts';
import { lessonRoutes } from '../distil/routes.ts';
import { episodeRoutes } from '../episodes/routes.ts';
import { erasureRoutes } from '../erasure/erase.ts';
import { description, version } from '../files/package-root.ts';
import { guardRoutes } from '../guards/routes.ts';
import { hookRoutes } from '../hooks/routes.ts';
import { transcriptRoutes } from '../hooks/transcripts.ts';
import type { Env } from '../http/env.ts';
import { notFound, onError } from '../http/errors.ts';
import { knownHost } from '../http/known-host.ts';
import { MAX_BYTES, requestIds, sizeLimit, strictJson } from '../http/middleware.ts';
import { pageOrigins } from '../http/page-origins.ts';
import { incidentRoutes } from '../incidents/routes.ts';
import { auditRoutes } from '../kinds/audits.ts';
import { freshnessRoutes } from '../kinds/citations.ts';
import { findingRoutes } from '../kinds/findings.ts';
import { noteRoutes } from '../kinds/notes.ts';
import { observationRoutes } from '../kinds/observations.ts';
import { statementRoutes } from '../kinds/statement-routes.ts';
import { learningRoutes } from '../learnings/routes.ts';
import { modelRoutes } from '../llm/routes.ts';
import { metricsRoutes } from '../metrics/routes.ts';
import { offerRoutes } from '../offers/routes.ts';
import { patternRoutes } from '../patterns/routes.ts';
import { planRoutes } from '../plans/routes.ts';
import { pushRoutes } from '../push/routes.ts';
import { amendmentRoutes } from '../search/amendment-routes.ts';
import { searchRoutes } from '../search/routes.ts';
import { projectRoutes } from '../sessions/project-routes.ts';
import { sessionRoutes } from '../sessions/routes.ts';
import { skillRoutes } from '../skills/routes.ts';
import { transferRoutes } from '../transfer/transfer.ts';
import { authenticated } from './authenticated.ts';
import { consoleRoutes } from './console.ts';
import { dashboardRoutes } from './dashboard.ts';
import { deadLetterRoutes } from './dead-letters.ts';
import { healthRoutes } from './health.ts';
import { inScope } from './key-scopes.ts';
import { mountMcp } from './mcp.ts';
import { pageRoutes } from './page.ts';
import { workerRoutes } from './workers.ts';

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
  lessonRoutes,
  auditRoutes,
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
  deadLetterRoutes,
  workerRoutes,
  backupRoutes,
  dashboardRoutes,
];

/** All services that the routes need, in one object. Each route factory takes its own part of it. */
type Services = Parameters<typeof authenticated>[0] &
  Parameters<typeof healthRoutes>[0] &
  Parameters<typeof hookRoutes>[0] &
  Parameters<typeof transcriptRoutes>[0] &
  Parameters<typeof searchRoutes>[0] &
  Parameters<typeof amendmentRoutes>[0] &
  Parameters<typeof learningRoutes>[0] &
  Parameters<typeof lessonRoutes>[0] &
  Parameters<typeof auditRoutes>[0] &
  Parameters<typeof guardRoutes>[0] &
  Parameters<typeof incidentRoutes>[0] &
  Parameters<typeof noteRoutes>[0] &
  Parameters<typeof findingRoutes>[0] &
  Parameters<typeof episodeRoutes>[0] &
  Parameters<typeof planRoutes>[0] &
  Parameters<typeof freshnessRoutes>[0] &
  Parameters<typeof statementRoutes>[0] &
  Parameters<typeof observationRoutes>[0] &
  Parameters<typeof skillRoutes>[0] &
  Parameters<typeof patternRoutes>[0] &
  Parameters<typeof transferRoutes>[0] &
  Parameters<typeof sessionRoutes>[0] &
  Parameters<typeof offerRoutes>[0] &
  Parameters<typeof projectRoutes>[0] &
  Parameters<typeof commandRoutes>[0] &
  Parameters<typeof consolidationRoutes>[0] &
  Parameters<typeof metricsRoutes>[0] &
  Parameters<typeof modelRoutes>[0] &
  Parameters<typeof accountRoutes>[0] &
  Parameters<typeof pairingRoutes>[0] &
  Parameters<typeof pushRoutes>[0] &
  Parameters<typeof settingsRoutes>[0] &
  Parameters<typeof erasureRoutes>[0] &
  Parameters<typeof knownHost>[0] & { config: Pick<Config, 'pageOrigins'> } & Parameters<
    typeof consoleRoutes
  >[0] &
  Parameters<typeof dashboardRoutes>[0] &
  Parameters<typeof pageRoutes>[0] &
  Parameters<typeof backupRoutes>[0] &
  Parameters<typeof deadLetterRoutes>[0] &
  Parameters<typeof workerRoutes>[0] & {
    /** whether the page lies elsewhere */
    withoutPage?: boolean;
  };

/** Returns the whole HTTP API over the given services. */
export function createApp(services: Services): OpenAPIHono<Env> {
  const app = new OpenAPIHono<Env>();
  const answerError = onError(services.log);
  app.onError(async (error, c) => {
    if (c.req.path === '/v1/hooks') await services.refusals.note(c, error);
    return answerError(error, c);
  });
  app.notFound(notFound);
  app.use(requestIds(services.log));
  // no browser takes the host of an Edge Function for a page of its own
  if (!services.withoutPage) app.use(knownHost(services));
  app.use('/v1/*', pageOrigins(services.config.pageOrigins));
  app.route('/', healthRoutes(services));
  const [hookSize, skillSize, size] = [
    sizeLimit(MAX_HOOK_BYTES),
    sizeLimit(MAX_SKILL_BYTES),
    sizeLimit(MAX_BYTES),
  ];
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
