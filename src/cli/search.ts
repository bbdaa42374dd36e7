import type { Config } from '../config.ts';
import { onceEach } from '../wire/found.ts';
import type { Note } from '../wire/routes.ts';
import { callServer } from './client.ts';
import { asCalled } from './hint.ts';
import type { Io } from './io.ts';
import { agoDays, called, percent, plain } from './print.ts';
import { say } from './wrap.ts';

export async function search(
  config: Config,
  io: Io,
  query: string,
  options: {
    project?: string;
    limit: string;
    asOf?: string;
    superseded?: boolean;
    judge?: boolean;
    explain?: boolean;
    channel?: string[];
    agent?: string;
    notAgent?: string;
    type?: Note['messageType'][];
    mention?: string[];
    breadcrumbs?: boolean;
    minWords?: string;
    scores?: boolean;
  },
): Promise<void> {
  const found = await callServer(config, 'POST /v1/search', {
    body: {
      query,
      limit: Number(options.limit),
      superseded: options.superseded === true,
      judge: options.judge === true,
      explain: options.explain === true,
      ...(options.project !== undefined && { project: options.project }),
      ...(options.asOf !== undefined && { asOf: options.asOf }),
      ...(options.channel && { channels: options.channel }),
      ...(options.agent !== undefined && { onlyAgent: options.agent }),
      ...(options.notAgent !== undefined && { excludeAgent: options.notAgent }),
      ...(options.type && { messageTypes: options.type }),
      ...(options.mention && { mentions: options.mention }),
      ...(options.breadcrumbs && { hasBreadcrumbs: true }),
      ...(options.minWords !== undefined && { minWords: Number(options.minWords) }),
    },
  });
  if (io.json) return io.print(found);
  if (found.degraded) io.error('note: the embedding model is not there; found by words alone');
  if (
    options.judge &&
    found.results.length > 0 &&
    !found.results.some(({ metadata }) => metadata.applicability)
  ) {
    io.error(
      'note: no model judged the results: it needs a Gemini key, spending that is on, and budget for today',
    );
  }
  const { filtered } = found;
  if (filtered && filtered.leftOut > 0) {
    io.log(`filters left out ${filtered.leftOut} of ${filtered.inScope} texts (${percent(filtered.share)})`);
  }
  if (found.results.length === 0) return io.log('Nothing found.');
  if (found.nothingClose) {
    io.log('Nothing close.');
    if (!options.scores && !options.explain)
      return io.log('What is least far from it: the same with --scores.');
  }
  for (const [i, { result, also }] of onceEach(found.results).entries()) {
    const similarity = result.similarity === null ? '' : `, similarity ${result.similarity.toFixed(2)}`;
    const scores = options.scores || options.explain ? `, score ${result.score.toFixed(2)}${similarity}` : '';
    say(io, plain(`${i + 1}. [${result.relevance.toUpperCase()}] ${result.title}`), '   ');
    io.log(
      `   ${called(result.kind)} ${result.id.slice(0, 8)}${scores}, confidence ${percent(result.confidence)}, ${agoDays(result.ageDays)}`,
    );
    if (also.length > 0)
      say(
        io,
        `   also: ${also.map(({ kind, id }) => `${called(kind)} ${id.slice(0, 8)}`).join(', ')}`,
        '   ',
      );
    const { applicability, stale } = result.metadata as {
      applicability?: { applies: boolean; why: string };
      stale?: { ref: string; state: string }[];
    };
    if (stale) io.log(`   STALE: ${plain(stale.map(({ ref, state }) => `${ref} ${state}`).join(', '))}`);
    if (applicability) {
      io.log(`   ${applicability.applies ? 'applies' : 'does not apply'}: ${plain(applicability.why)}`);
    }
    if (options.explain) io.log(`   ${JSON.stringify(result.metadata)}`);
  }
  io.log(asCalled(`rate them: lore rate ${found.id} --useful <id> --useless <id>`));
}

/** Says which results of a search were useful. */
export async function rate(
  config: Config,
  io: Io,
  id: string,
  options: { useful?: string[]; useless?: string[] },
): Promise<void> {
  const rated = await callServer(config, 'POST /v1/search/{id}/feedback', {
    params: { id },
    body: {
      ...(options.useful && { useful: options.useful }),
      ...(options.useless && { notUseful: options.useless }),
    },
  });
  if (io.json) return io.print(rated);
  io.log(`${rated.useful.length} useful, ${rated.notUseful.length} not.`);
}
