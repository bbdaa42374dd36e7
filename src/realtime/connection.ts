import type { WebSocket } from 'ws';
import type { Feed } from './feed.ts';
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

/** A client's connection. */
export type Connection = {
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
export function serveConnection(
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
