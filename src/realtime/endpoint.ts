import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { Problem } from '../base/errors/problem.ts';
import type { Log } from '../base/log.ts';
import type { Database } from '../db/open.ts';
import { createFeed, type Feed } from './feed.ts';
import {
  type Channel,
  decode,
  encode,
  type Grant,
  JoinPayload,
  type Message,
  type Refused,
  toBinding,
} from './protocol.ts';

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
}) {
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
    /** Takes over the connection of a request for a WebSocket, or refuses it. */
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
      socket.on('error', () => socket.destroy());
      open(request, socket, head).catch((error) => {
        if (error instanceof Problem) refuse(socket, error.status, error.message);
        else refuse(socket, 400, 'Malformed request');
      });
    },
    /** Ends all channels whose key was revoked, of one user or of all users. */
    recheck(userId?: string) {
      recheck(userId);
      // for those that were joining just now
      setTimeout(() => recheck(userId), RECHECK_MS).unref();
    },
    /** Closes all connections and ends their subscriptions. Takes a second at most. */
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

/** A client's connection. */
type Connection = {
  socket: WebSocket;
  /** by topic */
  channels: Map<string, Channel>;
  /** when its client last sent something */
  heard: number;
};

/** bytes that wait for a client that does not read; more end its connection */
const MAX_UNSENT = 4 * 1024 * 1024;
const MAX_CHANNELS = 100;
/** Code of RFC 6455: policy violation. */
const POLICY = 1008;
/** Topics begin with this; the rest is the client's name of the channel. */
const PREFIX = 'realtime:';
/** The client may send one of Supabase's new keys instead of a token; then the token of the connection counts. */
const isToken = (token: unknown): token is string =>
  typeof token === 'string' && token !== '' && !token.startsWith('sb_');

let made = 0;

/**
 * Serves a connection that was just opened. Its messages are handled one after the other.
 *
 * @param token the token that the connection was opened with
 */
function serveConnection(
  connection: Connection,
  token: string,
  services: {
    feed: Feed;
    /** Verifies a token, and asks the database about its key. */
    authorise(token: string): Promise<Grant | Refused>;
    onError(error: unknown): void;
  },
): void {
  const { socket, channels } = connection;
  const { feed, authorise } = services;
  let last: Promise<unknown> = Promise.resolve();
  let unread = 0;

  /** A client that does not read what it is sent must not fill the server's memory. */
  function send(message: Omit<Message, 'payload'>, payload: string): void {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MAX_UNSENT) socket.terminate();
    else socket.send(encode(message, payload));
  }
  const reply = ({ joinRef, ref, topic }: Message, status: 'ok' | 'error', response: object = {}) =>
    send({ joinRef, ref, topic, event: 'phx_reply' }, JSON.stringify({ status, response }));

  function channelOf(topic: string, joinRef: string | null, grant: Grant): Channel {
    const number = ++made;
    const say = (event: string, payload: string) => send({ joinRef, ref: null, topic, event }, payload);
    return {
      number,
      joinRef,
      grant,
      tell: (ids, data) => say('postgres_changes', `{"ids":${JSON.stringify(ids)},"data":${data}}`),
      close(why) {
        const about = { extension: 'system', status: 'error', channel: topic.slice(PREFIX.length) };
        if (why !== undefined) say('system', JSON.stringify({ ...about, message: why }));
        send({ joinRef, ref: joinRef, topic, event: 'phx_close' }, '{}');
        drop(topic);
      },
    };
  }

  function drop(topic: string): void {
    const channel = channels.get(topic);
    if (!channel) return;
    channels.delete(topic);
    feed.leave(channel.number);
  }

  async function join(message: Message): Promise<void> {
    const { topic, joinRef } = message;
    const refuse = (reason: string) => reply(message, 'error', { reason });
    channels.get(topic)?.close();
    const { success, data } = JoinPayload.safeParse(message.payload);
    if (!success || !topic.startsWith(PREFIX)) return refuse('InvalidJoinPayload: malformed');
    const { access_token: given, config } = data;
    const grant = await authorise(isToken(given) ? given : token);
    if ('refused' in grant) return refuse(`Unauthorized: ${grant.refused}`);
    if (config.private || config.presence?.enabled)
      return refuse('Unsupported: this server has no private channels and keeps no presence');
    if (channels.size >= MAX_CHANNELS) return refuse('ChannelRateLimitReached: too many channels');
    if (socket.readyState !== socket.OPEN) return;
    const asked = config.postgres_changes ?? [];
    const bindings = asked.map((one, at) => toBinding(one, at + 1)).filter((one) => one !== null);
    if (bindings.length < asked.length) return refuse('Unable to subscribe to changes: malformed');
    const channel = channelOf(topic, joinRef, grant);
    channels.set(topic, channel);
    const refused = await feed.join(channel, bindings);
    const at = refused.findIndex((reason) => reason !== null);
    if (at >= 0) {
      drop(topic);
      return refuse(`Unable to subscribe to changes: ${JSON.stringify(asked[at])} (${refused[at]})`);
    }
    // the connection or the key may be gone by now
    if (channels.get(topic) !== channel) return feed.leave(channel.number);
    reply(message, 'ok', { postgres_changes: asked.map((one, at) => ({ ...one, id: at + 1 })) });
  }

  async function renew(channel: Channel, given: unknown): Promise<void> {
    if (!isToken(given)) return;
    const grant = await authorise(given);
    if ('refused' in grant) channel.close(grant.refused);
    // the channel's subscriptions belong to the first user
    else if (grant.userId !== channel.grant.userId) channel.close('The token is of another user');
    else channel.grant = grant;
  }

  async function handle(message: Message): Promise<void> {
    const { topic, event, joinRef } = message;
    if (topic === 'phoenix') return reply(message, event === 'heartbeat' ? 'ok' : 'error');
    if (event === 'phx_join') return join(message);
    const channel = channels.get(topic);
    if (!channel) return reply(message, 'error', { reason: 'unmatched topic' });
    // the message belongs to an earlier join of the topic
    if (joinRef !== null && joinRef !== channel.joinRef) return;
    if (event === 'access_token') return renew(channel, message.payload.access_token);
    if (event !== 'phx_leave')
      return reply(message, 'error', { reason: 'Unsupported: this server passes on no messages' });
    reply(message, 'ok');
    channel.close();
  }

  socket.on('message', (data, binary) => {
    connection.heard = Date.now();
    const message = binary ? null : decode(String(data));
    if (!message) return socket.close(POLICY, 'malformed message');
    // no more is read from a client that sends faster than it is answered
    unread += 1;
    socket.pause();
    last = last
      .then(() => handle(message))
      .catch((error) => {
        services.onError(error);
        // the client joins again
        const { topic, joinRef } = message;
        drop(topic);
        send({ joinRef, ref: joinRef, topic, event: 'phx_error' }, '{}');
      })
      .finally(() => {
        unread -= 1;
        if (unread === 0) socket.resume();
      });
  });
  // What is wrong with the connection itself: a frame that is too large or malformed. The socket is closed by then.
  socket.on('error', () => {});
  socket.once('close', () => {
    for (const topic of [...channels.keys()]) drop(topic);
  });
}
