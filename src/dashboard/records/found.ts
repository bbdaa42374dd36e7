import { onceEach } from '../../base/wire/wire.ts';
import { api } from '../data/api.ts';
import { addressOfRecord, NAMES, shortId } from '../data/words.ts';
import type { RecordKind } from './kind.ts';

const TONES = { high: 'ok', medium: 'accent', low: 'quiet' } as const;

/** What a search finds, of all kinds at once: by meaning, by words or by id. */
export const found: RecordKind = {
  many: 'Search',
  one: 'Result',
  path: '/search',
  about: 'All of these at once, by meaning, words or id',
  first:
    'Lessons, notes, findings, facts, decisions, earlier work and what was said. Ask in your own words, or give the first 8 characters of an id.',
  words: 'What is it about? Or an id',
  list: async ({ q, project }, signal) => {
    if (q === undefined) return [];
    const body = { query: q, limit: 50, ...(project && { project }) };
    const { results, nothingClose } = await api('POST /v1/search', { body, ...signal });
    if (nothingClose) return [];
    return onceEach(results).map(({ result, also }) => ({
      id: `${result.kind} ${result.id}`,
      title: result.title,
      standing: { tone: TONES[result.relevance], word: result.relevance },
      ...(typeof result.metadata.project === 'string' && { project: result.metadata.project }),
      detail: [
        `${NAMES[result.kind] ?? result.kind} ${shortId(result.id)}`,
        result.relevance,
        also.length > 0 && `and ${also.length} more that ${also.length === 1 ? 'says' : 'say'} the same`,
      ],
      at: result.validFrom,
      href:
        addressOfRecord(result.kind, result.id) ??
        (typeof result.metadata.sessionId === 'string' ? `/sessions/${result.metadata.sessionId}` : null),
    }));
  },
};
