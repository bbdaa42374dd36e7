import { expect, test } from 'vitest';
import { contextOf, startedSession } from '../../support/hook-session.ts';
import { temporaryFolder } from '../../support/left-behind.ts';
import { runLore } from '../../support/process.ts';
import { sharedServer } from '../../support/server.ts';

// What becomes of an agent's answer: it is checked, told at its very error or call, and confirmed by what comes of it.

const server = await sharedServer({ model: false });

async function person() {
  const { key } = await server.member();
  const cwd = temporaryFolder();
  const begin = () => startedSession(server, { key, cwd });
  const propose = async (session: { session_id: string }, body: object, path = '/v1/proposals') => {
    const about = { project: cwd, agent: 'orchestrator', session: session.session_id.slice(0, 8) };
    return (await server.request('POST', path, { key, body: { ...about, ...body } })).body;
  };
  return { key, cwd, begin, propose };
}

const NO_PYTEST = "Exit code 1\n/usr/bin/python3: No module named 'pytest'";
const ANSWER = {
  error: "/usr/bin/python3: No module named 'pytest'",
  cause: 'the packages of this project are in its own environment',
  do: 'run it as `uv run pytest`',
  applies_when: 'pytest',
};

test('an answer is told at its very error, as proposed by an agent, and active once it helped elsewhere', async () => {
  const { key, begin, propose } = await person();
  const first = await begin();
  await first.prompt('run the tests');
  await first.bashFails('pytest -q', NO_PYTEST);
  expect(contextOf(await first.bashWorks('uv run pytest -q', '3 passed'))).toContain('Lore asks');
  const kept = await propose(first, ANSWER);
  expect(kept).toMatchObject({ state: 'proposed', id: expect.stringMatching(/^learning:/) });
  await first.stop('done');
  await first.end();

  const second = await begin();
  await second.prompt('run the tests again');
  const told = contextOf(await second.bashFails('pytest -q', NO_PYTEST));
  expect(told).toContain('[proposed by an agent] run it as `uv run pytest`');
  await second.bashWorks('uv run pytest -q', '3 passed');
  await second.finish('done');
  const { body } = await server.request('GET', '/v1/learnings', { key });
  expect(body.learnings).toMatchObject([{ status: 'active', successCount: 1, lesson: ANSWER.do }]);

  // the same error is asked about no more
  const third = await begin();
  await third.bashFails('pytest -q', NO_PYTEST);
  expect(contextOf(await third.bashWorks('uv run pytest -q', '3 passed'))).not.toContain('Lore asks');
});

test('an answer that names what the session never used is refused, with the reason', async () => {
  const { begin, propose } = await person();
  const session = await begin();
  await session.bashFails('pytest -q', NO_PYTEST);
  expect(await propose(session, { ...ANSWER, do: 'run `poetry run pytest` instead' })).toEqual({
    id: null,
    state: 'discarded',
    reason: 'it names poetry, which this session never used',
  });
});

const WORDS = 'make sure nobody runs the e2e tests without me';
const RULE = {
  words: WORDS,
  means: 'ask the person before the end-to-end tests',
  about: [{ program: 'npm run', args: ['test:e2e'] }],
  then: 'ask',
  breaks: ['npm run test:e2e'],
  keeps: ['npm test'],
};

async function withRule(rule: object = RULE) {
  const about = await person();
  const session = await about.begin();
  const asked = contextOf(await session.prompt(`${WORDS}, they cost tokens. Now run npm run test:e2e`));
  const kept = await about.propose(session, rule, '/v1/proposals/rules');
  await session.rest('done');
  return { ...about, asked, kept };
}

test('a rule that an agent wrote down asks the person, with their own words', async () => {
  const { asked, kept, begin } = await withRule();
  expect(asked).toContain(`Lore asks: “${WORDS}`);
  expect(kept).toMatchObject({ state: 'proposed', reason: expect.stringMatching(/^the person is asked/) });
  const session = await begin();
  expect(await session.before('npm run test:e2e')).toMatchObject({
    permissionDecision: 'ask',
    permissionDecisionReason: expect.stringContaining(`You said: “${WORDS}”`),
  });
  expect(await session.decisionOn('npm test')).not.toBe('ask');
});

test('a yes to its question takes out the call, and a second one lets it only tell', async () => {
  const { begin, key } = await withRule({ ...RULE, about: [{ program: 'git push' }], breaks: ['git push'] });
  const session = await begin();
  const run = async (command: string) => {
    const id = { tool_use_id: crypto.randomUUID(), permission_mode: 'default' };
    const { permissionDecision } = await session.before(command, id);
    const call = { ...id, tool_name: 'Bash', tool_input: { command } };
    await session.send('PostToolUse', { ...call, tool_response: { stdout: '', stderr: '' } });
    await server.settled();
    return permissionDecision;
  };
  expect(await run('git push origin a')).toBe('ask');
  expect(await run('git push origin a')).not.toBe('ask');
  expect(await run('git push origin b')).toBe('ask');
  expect(await run('git push origin c')).not.toBe('ask');
  const { body } = await server.request('GET', '/v1/guards', { key });
  expect(body.guards).toMatchObject([{ source: 'agent', rule: { then: 'tell' } }]);
});

const edit = { tool: 'Edit', input: { file_path: 'billing/a' } };
test.each<[string, object, RegExp]>([
  ['words that nobody typed', { words: 'never run the e2e tests' }, /^words: no prompt/],
  ['a program that nobody named', { about: [{ program: 'frob' }], breaks: ['frob'] }, /^about: it names/],
  ['a file that nobody named', { about: [{ globs: ['billing/**'] }], breaks: [edit] }, /^about: it names/],
  ['examples that it does not sort', { keeps: ['npm run test:e2e'] }, /it would stop its own example/],
  ['no examples', { breaks: [], keeps: [] }, /^breaks: /],
])('a rule with %s is refused with the reason', async (_, changed, reason) => {
  const { kept, key } = await withRule({ ...RULE, ...changed });
  expect(kept).toMatchObject({ id: null, state: 'refused', reason: expect.stringMatching(reason) });
  expect((await server.request('GET', '/v1/learnings', { key })).body.learnings).toEqual([]);
});

test('a rule that would stop more than one in a hundred of past calls is refused', async () => {
  const about = await person();
  const before = await about.begin();
  for (let i = 0; i < 4; i++) await before.bashWorks(`npm run test:e2e -- part${i}`);
  const session = await about.begin();
  await session.prompt(WORDS);
  await server.settled();
  expect(await about.propose(session, RULE, '/v1/proposals/rules')).toMatchObject({
    state: 'refused',
    reason: expect.stringMatching(/^it would stop 4 of the project's last/),
  });
});

test('an agent without tools answers by a command', async () => {
  const { key, cwd, begin } = await person();
  const session = await begin();
  await session.bashFails('pytest -q', NO_PYTEST);
  await session.bashWorks('uv run pytest -q', '3 passed');
  const args = ['remember', '-s', session.session_id.slice(0, 8), JSON.stringify(ANSWER)];
  const { code, stdout } = await runLore(args, { env: { LORE_URL: server.url, LORE_KEY: key }, cwd });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^proposed learning:/)]);
});
