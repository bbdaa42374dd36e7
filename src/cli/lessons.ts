import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { badRequest } from '../errors/problem.ts';
import { objectIn } from '../text/json.ts';
import type { ConsolidationReport, ConsolidationRun, Injection, Learning } from '../wire/routes.ts';
import type { Body } from '../wire/wire.ts';
import type { Cli, Define } from './commands.ts';
import { projectHere, textOf } from './here.ts';
import { each, listing, sub, time, whole } from './options.ts';
import { ago, called, counted, percent, plain, short } from './print.ts';
import { details, list } from './table.ts';
import { actedOf } from './verdicts.ts';

/** Returns how a lesson stands; as of an instant, how it stood then. */
const stateOf = ({ status, validUntil }: Learning, asOf?: string): string =>
  validUntil !== null && new Date(validUntil) <= (asOf === undefined ? new Date() : new Date(asOf))
    ? 'ended'
    : status;

const lessons: Define = (lessons, cli) => {
  const { io, call } = cli;
  listing(lessons)
    .option('-s, --status <status>', 'active, proposed or ended')
    .option('--as-of <time>', 'as they stood then (a day, or ISO 8601)', time)
    .action(async (query) => {
      const { learnings } = await call('GET /v1/learnings', { query });
      list(
        io,
        learnings,
        'No lessons.',
        'id project status conf.=confidence helped lesson',
        {
          status: (l) => stateOf(l, query.asOf),
          helped: ({ successCount: n, failureCount: m }) => n + m > 0 && `${n}/${n + m}`,
          lesson: (l) => `${l.stale?.length ? 'STALE ' : ''}${l.lesson}`,
        },
        'conf. helped project',
      );
    });
  sub(lessons, 'show <id>', 'a lesson and how it came to be').action((id) => showLesson(cli, id));
  addStating(lessons, cli);
  const ways = [
    ['approve', 'accept a lesson that is proposed', 'Approved'],
    ['retire', 'end it: agents are told it no more, its history stays', 'Retired'],
    ['erase', 'delete it permanently', 'Erased'],
  ] as const;
  for (const [name, text, done] of ways)
    sub(lessons, `${name} <id>`, text).action(async (id) => {
      const params = { params: { id } };
      if (name === 'erase') await call('DELETE /v1/learnings/{id}', params);
      else await call(`POST /v1/learnings/{id}/${name}`, params);
      io.answer({ id, done: name }, `${done} ${id}`);
    });
  sub(lessons, 'everywhere <id>', 'say that it holds in all your projects')
    .option('--off', 'only in its own project again')
    .action(async (id, { off }) => {
      const body = { everywhere: off !== true };
      const learning = await call('PATCH /v1/learnings/{id}', { params: { id }, body });
      io.answer(learning, `Told in ${off ? 'its own project' : 'all your projects'}: ${short(learning.id)}`);
    });
  for (const [name, text] of [
    ['good', 'say that it helped'],
    ['bad', 'say that it was wrong or did not help'],
  ] as const)
    sub(lessons, `${name} <id>`, text).action(async (id) => {
      const body = { helpful: name === 'good' };
      const learning = await call('POST /v1/learnings/{id}/feedback', { params: { id }, body });
      io.answer(learning, `Counted as ${name}; confidence is now ${percent(learning.confidence)}.`);
    });
};

const addStating = (command: Command, cli: Cli) =>
  sub(command, 'add <lesson>', 'state a lesson or a rule: it is active at once')
    .option('-p, --project <name>', 'the project it holds for; default: the project here')
    .option('-c, --context <text>', 'when it applies')
    .option('-a, --applies-to <item>', 'files, commands or tools; may be repeated', each)
    .option('-w, --why <text>', 'the reason')
    .option('--everywhere', 'it holds in all your projects')
    .action(async (lesson, options) => {
      const project = options.project ?? (await projectHere(cli.config, cli.io, { make: true }));
      const admitted = await cli.call('POST /v1/learnings', { body: { lesson, ...options, project } });
      const id = admitted.learning ? ` ${short(admitted.learning.id)}` : '';
      cli.io.answer(admitted, plain(`${admitted.decision}${id}: ${admitted.reason}`));
      // the same as for anything else that the server refuses
      if (admitted.decision === 'discarded') cli.exit(1);
    });

/** What came of a lesson in a session, as the page words it. Of a rule that was told nobody can say. */
const OUTCOMES: Record<string, string> = { helped: 'helped', failed: 'did not help', unused: 'not used' };

/** Shows a lesson: what it says, why it is there, to whom it was told and what came of it. */
async function showLesson({ io, call }: Cli, id: string): Promise<void> {
  const l = await call('GET /v1/learnings/{id}', { params: { id } });
  if (io.json) return io.print(l);
  const { guards } = await call('GET /v1/guards', { query: { lesson: l.id } });
  const { told } = l.inSessions;
  const sessions = new Map<string, Injection[]>();
  for (const one of l.injections) sessions.set(one.sessionId, [...(sessions.get(one.sessionId) ?? []), one]);
  const came = [...sessions].map(([session, offers]) => {
    const outcomes = new Set(offers.flatMap(({ outcome }) => OUTCOMES[outcome ?? 'unknown'] ?? []));
    return [`session ${short(session)}`, ago((offers[0] as Injection).injectedAt), ...outcomes].join(', ');
  });
  // it agrees with itself when the same is learned once more
  const named = (text: string) => l.versions.reduce((all, { id }) => all.replaceAll(id, 'this lesson'), text);
  io.log(plain(l.lesson));
  details(
    io,
    l,
    'id project status missing holds when=context about=appliesTo why error=sourceError keywords confidence written_by=evaluatedBy replaces=supersedes valid STALE guard judged told',
    {
      status: () => `${stateOf(l)}${l.validUntil ? ` ${ago(l.validUntil)}` : ''}`,
      missing: () => l.missing,
      holds: () => l.everywhere && 'in all your projects',
      confidence: () => `${percent(l.confidence)}; helped ${l.successCount}, failed ${l.failureCount}`,
      valid: () => `since ${ago(l.validFrom)}`,
      STALE: () => (l.stale ?? []).map(({ ref, state }) => `${ref} ${state}`),
      guard: () => guards.map((guard) => `${guard.about}; acted: ${actedOf(guard)}`),
      judged: () =>
        l.judgements.map(
          ({ decision, evaluator, reason }) => `${decision} by ${evaluator}: ${named(reason ?? '')}`,
        ),
      told: () => told > 0 && `in ${counted(told, 'session')}`,
    },
  );
  for (const one of came) io.log(`             ${one}`);
}

/** How an agent without Lore's tools answers what it is asked: with one JSON object, in its shell. */
const proposing = (command: Command) =>
  command
    .argument('[json]', 'without it, from standard input')
    .requiredOption('-s, --session <id>', 'the session, or its first 8 characters');

async function proposal({ config, io }: Cli, json: string | undefined, session: string) {
  const given = objectIn(json ?? (await textOf(io, [])));
  if (given === null) throw badRequest('json', 'give one JSON object, in quotes or on standard input');
  return { ...given, project: await projectHere(config, io), session, agent: 'orchestrator' };
}

function proposed({ io, exit }: Cli, answer: { id: string | null; state: string; reason: string }): void {
  io.answer(answer, `${answer.state}${answer.id === null ? '' : ` ${answer.id}`}: ${answer.reason}`);
  if (answer.id === null) exit(1);
}

const remember: Define = (command, cli) =>
  proposing(command)
    .description('{error, cause, do, applies_when}')
    .option('--everywhere', 'it is meant for all projects, once a person confirms it')
    .action(async (json, { session, everywhere }) => {
      const scope = everywhere && { scope: 'everywhere' as const };
      const body = { ...(await proposal(cli, json, session)), ...scope };
      proposed(cli, await cli.call('POST /v1/proposals', { body }));
    });

const rule: Define = (command, cli) => {
  proposing(command).action(async (json, { session }) => {
    const body = (await proposal(cli, json, session)) as unknown as Body<'POST /v1/proposals/rules'>;
    proposed(cli, await cli.call('POST /v1/proposals/rules', { body }));
  });
  addStating(command, cli);
};

const amendments: Define = (command, { io, call }) => {
  listing(command)
    .option('-r, --record <id>', 'only links from or to this record')
    .action(async (query) => {
      const { amendments } = await call('GET /v1/amendments', { query });
      const lines = amendments.flatMap(({ id, newer, older, evidence, createdAt, undoneAt }) => {
        const { words, similarity } = evidence;
        const why = similarity === null ? words : `“${words}”, similarity ${similarity.toFixed(2)}`;
        return [
          `${short(id)}  ${why}, ${ago(createdAt)}${undoneAt === null ? '' : ', undone'}`,
          `  newer ${short(newer.id)}  ${plain(newer.content.split('\n')[0] ?? '')}`,
          `  older ${short(older.id)}  ${plain(older.content.split('\n')[0] ?? '')}`,
        ];
      });
      io.answer(amendments, ...(lines.length === 0 ? ['Nothing amends anything.'] : lines));
    });
  for (const [name, text, done] of [
    ['undo', 'stop search from ranking the newer record above the older', 'Undone'],
    ['restore', 'take back an undo', 'Restored'],
  ] as const)
    sub(command, `${name} <id>`, text).action(async (id) =>
      io.answer(await call(`POST /v1/amendments/{id}/${name}`, { params: { id } }), `${done} ${id}`),
    );
};

/** What a night changed. */
type Change = ConsolidationReport['items'][number];

const consolidate: Define = (command, { io, call }) => {
  const show = async (id: string) => {
    const report = await call('GET /v1/consolidation/runs/{id}', { params: { id } });
    io.answer(report, headOf(report), ...report.items.flatMap(linesOf));
  };
  command
    .option('--list', 'list the nights')
    .option('--show <run>', 'show what a night changed, and why; an id or `last`')
    .option('-n, --limit <n>', 'most nights in the list', whole(1), '20')
    .action(async (options) => {
      if (options.list) {
        const { runs } = await call('GET /v1/consolidation/runs', { query: { limit: options.limit } });
        return io.answer(runs, ...(runs.length === 0 ? ['No night yet.'] : runs.map(headOf)));
      }
      if (options.show !== undefined) return show(options.show);
      let run = await call('POST /v1/consolidation/runs');
      while (run.finishedAt === null) {
        if (run.error !== null) io.error(`${run.stage}: ${run.error}; it is tried again`);
        await sleep(300);
        run = await call('GET /v1/consolidation/runs/{id}', { params: { id: run.id } });
      }
      return show(run.id);
    });
};

function headOf({ id, startedBy, stage, startedAt, finishedAt, error, counts }: ConsolidationRun): string {
  const done = Object.entries(counts).map(([name, n]) => `${n} ${name}`);
  const state = finishedAt === null ? `${stage}${error === null ? '' : `: ${error}`}` : 'done';
  return `${short(id)}  ${ago(startedAt)}, by ${startedBy}, ${state}: ${done.join(', ') || 'no changes'}`;
}

const linesOf = ({ id, action, kind, recordId, text, reason, undoneAt }: Change): string[] => [
  `  ${short(id)}  ${action} ${called(kind)} ${short(recordId)}: ${plain(reason)}${undoneAt ? ' (undone)' : ''}`,
  ...(text ? [`    ${plain(text.split('\n')[0] ?? '')}`] : []),
];

const undo: Define = (command, { io, call }) =>
  command
    .argument('<run>', 'id of a night or its first 8 characters, or `last`')
    .argument('[item]', 'one of its changes; without it all of them')
    .action(async (id, item) => {
      const answer = await call('POST /v1/consolidation/runs/{id}/undo', { params: { id }, query: { item } });
      io.answer(answer, answer.undone === 0 ? 'There was nothing to undo.' : `Undone: ${answer.undone}.`);
    });

export const commands = { lessons, remember, rule, amendments, consolidate, undo };
