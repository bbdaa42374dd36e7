import { Problem } from '../errors/problem.ts';
import type { Ask } from './ask.ts';

// Records of all kinds as an agent reads them: first one line each, then whole by their ids.

/** Where each kind of record is read. The order is that in which an id without a kind is looked for. */
const PLACES = {
  learning: 'GET /v1/learnings/{id}',
  note: 'GET /v1/notes/{id}',
  decision: 'GET /v1/decisions/{id}',
  finding: 'GET /v1/findings/{id}',
  episode: 'GET /v1/episodes/{id}',
  plan: 'GET /v1/plans/{id}',
  pattern: 'GET /v1/patterns/{id}',
  observation: 'GET /v1/observations/{id}',
  session: 'GET /v1/sessions/{id}',
} as const;
type Kind = keyof typeof PLACES;

/** Fields that say nothing to an agent. */
const NOT_SHOWN = new Set([
  'embedding',
  'userId',
  'judgements',
  'injections',
  'inSessions',
  'versions',
  'events',
]);

export type WholeRecord = { id: string; kind: string; record: Record<string, unknown> };

/**
 * Returns a record by a reference: `note:1a2b3c4d`, `lore:1a2b3c4d`, `obs:1a2b3c4d5e6f`, or an id alone.
 *
 * @throws Problem (404) when there is none
 */
export async function readRecord(ask: Ask, reference: string): Promise<WholeRecord> {
  const [, kind = '', id = ''] = /^(?:([a-z-]+):)?(.+)$/.exec(reference.trim().replace(/^\[|\]$/g, '')) ?? [];
  const known = kind === 'obs' ? 'observation' : kind;
  const kinds = (known in PLACES ? [known] : Object.keys(PLACES)) as Kind[];
  for (const one of kinds) {
    try {
      const record = await ask(PLACES[one], { params: { id } });
      return { id: reference, kind: one, record: shown(record) };
    } catch (error) {
      // not of this kind, or no id that this kind could have
      if (!(error instanceof Problem) || (error.status !== 404 && error.status !== 400)) throw error;
    }
  }
  throw new Problem({
    status: 404,
    title: 'Not found',
    detail: `There is no record ${reference}. Take ids from search, such as learning:1a2b3c4d.`,
  });
}

const shown = (record: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([name, value]) =>
        !NOT_SHOWN.has(name) && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  );
