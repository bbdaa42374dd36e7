import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Database } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { countedAs } from '../http/remote-address.ts';
import type { Log } from '../log.ts';
import { type Access, type Grant, type Refused, WORDS } from './access.ts';
import type { Channel } from './channel.ts';
import { type Connection, serveConnection } from './connection.ts';
import { createFeed } from './feed.ts';
import { LIMITS } from './limits.ts';

export type Realtime = {
  /** Takes over the connection of a request for a WebSocket, or refuses it. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends all channels whose key was revoked, of one user or of all users. */
  recheck(userId?: string): void;
  /** Closes all connections and ends their subscriptions. Takes a second at most. */
  stop(): Promise<void>;
};

const PATH = '/realtime/v1/websocket';
const SWEEP_MS = 1_000;
/** How long the server waits for clients to answer when it tells them that it stops. */
const MAX_GOODBYE_MS = 300;
/** A second check comes this long after a key was revoked. Joins that were under way have ended by then. */
const RECHECK_MS = 3_000;
/** Code of RFC 6455: the server restarts. The client connects again. */
const RESTART = 1012;

/**
 * Starts the endpoint at `/realtime/v1/websocket` that speaks the protocol of Supabase's Realtime
 * (docs/realtime.md).
 */
export async function createRealtime(options: {
  db: Database;
  log: Log;
  access: Access;
  /** whether a `host` header names this server */
  isOurs(host: string | undefined): boolean;
}): Promise<Realtime> {
  const { db, log, access, isOurs } = options;
  const connections = new Set<Connection>();
  const channels = new Map<number, Channel>();
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: LIMITS.frameBytes,
  });
  let stopped = false;

  const feed = await createFeed({
    db,
    log,
    deliver(targets, data) {
      const bindings = new Map<number, number[]>();
      for (const [channel, binding] of targets) {
        const ids = bindings.get(channel);
        if (ids) ids.push(binding);
        else bindings.set(channel, [binding]);
      }
      for (const [number, ids] of bindings) channels.get(number)?.tell(ids, data);
    },
    failed(channel, why) {
      channels.get(channel)?.close(`The filter of a subscription failed: ${why}`);
    },
    lost(why) {
      for (const connection of connections) connection.close(RESTART, why);
    },
  });

  async function authorise(token: string): Promise<Grant | Refused> {
    const grant = await access.verify(token);
    if ('refused' in grant || grant.userId === null) return grant;
    return (await access.settle(grant)) ?? { refused: 'revoked' };
  }
  const services = { feed, channels, authorise };

  const sweeping = setInterval(() => {
    const now = Date.now();
    for (const connection of connections) connection.sweep(now);
  }, SWEEP_MS);
  sweeping.unref();

  const countOf = (userId: string | null) => {
    let count = 0;
    for (const connection of connections) if (connection.userId === userId) count += 1;
    return count;
  };

  /** Returns whether there may be no more connections of unknown users, of an address or at all. */
  function isFull(address: string): boolean {
    const nobodys = [...connections].filter(({ userId }) => userId === null);
    const here = nobodys.filter((connection) => connection.address === address);
    return nobodys.length >= LIMITS.socketsOfNobody || here.length >= LIMITS.socketsOfNobodyHere;
  }

  function admit(connection: Connection, userId: string): boolean {
    if (connection.userId !== null) return true;
    if (countOf(userId) >= LIMITS.socketsPerUser) return false;
    connection.userId = userId;
    return true;
  }

  async function open(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const url = new URL(request.url ?? '', 'http://localhost');
    if (url.pathname !== PATH) return refuse(socket, 404, `There is no WebSocket at ${url.pathname}`);
    // a stranger's page must not get here under a name of its own (DNS rebinding)
    if (!isOurs(request.headers.host)) return refuse(socket, 421, 'This server is not known under that name');
    if (stopped) return refuse(socket, 503, 'The server stops');
    const header = request.headers['x-api-key'];
    const token = (typeof header === 'string' && header) || url.searchParams.get('apikey');
    if (!token) return refuse(socket, 401, 'API key is missing');
    const grant = await access.verify(token);
    if ('refused' in grant) return refuse(socket, 401, WORDS[grant.refused].text);
    const address = countedAs(request.socket.remoteAddress ?? '');
    const nobodys = grant.userId === null && isFull(address);
    if (connections.size >= LIMITS.sockets || nobodys) return refuse(socket, 429, 'Too many connections');
    if (grant.userId !== null && countOf(grant.userId) >= LIMITS.socketsPerUser) {
      return refuse(socket, 429, 'Too many connections of this user');
    }
    const version = url.searchParams.get('vsn') === '2.0.0' ? '2.0.0' : '1.0.0';
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const connection = serveConnection(webSocket, {
        version,
        token,
        address,
        services,
        admit,
        onClose: () => connections.delete(connection),
        onError: (error) => log.warn({ error }, 'a message of a live connection could not be handled'),
      });
      connection.userId = grant.userId;
      connections.add(connection);
    });
  }

  function recheck(userId: string | undefined): void {
    const grants = new Map<string, Grant>();
    for (const connection of connections) {
      for (const grant of connection.grants()) {
        if (grant.userId === null || (userId !== undefined && grant.userId !== userId)) continue;
        grants.set(`${grant.userId} ${grant.keyId} ${grant.authId}`, grant);
      }
    }
    for (const grant of grants.values()) {
      access.settle(grant).then(
        (settled) => {
          // who signs in to an account may change too
          if (settled?.userId !== grant.userId)
            for (const connection of connections) connection.revoke(grant);
        },
        (error) => log.warn({ error }, 'a key of live connections could not be looked up'),
      );
    }
  }

  return {
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      open(request, socket, head).catch((error) => {
        log.warn({ error }, 'a live connection could not be opened');
        if (error instanceof Problem) refuse(socket, error.status, error.message);
        else refuse(socket, 400, 'Malformed request');
      });
    },
    recheck(userId) {
      recheck(userId);
      // for those that were joining just now
      setTimeout(() => recheck(userId), RECHECK_MS).unref();
    },
    async stop() {
      stopped = true;
      clearInterval(sweeping);
      for (const connection of connections) connection.close(RESTART, 'the server stops');
      const until = performance.now() + MAX_GOODBYE_MS;
      while (connections.size > 0 && performance.now() < until)
        await new Promise((resolve) => setTimeout(resolve, 10));
      for (const connection of connections) connection.terminate();
      sockets.close();
      await feed.stop();
    },
  };
}
/** Refuses a request for a WebSocket, in the words of Supabase's Realtime. */
function refuse(socket: Duplex, status: number, error: string): void {
  const body = JSON.stringify({ error });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
