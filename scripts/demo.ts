import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { armOf } from '../src/offers/holdout.ts';
import type { Lore } from '../test/bench/lore.ts';
import { type Random, seeded } from '../test/bench/sessions.ts';
import { lessonRecord } from '../test/learnings/mend.ts';
import { insisting } from '../test/support/asking.ts';
import { DENIED, LESSONS, NIGHT, PLANS, PROJECTS, STORIES, type Story, WRONG } from './demo-stories.ts';

// Fills a server with what a person might have after some weeks, through the hooks and the API, as agents do.

export const HOLDOUT = 0.35;
const MODEL = 'claude-sonnet-4-5';

/** Sends a request with the owner's key. */
export type Ask = <T>(method: string, path: string, body?: object) => Promise<T>;

export const asker = (lore: Lore): Ask => insisting(lore.url, lore.key);

/** A session of the client: what it sends to the hooks, and a transcript that names the model and its tokens. */
function client(lore: Lore, folder: string, project: string, branch = 'main', id: string = randomUUID()) {
  const cwd = `/home/ada/${project}`;
  const transcript = join(folder, `${id}.jsonl`);
  const send = (event: string, fields: object = {}) =>
    lore.hook({ session_id: id, transcript_path: transcript, cwd, hook_event_name: event, ...fields });
  let calls = 0;
  const call = (tool: string, input: object) => ({
    tool_name: tool,
    tool_input: input,
    tool_use_id: `toolu_${id}_${calls++}`,
  });
  const thought = (tokens: number) => {
    const usage = {
      input_tokens: 40,
      cache_creation_input_tokens: tokens,
      cache_read_input_tokens: 20_000,
      output_tokens: Math.round(tokens / 6),
    };
    appendFileSync(
      transcript,
      `${JSON.stringify({ type: 'assistant', message: { id: randomUUID(), model: MODEL, usage } })}\n`,
    );
  };
  const answered = { stdout: '', stderr: '', interrupted: false, isImage: false };
  return {
    id,
    send,
    thought,
    start: () =>
      send('SessionStart', {
        source: 'startup',
        lore: { root: cwd, repo: null, branch, deliveryId: randomUUID() },
      }),
    prompt: (prompt: string) => send('UserPromptSubmit', { prompt, prompt_id: randomUUID() }),
    async runs(command: string, stdout = 'ok', error?: string) {
      const asked = call('Bash', { command });
      await send('PreToolUse', asked);
      if (error !== undefined)
        await send('PostToolUseFailure', {
          ...asked,
          error: `Exit code 1\n${error}`,
          is_interrupt: false,
          duration_ms: 900,
        });
      else
        await send('PostToolUse', { ...asked, tool_response: { ...answered, stdout }, duration_ms: 1_400 });
      thought(900);
    },
    wants: (command: string) => send('PreToolUse', call('Bash', { command })),
    edits: (file: string, before: string, after: string) =>
      send('PostToolUse', {
        ...call('Edit', { file_path: `${cwd}/${file}`, old_string: before, new_string: after }),
        tool_response: { filePath: `${cwd}/${file}`, oldString: before, newString: after },
      }),
    stop: (message: string) =>
      send('Stop', {
        prompt_id: randomUUID(),
        stop_hook_active: false,
        last_assistant_message: message,
        background_tasks: [],
      }),
    end: () => send('SessionEnd', { reason: 'other' }),
  };
}

/** How long ago a session of the past was, by the client's id, and how slowly it went. */
export type Past = { id: string; daysAgo: number; slower: number }[];

/** Plays the sessions of some weeks. They happen now; `past` says where they belong. */
export async function playPast(lore: Lore, folder: string): Promise<Past> {
  const ask = asker(lore);
  const { userId } = await ask<{ userId: string }>('GET', '/v1/me');
  const random = seeded(17);
  const past: Past = [];
  for (let n = 0; n < 84; n++) {
    const story = STORIES[n % STORIES.length] as Story;
    const session = client(lore, folder, story.project, story.branch);
    const withheld = armOf(userId, session.id, HOLDOUT) === 'withheld';
    // with memory the same mistake gets rarer
    const stumbles = n < STORIES.length || (withheld ? random() < 0.85 : random() < 0.6 - n / 140);
    await play(session, story, stumbles, random);
    past.push({ id: session.id, daysAgo: 29.4 - (n / 84) * 29, slower: 60 + random() * 240 });
  }
  for (const lesson of LESSONS) await ask('POST', '/v1/learnings', lesson);
  return past;
}

async function play(session: ReturnType<typeof client>, story: Story, stumbles: boolean, random: Random) {
  await session.start();
  await session.prompt(story.prompt);
  await session.runs(`git checkout -b ${story.branch}`);
  if (stumbles) {
    await session.runs(story.command, '', story.error);
    if (random() < 0.4) await session.runs(story.command, '', story.error);
  }
  await session.edits(story.file, story.before, story.after);
  await session.runs(story.command, story.passed);
  await session.runs('npm run lint', 'no problems');
  await session.runs(`git commit -am "${story.title}"`, '1 file changed');
  session.thought(2_000 + Math.round(random() * 6_000));
  await session.stop(story.said);
  await session.end();
}

/** Plays what goes on at the moment: running sessions, plans, denied commands, a night's report, devices. */
export async function playToday(lore: Lore, folder: string): Promise<Past> {
  const ask = asker(lore);
  const random = seeded(4);
  const past: Past = [];
  for (const [n, story] of STORIES.slice(0, 4).entries()) {
    const session = client(lore, folder, story.project, story.branch);
    await play(session, story, n % 2 === 0, random);
    past.push({ id: session.id, daysAgo: 0.11 - n / 50, slower: 300 + random() * 900 });
  }
  await remember(ask);

  const [shop, billing] = [
    client(lore, folder, PROJECTS[0], 'checkout-v2'),
    client(lore, folder, PROJECTS[1], 'invoices'),
  ];
  shop.thought(4_000);
  await shop.start();
  await shop.prompt('Go on with the checkout: the payment form has to work with the new provider.');
  billing.thought(2_500);
  await billing.start();
  await billing.prompt('Add the second page to invoices with more than 20 lines.');
  for (const { project, goal, constraints, steps } of PLANS) {
    const plan = await ask<{ id: string }>('POST', '/v1/plans', {
      project: `/home/ada/${project}`,
      goal,
      constraints,
      agent: 'orchestrator',
      steps: steps.map(({ description, after = [] }) => ({ description, dependencies: after })),
    });
    const step = (number: number, what: string, body: object) =>
      ask('POST', `/v1/plans/${plan.id}/steps/${number}/${what}`, body);
    for (const [n, { agent, done, note, waitsFor, running, failed }] of steps.entries()) {
      if (agent && (done || running || failed)) await step(n + 1, 'claim', { agent });
      if (note) await step(n + 1, 'notes', { agent: agent ?? 'orchestrator', text: note });
      if (agent && done) await step(n + 1, 'complete', { agent, outcome: done });
      if (agent && failed) await step(n + 1, 'fail', { agent, outcome: failed });
      if (waitsFor) await ask('PATCH', `/v1/plans/${plan.id}/steps/${n + 1}`, { waitingFor: waitsFor });
    }
  }
  await shop.runs('npm test -- checkout', '18 tests passed');
  await shop.edits('src/checkout/form.tsx', 'useStripe()', 'usePayments()');
  await shop.runs(
    'npm run typecheck',
    '',
    "src/checkout/form.tsx(41,9): error TS2339: Property 'confirm' does not exist on type 'Payments'.",
  );
  await billing.runs('pytest tests/test_invoice.py -q', '31 passed in 4.2s');
  for (const [n, command] of DENIED.entries()) await (n % 2 === 0 ? shop : billing).wants(command);
  const { checks } = await ask<{ checks: { code: string; command: string }[] }>(
    'GET',
    '/v1/commands/checks?decision=deny',
  );
  for (const { code, command } of checks) {
    if (command !== DENIED.at(-1)) await ask('POST', '/v1/commands/overrule', { code, decision: 'deny' });
  }
  await ask('POST', '/v1/keys', { name: 'Firefox on Windows', scope: 'device' });
  past.push({ id: shop.id, daysAgo: 0.02, slower: 500 }, { id: billing.id, daysAgo: 0.01, slower: 300 });
  return past;
}

/** States lessons that say the same and such as were wrong, and lets a night merge and close them. */
async function remember(ask: Ask): Promise<void> {
  const wrong = WRONG.map((lesson, n) => ({ ...recordOf(lesson, n), confidence: 0.3 }));
  const records = [...NIGHT.map(recordOf), ...wrong];
  const { failed } = await ask<{ failed: unknown[] }>('POST', '/v1/import', { records });
  if (failed.length > 0) throw new Error(JSON.stringify(failed));
  const night = await ask<{ id: string }>('POST', '/v1/consolidation/runs');
  for (let tries = 0; tries < 120; tries++) {
    const { finishedAt } = await ask<{ finishedAt: string | null }>(
      'GET',
      `/v1/consolidation/runs/${night.id}`,
    );
    if (finishedAt !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** A lesson as an export has it, so that it is taken as it is. */
function recordOf({ project, lesson, context, appliesTo }: (typeof NIGHT)[number], n: number) {
  const record = lessonRecord(lesson, new Date(Date.now() - (12 - n) * 86_400_000));
  return { ...record, project: `/home/ada/${project}`, context, appliesTo };
}

/** Returns statements that put the sessions of the past where they belong, and the tokens that a model cost since. */
export function moveToPast(past: Past): string[] {
  const rows = past.map(
    ({ id, daysAgo, slower }) => `('${id}', ${daysAgo.toFixed(3)}, ${slower.toFixed(0)})`,
  );
  const moved = (table: string, session: string, ...columns: string[]) =>
    `update ${table} t set ${columns
      .map((column) => `${column} = m.began + (t.${column} - m.started_at) * m.slower`)
      .join(', ')} from moved m where t.${session} = m.id`;
  return [
    `create temp table moved as
       select s.id, s.started_at, now() - make_interval(secs => p.days_ago * 86400) as began, p.slower
       from (values ${rows.join(', ')}) p (client, days_ago, slower)
       join sessions s on s.client_session_id = p.client`,
    moved('events', 'session_id', 'occurred_at', 'received_at'),
    moved('incidents', 'session_id', 'opened_at', 'resolved_at'),
    moved('episodes', 'session_id', 'started_at', 'ended_at'),
    moved('offers', 'session_id', 'offered_at', 'settled_at'),
    moved('command_checks', 'session_id', 'checked_at'),
    moved('session_measures', 'session_id', 'started_at'),
    moved(
      'learnings',
      'source_session_id',
      'created_at',
      'updated_at',
      'valid_from',
      'valid_until',
      'last_confirmed_at',
    ),
    `update session_measures t set working_ms = working_ms * m.slower
     from moved m where t.session_id = m.id`,
    `update turns t set started_at = m.began + (t.started_at - m.started_at) * m.slower,
       ended_at = m.began + (t.ended_at - m.started_at) * m.slower
     from moved m join sessions s on s.id = m.id where t.session = s.client_session_id`,
    moved('sessions', 'id', 'last_activity', 'ended_at', 'started_at'),
    `update projects p set last_activity =
       (select max(s.last_activity) from sessions s where s.project_id = p.id)
     where exists (select from sessions s where s.project_id = p.id)`,
    `update dashboard_projects d set last_activity = p.last_activity from projects p where p.id = d.project_id`,
    // lessons that a person stated, some of which have come in useful
    `update learnings set created_at = created_at - n * interval '31 hours', valid_from = valid_from - n * interval '31 hours',
       usage_count = n * 3 % 11, success_count = n * 2 % 7, confidence = 0.68 + n * 3 % 8 * 0.04
     from (select id as lesson_id, row_number() over (order by created_at desc) as n from learnings
       where source_session_id is null and valid_until is null) stated where id = lesson_id`,
    `insert into llm_usage (user_id, day, purpose, model, requests, failures, input_tokens, output_tokens)
     select user_id, current_date - d, purpose, 'gemini-2.5-flash', calls, case when d % 9 = 0 then 1 else 0 end,
       calls * (size + (d * 37) % 400), calls * size / 9
     from profiles, generate_series(0, 29) d,
       (values ('distil', 14, 2600), ('audit', 4, 5200), ('safety', 6, 700)) p (purpose, calls_a_day, size),
       lateral (select 1 + (p.calls_a_day * (3 + (d * 13) % 7)) / 6 as calls) c
     where d % 7 not in (1, 2)`,
  ];
}
