import { clip } from '../text/clip.ts';
import type { Grant, Refused } from './access.ts';
import { WORDS } from './access.ts';
import type { Feed } from './feed.ts';
import type { Message } from './frames.ts';
import { bindingId, JoinPayload, toBinding } from './join-config.ts';

/** A channel that a client has joined: what it waits for, and what it says to others. */
export type Channel = {
  number: number;
  topic: string;
  joinRef: string | null;
  grant: Grant;
  handle(message: Message): Promise<void>;
  /** Sends a change to the client. `data` is JSON. */
  tell(bindings: number[], data: string): void;
  /** Ends it. If there is a reason, the client is told first. The client does not join again by itself. */
  close(why?: string): void;
  /** Forgets it without a word, because its connection is gone. */
  drop(): void;
};

export type ChannelServices = {
  feed: Feed;
  /** all channels of the server by number: those that changes may reach */
  channels: Map<number, Channel>;
  /** Verifies a token, and asks the database about its key. */
  authorise(token: string): Promise<Grant | Refused>;
};

/** What a channel needs of its connection. */
export type Wire = {
  /** the token that the connection was opened with */
  token: string;
  send(message: Omit<Message, 'payload'>, payload: string): void;
  /** Whether this user may have one more connection; called once the user of the connection is known. */
  admit(userId: string): boolean;
};

/** Topics begin with this; the rest is the client's name of the channel. */
const PREFIX = 'realtime:';
/**
 * Whether it is a token. The client may send one of Supabase's new keys instead; then the token of the socket
 * counts.
 */
const isToken = (token: string | null | undefined): token is string => !!token && !token.startsWith('sb_');

// What a client makes the server send to others is work for others, and nothing of Lore needs it.
const NO_PRESENCE = 'Unsupported: This server keeps no presence';
const UNSUPPORTED = new Map([
  ['broadcast', 'Unsupported: This server passes on no broadcasts'],
  ['presence', NO_PRESENCE],
]);

let made = 0;

/** Answers a `phx_join`. Returns the channel; null if the client may not join. */
export async function joinChannel(
  services: ChannelServices,
  wire: Wire,
  join: Message,
): Promise<Channel | null> {
  const { topic, joinRef, ref } = join;
  const { feed } = services;
  const say = (event: string, payload: string, to: string | null = null) =>
    wire.send({ joinRef, ref: to, topic, event }, payload);
  const reply = (to: string | null, status: 'ok' | 'error', response: object = {}) =>
    say('phx_reply', JSON.stringify({ status, response }), to);
  const refuse = (reason: string) => {
    reply(ref, 'error', { reason });
    return null;
  };
  const system = (extension: string, status: 'ok' | 'error', message: string) =>
    say('system', JSON.stringify({ extension, status, message, channel: topic.slice(PREFIX.length) }));

  if (!topic.startsWith(PREFIX) || topic === PREFIX) {
    return refuse('TopicNameRequired: A topic is “realtime:” and a name');
  }
  const { success, data } = JoinPayload.safeParse(join.payload);
  if (!success) return refuse('InvalidJoinPayload: The config of the channel is malformed');
  const { config, access_token: given } = data;
  const grant = await services.authorise(isToken(given) ? given : wire.token);
  if ('refused' in grant) {
    const { code, text } = WORDS[grant.refused];
    return refuse(`${code}: ${text}`);
  }
  // Lore has no policies for private channels, and without a policy nobody may join one.
  if (config.private) {
    return refuse(
      `Unauthorized: You do not have permissions to read from this Channel topic: ${topic.slice(PREFIX.length)}`,
    );
  }
  if (config.presence?.enabled) return refuse(NO_PRESENCE);
  if (grant.userId !== null && !wire.admit(grant.userId)) {
    return refuse('ConnectionRateLimitReached: Too many connections of this user');
  }

  const bearer: Grant = grant;
  const number = ++made;
  const asked = config.postgres_changes ?? [];
  let open = true;
  const channel: Channel = {
    number,
    topic,
    joinRef,
    grant: bearer,
    tell: (bindings, data) => say('postgres_changes', `{"ids":${JSON.stringify(bindings)},"data":${data}}`),
    close(why) {
      if (why !== undefined) system('system', 'error', why);
      say('phx_close', '{}', joinRef);
      channel.drop();
    },
    drop() {
      if (!open) return;
      open = false;
      feed.leave(number);
      services.channels.delete(number);
    },
    async handle(message) {
      const { event, payload } = message;
      if (event === 'phx_leave') {
        reply(message.ref, 'ok');
        channel.close();
      } else if (event === 'access_token') await renew(payload.access_token);
      else {
        const reason = UNSUPPORTED.get(event) ?? `UnknownEvent: ${clip(event, 50)}`;
        reply(message.ref, 'error', { reason });
      }
    },
  };

  async function renew(token: unknown): Promise<void> {
    if (typeof token !== 'string' || !isToken(token)) return;
    const next = await services.authorise(token);
    if (!open) return;
    if ('refused' in next) return channel.close(WORDS[next.refused].text);
    // the channel's subscriptions and its room belong to the first user
    if (next.userId !== channel.grant.userId) return channel.close('Token is of another user');
    channel.grant = next;
  }

  services.channels.set(number, channel);
  const failed = asked.length > 0 ? await subscribe().catch(forgotten) : null;
  if (!open) return null;
  const wait = config.postgres_changes_options?.wait ?? false;
  if (failed !== null && wait) {
    channel.drop();
    return refuse(`RealtimeDisabledForConfiguration: ${failed}`);
  }
  reply(ref, 'ok', { postgres_changes: asked.map((one) => ({ ...one, id: bindingId(one) })) });
  if (asked.length > 0) {
    system('postgres_changes', failed === null ? 'ok' : 'error', failed ?? 'Subscribed to PostgreSQL');
  }
  return channel;

  function forgotten(error: unknown): never {
    channel.drop();
    throw error;
  }

  /** Subscribes the channel to what it asks for. Returns null, or why that is not possible. */
  async function subscribe(): Promise<string | null> {
    const bindings = asked.map(toBinding);
    const refused = bindings.every((binding) => binding !== null)
      ? await feed.join(number, bearer.userId, bindings)
      : bindings.map((binding) => (binding === null ? 'malformed' : null));
    const at = refused.findIndex((reason) => reason !== null);
    if (at < 0) return null;
    feed.leave(number);
    return `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: ${JSON.stringify(asked[at])} (${refused[at]})`;
  }
}
