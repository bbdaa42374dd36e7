import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { programOnPath } from './programs.ts';

// The browser that tests, screenshots and measurements of the phone page run in.

/** Where macOS has what is not on the PATH. */
const APPLICATIONS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The Chromium of this machine; undefined if there is none. */
export const chromiumPath: string | undefined =
  programOnPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') ??
  APPLICATIONS.find((path) => existsSync(path));

/** Starts the Chromium of this machine. Rejects if there is none. */
export async function launchChromium(args: string[] = []): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('No Chromium found. On Debian: apt-get install chromium');
  // a container has little in /dev/shm
  return chromium.launch({ executablePath: chromiumPath, args: ['--disable-dev-shm-usage', ...args] });
}

const PHONE = { deviceScaleFactor: 2.625, isMobile: true, hasTouch: true };

/** A folding phone, closed and open (904×2316 and 1812×2176 device pixels), and a desk. */
export const SIZES = {
  cover: { viewport: { width: 344, height: 883 }, ...PHONE },
  open: { viewport: { width: 690, height: 829 }, ...PHONE },
  desktop: { viewport: { width: 1280, height: 800 } },
} as const satisfies Record<string, BrowserContextOptions>;

export type Size = keyof typeof SIZES;

/**
 * Signs a page in and shows `path`, as when a person follows the link of `lore pair`.
 *
 * @param request asks the server with the key of the person whose device this is
 */
export async function pairPage(
  page: Page,
  url: string,
  request: (method: string, path: string) => Promise<{ status: number; body: { code: string } }>,
  path = '/',
): Promise<void> {
  const { status, body } = await request('POST', '/v1/pairings');
  if (status !== 201) throw new Error(`pairing: ${status} ${JSON.stringify(body)}`);
  await page.goto(`${url}${path}#pair=${body.code}`);
  await page.locator('nav').waitFor();
}
