import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { beforeAll, expect, test, vi } from 'vitest';
import { openDatabase, query } from '../../src/db/open.ts';
import { fakeGemini } from '../support/gemini.ts';
import { transcriptFolder } from '../support/left-behind.ts';
import { preparedHome, startServerProcess, temporaryFolder } from '../support/process.ts';

// Sends secrets through every entrance of a real server with everything switched on: debug log, Gemini, transcripts.
// Then searches everything that the server stored, wrote and sent for any eight characters of them.

const KEY = 'Kx9w2LmQ';
const b64 = (n: number) => Array.from({ length: n }, (_, i) => 'q7Rk2VxZ9pLw4TnB8sYd'[(i * 7) % 20]).join('');
const SECRETS = {
  aws: `AKIA${'Q7ZX2V4M9K1PB8TD'}`,
  github: `ghp_${b64(36)}`,
  jwt: `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')}.${Buffer.from('{"sub":"9174","name":"Vex"}').toString('base64url')}.${b64(43)}`,
  pem: `${b64(64)}\n${b64(61)}xYz\n${b64(40)}`,
  password: `Tr0ub4dor${KEY}`,
  private: 'Zanzibar-Quokka-4417 buys Wombat-Industries',
};
/** Returns the secrets as people paste them. */
const planted = (marker: string) => `canary-${marker}
export AWS_ACCESS_KEY_ID=${SECRETS.aws}
git clone https://${SECRETS.github}@github.com/acme/shop
Authorization: Bearer ${SECRETS.jwt}
${'-'.repeat(5)}BEGIN RSA PRIVATE KEY${'-'.repeat(5)}
${SECRETS.pem}
${'-'.repeat(5)}END RSA PRIVATE KEY${'-'.repeat(5)}
password=${SECRETS.password}
<private>${SECRETS.private}</private>`;
/** Returns secrets for places that take one line. */
const line = (marker: string) =>
  `canary-${marker} ${SECRETS.github} ${SECRETS.aws} password=${SECRETS.password} <private>${SECRETS.private}</private>`;

/** Every run of eight characters, in lower case like the words in the search index. */
const RUNS = [
  ...new Set(
    Object.values(SECRETS)
      .flatMap((secret) => secret.split('\n'))
      .map((secret) => secret.toLowerCase())
      .flatMap((secret) => Array.from({ length: secret.length - 7 }, (_, i) => secret.slice(i, i + 8))),
  ),
];
const leaks = (text: string) => {
  const small = text.toLowerCase();
  return RUNS.filter((run) => small.includes(run));
};

const LORE_KEY = `owner-${'abcdefgh12345678'.repeat(2)}`;
let rows = '';
let files = '';
let log = '';
let answers = '';
let sentToGemini = '';
let home = '';

beforeAll(async () => {
  const gemini = await fakeGemini();
  gemini.reply = {
    answer: {
      remember: [
        {
          error: 'Cannot find module',
          cause: 'The pool was too small.',
          do: `Raise the pool, canary-model ${SECRETS.aws} password=${SECRETS.password}`,
          applies_when: `Running the checks in parallel ${SECRETS.github}`,
        },
      ],
      rules: [],
    },
  };
  const prepared = await preparedHome();
  home = prepared.LORE_HOME;
  const server = await startServerProcess({
    ...prepared,
    LORE_KEY,
    LORE_LOG_LEVEL: 'debug',
    GEMINI_API_KEY: 'test-key',
    GEMINI_BASE_URL: gemini.url,
  });
  const request = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${LORE_KEY}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    // an error answer may repeat what its caller sent
    if (response.ok) answers += `${text}\n`;
    return { status: response.status, body: JSON.parse(text || 'null') };
  };
  await plantByHooks(request);
  await plantByApi(request);
  await vi.waitFor(
    async () => {
      expect((await request('GET', '/v1/learnings')).body.learnings).not.toEqual([]);
      expect((await request('GET', '/v1/index')).body).toMatchObject({ pending: 0 });
    },
    { timeout: 90_000, interval: 200 },
  );
  for (const path of ['learnings', 'incidents', 'sessions', 'projects']) await request('GET', `/v1/${path}`);
  server.kill('SIGTERM');
  log = (await server.finished).stderr;
  sentToGemini = JSON.stringify(gemini.calls);
  await gemini.close();

  const db = await openDatabase({ home, databaseUrl: prepared.DATABASE_URL });
  const tables = await query<{ name: string }>(
    db.drizzle,
    sql`select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p', 'm') and n.nspname !~ '^(pg_|information_schema)'`,
  );
  expect(tables.length).toBeGreaterThan(10);
  for (const { name } of tables) {
    const found = await query<{ row: string }>(
      db.drizzle,
      sql`select t::text as row from ${sql.raw(name)} t`,
    );
    rows += `${name}\n${found.map(({ row }) => row).join('\n')}\n`;
  }
  await db.close();
  const patterns = join(temporaryFolder(), 'runs');
  writeFileSync(patterns, RUNS.join('\n'));
  files = filesWith(patterns);
}, 180_000);

/** Returns the files in the data folder, including the embedded database's own, that contain one of the patterns. */
function filesWith(patterns: string): string {
  try {
    return execFileSync('grep', ['-rlaiF', '-f', patterns, home], { encoding: 'utf8' });
  } catch (error) {
    // grep found none
    if ((error as { status?: number }).status === 1) return '';
    throw error;
  }
}

type Request = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: unknown }>;

async function plantByHooks(request: Request) {
  const folder = transcriptFolder();
  const id = randomUUID();
  const path = join(folder, `${id}.jsonl`);
  const base = { session_id: id, transcript_path: path, cwd: '/home/dev/shop' };
  const hook = (event: string, fields: Record<string, unknown>) =>
    request('POST', '/v1/hooks', { ...base, hook_event_name: event, ...fields });
  const bash = (n: string) => ({
    tool_name: 'Bash',
    tool_use_id: n,
    tool_input: { command: `node check.js ${line('command')}` },
  });
  await hook('SessionStart', {
    source: 'startup',
    lore: { root: '/home/dev/shop', branch: line('branch'), deliveryId: 'd1' },
  });
  await hook('UserPromptSubmit', { prompt: planted('prompt'), prompt_id: 'p1' });
  // no rule knows this command, so the model is asked too
  await hook('PreToolUse', {
    tool_name: 'Bash',
    tool_use_id: 't0',
    tool_input: {
      command: `acme-deploy canary-unknown-command --token ${SECRETS.github} --key ${SECRETS.aws}`,
    },
  });
  await hook('PostToolUseFailure', {
    ...bash('t1'),
    error: `Exit code 1\nError: canary-error pool exhausted\n${planted('output')}`,
  });
  // the assistant says this while the incident is open; the model gets 6,000 characters, and the cut splits a secret
  const said = (text: string) =>
    JSON.stringify({
      type: 'assistant',
      sessionId: id,
      timestamp: new Date().toISOString(),
      message: { role: 'assistant', content: [{ type: 'text', text }] },
    });
  const first = `canary-transcript\n${planted('excerpt')}\n`;
  const filler = 'lorem ipsum '.repeat(500).slice(0, 6000 - first.length - 2 - 12);
  writeFileSync(path, `${said(first)}\n${said(`${filler} ${SECRETS.aws} and on`)}\n`);
  await hook('PostToolUse', {
    tool_name: 'Write',
    tool_use_id: 't2',
    tool_input: {
      file_path: `/home/dev/shop/${SECRETS.github}.txt`,
      content: planted('content'),
      [line('key')]: { [SECRETS.jwt]: 1 },
      apiKey: KEY + KEY,
      password: SECRETS.password,
    },
    tool_response: { originalFile: planted('original'), nested: [{ deep: [planted('deep')] }] },
  });
  await hook('PostToolUse', {
    tool_name: 'Bash',
    tool_use_id: 't3',
    tool_input: {
      command: `export PGPASSWORD=${SECRETS.password} TOKEN=${SECRETS.github} && npm install canary-step`,
    },
    tool_response: { stdout: 'ok' },
  });
  await hook('PostToolUse', {
    ...bash('t4'),
    tool_response: { stdout: planted('stdout'), stderr: line('stderr') },
  });
  await hook('PostToolUse', {
    tool_name: `mcp__${SECRETS.github}`,
    tool_use_id: 't5',
    tool_input: { q: line('mcp') },
    tool_response: { error: planted('mcperror') },
  });
  // this is cut to 2,000 characters when it is stored
  await hook('Stop', {
    prompt_id: 'p1',
    last_assistant_message: `canary-message ${'x'.repeat(1960)} ${SECRETS.github} ${planted('last')}`,
    background_tasks: [],
  });
  await hook('SubagentStop', { agent_id: SECRETS.aws, last_assistant_message: planted('subagent') });
  await hook('SomethingNew', { [SECRETS.github]: planted('unknown'), custom: line('custom') });
  await hook('SessionEnd', { reason: line('reason').slice(0, 200) });

  // a session that is known only from its transcript
  const other = randomUUID();
  const at = new Date(Date.now() - 60_000).toISOString();
  const entry = (fields: object) =>
    JSON.stringify({ sessionId: other, cwd: '/home/dev/shop', timestamp: at, ...fields });
  const call = (n: string) =>
    entry({
      type: 'assistant',
      message: {
        content: [
          { type: 'tool_use', id: n, name: 'Bash', input: { command: `make ${line('recovered-command')}` } },
        ],
      },
    });
  const result = (n: string, content: string, isError: boolean) =>
    entry({
      type: 'user',
      toolUseResult: { stdout: content },
      message: { content: [{ type: 'tool_result', tool_use_id: n, content, is_error: isError }] },
    });
  const acted = entry({
    type: 'assistant',
    message: {
      content: [
        {
          type: 'tool_use',
          id: 'r2',
          name: 'Edit',
          input: { file_path: 'a.txt', old_string: planted('old'), new_string: line('new') },
        },
      ],
    },
  });
  writeFileSync(
    join(folder, `${other}.jsonl`),
    [
      entry({ type: 'user', message: { content: planted('recovered-prompt') } }),
      call('r1'),
      result('r1', `Exit code 2\nError: ${planted('recovered-error')}`, true),
      acted,
      result('r2', 'ok', false),
      call('r3'),
      result('r3', planted('recovered-output'), false),
      entry({
        type: 'assistant',
        message: { stop_reason: 'end_turn', content: [{ type: 'text', text: planted('recovered-last') }] },
      }),
      `garbage ${planted('garbage')}`,
    ].join('\n'),
  );
  await request('POST', '/v1/hooks', {
    ...base,
    session_id: randomUUID(),
    hook_event_name: 'SessionStart',
    source: 'startup',
  });
}

async function plantByApi(request: Request) {
  const lesson = {
    project: `shop ${line('project')}`,
    context: planted('context'),
    why: planted('why'),
    keywords: [line('keyword').slice(0, 200)],
    appliesTo: [`a/${SECRETS.github}.ts`, 'config.json'],
    agent: line('agent').slice(0, 200),
  };
  await request('POST', '/v1/projects', { name: lesson.project });
  await request('POST', '/v1/learnings', {
    ...lesson,
    lesson: `Use 5 retries for billing, ${line('lesson')}`,
  });
  await request('POST', '/v1/learnings', { ...lesson, lesson: line('short') });
  await request('POST', '/v1/commands/check', {
    command: `acme-deploy canary-checked --token ${SECRETS.github} --jwt ${SECRETS.jwt}`,
    cwd: `/home/dev/${SECRETS.github}`,
  });
  await request('POST', '/v1/search', { query: planted('query'), project: line('search') });
  // the model does not see this command at all, because the private part may belong to it
  await request('POST', '/v1/commands/check', {
    command: `acme-deploy ${planted('private')}`,
    cwd: '/home/dev',
  });
  // a refused request is not stored, but it is answered and logged
  await request('POST', '/v1/learnings', { ...lesson, [line('field')]: SECRETS.password });
  await request('POST', '/v1/hooks', { session_id: 1, hook_event_name: line('event') });
  for (const cut of ['"', '}', '', `"x": 1}`]) {
    expect((await request('POST', '/v1/hooks', `{"password": ${SECRETS.password} ${cut}`)).status).toBe(400);
    expect(
      (await request('POST', '/v1/hooks', `{"password": "${SECRETS.password}${cut} ${SECRETS.github}`))
        .status,
    ).toBe(400);
  }
  await request('GET', `/v1/sessions/${SECRETS.github}`);
  await request('GET', `/v1/learnings/${SECRETS.github}`);
  await request('GET', `/v1/learnings?project=${encodeURIComponent(line('query'))}&asOf=${SECRETS.aws}`);
}

test('the text around the secrets was stored', () => {
  const kept = `prompt command branch error content key original deep step stdout stderr mcp message subagent unknown
    custom reason model project context why keyword agent lesson unknown-command checked recovered-prompt
    recovered-command recovered-error recovered-output recovered-last old new`;
  for (const marker of kept.split(/\s+/)) expect(rows, marker).toContain(`canary-${marker}`);
  const sent = 'command prompt error content original step unknown-command checked';
  for (const marker of sent.split(' ')) expect(sentToGemini, marker).toContain(`canary-${marker}`);
  expect(log.match(/"level":"debug"/g)?.length).toBeGreaterThan(20);
  expect(rows).toContain('[redacted:github]');
  expect(rows).toContain('[private]');
});

test('no run of eight characters of a secret is in any table', () => expect(leaks(rows)).toEqual([]));
test('nor in the log', () => expect(leaks(log)).toEqual([]));
test('nor in what Gemini was sent', () => expect(leaks(sentToGemini)).toEqual([]));
test('nor in any file of the data folder', () => expect(files).toBe(''));
test('nor in any answer', () => expect(leaks(answers)).toEqual([]));
