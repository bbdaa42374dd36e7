import type { Config } from '../config.ts';
import { MEASURES } from '../wire/measures.ts';
import { callServer } from './client.ts';
import { hint } from './hint.ts';
import type { Io } from './io.ts';
import { table } from './table.ts';
import { say } from './wrap.ts';

const ANSWERS = {
  yes: 'Yes.',
  no: 'No, they repeated more.',
  chance: 'It cannot be told from chance.',
  few: 'Too few sessions to say.',
  none: 'Nobody can say yet.',
};

/** Prints whether Lore helps. */
export async function metrics(config: Config, io: Io, options: { days: string }): Promise<void> {
  const found = await callServer(config, 'GET /v1/metrics', { query: { days: options.days } });
  if (io.json) return io.print(found);
  const { comparison, told, measures, llm } = found;
  say(
    io,
    `The last ${found.days} days\n\nDid errors repeat less? ${ANSWERS[comparison.answer]} ${comparison.sentence}`,
  );
  if (comparison.answer === 'none') say(io, comparison.periods.sentence);
  if (comparison.repeatedErrors.change !== null) say(io, `- ${comparison.repeatedErrors.sentence}`, '  ');
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
  if (told.byKind.length > 0) {
    const rows = told.byKind.map((one) => [
      one.kind,
      one.told,
      one.tokens,
      one.helped,
      one.failed,
      one.unused,
    ]);
    io.log(`\n${table(io, ['told', 'times', 'tokens', 'helped', 'failed', 'unused'], rows)}`);
  }
  const met = (value: boolean | null) => (value === null ? '' : value ? 'met' : 'missed');
  io.log(
    `\n${table(
      io,
      ['measure', 'n', 'target', ''],
      measures.map(({ name, n, met: reached, sentence }) => [
        MEASURES[name] ?? name,
        n,
        met(reached),
        sentence,
      ]),
    )}`,
  );
  if (!llm.configured) return hint(io, '\nNo model is set up: lore doctor says how.');
  const number = (n: number) => n.toLocaleString('en-US');
  say(
    io,
    `\nThe model (${llm.model}, ${llm.state}), today: ${number(llm.usedToday)} of ${number(llm.dailyTokens)} tokens, ${number(llm.leftToday)} left; ${llm.callsToday} of ${number(llm.dailyCalls)} calls.`,
  );
  if (llm.days.length === 0) return;
  io.log(
    table(
      io,
      ['day', 'for', 'calls', 'tokens in', 'tokens out'],
      llm.days.map((day) => [day.day, day.purpose, day.requests, day.inputTokens, day.outputTokens]),
    ),
  );
}
