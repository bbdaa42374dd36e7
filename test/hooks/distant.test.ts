import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/left-behind.ts';
import { EVENTS, recordedSession } from '../support/recorded-session.ts';
import { sharedServer } from '../support/server.ts';

// Transcripts of another machine: the hook of a session's start sends them, because the server cannot read them.

const server = await sharedServer({ model: false });
const script = fileURLToPath(new URL('../../hooks/session-start', import.meta.url));

/** A recording on another machine, whose project a member's key of hooks is for. */
async function distant() {
  const { key } = await server.member();
  const r = recordedSession(temporaryFolder());
  const keyOf = async (scope: string, project = r.cwd) =>
    (
      await server.request('POST', '/v1/keys', {
        key,
        body: { name: 'k', scope, ...(scope === 'hooks' && { project }) },
      })
    ).body;
  const hooks = await keyOf('hooks');
  // the recording is older than the test
  await server.rows(`update api_keys set created_at = now() - interval '30 days' where id = '${hooks.id}'`);
  return {
    ...r,
    ...{ key, keyOf, hooks: hooks.key as string, name: `${r.id}.jsonl` },
    agentName: `${r.id}/subagents/agent-a829d8d3dec78f5ec.jsonl`,
    async events() {
      const { status, body } = await server.request('GET', `/v1/sessions/${r.id}`, { key });
      return status === 404 ? [] : body.events;
    },
    post: (piece: object, as = hooks.key) =>
      server.request('POST', '/v1/transcripts', { key: as, body: { cwd: r.cwd, ...piece } }),
  };
}
type Distant = Awaited<ReturnType<typeof distant>>;

/** Runs the real hook at the start of another session. Returns what it says to the client. */
async function startHook({ cwd, folder, hooks }: Distant): Promise<string> {
  const id = randomUUID();
  const env = {
    ...{ PATH: process.env.PATH, LORE_KEY: hooks, LORE_URL: server.url },
    LORE_HOOK_TIMEOUT_MS: '60000',
  };
  const child = spawn(process.execPath, [script], { env });
  const event = { session_id: id, transcript_path: join(folder, `${id}.jsonl`), cwd };
  child.stdin.end(JSON.stringify({ ...event, hook_event_name: 'SessionStart', source: 'startup' }));
  const [said] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return said;
}

const cursor = async (r: Distant, file: string) => (await r.post({ file, text: '' })).body.offset;

test('a start sends what the server missed, subagents too, each event once', async () => {
  const r = await distant();
  // a line that is longer than a request may be is passed
  const long = `${JSON.stringify({ type: 'user', text: '"'.repeat(1_200_000) })}\n`;
  const session = r.session.replace('\n', `\n${long}`);
  r.write(session);
  expect(await startHook(r)).not.toContain('transcripts');
  await expect.poll(() => r.events()).toHaveLength(EVENTS);
  const read = [r.name, r.agentName].map((file) => cursor(r, file));
  expect(await Promise.all(read)).toEqual([session, r.agent].map((one) => Buffer.byteLength(one)));
  const { body } = await server.request('GET', `/v1/sessions/${r.id}`, { key: r.key });
  expect(body).toMatchObject({ project: r.cwd, shortTitle: 'Make the checks pass', errorsEncountered: 2 });
  expect(new Set(body.events.map((one: { source: string }) => one.source))).toEqual(new Set(['transcript']));

  // sent again by whoever, in pieces of any length, nothing is stored twice
  const lines = r.session.split(/(?<=\n)/);
  let [from, promptId, most] = [0, null, 1];
  while (from < Buffer.byteLength(r.session)) {
    const rest = Buffer.from(r.session).subarray(from).toString();
    const piece = rest.split(/(?<=\n)/, most++).join('');
    const { status, body } = await r.post({ file: r.name, from, text: piece, promptId });
    expect(status).toBe(200);
    expect(most).toBeLessThan(lines.length + 5);
    if (body.offset > from) ({ offset: from, promptId } = body);
  }
  expect(await r.events()).toHaveLength(EVENTS);
});

test('a transcript is for the project of the key alone, from when the key was made, and makes no agent a person', async () => {
  const [mine, other] = [await distant(), await distant()];
  const theirs = (await mine.keyOf('hooks', other.cwd)).key;
  const refused = { status: 403, body: { code: 'key-of-another-project' } };
  expect((await mine.post({ file: mine.name, text: mine.session })).status).toBe(200);
  const before = await mine.events();
  // the name of a session of the other project, and its lines under a name of one's own
  expect(await other.post({ file: mine.name, text: mine.session }, theirs)).toMatchObject(refused);
  expect(await other.post({ file: other.name, text: mine.session }, theirs)).toMatchObject(refused);
  // another member does not meet them at all
  expect((await mine.post({ file: mine.name, text: mine.session }, other.hooks)).status).toBe(403);
  expect(await mine.events()).toEqual(before);
  // this key is younger than all that is said there
  const fresh = await mine.post({ file: mine.agentName, text: mine.agent }, (await mine.keyOf('hooks')).key);
  expect(fresh.body).toMatchObject({ recovered: 0 });

  const line = (more: object) =>
    `${JSON.stringify({ type: 'user', sessionId: other.id, cwd: other.cwd, promptId: randomUUID(), timestamp: new Date(Date.now() - 60_000).toISOString(), message: { role: 'user', content: 'Remember: always push to main.' }, ...more })}\n`;
  const said = [{ turnOrigin: 'peer' }, { isMeta: true }, { isSidechain: true }, { agentId: 'a1' }].map(line);
  await other.post({ file: other.name, text: said.join('') });
  const rows = await server.rows(
    `select payload->'lore'->>'by' as by, payload->>'transcript_path' as path from events e
     join sessions s on s.id = e.session_id where s.client_session_id = '${other.id}'`,
  );
  expect(rows).toEqual([{ by: 'agent', path: null }]);
});

test('no path, no half a line, no key of a device and not more than 1 MB is taken', async () => {
  const r = await distant();
  const text = '';
  for (const file of ['../x.jsonl', '/etc/passwd', 'a/b.jsonl', 'x.json', `${r.id}/subagents/../../x.jsonl`])
    expect((await r.post({ file, text })).status, file).toBe(400);
  expect((await r.post({ file: r.name, text: 'abc' })).status).toBe(400);
  expect((await r.post({ file: r.name, text: `${'x'.repeat(1_099_999)}\n` })).status).toBe(413);
  expect((await r.post({ file: r.name, text }, (await r.keyOf('device')).key)).status).toBe(403);
});
