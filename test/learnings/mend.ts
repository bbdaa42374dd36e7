import { randomUUID } from 'node:crypto';
import { hookSession } from '../support/hook-session.ts';
import type { TestServer } from '../support/server.ts';

export const ERROR = `Exit code 1
Error: Cannot find module './config.json' (pool size 2)
    at check (/home/dev/app/check.js:3:9)`;

export const MESSAGE =
  'config.json is not in git, so I generated it first, with a pool of 20 for the workers.';

type Options = Parameters<typeof hookSession>[1];

/** Plays a session in which a command fails and passes once a script has made what was missing. The session has not ended yet. */
export async function mend(server: TestServer, options: Options & { command?: string; error?: string } = {}) {
  const session = hookSession(server, { cwd: '/home/dev/app', ...options });
  const command = options.command ?? 'node check.js';
  await session.start();
  await session.prompt('Make the checks pass');
  await session.bashFails(command, options.error ?? ERROR);
  await session.bashWorks('npm run gen', 'config.json: "pool": 20');
  await session.bashWorks(command, '42 checks passed');
  return session;
}

/** Plays the same session until the turn has ended and its lesson is judged. */
export async function learn(server: TestServer, options: Parameters<typeof mend>[1] = {}) {
  const session = await mend(server, options);
  await session.rest(MESSAGE);
  return session;
}

export async function learnings(server: TestServer, key: string, query = '') {
  return (await server.request('GET', `/v1/learnings${query}`, { key })).body.learnings;
}

/** Returns the judgements, the newest first, without the sessions that wait to be read. */
export async function judgements(server: TestServer, key: string) {
  const { body } = await server.request('GET', '/v1/me', { key });
  return server.rows(
    `select *, incident_id as "incidentId", learning_id as "learningId" from learning_requests
     where user_id = '${body.userId}' and event <> 'turn' order by created_at desc`,
  );
}

export async function incidents(server: TestServer, key: string) {
  return (await server.request('GET', '/v1/incidents', { key })).body.incidents;
}

/** States a lesson over the API. The defaults are good enough to be stored. */
export async function state(
  server: TestServer,
  key: string,
  lesson: string,
  fields: Record<string, unknown> = {},
) {
  const body = {
    project: '/home/dev/app',
    lesson,
    context: 'Working on the checks of the app package',
    appliesTo: ['config.json'],
    ...fields,
  };
  const answer = await server.request('POST', '/v1/learnings', { key, body });
  return { status: answer.status, ...answer.body };
}

/** Accepts all lessons of a user as a person does, so that they are active. */
export async function approveAll(server: TestServer, key: string) {
  const all = await learnings(server, key);
  for (const { id } of all) await server.request('POST', `/v1/learnings/${id}/approve`, { key });
  await server.settled();
  return learnings(server, key);
}

/** Returns a lesson as a record of an export, as if rules had noticed it then. */
export function lessonRecord(lesson: string, then: Date, id: string = randomUUID()) {
  const at = then.toISOString();
  return {
    ...{
      type: 'learning',
      id,
      lineageId: id,
      project: 'app',
      status: 'active',
      lesson,
      evaluatedBy: 'rules',
    },
    ...{ context: 'when the app is worked on', appliesTo: ['app'], keywords: ['app'] },
    ...{ confidence: 0.8, priorConfidence: 0.8 },
    ...{ validFrom: at, lastConfirmedAt: at, createdAt: at, updatedAt: at },
  };
}
