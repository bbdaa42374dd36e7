import { once } from 'node:events';
import { isIP } from 'node:net';
import { renderUnicodeCompact } from 'uqr';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { isLoopback, lanAddresses } from '../http/addresses.ts';
import { fingerprintIn } from '../http/certificate.ts';
import type { Pairing } from '../wire/routes.ts';
import { callServer } from './client.ts';
import { asCalled, hint } from './hint.ts';
import type { Io } from './io.ts';
import { isBelowAgent } from './overrule.ts';
import { settingsOf } from './service/service.ts';

/** Asks the running server for a code. @throws Problem (403) below an agent's shell: a device decides as the person */
async function askForCode(config: Config, io: Io, command: string): Promise<Pairing> {
  if (isBelowAgent(io)) {
    throw new Problem({
      status: 403,
      title: 'Only a person can do this',
      detail: `lore ${command} runs below an agent's shell here (CLAUDECODE is set). A person runs it in a terminal of their own.`,
    });
  }
  return callServer(config, 'POST /v1/pairings');
}

/** Shows a code with which a phone signs in: as a QR code, and as an address. */
export async function pair(config: Config, io: Io): Promise<void> {
  const pairing = await askForCode(config, io, 'pair');
  if (io.json) return io.print(pairing);
  io.log([shown(pairing), ...certificateLines(config, pairing.url)].join('\n'));
  if (!isLoopback(new URL(pairing.url).hostname)) return;
  const how = settingsOf(config.home)
    ? 'lore service lan on --tls'
    : 'stop the server, and start it with lore start --lan --tls';
  hint(
    io,
    `Only this machine reaches that address. ${lanAddresses().length > 0 ? `For a phone in your network: ${how}` : 'It has no other in a network now.'}`,
  );
}

/** A program that cannot start a browser ends within this time: xdg-open took 0.2 s, and 2 s on a busy machine. */
const BROWSER_MS = 5_000;

/** Opens the page in the browser of this machine, signed in; prints its address if there is no browser. */
export async function openPage(config: Config, io: Io, options: { print?: boolean }): Promise<void> {
  const { code, expiresAt } = await askForCode(config, io, 'open');
  const url = `${config.url}/#pair=${code}`;
  if (io.json) return io.print({ url, expiresAt });
  if (options.print || !hasBrowser(io)) return io.log(url);
  const { default: launch } = await import('open');
  try {
    const browser = await launch(url);
    // The program that opens it may end at once, with or without success. Or it is the browser itself and
    // runs for hours.
    const patience = AbortSignal.timeout(BROWSER_MS);
    const ended = once(browser, 'exit', { signal: patience }).catch((error) => {
      if (!patience.aborted) throw error;
      return [0];
    });
    // the timeout of a signal keeps no process alive
    browser.ref();
    const [code] = await ended;
    if (code !== 0) throw new Error(`it ended with ${code}`);
    browser.unref();
    hint(io, `Opened ${config.url} in the browser. If it shows nothing: lore open --print`);
  } catch {
    io.log(url);
  }
}

/** Without a terminal nobody sits in front of this machine; without a display Linux has no browser to show. */
function hasBrowser({ env, stdout }: Io): boolean {
  const { DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION } = env;
  if (!stdout.isTTY || SSH_CONNECTION) return false;
  return process.platform !== 'linux' || Boolean(DISPLAY || WAYLAND_DISPLAY);
}

/** Returns how the certificate of an address is known: nobody vouches for one that this machine made. */
function certificateLines({ home }: Config, url: string): string[] {
  const { protocol, hostname, origin } = new URL(url);
  const fingerprint = protocol === 'https:' && isIP(hostname) !== 0 ? fingerprintIn(home) : null;
  if (fingerprint === null) return [];
  return [
    '  The browser warns, because nobody else vouches for this certificate. Go on if it shows this SHA-256 fingerprint:',
    `  ${fingerprint}`,
    `  Another machine: LORE_URL=${origin} LORE_TLS_PIN=${fingerprint.replaceAll(':', '').toLowerCase()}`,
  ];
}

/** Returns a pairing as lines for a terminal. */
const shown = ({ url, expiresAt }: Pairing): string =>
  `${renderUnicodeCompact(url, { border: 2 })}
  ${url}
  signs in one device, until ${new Date(expiresAt).toLocaleTimeString()}; ${asCalled('lore pair')} shows a new code`;

/**
 * Returns the lines that a start with `--lan` prints, with a code, unless an agent would read them.
 *
 * @param network the addresses that others reach
 */
export async function lanLines(config: Config, io: Io, network: string[]): Promise<string> {
  const told = network.map((address) => `  network     ${address}`);
  if (config.tlsPort === undefined)
    told.push(
      '  This is plain HTTP: whoever shares the network can read along. Add --tls, or see docs/several-machines.md.',
    );
  if (!isBelowAgent(io)) {
    const pairing = await askForCode(config, io, 'pair');
    told.push(shown(pairing), ...certificateLines(config, pairing.url));
  } else told.push(...certificateLines(config, network[0] ?? config.url));
  return told.join('\n');
}
