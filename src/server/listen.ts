import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Config } from '../base/config.ts';
import { Problem } from '../base/errors/problem.ts';

type Address = Pick<Config, 'host' | 'port'>;

/**
 * A connection that does not finish a request in time is answered 408 and closed, so that half-open ones do not add up.
 * The largest body (16 MB) needs 60 s at 270 kB/s. An idle connection is kept longer than any client keeps one: a request
 * that is sent while the server closes the connection is lost.
 */
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
};
/** When the server stops, requests that have arrived have this long to be answered. */
const MAX_ANSWER_MS = 2_000;

/**
 * Checks that the port is free, so that a start fails before anything is created or migrated.
 *
 * @throws Problem (409) that says why the port cannot be used
 */
export async function checkPort(address: Address): Promise<void> {
  const { server } = await listen(() => {}, address);
  await new Promise((resolve) => server.close(resolve));
}

/**
 * Starts to answer requests. `port` in the result is the real one: with port 0 the system picks a free port.
 *
 * @param pem key and certificate, for https
 * @throws Problem (409) that says why the port cannot be used
 */
export function listen(
  listener: RequestListener,
  address: Address,
  pem?: string,
): Promise<{ server: Server; port: number }> {
  return new Promise((resolve, reject) => {
    const server = pem
      ? createTlsServer({ ...LIMITS, key: pem, cert: pem }, listener)
      : createServer(LIMITS, listener);
    server.on('error', (error) => reject(portProblem(error, address)));
    server.listen(address.port, address.host, () =>
      resolve({ server, port: (server.address() as AddressInfo).port }),
    );
  });
}

/**
 * Accepts no more connections, and closes idle ones. Requests under way are answered; after 2 s their connections are
 * closed too, since a client may never send the rest of its body.
 */
export async function stopListening(server: Server): Promise<void> {
  // Otherwise a client that keeps its connection open and sends more requests would keep the server from ending.
  server.prependListener('request', (_, response) => response.setHeader('connection', 'close'));
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const late = setTimeout(() => server.closeAllConnections(), MAX_ANSWER_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(late);
}

function portProblem(error: NodeJS.ErrnoException, { host, port }: Address): Error {
  const details: Record<string, string> = {
    EADDRINUSE: 'is in use by another program, perhaps another Lore. Set LORE_PORT to a free port.',
    EACCES: 'needs more rights than you have. Set LORE_PORT to a port above 1023.',
    EADDRNOTAVAIL: 'is not an address of this machine. Correct LORE_HOST.',
  };
  const detail = details[error.code ?? ''];
  if (detail === undefined) return error;
  const told = `${host}:${port} ${detail}`;
  return new Problem({ status: 409, title: 'Port not available', detail: told, cause: error });
}
