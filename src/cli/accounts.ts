import { Argument } from 'commander';
import { z } from 'zod';
import { Problem } from '../base/errors/problem.ts';
import type { SettingsChange, User } from '../base/wire/routes.ts';
import { PERMISSIONS } from '../commands/permissions.ts';
import { LEVELS, VOICE_KINDS } from '../offers/voice.ts';
import type { Define } from './commands.ts';
import { reportOf } from './data.ts';
import { existingProject } from './here.ts';
import { confirmed, refuseUnlessPerson } from './io.ts';
import { sub, wrongUsage } from './options.ts';
import { hint } from './print.ts';
import { commands as records } from './records.ts';
import { table } from './table.ts';

// Who may do what: settings, members, and whose the owner's account is.

/** What each setting is called, and what it may be. */
const VALUES: Record<string, readonly string[]> = {
  modelSpending: ['on', 'off'],
  shapes: ['on', 'off'],
  permissions: PERMISSIONS,
  ...Object.fromEntries(VOICE_KINDS.map((kind) => [`voice.${kind}`, LEVELS])),
};
/** What a project's own setting may be: one of the three, or none, so that it is as in all projects. */
const IN_PROJECT = [...PERMISSIONS, 'usual'];

const wrong = (detail: string) => new Problem({ status: 400, title: 'No such setting', detail });

const settings: Define = (command, cli) =>
  command
    .argument('[name]', 'such as voice.episode')
    .argument('[value]', 'such as all, few or none')
    .option('-p, --project <name>', 'permissions of one project; “usual” lifts them')
    .action(async (name: string | undefined, value, options) => {
      const { io, call } = cli;
      if (options.project !== undefined && name !== 'permissions')
        throw wrong('Only permissions may be set for one project.');
      if (name !== undefined && VALUES[name] === undefined)
        throw wrong(`There is no setting ${name}. There are: ${Object.keys(VALUES).join(', ')}.`);
      const values = options.project === undefined ? (VALUES[name ?? ''] ?? []) : IN_PROJECT;
      if (value !== undefined && !values.includes(value))
        throw wrong(`${name} may be ${values.join(', ')}, not ${value}.`);
      const project = options.project && (await existingProject(cli.config, options.project));
      if (value !== undefined) refuseUnlessPerson(io, `settings ${name} ${value}`);
      const [field = '', kind] = name?.split('.') ?? [];
      const own = { projectPermissions: { [project]: value === 'usual' ? null : value } };
      const body = project ? own : { [field]: kind === undefined ? value : { [kind]: value } };
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
    });

const spending: Define = (command, { io, call }) =>
  command
    .addArgument(new Argument('[state]').choices(['on', 'off']))
    .action(async (wanted?: 'on' | 'off') => {
      if (wanted !== undefined) refuseUnlessPerson(io, `spending ${wanted}`);
      const settings = await (wanted === undefined
        ? call('GET /v1/settings')
        : call('PUT /v1/settings', { body: { modelSpending: wanted } }));
      const isOn = settings.modelSpending === 'on';
      const said = isOn
        ? 'may be asked, within the daily budget'
        : 'is asked nothing; rules do what they can';
      io.answer(settings, `The model ${said}.`);
    });

const users: Define = (command, cli) => {
  const { io, call } = cli;
  records.users?.(command, cli);
  sub(command, 'remove <user>', 'stop their keys at once; their records stay, unless erased')
    .option('--erase', 'permanently erase all of their records')
    .option('-y, --yes', 'do not ask')
    .action(async (reference: string, { erase, yes }) => {
      const found = (await call('GET /v1/users')).users.filter(
        ({ userId, name }) => name === reference || (reference.length > 7 && userId.startsWith(reference)),
      );
      const [user] = found;
      const detail = `${found.length === 0 ? 'Nobody has' : 'Several have'} the name “${reference}”: name the id.`;
      if (!user || found.length > 1) throw new Problem({ status: 404, title: 'User not found', detail });
      const { userId: id, name } = user;
      const question = erase
        ? `Remove ${name} (${id}) and erase all of their records? This cannot be undone.`
        : `Remove ${name} (${id})? Their keys stop at once, their records stay.`;
      if (!yes && !(await confirmed(io, 'Removing a member', question)))
        return io.error('Nobody was removed.');
      const query = erase ? { erase: 'true' as const } : {};
      const done = await call('DELETE /v1/users/{id}', { params: { id }, query });
      if (io.json) return io.print(done);
      const stay = `The records stay; lore users remove ${id} --erase erases them.`;
      hint(io, `Removed ${name}. ${done.erased === null ? stay : `Erased:\n${reportOf(done.erased)}`}`);
    });
};

const owner: Define = (command, { io, call }) =>
  command
    .option('--claim <user>', 'whose it is: who has signed in, by name, or the id of a user of Supabase Auth')
    .option('--release', 'nobody signs in to it any more')
    .option('-y, --yes', 'do not ask')
    .action(async ({ claim, release, yes }) => {
      const { users } = await call('GET /v1/users');
      if (claim === undefined && !release) {
        const { userId, name, authId } = users.find(({ role }) => role === 'owner') as User;
        const who = authId === null ? 'Nobody' : `The user ${authId} of Supabase Auth`;
        return io.answer({ userId, name, authId }, `${name} (${userId})\n${who} signs in to this account.`);
      }
      if (claim !== undefined && release) throw wrongUsage('Either --claim or --release.');
      const known = users.find(({ authId, userId, name }) => [authId, userId, name].includes(claim));
      const authId = release ? null : (known?.authId ?? claim);
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
    });

export const commands = { settings, spending, users, owner };
