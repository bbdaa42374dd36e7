import { describe, expect, test } from 'vitest';
import { contextOf, hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer({ model: false });

const stored = (sessionId: string): Promise<{ event: string }[]> =>
  server.rows(`select e.event from events e join sessions s on s.id = e.session_id
    where s.client_session_id = '${sessionId}' order by e.occurred_at, e.id`);
const names = async (sessionId: string) => (await stored(sessionId)).map(({ event }) => event);

describe('prompts without an id', () => {
  const prompt = { prompt: 'continue' };

  test('that are equal are two if something happened in between', async () => {
    const session = hookSession(server);
    await session.send('UserPromptSubmit', prompt);
    await session.bashWorks('make');
    await session.send('UserPromptSubmit', prompt);
    await session.send('UserPromptSubmit', prompt);
    expect(await names(session.session_id)).toEqual(['UserPromptSubmit', 'PostToolUse', 'UserPromptSubmit']);
  });

  test('with an id of the turn are one, whenever they come', async () => {
    const session = hookSession(server);
    for (const command of ['make', 'make test']) {
      await session.send('UserPromptSubmit', { ...prompt, prompt_id: 'p' });
      await session.bashWorks(command);
    }
    expect(await names(session.session_id)).toEqual(['UserPromptSubmit', 'PostToolUse', 'PostToolUse']);
  });
});

test('a start that a second hook tells two seconds later is told once, also behind a prompt', async () => {
  const session = hookSession(server);
  await session.prompt('Always run `make lint` before you commit in this repository.');
  await session.finish('I will.');
  const next = hookSession(server, { cwd: session.cwd });
  expect(contextOf(await next.start())).toContain('make lint');
  await next.prompt('hello');
  expect(contextOf(await next.start())).toBe('');
  await next.end();
  expect(contextOf(await next.start())).toContain('make lint');
});

test('a file is one, however the letters of its name are composed', async () => {
  const session = hookSession(server);
  for (const form of ['NFC', 'NFD']) await session.edit(`/app/src/naïve.ts`.normalize(form), 'a', 'b');
  await server.settled();
  const { body } = await server.request('GET', `/v1/sessions/${session.session_id}`);
  expect(body.filesModified).toEqual(['/app/src/naïve.ts'.normalize('NFC')]);
});
