import { beforeAll, expect, test } from 'vitest';
import { lessonRecord } from '../learnings/mend.ts';
import { seriousFindings } from '../support/axe.ts';
import { inBrowser, openPage } from '../support/browser.ts';
import { hookSession, startedSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

inBrowser.orSkipFile();

const server = await sharedServer({ model: false });

/** A word that no screen is wide enough for. */
const LONG = `/home/dev/${'a-folder-without-end/'.repeat(12)}file.ts`;
let paths: string[] = [];

// Something of everything, so that the pages show more than that there is nothing.
beforeAll(async () => {
  const wide = { project: '/home/dev/wide' };
  const widePlan = await server.request('POST', '/v1/plans', {
    body: { ...wide, goal: LONG, steps: [{ description: LONG }] },
  });
  const wideLesson = { ...lessonRecord(`Before \`${LONG}\`, first run it`, new Date()), ...wide };
  await server.request('POST', '/v1/import', { body: { records: [wideLesson] } });
  const session = await startedSession(server, { cwd: '/home/dev/shop' }, 'Make the checks pass');
  await session.bashFails('npm test', "Exit code 1\nError: Cannot find module './pool.json'");
  await session.bashWorks('npm run gen', 'written');
  await session.bashWorks('npm test', '42 checks passed');
  for (const command of ['git push --force origin main', 'rm -rf /']) await session.before(command);
  await session.stop('The pool was too small for the parallel workers, so I raised it to 20 in config.json.');
  const plan = await server.request('POST', '/v1/plans', {
    body: {
      project: '/home/dev/shop',
      goal: 'Checkout with the new provider',
      steps: [{ description: 'Adapter' }, { description: 'Form', dependencies: [1] }],
    },
  });
  await server.request('PATCH', `/v1/plans/${plan.body.id}/steps/1`, { body: { waitingFor: 'API key' } });
  const statement = { project: '/home/dev/shop', type: 'service', key: 'gateway.port' };
  await server.request('PUT', '/v1/facts', { body: { ...statement, value: 8080 } });
  const fact = await server.request('PUT', '/v1/facts', { body: { ...statement, value: 9090 } });
  const finding = await server.request('POST', '/v1/findings', {
    body: {
      project: '/home/dev/shop',
      title: 'The pool has no limit',
      file: 'src/pool.ts',
      severity: 'high',
    },
  });
  const skill = await server.request('PUT', '/v1/skills/release-notes', {
    body: { file: '# Release notes\nCollect the pull requests.' },
  });
  await server.request('POST', '/v1/consolidation/runs');
  await server.settled();
  const { projects } = (await server.request('GET', '/v1/dashboard')).body;
  const { learnings } = (await server.request('GET', '/v1/learnings')).body;
  const { sessions } = (await server.request('GET', '/v1/sessions')).body;
  paths = [
    ...[
      '/',
      '/plans',
      '/learnings',
      '/safety',
      '/sessions',
      '/search?q=checks',
      '/records',
      // the other kinds are the same page
      '/records/fact',
      '/records/finding',
      '/nights',
      '/metrics',
      '/devices',
      '/console',
      '/more',
    ],
    `/projects/${projects[0].id}`,
    `/plans/${plan.body.id}`,
    `/learnings/${learnings[0].id}`,
    `/sessions/${sessions[0].id}`,
    `/records/fact/${fact.body.id}`,
    `/records/finding/${finding.body.id}`,
    `/records/skill/${skill.body.id}`,
    `/plans/${widePlan.body.id}`,
    `/learnings/${wideLesson.id}`,
    '/safety?kind=held',
  ];
});

/** Hooks of a session at work, until it is told to stop. */
function work() {
  const session = hookSession(server, { cwd: '/home/dev/shop' });
  let stopped = false;
  const all = (async () => {
    await session.start();
    await session.prompt('Look at all of it');
    for (let i = 0; !stopped; i++) {
      await session.bashWorks(`cat part-${i}.txt`, 'as it was');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await session.end();
  })();
  return () => {
    stopped = true;
    return all;
  };
}

for (const size of ['cover', 'desktop'] as const)
  test(`every page opens while agents work, with no serious finding in light or dark, no error and not too wide: ${size}`, async () => {
    const { page } = await openPage(server, { size, theme: 'light', reducedMotion: true });
    const found: string[] = [];
    page.on('pageerror', (error) => found.push(`error: ${error.message}`));
    page.on('console', (said) => said.type() === 'error' && found.push(`console: ${said.text()}`));
    const stop = work();
    const look = async (name: string) => {
      const findings = async (theme: string, options: object) => {
        for (const one of await seriousFindings(page, options)) found.push(`${name}, ${theme}: ${one}`);
      };
      await findings('light', {});
      // only the colours differ, and not with the size
      if (size === 'cover') {
        await page.emulateMedia({ colorScheme: 'dark' });
        await findings('dark', { runOnly: ['color-contrast'] });
        await page.emulateMedia({ colorScheme: 'light' });
      }
      const wider = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      if ((wider as number) > 0) found.push(`${name}: ${wider} px wider than the screen`);
    };
    for (const path of paths) {
      await page.goto(`${server.url}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('main .pulse-slow[aria-hidden]').first().waitFor({ state: 'detached' });
      await look(path);
    }
    await stop();
    await page.evaluate('localStorage.clear()');
    await page.goto(`${server.url}/`);
    await page.getByRole('heading', { name: 'Pair this device with Lore' }).waitFor();
    await look('signed out');
    expect(found).toEqual([]);
  });
