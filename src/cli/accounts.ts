import { Argument } from 'commander';
import { z } from 'zod';
import { PERMISSIONS } from '../commands/permissions.ts';
import { Problem } from '../errors/problem.ts';
import { LEVELS, VOICE_KINDS } from '../offers/voice.ts';
import { idPrefix, theOne } from '../text/short-id.ts';
import type { Key, SettingsChange, User } from '../wire/routes.ts';
import type { Cli, Define } from './commands.ts';
import { confirmed } from './confirm.ts';
import { reportOf } from './data.ts';
import { existingProject } from './here.ts';
import { type Io, refuseUnlessPerson } from './io.ts';
import { choice, sub, wrongUsage } from './options.ts';
import { ago, hint } from './print.ts';
import { list, table } from './table.ts';

// Who may do what: settings, keys, members, and whose the owner's account is.

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

const wrong = (detail: string) => new Problem({ status: 400, title: 'No such setting', detail });

const settings: Define = (command, cli) =>
  command
    .argument('[name]', 'such as voice.episode')
    .argument('[value]', 'such as all, few or none')
    .option('-p, --project <name>', 'permissions of one project; “usual” lifts them')
    .action(async (name, value, options) => {
      const { io, call } = cli;
      if (options.project !== undefined && name !== 'permissions')
        throw wrong('Only permissions may be set for one project.');
      if (name !== undefined && NAMES[name] === undefined)
        throw wrong(`There is no setting ${name}. There are: ${Object.keys(NAMES).join(', ')}.`);
      const values = options.project === undefined ? (NAMES[name]?.values ?? []) : IN_PROJECT;
      if (value !== undefined && !values.includes(value))
        throw wrong(`${name} may be ${values.join(', ')}, not ${value}.`);
      const project = options.project && (await existingProject(cli.config, options.project));
      if (value !== undefined) refuseUnlessPerson(io, `settings ${name} ${value}`);
      const own = { projectPermissions: { [project]: value === 'usual' ? null : value } };
      const now =
        value === undefined
          ? await call('GET /v1/settings')
          : await call('PUT /v1/settings', { body: project ? own : (NAMES[name]?.change(value) ?? {}) });
      const { voice, projectPermissions, ...others } = now;
      if (project) {
        const mode = projectPermissions[project];
        if (io.json) return io.print({ project, permissions: mode ?? others.permissions });
        const row = [
          `permissions in ${project}`,
          mode ?? `${others.permissions} (as usual)`,
          IN_PROJECT.join(', '),
        ];
        return io.log(table(io, ['setting', 'value', 'may be'], [row]));
      }
      if (io.json) return io.print(now);
      const levels = Object.entries(voice).map(([kind, level]) => [`voice.${kind}`, level]);
      const rows = [...Object.entries(others), ...levels]
        .filter(([one]) => name === undefined || one === name)
        .map(([one = '', is]) => [one, String(is), NAMES[one]?.values.join(', ') ?? '']);
      for (const [one, is] of Object.entries(
        name === undefined || name === 'permissions' ? projectPermissions : {},
      ))
        rows.push([`permissions in ${one}`, is, IN_PROJECT.join(', ')]);
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
      io.answer(
        settings,
        settings.modelSpending === 'on'
          ? 'The model may be asked, within the daily budget.'
          : 'The model is asked nothing. Rules do what they can without it.',
      );
    });

const keys: Define = (command, cli) => {
  const { io, call } = cli;
  const keysOf = async (user: string | undefined): Promise<{ keys: Key[]; userId?: string }> =>
    user === undefined ? call('GET /v1/keys') : findUser(cli, user);
  command
    .enablePositionalOptions()
    .command('list', { isDefault: true })
    .option('-u, --user <user>', "a member's keys instead (owner only)")
    .description('list your keys')
    .action(async ({ user }) => {
      list(
        io,
        (await keysOf(user)).keys,
        'No keys.',
        'id name for=scope project made=createdAt last_used state',
        {
          project: (k) => k.scope === 'hooks' && (k.project ?? 'any'),
          last_used: (k) => k.lastUsedAt ?? 'never',
          state: (k) => (k.revokedAt ? 'revoked' : 'live'),
        },
        'made project last_used',
      );
    });
  sub(command, 'create <name>', 'another key for you, shown once')
    .addOption(
      choice(
        '--scope <scope>',
        'what it is for: hooks of a project, a device (the page), or a person',
        ...['hooks', 'device', 'person'],
      ).default('person'),
    )
    .action(async (name, { scope }) => {
      const made = await call('POST /v1/keys', { body: { name, scope } });
      if (io.json) return io.print(made);
      io.log(made.key);
      hint(io, `This is the only time the key is shown. Revoke it with lore keys revoke ${made.id}.`);
    });
  sub(command, 'revoke <id>', 'revoke a key')
    .option('-u, --user <user>', 'the member whose key it is (owner only)')
    .action(async (given, { user }) => {
      const { keys, userId } = await keysOf(user);
      const prefix = idPrefix(given) ?? given;
      const { id } = theOne(
        keys.filter((key) => key.id.startsWith(prefix)),
        'key',
        given,
      );
      await call('DELETE /v1/keys/{id}', { params: { id }, query: { user: userId } });
      io.answer({ id, done: 'revoke' }, `Revoked ${id}.`);
    });
};

/** Returns the account that is meant by an id or a name. @throws Problem (404) when there is none, (409) for several */
async function findUser({ call }: Cli, reference: string): Promise<User> {
  const { users } = await call('GET /v1/users');
  const [user, ...more] = users.filter(
    ({ userId, name }) => name === reference || (reference.length > 7 && userId.startsWith(reference)),
  );
  if (user && more.length === 0) return user;
  throw user
    ? new Problem({
        status: 409,
        title: 'Ambiguous name',
        detail: `Several users are named ${reference}: name the id (${[user, ...more].map(({ userId }) => userId).join(', ')}).`,
      })
    : new Problem({
        status: 404,
        title: 'User not found',
        detail: `Nobody has the id or the name “${reference}”. lore users lists everybody.`,
      });
}

const users: Define = (command, cli) => {
  const { io, call } = cli;
  const all = command.command('list', { isDefault: true });
  all.description('everybody with an account, and their keys').action(async () => {
    const { users } = await call('GET /v1/users');
    list(
      io,
      users,
      'No users.',
      'id=userId name role made=createdAt live_keys last_used',
      {
        role: ({ removedAt, role }) => (removedAt ? `removed ${ago(removedAt)}` : role),
        live_keys: ({ keys }) => keys.filter(({ revokedAt }) => revokedAt === null).length,
        last_used: ({ keys }) =>
          keys
            .flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
            .sort()
            .at(-1) ?? 'never',
      },
      'made live_keys',
    );
  });
  sub(command, 'add <name>', 'a tenant of their own, with a first key, shown once').action(async (name) => {
    const made = await call('POST /v1/users', { body: { name } });
    const how = `${name} sets it as LORE_KEY, and LORE_URL=${cli.config.url}.`;
    io.answer(made, `${made.key}\nThis is the only time the key is shown. ${how}`);
  });
  sub(command, 'remove <user>', 'stop their keys at once; their records stay, unless erased')
    .option('--erase', 'permanently erase all of their records')
    .option('-y, --yes', 'do not ask')
    .action(async (reference, { erase, yes }) => {
      const { userId: id, name } = await findUser(cli, reference);
      const question = erase
        ? `Remove ${name} (${id}) and erase all of their records? This cannot be undone.`
        : `Remove ${name} (${id})? Their keys stop at once, their records stay.`;
      if (!yes && !(await confirmed(io, 'Removing a member', question)))
        return io.error('Nobody was removed.');
      const done = await call('DELETE /v1/users/{id}', {
        params: { id },
        query: erase ? { erase: 'true' } : {},
      });
      if (io.json) return io.print(done);
      hint(
        io,
        done.erased === null
          ? `Removed ${name}. The records stay; lore users remove ${id} --erase erases them.`
          : `Removed ${name}, and erased:\n${reportOf(done.erased)}`,
      );
    });
};

const owner: Define = (command, { io, call }) =>
  command
    .option('--claim <user>', 'whose it is: who has signed in, by name, or the id of a user of Supabase Auth')
    .option('--release', 'nobody signs in to it any more')
    .option('-y, --yes', 'do not ask')
    .action(async ({ claim, release, yes }) => {
      const { users } = await call('GET /v1/users');
      if (claim === undefined && !release) return showOwner(io, users);
      if (claim !== undefined && release) throw wrongUsage('Either --claim or --release.');
      const user = release ? null : userOf(claim, users);
      const left = user?.member
        ? ` What ${user.name} has as a member stays, and nobody sees it any more.`
        : '';
      const question = user
        ? `Let ${user.name} see and decide all that the owner can?${left}`
        : 'Let nobody sign in to the account of the owner any more?';
      if (!yes && !(await confirmed(io, 'Changing who signs in', question)))
        return io.error('Nothing was changed.');
      const done = await call('PUT /v1/owner/sign-in', { body: { authId: user?.authId ?? null } });
      const closed = done.closed === null ? '' : ` The account ${done.closed} is closed; its records stay.`;
      io.answer(
        done,
        user
          ? `${user.name} signs in to the account of the owner.${closed}`
          : 'Nobody signs in to the account of the owner any more.',
      );
    });

function showOwner(io: Io, users: User[]): void {
  const { userId, name, authId } = users.find(({ role }) => role === 'owner') as User;
  const who = authId === null ? 'Nobody' : `The user ${authId} of Supabase Auth`;
  io.answer({ userId, name, authId }, `${name} (${userId})\n${who} signs in to this account.`);
}

/** @throws Problem (404) when nobody is meant */
function userOf(claim: string, users: User[]): { authId: string; name: string; member: boolean } {
  const known = users.find(({ authId, userId, name }) => [authId, userId, name].includes(claim));
  const member = known?.role === 'member' && known.removedAt === null;
  if (known?.authId) return { authId: known.authId, name: known.name, member };
  if (!known && z.uuid().safeParse(claim).success)
    return { authId: claim, name: `the user ${claim}`, member: false };
  const detail = known
    ? `${known.name} has never signed in with Supabase Auth.`
    : `Nobody who has signed in is named “${claim}”. Sign in on the page first, or give the id that Supabase shows for the user.`;
  throw new Problem({ status: 404, title: 'User not found', detail });
}

export const commands = { settings, spending, keys, users, owner };
