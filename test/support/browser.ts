import type { Browser, BrowserContext, Page, WebSocket } from 'playwright-core';
import { expect, inject, onTestFinished } from 'vitest';
import { chromiumPath, launchChromium, pairPage, SIZES, type Size } from './chromium.ts';
import { lasting } from './left-behind.ts';
import { needs } from './needs.ts';
import type { TestServer } from './server.ts';

// The phone page in a real browser, against a real server. A file declares its tests with `browserTest`,
// which are skipped where there is no Chromium.

export const inBrowser = needs('Chromium (Debian: apt-get install chromium)', chromiumPath);

/** `test`, but skipped where there is no Chromium. */
export const browserTest = inBrowser.test;

type Options = {
  /** key of the person whose device this is; default: the owner's; null: the device is not signed in */
  key?: string | null;
  size?: Size;
  theme?: 'light' | 'dark';
  reducedMotion?: boolean;
  path?: string;
  /**
   * allows the service worker, which keeps the page for when the server is away; without this it is blocked
   */
  serviceWorker?: boolean;
  /** accepts a certificate that nobody vouches for, as a person does who presses “go on” */
  anyCertificate?: boolean;
  /** problems that the test causes on purpose */
  allow?: RegExp[];
};

type OpenPage = {
  page: Page;
  context: BrowserContext;
  /** what went wrong so far: errors, refused requests, breaches of the content security policy, foreign requests */
  problems: string[];
  /** the live connections that its pages opened so far */
  sockets: WebSocket[];
};

/** The Chromium of all files of this test process, which it ends with: to start one takes two seconds of the processor. */
let browser: Promise<Browser> | undefined;

async function sharedBrowser(): Promise<Browser> {
  if (!(await browser)?.isConnected()) browser = lasting(launchLasting);
  return browser as Promise<Browser>;
}

/** Starts a Chromium whose profile lies where the whole run removes it. Playwright has no option for that. */
async function launchLasting(): Promise<Browser> {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = inject('lasting').folder;
  try {
    return await launchChromium();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

/**
 * Opens a page with a storage of its own, signed in. It is closed at the end of the test; the test fails if anything went
 * wrong in it.
 */
export async function openPage(server: TestServer, options: Options = {}): Promise<OpenPage> {
  const { key = server.key, size = 'cover', theme = 'light', path = '/', allow = [] } = options;
  const context = await (await sharedBrowser()).newContext({
    ...SIZES[size],
    colorScheme: theme,
    reducedMotion: options.reducedMotion ? 'reduce' : 'no-preference',
    ignoreHTTPSErrors: options.anyCertificate ?? false,
    serviceWorkers: options.serviceWorker ? 'allow' : 'block',
  });
  const { problems, sockets } = watch(context, server.url);
  onTestFinished(async () => {
    await context.close();
    const left = problems.filter((problem) => !allow.some((pattern) => pattern.test(problem)));
    if (left.length > 0) throw new Error(`in the browser:\n  ${left.join('\n  ')}`);
  });
  const page = await context.newPage();
  if (key === null) await page.goto(`${server.url}${path}`);
  else await pairPage(page, server.url, (method, at) => server.request(method, at, { key }), path);
  return { page, context, problems, sockets };
}

/** Waits until a page gets changes as they happen. Before that it may read its data once more. */
export const untilLive = async (page: Page): Promise<void> => {
  const seen = () => page.evaluate(`localStorage.getItem('lore.seen')`);
  await expect.poll(seen).not.toBeNull();
};

/** Returns lists that grow: everything that should not happen in these pages, and their sockets. */
function watch(context: BrowserContext, url: string): Pick<OpenPage, 'problems' | 'sockets'> {
  const problems: string[] = [];
  const sockets: WebSocket[] = [];
  const isOwn = (address: string) =>
    new URL(address).host === new URL(url).host || /^(data|blob|about):/.test(address);
  context.on('weberror', (error) => problems.push(`error: ${error.error().stack ?? error.error().message}`));
  context.on('console', (message) => {
    // a refused request is told below, with its address
    if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return;
    problems.push(`console: ${message.text()}`);
  });
  context.on('request', (request) => {
    if (!isOwn(request.url())) problems.push(`foreign request: ${request.url()}`);
  });
  context.on('requestfailed', (request) => {
    const { errorText = '' } = request.failure() ?? {};
    // the page itself cancels requests that it no longer needs
    if (errorText !== 'net::ERR_ABORTED') problems.push(`failed: ${request.url()} ${errorText}`);
  });
  context.on('response', (response) => {
    if (response.status() < 400) return;
    problems.push(`refused: ${response.request().method()} ${response.url()} ${response.status()}`);
  });
  context.on('page', (page) =>
    page.on('websocket', (socket) => {
      sockets.push(socket);
      if (!isOwn(socket.url())) problems.push(`foreign socket: ${socket.url()}`);
    }),
  );
  return { problems, sockets };
}
