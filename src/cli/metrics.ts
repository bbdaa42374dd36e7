import { MEASURES } from '../wire/measures.ts';
import type { Define } from './commands.ts';
import { whole } from './options.ts';
import { hint } from './print.ts';
import { table } from './table.ts';

const ANSWERS = {
  yes: 'Yes.',
  no: 'No, they repeated more.',
  chance: 'It cannot be told from chance.',
  few: 'Too few sessions to say.',
  none: 'Nobody can say yet.',
};

/** Prints whether Lore helps. */
const metrics: Define = (command, { io, call }) =>
  command.option('--days <n>', 'over the last days (1 to 365)', whole(1), '7').action(async (query) => {
    const found = await call('GET /v1/metrics', { query });
    if (io.json) return io.print(found);
    const { comparison, told, measures, llm } = found;
    const answer = `${ANSWERS[comparison.answer]} ${comparison.sentence}`;
    hint(io, `The last ${found.days} days\n\nDid errors repeat less? ${answer}`);
    if (comparison.answer === 'none') hint(io, comparison.periods.sentence);
    if (comparison.repeatedErrors.change !== null) hint(io, `- ${comparison.repeatedErrors.sentence}`, '  ');
    const { memory, withheld } = comparison.medians;
    const both = (a: number | null, b: number | null) => [Math.round(a ?? 0), Math.round(b ?? 0)];
    if (memory.seconds !== null && withheld.seconds !== null) {
      const rows = [
        ['shell commands', ...both(memory.commands, withheld.commands)],
        ['seconds at work', ...both(memory.seconds, withheld.seconds)],
        ['tokens', ...both(memory.tokens, withheld.tokens)],
      ];
      io.log(`\n${table(io, ['median of a session', 'with memory', 'without'], rows)}`);
    }
    const kinds = told.byKind.map((one) => [
      ...[one.kind, one.told, one.tokens, one.helped, one.failed, one.unused],
    ]);
    if (kinds.length > 0)
      io.log(`\n${table(io, ['told', 'times', 'tokens', 'helped', 'failed', 'unused'], kinds)}`);
    const met = (value: boolean | null) => (value === null ? '' : value ? 'met' : 'missed');
    const rows = measures.map((one) => [MEASURES[one.name] ?? one.name, one.n, met(one.met), one.sentence]);
    io.log(`\n${table(io, ['measure', 'n', 'target', 'so far'], rows)}`);
    if (!llm.configured) return hint(io, '\nNo model is set up: lore doctor says how.');
    const number = (n: number) => n.toLocaleString('en-US');
    hint(
      io,
      `\nThe model (${llm.model}, ${llm.state}), today: ${number(llm.usedToday)} of ${number(llm.dailyTokens)} tokens, ${number(llm.leftToday)} left; ${llm.callsToday} of ${number(llm.dailyCalls)} calls.`,
    );
    if (llm.days.length === 0) return;
    const days = llm.days.map((d) => [d.day, d.purpose, d.requests, d.inputTokens, d.outputTokens]);
    io.log(table(io, ['day', 'for', 'calls', 'tokens in', 'tokens out'], days));
  });

export const commands = { metrics };
