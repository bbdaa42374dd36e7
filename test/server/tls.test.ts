import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { expect, test, vi } from 'vitest';
import { lanAddresses } from '../../src/http/addresses.ts';
import { certificateIn } from '../../src/http/certificate.ts';
import { browserTest, openPage, untilLive } from '../support/browser.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { freePort, preparedHome, runLore, startHere, twoFreePorts } from '../support/process.ts';
import { startTestServer } from '../support/server.ts';

// A server that others in the network reach by https, with a certificate that nobody vouches for.

vi.setConfig({ testTimeout: 180_000 });
const port = await freePort();
const server = await startTestServer({ LORE_MODEL_DIR: '', LORE_TLS_PORT: String(port) });
const { cert, fingerprint } = certificateIn(server.home);
const url = `https://127.0.0.1:${port}`;
const PIN = fingerprint.replaceAll(':', '').toLowerCase();
const OTHER = `00${PIN.slice(2)}`;

test('the certificate holds for its names and addresses, and stays the same', async () => {
  // verified as any other, with itself as the one that vouches for it
  const verified = (as: { host: string; servername?: string }) =>
    new Promise<boolean | string>((resolve) => {
      const socket = connect({ port, ca: cert, ...as }, () => {
        resolve(socket.authorized);
        socket.destroy();
      });
      socket.on('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? ''));
    });
  expect(await verified({ host: '127.0.0.1' })).toBe(true);
  expect(await verified({ host: '127.0.0.1', servername: 'localhost' })).toBe(true);
  expect(await verified({ host: '127.0.0.1', servername: 'bank.example' })).toBe(
    'ERR_TLS_CERT_ALTNAME_INVALID',
  );
  expect(certificateIn(server.home)).toMatchObject({ fingerprint });
  expect(statSync(join(server.home, 'tls.pem')).mode & 0o777).toBe(0o600);
});

test('a damaged certificate is said, with its remedy', () => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'tls.pem'), 'nothing');
  expect(() => certificateIn(home)).toThrow('holds no key and certificate');
});

test('the command line of another machine knows the server by its certificate, and sends nothing to another', async () => {
  const elsewhere = { LORE_HOME: temporaryFolder(), LORE_URL: url, LORE_KEY: server.key };
  const lore = (pin: Record<string, string>) =>
    runLore(['sessions', '--json'], { env: { ...elsewhere, ...pin } });
  expect(await lore({ LORE_TLS_PIN: PIN })).toMatchObject({ code: 0, stderr: '' });
  expect((await lore({ LORE_TLS_PIN: fingerprint })).code).toBe(0);
  const wrong = await lore({ LORE_TLS_PIN: OTHER });
  expect(wrong.code).toBe(3);
  expect(JSON.parse(wrong.stdout || wrong.stderr)).toMatchObject({
    code: 'another-certificate',
    detail: expect.stringContaining(fingerprint),
  });
  // without a pin it is a stranger's certificate
  expect((await lore({})).code).toBe(3);
});

test('the hook of another machine tells the server with this certificate, and no other', async () => {
  const { key } = await server.member();
  const hook = async (pin: string) => {
    const event = { session_id: randomUUID(), cwd: '/home/ann/shop', hook_event_name: 'UserPromptSubmit' };
    const env = { PATH: process.env.PATH, LORE_URL: url, LORE_KEY: key, LORE_TLS_PIN: pin };
    const child = spawn(process.execPath, ['hooks/team.cjs'], { env });
    child.stdin.end(JSON.stringify({ ...event, transcript_path: '', prompt: 'Fix the login' }));
    await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise((ended) => child.on('exit', ended)),
    ]);
    return event.session_id;
  };
  const [told, untold] = [await hook(PIN), await hook(OTHER)];
  const ofSession = (id: string) => server.request('GET', `/v1/sessions/${id}`, { key });
  expect((await ofSession(told)).status).toBe(200);
  expect((await ofSession(untold)).status).toBe(404);
});

test('a pairing leads there, and says by which certificate it is known', async () => {
  const env = { LORE_HOME: server.home, LORE_URL: server.url };
  const { stdout } = await runLore(['pair'], { env });
  const [base] = /https:\/\/[\d.]+:\d+(?=\/#pair=)/.exec(stdout) ?? [];
  // a machine without a network has no other address
  if (base === undefined) return expect(stdout).toContain('Only this machine reaches that address');
  expect(new URL(base).port).toBe(String(port));
  expect(stdout).toContain(fingerprint);
  expect(stdout).toContain(`LORE_URL=${base} LORE_TLS_PIN=${PIN}`);
});

test('lore init is refused there, because the client’s own hooks know no fingerprint', async () => {
  const dir = temporaryFolder();
  const env = { LORE_HOME: temporaryFolder(), LORE_URL: url, LORE_KEY: server.key, LORE_TLS_PIN: PIN };
  const { code, stderr } = await runLore(['init', dir], { env });
  expect({ code, stderr }).toEqual({
    code: expect.any(Number),
    stderr: expect.stringContaining('lore init --team'),
  });
  expect(code).not.toBe(0);
  expect(readdirSync(dir)).toEqual([]);
});

test('lore start --lan --tls shows a code and the fingerprint; others reach it by https alone', async () => {
  const lorePort = await twoFreePorts();
  const prepared = { ...(await preparedHome()), LORE_PORT: String(lorePort), LORE_MODEL_DIR: '' };
  const started = await startHere(prepared, ['--lan', '--tls']);
  const told = started.stdout();
  expect(told).not.toContain('plain HTTP');
  const own = certificateIn(prepared.LORE_HOME);
  const [address] = lanAddresses();
  if (address !== undefined) {
    expect(told).toContain(`https://${address}:${lorePort + 1}/#pair=`);
    expect(told).toContain(own.fingerprint);
    await expect(fetch(`http://${address}:${lorePort}/health`)).rejects.toThrow();
  }
  const known = {
    LORE_HOME: temporaryFolder(),
    LORE_URL: `https://127.0.0.1:${lorePort + 1}`,
    LORE_KEY: readFileSync(join(prepared.LORE_HOME, 'key'), 'utf8').trim(),
    LORE_TLS_PIN: own.fingerprint,
  };
  expect((await runLore(['status', '--json'], { env: known })).stdout).toContain('"database"');
  started.kill('SIGTERM');
  expect((await started.finished).code).toBe(0);
});

test('--tls needs --lan', async () => {
  const { code, stderr } = await runLore(['start', '--tls']);
  expect({ code, stderr }).toEqual({
    code: expect.any(Number),
    stderr: expect.stringContaining('give both'),
  });
  expect(code).not.toBe(0);
});

browserTest('a browser whose person accepted the certificate has the page, live', async () => {
  const { page, sockets } = await openPage({ ...server, url }, { anyCertificate: true });
  await untilLive(page);
  expect(sockets[0]?.url()).toMatch(/^wss:/);
});
