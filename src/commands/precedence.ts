import { clip, shorten } from '../text/clip.ts';
import type { PartVerdict, PolicyVerdict } from './types.ts';
import type { CheckedCommand, Decided, KnownVerdict, Learned } from './verdict.ts';
import { FIRST_RUN } from './written.ts';

// Who decides on a command, in their order. The hook, `lore explain` and the Edge Function all ask here.

type Opinion = { decision: CheckedCommand['decision']; reason: string };

/** What has been said about a command so far. */
type Said = {
  rules: PolicyVerdict;
  /** the verdict of a person or of the model that is kept for this very line in this folder */
  known?: KnownVerdict | undefined;
  /** whether the key of `known` covers all files that the line runs; if not, an allowance holds once only */
  covered?: boolean;
  /** the shapes of what no rule knows in the line, if a person has allowed all of them */
  shapes?: readonly Learned[] | null;
  /** what the model says now; null: it has no opinion; undefined: it was not asked yet */
  opinion?: Opinion | null;
};

type Mode = { failClosed: boolean; bypassed?: boolean | undefined };

/**
 * Returns what is decided on a command; null as long as only the model can say, and was not asked. The first of these
 * decides:
 *
 * 1. what a person said about this very line, unless it allows what a catastrophic rule denies
 * 2. what the model said about it before, if the rules do not know it
 * 3. the rules: they deny, allow, or have a person decide (with `failClosed` they deny that too)
 * 4. the shapes that a person let run
 * 5. the model, unless something in the line is for a person to decide
 * 6. nobody: the client asks, or with `failClosed` it is denied
 *
 * A verdict of a person that holds once must be used up by the caller. If somebody else has used it up already, ask again
 * without it.
 */
export function decide(said: Said & { opinion: Opinion | null }, mode: Mode): Decided;
export function decide(said: Said, mode: Mode): Decided | null;
export function decide(said: Said, mode: Mode): Decided | null {
  const decided = decideFirst(said, mode);
  if (decided?.decision !== 'allow') return decided;
  const outward = outwardOf(said.rules, decided.source);
  return outward === undefined ? decided : { ...decided, outward };
}

/**
 * Returns what an allowed command does beyond this machine, if nobody said yes to that. A person allows a line, or the
 * shape of what no rule knows, with all that it does.
 */
function outwardOf({ outward, parts }: PolicyVerdict, source: Decided['source']): string | undefined {
  if (source === 'person') return undefined;
  return outward ?? (source === 'model' ? parts.find((part) => part.outward)?.outward : undefined);
}

function decideFirst(said: Said, mode: Mode): Decided | null {
  const { rules, known, covered = false, shapes, opinion } = said;
  if (known && holds(known, rules, covered)) return asKnown(known);
  const ruled = byRules(rules, mode);
  if (ruled) return ruled;
  if (shapes && !isPersonal(rules)) return asShapes(shapes);
  if (opinion === undefined) return null;
  return opinion !== null && !isPersonal(rules) ? asModel(opinion) : undecided(rules, mode);
}

/** Whether something in a line is for a person to decide, and not for a model or what was allowed before. */
export const isPersonal = (rules: PolicyVerdict): boolean => rules.parts.some(({ personal }) => personal);

/** Whether a verdict that is kept outranks the rules. */
function holds(known: KnownVerdict, rules: PolicyVerdict, covered: boolean): boolean {
  const person = known.checkedBy === 'person';
  if (known.decision === 'allow') {
    if (!covered && !known.once) return false;
    const barred = rules.parts.some(
      (part) => part.decision === 'deny' && (!person || part.severity === 'catastrophic'),
    );
    if (barred) return false;
  }
  return person || (rules.decision === 'unknown' && !askedPart(rules) && !isPersonal(rules));
}

/** Returns what in a command only a person may decide, and no model; undefined if nothing is. */
const askedPart = (rules: PolicyVerdict): PartVerdict | undefined =>
  rules.decision === 'unknown' ? rules.parts.find((part) => part.asks) : undefined;

const asKnown = ({ decision, reason, checkedBy }: KnownVerdict): Decided => ({
  decision,
  reason,
  source: checkedBy === 'person' ? 'person' : 'model',
  cached: true,
});

/** Returns what the rules decide; null when they do not know the command. */
function byRules(rules: PolicyVerdict, { failClosed }: Mode): Decided | null {
  const asked = askedPart(rules);
  if (asked) {
    const decision = failClosed ? 'deny' : 'ask';
    return { decision, reason: askReason(asked), source: 'policy', cached: false };
  }
  if (rules.decision === 'unknown') return null;
  const part = rules.parts.find((p) => p.decision === rules.decision);
  if (rules.decision === 'allow') {
    const reason = part?.reason ?? 'nothing would run';
    return { decision: 'allow', reason, source: 'policy', cached: false };
  }
  return {
    decision: 'deny',
    reason: denyReason(part as PartVerdict),
    ...(part?.rule !== undefined && { rule: part.rule }),
    ...(part?.severity !== undefined && { severity: part.severity }),
    source: 'policy',
    cached: false,
  };
}

const asShapes = (shapes: readonly Learned[]): Decided => ({
  decision: 'allow',
  reason: `a person let this run before: ${shapes.map(({ shape }) => shape).join('; ')}`,
  source: 'shape',
  cached: true,
  shapes: shapes.map(({ key }) => key),
});

const asModel = ({ decision, reason }: Opinion): Decided => ({
  decision,
  reason,
  source: 'model',
  cached: false,
});

function undecided(rules: PolicyVerdict, { failClosed, bypassed }: Mode): Decided {
  const first = bypassed ? rules.parts.find(({ rule }) => rule === FIRST_RUN) : undefined;
  if (first)
    return {
      decision: 'deny',
      reason: denyReason(first),
      rule: FIRST_RUN,
      severity: 'medium',
      source: 'policy',
      cached: false,
    };
  const part = rules.parts.find((p) => p.decision === 'unknown');
  const reason = `not verified: ${part?.reason ?? 'unknown'} (${clip(part?.text ?? '', 80)})`;
  return { decision: failClosed ? 'deny' : 'ask', reason, source: 'none', cached: false };
}

/**
 * Returns the reason of a deny: which part, what is wrong, what to do instead. It stays under 300 characters with what
 * the hook adds, so that none of it is cut.
 */
function denyReason({ text, reason, instead, rule }: PartVerdict): string {
  const rest = `${reason}. Instead: ${instead}. (${rule})`;
  const room = Math.max(20, USUAL_REASON - rest.length - 3);
  return clip(`“${shorten(text, room)}” ${rest}`, MAX_REASON);
}

/** Returns the reason of a question: which part, and what a person is to decide. */
function askReason({ text, reason }: PartVerdict): string {
  const rest = `${clip(reason, USUAL_REASON / 2)}. A person decides whether secrets are shown; leave them out if you need none.`;
  return clip(`“${shorten(text, Math.max(20, USUAL_REASON - rest.length))}” ${rest}`, MAX_REASON);
}
const MAX_REASON = 250;
/**
 * The command in a reason is cut so that the reason usually has at most this many characters. That leaves
 * room to say how a person can allow it.
 */
const USUAL_REASON = 225;
