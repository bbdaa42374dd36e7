import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { z } from 'zod';
import { redactLarge } from '../redaction/large.ts';
import { MAX_STRING, redactText, shortenText } from '../redaction/redact.ts';

// Turns an output into the form in which it is stored.

/** Longest output that is kept whole, in UTF-16 units. Of a longer one the head and the tail are kept. */
const MAX_CHARACTERS = 4_000_000;
/**
 * Most bytes of a deflated output. In Base64 it then fits into a line of the journal and into a request of an import,
 * which have a megabyte each. Logs shrink to a tenth; what does not shrink loses more of its middle.
 */
const MAX_DEFLATED = 700_000;

const deflated = promisify(deflate);
const inflated = promisify(inflate);

/** An output, ready to be stored. */
export const Kept = z.object({
  id: z.string().regex(/^[0-9a-f]{12}$/),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  characters: z.number().int(),
  lines: z.number().int(),
  /** false: the middle was cut out, because the output was longer than what is kept */
  whole: z.boolean(),
  /** the deflated text, Base64 */
  content: z.string(),
  /** the agent sees an extract in its place, so it is kept even if the limit of the day is reached */
  masked: z.boolean().optional(),
});
export type Kept = z.infer<typeof Kept>;

/** A redacted output; `whole`: nothing was cut out of it. */
export const Redacted = z.object({ text: z.string(), whole: z.boolean() });
export type Redacted = z.infer<typeof Redacted>;

/**
 * Redacts a text whole, in another thread if it is long. Of a text above 4,000,000 characters only the head and the tail
 * are redacted and kept.
 */
export async function redactOutput(text: string): Promise<Redacted> {
  if (text.length <= MAX_STRING) return { text: redactText(text), whole: true };
  const whole = text.length <= MAX_CHARACTERS;
  const maxString = whole ? Number.MAX_SAFE_INTEGER : MAX_CHARACTERS;
  return { text: await redactLarge(text, { maxString, maxTotal: Number.POSITIVE_INFINITY }), whole };
}

/** Returns what is stored of a redacted output. The id is that of the text as it is kept. */
export async function toKept({ text, whole }: Redacted): Promise<Kept> {
  for (let most = MAX_CHARACTERS; ; most /= 2) {
    const kept = shortenText(text, most);
    const content = await deflated(kept, { level: LEVEL });
    if (content.length > MAX_DEFLATED) continue;
    const hash = createHash('sha256').update(kept).digest('hex');
    return {
      id: hash.slice(0, ID_DIGITS),
      hash,
      characters: kept.length,
      lines: countLines(kept),
      whole: whole && kept === text,
      content: content.toString('base64'),
    };
  }
}

const ID_DIGITS = 12;
/** The fastest level of zlib: a megabyte of log takes 3 ms instead of 9, and is a twentieth larger. */
const LEVEL = 1;

/** Returns the number of lines of a text. A line end at the end of the text begins no new line. */
function countLines(text: string): number {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** Redacts a deflated output again, by the present rules. Takes and returns bytes as PostgreSQL writes them, in hex. */
export async function redactContent(hex: string): Promise<string> {
  const text = await toText(Buffer.from(hex.slice(2), 'hex'));
  const clean = await redactLarge(text, {
    maxString: Number.MAX_SAFE_INTEGER,
    maxTotal: Number.POSITIVE_INFINITY,
  });
  return clean === text ? hex : `\\x${(await deflated(clean, { level: LEVEL })).toString('hex')}`;
}

/**
 * Returns the text of a deflated output.
 *
 * @throws the error of zlib if the content is not deflated, or if its text is longer than any that is kept
 */
export async function toText(content: Uint8Array): Promise<string> {
  // a character of UTF-16 has at most three bytes in UTF-8
  return (await inflated(content, { maxOutputLength: 3 * MAX_CHARACTERS })).toString();
}
