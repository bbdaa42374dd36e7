import { expect, test } from 'vitest';
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
const WITHIN = { timeout: 10_000 };

/** Runs a command that no rule knows, so that the model is asked what it does. */
async function runUnknown(key: string, command: string): Promise<void> {
  const session = hookSession(server, { key });
  await session.send('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: command });
  await server.settled();
}

test('the kill switch stops the next call of the model, and lets the one after it pass', async () => {
  const { key } = await server.member();
  const { page } = await openPage(server, { key, path: '/metrics' });
  const toggle = page.getByRole('switch', { name: 'Model calls' });
  await toggle.waitFor();
  expect(await toggle.getAttribute('aria-checked')).toBe('true');
  await runUnknown(key, 'frobnicate --first');
  const before = gemini.calls.length;
  expect(before).toBeGreaterThan(0);

  await toggle.click();
  await page.getByText('Off: no model is asked').waitFor();
  await runUnknown(key, 'frobnicate --second');
  expect(gemini.calls.length).toBe(before);

  // it is kept by the server
  await page.reload();
  await page.getByText('Off: no model is asked').waitFor();
  await toggle.click();
  await page.getByText('On', { exact: true }).waitFor();
  await runUnknown(key, 'frobnicate --third');
  expect(gemini.calls.length).toBeGreaterThan(before);
});

test('charts have their numbers in a table, and are drawn in the colours of the theme', async () => {
  const { key } = await server.member();
  const session = hookSession(server, { key });
  await session.start();
  await session.prompt('Run the checks');
  await session.send('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'one' });
  await session.bashFails('npm test', 'Exit code 1\nError: the checks failed');
  await session.end();
  await server.settled();
  const { page } = await openPage(server, { key, path: '/metrics', size: 'open', theme: 'light' });
  const errors = page.getByRole('figure', { name: /^Errors by day/ });
  await errors.getByText('As a table').click();
  const today = errors.getByRole('row').last();
  expect(await today.getByRole('cell').allInnerTexts()).toEqual(['1', '0']);
  await page.getByText('In 1 session that ended and made a call; others are not counted.').waitFor();

  // a first day: a line of one day is a dot, and the day is said
  await page.getByRole('button', { name: '90 days' }).click();
  const waits = page.getByRole('figure', { name: /^Milliseconds/ });
  await expect.poll(() => waits.locator('tbody tr').count()).toBe(90);
  await waits.getByText(/^Counted on .* only\.$/).waitFor();
  // the letters of the axes are grey
  const coloured = `(() => {
    const canvas = [...document.querySelectorAll('figure')].find((one) => one.ariaLabel.startsWith('Milli')).querySelector('canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return data.filter((_, at) => at % 4 === 0 && Math.abs(data[at] - data[at + 2]) > 100).length;
  })()`;
  expect(await page.evaluate(coloured)).toBeGreaterThan(10);
  await page.getByRole('button', { name: '30 days' }).click();

  /** Returns the colours of a chart, without those that are nearly clear. */
  const drawn = () =>
    page.evaluate(`(() => {
      const canvas = document.querySelector('figure canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const seen = new Set();
      for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 250) seen.add(data.slice(at, at + 3).join());
      return [...seen].sort().join(' ');
    })()`);
  const light = await drawn();
  expect(light).not.toBe('');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(drawn, WITHIN).not.toBe(light);
  await page.setViewportSize({ width: 344, height: 883 });
  await expect
    .poll(() => page.evaluate(`document.querySelector('figure canvas').clientWidth`))
    .toBeLessThan(344);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(344);
});

test('begins with whether errors repeated less', async () => {
  const { key, userId } = await server.member();
  const { page } = await openPage(server, { key, path: '/metrics', size: 'desktop' });
  // without any project: how to begin
  await page.getByText('Attach Lore to a project').waitFor();
  const card = page.getByRole('region', { name: 'Did errors repeat less?' });
  await card.getByText('Nobody can say yet.').waitFor();

  const session = hookSession(server, { key });
  await session.start();
  await session.bashWorks('ls');
  await session.end();
  await server.settled();
  await server.rows(
    `with made as (
       insert into sessions (user_id, project_id, client_session_id, status, arm)
       select user_id, project_id, 'made ' || n, 'completed', case when n <= 60 then 'memory' else 'withheld' end
       from sessions, generate_series(1, 120) n
       where user_id = '${userId}' and client_session_id = '${session.session_id}' returning user_id, id, client_session_id)
     insert into session_measures (user_id, session_id, started_at, prompts, calls, commands, errors, repeated_errors)
     select user_id, id, now(), 1, 5, 5, 1, case when n <= 6 or n > 60 and n <= 90 then 1 else 0 end
     from (select *, split_part(client_session_id, ' ', 2)::int as n from made) m`,
  );
  await page.reload();
  await card.getByText('Yes, with memory fewer sessions met an error again.').waitFor();
  await card.getByText(/^10 % of 60 sessions with memory .*−40 percentage points/).waitFor();
  // it is the first thing on the page
  expect(await page.getByRole('heading', { level: 2 }).first().innerText()).toBe('Did errors repeat less?');
});
