import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { saidIn } from '../../src/language/read-prompt.ts';
import { toldIn } from '../../src/language/told-facts.ts';
import { fakeGemini } from '../support/gemini.ts';
import { hookSession } from '../support/hook-session.ts';
import { sharedServer, startTestServer } from '../support/server.ts';
import { tries } from '../support/tries.ts';

const server = await sharedServer();
const gemini = await fakeGemini();
const reading = await startTestServer({ GEMINI_API_KEY: 'test-key', GEMINI_BASE_URL: gemini.url });

/** A person with a session that has begun. */
async function person(on = server) {
  const { key } = await on.member();
  const session = hookSession(on, { key });
  const ask = (method: string, path: string, body?: unknown) =>
    on.request(method, path, { key, ...(body !== undefined && { body }) });
  return { session, ask };
}

describe('what a person tells as a fact', () => {
  test('is one, with their words and the session; another value ends it, and the same again confirms it', async () => {
    const { session, ask } = await person();
    await session.start();
    const told = async (prompt: string) => {
      await session.prompt(prompt);
      await session.stop('Done.');
      await server.settled();
      return (await ask('GET', `/v1/facts?project=${encodeURIComponent(session.cwd)}&type=port`)).body.facts;
    };
    await session.prompt('Run the migration on staging.');
    await session.stop('Which port is it?');
    const words = 'The staging database is on port 5433.';
    const [first, ...others] = await told(`No. ${words}`);
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      project: session.cwd,
      value: 5433,
      tier: 'person',
      sessionId: expect.any(String),
    });
    expect(first.evidence).toContain(words);
    expect(await told('Remember: the staging database is on port 5433.')).toMatchObject([{ id: first.id }]);
    expect(await told('no, the staging database is on port 5434 now')).toMatchObject([{ value: 5434 }]);
    const asOf = await ask(
      'GET',
      `/v1/facts?project=${encodeURIComponent(session.cwd)}&type=port&asOf=${encodeURIComponent(first.validFrom)}`,
    );
    expect(asOf.body.facts).toMatchObject([{ value: 5433 }]);
    const reasons = (await ask('GET', '/v1/judgements')).body.judgements.map(
      ({ reason }: { reason: string }) => reason.split(' ').slice(0, 2).join(' '),
    );
    expect(reasons.filter((reason: string) => / fact$/.test(reason)).sort()).toEqual([
      'confirmed fact',
      'stated fact',
      'stated fact',
    ]);
  });

  test('may be a relation, and is erased with its session', async () => {
    const { session, ask } = await person();
    await session.start();
    await session.prompt('Why is it slow? The billing worker reads from the invoices queue.');
    await server.settled();
    const relations = async () => (await ask('GET', '/v1/relations')).body.relations;
    expect(await relations()).toMatchObject([
      {
        from: { type: 'worker', key: 'billing' },
        relation: 'reads from',
        to: { type: 'queue', key: 'invoices' },
      },
    ]);
    const [{ id }] = (await ask('GET', '/v1/sessions')).body.sessions;
    expect((await ask('POST', '/v1/erase', { session: id })).status).toBeLessThan(300);
    expect(await relations()).toEqual([]);
  });

  test.each([
    [
      'The orders_daily table is filled by the nightly-rollup job',
      'job nightly-rollup writes to table orders_daily',
    ],
    ['Kestrel has replaced the old Heron scheduler', 'component kestrel replaces scheduler heron'],
    ['the php cart was superseded by basket-svc', 'component basket-svc replaces component php cart'],
    ['our repo tiny-acme is a fork of tiny', 'component tiny-acme is a fork of component tiny'],
    [
      'When a user signs up, auth-core writes a row into account_audit',
      'component auth-core writes to component account_audit',
    ],
    ['We test the ios-sdk with Maestro', 'component ios-sdk is tested by component maestro'],
    [
      'note rank-api sits behind the Envoy proxy called front-door',
      'component rank-api is behind component front-door',
    ],
    ['Jonas reports to Ines since May', 'component jonas reports to component ines'],
  ])('may be a relation in other plain words: %s', (prompt, relation) => {
    const told = saidIn(prompt).facts.map((one) => one.told);
    const said = told.map((one) =>
      'relation' in one
        ? `${one.from.type} ${one.from.key} ${one.relation} ${one.to.type} ${one.to.key}`
        : '',
    );
    expect(said).toEqual([relation]);
  });

  test.each([
    ['notify-hub talks to Twilio for SMS and to Postmark for mail', ['twilio', 'postmark']],
    ['log-agent ships its logs to Loki and its traces to Tempo', ['loki', 'tempo']],
    ['the sales view is built from crm_contacts and shop_accounts', ['crm_contacts', 'shop_accounts']],
    ['the payments team looks after both refund-api and dispute-api', ['refund-api', 'dispute-api']],
  ])('may be two, if it says the same of two things: %s', (prompt, ends) => {
    const told = saidIn(prompt).facts.map((one) => one.told);
    expect(told.map((one) => ('relation' in one ? one.to.key : one.key))).toEqual(ends);
  });

  test('is one value, if two are named for one thing', () => {
    expect(toldIn('the test data lives in test/a.json and test/b.json')).toEqual([
      { type: 'path', key: 'test data', value: 'test/a.json' },
    ]);
  });

  test.each([
    'make billing call ledger instead of the accounting endpoint',
    'the bug is in the billing package',
    'the audit_events table has triggers for UPDATE',
    'could the gateway-edge be replaced by front-door?',
    'if orders-api depends on tax-api, mock it',
    'is the staging database on port 5433?',
    'if the staging database is on port 5433, the tunnel is wrong',
    'the server is running on port 3000 right now',
    'the bug is in src/parser.ts',
    'our CI is slow and the formatter is broken',
    'we used to be on node 18',
    'the loop writes to the buffer',
    'write a script that reads from the orders table',
  ])('is nothing when nothing lasting is told: %s', (prompt) => {
    expect(saidIn(prompt).facts).toEqual([]);
  });

  test('may be read by a model, if the person said it; then it ends nothing that a person stated', async () => {
    const { session, ask } = await person(reading);
    const words = 'Releases are cut by Ines on Thursdays';
    const fact = { type: 'owner', key: 'releases', value: 'Ines', words };
    gemini.reply = {
      answer: {
        lessons: [],
        facts: [
          fact,
          // the rules heard it, in other words
          { type: 'port', key: 'staging db', value: '5433', words: 'The staging database is on port 5433' },
          // nobody said it
          { ...fact, value: 'Marta' },
          { ...fact, key: 'billing worker' },
        ],
      },
    };
    await session.start();
    await session.prompt('Run the migration on staging.');
    await session.stop('Which port is it?');
    await session.prompt(`The staging database is on port 5433. Remember that ${words}.`);
    await session.bashWorks('ls', 'a');
    await session.stop('Done.');
    await reading.settled();
    const facts = async () =>
      (await ask('GET', `/v1/facts?project=${encodeURIComponent(session.cwd)}`)).body.facts
        .map(({ type, key, value, tier }: Record<string, string>) => [type, key, value, tier])
        .sort();
    expect(await facts()).toEqual([
      ['owner', 'releases', 'Ines', 'inferred'],
      ['port', 'staging database', 5433, 'person'],
    ]);
    await ask('PUT', '/v1/facts', { type: 'owner', key: 'releases', value: 'Jonas', project: session.cwd });
    await session.prompt(`Never push to main. ${words}, remember.`);
    await session.bashWorks('ls', 'a');
    await session.stop('Done.');
    await reading.settled();
    expect(await facts()).toContainEqual(['owner', 'releases', 'Jonas', 'person']);
  });

  test('may be a relation that a model reads, if the person said it in these words', async () => {
    const { session, ask } = await person(reading);
    const words = 'whenever a parcel is scanned, scanner-hub wakes up route-planner';
    const relation = { from: 'scanner-hub', relation: 'triggers', to: 'route-planner', words };
    gemini.reply = {
      answer: {
        lessons: [],
        relations: [
          relation,
          // the rules heard it, in other words
          {
            from: 'invoices queue',
            relation: 'feeds',
            to: 'billing worker',
            words: 'The billing worker reads from the invoices queue',
          },
          // the record does not hold a name, the words, or any verb
          { ...relation, to: 'route' },
          { ...relation, words: `${words} at night` },
          { ...relation, relation: '=>' },
          // five are read
          { ...relation, relation: 'calls' },
        ],
      },
    };
    await session.start();
    await session.prompt(`The billing worker reads from the invoices queue. Never push to main. ${words}.`);
    await session.bashWorks('ls', 'a');
    await session.stop('Done.');
    await reading.settled();
    const project = encodeURIComponent(session.cwd);
    const relations = async () =>
      (await ask('GET', `/v1/relations?project=${project}`)).body.relations
        .map(({ from, relation, to, tier }: Record<string, { key: string } | string>) => [
          (from as { key: string }).key,
          relation,
          (to as { key: string }).key,
          tier,
        ])
        .sort();
    expect(await relations()).toEqual([
      ['billing', 'reads from', 'invoices', 'person'],
      ['scanner-hub', 'triggers', 'route-planner', 'inferred'],
    ]);
    const asked = gemini.calls.at(-1)?.body.generationConfig.responseJsonSchema.properties;
    expect(asked).toHaveProperty('relations');
    const { judgements } = (await ask('GET', '/v1/judgements')).body;
    expect(
      judgements.filter(({ reason }: { reason: string }) => reason.startsWith('stated relation')),
    ).toHaveLength(2);
  });

  test('may be a decision that a model reads, which no rule heard; it is inferred, and no lesson', async () => {
    const { session, ask } = await person(reading);
    const words = 'after last week I am fine with squashing every branch into one commit';
    const decision = { condition: 'merging a branch', action: 'squash every branch into one commit', words };
    const lesson = {
      cause: '',
      action: 'Squash every branch into one commit.',
      trigger: 'merging a branch',
      lasting: 'lasting',
      incident: null,
      kind: 'preference',
      keywords: [],
      appliesTo: ['git'],
      confidence: 0.9,
    };
    gemini.reply = {
      answer: {
        lessons: [lesson],
        decisions: [
          decision,
          // the rules heard it
          {
            condition: '',
            action: 'use pnpm for all frontend packages',
            words: 'we decided to use pnpm for all frontend packages',
          },
          // the record does not hold the command, or the words
          { ...decision, action: `${decision.action} with \`git merge --ff-only\`` },
        ],
      },
    };
    await session.start();
    await session.prompt(`we decided to use pnpm for all frontend packages. ${words}.`);
    await session.bashWorks('ls', 'a');
    await session.stop('Done.');
    await reading.settled();
    const { decisions } = (await ask('GET', '/v1/decisions')).body;
    const told = decisions.map(({ action, tier }: Record<string, string>) => [action, tier]).sort();
    expect(told).toEqual([
      ['squash every branch into one commit', 'inferred'],
      ['use pnpm', 'person'],
    ]);
    const inferred = decisions.find(({ tier }: { tier: string }) => tier === 'inferred');
    expect(inferred).toMatchObject({ condition: 'merging a branch', evidence: words, project: session.cwd });
    expect((await ask('GET', '/v1/learnings')).body.learnings).toEqual([]);
    const [{ id }] = (await ask('GET', '/v1/sessions')).body.sessions;
    expect((await ask('POST', '/v1/erase', { session: id })).status).toBeLessThan(300);
    expect((await ask('GET', '/v1/decisions')).body.decisions).toEqual([]);
  });

  test('is nothing that holds a secret in a name, whoever read it', async () => {
    const { session, ask } = await person(reading);
    const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const words = `scanner-hub calls route-${token}`;
    gemini.reply = {
      answer: {
        lessons: [],
        relations: [{ from: 'scanner-hub', relation: 'calls', to: `route-${token}`, words }],
      },
    };
    await session.start();
    await session.prompt(`Never push to main. ${words}.`);
    await session.bashWorks('ls', 'a');
    await session.stop('Done.');
    await reading.settled();
    const { relations } = (await ask('GET', '/v1/relations')).body;
    expect(JSON.stringify(relations)).not.toContain('a1B2c3D4');
    expect(JSON.stringify((await ask('GET', '/v1/judgements')).body)).not.toContain('a1B2c3D4');
  });

  test('is read at once, whatever is said', () => {
    const parts = [
      'the ',
      'a ',
      'api ',
      'is ',
      'on ',
      'port ',
      '5433 ',
      'we ',
      'use ',
      "'s ",
      'service ',
      'for ',
      '- ',
      '.',
      ',',
      '/',
      '@',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 120 }), (words) => {
        toldIn(words.join(''));
      }),
      { numRuns: tries(1000) },
    );
  });
});
