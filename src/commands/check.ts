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

/**
 * Returns where a command runs: the session's folder, the project's folder and those of the person.
 *
 * @param cwd null or a relative path when the folder is not known: the project's folder stands in for it
 */
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

/** What is known of a command from the rules and from the files that it would run, before anybody is asked. */
type Judged = {
  asked: Asked;
  verdict: PolicyVerdict;
  key: string;
  /**
   * the command and its folder as they are stored. Redacted before they are cut, because half a secret is not
   * recognised.
   */
  shown: { command: string; cwd: string };
  /** what the model may see: redacted, and cut only at a length at which the model is not asked */
  text: string;
  start: number;
};

export type Outcome = {
  checked: CheckedCommand;
  /** what to store: nothing has been stored yet */
  check: Check;
  /** whether to keep the model's verdict for the next time */
  remember: boolean;
};

/**
 * Judges a command. The first of these decides: a person's verdict, the rules, an earlier verdict of the model, the
 * model. A catastrophic rule outranks the person, and a deny by any rule outranks the model.
 *
 * The database is needed only to use up a person's verdict for once, and for the user's first check after a start. When
 * it is away, the rules and the model still decide. Never throws because of a command's content.
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

/** Returns the verdict of the rules. Has no side effects, but reads the files that the command would run. */
function judge(asked: Asked, personal: string | null): Judged {
  const start = performance.now();
  const { command, place } = asked;
  const { policy } = policyFor({ root: place.root, personal });
  const { verdict, text } = judgeCommand(command, place, policy);
  const key = cacheKey(command, verdict.invocations, place);
  const shown = { command: text.slice(0, 4000), cwd: redactText(place.cwd) };
  return { asked, verdict, key, text, start, shown };
}

/** Returns the verdict of a person, the rules or the memory; null when only the model can judge the command. */
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

/** Whether a remembered verdict holds: the rules outrank the model, and only a catastrophic rule outranks a person. */
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
