import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { callServer } from './client.ts';
import { ago, type Output, plain, print, table } from './print.ts';

type Listed = {
  id: string;
  characters: number;
  lines: number;
  tool: string;
  about: string;
  session: string;
  masked: boolean;
  at: string;
};
type Found = {
  id: string;
  lines: number;
  whole: boolean;
  content: { number: number; text: string; match: boolean }[];
  matches: number | null;
  next: number | null;
  searched: boolean;
};
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
  output: Output,
  id: string | undefined,
  options: Options,
): Promise<void> {
  if (id === undefined) return list(config, output, options);
  const q = options.grep ?? options.regex;
  const query = new URLSearchParams({
    ...(options.lines !== undefined && rangeOf(options.lines)),
    ...(q !== undefined && { q }),
    ...(options.context !== undefined && { context: options.context }),
    ...(options.grep === undefined && options.regex !== undefined && { regex: 'true' }),
  });
  const found = await callServer<Found>(config, 'GET', `/v1/observations/${encodeURIComponent(id)}?${query}`);
  if (output.json) return print(found);
  const { content, matches, next, lines, whole, searched } = found;
  const shown = content.length === 0 ? 'none' : `${content[0]?.number}-${content.at(-1)?.number}`;
  const said = [
    // by this beginning, `outputText` on the server recognises an observation that is read again
    `[obs:${found.id}] lines ${shown === 'none' ? '0' : shown} of ${lines}`,
    ...(matches === null ? [] : [`${matches} match`]),
    ...(whole ? [] : ['its middle was too long to be kept']),
  ];
  console.log(said.join(', '));
  for (const { number, text, match } of content) {
    console.log(`${number}${match && options.context !== undefined ? ':' : ''}\t${plain(text)}`);
  }
  if (next === null) return;
  const why = searched ? 'more' : 'the search took too long; more';
  const to = q === undefined ? Math.min(next + 199, lines) : lines;
  console.log(`[${why}: the same with --lines ${next}-${to}]`);
}

async function list(config: Config, output: Output, options: Options): Promise<void> {
  const query = new URLSearchParams({
    limit: options.limit,
    ...(options.session !== undefined && { session: options.session }),
    ...(options.project !== undefined && { project: options.project }),
  });
  const found = await callServer<{ observations: Listed[] }>(config, 'GET', `/v1/observations?${query}`);
  if (output.json) return print(found);
  if (found.observations.length === 0) return console.log('No observations.');
  const rows = found.observations.map((one) => [
    one.id,
    one.characters,
    one.lines,
    one.masked ? 'masked' : '',
    ago(one.at),
    `${one.tool} ${one.about.split('\n', 1)[0]}`,
  ]);
  console.log(table(['id', 'characters', 'lines', '', 'when', 'what'], rows));
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
