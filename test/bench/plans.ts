import { sql } from 'drizzle-orm';
import { asUser } from '../../src/db/as-user.ts';
import { query } from '../../src/db/open.ts';
import { createPlan } from '../../src/plans/plans.ts';
import { getPlan } from '../../src/plans/read-plans.ts';
import { tryClaim } from '../../src/plans/steps.ts';
import { ensureProject } from '../../src/sessions/projects.ts';
import { benchUser, emptyDatabase } from './empty-database.ts';
import { percentiles, type Row, row } from './measure.ts';

const STEPS = 1_000;
const AGENTS = 20;
/** How many agents try to get each step. */
const RIVALS = 2;

/**
 * Measures claims of the 1,000 steps of one plan by 20 agents that never rest, each as a user, through row level
 * security, without HTTP. All changes of one plan come one after the other, so one plan is the worst case.
 *
 * @param engine 'pglite', or the URL of a PostgreSQL on which a database may be created
 * @param limit most milliseconds of the p95
 */
export async function benchPlans(engine: string, limit: number): Promise<Row[]> {
  const { db, drop } = await emptyDatabase(engine);
  try {
    const claims = await benchUser(db);
    const name = engine === 'pglite' ? 'PGlite' : 'PostgreSQL';
    const made = performance.now();
    const plan = (await asUser(db, claims, async (tx) => {
      const { id } = await ensureProject(tx, '/home/dev/app');
      const steps = Array.from({ length: STEPS }, (_, i) => ({
        description: `step ${i + 1}`,
        dependencies: [],
      }));
      return createPlan(tx, id, {
        goal: 'measure',
        constraints: [],
        draftedBy: 'bench',
        sessionId: null,
        steps,
      });
    })) as string;
    const making = performance.now() - made;
    const times: number[] = [];
    const winners = new Map<number, string[]>();
    let next = 0;
    await Promise.all(
      Array.from({ length: AGENTS }, async (_, n) => {
        const agent = `agent ${n}`;
        // as every agent does before it claims a step
        await asUser(db, claims, (tx) => getPlan(tx, plan), { readOnly: true });
        for (let turn = next++; turn < STEPS * RIVALS; turn = next++) {
          const step = Math.floor(turn / RIVALS) + 1;
          const start = performance.now();
          const fault = await asUser(db, claims, (tx) =>
            tryClaim(tx, plan, step, { holder: agent, agent, leaseSeconds: 900 }),
          );
          times.push(performance.now() - start);
          if (fault === null) winners.set(step, [...(winners.get(step) ?? []), agent]);
        }
      }),
    );
    const rows = await asUser(db, claims, (tx) =>
      query<{ number: number; holder: string; attempts: number }>(
        tx,
        sql`select number, holder, attempts from plan_steps where plan_id = ${plan}`,
      ),
    );
    // an agent that asks again for a step that it holds gets it again
    const once = rows.filter(
      ({ number, holder, attempts }) =>
        attempts === 1 && new Set(winners.get(number)).size === 1 && winners.get(number)?.[0] === holder,
    );
    return [
      row(`${name}: making a plan of ${STEPS} steps`, making, 'ms'),
      percentiles(`${name}: a claim, ${AGENTS} agents at once`, times, { p95: limit }),
      {
        what: `${name}: steps that exactly one agent got`,
        value: `${once.length} of ${STEPS}`,
        limit: String(STEPS),
        ok: once.length === STEPS,
      },
    ];
  } finally {
    await drop();
  }
}
