import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createProbe } from 'node:net';
import type { Config } from '../config.ts';
import { Problem } from '../problem.ts';

type Address = Pick<Config, 'host' | 'port'>;

/**
 * Checks that the port is free, so that a start fails before anything is created or migrated.
 *
 * @throws Problem (409) that says why the port cannot be used
 */
export function checkPort(address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createProbe();
    probe.on('error', (error) => reject(portProblem(error, address)));
    probe.listen(address.port, address.host, () => probe.close(() => resolve()));
  });
}

/**
 * Starts to answer requests. `port` in the result is the real one: with port 0 the system picks a free port.
 *
 * @throws Problem (409) that says why the port cannot be used
 */
export function listen(
  listener: RequestListener,
  address: Address,
): Promise<{ server: Server; port: number }> {
  return new Promise((resolve, reject) => {
    const server = createServer(listener);
    server.on('error', (error) => reject(portProblem(error, address)));
    server.listen(address.port, address.host, () =>
      resolve({ server, port: (server.address() as AddressInfo).port }),
    );
  });
}

/** Accepts no more connections. Resolves when the requests under way are answered and all connections are closed. */
export async function stopListening(server: Server): Promise<void> {
  // Otherwise a client that keeps its connection open and sends more requests would keep the server from ending.
  server.prependListener('request', (_, response) => response.setHeader('connection', 'close'));
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(sweep);
}

function portProblem(error: NodeJS.ErrnoException, address: Address): Error {
  const where = `${address.host}:${address.port}`;
  const details: Record<string, string> = {
    EADDRINUSE: `${where} is in use by another program, perhaps another Lore. Set LORE_PORT to a free port.`,
    EACCES: `You may not listen on ${where}. Set LORE_PORT to a port above 1023.`,
    EADDRNOTAVAIL: `${where} is not an address of this machine. Correct LORE_HOST.`,
  };
  const detail = details[error.code ?? ''];
  return detail === undefined
    ? error
    : new Problem({ status: 409, title: 'Port not available', detail, cause: error });
}
