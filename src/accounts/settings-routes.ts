import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, json, problem } from '../http/schemas.ts';
import { changeSettings, readSettings, type Settings as Stored } from '../llm/settings.ts';
import { LEVELS, VOICE_KINDS, voiceOf } from '../offers/voice.ts';

const Switch = z.enum(['on', 'off']);
const Level = z.enum(LEVELS);

const Settings = z
  .strictObject({
    /** the kill switch: when it is off, the model is not asked any more */
    modelSpending: Switch,
    /** whether the owner's own Claude Code login may be asked in the background */
    claudeLogin: Switch,
    /** whether the shape of a command that a person lets run is allowed from then on */
    shapes: Switch,
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

const shown = (settings: Stored) => ({ ...settings, voice: voiceOf(settings.voice) });

/** Returns the routes of `/v1/settings`. */
export function settingsRoutes(services: {
  db: Database;
  /** the voices that hooks have in memory */
  voices: { forget(userId: string): void };
  /** the verdicts, with the shapes, that hooks have in memory */
  verdicts: { refresh(userId: string): void };
}): Router {
  const app = router();
  app.openapi(routes.read, async (c) => c.json(shown(await asCaller(services, c, readSettings)), 200));
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
    const now = await asCaller(services, c, (tx) => changeSettings(tx, wanted));
    services.voices.forget(c.get('caller').userId);
    if (wanted.shapes !== undefined) services.verdicts.refresh(c.get('caller').userId);
    return c.json(shown(now), 200);
  });
  return app;
}
