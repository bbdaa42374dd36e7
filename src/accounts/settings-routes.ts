import { z } from '@hono/zod-openapi';
import { Problem } from '../base/errors/problem.ts';
import { PERMISSIONS } from '../commands/permissions.ts';
import type { Tx } from '../db/open.ts';
import { served } from '../http/serve.ts';
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
const Change = Settings.extend({
  /** by the name of a project; null: as in all projects */
  projectPermissions: z.record(ProjectName, Permissions.nullable()),
  voice: z
    .partialRecord(z.enum(VOICE_KINDS), Level)
    .refine((voice) => Object.keys(voice).length > 0, 'must change something'),
})
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'must change something')
  .openapi('SettingsChange');

async function shown(tx: Tx, settings: Stored) {
  const own = await ownPermissions(tx);
  return {
    ...settings,
    projectPermissions: Object.fromEntries(own.map(({ name, permissions }) => [name, permissions])),
    voice: voiceOf(settings.voice),
  };
}

type Services = {
  /** the settings that hooks have in memory */
  settings: { forget(userId: string): void };
  /** the verdicts, with the shapes, that hooks have in memory */
  verdicts: { refresh(userId: string): void };
};

/** The routes of `/v1/settings`. */
export const settingsRoutes = served((route, services: Services) => {
  route('GET /v1/settings', "The caller's settings", { answer: Settings }, ({ as }) =>
    as(async (tx) => shown(tx, await readSettings(tx))),
  );
  route(
    'PUT /v1/settings',
    "Change some of the caller's settings; turning spending off holds from the next call of the model on",
    { body: Change, answer: Settings, problems: { 403: 'Only the owner has a login on this machine' } },
    async ({ as, body: wanted, caller: { userId, role } }) => {
      if (wanted.claudeLogin === 'on' && role !== 'owner') {
        throw new Problem({
          status: 403,
          title: 'Not allowed',
          detail:
            'claudeLogin: the login belongs to the person who runs the server, so only its owner can turn it on.',
        });
      }
      const { projectPermissions = {}, ...others } = wanted;
      const now = await as(async (tx) => {
        // always in the same order, or two changes could wait for each other
        for (const [name, mode] of Object.entries(projectPermissions).sort(([a], [b]) => (a < b ? -1 : 1)))
          await setPermissions(tx, name, mode);
        return shown(tx, await changeSettings(tx, others));
      });
      services.settings.forget(userId);
      if (wanted.shapes !== undefined) services.verdicts.refresh(userId);
      return now;
    },
  );
});
