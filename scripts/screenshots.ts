// Takes screenshots of every page of the phone page into docs/screenshots/, without data and with that of a demo.
//   npm run screenshots                 all of them
//   npm run screenshots -- now plan     only these pages
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'drizzle-orm';
import type { Browser, Page } from 'playwright-core';
import { openDatabase, query } from '../src/db/open.ts';
import { type Lore, root, startLore } from '../test/bench/lore.ts';
import { newStore } from '../test/bench/store.ts';
import { launchChromium, SIZES, type Size } from '../test/support/chromium.ts';
import { asker, HOLDOUT, moveToPast, playPast, playToday } from './demo.ts';

const FOLDER = join(root, 'docs/screenshots');
const THEMES = ['light', 'dark'] as const;
const QUALITY = 60;
const PHONE =
  'Mozilla/5.0 (Linux; Android 16; Pixel 10 Pro Fold) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';
/** Device pixels per pixel: sharp enough to judge a picture, and small enough to keep it. */
const PIXELS = { cover: 2, open: 1.5, desktop: 1.25 } as const;

type Shot = { name: string; path: string; sizes: Size[] };

const phone: Size[] = ['cover', 'open'];
const EMPTY: Shot[] = [
  { name: 'now', path: '/', sizes: phone },
  { name: 'plans', path: '/plans', sizes: phone },
  { name: 'learnings', path: '/learnings', sizes: phone },
  { name: 'safety', path: '/safety', sizes: phone },
  { name: 'sessions', path: '/sessions', sizes: phone },
  { name: 'search', path: '/search?q=how%20do%20I%20run%20the%20tests', sizes: phone },
  { name: 'facts', path: '/records/fact', sizes: phone },
  { name: 'nights', path: '/nights', sizes: phone },
  { name: 'metrics', path: '/metrics', sizes: phone },
];

/** Returns the pages of a filled server: those of single records too. */
async function full(lore: Lore): Promise<Shot[]> {
  const ask = asker(lore);
  const { plans } = await ask<{ plans: { id: string; goal: string }[] }>('GET', '/v1/plans');
  const { sessions } = await ask<{ sessions: { id: string; status: string }[] }>('GET', '/v1/sessions');
  const { learnings } = await ask<{ learnings: { id: string; status: string }[] }>('GET', '/v1/learnings');
  const { projects } = await ask<{ projects: { id: string; name: string }[] }>('GET', '/v1/dashboard');
  const plan = plans.find(({ goal }) => goal.startsWith('Checkout'));
  const shop = projects.find(({ name }) => name.endsWith('shop'));
  return [
    { name: 'now', path: '/', sizes: [...phone, 'desktop'] },
    { name: 'project', path: `/projects/${shop?.id}`, sizes: phone },
    ...EMPTY.slice(1),
    { name: 'plan', path: `/plans/${plan?.id}`, sizes: phone },
    { name: 'learning', path: `/learnings/${learnings[0]?.id}`, sizes: phone },
    {
      name: 'session',
      path: `/sessions/${sessions.find(({ status }) => status !== 'active')?.id}`,
      sizes: phone,
    },
    { name: 'devices', path: '/devices', sizes: phone },
    { name: 'console', path: '/console', sizes: phone },
    { name: 'more', path: '/more', sizes: ['cover'] },
  ];
}

/** Signs a browser in for each size and theme, and takes each page. */
async function take(
  browser: Browser,
  lore: Lore,
  shots: Shot[],
  suffix: string,
  wanted: string[],
): Promise<void> {
  const chosen = shots.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  for (const size of Object.keys(SIZES) as Size[]) {
    const here = chosen.filter(({ sizes }) => sizes.includes(size));
    if (here.length === 0) continue;
    const context = await browser.newContext({
      ...SIZES[size],
      deviceScaleFactor: PIXELS[size],
      reducedMotion: 'reduce',
      locale: 'en-GB',
      ...(size !== 'desktop' && { userAgent: PHONE }),
      serviceWorkers: 'block',
    });
    const page = await context.newPage();
    const { code } = await asker(lore)<{ code: string }>('POST', '/v1/pairings');
    await page.goto(`${lore.url}/#pair=${code}`);
    await page.locator('nav').waitFor();
    for (const theme of size === 'desktop' ? THEMES.slice(0, 1) : THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      for (const { name, path } of here) {
        await open(page, `${lore.url}${path}`);
        await prepare(page, name, suffix);
        await shoot(page, `${name}-${size}-${theme}${suffix}`);
      }
    }
    await page.goto(`${lore.url}/devices`);
    await page.getByRole('button', { name: 'Sign out here' }).click();
    await page.getByRole('heading', { name: 'Pair this device with Lore' }).waitFor();
    await context.close();
  }
}

/** Waits until the page has drawn what the server told it. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('h1').waitFor();
  // not “networkidle”: the live connection never rests
  await page.locator('main .pulse-slow[aria-hidden]').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(400);
}

/** Opens or scrolls a page so that it shows as much as possible. */
async function prepare(page: Page, name: string, suffix: string): Promise<void> {
  if (suffix !== '') return;
  if (name === 'devices') {
    await page.getByRole('button', { name: 'Show a code' }).click();
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
  }
  if (name === 'console') {
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('table').waitFor();
  }
}

async function shoot(page: Page, name: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await devtools.detach();
  writeFileSync(join(FOLDER, `${name}.webp`), Buffer.from(data, 'base64'));
}

const { positionals: wanted } = parseArgs({ allowPositionals: true });
const folder = mkdtempSync(join(tmpdir(), 'lore-screenshots-'));
const store = await newStore(join(folder, 'home'), undefined);
const browser = await launchChromium();
let lore = await startLore(store, { LORE_HOLDOUT: String(HOLDOUT) });
try {
  if (wanted.length === 0) {
    rmSync(FOLDER, { recursive: true, force: true });
  }
  mkdirSync(FOLDER, { recursive: true });
  await take(browser, lore, EMPTY, '-empty', wanted);

  const past = await playPast(lore, folder);
  past.push(...(await playToday(lore, folder)));
  await lore.settled();
  await lore.stop();
  const db = await openDatabase({ home: store.home, databaseUrl: undefined });
  for (const statement of moveToPast(past)) await query(db.drizzle, sql.raw(statement));
  await db.close();
  // a model is configured but never asked, so that the page shows its budget
  lore = await startLore(store, {
    LORE_HOLDOUT: String(HOLDOUT),
    GEMINI_API_KEY: 'of-the-demo',
    GEMINI_BASE_URL: 'http://127.0.0.1:9',
  });
  await take(browser, lore, await full(lore), '', wanted);
  const files = readdirSync(FOLDER);
  const bytes = files.reduce((sum, file) => sum + statSync(join(FOLDER, file)).size, 0);
  console.log(`${files.length} screenshots in docs/screenshots, ${(bytes / 1e6).toFixed(1)} MB`);
} finally {
  await browser.close();
  await lore.stop();
  rmSync(folder, { recursive: true, force: true });
}
