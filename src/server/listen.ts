import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createProbe, type Socket } from 'node:net';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';

type Address = Pick<Config, 'host' | 'port'>;

/**
 * A connection that does not finish a request in time is answered 408 and closed, so that half-open ones do not add up.
 * A client sends its headers at once. The largest body (16 MB) needs 60 s at 270 kB/s. Node looks every second.
 */
const LIMITS = { headersTimeout: 5_000, requestTimeout: 60_000, connectionsCheckingInterval: 1_000 };
/**
 * How long an idle connection is kept for the next request. Node's default of 5 s is about as long as many
 * clients keep their connections, and a request that is sent while the server closes the connection is lost.
 * A bit more than a minute is longer than any client keeps one.
 */
const KEEP_ALIVE_MS = 65_000;
/** When the server stops, requests that have arrived have this long to be answered. */
const MAX_ANSWER_MS = 2_000;

/** A connection, and how many requests are under way on it. */
type Connection = { socket: Socket; requests: number };
/** The open connections of each server. */
const busy = new WeakMap<Server, Set<Connection>>();

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
 * @param tls the key and the certificate, in PEM; without them it is plain HTTP
 */
export function listen(
  listener: RequestListener,
  address: Address,
  tls?: { key: string; cert: string },
): Promise<{ server: Server; port: number }> {
  return new Promise((resolve, reject) => {
    const options = { ...LIMITS, keepAliveTimeout: KEEP_ALIVE_MS };
    const server = tls ? createTlsServer({ ...options, ...tls }, listener) : createServer(options, listener);
    busy.set(server, countRequests(server));
    server.on('error', (error) => reject(portProblem(error, address)));
    server.listen(address.port, address.host, () =>
      resolve({ server, port: (server.address() as AddressInfo).port }),
    );
  });
}

function countRequests(server: Server): Set<Connection> {
  const open = new Set<Connection>();
  // by their far ends: with TLS, a request comes by another socket object than its connection
  const byEnd = new Map<string, Connection>();
  const endOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
  server.on('connection', (socket: Socket) => {
    const connection = { socket, requests: 0 };
    const end = endOf(socket);
    open.add(connection);
    byEnd.set(end, connection);
    socket.once('close', () => {
      open.delete(connection);
      if (byEnd.get(end) === connection) byEnd.delete(end);
    });
  });
  // before the listener, which may answer at once
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    const connection = byEnd.get(endOf(socket));
    if (!connection) return;
    connection.requests += 1;
    response.once('close', () => {
      connection.requests -= 1;
    });
  });
  return open;
}

/**
 * Accepts no more connections. Closes those without a request at once: idle ones, and those that sent nothing or half a
 * header. Requests under way are answered; after 2 s their connections are closed too, since a client may never send
 * the rest of its body.
 */
export async function stopListening(server: Server): Promise<void> {
  // Otherwise a client that keeps its connection open and sends more requests would keep the server from ending.
  server.prependListener('request', (_, response) => response.setHeader('connection', 'close'));
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const closeIdle = () => {
    for (const { socket, requests } of busy.get(server) ?? []) if (requests === 0) socket.destroy();
  };
  closeIdle();
  const sweep = setInterval(closeIdle, 50);
  const late = setTimeout(() => server.closeAllConnections(), MAX_ANSWER_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(late);
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
