import { renderUnicodeCompact } from 'uqr';
import type { Config } from '../base/config.ts';
import type { Pairing } from '../base/wire/routes.ts';
import { isLoopback } from '../http/addresses.ts';
import { certificateIn, fingerprintOf } from '../http/certificate.ts';
import { callServer } from './client.ts';
import { asCalled, hint, type Io, isBelowAgent } from './io.ts';
import type { Action } from './rows.ts';
import { settingsOf } from './service.ts';

/** Shows a code with which a phone signs in: as a QR code, and as an address. Not for agents: a device decides as the person. */
const pair: Action = async (_, cli) => {
  const { config, io } = cli;
  const pairing = await cli.call('POST /v1/pairings');
  io.answer(pairing, ...linesOf(pairing));
  if (io.json || !isLoopback(new URL(pairing.url).hostname)) return;
  const up = settingsOf(config.home) !== null;
  const how = up
    ? 'lore up --lan (with --tls by https)'
    : 'stop the server, and start it with lore start --lan';
  hint(io, `Only this machine reaches that address. For a phone in your network: ${how}`);
};

/** Opens the page in the browser of this machine, signed in, and prints its address. */
const openPage: Action = async ({ print }: { print?: boolean }, cli) => {
  const { config, io } = cli;
  const { code, expiresAt } = await cli.call('POST /v1/pairings');
  const url = `${config.url}/#pair=${code}`;
  io.answer({ url, expiresAt }, url);
  // without a terminal nobody sits in front of this machine
  if (!io.json && !print && io.stdout.isTTY && !io.env.SSH_CONNECTION)
    await (await import('open')).default(url).catch(() => {});
};

export const actions = { open: openPage, pair };

/** Returns a pairing as lines for a terminal. */
const linesOf = ({ url, expiresAt }: Pairing): string[] => [
  renderUnicodeCompact(url, { border: 2 }),
  `  ${url}`,
  `  signs in one device, until ${new Date(expiresAt).toLocaleTimeString()}; ${asCalled('lore pair')} shows a new code`,
];

/** Returns the lines that a start with `--lan` prints, with a code, unless an agent would read them. */
export async function lanLines(config: Config, io: Io, network: string[]): Promise<string> {
  const told = network.map((address) => `  network     ${address}`);
  told.push(
    config.tlsPort
      ? `  Browsers warn, for nobody vouches for its certificate: compare ${fingerprintOf(certificateIn(config.home))}`
      : '  This is plain HTTP: whoever shares the network can read along. Add --tls, or see docs/dashboard.md.',
  );
  if (!isBelowAgent(io)) told.push(...linesOf(await callServer(config, 'POST /v1/pairings')));
  return told.join('\n');
}
