import { PERMISSIONS } from '../commands/permissions.ts';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { LEVELS, VOICE_KINDS } from '../offers/voice.ts';
import type { SettingsChange } from '../wire/routes.ts';
import { callServer } from './client.ts';
import { existingProject } from './here.ts';
import type { Io } from './io.ts';
import { refuseAgents } from './overrule.ts';
import { table } from './table.ts';

/** What each setting is called, what it may be, and what a change of it is for the server. */
const NAMES: Record<string, { values: readonly string[]; change: (value: string) => SettingsChange }> = {
  modelSpending: { values: ['on', 'off'], change: (value) => ({ modelSpending: value as 'on' | 'off' }) },
  shapes: { values: ['on', 'off'], change: (value) => ({ shapes: value as 'on' | 'off' }) },
  permissions: {
    values: PERMISSIONS,
    change: (value) => ({ permissions: value as (typeof PERMISSIONS)[number] }),
  },
  ...Object.fromEntries(
    VOICE_KINDS.map((kind) => [
      `voice.${kind}`,
      { values: LEVELS, change: (value: string) => ({ voice: { [kind]: value } }) },
    ]),
  ),
};

/** What a project's own setting may be: one of the three, or none, so that it is as in all projects. */
const IN_PROJECT = [...PERMISSIONS, 'usual'];

/**
 * Lists the settings of this account, or changes one of them.
 *
 * @param project the project that gets a setting of its own; only permissions may differ between projects
 * @throws Problem (400) for an unknown name or value, (403) when an agent wants to change one
 */
export async function settings(
  config: Config,
  io: Io,
  name: string | undefined,
  value: string | undefined,
  project: string | undefined,
): Promise<void> {
  if (project !== undefined) return settingOfProject(config, io, name, value, project);
  const known = name === undefined ? undefined : NAMES[name];
  if (name !== undefined && known === undefined)
    throw wrong(`There is no setting ${name}. There are: ${Object.keys(NAMES).join(', ')}.`);
  if (known && value !== undefined && !known.values.includes(value))
    throw wrong(`${name} may be ${known.values.join(', ')}, not ${value}.`);
  if (known && value !== undefined) refuseAgents(io, `settings ${name} ${value}`);
  const now =
    known && value !== undefined
      ? await callServer(config, 'PUT /v1/settings', { body: known.change(value) })
      : await callServer(config, 'GET /v1/settings');
  if (io.json) return io.log(JSON.stringify(now));
  const { voice, projectPermissions, ...others } = now;
  const all: Record<string, unknown> = {
    ...others,
    ...Object.fromEntries(Object.entries(voice).map(([kind, level]) => [`voice.${kind}`, level])),
  };
  const rows = Object.entries(all).filter(([one]) => name === undefined || one === name);
  const own = name === undefined || name === 'permissions' ? Object.entries(projectPermissions) : [];
  io.log(
    table(
      io,
      ['setting', 'value', 'may be'],
      [
        ...rows.map(([one, is]) => [one, String(is), NAMES[one]?.values.join(', ') ?? '']),
        ...own.map(([one, is]) => [`permissions in ${one}`, is, IN_PROJECT.join(', ')]),
      ],
    ),
  );
}

/** Shows or changes what answers to calls may say in one project. */
async function settingOfProject(
  config: Config,
  io: Io,
  name: string | undefined,
  value: string | undefined,
  given: string,
): Promise<void> {
  if (name !== 'permissions') throw wrong('Only permissions may be set for one project.');
  if (value !== undefined && !IN_PROJECT.includes(value))
    throw wrong(`permissions may be ${IN_PROJECT.join(', ')}, not ${value}.`);
  const project = await existingProject(config, given);
  if (value !== undefined) refuseAgents(io, `settings permissions ${value}`);
  const mode = value === 'usual' ? null : (value as (typeof PERMISSIONS)[number]);
  const { permissions, projectPermissions } =
    value === undefined
      ? await callServer(config, 'GET /v1/settings')
      : await callServer(config, 'PUT /v1/settings', { body: { projectPermissions: { [project]: mode } } });
  const own = projectPermissions[project];
  if (io.json) return io.log(JSON.stringify({ project, permissions: own ?? permissions }));
  io.log(
    table(
      io,
      ['setting', 'value', 'may be'],
      [[`permissions in ${project}`, own ?? `${permissions} (as usual)`, IN_PROJECT.join(', ')]],
    ),
  );
}

const wrong = (detail: string) => new Problem({ status: 400, title: 'No such setting', detail });
