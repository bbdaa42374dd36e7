import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { rowsOf } from '../support/json-lines.ts';
import { transcriptFolder } from '../support/left-behind.ts';
import { EVENTS, ONLY_HOOKS, recordedSession } from '../support/recorded-session.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer({ model: false, owner: true });
const root = transcriptFolder();

const recording = (ago = 60_000, under = root) => recordedSession(under, ago);
type Recording = ReturnType<typeof recording>;

/** Starts another session of the project, which makes the server look for missed events. */
async function nextStart({ folder, cwd }: Recording, key?: string) {
  const sessionId = randomUUID();
  const transcript = join(folder, `${sessionId}.jsonl`);
  await hookSession(server, { cwd, sessionId, transcript, branch: 'main', ...(key && { key }) }).start();
  await server.settled();
}

/** Sends hook calls, each with the time at which it was recorded. */
async function arrive(r: Recording, events: Recording['hooks']) {
  for (const event of events) await server.hook(event);
  for (const line of [...rowsOf(r.session), ...rowsOf(r.agent)]) {
    const id = line.type === 'user' && line.message.content[0]?.tool_use_id;
    if (!id) continue;
    const ofCall = `tool_use_id = '${id}' and session_id = (select id from sessions where client_session_id = '${r.id}')`;
    await server.rows(`update events set occurred_at = '${line.timestamp}' where ${ofCall}`);
    await server.rows(`update incidents set opened_at = '${line.timestamp}' where ${ofCall}`);
  }
}

async function eventsOf(id: string) {
  const { status, body } = await server.request('GET', `/v1/sessions/${id}`);
  return status === 404 ? [] : body.events;
}
const keysOf = (id: string): Promise<string[]> =>
  server
    .rows(
      `select e.dedup_key from events e join sessions s on s.id = e.session_id where s.client_session_id = '${id}'`,
    )
    .then((rows) => rows.map((row) => String(row.dedup_key)).sort());
const inProject = async (what: 'incidents' | 'learnings', cwd: string) =>
  (await server.request('GET', `/v1/${what}?project=${encodeURIComponent(cwd)}`)).body[what];

describe('a session of which no hook arrived', () => {
  test('is recovered whole: events in order, resolved incidents, lessons, title and files', async () => {
    const r = recording();
    r.write();
    await nextStart(r);
    const { body } = await server.request('GET', `/v1/sessions/${r.id}`);
    expect(body).toMatchObject({
      project: r.cwd,
      branch: 'fix/pool',
      shortTitle: 'Make the checks pass',
      taskDescription: 'Make the checks pass',
      errorsEncountered: 2,
      toolsUsed: { Bash: 4, Read: 2, Edit: 2, Agent: 1 },
      filesModified: [`${r.cwd}/config.json`, `${r.cwd}/sub.json`],
    });
    type Event = { event: string; source: string; agentId: string | null; occurredAt: string };
    const events: Event[] = body.events;
    expect(events.map((e) => e.source)).toEqual(Array(EVENTS).fill('transcript'));
    expect(events.map((e) => e.occurredAt)).toEqual(events.map((e) => e.occurredAt).sort());
    expect(events[0]?.event).toBe('UserPromptSubmit');
    expect(events.at(-1)?.event).toBe('Stop');
    expect(events.filter((e) => e.agentId !== null)).toHaveLength(5);

    const incidents = (await server.request('GET', `/v1/incidents?session=${r.id}`)).body.incidents;
    expect(incidents).toMatchObject([
      {
        agentId: 'a829d8d3dec78f5ec',
        target: 'node sub.js',
        status: 'resolved',
        resolution: {
          edits: [{ file: `${r.cwd}/sub.json` }],
          lastMessage: expect.stringContaining('sub.json'),
        },
      },
      {
        agentId: null,
        target: 'node check.js',
        status: 'resolved',
        resolution: {
          edits: [{ file: `${r.cwd}/config.json`, before: '"pool": 2', after: '"pool": 20' }],
          lastMessage: expect.stringContaining('raised pool to 20'),
        },
      },
    ]);
    // changes of files are evidence, and no lesson
    expect(await inProject('learnings', r.cwd)).toEqual([]);
  });
});

describe('recovery adds', () => {
  test.each([
    ['the beginning', (i: number) => i < 3],
    ['every other one', (i: number) => i % 2 === 0],
    ['all but the failures', (_: number, event: string) => event !== 'PostToolUseFailure'],
  ])('the missing events when %s had arrived', async (_name, arrived) => {
    const r = recording();
    await arrive(
      r,
      r.hooks.filter((event, i) => arrived(i, event.hook_event_name)),
    );
    r.write();
    await nextStart(r);
    expect((await keysOf(r.id)).filter((key) => !ONLY_HOOKS.test(key))).toHaveLength(EVENTS);
    const incidents = (await server.request('GET', `/v1/incidents?session=${r.id}`)).body.incidents;
    expect(incidents.map((i: { status: string }) => i.status)).toEqual(['resolved', 'resolved']);
  });
});

describe('a transcript', () => {
  test('that is cut off anywhere and grows later loses nothing and repeats nothing', async () => {
    const r = recording();
    const bytes = Buffer.from(r.session);
    let seen = 0;
    for (const part of [0.1, 0.35, 0.36, 0.62, 0.9, 1]) {
      writeFileSync(r.path, bytes.subarray(0, Math.round(bytes.length * part)));
      await nextStart(r);
      const now = (await eventsOf(r.id)).length;
      expect(now).toBeGreaterThanOrEqual(seen);
      seen = now;
    }
    writeFileSync(r.agentPath, r.agent);
    await nextStart(r);
    expect(await keysOf(r.id)).toHaveLength(EVENTS);
    expect(await inProject('incidents', r.cwd)).toMatchObject([{ status: 'resolved', times: 2 }]);
  });

  test('with garbage in it still gives all its events', async () => {
    const r = recording();
    const garbage = readFileSync(new URL('garbage.txt', import.meta.url), 'utf8')
      .replace('‹deep›', '['.repeat(5000) + ']'.repeat(5000))
      .replace('‹odd›', '\u0000\ufffd\u2028')
      .split('\n');
    const mix = (text: string) =>
      text
        .trimEnd()
        .split('\n')
        .flatMap((line, i) => [garbage[i % garbage.length] ?? '', line])
        .concat(garbage)
        .join('\r\n');
    r.write(mix(r.session), mix(r.agent));
    await nextStart(r);
    expect(await keysOf(r.id)).toHaveLength(EVENTS);
  });
});

describe("files are read for the server's owner alone", () => {
  const readOf = async ({ id }: Recording) => {
    const [row] =
      await server.rows(`select count(*)::int as n from events e join sessions s on s.id = e.session_id
      where e.source = 'transcript' and s.client_session_id = '${id}'`);
    return row.n;
  };

  test("not for a member's key, whatever path it names", async () => {
    const { key, userId } = await server.member();
    const r = recording();
    r.write();
    await nextStart(r, key);
    expect(
      await server.rows(`select 1 from events where user_id = '${userId}' and source = 'transcript'`),
    ).toEqual([]);
    expect(await server.rows(`select 1 from transcript_cursors where user_id = '${userId}'`)).toEqual([]);
    // It is not read later for the words of the lesson either.
    const session = hookSession(server, { key, cwd: r.cwd, transcript: r.path });
    await session.bashFails('node check.js', "Exit code 1\nError: Cannot find module './config.json'");
    await session.bashWorks('npm run gen', 'written');
    await session.bashWorks('node check.js');
    await session.rest('Done.');
    expect((await server.request('GET', '/v1/learnings', { key })).body.learnings).toHaveLength(1);
    expect(await server.rows(`select 1 from transcript_cursors where user_id = '${userId}'`)).toEqual([]);
  });

  test('and only from where the client keeps them', async () => {
    const elsewhere = join(dirname(dirname(root)), randomUUID());
    const [ours, theirs] = [recording(), recording(60_000, elsewhere)];
    for (const r of [ours, theirs]) r.write();
    await nextStart(ours);
    await nextStart(theirs);
    const upwards = { ...theirs, folder: `${root}/../../${basename(elsewhere)}/${basename(theirs.folder)}` };
    await nextStart(upwards);
    expect([await readOf(ours), await readOf(theirs)]).toEqual([EVENTS, 0]);
    expect(
      await server.rows(`select count(transcript_path)::int as n from sessions s
        join projects p on p.id = s.project_id where p.name = '${theirs.cwd}'`),
    ).toEqual([{ n: 0 }]);
  });

  test('and for a key of one project only that project’s', async () => {
    const [own, other] = [recording(), recording()];
    const beside = { ...recording(), folder: own.folder };
    own.write();
    other.write();
    writeFileSync(join(own.folder, `${beside.id}.jsonl`), beside.session);
    const body = { name: 'hooks', scope: 'hooks', project: own.cwd };
    const { key } = (await server.request('POST', '/v1/keys', { body })).body;
    await nextStart({ ...own, folder: other.folder, path: other.path }, key);
    // a transcript that is there, of another project
    const named = { session_id: randomUUID(), transcript_path: other.path, cwd: own.cwd };
    await server.hook({ ...named, hook_event_name: 'SessionStart', source: 'startup' }, key);
    await server.settled();
    await nextStart(own, key);
    expect([await readOf(own), await readOf(beside), await readOf(other)]).toEqual([EVENTS, 0, 0]);
    expect(await server.rows(`select 1 from sessions where transcript_path = '${other.path}'`)).toEqual([]);
  });
});
