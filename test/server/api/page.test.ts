import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { pageRoutes } from '../../../src/server/api/page.ts';
import { temporaryFolder } from '../../support/process.ts';
import { startTestServer } from '../../support/server.ts';

// The files of the page as they are served. The build itself is tested where the page is.

const SCRIPT = 'console.log("page")';
const folder = temporaryFolder();
mkdirSync(join(folder, 'dashboard/assets'), { recursive: true });
const pageFolder = join(folder, 'dashboard');
const write = (name: string, text: string) => writeFileSync(join(pageFolder, name), text);
write('index.html', '<!doctype html><title>Lore</title>');
write('sw.js', 'self');
write('manifest.webmanifest', '{"name": "Lore"}');
write('assets/index-abc123.js', SCRIPT);
writeFileSync(join(pageFolder, 'assets/index-abc123.js.gz'), gzipSync(SCRIPT));
writeFileSync(join(folder, 'secret'), 'the key');

const supabase = {
  url: undefined,
  anonKey: undefined,
  jwtSecret: undefined,
  jwks: undefined,
  issuer: undefined,
};
const page = pageRoutes({ config: { supabase }, pageFolder });
const get = (path: string, headers: Record<string, string> = {}) => page.request(path, { headers });
const HTML = { accept: 'text/html,application/xhtml+xml' };

describe('files', () => {
  test('what has a hash in its name is kept for good, compressed where the client takes that', async () => {
    const plain = await get('/assets/index-abc123.js');
    expect(await plain.text()).toBe(SCRIPT);
    expect(Object.fromEntries(plain.headers)).toMatchObject({
      'content-type': expect.stringContaining('text/javascript'),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    expect(plain.headers.get('content-encoding')).toBeNull();
    const zipped = await get('/assets/index-abc123.js', { 'accept-encoding': 'br, gzip' });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(gunzipSync(Buffer.from(await zipped.arrayBuffer())).toString()).toBe(SCRIPT);
    expect(zipped.headers.get('etag')).not.toBe(plain.headers.get('etag'));
    const refused = await get('/assets/index-abc123.js', { 'accept-encoding': 'gzip;q=0' });
    expect(refused.headers.get('content-encoding')).toBeNull();
  });

  test.each([
    ['/', 'text/html'],
    ['/sw.js', 'text/javascript'],
    ['/manifest.webmanifest', 'application/manifest+json'],
  ])('%s is asked for anew each time, and answered 304 when it is the same', async (path, type) => {
    const first = await get(path);
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toContain(type);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    const again = await get(path, { 'if-none-match': `W/${etag}` });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('addresses that the page makes up are the page, for browsers only', async () => {
    for (const path of ['/learnings', '/plans/1a2b', '/a/b/c', '/v1x']) {
      expect(await (await get(path, HTML)).text()).toContain('<title>Lore</title>');
      expect((await get(path)).status).toBe(404);
    }
    for (const path of [
      '/v1/nothing',
      '/v1',
      '/health/x',
      '/realtime/v1',
      '/assets/gone.js',
      '/openapi.json',
    ])
      expect((await get(path, HTML)).status).toBe(404);
  });

  test.each([
    ...['/../secret', '/assets/../../secret', '/%2e%2e/secret', '/..%2fsecret', '/assets/..%5c..%5csecret'],
    ...['/assets/%2e%2e%2f%2e%2e%2fsecret', '//secret', '/assets/index-abc123.js.gz', `${folder}/secret`],
  ])('%s leads nowhere', async (path) => {
    const answer = await get(path);
    expect([answer.status, await answer.text()]).not.toContain('the key');
    expect(answer.status).toBe(404);
  });
});

test('every answer says what a browser may do with it', async () => {
  const strict =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'";
  for (const answer of [await get('/'), await get('/sw.js'), await get('/plans', HTML)]) {
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy.startsWith(strict)).toBe(true);
    expect(policy).toContain("connect-src 'self';");
    expect(policy).toContain("base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
  }
  const elsewhere = { ...supabase, url: 'https://abc.supabase.co' };
  const connected = pageRoutes({ config: { supabase: elsewhere }, pageFolder });
  expect((await connected.request('/')).headers.get('content-security-policy')).toContain(
    "connect-src 'self' https://abc.supabase.co wss://abc.supabase.co;",
  );
});

describe('the server', async () => {
  const server = await startTestServer({ LORE_MODEL_DIR: '', LORE_URL: 'https://lore.example.org' });
  const { port } = new URL(server.url);

  /** Asks under a name. fetch does not let a program choose it. */
  const ask = (host: string, path: string, method = 'GET', headers = {}, body = '') =>
    new Promise<{ status: number; text: string }>((done, failed) => {
      const asked = request(
        { host: '127.0.0.1', port, path, method, headers: { ...headers, host } },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (chunk) => (text += chunk));
          answer.on('end', () => done({ status: answer.statusCode ?? 0, text }));
        },
      );
      asked.on('error', failed).end(body);
    });

  test('is known by its names and addresses', async () => {
    for (const name of [
      'localhost',
      '127.0.0.1',
      '[::1]',
      '192.168.7.8',
      'lore.localhost',
      'LORE.example.org',
    ])
      for (const host of [name, `${name}:${port}`])
        expect([host, (await ask(host, '/health')).status]).toEqual([host, 200]);
  });

  test.each(['evil.example', 'lore.example.org.evil.example', '127.0.0.1.evil.example'])(
    'refuses requests under the name “%s”: a stranger’s page may have it resolve to this machine',
    async (name) => {
      const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' };
      for (const path of ['/', '/health', '/v1/me']) {
        const answer = await ask(name, path, 'GET', headers);
        expect(answer.status).toBe(421);
        expect(JSON.parse(answer.text)).toMatchObject({ title: 'Unknown host' });
      }
      // a hook that is not answered would leave a command unjudged
      const event = { session_id: 's', hook_event_name: 'Stop', cwd: '/home/dev/app' };
      expect((await ask(name, '/v1/hooks', 'POST', headers, JSON.stringify(event))).status).toBe(200);
    },
  );
});
