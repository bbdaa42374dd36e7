import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { sessionSteps } from '../incidents/read-session.ts';
import { type Call, isCall } from '../incidents/steps.ts';
import { settleOffers, unsettledOffers } from '../offers/offers.ts';

/** Words of a sentence that do not belong to the command in it. */
const BESIDE = new Set(
  'a an the it this that these those all any your our instead of for before after first to in on with and then when if from not as only'.split(
    ' ',
  ),
);

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
  return [call.command, call.target].some((text) => text !== null && whole.test(text.replace(/\s+/g, ' ')));
}

/**
 * Settles the decisions that a session was offered. A decision helped if a command or file that its action
 * names was seen afterwards. Otherwise it was unused, also when its action names none.
 */
export async function settleDecisions(tx: Tx, sessionId: string): Promise<void> {
  const offered = await unsettledOffers(tx, sessionId, 'decision');
  if (offered.length === 0) return;
  const calls = (await sessionSteps(tx, sessionId, null)).filter(isCall);
  for (const { sourceId, since } of offered) {
    const [decision] = await query<{ action: string }>(
      tx,
      sql`select action from decisions where id = ${sourceId}::uuid and recorded_until is null`,
    );
    const later = calls.filter(({ at }) => at > new Date(since));
    const names = namesIn(decision?.action ?? '');
    const followed = names.some((name) => later.some((call) => shows(call, name)));
    await settleOffers(tx, sessionId, sourceId, followed ? 'helped' : 'unused');
  }
}
