import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { session as played, seeded } from '../../bench/sessions.ts';
import { useBrowser } from '../support/browser.ts';
import { hookSession } from '../support/hook-session.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();
const openPage = useBrowser();
const { key } = await server.member('Ann');
const empty = await server.member('Eve');
const ask = (method: string, path: string, body?: unknown) => server.request(method, path, { key, body });

const LESSONS = [
  'Before `npm run test:integration`, first run `docker compose up -d ledger`. Otherwise it fails with “ECONNREFUSED 127.0.0.1:5432”.',
  '`npm run build` fails here with “TS2345: Argument of type string | undefined”: use `process.env.PORT ?? "8080"` instead.',
  'Never push to main in this repository: open a pull request from a branch that begins with the ticket number.',
  'Use pnpm here, not npm: the lock file of npm is not committed and the CI refuses it.',
  'When `pytest tests/test_api.py` fails with “No module named httpx”: run `uv sync --extra dev`. Then it passes.',
  'The emulator of the billing service listens on port 8085; set `BILLING_URL` before the integration tests.',
];
test('shots', { timeout: 400_000 }, async () => {
  const records = Array.from({ length: 60 }, (_, n) => {
    const at = new Date(Date.now() - n * 7_200_000 - 3_600_000).toISOString();
    const ended = n % 11 === 10;
    return {
      type: 'learning',
      id: randomUUID(),
      project: ['github.com/acme/shop-api', 'github.com/acme/billing', '/home/dev/web'][n % 3],
      lineageId: randomUUID(),
      status: n % 13 === 5 ? 'review' : 'active',
      lesson: n < LESSONS.length ? LESSONS[n] : `${LESSONS[n % 6]} (${n})`,
      context: 'Running the integration tests in shop-api while working on: the cart total is wrong',
      why: n % 2 ? 'FastAPI’s TestClient needs httpx, which is now a dependency.' : null,
      errorType: 'connection',
      keywords: ['emulator', 'ledger', 'docker'],
      appliesTo: ['npm', 'compose.yaml'],
      confidence: 0.55 + (n % 5) * 0.1,
      priorConfidence: 0.7,
      usageCount: n,
      successCount: n % 5,
      failureCount: n % 3,
      qualityScore: 0.83,
      evaluatedBy: 'rules',
      validFrom: at,
      validUntil: ended ? new Date().toISOString() : null,
      lastConfirmedAt: at,
      createdAt: at,
      updatedAt: at,
    };
  });
  const imp = await ask('POST', '/v1/import', { records });
  if (imp.body.failed.length) throw new Error(JSON.stringify(imp.body.failed[0]));
  const random = seeded(7);
  for (let n = 0; n < 6; n++)
    for (const event of played(random, { turns: 2, calls: 12 })) await server.hook(event, key);
  const s = hookSession(server, { key, cwd: '/home/dev/shop-api', branch: 'main' });
  await s.start();
  await s.prompt('Mend the cart total when a line has no price, with a test');
  await s.bashFails(
    'npm test -- cart',
    "Exit code 1\n FAIL test/cart.test.ts > totals\nTypeError: Cannot read properties of undefined (reading 'total')\n    at sum (src/cart/totals.ts:41:19)",
  );
  await s.edit('/home/dev/shop-api/src/cart/totals.ts', 'line.price.total', 'line.price?.total ?? 0');
  await s.bashWorks('npm test -- cart', 'Tests 12 passed');
  await s.stop('Lines without a price have no total; `totals.ts` now counts them as 0.');
  await server.settled();
  const plan = (
    await ask('POST', '/v1/plans', {
      project: 'github.com/acme/shop-api',
      goal: 'Move the checkout to the new payment provider without a second of downtime',
      constraints: ['No change of the public API', 'Each step can be rolled back'],
      steps: [
        { description: 'Read how the old provider is called, and list every place' },
        { description: 'Write the adapter for the new provider', dependencies: [1] },
        { description: 'Write contract tests against the sandbox of the new provider', dependencies: [1] },
        { description: 'Ask finance for the production key', dependencies: [1] },
        { description: 'Run both providers side by side behind a flag', dependencies: [2, 3] },
        { description: 'Switch 1 % of the traffic over', dependencies: [4, 5] },
        { description: 'Remove the old provider', dependencies: [6] },
        { description: 'Write a page about how to roll back', dependencies: [5], proposed: true },
      ],
    })
  ).body;
  const step = (n: number, what: string, body: object) =>
    ask('POST', `/v1/plans/${plan.id}/steps/${n}/${what}`, body);
  await step(1, 'claim', { agent: 'scout' });
  await step(1, 'notes', { agent: 'scout', text: 'Only `src/pay/client.ts` and the refund job call it.' });
  await step(1, 'complete', { agent: 'scout', outcome: 'Two places, both behind `PaymentClient`.' });
  await step(2, 'claim', { agent: 'builder' });
  await step(3, 'claim', { agent: 'tester' });
  await step(3, 'fail', { agent: 'tester', outcome: 'The sandbox refuses our certificate.' });
  await ask('PATCH', `/v1/plans/${plan.id}/steps/4`, {
    waitingFor: 'a person: the production key of the new provider',
  });
  for (let n = 0; n < 5; n++)
    await ask('POST', '/v1/plans', {
      project: 'github.com/acme/billing',
      goal: `Clean up the invoices of quarter ${n}`,
      steps: [{ description: 'a' }, { description: 'b' }],
    });
  const done = (
    await ask('POST', '/v1/plans', {
      project: 'github.com/acme/billing',
      goal: 'Upgrade to Node 22',
      steps: [{ description: 'Change the engine' }],
    })
  ).body;
  await ask('POST', `/v1/plans/${done.id}/steps/1/complete`, { outcome: 'ok' });
  await ask('POST', '/v1/consolidation/runs');
  await server.settled();
  const { learnings } = (await ask('GET', '/v1/learnings?limit=500')).body;
  const learned =
    learnings.find((l: { sourceSessionId: string | null }) => l.sourceSessionId) ?? learnings[0];
  const pages: Record<string, string> = {
    learnings: '/learnings',
    review: '/learnings?status=review',
    learning: `/learnings/${learned.id}`,
    plans: '/plans',
    plan: `/plans/${plan.id}`,
    sessions: '/sessions',
    session: `/sessions/${s.session_id}`,
    nights: '/nights',
    search: '/learnings?q=port+of+the+database',
  };
  const wanted = (process.env.SHOTS ?? '').split(',').filter(Boolean);
  for (const size of ['cover', 'open', 'desktop'] as const) {
    for (const theme of ['light', 'dark'] as const) {
      if (theme === 'dark' && size !== 'cover') continue;
      const { page } = await openPage(server, { key, size, theme, allow: [/./] });
      for (const [name, path] of Object.entries(pages)) {
        if (wanted.length && !wanted.includes(name)) continue;
        await page.goto(server.url + path);
        await page.locator('main h1').waitFor();
        await page.waitForTimeout(700);
        const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        if (Number(wide) > 0) console.log('TOO WIDE', size, name, wide);
        await page.screenshot({ path: `/tmp/pk/${name}-${size}-${theme}.png`, fullPage: true });
      }
    }
  }
  const { page, problems } = await openPage(server, { key: empty.key, size: 'cover', allow: [/./] });
  for (const name of ['learnings', 'plans', 'sessions', 'nights']) {
    await page.goto(server.url + pages[name]);
    await page.waitForTimeout(600);
    await page.screenshot({ path: `/tmp/pk/${name}-empty.png` });
  }
  console.log(problems.join('\n'));
});
