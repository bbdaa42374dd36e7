import { isObject } from '../base/text/json.ts';
import type { Tx } from '../db/open.ts';
import { outputError } from '../incidents/detect.ts';
import { type Source, storeObservations } from '../kinds/observations.ts';
import {
  aboutCall,
  extractOf,
  isKept,
  type Kept,
  MIN_CHARACTERS,
  outputFile,
  outputText,
  type Redacted,
  readOutputFile,
  redactOutput,
  toKept,
} from '../kinds/outputs.ts';
import { redactLarge } from '../redaction/large.ts';
import { MAX_TOTAL, sizeOf } from '../redaction/limits.ts';
import { MAX_STRING, shortenValue } from '../redaction/redact.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import type { Session } from '../sessions/sessions.ts';
import type { Entry } from './journal-file.ts';
import { errorOf, rawLineOf } from './read-event.ts';
import type { Asked, HookServices, Masked } from './types.ts';

// The outputs of tools. They are kept whole beside their events, and masked if a person wants that: see docs/context.md.

/**
 * Returns an event as it is stored, redacted and with its long strings cut. If that cuts the output of its tool, the
 * whole of it is returned too.
 */
export async function redactEvent(raw: HookEvent): Promise<{ event: HookEvent; output: Redacted | null }> {
  const long = isKept(raw) && (outputText(raw)?.length ?? 0) > MAX_STRING;
  if (!long) return { event: await redactLarge(raw), output: null };
  const field = raw.hook_event_name === 'PostToolUseFailure' ? 'error' : 'tool_response';
  const [rest, clean] = await Promise.all([
    redactLarge({ ...raw, [field]: null }),
    redactLarge(raw[field], { maxString: MAX_TOTAL }),
  ]);
  const text = outputText({ ...rest, [field]: clean });
  const whole = sizeOf(raw[field], Number.POSITIVE_INFINITY, MAX_TOTAL) <= MAX_TOTAL;
  return {
    event: { ...rest, [field]: shortenValue(clean) },
    output: text === null ? null : { text, whole },
  };
}

const fieldsOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

/**
 * Returns an output that the client put into a file, followed by the `stderr` of the event. Null if there is
 * no such file, or if it may not be read.
 */
async function fromFile({ event, claims }: Pick<Asked, 'event' | 'claims'>): Promise<Redacted | null> {
  // the file is on the machine of the person who runs the server, so only the owner's events may have it read
  const path = claims.role === 'owner' ? outputFile(event) : null;
  const text = path === null ? null : await readOutputFile(path);
  if (text === null) return null;
  const { stderr } = fieldsOf(event.tool_response);
  return redactOutput(typeof stderr === 'string' && stderr !== '' ? `${text}\n${stderr}` : text);
}

/**
 * Returns what the model reads in place of the long output of a shell command, if `LORE_MASK` is on, and the output as it is
 * kept. Null if the command failed or its output shows an error, if the output is not there whole, or if an extract is not
 * much shorter.
 */
export async function maskOutput({ config }: HookServices, asked: Asked): Promise<Masked | null> {
  const { raw, event } = asked;
  // what another tool than the client's own answers has another shape
  if (!config.mask || raw.tool_name !== 'Bash' || raw.lore?.tool || !isKept(raw)) return null;
  // with the path of its file, the client would show 2 KB of the extract and that path
  const { persistedOutputPath: path, persistedOutputSize: _, ...rest } = fieldsOf(raw.tool_response);
  const { stdout, interrupted, isImage, backgroundTaskId } = rest;
  if (typeof stdout !== 'string' || interrupted === true || isImage === true || backgroundTaskId) return null;
  if (stdout.length <= config.maskChars && path === undefined && !rest.stderr) return null;
  const output = path === undefined ? (asked.output ?? inEvent(event)) : await fromFile(asked);
  if (!output?.whole || output.text.length <= config.maskChars) return null;
  if (errorOf(event) !== null || outputError('Bash', rawLineOf(asked), { stdout: output.text }) !== null)
    return null;
  const kept = await toKept(output);
  const extract = kept.whole ? extractOf(kept.id, output.text) : null;
  if (extract === null) return null;
  return { kept: { ...kept, masked: true }, updatedToolOutput: { ...rest, stdout: extract, stderr: '' } };
}

function inEvent(event: HookEvent): Redacted | null {
  const text = outputText(event);
  return text === null ? null : { text, whole: !CUT.test(text) };
}

/** What `redactValue` puts where it cut a text. */
const CUT = /… \[\d+ characters cut\] …/;

/** Outputs by the entries of the journal that they come from, and how many bytes a user may store a day. */
export type Outputs = { byEntry: Map<Entry, Kept>; dailyBytes: number };

/** Returns what entries put out, ready to be stored. It reads files and takes time, so call it before a transaction. */
export async function outputsOf(entries: Entry[], dailyBytes: number): Promise<Outputs> {
  const byEntry = new Map<Entry, Kept>();
  // one after the other, because one may take 50 MB of memory
  for (const entry of entries) {
    const kept = await outputOf(entry);
    if (kept && kept.characters >= MIN_CHARACTERS) byEntry.set(entry, kept);
  }
  return { byEntry, dailyBytes };
}

async function outputOf({ event, claims, output }: Entry): Promise<Kept | null> {
  if (!event || !isKept(event)) return null;
  if (output) return output;
  const found = (await fromFile({ event, claims })) ?? inEvent(event);
  return found && found.text.length >= MIN_CHARACTERS ? toKept(found) : null;
}

/** Stores what new events put out. */
export async function storeOutputs(
  tx: Tx,
  fresh: { entry: Entry; session: Session; dedupKey: string }[],
  { byEntry, dailyBytes }: Outputs,
): Promise<void> {
  const found: Kept[] = [];
  const sources: Source[] = [];
  for (const { entry, session, dedupKey } of fresh) {
    const { event, at } = entry;
    const kept = byEntry.get(entry);
    if (!kept || !event) continue;
    found.push(kept);
    sources.push({
      observationId: kept.id,
      projectId: session.projectId,
      session: event.session_id,
      eventKey: dedupKey,
      agentId: event.agent_id ?? null,
      tool: event.tool_name ?? '',
      about: aboutCall(event),
      masked: kept.masked ?? false,
      at,
    });
  }
  if (found.length > 0) await storeObservations(tx, found, sources, dailyBytes);
}
