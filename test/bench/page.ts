// Measures the phone page in a real Chromium: how much it loads, how soon it shows something, how soon a change is
// seen, and what Lighthouse and axe find.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import lighthouse from 'lighthouse';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { table } from '../../src/cli/table.ts';
import { seriousFindings } from '../support/axe.ts';
import { chromiumPath, launchChromium, pairPage, SIZES, type Size } from '../support/chromium.ts';
import { freePort, type Lore } from './lore.ts';
import { median, percentiles, type Row, row } from './measure.ts';

const PATHS = [
  '/',
  '/plans',
  '/learnings',
  '/safety',
  '/sessions',
  '/records',
  '/search',
  '/nights',
  '/metrics',
  '/devices',
  '/console',
];
const PROJECT = '/home/ada/shop';
const LOADS = 5;
const CHANGES = 100;
/** What “Fast 4G” means in Chromium's own tools: 9 Mbit/s less a tenth, and 60 ms there and back, 2.75 times. */
const FAST_4G = {
  offline: false,
  downloadThroughput: (9_000_000 / 8) * 0.9,
  uploadThroughput: (1_500_000 / 8) * 0.9,
  latency: 60 * 2.75,
};
const SLOWER = 4;

/** @param folder for the profile of a browser */
export async function benchPage(lore: Lore, folder: string): Promise<Row[]> {
  if (chromiumPath === undefined) return [{ what: 'not measured: no Chromium on this machine', value: '' }];
  const browser = await launchChromium();
  try {
    const { planId } = await prepare(lore);
    const signedIn = await signIn(browser, lore);
    const parts = {
      'first loads': () => firstLoads(browser, lore, signedIn),
      changes: () => changes(browser, lore, signedIn, planId),
      axe: () => findings(browser, lore, signedIn),
      Lighthouse: () => audits(lore, join(folder, 'profile')),
    };
    const rows: Row[] = [];
    for (const [name, measure] of Object.entries(parts)) {
      const measured = await measure();
      // it takes minutes, so each part is told when it is there
      console.error(
        table(
          {},
          [`page: ${name}`, '', ''],
          measured.map(({ what, value, limit }) => [what, value, limit ?? '']),
        ),
      );
      rows.push(...measured);
    }
    return rows;
  } finally {
    await browser.close();
  }
}

/** The storage that a new context starts with, so that it is signed in but has nothing in its cache. */
type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>;

async function signIn(browser: Browser, lore: Lore): Promise<SignedIn> {
  const context = await browser.newContext({ ...SIZES.cover, serviceWorkers: 'block' });
  await pair(await context.newPage(), lore);
  const state = await context.storageState();
  await context.close();
  return state;
}

const pair = (page: Page, lore: Lore) =>
  pairPage(page, lore.url, async (_, path) => ({
    status: 201,
    body: JSON.parse((await lore.post(path, {})).text),
  }));

async function prepare(lore: Lore): Promise<{ planId: string }> {
  await lore.hook({
    hook_event_name: 'UserPromptSubmit',
    session_id: 'bench-page',
    transcript_path: '/nonexistent',
    cwd: PROJECT,
    prompt: 'Make the checkout work with the new provider',
  });
  const { id } = JSON.parse(
    (
      await lore.post('/v1/plans', {
        project: PROJECT,
        goal: 'Checkout',
        steps: [{ description: 'Change 0' }],
      })
    ).text,
  );
  await lore.post(`/v1/plans/${id}/steps/1/claim`, { agent: 'backend' });
  return { planId: id };
}

const visit = (browser: Browser, size: Size, storageState: SignedIn): Promise<BrowserContext> =>
  browser.newContext({ ...SIZES[size], storageState, serviceWorkers: 'block' });

/** Loads the first page anew, as a phone would. */
async function firstLoads(browser: Browser, lore: Lore, signedIn: SignedIn): Promise<Row[]> {
  const painted: number[] = [];
  const filled: number[] = [];
  let scripts = 0;
  for (let n = 0; n < LOADS; n++) {
    const context = await visit(browser, 'cover', signedIn);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', FAST_4G);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await page.goto(lore.url);
    await page.getByText('Change 0').first().waitFor();
    filled.push((await page.evaluate('performance.now()')) as number);
    painted.push(
      (await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`)) as number,
    );
    // the live connection is loaded behind the first content
    await page.waitForLoadState('networkidle');
    scripts = (await page.evaluate(
      `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
    )) as number;
    await context.close();
  }
  return [
    row('JavaScript of the first page, compressed', scripts / 1_000, 'KB', 150),
    row(
      `first content on a phone (CPU ÷ ${SLOWER}, fast 4G), median of ${LOADS}`,
      median(painted),
      'ms',
      1_000,
    ),
    row('until it shows what the server says, median', median(filled), 'ms'),
  ];
}

/** Measures from the request that changes a row until the page has drawn it. */
async function changes(browser: Browser, lore: Lore, signedIn: SignedIn, planId: string): Promise<Row[]> {
  const context = await visit(browser, 'open', signedIn);
  const page = await context.newPage();
  await page.addInitScript({ content: `localStorage.removeItem('lore.seen')` });
  await page.goto(lore.url);
  await page.getByText('Change 0').first().waitFor();
  // the page notes when it is live
  for (let live = false; !live; await sleep(50)) {
    live = (await page.evaluate(`localStorage.getItem('lore.seen') !== null`)) as boolean;
  }
  await page.evaluate(`(() => {
    window.seen = {};
    const look = () => {
      const found = /Change (\\d+)/.exec(document.body.innerText);
      if (found && !(found[1] in window.seen)) {
        const at = found[1];
        window.seen[at] = 0;
        requestAnimationFrame(() => { window.seen[at] = Date.now(); });
      }
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  })()`);
  const times: number[] = [];
  let missed = 0;
  for (let n = 1; n <= CHANGES; n++) {
    const began = Date.now();
    await fetch(`${lore.url}/v1/plans/${planId}/steps/1`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${lore.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ description: `Change ${n}` }),
    });
    let seen = 0;
    for (let waited = 0; seen === 0 && waited < 200; waited++) {
      await sleep(10);
      seen = (await page.evaluate(`window.seen[${n}] ?? 0`)) as number;
    }
    if (seen === 0) missed += 1;
    else times.push(seen - began);
    await sleep(50);
  }
  await context.close();
  return [
    percentiles('from the request that changes a row to the pixel', times, { p95: 150 }),
    row('changes that the page did not show within 2 s', missed, '', 0),
  ];
}

/** Lets axe look at every page. */
async function findings(browser: Browser, lore: Lore, signedIn: SignedIn): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of ['cover', 'open'] as const) {
    const context = await visit(browser, size, signedIn);
    const page = await context.newPage();
    let found = 0;
    for (const path of PATHS) {
      await page.goto(`${lore.url}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await sleep(500);
      found += (await seriousFindings(page)).length;
    }
    await context.close();
    rows.push(row(`axe: serious findings on ${PATHS.length} pages, ${size}`, found, '', 0));
  }
  return rows;
}

/** Lets Lighthouse look at every page. It opens tabs of its own in a browser that is signed in. */
async function audits(lore: Lore, profile: string): Promise<Row[]> {
  const port = await freePort();
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath as string,
    args: [`--remote-debugging-port=${port}`, '--disable-dev-shm-usage'],
  });
  const least: Record<string, { score: number; path: string }> = {};
  const failed = new Set<string>();
  try {
    await pair(await context.newPage(), lore);
    for (const path of PATHS) {
      const result = await lighthouse(`${lore.url}${path}`, {
        port,
        onlyCategories: ['accessibility', 'best-practices'],
        disableStorageReset: true,
        throttlingMethod: 'provided',
        logLevel: 'error',
      });
      for (const [name, { score, auditRefs }] of Object.entries(result?.lhr.categories ?? {})) {
        const points = Math.round((score ?? 0) * 100);
        if (points <= (least[name]?.score ?? 100)) least[name] = { score: points, path };
        for (const { id, weight } of auditRefs)
          if (weight > 0 && (result?.lhr.audits[id]?.score ?? 1) < 1) failed.add(`${path} ${id}`);
      }
    }
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
  return [
    ...Object.entries(least).map(([name, { score, path }]) => ({
      what: `Lighthouse: ${name}, the least of ${PATHS.length} pages (${path})`,
      value: String(score),
      limit: '≥ 95',
      ok: score >= 95,
    })),
    ...[...failed].map((what) => ({ what: `Lighthouse found: ${what}`, value: '' })),
  ];
}
