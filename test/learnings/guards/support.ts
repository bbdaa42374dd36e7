import { randomUUID } from 'node:crypto';
import type { Example, GuardRule, Match } from '../../../src/learnings/guards/rule.ts';
import { startedSession } from '../../support/hook-session.ts';
import type { TestServer } from '../../support/server.ts';

/** A shell call as an example of a rule. */
export const bash = (command: string): Example => ({ tool: 'Bash', input: { command } });
export const edit = (file_path: string, new_string: string, old_string = 'a'): Example => ({
  tool: 'Edit',
  input: { file_path, old_string, new_string },
});
export const write = (file_path: string, content: string): Example => ({
  tool: 'Write',
  input: { file_path, content },
});

/** Returns a rule with one condition. */
export const ruleOf = (
  match: Match,
  [breaks, keeps]: [Example[], Example[]],
  more: Partial<GuardRule> = {},
): GuardRule => ({ when: [match], then: 'deny', breaks, keeps, ...more });

/** Plays a project in which a person states rules, with sessions that make calls. */
export function project(server: TestServer, key: string, cwd = `/home/dev/${randomUUID()}`) {
  /** States a lesson as a person and returns its id. */
  const state = async (lesson: string): Promise<string> => {
    const { body, status } = await server.request('POST', '/v1/learnings', {
      key,
      body: { project: cwd, lesson, context: 'any work in this project', appliesTo: ['project'] },
    });
    if (status >= 300 || body.learning === null) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body.learning.id;
  };
  const guard = (lessonId: string, rule: GuardRule) =>
    server.request('PUT', `/v1/guards/${lessonId}`, { key, body: rule });
  /** Starts a session; `call` returns what the client is answered before a call. */
  const session = async (branch?: string) => {
    const played = await startedSession(server, { key, cwd, ...(branch && { branch }) });
    const call = async ({ tool, input }: Example, more: Record<string, unknown> = {}) => {
      const { permissionDecision, permissionDecisionReason, additionalContext } = await played.asks(
        tool,
        input,
        more,
      );
      return {
        decision: permissionDecision ?? null,
        reason: permissionDecisionReason ?? '',
        told: additionalContext ?? '',
      };
    };
    return { ...played, call };
  };
  /** States a rule and its guard. Returns the ids of the lesson and the guard when all servers know them. */
  const rule = async (lesson: string, data: GuardRule) => {
    const lessonId = await state(lesson);
    const { body, status } = await guard(lessonId, data);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    await server.settled();
    return { lessonId, ...body };
  };
  return { cwd, state, guard, session, rule };
}
