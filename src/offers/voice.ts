import type { OfferKind } from './frame.ts';

// How much an agent *is told* of each kind of offer: what the answers to its hooks show it. A person may want more or
// less of a kind than is usual (docs/offers.md).

/** What a person can turn up or down. */
export const VOICE_KINDS = [
  'lesson',
  'plan',
  'episode',
  'finding',
  'pattern',
  'skill',
  'decision',
  'hand-off',
  'note',
  'ask',
] as const;
export type VoiceKind = (typeof VOICE_KINDS)[number];

/** `all`: everything that may be of use; `few`: only what proved worth its words; `none`: nothing. */
export const LEVELS = ['all', 'few', 'none'] as const;
export type Level = (typeof LEVELS)[number];

export type Voice = Record<VoiceKind, Level>;

/** Returns how much is told of each kind; where nothing is set, few. */
export const voiceOf = (set: Record<string, string>): Voice =>
  Object.fromEntries(
    VOICE_KINDS.map((kind) => [kind, LEVELS.find((level) => level === set[kind]) ?? 'few']),
  ) as Voice;

/** The usual voice. */
export const FEW: Voice = voiceOf({});

/** Returns whether an offer of a kind may be told at all. Rules and working states are always told. */
export function mayTell(voice: Voice, kind: OfferKind): boolean {
  const turned = kind === 'step' ? 'plan' : VOICE_KINDS.find((one) => one === kind);
  return turned === undefined || voice[turned] !== 'none';
}
