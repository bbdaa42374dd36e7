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

test('the errors of each day are said in words too', async () => {
  const { key } = await server.member();
  const session = hookSession(server, { key });
  await session.start();
  await session.prompt('Run the checks');
  await session.bashFails('npm test', 'Exit code 1\nError: the checks failed');
  await session.end();
  await server.settled();
  const { page } = await openPage(server, { key, path: '/metrics', size: 'open' });
  const days = page.getByRole('list', { name: 'Errors by day' }).getByRole('listitem');
  await expect.poll(() => days.count(), WITHIN).toBe(30);
  await days.last().getByText('1 error, 0 met before').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: '90 days' }).click();
  await expect.poll(() => days.count(), WITHIN).toBe(90);
});

test('begins with whether errors repeated less', async () => {
  const { key, userId } = await server.member();
  const { page } = await openPage(server, { key, path: '/metrics', size: 'desktop' });
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
