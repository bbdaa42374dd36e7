// The frames of the wire protocol of Supabase's Realtime (docs/realtime.md). They come in two versions: objects (1.0.0),
// and lists (2.0.0), where a broadcast is binary.

export type Version = '1.0.0' | '2.0.0';

export type Message = {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: Record<string, unknown>;
};

/** Longest name that is accepted, in characters. */
const MAX_NAME = 255;
/** Kind of a binary frame: a broadcast from a client. */
const PUSH = 3;

/** Returns the message in a frame; null if it is malformed. */
export function decode(version: Version, data: Buffer, binary: boolean): Message | null {
  try {
    if (binary) return version === '2.0.0' ? decodeBinary(data) : null;
    const parsed: unknown = JSON.parse(data.toString('utf8'));
    if (version === '1.0.0') {
      const { join_ref: joinRef, ref, topic, event, payload } = parsed as Record<string, unknown>;
      return message([joinRef ?? null, ref ?? null, topic, event, payload]);
    }
    return Array.isArray(parsed) && parsed.length === 5 ? message(parsed) : null;
  } catch {
    return null;
  }
}

function message([joinRef, ref, topic, event, payload]: unknown[]): Message | null {
  if (!isRef(joinRef) || !isRef(ref) || !isName(topic) || !isName(event)) return null;
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return null;
  return { joinRef, ref, topic, event, payload: payload as Record<string, unknown> };
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= MAX_NAME;
const isRef = (value: unknown): value is string | null => value === null || isName(value);

/**
 * Returns whose broadcast it is, without its payload, so that it can be answered. The header: kind, lengths of join ref,
 * ref, topic, event and meta, encoding. Then these, and the payload.
 */
function decodeBinary(data: Buffer): Message | null {
  const [kind, ...lengths] = data.subarray(0, 6);
  if (kind !== PUSH || lengths.length < 5) return null;
  let at = 7;
  const [joinRef, ref, topic] = lengths.map((length) => {
    at += length;
    return data.toString('utf8', at - length, at);
  });
  return at > data.length ? null : message([joinRef || null, ref || null, topic, 'broadcast', {}]);
}

/** Returns a frame to a client. `payload` is JSON. */
export function encode(
  version: Version,
  { joinRef, ref, topic, event }: Omit<Message, 'payload'>,
  payload: string,
): string {
  const [t, e] = [JSON.stringify(topic), JSON.stringify(event)];
  if (version === '2.0.0') return `[${JSON.stringify(joinRef)},${JSON.stringify(ref)},${t},${e},${payload}]`;
  return `{"topic":${t},"event":${e},"payload":${payload},"ref":${JSON.stringify(ref)}}`;
}
