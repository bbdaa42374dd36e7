import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import WebSocket from 'ws';
import { lanAddresses } from '../../src/http/addresses.ts';
import { certificateIn, fingerprintOf } from '../../src/http/certificate.ts';
import { needs } from '../support/needs.ts';
import { freePort, preparedHome, runLore, startHere, temporaryFolder } from '../support/process.ts';
import { programOnPath } from '../support/programs.ts';

// A server that others in the network reach by https, with a certificate that nobody vouches for.

needs('openssl', programOnPath('openssl')).describe('--lan --tls', () => {
  test('serves the same by https, to whoever knows its certificate; plain HTTP stays on this machine', async () => {
    const prepared = await preparedHome();
    const port = await freePort();
    const env = { ...prepared, LORE_TLS_PORT: String(port) };
    const started = await startHere(env, ['--lan', '--tls']);
    const file = join(env.LORE_HOME, 'tls.pem');
    const pem = readFileSync(file, 'utf8');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    // whose key is in a file that others may not read is known by its fingerprint
    expect(started.stdout()).toContain(fingerprintOf(pem));
    expect(certificateIn(env.LORE_HOME)).toBe(pem);

    const [address = '127.0.0.1'] = lanAddresses();
    const code = (as: { servername?: string; ca?: string }) =>
      new Promise<unknown>((resolve) => {
        const socket = connect({ host: address, port, ...as }, () => {
          resolve(socket.authorized);
          socket.destroy();
        });
        socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
      });
    expect(await code({ ca: pem })).toBe(true);
    expect(await code({ ca: pem, servername: 'localhost' })).toBe(true);
    expect(await code({ ca: pem, servername: 'bank.example' })).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(await code({})).toMatch(/SELF_SIGNED/);
    const status = await new Promise((resolve, reject) =>
      request(`https://${address}:${port}/health`, { ca: pem }, (answer) => resolve(answer.statusCode))
        .on('error', reject)
        .end(),
    );
    expect(status).toBe(200);
    const live = new WebSocket(`wss://${address}:${port}/realtime/v1/websocket?vsn=2.0.0&apikey=x`, {
      ca: pem,
    });
    const refusal = await new Promise((resolve) => {
      live.on('unexpected-response', (_, answer) => resolve(answer.statusCode));
      live.on('error', resolve);
    });
    expect(refusal).toBe(401);

    const asked = { LORE_HOME: env.LORE_HOME, LORE_URL: started.url };
    const { stdout } = await runLore(['pair', '--json'], { env: asked });
    if (lanAddresses().length > 0)
      expect(JSON.parse(stdout).url).toMatch(`https://${address}:${port}/#pair=`);
    const plain = fetch(`http://${address}:${new URL(started.url).port}/health`).then(
      () => true,
      () => false,
    );
    if (address !== '127.0.0.1') expect(await plain).toBe(false);
    started.kill('SIGTERM');
    await started.finished;
  });

  test('a damaged certificate is said, with its remedy', () => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'tls.pem'), 'nothing');
    expect(() => certificateIn(home)).toThrow('may be deleted to get a new one');
  });
});
