import { startedSession } from '../support/hook-session.ts';
import type { TestServer } from '../support/server.ts';

/** Stores sessions as measured today: so many with memory and without, of which the first ones repeat an error. */
export async function measured(
  server: TestServer,
  userId: string,
  key: string,
  arms: { memory: number; repeatMemory: number; withheld: number; repeatWithheld: number },
): Promise<void> {
  const { memory, repeatMemory, withheld, repeatWithheld } = arms;
  const session = await startedSession(server, { key });
  await session.finish();
  await server.rows(
    `with made as (
       insert into sessions (user_id, project_id, client_session_id, status, arm)
       select user_id, project_id, 'made ' || n, 'completed', case when n <= ${memory} then 'memory' else 'withheld' end
       from sessions, generate_series(1, ${memory + withheld}) n
       where user_id = '${userId}' and client_session_id = '${session.session_id}'
       returning user_id, id, client_session_id)
     insert into session_measures (user_id, session_id, started_at, prompts, calls, commands, errors, repeated_errors)
     select user_id, id, now(), 1, 5, 5, 1, case
       when n <= ${repeatMemory} or n > ${memory} and n <= ${memory + repeatWithheld} then 1 else 0 end
     from (select *, split_part(client_session_id, ' ', 2)::int as n from made) m`,
  );
}
