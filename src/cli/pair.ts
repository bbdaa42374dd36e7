import { renderUnicodeCompact } from 'uqr';
import type { Config } from '../base/config.ts';
import { within } from '../base/timing/within.ts';
import type { Pairing } from '../base/wire/routes.ts';
import { isLoopback, lanAddresses } from '../http/addresses.ts';
import { callServer } from './client.ts';
import type { Define } from './commands.ts';
import { type Io, isBelowAgent, refuseAgents } from './io.ts';
import { asCalled, hint } from './print.ts';
import { settingsOf } from './service.ts';

/** Shows a code with which a phone signs in: as a QR code, and as an address. Not for agents: a device decides as the person. */
const pair: Define = (command, cli) =>
  command.action(async () => {
    const { config, io } = cli;
    refuseAgents(io, 'pair');
    const pairing = await cli.call('POST /v1/pairings');
    io.answer(pairing, ...linesOf(pairing));
    if (io.json || !isLoopback(new URL(pairing.url).hostname)) return;
    const up = settingsOf(config.home) !== null;
    const how = up ? 'lore service lan on' : 'stop the server, and start it with lore start --lan';
    const network =
      lanAddresses().length > 0 ? `For a phone in your network: ${how}` : 'It has no other in a network now.';
    hint(io, `Only this machine reaches that address. ${network}`);
  });

/** A program that cannot start a browser ends within this time: xdg-open took 0.2 s, and 2 s on a busy machine. */
const BROWSER_MS = 5_000;

/** Opens the page in the browser of this machine, signed in; prints its address if there is no browser. */
const openPage: Define = (command, cli) =>
  command.option('--print', 'print its address instead').action(async ({ print }) => {
    const { config, io } = cli;
    refuseAgents(io, 'open');
    const { code, expiresAt } = await cli.call('POST /v1/pairings');
    const url = `${config.url}/#pair=${code}`;
    if (io.json || print || !hasBrowser(io)) return io.answer({ url, expiresAt }, url);
    const browser = await (await import('open')).default(url);
    // the program that opens it may end at once, with or without success, or be the browser itself
    const ended = new Promise<number | null>((resolve) => {
      browser.once('exit', resolve).once('error', () => resolve(1));
    });
    browser.ref();
    const failed = await within(ended, BROWSER_MS);
    browser.unref();
    if (failed) io.log(url);
    else hint(io, `Opened ${config.url} in the browser. If it shows nothing: lore open --print`);
  });

export const commands = { open: openPage, pair };

/** Without a terminal nobody sits in front of this machine; without a display Linux has no browser to show. */
function hasBrowser({ env, stdout }: Io): boolean {
  if (!stdout.isTTY || env.SSH_CONNECTION) return false;
  return process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** Returns a pairing as lines for a terminal. */
const linesOf = ({ url, expiresAt }: Pairing): string[] => [
  renderUnicodeCompact(url, { border: 2 }),
  `  ${url}`,
  `  signs in one device, until ${new Date(expiresAt).toLocaleTimeString()}; ${asCalled('lore pair')} shows a new code`,
];

/** Returns the lines that a start with `--lan` prints, with a code, unless an agent would read them. */
export async function lanLines(config: Config, io: Io, network: string[]): Promise<string> {
  const told = network.map((address) => `  network     ${address}`);
  told.push('  This is plain HTTP: whoever shares the network can read along (docs/several-machines.md).');
  if (!isBelowAgent(io)) told.push(...linesOf(await callServer(config, 'POST /v1/pairings')));
  return told.join('\n');
}
