import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { seeded } from '../../bench/sessions.ts';
import { generate, recordOf } from '../../eval/night/history.ts';
import { CHOSEN_WITH } from '../../eval/night/topics.ts';
import { preparedHome, startServerProcess } from '../support/process.ts';

// Starting processes takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const lessons = generate(CHOSEN_WITH, 40, seeded(3));

type Env = Awaited<ReturnType<typeof preparedHome>>;
type Server = Awaited<ReturnType<typeof startServerProcess>>;

async function ask(server: Server, env: Env, method: string, path: string, body?: unknown) {
  const key = readFileSync(join(env.LORE_HOME, 'key'), 'utf8').trim();
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return response.json();
}

/** Waits until the answer is as wanted. */
async function until<T>(get: () => Promise<T>, wanted: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await get();
    if (wanted(answer)) return answer;
    await sleep(20);
  }
}

async function filled() {
  const env = await preparedHome();
  const server = await startServerProcess(env);
  const records = lessons.map((one) => recordOf(one, 'app'));
  await ask(server, env, 'POST', '/v1/import', { records });
  await until(
    () => ask(server, env, 'GET', '/v1/index'),
    ({ pending, model }) => pending === 0 && model !== null,
  );
  return { env, server };
}

/** What a night leaves behind, without ids of its own and instants. */
async function state(server: Server, env: Env) {
  const { rows } = await ask(server, env, 'POST', '/v1/sql', {
    query: `select l.id, l.valid_until is null as current, l.keywords, l.success_count, l.confidence,
        (select json_agg(json_build_array(i.action, i.kept_id, i.reason)) from consolidation_items i
         where i.record_id = l.id) as items
      from learnings l order by l.id`,
  });
  return rows;
}

test('a night that is killed again and again ends as an undisturbed one, and the next one changes nothing', async () => {
  const calm = await filled();
  await ask(calm.server, calm.env, 'POST', '/v1/consolidation/runs', {});
  const last = (server: Server, env: Env) => ask(server, env, 'GET', '/v1/consolidation/runs/last');
  const ended = await until(() => last(calm.server, calm.env), ({ finishedAt }) => finishedAt !== null);
  expect(ended.counts.merged).toBeGreaterThan(10);
  const wanted = await state(calm.server, calm.env);
  calm.server.kill('SIGKILL');
  await calm.server.finished;

  const { env, server: first } = await filled();
  let server = first;
  await ask(server, env, 'POST', '/v1/consolidation/runs', {});
  // killed while lessons are looked up, and at two places among the merges
  for (const reached of [0, 2, 8]) {
    await until(() => last(server, env), ({ counts, finishedAt }) => (counts.merged ?? 0) >= reached || finishedAt !== null);
    server.kill('SIGKILL');
    await server.finished;
    server = await startServerProcess(env);
  }
  const disturbed = await until(() => last(server, env), ({ finishedAt }) => finishedAt !== null);
  expect(await state(server, env)).toEqual(wanted);
  expect(disturbed.counts).toEqual(ended.counts);
  await ask(server, env, 'POST', '/v1/consolidation/runs', {});
  const second = await until(() => last(server, env), ({ id, finishedAt }) => id !== disturbed.id && finishedAt !== null);
  expect(second.items).toEqual([]);
  server.kill('SIGKILL');
  await server.finished;
});
