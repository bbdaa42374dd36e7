import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { callServer } from './client.ts';
import type { Io } from './io.ts';
import { ago, plain } from './print.ts';
import { table } from './table.ts';

type Options = {
  lines?: string;
  grep?: string;
  regex?: string;
  context?: string;
  session?: string;
  project?: string;
  limit: string;
};

/** Prints lines of an observation with their numbers, or without an id the last observations. */
export async function showObservation(
  config: Config,
  io: Io,
  id: string | undefined,
  options: Options,
): Promise<void> {
  if (id === undefined) return list(config, io, options);
  const q = options.grep ?? options.regex;
  const query = {
    ...(options.lines !== undefined && rangeOf(options.lines)),
    q,
    context: options.context,
    ...(options.grep === undefined && options.regex !== undefined && { regex: 'true' as const }),
  };
  const found = await callServer(config, 'GET /v1/observations/{id}', { params: { id }, query });
  if (io.json) return io.print(found);
  const { content, matches, next, lines, whole, searched } = found;
  const shown = content.length === 0 ? 'none' : `${content[0]?.number}-${content.at(-1)?.number}`;
  const said = [
    // by this beginning, `outputText` on the server recognises an observation that is read again
    `[obs:${found.id}] lines ${shown === 'none' ? '0' : shown} of ${lines}`,
    ...(matches === null ? [] : [`${matches} match`]),
    ...(whole ? [] : ['its middle was too long to be kept']),
  ];
  io.log(said.join(', '));
  for (const { number, text, match } of content) {
    io.log(`${number}${match && options.context !== undefined ? ':' : ''}\t${plain(text)}`);
  }
  if (next === null) return;
  const why = searched ? 'more' : 'the search took too long; more';
  const to = q === undefined ? Math.min(next + 199, lines) : lines;
  io.log(`[${why}: the same with --lines ${next}-${to}]`);
}

async function list(config: Config, io: Io, options: Options): Promise<void> {
  const { limit, session, project } = options;
  const found = await callServer(config, 'GET /v1/observations', { query: { limit, session, project } });
  if (io.json) return io.print(found);
  if (found.observations.length === 0) return io.log('No observations.');
  const rows = found.observations.map((one) => [
    one.id,
    one.characters,
    one.lines,
    one.masked ? 'masked' : '',
    ago(one.at),
    `${one.tool} ${one.about.split('\n', 1)[0]}`,
  ]);
  io.log(
    table(io, ['id', 'characters', 'lines', '', 'when', 'what'], rows, { drop: ['lines', 'characters'] }),
  );
}

/** @throws Problem (400) if the text is neither a line number nor a range */
function rangeOf(text: string): { from: string; to: string } {
  const [, from, dash, to] = /^(\d{1,8})(?:(-)(\d{0,8}))?$/.exec(text.trim()) ?? [];
  if (from === undefined) {
    const detail = `--lines ${text}: must be a line or a range such as 100-200.`;
    throw new Problem({ status: 400, title: 'Bad range', detail });
  }
  return { from, to: dash === undefined ? from : to || String(Number(from) + 199) };
}
