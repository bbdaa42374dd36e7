import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsolidationReport, ConsolidationRun } from '../base/wire/routes.ts';
import { type Body, onceEach } from '../base/wire/wire.ts';
import { headOf, look } from '../kinds/look.ts';
import { projectIn, rootHere } from './client.ts';
import { ago, agoDays, asCalled, called, hint, percent, plain, short } from './io.ts';
import { type Action, wrongUsage } from './rows.ts';
import { list, table } from './table.ts';

/** Looks at what the notes and lessons of the project here cite, reports what is seen, and says what is stale. */
const freshness: Action = async ({ project }: { project?: string }, cli) => {
  const { io, call } = cli;
  // as many citations as one report may contain
  const query = { project: project ?? (await projectIn(cli.config, io.cwd)), limit: 500 };
  const { citations } = await call('GET /v1/freshness', { query });
  if (citations.length === 0)
    return io.answer({ looked: 0, stale: 0, citations }, 'Nothing here is cited by a note or a lesson.');
  const root = rootHere(io);
  const looked = citations.map(({ kind, id, ref }) => ({ kind, id, ref, ...look(root, ref) }));
  const report = await call('POST /v1/freshness', { body: { head: headOf(root), looked } });
  const now = (await call('GET /v1/freshness', { query })).citations;
  const stale = now
    .filter(({ state }) => state === 'changed' || state === 'gone')
    .map(
      ({ kind, id, ref, state }) =>
        `${state?.padEnd(7)}  ${plain(ref.replace(/^(file|symbol):/, ''))}  (${called(kind)} ${short(id)})`,
    );
  const sum = `${report.looked} looked at, ${report.stale} of them stale`;
  io.answer({ ...report, citations: now }, [...stale, sum].join('\n'));
};

type ObsOptions = Partial<Record<'observation' | 'lines' | 'q' | 'session' | 'project', string>>;
const obs: Action = async (given: ObsOptions & { context?: number; limit?: number }, { io, call }) => {
  const { observation: id, lines: range, q, context, limit = 20, session, project } = given;
  if (id === undefined) {
    const answer = await call('GET /v1/observations', { query: { limit, session, project } });
    if (io.json) return io.print(answer);
    const what = (one: (typeof answer.observations)[number]) => `${one.tool} ${one.about.split('\n', 1)[0]}`;
    const names = 'id characters? lines? when=at what';
    return list(io, answer.observations, 'No observations.', names, { what });
  }
  const query = { ...(range !== undefined && rangeOf(range)), q, context };
  const found = await call('GET /v1/observations/{id}', { params: { id }, query });
  const { content, matches, next, lines, whole } = found;
  const span = content.length === 0 ? '0' : `${content[0]?.number}-${content.at(-1)?.number}`;
  const said = [
    // by this beginning, `outputText` on the server recognises an observation that is read again
    `[obs:${found.id}] lines ${span} of ${lines}`,
    ...(matches === null ? [] : [`${matches} match`]),
    ...(whole ? [] : ['its middle was too long to be kept']),
  ];
  const texts = content.map(
    ({ number, text, match }) => `${number}${match && context !== undefined ? ':' : ''}\t${plain(text)}`,
  );
  const to = next === null || q !== undefined ? lines : Math.min(next + 199, lines);
  const more = next === null ? [] : [`[more: the same with --lines ${next}-${to}]`];
  io.answer(found, [said.join(', '), ...texts, ...more].join('\n'));
};

/** @throws Problem (400) if the text is neither a line number nor a range */
function rangeOf(text: string): { from: string; to: string } {
  const [, from, dash, to] = /^(\d{1,8})(?:(-)(\d{0,8}))?$/.exec(text.trim()) ?? [];
  if (from !== undefined) return { from, to: dash === undefined ? from : to || String(Number(from) + 199) };
  throw wrongUsage(`--lines ${text}: must be a line or a range such as 100-200.`);
}

type Nights = { list?: boolean; show?: string; limit?: number };
const consolidate: Action = async ({ list, show: shown, limit = 20 }: Nights, { io, call }) => {
  const show = async (id: string) => {
    const report = await call('GET /v1/consolidation/runs/{id}', { params: { id } });
    io.answer(report, nightOf(report), ...report.items.flatMap(linesOf));
  };
  if (list) {
    const { runs } = await call('GET /v1/consolidation/runs', { query: { limit } });
    return io.answer(runs, ...(runs.length === 0 ? ['No night yet.'] : runs.map(nightOf)));
  }
  if (shown !== undefined) return show(shown);
  let run = await call('POST /v1/consolidation/runs');
  while (run.finishedAt === null) {
    if (run.error !== null) io.error(`${run.stage}: ${run.error}; it is tried again`);
    await sleep(300);
    run = await call('GET /v1/consolidation/runs/{id}', { params: { id: run.id } });
  }
  return show(run.id);
};

function nightOf({ id, startedBy, stage, startedAt, finishedAt, error, counts }: ConsolidationRun): string {
  const done = Object.entries(counts).map(([name, n]) => `${n} ${name}`);
  const state = finishedAt === null ? `${stage}${error === null ? '' : `: ${error}`}` : 'done';
  return `${short(id)}  ${ago(startedAt)}, by ${startedBy}, ${state}: ${done.join(', ') || 'no changes'}`;
}

const linesOf = (change: ConsolidationReport['items'][number]): string[] => {
  const { id, action, kind, recordId, text, reason, undoneAt } = change;
  const what = `${action} ${called(kind)} ${short(recordId)}: ${plain(reason)}`;
  const about = text ? [`    ${plain(text.split('\n')[0] ?? '')}`] : [];
  return [`  ${short(id)}  ${what}${undoneAt ? ' (undone)' : ''}`, ...about];
};

type SearchOptions = Body<'POST /v1/search'> & { explain?: boolean };
const search: Action = async ({ limit = 10, explain, ...body }: SearchOptions, { io, call }) => {
  const found = await call('POST /v1/search', { body: { ...body, limit, explain } });
  if (io.json) return io.print(found);
  const { results } = found;
  if (found.degraded)
    io.error('note: found by words alone: the embedding model is not there, or knows none of them');
  if (body.judge && results.length > 0 && !results.some(({ metadata }) => metadata.applicability))
    io.error('note: no model judged the results; lore doctor says why');
  if (results.length === 0) return io.log('Nothing found.');
  if (found.nothingClose) io.log('Nothing close.');
  if (found.nothingClose && !explain) return io.log('What is least far from it: the same with --explain.');
  for (const [i, { result, also }] of onceEach(results).entries()) {
    const similarity = result.similarity === null ? '' : `, similarity ${result.similarity.toFixed(2)}`;
    const sure = `, confidence of the record ${percent(result.confidence)}`;
    const score = explain ? `, score ${result.score.toFixed(2)}${similarity}${sure}` : '';
    const { applicability, stale } = result.metadata as {
      applicability?: { applies: boolean; why: string };
      stale?: { ref: string; state: string }[];
    };
    const named = also.map(({ kind, id }) => `${called(kind)} ${short(id)}`).join(', ');
    const about = `${called(result.kind)} ${short(result.id)}${score}, ${agoDays(result.ageDays)}`;
    hint(io, plain(`${i + 1}. [${result.relevance.toUpperCase()}] ${result.title}`), '   ');
    hint(io, `   ${about}${named === '' ? '' : `\n   also: ${named}`}`, '   ');
    if (stale) io.log(`   STALE: ${plain(stale.map(({ ref, state }) => `${ref} ${state}`).join(', '))}`);
    if (applicability)
      io.log(`   ${applicability.applies ? 'applies' : 'does not apply'}: ${plain(applicability.why)}`);
    if (explain) io.log(`   ${JSON.stringify(result.metadata)}`);
  }
  io.log(asCalled(`rate them: lore rate ${found.id} --useful <id> --useless <id>`));
};

const ANSWERS = {
  yes: 'Yes.',
  no: 'No, they repeated more.',
  chance: 'It cannot be told from chance.',
  few: 'Too few sessions to say.',
  none: 'Nobody can say yet.',
};

const wordsOf = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Prints whether Lore helps; the page and --json have the rest. */
const metrics: Action = async ({ days = 7 }: { days?: number }, { io, call }) => {
  const found = await call('GET /v1/metrics', { query: { days } });
  if (io.json) return io.print(found);
  const { comparison, measures, llm } = found;
  const answer = `${ANSWERS[comparison.answer]} ${comparison.sentence}`;
  hint(io, `The last ${found.days} days\n\nDid errors repeat less? ${answer}`);
  if (comparison.answer === 'none') hint(io, comparison.periods.sentence);
  if (comparison.repeatedErrors.change !== null) hint(io, `- ${comparison.repeatedErrors.sentence}`, '  ');
  const met = (value: boolean | null) => (value === null ? '' : value ? 'met' : 'missed');
  const rows = measures.map((one) => [wordsOf(one.name), one.n, met(one.met), one.sentence]);
  io.log(`\n${table(io, ['measure', 'n', 'target', 'so far'], rows)}`);
  if (!llm.configured) return hint(io, '\nNo model is set up: lore doctor says how.');
  const [used, all, left] = [llm.usedToday, llm.dailyTokens, llm.leftToday].map((n) =>
    n.toLocaleString('en-US'),
  );
  const calls = `${llm.callsToday} of ${llm.dailyCalls.toLocaleString('en-US')} calls`;
  hint(
    io,
    `\nThe model (${llm.model}, ${llm.state}), today: ${used} of ${all} tokens, ${left} left; ${calls}.`,
  );
};

export const actions = { freshness, obs, consolidate, search, metrics };
