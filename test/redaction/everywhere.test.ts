import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { beforeAll, expect, test, vi } from 'vitest';
import { readJsonc } from '../../src/base/text/jsonc.ts';
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

const ROWS = readJsonc(readFileSync(new URL('everywhere.jsonc', import.meta.url), 'utf8')) as {
  hooks: [event: string, fields: object][];
  transcript: object[];
  requests: [method: string, path: string, body?: object][];
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
});

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

/** Puts the secrets into the rows. */
function filled<T>(rows: T): T {
  const one = { ...SECRETS, key: KEY, '1960 x': 'x'.repeat(1960), query: encodeURIComponent(line('query')) };
  const text = JSON.stringify(rows).replace(/‹(?:(planted|line) )?([\w -]+)›/g, (_, form, name) => {
    const put =
      form === 'planted' ? planted(name) : form === 'line' ? line(name).slice(0, 200) : one[name as 'aws'];
    return JSON.stringify(put).slice(1, -1);
  });
  return JSON.parse(text);
}

async function plantByHooks(request: Request) {
  const folder = transcriptFolder();
  const id = randomUUID();
  const path = join(folder, `${id}.jsonl`);
  const base = { session_id: id, transcript_path: path, cwd: '/home/dev/shop' };
  // the assistant says this while the incident is open; the model gets 6,000 characters, and the cut splits a secret
  const said = (text: string) => {
    const message = { role: 'assistant', content: [{ type: 'text', text }] };
    return JSON.stringify({ type: 'assistant', sessionId: id, timestamp: new Date().toISOString(), message });
  };
  const first = `canary-transcript\n${planted('excerpt')}\n`;
  const filler = 'lorem ipsum '.repeat(500).slice(0, 6000 - first.length - 2 - 12);
  for (const [event, fields] of filled(ROWS.hooks)) {
    await request('POST', '/v1/hooks', { ...base, hook_event_name: event, ...fields });
    if (event === 'PostToolUseFailure')
      writeFileSync(path, `${said(first)}\n${said(`${filler} ${SECRETS.aws} and on`)}\n`);
  }
  const other = {
    sessionId: randomUUID(),
    cwd: '/home/dev/shop',
    timestamp: new Date(Date.now() - 60_000).toISOString(),
  };
  const lines = filled(ROWS.transcript).map((one) => JSON.stringify({ ...other, ...one }));
  const transcript = [...lines, `garbage ${planted('garbage')}`].join('\n');
  writeFileSync(join(folder, `${other.sessionId}.jsonl`), transcript);
  const start = { hook_event_name: 'SessionStart', source: 'startup', session_id: randomUUID() };
  await request('POST', '/v1/hooks', { ...base, ...start });
}

async function plantByApi(request: Request) {
  for (const [method, path, body] of filled(ROWS.requests)) await request(method, path, body);
  for (const cut of ['"', '}', '', `"x": 1}`]) {
    for (const text of [`${SECRETS.password} ${cut}`, `"${SECRETS.password}${cut} ${SECRETS.github}`])
      expect((await request('POST', '/v1/hooks', `{"password": ${text}`)).status).toBe(400);
  }
}

test('the text around the secrets was stored', () => {
  const kept = `prompt command branch error content key original deep step stdout stderr mcp message subagent unknown
    custom reason model project context why keyword agent lesson unknown-command checked recovered-prompt
    recovered-command recovered-error recovered-output recovered-last old new`;
  for (const marker of kept.split(/\s+/)) expect(rows, marker).toContain(`canary-${marker}`);
  const sent = 'command prompt error content original step';
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
