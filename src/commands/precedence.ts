import { clip, shorten } from '../base/text/clip.ts';
import { baseName } from '../shell/names.ts';
import { PREPARES } from '../shell/parts.ts';
import type { PartVerdict, PolicyVerdict } from './types.ts';
import type { Decided, KnownVerdict, Learned } from './verdict.ts';
import { FIRST_RUN } from './written.ts';

// Who decides on a command, in their order. The hook, `lore explain` and the Edge Function all ask here.

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
  opinion?: { decision: Decided['decision']; reason: string } | null;
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
export function decide(said: Said, mode: Mode): Decided | null {
  const decided = decideFirst(said, mode);
  // a person allows a line, or the shape of what no rule knows, with all that it does beyond this machine
  if (decided?.decision !== 'allow' || decided.source === 'person') return decided;
  const { parts } = said.rules;
  const byModel = decided.source === 'model' ? parts.find((part) => part.outward)?.outward : undefined;
  const outward = said.rules.outward ?? byModel;
  return outward === undefined ? decided : { ...decided, outward };
}

function decideFirst(
  { rules, known, covered = false, shapes, opinion }: Said,
  { failClosed, bypassed }: Mode,
): Decided | null {
  if (known && holds(known, rules, covered)) {
    const source = known.checkedBy === 'person' ? 'person' : 'model';
    return { decision: known.decision, reason: known.reason, source, cached: true };
  }
  const not = failClosed ? 'deny' : 'ask';
  const asked = askedPart(rules);
  if (asked) return { decision: not, reason: askReason(asked), source: 'policy', cached: false };
  const part = rules.parts.find(({ decision }) => decision === rules.decision);
  if (rules.decision === 'deny') return denied(part as PartVerdict);
  if (rules.decision === 'allow')
    return { decision: 'allow', reason: allowReason(rules.parts), source: 'policy', cached: false };
  if (shapes && !isPersonal(rules)) {
    const reason = `a person let this run before: ${shapes.map(({ shape }) => shape).join('; ')}`;
    const keys = shapes.map(({ key }) => key);
    return { decision: 'allow', reason, source: 'shape', cached: true, shapes: keys };
  }
  if (opinion === undefined) return null;
  if (opinion !== null && !isPersonal(rules))
    return { decision: opinion.decision, reason: opinion.reason, source: 'model', cached: false };
  const first = bypassed ? rules.parts.find(({ rule }) => rule === FIRST_RUN) : undefined;
  if (first) return denied({ ...first, severity: 'medium' });
  const reason = `not verified: ${part?.reason ?? 'unknown'} (“${shorten(part?.text ?? '', 80)}”)`;
  return { decision: not, reason, source: 'none', cached: false };
}

/** Whether something in a line is for a person to decide, and not for a model or what was allowed before. */
export const isPersonal = (rules: PolicyVerdict): boolean => rules.parts.some(({ personal }) => personal);

/** Whether a verdict that is kept outranks the rules. */
function holds({ checkedBy, decision, once }: KnownVerdict, rules: PolicyVerdict, covered: boolean): boolean {
  const person = checkedBy === 'person';
  if (decision === 'allow') {
    const bars = (part: PartVerdict) =>
      part.decision === 'deny' && (!person || part.severity === 'catastrophic');
    if ((!covered && !once) || rules.parts.some(bars)) return false;
  }
  return person || (rules.decision === 'unknown' && !askedPart(rules) && !isPersonal(rules));
}

/** Returns what in a command only a person may decide, and no model; undefined if nothing is. */
const askedPart = (rules: PolicyVerdict): PartVerdict | undefined =>
  rules.decision === 'unknown' ? rules.parts.find((part) => part.asks) : undefined;

const denied = (part: PartVerdict): Decided => ({
  decision: 'deny',
  reason: denyReason(part),
  ...(part.rule !== undefined && { rule: part.rule }),
  ...(part.severity !== undefined && { severity: part.severity }),
  source: 'policy',
  cached: false,
});

/** A reason is cut here. The command in it is cut sooner, which leaves room to say how a person can allow it. */
const MAX_REASON = 250;
const USUAL_REASON = 225;
const withCommand = (text: string, rest: string): string =>
  clip(`“${shorten(text, Math.max(20, USUAL_REASON - rest.length))}” ${rest}`, MAX_REASON);

/** Returns why a line is allowed: what is known of the first part that does more than prepare the others. */
function allowReason(parts: readonly PartVerdict[]): string {
  const [first] = parts;
  if (!first) return 'nothing would run';
  const told = parts.find(({ text }) => !PREPARES.test(baseName(text.split(' ', 1)[0] ?? ''))) ?? first;
  return parts.length === 1 ? told.reason : `“${shorten(told.text, 80)}”: ${told.reason}`;
}

/** Returns the reason of a deny: which part, what is wrong, what to do instead. */
const denyReason = ({ text, reason, instead, rule }: PartVerdict): string =>
  withCommand(text, `${reason}. Instead: ${instead}. (${rule})`);

/** Returns the reason of a question: which part, and what a person is to decide. */
const askReason = ({ text, reason, secrets }: PartVerdict): string => {
  const what = secrets ? 'whether secrets are shown; leave them out if you need none' : 'whether it may go';
  return withCommand(text, `${clip(reason, USUAL_REASON / 2)}. A person decides ${what}.`);
};
