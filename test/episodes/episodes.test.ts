import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contextOf, hookSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();

async function person(key?: string) {
  const who = key === undefined ? await server.member() : { key, userId: '' };
  const ask = async (method: string, path: string, body?: unknown) =>
    server.request(method, path, { key: who.key, ...(body !== undefined && { body }) });
  const episodes = async (query = '') => {
    await server.settled();
    return (await ask('GET', `/v1/episodes?${query}`)).body.episodes;
  };
  const session = (cwd = '/home/dev/app', branch?: string) =>
    hookSession(server, { key: who.key, cwd, ...(branch !== undefined && { branch }) });
  const whole = async (id: string) => (await ask('GET', `/v1/episodes/${id}`)).body;
  return { ...who, ask, episodes, session, whole };
}

const FAILED = 'Exit code 1\n FAIL  src/upload.test.ts > retries\n Test Files  1 failed (1)\n      Tests  1 failed | 3 passed (4)';
const PASSED = ' Test Files  1 passed (1)\n      Tests  4 passed (4)';

/** A piece of work that ends well: it fails first, a file is changed, the tests pass. */
async function fixUpload(session: ReturnType<typeof hookSession>, prompt = 'Fix the flaky upload test, AB#77') {
  await session.prompt(prompt);
  await session.bashFails('npx vitest run src/upload.test.ts', FAILED);
  await session.edit(`${session.cwd}/src/upload.ts`, 'retries: 0', 'retries: 3');
  await session.bashWorks('npx vitest run src/upload.test.ts', PASSED);
  await session.stop('The upload client gave up at the first 503, so it retries three times now.');
}

describe('a session is cut', () => {
  test('where a new matter begins, and not at follow-ups or notifications', async () => {
    const { session, episodes, whole } = await person();
    const s = session('/home/dev/app', 'fix/upload');
    await s.start();
    await fixUpload(s);
    await s.prompt('no, use exponential backoff');
    await s.edit('/home/dev/app/src/backoff.ts', 'a', 'b');
    await s.prompt('<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>');
    await s.bashWorks('npx vitest run', PASSED);
    await s.stop('Backoff doubles from 200 ms.');
    await s.prompt('Add a CSV export to the orders page');
    await s.send('PostToolUse', {
      tool_name: 'Write',
      tool_input: { file_path: '/home/dev/app/src/orders/export.ts', content: 'x' },
      tool_use_id: 'w1',
      tool_response: { type: 'create' },
      duration_ms: 7,
    });
    await s.stop('The export is there.');
    await s.prompt('thanks! and what does the flag do?');
    await s.stop('It hides the button.');
    await s.end();
    const found = await episodes();
    expect(found.map((e: { description: string }) => e.description)).toEqual([
      'Add a CSV export to the orders page',
      'Fix the flaky upload test, AB#77',
    ]);
    const [second, first] = found;
    expect(first).toMatchObject({
      project: '/home/dev/app',
      session: s.session_id,
      type: 'bugfix',
      complexity: 'medium',
      branch: 'fix/upload',
      workItems: ['AB#77'],
      toolsUsed: { Bash: 3, Edit: 2 },
      filesModified: ['src/upload.ts', 'src/backoff.ts'],
      outcome: 'success',
      testsPassed: true,
      buildPassed: null,
      error: null,
      lastMessage: 'Backoff doubles from 200 ms.',
      durationMs: 15,
      tokens: null,
      parentId: null,
      private: false,
    });
    expect(second).toMatchObject({ type: 'feature', outcome: 'unknown', testsPassed: null, durationMs: 7 });
    expect(second.endedAt).not.toBeNull();
    expect((await whole(first.id)).steps).toEqual([
      { thought: null, action: 'npx vitest run src/upload.test.ts', tool: 'Bash', targetKind: 'test', ok: false },
      { thought: null, action: 'src/upload.ts', tool: 'Edit', targetKind: 'source', ok: true },
      { thought: null, action: 'npx vitest run src/upload.test.ts', tool: 'Bash', targetKind: 'test', ok: true },
      { thought: null, action: 'src/backoff.ts', tool: 'Edit', targetKind: 'source', ok: true },
      { thought: null, action: 'npx vitest run', tool: 'Bash', targetKind: 'test', ok: true },
    ]);
  });
});
