import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asUser } from '../../src/db/as-user.ts';
import { PIECE, type Place, storyPiece } from '../../src/sessions/story.ts';
import { ERROR, incidents, learn, learnings } from '../learnings/mend.ts';
import { hookSession } from '../support/hook-session.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();
const EVENTS = 10_000;

type Played = Pick<ReturnType<typeof hookSession>, 'session_id' | 'cwd'>;

/** Stores calls of a session that do nothing of interest, each with the event before it and its result. */
async function work({ session_id: id, cwd }: Played, events: number) {
  await server.settled();
  const run = randomUUID();
  await server.rows(
    `insert into events (user_id, session_id, event, dedup_key, source, tool_name, tool_use_id, target, payload, occurred_at)
     select s.user_id, s.id, e.event, e.event || ':' || c.id, 'hook', 'Bash', c.id, c.command,
       jsonb_build_object('hook_event_name', e.event, 'session_id', s.client_session_id, 'cwd', '${cwd}',
         'tool_name', 'Bash', 'tool_use_id', c.id, 'tool_input', jsonb_build_object('command', c.command))
         || case e.event when 'PostToolUse' then jsonb_build_object('tool_response',
           jsonb_build_object('stdout', repeat('line of output ', 20), 'stderr', '')) else '{}' end,
       clock_timestamp() + make_interval(secs => (2 * n + e.after) / 1e6)
     from sessions s, generate_series(1, ${events / 2}) n,
       lateral (select '${run}_' || n as id, 'cat notes/' || n % 50 || '.md' as command) c,
       (values ('PreToolUse', 0), ('PostToolUse', 1)) e (event, after)
     where s.client_session_id = '${id}'`,
  );
}

/** Reads a session's story in pieces. Returns the ids of the calls, and how many pieces there were. */
async function readAll(userId: string, played: Played) {
  const id = (
    await server.rows(`select id from sessions where client_session_id = '${played.session_id}'`)
  )[0]?.id as string;
  const calls: (string | null)[] = [];
  let after: Place | null = null;
  let pieces = 0;
  do {
    const place: Place | null = after;
    type Piece = Awaited<ReturnType<typeof storyPiece>>;
    const { events, end }: Piece = await asUser(server.db, { userId, role: 'member' }, (tx) =>
      storyPiece(tx, id, null, place),
    );
    expect(events.length).toBeLessThanOrEqual(PIECE);
    calls.push(...events.flatMap(({ toolUseId }) => toolUseId ?? []));
    after = end;
    pieces++;
  } while (after !== null);
  return { calls, pieces };
}

describe('a session of 10,000 events', () => {
  test('is settled whole: an error and a lesson of its beginning count as those of its end do', {
    timeout: 300_000,
  }, async () => {
    const { key, userId } = await server.member();
    await learn(server, { key });
    const [before] = await learnings(server, key);
    const session = hookSession(server, { key, cwd: '/home/dev/app' });
    await session.start();
    await session.prompt('Make the checks pass, then read all notes');
    // a lesson of another session comes with this failure, and helps
    await session.bashFails('node check.js', ERROR);
    await session.bashWorks('npm run gen', 'written');
    await session.bashWorks('node check.js', '42 checks passed');
    // an error of its own
    await session.bashFails('npm run report', 'Exit code 1\nError: no such file: report.schema.json');
    await session.bashWorks('npm run generate-schema', 'written');
    await session.bashWorks('npm run report', 'written');
    await work(session, EVENTS - 20);
    // and one that nothing answers, behind all pieces but the last
    await session.bashFails(
      'npm run publish-report',
      'Exit code 1\nError: the token of the registry has expired',
    );
    await session.stop('The report needed its schema, which `npm run generate-schema` writes.');
    await session.end();
    await server.settled();

    const found = await incidents(server, key);
    const byTarget = (target: string) => found.filter((one: { target: string }) => one.target === target);
    expect(byTarget('npm run report')).toMatchObject([
      {
        status: 'resolved',
        resolution: {
          commands: ['npm run generate-schema'],
          lastMessage: 'The report needed its schema, which `npm run generate-schema` writes.',
        },
      },
    ]);
    expect(byTarget('npm run publish-report')).toMatchObject([{ status: 'unresolved' }]);
    const [offer] = await server.rows(
      `select outcome from offers where kind = 'lesson' and user_id = '${userId}'`,
    );
    expect(offer).toEqual({ outcome: 'helped' });
    const after = (await learnings(server, key)).find(({ id }: { id: string }) => id === before.id);
    expect(after).toMatchObject({ successCount: before.successCount + 1 });
    // the memory that it takes is that of a piece, and each call is read once, by its result
    const { calls, pieces } = await readAll(userId, session);
    expect(calls).toHaveLength(EVENTS / 2 - 10 + 7);
    expect(new Set(calls).size).toBe(calls.length);
    expect(pieces).toBe(Math.ceil(calls.length / PIECE));
    expect((await learnings(server, key)).map(({ lesson }: { lesson: string }) => lesson)).toEqual(
      expect.arrayContaining([expect.stringContaining('npm run generate-schema')]),
    );
  });

  test('an answer is found wherever a piece ends', { timeout: 300_000 }, async () => {
    const { key } = await server.member();
    const session = hookSession(server, { key, cwd: '/home/dev/app' });
    await session.start();
    await session.prompt('Build it');
    await session.bashFails('npm run lint', 'Exit code 1\nError: the lint cache was never written here');
    const wanted: string[] = [];
    // a result is one event of the story: so errors lie before and behind the end of each piece
    for (let piece = 0; piece < 2; piece++) {
      await work(session, 2 * (PIECE - 12));
      for (let n = 0; n < 8; n++) {
        const name = `job${piece}${n}`;
        wanted.push(`npm run ${name}`);
        await session.bashFails(
          `npm run ${name}`,
          `Exit code 1\nError: ${name} lacks its settings file ${name}.ini`,
        );
        await session.bashWorks(`npm run settings -- ${name}`);
        await session.bashWorks(`npm run ${name}`);
      }
    }
    await session.stop('Every job needed its settings.');
    await session.end();
    await server.settled();
    const found: { target: string; status: string; resolution: { commands: string[] } | null }[] =
      await incidents(server, key);
    const answered = found.filter(({ target }) => target.startsWith('npm run job'));
    expect(
      answered
        .filter(({ status }) => status === 'resolved')
        .map(({ target }) => target)
        .sort(),
    ).toEqual(wanted.sort());
    for (const { target, resolution } of answered)
      expect(resolution?.commands).toContain(`npm run settings -- ${target.replace('npm run ', '')}`);
  });
});
