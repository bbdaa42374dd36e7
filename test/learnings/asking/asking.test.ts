import { expect, test } from 'vitest';
import { contextOf, hookSession, startedSession } from '../../support/hook-session.ts';
import { jsonLines } from '../../support/json-lines.ts';
import { sharedServer } from '../../support/server.ts';

// When an agent is asked for what it knows, and when it is not.

const server = await sharedServer({ model: false });

type Session = ReturnType<typeof hookSession>;

/** Begins a session of a new person. */
async function begin(): Promise<Session> {
  const session = hookSession(server, { key: (await server.member()).key });
  await session.start();
  await session.prompt('please check the code');
  return session;
}

const FAILED = "Exit code 1\n/usr/bin/python3: No module named 'pytest'";

/** One step: `-` a command fails, `+` it passes (with an output behind `=>`), `>` the person says, `~` an edit, `.` the end. */
async function play(session: Session, step: string): Promise<object> {
  const [what = '', output] = step.slice(2).split(' => ');
  if (step[0] === '-') return session.bashFails(what, FAILED);
  if (step[0] === '+') return session.bashWorks(what, output);
  if (step[0] === '>') return session.prompt(what);
  if (step[0] === '~') return session.edit(what, 'x = 1', 'x = 2');
  return session.stop('I could not do it.');
}

test('the question has what failed, the form of the answer and the way to give it', async () => {
  const session = await begin();
  await session.bashFails('pytest -q', FAILED);
  const asked = contextOf(await session.bashWorks('uv run pytest -q', '3 passed in 0.1s'));
  expect(asked).toMatch(/^Lore asks: `pytest -q` failed \(“.*No module named 'pytest'”\)/);
  expect(asked).toContain(`remember -s ${session.session_id.slice(0, 8)}\` with {error, cause`);
  expect(asked).toMatch(/Else ignore this line\.$/);
});

// an error that is gone, one that never passes, and sentences of persons
test.each(jsonLines<{ about: string; asked: boolean; steps: string[] }>('test/learnings/asking/asked.jsonl'))(
  '$about, $steps: $asked',
  async ({ asked, steps }) => {
    const session = await begin();
    let last = {};
    for (const step of steps) last = await play(session, step);
    expect(contextOf(last).includes('Lore asks: ')).toBe(asked);
  },
);

test('an error is asked about once, and never in a subagent', async () => {
  const session = await begin();
  const answers = [];
  for (let i = 0; i < 2; i++) {
    await session.bashFails('pytest -q', FAILED);
    answers.push(contextOf(await session.bashWorks('uv run pytest -q')));
  }
  expect(answers.map((text) => text !== '')).toEqual([true, false]);
  const subagent = { agent_id: 'agent-1' };
  await session.bashFails('make up', 'Exit code 2\nmake: *** [up] Error 1', subagent);
  expect(contextOf(await session.bashWorks('. ./env.sh && make up', 'ok', subagent))).toBe('');
});

test('nobody is asked who does not want it, and no more than a budget', async () => {
  const { key } = await server.member();
  const session = await startedSession(server, { key });
  const prompts = Array.from({ length: 8 }, (_, i) => `From now on we should always check part ${i} first`);
  const asked = [];
  for (const prompt of prompts) asked.push(contextOf(await session.prompt(prompt)).includes('Lore asks'));
  expect(asked.filter(Boolean).length).toBeGreaterThan(1);
  expect(asked.at(-1)).toBe(false);
  await server.request('PUT', '/v1/settings', { key, body: { voice: { ask: 'none' } } });
  const silent = await startedSession(server, { key });
  expect(contextOf(await silent.prompt('From now on we should always check first'))).not.toContain(
    'Lore asks',
  );
});
