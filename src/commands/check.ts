import { homedir, tmpdir } from 'node:os';
import { isAbsolute } from 'node:path';
import type { Claims } from '../db/as-user.ts';
import type { Log } from '../log.ts';
import { redactText } from '../redaction/redact.ts';
import type { Surroundings } from '../shell/zones.ts';
import { cacheKey, readScript } from './cache-key.ts';
import type { PolicyVerdict } from './judge.ts';
import type { ModelJudge } from './judge-model.ts';
import { policyFor } from './rule-files.ts';
import {
  byModel,
  byRules,
  type Check,
  type CheckedCommand,
  type Decided,
  judgeCommand,
  type KnownVerdict,
  modelVerdict,
  toChecked,
} from './verdict.ts';
import type { VerdictMemory } from './verdict-memory.ts';

export type CheckServices = {
  log: Log;
  config: { home: string; failClosed: boolean };
  judgeByModel: ModelJudge;
  verdicts: VerdictMemory;
};

/** Where a command runs: the session's work tree and the person's folders. A relative `cwd` tells nothing. */
export function surroundings(cwd: string | null, root: string | null): Surroundings {
  const clean = (path: string) => path.replace(/\/+$/, '') || '/';
  const known = cwd !== null && isAbsolute(cwd) ? clean(cwd) : clean(root ?? '/');
  return {
    cwd: known,
    root: root === null ? known : clean(root),
    home: homedir(),
    tmp: tmpdir(),
    read: readScript,
  };
}

export type Asked = { command: string; place: Surroundings };

/** What the rules and the files that a command would run tell, before anybody is asked. */
type Judged = {
  asked: Asked;
  verdict: PolicyVerdict;
  key: string;
  /** the command and its folder as they may be kept: redacted before they are cut, half a secret is not recognised */
  shown: { command: string; cwd: string };
  /** what the model may see: redacted, and as good as whole: it gets no long ones */
  text: string;
  start: number;
};

export type Outcome = {
  checked: CheckedCommand;
  /** to be stored; nothing has been yet */
  check: Check;
  /** whether the model's verdict is to be kept for the next time */
  remember: boolean;
};

/**
 * Judges a command: a person's verdict, then the rules, then what the model said before, then the model. A
 * catastrophic rule outranks the person, any rule's deny outranks the model.
 *
 * Needs no database but for a permission that a person gave for once, and the user's first check after a start. Without
 * one the rules and the model still answer. Never throws for a command's content.
 */
export async function checkCommand(services: CheckServices, claims: Claims, asked: Asked): Promise<Outcome> {
  const personal = claims.role === 'owner' ? services.config.home : null;
  const judged = judge(asked, personal);
  const known = await decideAsKnown(services, claims, judged);
  if (known) return outcome(judged, known, false);
  const { text: command, shown, verdict } = judged;
  const about = {
    command,
    cwd: shown.cwd,
    parts: verdict.parts,
    length: asked.command.length,
    place: asked.place,
  };
  const opinion = await services.judgeByModel(claims, about);
  const decided = byModel(opinion, verdict, services.config);
  const remember = opinion !== null && opinion.decision !== 'ask';
  const { check, checked } = outcome(judged, decided, remember);
  if (remember) services.verdicts.add(claims.userId, judged.key, modelVerdict(check));
  return { check, checked, remember };
}

/** The rules' verdict. Without side effects, but reads the files that the command would run. */
function judge(asked: Asked, personal: string | null): Judged {
  const start = performance.now();
  const { command, place } = asked;
  const { policy } = policyFor({ root: place.root, personal });
  const { verdict, text } = judgeCommand(command, place, policy);
  const key = cacheKey(command, verdict.invocations, place);
  const shown = { command: text.slice(0, 4000), cwd: redactText(place.cwd) };
  return { asked, verdict, key, text, start, shown };
}

/** The verdict of a person, the rules or the memory; null when only the model can tell. */
async function decideAsKnown(
  { verdicts, log }: CheckServices,
  claims: Claims,
  { key, verdict }: Judged,
): Promise<Decided | null> {
  const known = (await verdicts.of(claims)).get(key);
  if (known && applies(known, verdict)) {
    const spent =
      !known.once ||
      (await verdicts.spend(claims, key).catch((error) => {
        log.warn({ error }, 'a verdict for once could not be looked up');
        return known.decision === 'deny';
      }));
    if (spent) return fromMemory(known);
  }
  return byRules(verdict);
}

/** The rules outrank the model; only a catastrophic rule outranks a person. */
function applies(known: KnownVerdict, verdict: PolicyVerdict): boolean {
  const person = known.checkedBy === 'person';
  if (known.decision === 'allow') {
    const barred = verdict.parts.some(
      (part) => part.decision === 'deny' && (!person || part.severity === 'catastrophic'),
    );
    if (barred) return false;
  }
  return person || verdict.decision === 'unknown';
}

const fromMemory = ({ decision, reason, checkedBy }: KnownVerdict): Decided => ({
  decision,
  reason,
  source: checkedBy === 'person' ? 'person' : 'model',
  cached: true,
});

function outcome({ key, shown, start }: Judged, decided: Decided, remember: boolean): Outcome {
  const { decision, source, rule = null, severity = null, cached, reason } = decided;
  const ms = performance.now() - start;
  return {
    checked: toChecked(decided, key),
    check: { key, ...shown, decision, source, rule, severity, reason: redactText(reason), cached, ms },
    remember,
  };
}
