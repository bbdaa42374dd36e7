import { expect, test } from 'vitest';
import { measured } from '../metrics/measured.ts';
import { inBrowser, openPage } from '../support/browser.ts';
import { fakeGemini } from '../support/gemini.ts';
import { hookSession } from '../support/hook-session.ts';
import { startTestServer } from '../support/server.ts';

inBrowser.orSkipFile();

const gemini = await fakeGemini();
gemini.reply = { answer: { decision: 'allow', reason: 'It only reads.', confidence: 0.9 } };
const server = await startTestServer({
  LORE_MODEL_DIR: '',
  GEMINI_API_KEY: 'test',
  GEMINI_BASE_URL: gemini.url,
});

/** Runs a command that no rule knows, so that the model is asked what it does. */
async function runUnknown(key: string, command: string): Promise<void> {
  const session = hookSession(server, { key });
  await session.before(command);
  await server.settled();
}

test('the kill switch stops the next call of the model, and lets the one after it pass', async () => {
  const { key } = await server.member();
  const { page } = await openPage(server, { key, path: '/metrics' });
  const calls = page.getByRole('group', { name: 'Model calls' });
  const pressed = (name: string) => calls.getByRole('button', { name, pressed: true });
  await pressed('On').waitFor();
  await runUnknown(key, 'frobnicate --first');
  const before = gemini.calls.length;
  expect(before).toBeGreaterThan(0);

  await calls.getByRole('button', { name: 'Off' }).click();
  await pressed('Off: no model is asked').waitFor();
  await runUnknown(key, 'frobnicate --second');
  expect(gemini.calls.length).toBe(before);

  // it is kept by the server
  await page.reload();
  await pressed('Off: no model is asked').waitFor();
  await calls.getByRole('button', { name: 'On' }).click();
  await pressed('On').waitFor();
  await runUnknown(key, 'frobnicate --third');
  expect(gemini.calls.length).toBeGreaterThan(before);
});

test('begins with whether errors repeated less', async () => {
  const { key, userId } = await server.member();
  const { page } = await openPage(server, { key, path: '/metrics', size: 'desktop' });
  const card = page.getByRole('region', { name: 'Did errors repeat less?' });
  await card.getByText('Nobody can say yet.').waitFor();

  await measured(server, userId, key, { memory: 60, repeatMemory: 6, withheld: 60, repeatWithheld: 30 });
  await page.reload();
  await card.getByText('Yes, with memory fewer sessions met an error again.').waitFor();
  await card.getByText(/^10 % of 60 sessions with memory .*−40 percentage points/).waitFor();
  // it is the first thing on the page
  expect(await page.getByRole('heading', { level: 2 }).first().innerText()).toBe('Did errors repeat less?');
});
