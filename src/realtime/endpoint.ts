import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { Problem } from '../base/errors/problem.ts';
import type { Log } from '../base/log.ts';
import type { Database } from '../db/open.ts';
import { type Connection, serveConnection } from './connection.ts';
import { createFeed } from './feed.ts';
import type { Grant, Refused } from './protocol.ts';

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
const MAX_FRAME = 256 * 1024;
const MAX_SOCKETS = 2_000;
/** A connection ends after this long without a message; the heartbeat comes every 25 s. */
const IDLE_MS = 60_000;
/** A second check comes this long after a key was revoked. Joins that were under way have ended by then. */
const RECHECK_MS = 3_000;
/** Code of RFC 6455: the server restarts. The client connects again. */
const RESTART = 1012;

const REASONS: Record<string, string> = {
  expired: 'the token has expired',
  anonymous: 'nobody signs in anonymously',
  revoked: 'the key of this token was revoked',
};
const reasonOf = (refused: string): string => REASONS[refused] ?? 'the token is not valid';

/**
 * Starts the endpoint at `/realtime/v1/websocket` that speaks the protocol of Supabase's Realtime
 * (docs/realtime.md).
 */
export async function createRealtime(options: {
  db: Database;
  log: Log;
  /** Verifies a token by itself, without the database. `userId` is as the token says it. */
  verify(token: string): Promise<Grant | Refused>;
  /** Returns the grant with the account that its token is good for now; null when it is closed, or the key revoked. */
  settle(grant: Grant): Promise<Grant | null>;
  /** whether a `host` header names this server */
  isOurs(host: string | undefined): boolean;
}): Promise<Realtime> {
  const { db, log, verify, settle, isOurs } = options;
  const connections = new Set<Connection>();
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME,
  });

  const feed = await createFeed({
    db,
    log,
    lost(why) {
      for (const { socket } of connections) socket.close(RESTART, why);
    },
  });

  async function authorise(token: string): Promise<Grant | Refused> {
    const grant = await verify(token);
    if ('refused' in grant) return { refused: reasonOf(grant.refused) };
    if (grant.userId === null) return grant;
    return (await settle(grant)) ?? { refused: reasonOf('revoked') };
  }

  const sweeping = setInterval(() => {
    const now = Date.now();
    for (const { socket, channels, heard } of connections) {
      for (const channel of [...channels.values()])
        if (channel.grant.exp * 1_000 <= now) channel.close(reasonOf('expired'));
      if (now - heard > IDLE_MS) socket.terminate();
    }
  }, SWEEP_MS);
  sweeping.unref();

  async function open(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const url = new URL(request.url ?? '', 'http://localhost');
    if (url.pathname !== PATH) return refuse(socket, 404, `There is no WebSocket at ${url.pathname}`);
    // a stranger's page must not get here under a name of its own (DNS rebinding)
    if (!isOurs(request.headers.host)) return refuse(socket, 421, 'This server is not known under that name');
    if (url.searchParams.get('vsn') !== '2.0.0')
      return refuse(socket, 400, 'Only version 2.0.0 of the protocol is spoken here: update supabase-js');
    const token = url.searchParams.get('apikey') ?? '';
    const grant = await verify(token);
    if ('refused' in grant) return refuse(socket, 401, reasonOf(grant.refused));
    if (connections.size >= MAX_SOCKETS) return refuse(socket, 429, 'Too many connections');
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const connection: Connection = { socket: webSocket, channels: new Map(), heard: Date.now() };
      connections.add(connection);
      webSocket.once('close', () => connections.delete(connection));
      const onError = (error: unknown) =>
        log.warn({ error }, 'a message of a live connection could not be handled');
      serveConnection(connection, token, { feed, authorise, onError });
    });
  }

  function recheck(userId: string | undefined): void {
    for (const channel of feed.channels.values()) {
      const { grant } = channel;
      if (grant.userId === null || (userId !== undefined && grant.userId !== userId)) continue;
      settle(grant).then(
        // who signs in to an account may change too
        (settled) => settled?.userId === grant.userId || channel.close(reasonOf('revoked')),
        (error) => log.warn({ error }, 'a key of live connections could not be looked up'),
      );
    }
  }

  return {
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      open(request, socket, head).catch((error) => {
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
      clearInterval(sweeping);
      for (const { socket } of connections) socket.close(RESTART, 'the server stops');
      await feed.stop();
      // who has not answered by then has gone
      for (const { socket } of connections) socket.terminate();
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
