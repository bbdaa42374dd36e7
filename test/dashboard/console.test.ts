import { expect, test } from 'vitest';
import { inBrowser, openPage } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';

inBrowser.orSkipFile();

const server = await sharedServer({ model: false, owner: true });

test('the owner reads with SQL, and sees what the database says to a mistake', async () => {
  const { page } = await openPage(server, { path: '/console', allow: [/sql 400$/] });
  const box = page.getByRole('textbox', { name: 'SQL that reads' });
  await box.fill('select n, n * n as square, null as nothing from generate_series(1, 600) n');
  await box.press('Control+Enter');
  await page.getByRole('heading', { name: '600 rows' }).waitFor();
  expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(['n', 'square', 'nothing']);
  expect(await page.getByRole('row').nth(12).getByRole('cell').allInnerTexts()).toEqual([
    '12',
    '144',
    'null',
  ]);
  await page.getByText('the first 500 shown').waitFor();
  await box.fill('select * from no_such_table');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('alert').getByText('no_such_table').waitFor();
});

test('a member is told why there is no console', async () => {
  const { key } = await server.member();
  const { page } = await openPage(server, { key, path: '/console', allow: [/sql 403$/] });
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('alert').waitFor();
});
