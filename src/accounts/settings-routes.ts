import { createRoute, z } from '@hono/zod-openapi';
import { PERMISSIONS } from '../commands/permissions.ts';
import type { Database, Tx } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, json, problem } from '../http/schemas.ts';
import { changeSettings, readSettings, type Settings as Stored } from '../llm/settings.ts';
import { LEVELS, VOICE_KINDS, voiceOf } from '../offers/voice.ts';
import { ownPermissions, ProjectName, setPermissions } from '../sessions/projects.ts';

const Switch = z.enum(['on', 'off']);
const Level = z.enum(LEVELS);
const Permissions = z.enum(PERMISSIONS);

const Settings = z
  .strictObject({
    /** the kill switch: when it is off, the model is not asked any more */
    modelSpending: Switch,
    /** whether the owner's own Claude Code login may be asked in the background */
    claudeLogin: Switch,
    /** whether the shape of a command that a person lets run is allowed from then on */
    shapes: Switch,
    /** what the answers to calls may say to the client */
    permissions: Permissions,
    /** the same for the projects that have a setting of their own, by name */
    projectPermissions: z.record(z.string(), Permissions),
    /** how much agents are told of each kind */
    voice: z.record(z.enum(VOICE_KINDS), Level),
  })
  .openapi('Settings');

/** What is left out stays as it is. */
const Change = z
  .strictObject({
    modelSpending: Switch.optional(),
    claudeLogin: Switch.optional(),
    shapes: Switch.optional(),
    permissions: Permissions.optional(),
    /** by the name of a project; null: as in all projects */
    projectPermissions: z.record(ProjectName, Permissions.nullable()).optional(),
    voice: z
      .partialRecord(z.enum(VOICE_KINDS), Level)
      .refine((voice) => Object.keys(voice).length > 0, 'must change something')
      .optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'must change something')
  .openapi('SettingsChange');

const routes = {
  read: createRoute({
    method: 'get',
    path: '/v1/settings',
    summary: "The caller's settings",
    responses: { 200: json(Settings, 'The settings'), ...commonProblems },
  }),
  change: createRoute({
    method: 'put',
    path: '/v1/settings',
    summary:
      "Change some of the caller's settings; turning spending off holds from the next call of the model on",
    request: body(Change),
    responses: {
      200: json(Settings, 'The settings as they are now'),
      403: problem('Only the owner has a login on this machine'),
      ...commonProblems,
    },
  }),
};

async function shown(tx: Tx, settings: Stored) {
  const own = await ownPermissions(tx);
  return {
    ...settings,
    projectPermissions: Object.fromEntries(own.map(({ name, permissions }) => [name, permissions])),
    voice: voiceOf(settings.voice),
  };
}

/** Returns the routes of `/v1/settings`. */
export function settingsRoutes(services: {
  db: Database;
  /** the voices that hooks have in memory */
  voices: { forget(userId: string): void };
  /** the verdicts, with the shapes, that hooks have in memory */
  verdicts: { refresh(userId: string): void };
  /** what answers to calls may say, as hooks have it in memory */
  permissions: { forget(userId: string): void };
}): Router {
  const app = router();
  app.openapi(routes.read, async (c) =>
    c.json(await asCaller(services, c, async (tx) => shown(tx, await readSettings(tx))), 200),
  );
  app.openapi(routes.change, async (c) => {
    const wanted = c.req.valid('json');
    if (wanted.claudeLogin === 'on' && c.get('caller').role !== 'owner') {
      throw new Problem({
        status: 403,
        title: 'Not allowed',
        detail:
          'claudeLogin: the login belongs to the person who runs the server, so only its owner can turn it on.',
      });
    }
    const { projectPermissions = {}, ...others } = wanted;
    const now = await asCaller(services, c, async (tx) => {
      // always in the same order, or two changes could wait for each other
      for (const [name, mode] of Object.entries(projectPermissions).sort(([a], [b]) => (a < b ? -1 : 1)))
        await setPermissions(tx, name, mode);
      return shown(tx, await changeSettings(tx, others));
    });
    services.voices.forget(c.get('caller').userId);
    services.permissions.forget(c.get('caller').userId);
    if (wanted.shapes !== undefined) services.verdicts.refresh(c.get('caller').userId);
    return c.json(now, 200);
  });
  return app;
}
