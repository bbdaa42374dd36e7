import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { earliest, type Follower, isCall } from '../incidents/steps.ts';
import { settleOffers, unsettledOffers } from '../offers/offers.ts';

/**
 * Follows a session's story to settle the skills that it was offered. A skill helped if it was used afterwards: its run
 * was logged, or the agent activated it in the shell. It failed if all its runs with a known end failed. Otherwise it
 * was unused. Returns null if no skill waits to be settled.
 */
export async function followSkills(tx: Tx, sessionId: string): Promise<Follower | null> {
  const offered = await unsettledOffers(tx, sessionId, 'skill');
  if (offered.length === 0) return null;
  const names = new Map(
    (
      await query<{ id: string; name: string }>(
        tx,
        sql`select id, name from skills
            where id = any (${sql.param(offered.map(({ sourceId }) => sourceId))}::uuid[])`,
      )
    ).map(({ id, name }) => [id, name]),
  );
  const skills = offered.map(({ sourceId: id, since }) => {
    const name = names.get(id);
    const activation =
      name === undefined
        ? null
        : new RegExp(`skills activate ['"]?${name.replaceAll('.', '\\.')}(?![\\w.-])`);
    return { id, since: new Date(since), from: since, name, activation, activated: false };
  });
  return {
    since: earliest(skills),
    see(steps) {
      const calls = steps.filter(isCall);
      for (const one of skills) {
        one.activated ||= calls.some(
          ({ line, at }) => at > one.since && line !== null && one.activation?.test(line.text) === true,
        );
      }
    },
    async settle(tx) {
      for (const { id, from, name, activated } of skills) {
        const [logged] = await query<{ runs: number; failed: boolean | null }>(
          tx,
          sql`select count(*)::int as runs,
                bool_or(result = 'failed') and not bool_or(result = 'succeeded') as failed
              from skill_logs
              where user_id = auth.uid() and session_id = ${sessionId} and skill = ${name ?? ''}
                and at >= ${from}::timestamptz`,
        );
        const used = activated || (logged?.runs ?? 0) > 0;
        await settleOffers(tx, sessionId, id, !used ? 'unused' : logged?.failed ? 'failed' : 'helped');
      }
    },
  };
}
