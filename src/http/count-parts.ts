const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];

/**
 * Returns how many commas and colons a JSON text has outside of its strings, which is about how many values it holds; it
 * stops counting above `most`. A megabyte takes about a millisecond, and nothing is made of it.
 */
export function countParts(json: Uint8Array, most: number): number {
  let parts = 0;
  let inString = false;
  for (let at = 0; at < json.length && parts <= most; at += 1) {
    const byte = json[at];
    if (inString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === COMMA || byte === COLON) parts += 1;
  }
  return parts;
}
