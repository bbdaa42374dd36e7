import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { buildStaticPage } from '../../scripts/build-page.js';
import { browserTest, openPage, untilLive } from '../support/browser.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { listen } from '../support/loopback.ts';
import { startTestServer } from '../support/server.ts';
import { supabaseAuth } from '../support/supabase-auth.ts';

// Signing in with Supabase Auth: on the server's own page, and on a page that another host serves as plain files.

const auth = await supabaseAuth();
const folder = join(temporaryFolder(), 'page');
const [host, stranger] = await Promise.all([staticHost(folder), staticHost(folder)]);
const server = await startTestServer({
  LORE_MODEL_DIR: '',
  SUPABASE_URL: auth.url,
  SUPABASE_ANON_KEY: auth.publishableKey,
  LORE_PAGE_ORIGINS: host,
});

/** Serves a folder as hosts of static pages do. Returns its origin. */
async function staticHost(folder: string): Promise<string> {
  const TYPES = { html: 'text/html', js: 'text/javascript', css: 'text/css', json: 'application/json' };
  const { url, close } = await listen((request, response) => {
    const path = new URL(request.url ?? '', 'http://localhost').pathname;
    const file = path === '/' ? '/index.html' : path;
    const send = (status: number, name: string) => {
      const type = TYPES[name.split('.').at(-1) as keyof typeof TYPES] ?? 'application/octet-stream';
      const body = readFileSync(join(folder, name));
      response.writeHead(status, { 'content-type': type }).end(body);
    };
    try {
      send(200, file);
    } catch {
      send(404, '404.html');
    }
  });
  afterAll(close);
  return url;
}

/** Builds the page by itself, and says where its server is. */
async function build(): Promise<void> {
  await buildStaticPage(folder);
  const config = { api: server.url, supabase: { url: auth.url, key: auth.publishableKey } };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
}

/** The gateway of Supabase leads to a Realtime: Lore's own endpoint, which speaks the same protocol. */
auth.server.on('upgrade', (request, socket, head) => {
  const realtime = connect(Number(new URL(server.url).port), '127.0.0.1', () => {
    const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
    realtime.write(`GET ${request.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
    realtime.write(head);
    socket.pipe(realtime).pipe(socket);
  });
  realtime.on('error', () => socket.destroy());
  socket.on('error', () => realtime.destroy());
});

const elsewhere = [
  new RegExp(`^foreign \\w+: (ws|http)://(${[auth.url, host].map((url) => new URL(url).host).join('|')})/`),
];

const plan = (key: string, goal: string) =>
  server.request('POST', '/v1/plans', {
    key,
    body: { project: '/home/dev/app', goal, steps: [{ description: 'think' }] },
  });

test('browsers pass answers on to pages of the origins that were named, and to no others', async () => {
  const ask = (method: string, origin: string, headers: object = {}) =>
    fetch(`${server.url}/v1/plans`, { method, headers: { origin, ...headers } });
  const preflight = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  };
  const allowed = await ask('OPTIONS', host, preflight);
  expect(Object.fromEntries(allowed.headers)).toMatchObject({
    'access-control-allow-origin': host,
    'access-control-allow-headers': 'authorization,content-type',
    vary: expect.stringContaining('Origin'),
  });
  const answers = [
    allowed,
    await ask('GET', host),
    await ask('GET', host, { authorization: `Bearer ${server.key}` }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([204, 401, 200]);
  for (const { headers } of answers) {
    expect(headers.get('access-control-allow-origin')).toBe(host);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  }
  for (const origin of [
    stranger,
    'null',
    `${host}.example.org`,
    host.replace('http:', 'https:'),
    `${host}/`,
  ]) {
    for (const answer of [await ask('OPTIONS', origin, preflight), await ask('GET', origin)]) {
      expect([origin, answer.headers.get('access-control-allow-origin')]).toEqual([origin, null]);
    }
  }
  // a tool of an agent is no page, and neither is the console of a stranger
  const mcp = await fetch(`${server.url}/mcp`, {
    method: 'OPTIONS',
    headers: { origin: host, ...preflight },
  });
  expect(mcp.headers.get('access-control-allow-origin')).toBeNull();
});

browserTest(
  'somebody signs in by password on a page that another host serves',
  async () => {
    await build();
    const ann = auth.addUser('ann@example.org');
    const { page } = await openPage(server, {
      key: null,
      allow: [...elsewhere, /token\?grant_type=password 400/, /(plans|devices) 404$/],
    });
    await page.goto(host);
    await page.getByRole('heading', { name: 'Sign in to Lore' }).waitFor();
    await page.getByLabel('E-mail').fill(ann.email);
    await page.getByLabel('Password').fill('not this one');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').getByText('Invalid login credentials').waitFor();
    await page.getByLabel('E-mail').fill(ann.email);
    await page.getByLabel('Password').fill(ann.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await untilLive(page);

    await page.getByRole('link', { name: 'Plans' }).click();
    await plan(await auth.token(ann), 'what Ann plans');
    await plan(server.key, 'what the owner plans');
    await page.getByText('what Ann plans').waitFor();
    expect(await page.getByText('what the owner plans').count()).toBe(0);

    // the host knows no such file, and the page is there all the same
    await page.reload();
    await page.getByText('what Ann plans').waitFor();
    await page.goto(`${host}/devices`);
    await page.getByText('Signed in as ann@example.org').waitFor();
    expect(await page.getByRole('button', { name: 'Show a code' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Sign out here' }).click();
    await page.getByRole('heading', { name: 'Sign in to Lore' }).waitFor();
    await expect
      .poll(() => auth.asked.filter((asked) => asked.startsWith('POST /auth/v1/logout')).length)
      .toBe(1);
    await page.getByText('You were signed out').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in to Lore' }).waitFor();
    expect(await page.evaluate('localStorage.getItem("lore.session")')).toBeNull();
    // keys of the project went where Supabase expects them
    expect(auth.refused).toEqual([]);
  },
  120_000,
);

browserTest('a page of an origin that nobody named gets nothing', async () => {
  await build();
  const bo = auth.addUser('bo@example.org');
  await plan(await auth.token(bo), 'what Bo plans');
  const { page, problems } = await openPage(server, { key: null, allow: [/./] });
  await page.goto(stranger);
  await page.getByLabel('E-mail').fill(bo.email);
  await page.getByLabel('Password').fill(bo.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Lore cannot be reached').first().waitFor();
  expect(problems.join('\n')).toMatch(/blocked by CORS policy/);
  await page.goto(`${stranger}/plans`);
  await page.getByText('Lore cannot be reached').first().waitFor();
  expect(await page.getByText('what Bo plans').count()).toBe(0);
});

browserTest('a link by mail signs in the browser that asked for it, once', async () => {
  const cy = auth.addUser('cy@example.org');
  const { page } = await openPage(server, { key: null, allow: elsewhere });
  await page.getByLabel('E-mail').fill(cy.email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await page.getByText('a link is on its way').waitFor();
  const link = auth.links.at(-1) as string;
  await page.goto(link);
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  expect(page.url()).toBe(`${server.url}/`);
  await page.goto(`${server.url}/devices`);
  await page.getByText('Signed in as cy@example.org').waitFor();
  // for another browser it is only an address
  const other = await openPage(server, { key: null, allow: elsewhere });
  await other.page.goto(link);
  await other.page.getByRole('heading', { name: 'Sign in to Lore' }).waitFor();
});
