import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { sessionSteps } from '../incidents/read-session.ts';
import { isCall } from '../incidents/steps.ts';
import { settleOffers, unsettledOffers } from '../offers/offers.ts';

/**
 * Settles the skills that a session was offered. A skill helped if it was used afterwards: its run was
 * logged, or the agent activated it in the shell. It failed if all its runs with a known end failed.
 * Otherwise it was unused.
 */
export async function settleSkills(tx: Tx, sessionId: string): Promise<void> {
  const offered = await unsettledOffers(tx, sessionId, 'skill');
  if (offered.length === 0) return;
  const calls = (await sessionSteps(tx, sessionId, null)).filter(isCall);
  for (const { sourceId, since } of offered) {
    const [skill] = await query<{ name: string; runs: number; failed: boolean | null }>(
      tx,
      sql`select s.name, count(l.id)::int as runs,
            bool_or(l.result = 'failed') and not bool_or(l.result = 'succeeded') as failed
          from skills s
          left join skill_logs l
            on l.user_id = s.user_id and l.session_id = ${sessionId} and l.skill = s.name
              and l.at >= ${since}::timestamptz
          where s.id = ${sourceId}::uuid group by s.name`,
    );
    const activation =
      skill && new RegExp(`skills activate ['"]?${skill.name.replaceAll('.', '\\.')}(?![\\w.-])`);
    const activated = calls.some(
      ({ command, at }) => at > new Date(since) && command !== null && activation?.test(command),
    );
    const used = activated || (skill?.runs ?? 0) > 0;
    await settleOffers(tx, sessionId, sourceId, !used ? 'unused' : skill?.failed ? 'failed' : 'helped');
  }
}
