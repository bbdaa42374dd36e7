import { onceEach } from '../wire/found.ts';
import type { Define } from './commands.ts';
import { each, eachOf, time, whole, wholeId } from './options.ts';
import { agoDays, asCalled, called, hint, percent, plain, short } from './print.ts';

const search: Define = (command, { io, call }) =>
  command
    .argument('<query...>')
    .option('-p, --project <name>', 'only this project')
    .option('-n, --limit <n>', 'most results', whole(1), '10')
    .option('--as-of <time>', 'as things stood then (a day, or ISO 8601)', time)
    .option('--superseded', 'also what was replaced by something newer')
    .option('--scores', 'show scores, and also what is not close')
    .option('--explain', 'show what each score is made of')
    .option('--channel <name>', 'only notes in these channels; may be repeated', each)
    .option('--agent <name>', 'only what this agent wrote')
    .option('--not-agent <name>', 'not what this agent wrote')
    .option(
      '--type <type>',
      'only notes of these types: reflection, decision, pattern, policy; may be repeated',
      eachOf('reflection', 'decision', 'pattern', 'policy'),
    )
    .option('--mention <name>', 'only notes that mention one of these; may be repeated', each)
    .option('--breadcrumbs', 'only notes with breadcrumbs')
    .option('--min-words <n>', 'only what has so many words', whole(0))
    .action(async (words: string[], options) => {
      const { limit, scores, channel, agent, notAgent, type, mention, breadcrumbs, minWords, ...rest } =
        options;
      const found = await call('POST /v1/search', {
        body: {
          ...{ ...rest, query: words.join(' '), limit: Number(limit) },
          ...{ channels: channel, onlyAgent: agent, excludeAgent: notAgent, messageTypes: type },
          ...{ mentions: mention, hasBreadcrumbs: breadcrumbs },
          ...(minWords !== undefined && { minWords: Number(minWords) }),
        },
      });
      if (io.json) return io.print(found);
      const { results } = found;
      if (found.degraded) io.error('note: the embedding model is not there; found by words alone');
      if (results.length === 0) return io.log('Nothing found.');
      if (found.nothingClose) io.log('Nothing close.');
      if (found.nothingClose && !scores && !options.explain)
        return io.log('What is least far from it: the same with --scores.');
      for (const [i, { result, also }] of onceEach(results).entries()) {
        const similarity = result.similarity === null ? '' : `, similarity ${result.similarity.toFixed(2)}`;
        const score = scores || options.explain ? `, score ${result.score.toFixed(2)}${similarity}` : '';
        const { stale } = result.metadata as { stale?: { ref: string; state: string }[] };
        const named = also.map(({ kind, id }) => `${called(kind)} ${short(id)}`).join(', ');
        hint(io, plain(`${i + 1}. [${result.relevance.toUpperCase()}] ${result.title}`), '   ');
        io.log(
          `   ${called(result.kind)} ${short(result.id)}${score}, confidence ${percent(result.confidence)}, ${agoDays(result.ageDays)}`,
        );
        if (named !== '') hint(io, `   also: ${named}`, '   ');
        if (stale) io.log(`   STALE: ${plain(stale.map(({ ref, state }) => `${ref} ${state}`).join(', '))}`);
        if (options.explain) io.log(`   ${JSON.stringify(result.metadata)}`);
      }
      io.log(asCalled(`rate them: lore rate ${found.id} --useful <id> --useless <id>`));
    });

const rate: Define = (command, { io, call }) =>
  command
    .argument('<search>', 'id of the search, as it is printed', wholeId)
    .option('--useful <id>', 'ids of results, or their first 8 characters; may be repeated', each)
    .option('--useless <id>', 'the same; may be repeated', each)
    .action(async (id: string, { useful, useless }) => {
      const body = { useful, notUseful: useless };
      const rated = await call('POST /v1/search/{id}/feedback', { params: { id }, body });
      io.answer(rated, `${rated.useful.length} useful, ${rated.notUseful.length} not.`);
    });

export const commands = { search, rate };
