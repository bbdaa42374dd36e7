import { z } from 'zod';
import { Problem } from '../base/errors/problem.ts';
import { theOne } from '../base/text/short-id.ts';
import type { SettingsChange, User } from '../base/wire/routes.ts';
import { PERMISSIONS } from '../commands/permissions.ts';
import { LEVELS, VOICE_KINDS } from '../offers/voice.ts';
import { reportOf } from './data.ts';
import { confirmed, refuseUnlessPerson } from './io.ts';
import { type Action, type Cli, wrongUsage } from './rows.ts';
import { table } from './table.ts';

// Who may do what: settings, members, and whose the owner's account is.

/** What each setting is called, and what it may be. */
const VALUES: Record<string, readonly string[]> = {
  ...Object.fromEntries(['modelSpending', 'claudeLogin', 'shapes'].map((one) => [one, ['on', 'off']])),
  permissions: PERMISSIONS,
  ...Object.fromEntries(VOICE_KINDS.map((kind) => [`voice.${kind}`, LEVELS])),
};
/** What a project's own setting may be: one of the three, or none, so that it is as in all projects. */
const IN_PROJECT = [...PERMISSIONS, 'usual'];

const wrong = (detail: string) => new Problem({ status: 400, title: 'No such setting', detail });

/** Shows settings, or changes one. @param given a project for its own permissions */
async function settle({ io, call }: Cli, name?: string, value?: string, project?: string) {
  if (project !== undefined && name !== 'permissions')
    throw wrong('Only permissions may be set for one project.');
  if (name !== undefined && VALUES[name] === undefined)
    throw wrong(`There is no setting ${name}. There are: ${Object.keys(VALUES).join(', ')}.`);
  const values = project === undefined ? (VALUES[name ?? ''] ?? []) : IN_PROJECT;
  if (value !== undefined && !values.includes(value))
    throw wrong(`${name} may be ${values.join(', ')}, not ${value}.`);
  if (value !== undefined) refuseUnlessPerson(io, `settings ${name} ${value}`);
  const [field = '', kind] = name?.split('.') ?? [];
  const own = project && { projectPermissions: { [project]: value === 'usual' ? null : value } };
  const body = own || { [field]: kind === undefined ? value : { [kind]: value } };
  const now = await (value === undefined
    ? call('GET /v1/settings')
    : call('PUT /v1/settings', { body: body as SettingsChange }));
  if (io.json) return io.print(now);
  const { voice, projectPermissions, ...others } = now;
  const voices = Object.entries(voice).map(([one, is]) => [`voice.${one}`, is]);
  const ofProjects = Object.entries(projectPermissions).map(([one, is]) => [`permissions in ${one}`, is]);
  const rows = [...Object.entries(others), ...voices, ...ofProjects]
    .filter(([one]) => name === undefined || `${one}`.startsWith(name))
    .map(([one, is]) => [`${one}`, `${is}`, (VALUES[`${one}`] ?? IN_PROJECT).join(', ')]);
  io.log(table(io, ['setting', 'value', 'may be'], rows));
}

async function removeMember(cli: Cli, given: { user: string; erase?: boolean; yes?: boolean }) {
  const { io, call } = cli;
  const { users } = await call('GET /v1/users');
  const isMeant = (one: User) =>
    one.name === given.user || (given.user.length > 7 && one.userId.startsWith(given.user));
  const { userId: id, name } = theOne(users.filter(isMeant), 'user', given.user);
  const stay = given.erase
    ? 'and erase all of their records? This cannot be undone.'
    : '? Their records stay.';
  if (!given.yes && !(await confirmed(io, 'Removing a member', `Remove ${name} (${id}) ${stay}`)))
    return io.error('Nobody was removed.');
  const query = given.erase ? { erase: 'true' as const } : {};
  const done = await call('DELETE /v1/users/{id}', { params: { id }, query });
  io.answer(done, `Removed ${name}.${done.erased === null ? '' : ` Erased:\n${reportOf(done.erased)}`}`);
}

type OwnerOptions = { claim?: string; release?: boolean; yes?: boolean };
async function owner({ claim, release, yes }: OwnerOptions, { io, call }: Cli) {
  const { users } = await call('GET /v1/users');
  if (claim === undefined && !release) {
    const { userId, name, authId } = users.find(({ role }) => role === 'owner') as User;
    const who = authId === null ? 'Nobody' : `The user ${authId} of Supabase Auth`;
    return io.answer({ userId, name, authId }, `${name} (${userId})\n${who} signs in to this account.`);
  }
  if (claim !== undefined && release) throw wrongUsage('Either --claim or --release.');
  const known = users.find(({ authId, userId, name }) => [authId, userId, name].includes(claim ?? ''));
  const authId = release ? null : (known?.authId ?? claim ?? null);
  if (authId !== null && !z.uuid().safeParse(authId).success) {
    const detail = `Nobody who has signed in is named “${claim}”. Sign in on the page first, or give the id that Supabase shows for the user.`;
    throw new Problem({ status: 404, title: 'User not found', detail });
  }
  const who = release ? 'Nobody' : (known?.name ?? `The user ${authId}`);
  const question = `${who} will sign in to the account of the owner; what they have as a member stays, and nobody sees it any more. Is that meant?`;
  if (!yes && !(await confirmed(io, 'Changing who signs in', question)))
    return io.error('Nothing was changed.');
  const done = await call('PUT /v1/owner/sign-in', { body: { authId } });
  const closed = done.closed === null ? '' : ` The account ${done.closed} is closed; its records stay.`;
  io.answer(done, `${who} signs in to the account of the owner.${closed}`);
}

export const actions: Record<string, Action> = {
  settings: ({ name, choice, project }, cli) => settle(cli, name, choice, project),
  spending: ({ state }, cli) => settle(cli, 'modelSpending', state),
  'users remove': (given, cli) => removeMember(cli, given),
  owner,
};
