import type { Decision, Fact, Relation } from '../../base/wire/routes.ts';
import { api } from '../data/api.ts';
import { percent, times } from '../data/words.ts';
import { clock } from '../ui/time.tsx';
import {
  type Action,
  partOf,
  type RecordKind,
  type Row,
  type Shown,
  type Standing,
  sessionPair,
} from './kind.ts';

// Facts, relations and decisions: what holds, since when, and who said so.

const BY: Record<Fact['tier'], string> = {
  person: 'you',
  observed: 'what was observed',
  agent: 'an agent',
  inferred: 'Lore, from what it saw',
};
const inWords = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
const edgeOf = ({ from, relation, to }: Relation): string => `${from.key} ${relation} ${to.key}`;
const when = ({ condition }: Decision): string => `when ${condition.replace(/^when /i, '')}`;

type Statement = Fact | Relation | Decision;

function standingOf({ validFrom, validUntil, recordedUntil }: Statement): Standing {
  if (recordedUntil !== null) return { tone: 'quiet', word: 'No longer believed' };
  if (Date.parse(validFrom) > Date.now()) return { tone: 'accent', word: 'Not yet' };
  const over = validUntil !== null && Date.parse(validUntil) <= Date.now();
  return over ? { tone: 'quiet', word: 'Ended' } : { tone: 'ok', word: 'Holds' };
}

const rowOf = (one: Statement, title: string, detail: string): Row => ({
  id: one.id,
  title,
  project: one.project,
  detail: [detail, `said by ${BY[one.tier]}`],
  at: one.validFrom,
  standing: standingOf(one),
});

const end = (run: Action['run']): Action => ({
  label: 'End it',
  look: 'bad',
  question: 'It no longer holds from now on, and no agent is told it. Its history stays.',
  yes: 'End it',
  run,
});

/**
 * Returns what is shown of a statement.
 *
 * @param said what it says, in a line of its history
 */
function shownOf<T extends Statement>(
  one: T & { history: T[] },
  title: string,
  said: (one: T) => string,
  pairs: Shown['pairs'],
  ending: Action['run'],
): Shown {
  const standing = standingOf(one);
  return {
    title,
    standing,
    project: one.project,
    pairs: [
      ['Valid from', clock(one.validFrom)],
      ['Valid until', one.validUntil === null ? 'still valid' : clock(one.validUntil)],
      ...pairs,
      ['Confirmed', one.confirmations === 0 ? null : times(one.confirmations)],
      ['Said by', BY[one.tier]],
      ['Agent', one.agent],
      sessionPair(one.sessionId),
      ['Evidence', one.evidence],
    ],
    parts: partOf(
      'History',
      [...one.history].reverse().map((row) => ({
        id: row.id,
        title: said(row),
        detail: [
          `${clock(row.validFrom)} – ${row.validUntil === null ? '' : clock(row.validUntil)}`,
          row.recordedUntil && 'no longer believed',
        ],
        at: row.recordedAt,
        href: null,
      })),
    ),
    actions: standing.word === 'Holds' || standing.word === 'Not yet' ? [end(ending)] : [],
  };
}

export const fact: RecordKind = {
  many: 'Facts',
  one: 'Fact',
  about: 'Values that hold, and since when: ports, versions, names',
  first: 'Agents state what they learn; so can you: lore facts set service port 8081.',
  asOf: true,
  list: async ({ project, asOf, limit }, signal) =>
    (await api('GET /v1/facts', { query: { project, asOf, limit }, ...signal })).facts.map((one) =>
      rowOf(one, `${one.key}: ${inWords(one.value)}`, one.type),
    ),
  read: async (id, signal) => {
    const one = await api('GET /v1/facts/{id}', { params: { id }, ...signal });
    const { type, key } = one;
    const project = one.project ?? undefined;
    return shownOf<Fact>(
      one,
      `${key}: ${inWords(one.value)}`,
      (row) => inWords(row.value),
      [['Type', type]],
      () => api('POST /v1/facts/end', { body: { type, key, ...(project && { project }) } }),
    );
  },
};

export const relation: RecordKind = {
  many: 'Relations',
  one: 'Relation',
  about: 'How services, files and people belong together',
  first: 'Agents state them as they learn them; so can you: lore relations set.',
  asOf: true,
  list: async ({ project, asOf, limit }, signal) =>
    (await api('GET /v1/relations', { query: { project, asOf, limit }, ...signal })).relations.map((one) =>
      rowOf(one, edgeOf(one), `${one.from.type} → ${one.to.type}`),
    ),
  read: async (id, signal) => {
    const one = await api('GET /v1/relations/{id}', { params: { id }, ...signal });
    const { from, relation: of, to } = one;
    const project = one.project ?? undefined;
    return shownOf<Relation>(
      one,
      edgeOf(one),
      edgeOf,
      [
        ['From', `${from.type} ${from.key}`],
        ['To', `${to.type} ${to.key}`],
        ['Attributes', Object.keys(one.attributes).length > 0 ? JSON.stringify(one.attributes) : null],
      ],
      () => api('POST /v1/relations/end', { body: { from, relation: of, to, ...(project && { project }) } }),
    );
  },
};

export const decision: RecordKind = {
  many: 'Decisions',
  one: 'Decision',
  about: 'In this case, do that: told to agents when the case comes up',
  first: 'Agents state what was decided; so can you: lore decisions make.',
  asOf: true,
  list: async ({ project, asOf, limit }, signal) =>
    (await api('GET /v1/decisions', { query: { project, asOf, limit }, ...signal })).decisions.map((one) =>
      rowOf(one, one.action, when(one)),
    ),
  read: async (id, signal) => {
    const one = await api('GET /v1/decisions/{id}', { params: { id }, ...signal });
    const pairs: Shown['pairs'] = [
      ['When', when(one).slice('when '.length)],
      ['Confidence', percent(one.confidence)],
    ];
    return shownOf<Decision>(
      one,
      one.action,
      (row) => row.action,
      pairs,
      () => api('POST /v1/decisions/{id}/end', { params: { id: one.id }, body: {} }),
    );
  },
};
