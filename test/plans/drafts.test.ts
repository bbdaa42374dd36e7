import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPrompt } from '../../src/language/prompt.ts';
import { draftByRules } from '../../src/plans/draft.ts';
import { state } from '../learnings/mend.ts';
import { fakeGemini } from '../support/gemini.ts';
import { contextOf, hookSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { startTestServer } from '../support/server.ts';

const gemini = await fakeGemini();
const server = await startTestServer();
const thinking = await startTestServer({ GEMINI_API_KEY: 'test-key', GEMINI_BASE_URL: gemini.url });

const EXPORT =
  'Implement the export of invoices in the billing service, design its schema and add tests for the export';

/** A session that has added such an export before, and changed two files. */
async function earlierExport(on = server) {
  const { key } = await on.member();
  const cwd = '/home/dev/billing';
  const earlier = hookSession(on, { key, cwd });
  await earlier.start();
  await earlier.prompt('Add the export of customers to the billing service and add tests for the export');
  await earlier.edit(`${cwd}/src/export.ts`, 'a', 'b');
  await earlier.edit(`${cwd}/test/export.test.ts`, 'a', 'b');
  await earlier.bashWorks('npm test', '12 passed');
  await earlier.stop('The export of customers is added, with tests that pass.');
  await earlier.end();
  await on.settled();
  const session = hookSession(on, { key, cwd });
  await session.start();
  const plans = async () => {
    await on.settled();
    const { body } = await on.request('GET', '/v1/plans', { key });
    // the earlier task was one thing to do
    const drafted = body.plans.filter(({ draftedBy }: { draftedBy: string }) => draftedBy !== 'prompt');
    const all = drafted.map(({ id }: { id: string }) => on.request('GET', `/v1/plans/${id}`, { key }));
    return (await Promise.all(all)).map((answer) => answer.body);
  };
  return { key, session, plans };
}

/** States a lesson about exports as an agent does, has it approved, and wants all lessons told. Returns its id. */
async function teach(on: typeof server, key: string, project: string): Promise<string> {
  await on.request('PUT', '/v1/settings', { key, body: { voice: { lesson: 'all' } } });
  const lesson = 'Exports of the billing service stream their rows, because invoices do not fit into memory.';
  const about = {
    context: 'When the export of invoices in the billing service is implemented',
    appliesTo: ['src/export.ts'],
  };
  const body = await state(on, key, lesson, { ...about, project, agent: 'builder' });
  expect(body).toMatchObject({ decision: 'stored' });
  await on.request('POST', `/v1/learnings/${body.learning.id}/approve`, { key });
  return body.learning.id;
}

describe('a plan drafted by rules', () => {
  test('names the files that similar work changed, in the answer and in what is stored', async () => {
    const { session, plans } = await earlierExport();
    const told = contextOf(await session.prompt(EXPORT));
    const step =
      'Look at src/export.ts, test/export.test.ts (changed by similar work), their callers and tests';
    expect(told).toContain(`first: 1. ${step}`);
    expect(told).toContain(
      `Earlier work, worked, ${new Date().toISOString().slice(0, 10)}: “Add the export of customers`,
    );
    const [plan] = await plans();
    expect(plan.steps[0].description).toBe(step);
  });

  test('is none for work in one file, however much of it', async () => {
    const { key } = await server.member();
    const session = hookSession(server, { key });
    await session.start();
    for (const prompt of [
      'write a JSDoc comment for every exported function in math.ts',
      'add type hints to all functions of `src/parse.py`',
    ]) {
      expect(contextOf(await session.prompt(prompt))).not.toContain('Plan ');
    }
    expect(
      contextOf(await session.prompt('add structured logging to all services of the backend')),
    ).toContain('Plan ');
  });

  test.each([
    ['Please do these steps:', 'Add a rounding helper to src/money.ts, and 2 more'],
    ['Bitte erledige diese Schritte:', 'Add a rounding helper to src/money.ts, and 2 more'],
    ['Make all prices exact:', 'Make all prices exact'],
  ])('of a list below “%s” is named “%s”', async (head, goal) => {
    const { key } = await server.member();
    const session = hookSession(server, { key });
    await session.start();
    await session.prompt(
      `${head}\n1. Add a rounding helper to src/money.ts.\n2. Use it in the cart.\n3. Write tests for both.`,
    );
    await server.settled();
    const { body } = await server.request('GET', '/v1/plans', { key });
    expect(body.plans).toMatchObject([{ goal }]);
  });

  test('keeps the lessons that were told with it', async () => {
    const { key, session, plans } = await earlierExport();
    const lesson = await teach(server, key, session.cwd);
    // what a person states is a rule: it stands at the start of a session, and is not told with prompts
    const rule = 'In the billing service, exports of invoices are named after the month.';
    await state(server, key, rule, {
      context: 'When the export of invoices in the billing service is implemented',
      appliesTo: ['src/export.ts'],
      project: session.cwd,
    });
    await server.settled();
    const told = contextOf(await session.prompt(EXPORT));
    expect(told).toContain('stream their rows');
    expect(told).not.toContain('after the month');
    const [plan] = await plans();
    expect(plan.learnings).toEqual([lesson]);
  });

  test.each([
    [
      'Migrate the jobs to the new queue without downtime, and update the docs. The public API must stay as it is.',
      ['without downtime', 'The public API must stay as it is.'],
    ],
    [
      'Add several currencies to the ledger without changing the balance() signature:\n1. add a field\n2. convert the sums\n3. update the tests',
      ['without changing the balance() signature'],
    ],
    [
      'Move the ledger in these steps and without breaking the public API:\n- move the models\n- port the tests\n- delete the old code',
      ['without breaking the public API'],
    ],
    [
      "Refactor the parser into modules and port the tests; don't touch the lexer.",
      ["don't touch the lexer."],
    ],
    [
      'Please refactor the ledger module without touching its tests and add support for EUR in all reports',
      ['without touching its tests'],
    ],
    ['Implement the importer, design its schema and migrate the old rows.', []],
  ])('keeps to what the prompt says: %s', (prompt, constraints) => {
    expect(draftByRules(readPrompt(prompt))?.constraints).toEqual(constraints);
  });
});

describe('no plan is drafted', () => {
  test.each([
    [
      'of an errand',
      'ok can we commit all of this, push it to a branch and create a PR for the current fixes?',
    ],
    ['of one sweep', 'Clean up all untracked files, please.'],
    ['of the names of files', 'Review these changes, all of them:\n- src/a.ts\n- src/b.ts\n- test/a.test.ts'],
    [
      'of a document',
      'Implement the following plan:\n\n# Plan\n\n## Context\n- the mount is empty\n- the index is old\n## Later\n- nothing else',
    ],
    [
      'of code',
      'Fix the whole thing and all of it:\n- const a = () => { b(); }\n- expect(a).toEqual([]); });\n* it("works", async () => {',
    ],
    [
      'of thoughts',
      'hmm, I am starting to feel that we give up too much of the whole design by staying with this library, it would be nicer to be in control of every screen',
    ],
  ])('%s: %s', (_, prompt) => expect(draftByRules(readPrompt(prompt))).toBeNull());
});

test.each([
  [['package.json', 'tsconfig.json', 'README.md'], 'typescript'],
  [['package.json', 'main.tf'], 'node, terraform'],
  [['README.md'], null],
])(
  'a project with %j is of type %s, for who runs the server; nobody else has it looked at',
  async (files, type) => {
    const cwd = temporaryFolder(tmpdir());
    for (const file of files) writeFileSync(join(cwd, file), '');
    for (const key of [server.key, (await server.member()).key]) {
      for (const prompt of [EXPORT, 'Fix the rounding in src/total.ts']) {
        const session = hookSession(server, { key, cwd });
        await session.start();
        await session.prompt(prompt);
        await server.settled();
      }
      const { body } = await server.request('GET', `/v1/plans?project=${encodeURIComponent(cwd)}`, { key });
      expect(body.plans).toHaveLength(2);
      for (const { id } of body.plans) {
        const { body: plan } = await server.request('GET', `/v1/plans/${id}`, { key });
        expect(plan.projectType).toBe(key === server.key ? type : null);
      }
    }
  },
);

test('what a project on another machine is made with is told by the hook at its start', async () => {
  const { key } = await server.member();
  const cwd = '/home/far/away';
  const session = hookSession(server, { key, cwd });
  await session.send('SessionStart', {
    source: 'startup',
    lore: { root: cwd, projectType: 'go, terraform' },
  });
  for (const prompt of [EXPORT, 'Fix the rounding in src/total.ts']) await session.prompt(prompt);
  await server.settled();
  const { body } = await server.request('GET', '/v1/plans', { key });
  expect(body.plans).toHaveLength(2);
  for (const { id } of body.plans) {
    const plan = await server.request('GET', `/v1/plans/${id}`, { key });
    expect(plan.body.projectType).toBe('go, terraform');
  }
});

describe('a plan drafted by the model', () => {
  const answer = {
    worthAPlan: true,
    goal: 'Export invoices',
    constraints: ['Rows are streamed'],
    steps: [
      { description: 'Write the query', dependencies: [] },
      { description: 'Write the route', dependencies: [1, 7] },
    ],
  };
  const callsForPlans = () =>
    gemini.calls.filter(({ body }) => body.systemInstruction.parts[0]?.text.startsWith('You draft a plan'));

  test('is told with the next tool call, and the model was told of similar work', async () => {
    gemini.reply = { answer };
    const { session, plans } = await earlierExport(thinking);
    expect(contextOf(await session.prompt(EXPORT))).not.toContain('Plan ');
    const [plan] = await plans();
    expect(plan).toMatchObject({
      draftedBy: 'model',
      goal: 'Export invoices',
      constraints: ['Rows are streamed'],
      steps: [
        { description: 'Write the query', dependencies: [] },
        // a step that comes later is no condition
        { description: 'Write the route', dependencies: [1] },
      ],
    });
    const asked = callsForPlans().at(-1)?.body.contents[0]?.parts[0]?.text;
    expect(asked).toContain(EXPORT);
    expect(asked).toContain('Records of earlier work:');
    expect(asked).toContain('export of customers');
    await expect
      .poll(async () => contextOf(await session.bashWorks('ls', 'a')))
      .toContain(`Plan ${plan.id.slice(0, 4)}: 2 steps, first: 1. Write the query`);
  });

  test('keeps which lessons were told with the prompt, and what the project is made with', async () => {
    gemini.reply = { answer };
    const { key, session, plans } = await earlierExport(thinking);
    const lesson = await teach(thinking, key, session.cwd);
    const lore = { root: session.cwd, projectType: 'rust' };
    await session.send('SessionStart', { source: 'resume', lore });
    await thinking.settled();
    expect(contextOf(await session.prompt(EXPORT))).toContain('stream their rows');
    const [plan] = await plans();
    expect(plan).toMatchObject({ draftedBy: 'model', learnings: [lesson], projectType: 'rust' });
  });

  test('is none if the model says that it is not worth one', async () => {
    gemini.reply = { answer: { ...answer, worthAPlan: false } };
    const { session, plans } = await earlierExport(thinking);
    await session.prompt(EXPORT);
    expect(await plans()).toEqual([]);
  });

  test('is the one of the rules if the model has no usable answer', async () => {
    gemini.reply = { status: 500, message: 'down' };
    const { session, plans } = await earlierExport(thinking);
    await session.prompt(EXPORT);
    const [plan] = await plans();
    expect(plan.draftedBy).toBe('rules');
    expect(plan.steps[0].description).toMatch(/^Look at /);
  });
});

test('a subagent is told the earlier work that is most like its task', async () => {
  const { session } = await earlierExport();
  await session.send('PreToolUse', {
    tool_name: 'Agent',
    tool_use_id: 'toolu_export',
    tool_input: { description: 'export', prompt: EXPORT, subagent_type: 'general-purpose' },
  });
  const told = contextOf(
    await session.send('SubagentStart', { agent_id: 'agent1', agent_type: 'general-purpose' }),
  );
  expect(told.match(/^.*Earlier work, worked, /gm)).toHaveLength(1);
  expect(told).toContain('export of customers');
});
