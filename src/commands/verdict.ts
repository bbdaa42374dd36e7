import { z } from 'zod';
import { clip, shorten } from '../base/text/clip.ts';
import { redactText } from '../redaction/redact.ts';
import type { Line } from '../shell/line.ts';
import type { Surroundings } from '../shell/zones.ts';
import { judgeLine } from './judge.ts';
import type { PartVerdict, Policy, PolicyVerdict } from './types.ts';

// What a check is asked and what it answers, without the database, so that the server and the Edge Function answer
// alike.

/** Whether a text has no NUL: a shell would end the text there. */
const plain = (text: string) => !text.includes('\0');
const folder = () =>
  z.string().min(1).max(4096).startsWith('/').refine(plain, 'must not hold a NUL character');

export const CheckRequest = z.strictObject({
  command: z.string().min(1).max(1_000_000).refine(plain, 'must not hold a NUL character'),
  /** the folder it would run in */
  cwd: folder(),
  /** the project's folder; default: cwd */
  root: folder().optional(),
});

/**
 * What a decision comes to. `deny`: it is certain and cannot be undone; `allow`: it is closed; `contain`: the client's
 * sandbox holds it; `left`: to whoever may decide, a model, a person or the client's own settings.
 */
export const SENTENCES = ['deny', 'allow', 'contain', 'left'] as const;
type Sentence = (typeof SENTENCES)[number];

/** Returns which of the four sentences a decision is. */
export function sentenceOf(decided: {
  decision: string;
  source: string;
  outward?: string | undefined;
}): Sentence {
  const { decision, source, outward } = decided;
  if (decision === 'deny' || decision === 'hold') return 'deny';
  if (decision === 'allow' && outward === undefined) return 'allow';
  return source === 'sandbox' ? 'contain' : 'left';
}

export const CheckedCommand = z.object({
  /** `ask`: the client asks a person if the rules say so; without a source it has no opinion, and the client decides */
  decision: z.enum(['allow', 'deny', 'ask']),
  sentence: z.enum(SENTENCES),
  safe: z.boolean(),
  reason: z.string(),
  rule: z.string().optional(),
  /** who decided; `shape`: a person allowed one of its shape before; `sandbox`, `none`: nobody, and the client does */
  source: z.enum(['policy', 'model', 'person', 'shape', 'sandbox', 'none']),
  cached: z.boolean(),
  /** what it does beyond this machine, although it is allowed: then the client asks as it would without Lore */
  outward: z.string().optional(),
  /** names the check when a person overrules it: `lore allow <code>`; not told to a key of scope `hooks` */
  code: z.string().optional(),
  /** the files that could not be read, and why; left out when there are none */
  problems: z.array(z.string()).optional(),
});
export type CheckedCommand = z.infer<typeof CheckedCommand>;

export type Decided = Omit<CheckedCommand, 'safe' | 'sentence' | 'code' | 'problems'> & {
  severity?: string;
  shapes?: string[];
};

/** A check as it is stored in `command_checks`. */
export const Check = z.object({
  key: z.string().min(1),
  /** the tool, if it is not the shell; then `command` says in one line what it was about to do */
  tool: z.string().nullable().default(null),
  command: z.string(),
  cwd: z.string(),
  /** `hold`: a lesson stopped the call once, so that it was read first */
  decision: z.enum(['allow', 'deny', 'ask', 'hold']),
  /** `guard`: a person's rule for the project; `lesson`: one that helped before */
  source: z.enum(['policy', 'model', 'person', 'shape', 'sandbox', 'none', 'guard', 'lesson']),
  /** the keys of the shapes that decided it */
  shapes: z.array(z.string()).optional(),
  rule: z.string().nullable(),
  /** the rule or lesson that stopped the call */
  lessonId: z.guid().nullable().default(null),
  severity: z.string().nullable(),
  reason: z.string(),
  cached: z.boolean(),
  /** whether the key covers every file that the command runs; else it cannot be allowed for good */
  covered: z.boolean().default(true),
  ms: z.number(),
});
export type Check = z.infer<typeof Check>;

/** An earlier verdict of a person or of the model. */
export type KnownVerdict = {
  decision: 'allow' | 'deny';
  reason: string;
  checkedBy: string;
  /** a person's verdict that holds for the next time only */
  once: boolean;
  /** milliseconds since 1970; null: it holds until taken back */
  expiresAt: number | null;
};

/** A shape of commands that a person allowed by letting one of them run (see `shapes.ts`). */
export const Learned = z.object({
  key: z.string().min(1),
  /** what it fits */
  shape: z.string(),
  /** the command by which it was learned, as it is stored */
  command: z.string(),
  /** the work tree in which it holds */
  root: z.string(),
});
export type Learned = z.infer<typeof Learned>;

/** Returns what is kept of a shape. It holds until it is taken back. */
export const shapeVerdict = ({ shape }: Pick<Learned, 'shape'>): KnownVerdict => ({
  decision: 'allow',
  reason: shape,
  ...{ checkedBy: 'shape', once: false, expiresAt: null },
});

/** Returns the model's verdict as it is kept, for seven days: models and projects change. `at`: when it was given. */
export const modelVerdict = ({ decision, reason }: Pick<Check, 'decision' | 'reason'>, at = Date.now()) => ({
  ...{ decision: decision as 'allow' | 'deny', reason, checkedBy: 'model', once: false },
  expiresAt: at + 7 * 86_400_000,
});

/** Longest command that is stored whole, in characters after redaction. */
const MAX_STORED = 4000;
/** What follows is neither stored nor shown to the model, so it is cut off before redaction. */
const MAX_SHOWN = 64 * 1024;

/** Returns the verdict of the rules, and the command as others may see it: redacted, and cut after 64 K characters. */
export function judgeCommand(line: Line, place: Surroundings, policy: Policy) {
  const text = redactText(clip(line.text, MAX_SHOWN));
  return { verdict: withoutSecrets(judgeLine(line, place, policy), line.text, text), text };
}

/** A call of a tool other than a bash shell, which a line of bash stands for. */
export type ToolCall = {
  tool: string;
  /** what it says, as it is stored */
  text: string;
  /** which denials hold: all, or only those that guard Lore or against what cannot be undone */
  denials: 'all' | 'gravest';
};

/**
 * Returns the verdict on a call: what is certainly wrong is denied, and nothing is allowed, because the line of bash that
 * stands for the call says only as much of it as rules need.
 */
export function judgeCall(call: ToolCall, line: Line, place: Surroundings, policy: Policy) {
  const verdict = judgeLine(line, place, policy);
  const all = call.denials === 'all';
  const isDenied = ({ decision, rule, severity }: PartVerdict) =>
    decision === 'deny' && (all || severity === 'catastrophic' || rule?.startsWith('own.') === true);
  // what such a tool is left to do is not stored, and may be a long text
  const told = all || verdict.parts.some(isDenied);
  const text = told ? redactText(clip(call.text, MAX_SHOWN)) : '';
  const { parts } = told ? withoutSecrets(verdict, call.text, text) : verdict;
  const denied = parts.filter(isDenied).map((part) => ({ ...part, text }));
  if (denied.length > 0) return { verdict: { ...verdict, decision: 'deny' as const, parts: denied }, text };
  const asks = all ? parts.find((part) => part.asks) : undefined;
  const left = asks ?? parts.find((part) => part.decision === 'unknown');
  const reason = left?.reason ?? `a call of ${call.tool}`;
  const part: PartVerdict = { text, via: [], decision: 'unknown', reason, ...(asks && { asks: true }) };
  const { outward: _, ...rest } = verdict;
  return { verdict: { ...rest, decision: 'unknown' as const, parts: [part] }, text };
}

/** Returns a redacted command as it is stored. If it is too long, it is cut and ends with “…”. */
export const storedText = (text: string): string => shorten(text.toWellFormed(), MAX_STORED);

/**
 * Returns whether a person who reads the stored command sees all that would run. They do not see what an
 * agent puts between private tags or behind the cut.
 */
export const isShownWhole = (stored: string): boolean =>
  !(stored.length === MAX_STORED && stored.endsWith('…')) && !stored.includes('[private]');

/**
 * Removes from the texts of a verdict all words that redaction removes from the whole command. A secret that stands
 * alone in a part of the command can no longer be recognised there.
 */
function withoutSecrets(verdict: PolicyVerdict, command: string, shown: string): PolicyVerdict {
  if (shown === command) return verdict;
  const hide = (text: string) =>
    redactText(text).replace(/[\p{L}\p{N}_.+/=-]+/gu, (word) =>
      command.includes(word) && !shown.includes(word) ? '[redacted]' : word,
    );
  const parts = verdict.parts.map((part) => ({ ...part, text: hide(part.text), reason: hide(part.reason) }));
  return { ...verdict, parts };
}

/** Returns a decision in the form in which the caller gets it. */
export function toChecked(
  { shapes: _, severity: __, ...decided }: Decided,
  key: string,
  problems: string[] = [],
): CheckedCommand & { code: string } {
  return {
    ...decided,
    sentence: sentenceOf(decided),
    safe: decided.decision === 'allow',
    code: codeOf(key),
    ...(problems.length > 0 && { problems }),
  };
}

/** Returns the code that people type for a key: its first sixteen hexadecimal digits, 64 bits. */
export const codeOf = (key: string): string => key.slice(0, 16);
