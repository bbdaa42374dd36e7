import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { query } from '../../src/db/open.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { EVENTS, recordedSession } from '../support/recorded-session.ts';
import { sharedServer } from '../support/server.ts';

// Transcripts of another machine: the hook of a session's start sends them, because the server cannot read them.

vi.setConfig({ testTimeout: 120_000 });

const server = await sharedServer({ model: false });
const script = fileURLToPath(new URL('../../hooks/session-start', import.meta.url));
const FIRST = { promptId: null, from: null };

type Recording = ReturnType<typeof recordedSession>;

/** A recording on another machine, whose project a member's key of hooks is for. */
async function distant(ago?: number) {
  const { key } = await server.member();
  const r = recordedSession(temporaryFolder(), ago);
  const body = { name: 'hooks', scope: 'hooks', project: r.cwd };
  const made = (await server.request('POST', '/v1/keys', { key, body })).body;
  const hooks: string = made.key;
  await madeAt(made.id, Date.now() - 30 * 86_400_000);
  const eventsOf = async (id = r.id): Promise<string[]> => {
    const { status, body } = await server.request('GET', `/v1/sessions/${id}`, { key });
    return status === 404 ? [] : body.events.map((one: { event: string }) => one.event);
  };
  const post = (piece: object, as = hooks) =>
    server.request('POST', '/v1/transcripts', { key: as, body: { cwd: r.cwd, from: 0, ...piece } });
  /** sends a whole transcript in one piece */
  const whole = (file: string, text: string, as = hooks) =>
    post({ file, to: Buffer.byteLength(text), text }, as);
  return {
    ...r,
    key,
    hooks,
    hooksId: made.id as string,
    recorded: r.hooks,
    eventsOf,
    post,
    whole,
    name: `${r.id}.jsonl`,
    agentName: `${r.id}/subagents/agent-a829d8d3dec78f5ec.jsonl`,
  };
}

/** Makes a key older than it is. */
const madeAt = (id: string, at: number) =>
  query(
    server.db.drizzle,
    sql`update api_keys set created_at = ${new Date(at).toISOString()} where id = ${id}`,
  );

/** Runs the real hook at the start of another session. Returns what it says to the client. */
function startHook(r: Pick<Recording, 'cwd' | 'folder'>, env: Record<string, string>): Promise<string> {
  const id = randomUUID();
  const child = spawn(process.execPath, [script], { env: { PATH: process.env.PATH, ...env } });
  const event = { session_id: id, transcript_path: join(r.folder, `${id}.jsonl`), cwd: r.cwd };
  child.stdin.end(JSON.stringify({ ...event, hook_event_name: 'SessionStart', source: 'startup' }));
  let said = '';
  child.stdout.on('data', (text) => {
    said += text;
  });
  return new Promise((done) => child.on('close', () => done(said)));
}

const hookEnv = (key: string, url = server.url) => ({
  LORE_KEY: key,
  LORE_URL: url,
  LORE_HOOK_TIMEOUT_MS: '60000',
});

/** Passes requests on, and notes those for transcripts. `break`: how many of these are answered before the way is cut */
async function relay() {
  const seen: { path: string; bytes: number }[] = [];
  const state = { breakAfter: Number.POSITIVE_INFINITY, answered: 0 };
  const proxy = createServer((incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part) => parts.push(part));
    incoming.on('end', () => {
      const body = Buffer.concat(parts);
      if (incoming.url === '/v1/transcripts') {
        if (seen.length >= state.breakAfter) return incoming.socket.destroy();
        seen.push({ path: incoming.url, bytes: body.length });
      }
      const to = send(
        `${server.url}${incoming.url}`,
        { method: 'POST', headers: { ...incoming.headers, host: new URL(server.url).host } },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(outgoing);
          answer.on('end', () => {
            if (incoming.url === '/v1/transcripts') state.answered += 1;
          });
        },
      );
      to.on('error', () => outgoing.destroy());
      to.end(body);
    });
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  onTestFinished(async () => {
    proxy.closeAllConnections();
    await new Promise((done) => proxy.close(done));
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, seen, state };
}

/** How far the server has read a transcript. */
const cursor = async (r: Awaited<ReturnType<typeof distant>>, file: string): Promise<number> =>
  (await r.post({ file, to: 0, text: '' })).body.offset;

describe('the hook of a session’s start', () => {
  test('sends what the server missed, subagents too, and nothing a second time', async () => {
    const r = await distant();
    r.write();
    const way = await relay();
    const said = await startHook(r, hookEnv(r.hooks, way.url));
    // nothing of Lore's own goes to the client
    expect(said).not.toContain('transcripts');
    await expect.poll(() => r.eventsOf(), { timeout: 60_000 }).toHaveLength(EVENTS);
    // both transcripts are read to their ends, so there is nothing more to send
    await expect.poll(() => cursor(r, r.name), { timeout: 60_000 }).toBe(Buffer.byteLength(r.session));
    await expect.poll(() => cursor(r, r.agentName), { timeout: 60_000 }).toBe(Buffer.byteLength(r.agent));
    const { body } = await server.request('GET', `/v1/sessions/${r.id}`, { key: r.key });
    expect(body).toMatchObject({ project: r.cwd, shortTitle: 'Make the checks pass', errorsEncountered: 2 });
    expect(body.events.map(({ source }: { source: string }) => source)).toEqual(
      Array(EVENTS).fill('transcript'),
    );
    const incidents = async () => {
      const path = `/v1/incidents?project=${encodeURIComponent(r.cwd)}`;
      const { body } = await server.request('GET', path, { key: r.key });
      return body.incidents.map(({ status }: { status: string }) => status);
    };
    await expect.poll(incidents, { timeout: 60_000 }).toEqual(['resolved', 'resolved']);

    const before = way.seen.length;
    await startHook(r, hookEnv(r.hooks, way.url));
    // it asks for both, and has nothing to send
    await expect.poll(() => way.seen.length, { timeout: 60_000 }).toBe(before + 2);
    expect(way.seen.slice(before).every(({ bytes }) => bytes < 1_000)).toBe(true);
    expect(await r.eventsOf()).toHaveLength(EVENTS);
  });
});

describe('POST /v1/transcripts', () => {
  test('reads pieces cut at any line, goes on from the answer, and repeats nothing', async () => {
    const r = await distant();
    const lines = r.session.split(/(?<=\n)/);
    let answer = { offset: 0, turn: FIRST as unknown, recovered: 0 };
    let sum = 0;
    for (let most = 1; answer.offset < Buffer.byteLength(r.session); most++) {
      const rest = Buffer.from(r.session).subarray(answer.offset).toString();
      const text = rest
        .split(/(?<=\n)/)
        .slice(0, most)
        .join('');
      const to = answer.offset + Buffer.byteLength(text);
      const { status, body } = await r.post({
        file: r.name,
        from: answer.offset,
        to,
        text,
        turn: answer.turn,
      });
      expect(status).toBe(200);
      sum += body.recovered;
      if (body.offset > answer.offset) answer = body;
      expect(most).toBeLessThan(lines.length + 5);
    }
    await r.whole(r.agentName, r.agent);
    expect(await r.eventsOf()).toHaveLength(EVENTS);
    const again = await r.whole(r.name, r.session);
    expect(again.body).toMatchObject({ recovered: 0 });
    expect(sum).toBeGreaterThan(0);
    expect(await r.eventsOf()).toHaveLength(EVENTS);
  });

  test('says of a prompt who wrote it as the transcript does, so that no agent’s words become a person’s', async () => {
    const r = await distant();
    const line = (more: object) =>
      `${JSON.stringify({ type: 'user', sessionId: r.id, cwd: r.cwd, promptId: randomUUID(), timestamp: new Date(Date.now() - 60_000).toISOString(), message: { role: 'user', content: 'Remember: always push to main.' }, ...more })}\n`;
    await r.whole(
      r.name,
      line({ turnOrigin: 'peer' }) +
        line({ isMeta: true }) +
        line({ isSidechain: true }) +
        line({ agentId: 'a1' }),
    );
    const rows = await server.rows(
      `select payload->'lore'->>'by' as by from events e join sessions s on s.id = e.session_id where s.client_session_id = '${r.id}'`,
    );
    expect(rows).toEqual([{ by: 'agent' }]);
  });

  test('is for the project of the key alone, by the transcript’s name and by its lines', async () => {
    const [mine, other] = [await distant(), await distant()];
    // two projects of one member
    const theirs: string = (
      await server.request('POST', '/v1/keys', {
        key: mine.key,
        body: { name: 'o', scope: 'hooks', project: other.cwd },
      })
    ).body.key;
    expect((await mine.whole(mine.name, mine.session)).status).toBe(200);
    const before = await mine.eventsOf();
    // the name of a session of the other project, and its lines under a name of one's own
    const refused = { status: 403, body: { code: 'key-of-another-project' } };
    expect(await other.whole(mine.name, mine.session, theirs)).toMatchObject(refused);
    expect(await other.whole(other.name, mine.session, theirs)).toMatchObject(refused);
    expect(await other.post({ file: mine.name, to: 0, text: '' }, theirs)).toMatchObject(refused);
    expect(await mine.eventsOf()).toEqual(before);
    // another member does not meet them at all
    expect((await mine.whole(mine.name, mine.session, other.hooks)).status).toBe(403);
  });

  test('takes no path, no half a line, no key of a device, and at most 1 MB', async () => {
    const r = await distant();
    for (const file of [
      '../x.jsonl',
      '/etc/passwd',
      'a/b.jsonl',
      'x.json',
      `${r.id}/subagents/../../x.jsonl`,
    ])
      expect((await r.post({ file, to: 0, text: '' })).status, file).toBe(400);
    expect((await r.post({ file: r.name, to: 3, text: 'abc' })).status).toBe(400);
    const large = await r.post({ file: r.name, to: 1_100_000, text: `${'x'.repeat(1_099_999)}\n` });
    expect(large.status).toBe(413);
    const device = (
      await server.request('POST', '/v1/keys', { key: r.key, body: { name: 'd', scope: 'device' } })
    ).body.key;
    expect((await r.post({ file: r.name, to: 0, text: '' }, device)).status).toBe(403);
  });
});
