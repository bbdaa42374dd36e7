import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { type Call, earliest, type Follower, isCall } from '../incidents/steps.ts';
import { stopWords } from '../language/stop-words.ts';
import { settleOffers, unsettledOffers } from '../offers/offers.ts';

/** Words of a sentence that do not belong to the command in it. */
const BESIDE = stopWords('beside-commands');

/**
 * Returns the commands and files that an action names: text in backticks, paths and file names, and up to
 * three words after “run” and “use”.
 *
 * @example namesIn('run npm test before a push') // ['npm test']
 */
export function namesIn(action: string): string[] {
  const quoted = [...action.matchAll(/`([^`]{2,300})`/g)].map((match) => match[1] as string);
  const plain = action.replace(/`[^`]*`/g, ' ');
  const files =
    plain.match(/(?:[\w.@-]*\/)+[\w.@-]*\w|(?<![\w.])\.?[\w-]{2,}(?:\.[\w-]+)*\.[a-z]{2,5}\b/g) ?? [];
  const said = [...plain.matchAll(/\b(?:run|use|call|execute)\s+((?:[\w@:./-]+\s*){1,3})/gi)].map((match) => {
    const words = (match[1] as string).trim().split(/\s+/);
    const end = words.findIndex((word) => BESIDE.has(word.toLowerCase()));
    return (end < 0 ? words : words.slice(0, end)).join(' ');
  });
  const names = [...quoted, ...files, ...said].map((name) =>
    name
      .replace(/\s+/g, ' ')
      .replace(/[.,:;]+$/, '')
      .trim(),
  );
  return [...new Set(names)].filter((name) => name.length > 1);
}

/** Whether a call ran a command or worked on a file of that name. */
function shows(call: Call, name: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const whole = new RegExp(`(?:^|[^\\w.-])${escaped}(?:$|[^\\w-])`);
  return [call.line?.text ?? null, call.target].some(
    (text) => text !== null && whole.test(text.replace(/\s+/g, ' ')),
  );
}

/**
 * Follows a session's story to settle the decisions that it was offered. A decision helped if a command or file that its
 * action names was seen afterwards. Otherwise it was unused, also when its action names none. Returns null if no
 * decision waits to be settled.
 */
export async function followDecisions(tx: Tx, sessionId: string): Promise<Follower | null> {
  const offered = await unsettledOffers(tx, sessionId, 'decision');
  if (offered.length === 0) return null;
  const actions = new Map(
    (
      await query<{ id: string; action: string }>(
        tx,
        sql`select id, action from decisions
            where id = any (${sql.param(offered.map(({ sourceId }) => sourceId))}::uuid[]) and recorded_until is null`,
      )
    ).map(({ id, action }) => [id, action]),
  );
  const decisions = offered.map(({ sourceId: id, since }) => ({
    id,
    since: new Date(since),
    names: namesIn(actions.get(id) ?? ''),
    followed: false,
  }));
  return {
    since: earliest(decisions),
    see(steps) {
      const calls = steps.filter(isCall);
      for (const one of decisions) {
        one.followed ||= calls.some(
          (call) => call.at > one.since && one.names.some((name) => shows(call, name)),
        );
      }
    },
    async settle(tx) {
      for (const { id, followed } of decisions)
        await settleOffers(tx, sessionId, id, followed ? 'helped' : 'unused');
    },
  };
}
