import { expect, test } from 'vitest';
import { type hookSession, startedSession } from '../support/hook-session.ts';
import { jsonLines } from '../support/json-lines.ts';
import { sharedServer } from '../support/server.ts';
import { learnings } from './mend.ts';

// Which answers of errors become lessons without anybody who understands them.

const server = await sharedServer({ model: false });

/** A command that fails, what is done then, and the command that passes; what their lesson says, null: there is none. */
type Row = { about: string; failed: string; error: string; worked: string[]; lesson: string[] | null };

/** Plays a session and returns the lessons that came of it. */
async function taught(play: (session: ReturnType<typeof hookSession>) => Promise<unknown>) {
  const { key } = await server.member();
  const session = await startedSession(server, { key }, 'do it');
  await play(session);
  await session.finish('Done.');
  const found: { lesson: string }[] = await learnings(server, key);
  const { body } = await server.request('GET', `/v1/sessions/${session.session_id}`, { key });
  return { lessons: found.map(({ lesson }) => lesson), session: body };
}

test.each(jsonLines<Row>('test/learnings/fixes.jsonl'))(
  '$about: $failed, then $worked, teaches $lesson',
  async ({ failed, error, worked, lesson }) => {
    const { lessons } = await taught(async (session) => {
      await session.bashFails(failed, `Exit code 1\n${error}`);
      for (const line of worked) await session.bashWorks(line, 'fine');
    });
    expect(lessons).toHaveLength(lesson === null ? 0 : 1);
    for (const part of lesson ?? []) expect(lessons[0]).toContain(part);
  },
);

test('no lesson comes of a change of a file', async () => {
  const { lessons } = await taught(async (session) => {
    await session.bashFails('npm test', "Exit code 1\nError: Cannot find module './rates.json'");
    await session.edit(`${session.cwd}/rates.json`, '{}', '{"dk": 1}');
    await session.bashWorks('npm run gen', 'fine');
    await session.bashWorks('npm test', 'fine');
  });
  expect(lessons).toEqual([]);
});

test('a command that Lore denied is no error, and teaches nothing', async () => {
  const { lessons, session } = await taught(async ({ decisionOn, bashWorks }) => {
    expect(await decisionOn('git push --force')).toBe('deny');
    await bashWorks('git push --force-with-lease origin me', 'ok');
  });
  expect(session.stopped).toMatchObject([{ command: 'git push --force', rule: 'git.force-push' }]);
  expect(session).toMatchObject({ status: 'completed', errorsEncountered: 0 });
  expect(lessons).toEqual([]);
});
