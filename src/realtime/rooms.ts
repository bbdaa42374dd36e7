// A room decides who gets whose broadcasts and presence: the channels of one topic and one user. Another
// user's channel of the same name is in another room.

export type Meta = Record<string, unknown>;

export type Member = {
  /** the user and the topic */
  room: string;
  /** sends an event with a payload as JSON */
  send(event: string, payload: string): void;
  /** passes on a broadcast of bytes */
  sendBytes(event: string, payload: Buffer): void;
  /** whether it is told about presence */
  watches: boolean;
};

export type Rooms = {
  enter(member: Member): void;
  /** Removes a member, with its presence. */
  leave(member: Member): void;
  others(member: Member): Iterable<Member>;
  /** Sets a member's presence under a key, in place of the one before; null removes it. */
  track(member: Member, key: string, meta: Meta | null): void;
  /** Returns everybody's presence as JSON. */
  state(room: string): string;
};

type Tracked = { key: string; meta: Meta };

/** Returns an empty set of rooms. A room exists as long as somebody is in it. */
export function createRooms(): Rooms {
  const rooms = new Map<string, Map<Member, Tracked | null>>();
  let refs = 0;

  const tell = (room: string, joins: Tracked | null, leaves: Tracked | null) => {
    const entry = (one: Tracked | null) => (one ? { [one.key]: { metas: [one.meta] } } : {});
    const payload = JSON.stringify({ joins: entry(joins), leaves: entry(leaves) });
    for (const member of rooms.get(room)?.keys() ?? [])
      if (member.watches) member.send('presence_diff', payload);
  };

  return {
    enter(member) {
      const members = rooms.get(member.room) ?? new Map();
      rooms.set(member.room, members.set(member, null));
    },
    leave(member) {
      const members = rooms.get(member.room);
      const tracked = members?.get(member) ?? null;
      members?.delete(member);
      if (members?.size === 0) rooms.delete(member.room);
      if (tracked) tell(member.room, null, tracked);
    },
    *others(member) {
      for (const other of rooms.get(member.room)?.keys() ?? []) if (other !== member) yield other;
    },
    track(member, key, meta) {
      const members = rooms.get(member.room);
      if (!members?.has(member)) return;
      const before = members.get(member) ?? null;
      const now = meta && { key, meta: { ...meta, phx_ref: `${++refs}` } };
      members.set(member, now);
      if (before || now) tell(member.room, now, before);
    },
    state(room) {
      const state = new Map<string, { metas: Meta[] }>();
      for (const tracked of rooms.get(room)?.values() ?? []) {
        if (!tracked) continue;
        const { metas } = state.get(tracked.key) ?? { metas: [] };
        state.set(tracked.key, { metas: [...metas, tracked.meta] });
      }
      return JSON.stringify(Object.fromEntries(state));
    },
  };
}
