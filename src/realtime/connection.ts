import type { RawData, WebSocket } from 'ws';
import { type Grant, WORDS } from './access.ts';
import { type Channel, type ChannelServices, joinChannel, type Wire } from './channel.ts';
import { decode, encode, type Message, type Version } from './frames.ts';
import { LIMITS } from './limits.ts';

/** A client's connection. */
export type Connection = {
  /** the users whose tokens its channels were joined with */
  grants(): Grant[];
  /** the user that it counts for; null: not known yet */
  userId: string | null;
  /** where it comes from */
  address: string;
  /** Ends channels whose token has expired, and the connection if it has been silent for too long. */
  sweep(now: number): void;
  /** Closes the channels of a key, or of an account without a key (null), that is no longer valid. */
  revoke(grant: Grant): void;
  /** Closes it. The client connects again by itself. */
  close(code: number, reason: string): void;
  /** Ends it without a closing frame, if it is still there. */
  terminate(): void;
};

/** Codes of RFC 6455: policy violation; try again later; service restart. */
const POLICY = 1008;

/**
 * Serves a connection that was just opened. Its messages are handled in their order.
 *
 * @param options.admit says whether a user may have this connection too
 * @param options.onClose called once, when it is gone
 */
export function serveConnection(
  socket: WebSocket,
  options: {
    version: Version;
    token: string;
    address: string;
    services: ChannelServices;
    admit(connection: Connection, userId: string): boolean;
    onClose(): void;
    onError(error: unknown): void;
  },
): Connection {
  const { version, services } = options;
  const byTopic = new Map<string, Channel>();
  let last: Promise<unknown> = Promise.resolve();
  let unread = 0;
  let tokens = LIMITS.burst;
  let refilled = Date.now();
  let heard = Date.now();
  let useful = Date.now();
  const opened = Date.now();

  const connection: Connection = {
    userId: null,
    address: options.address,
    grants: () => [...byTopic.values()].map(({ grant }) => grant),
    sweep(now) {
      for (const [topic, channel] of byTopic) {
        const over = Math.floor(now / 1_000) - channel.grant.exp;
        if (over < 0) continue;
        byTopic.delete(topic);
        channel.close(`Token has expired ${over} seconds ago`);
      }
      if (byTopic.size > 0) useful = now;
      if (now - heard > LIMITS.idleMs) connection.terminate();
      else if (connection.userId === null && now - opened > LIMITS.nobodyMs) {
        connection.close(POLICY, 'no user');
      } else if (now - useful > LIMITS.idleMs) connection.close(POLICY, 'no channel');
    },
    revoke(grant) {
      const before = byTopic.size;
      for (const [topic, channel] of byTopic) {
        const { userId, keyId, authId } = channel.grant;
        if (userId !== grant.userId || keyId !== grant.keyId || authId !== grant.authId) continue;
        byTopic.delete(topic);
        channel.close(WORDS.revoked.text);
      }
      if (before > 0 && byTopic.size === 0) connection.close(POLICY, WORDS.revoked.text);
    },
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
  };

  /** A client that does not read what it is sent must not fill the server's memory. */
  const write = (data: string) => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > LIMITS.unsentBytes) return socket.terminate();
    socket.send(data);
  };
  const wire: Wire = {
    token: options.token,
    send: (message, payload) => write(encode(version, message, payload)),
    admit: (userId) => options.admit(connection, userId),
  };

  const reply = ({ joinRef, ref, topic }: Message, status: 'ok' | 'error', response: object) =>
    wire.send({ joinRef, ref, topic, event: 'phx_reply' }, JSON.stringify({ status, response }));

  function mayGoOn(): boolean {
    const now = Date.now();
    tokens = Math.min(LIMITS.burst, tokens + ((now - refilled) / 1_000) * LIMITS.perSecond);
    refilled = now;
    tokens -= 1;
    return tokens >= 0;
  }

  socket.on('message', (data: RawData, binary: boolean) => {
    heard = Date.now();
    const bytes = data as Buffer; // ws hands over one buffer unless told otherwise
    const message = mayGoOn() ? decode(version, bytes, binary) : null;
    if (!message) return socket.close(POLICY, tokens < 0 ? 'too many messages' : 'malformed message');
    if (message.topic === 'phoenix') {
      return reply(message, message.event === 'heartbeat' ? 'ok' : 'error', {});
    }
    unread += bytes.length;
    if (unread > LIMITS.unreadBytes) socket.pause();
    last = last
      .then(() => handle(message))
      .catch((error) => {
        options.onError(error);
        // the client joins again
        const { topic, joinRef } = message;
        wire.send({ joinRef, ref: joinRef, topic, event: 'phx_error' }, '{}');
        byTopic.get(topic)?.drop();
        byTopic.delete(topic);
      })
      .finally(() => {
        unread -= bytes.length;
        if (unread <= LIMITS.unreadBytes && socket.isPaused) socket.resume();
      });
  });

  async function handle(message: Message): Promise<void> {
    if (socket.readyState !== socket.OPEN) return;
    const { topic, event } = message;
    const before = byTopic.get(topic);
    if (event === 'phx_join') {
      byTopic.delete(topic);
      before?.close();
      if (byTopic.size >= LIMITS.channelsPerSocket) {
        return reply(message, 'error', { reason: 'ChannelRateLimitReached: Too many channels' });
      }
      const channel = await joinChannel(services, wire, message);
      if (!channel) return;
      if (socket.readyState === socket.OPEN) byTopic.set(topic, channel);
      else channel.drop();
      return;
    }
    if (!before) return reply(message, 'error', { reason: 'unmatched topic' });
    // the message belongs to an earlier join of the topic
    if (message.joinRef !== null && message.joinRef !== before.joinRef) return;
    await before.handle(message);
    if (!services.channels.has(before.number)) byTopic.delete(topic);
  }

  // What is wrong with the connection itself: a frame that is too large or malformed. The socket is closed by then.
  socket.on('error', () => {});
  socket.once('close', () => {
    for (const channel of byTopic.values()) channel.drop();
    byTopic.clear();
    options.onClose();
  });
  return connection;
}
