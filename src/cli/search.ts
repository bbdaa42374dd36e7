import { onceEach } from '../base/wire/found.ts';
import { MEASURES } from '../base/wire/measures.ts';
import type { Body } from '../base/wire/wire.ts';
import { agoDays, asCalled, called, hint, percent, plain, short } from './print.ts';
import type { Action } from './rows.ts';
import { table } from './table.ts';

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
  const rows = measures.map((one) => [MEASURES[one.name] ?? one.name, one.n, met(one.met), one.sentence]);
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

export const actions = { search, metrics };
