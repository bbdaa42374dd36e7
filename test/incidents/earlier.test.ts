import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { approveAll } from '../learnings/mend.ts';
import { contextOf, hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();

const HEADS =
  "Exit code 255\nERROR [alembic.util.messaging] invalid argument 'head': multiple head revisions are present; please specify a specific target revision";
const STATE_LOCK =
  'Exit code 1\nError: Error acquiring the state lock\nTerraform acquires a state lock to protect the state from being written by multiple users at the same time.';

type Played = ReturnType<typeof hookSession>;

/** A member, and sessions in projects of theirs. */
async function person() {
  const { key, userId } = await server.member();
  const home = `/home/dev/${randomUUID()}`;
  const session = async (project = 'shop') => {
    const one = hookSession(server, { key, cwd: `${home}/${project}` });
    await one.start();
    await one.prompt('go on');
    return one;
  };
  const settled = async () => {
    await server.stored();
    await server.settled();
  };
  return { key, userId, home, session, settled };
}

/** The error is met, a command put it right, and the agent says why. */
async function solve(one: Played) {
  await one.bashFails('alembic upgrade head', HEADS);
  await one.bashWorks('alembic upgrade one@head');
  await one.stop('There are two heads.');
  await one.end();
}

/** The error is met, two things are tried, and it stays. */
async function giveUp(one: Played, command = 'terraform plan') {
  await one.bashFails(command, STATE_LOCK);
  await one.bashWorks('terraform init -reconfigure');
  await one.bashFails(command, STATE_LOCK);
  await one.edit(`${one.cwd}/backend.tf`, 'a', 'b');
  await one.bashFails(command, STATE_LOCK);
  await one.stop('I could not get the lock.');
  await one.end();
}

describe('an error that was solved', () => {
  test('is told in another project of the user once it is active, and never to anybody else', async () => {
    const { key, session, settled } = await person();
    await solve(await session());
    await settled();
    const before = await session('blog');
    expect(contextOf(await before.bashFails('alembic upgrade head', HEADS))).toBe('');
    await approveAll(server, key);
    const other = await session('blog');
    expect(contextOf(await other.bashFails('alembic upgrade head', HEADS))).toMatch(
      /\[the same error in .*\/shop\] .*alembic upgrade one@head/,
    );
    const stranger = await (await person()).session();
    expect(contextOf(await stranger.bashFails('alembic upgrade head', HEADS))).toBe('');
  });

  test('by a fix that belongs to its task is told nobody', async () => {
    const { session, settled } = await person();
    const one = await session();
    const red = "Exit code 1\nE   ModuleNotFoundError: No module named 'app.names'";
    await one.bashFails('pytest tests/test_names.py', red);
    await one.edit(`${one.cwd}/app/names.py`, '', 'def split_name(): ...');
    await one.bashWorks('pytest tests/test_names.py');
    await one.stop('Done.');
    await one.end();
    await settled();
    for (const project of ['shop', 'blog']) {
      const again = await session(project);
      expect(contextOf(await again.bashFails('pytest tests/test_names.py', red))).toBe('');
    }
  });

  test('is no longer told when its lesson was taken back', async () => {
    const { key, session, settled } = await person();
    await solve(await session());
    await settled();
    const [lesson] = await approveAll(server, key);
    const before = await session('blog');
    expect(contextOf(await before.bashFails('alembic upgrade head', HEADS))).toContain(
      'alembic upgrade one@head',
    );
    await server.request('POST', `/v1/learnings/${lesson.id}/retire`, { key });
    await settled();
    const again = await session('blog');
    expect(contextOf(await again.bashFails('alembic upgrade head', HEADS))).toBe('');
  });
});

describe('an error that nobody solved', () => {
  test('warns of what was tried in vain, until a later session solves it', async () => {
    const { key, session, settled } = await person();
    await giveUp(await session());
    await settled();
    const again = await session();
    const told = contextOf(await again.bashFails('terraform plan', STATE_LOCK));
    expect(told).toContain('1. [HIGH, unsolved] An earlier session did not solve this: `terraform plan`');
    expect(told).toMatch(/tried in vain: `terraform init -reconfigure`, `edited backend\.tf`/);
    expect(told).toContain('ended with: Error: Error acquiring the state lock');
    expect(contextOf(await again.bashFails('terraform plan', STATE_LOCK))).toBe('');
    await again.bashWorks('terraform force-unlock 8b1f');
    await again.bashWorks('terraform plan');
    await again.stop(
      'The lock of a crashed run was left over, because it never unlocked; `terraform force-unlock` frees it.',
    );
    await again.end();
    await settled();
    const third = await session();
    expect(contextOf(await third.bashFails('terraform plan', STATE_LOCK))).not.toContain('unsolved');
    const { body } = await server.request('GET', '/v1/incidents?status=unresolved', { key });
    expect(body.incidents).toEqual([]);
  });

  test('warns each agent of a session once, and a project of its own only', async () => {
    const { session, settled } = await person();
    await giveUp(await session());
    await settled();
    const again = await session();
    expect(contextOf(await again.bashFails('terraform plan', STATE_LOCK))).toContain('unsolved');
    const failed = {
      agent_id: 'sub-1',
      agent_type: 'general-purpose',
      tool_name: 'Bash',
      tool_input: { command: 'terraform plan' },
      error: STATE_LOCK,
      is_interrupt: false,
    };
    const sub = (n: number) => again.send('PostToolUseFailure', { ...failed, tool_use_id: `toolu_sub_${n}` });
    expect(contextOf(await sub(1))).toContain('unsolved');
    expect(contextOf(await sub(2))).toBe('');
    const elsewhere = await session('blog');
    expect(contextOf(await elsewhere.bashFails('terraform plan', STATE_LOCK))).toBe('');
  });

  test('without a try, or in a test run, warns nobody', async () => {
    const { session, settled } = await person();
    const one = await session();
    await one.bashFails('terraform plan', STATE_LOCK);
    await one.end();
    const two = await session();
    await giveUp(two, 'npm test');
    await settled();
    const again = await session();
    expect(contextOf(await again.bashFails('terraform plan', STATE_LOCK))).toBe('');
    expect(contextOf(await again.bashFails('npm test', STATE_LOCK))).toBe('');
  });
});

test('errors are found by search, solved or not, with their outcome', async () => {
  const { key, session, settled, home } = await person();
  await solve(await session());
  await giveUp(await session());
  await settled();
  const search = async (query: string) =>
    (
      await server.request('POST', '/v1/search', {
        key,
        body: { query, project: `${home}/shop`, kinds: ['error'] },
      })
    ).body.results;
  const [solved] = await search('multiple head revisions');
  expect(solved).toMatchObject({
    kind: 'error',
    metadata: {
      status: 'resolved',
      call: 'alembic upgrade head',
      outcome: expect.stringContaining('alembic upgrade one@head'),
    },
  });
  expect(solved.content).toBe(`${HEADS.split('\n')[1]}\nalembic upgrade head\n${solved.metadata.outcome}`);
  expect((await search('terraform state lock'))[0].content).toMatch(
    /Unsolved; tried: terraform init -reconfigure; edited backend\.tf; ended with: Error: Error acquiring/,
  );
  // one error of a session is one result
  expect(await search('terraform state lock')).toHaveLength(2);
});
