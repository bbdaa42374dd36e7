import type { Decision, Fact, Relation } from '../../../wire/routes.ts';
import { api } from '../../data/api.ts';
import { times } from '../../data/session.ts';
import { clock } from '../../ui/time.tsx';
import { PAGE, percent, periodOf, type RecordKind, type Row, type Shown, type Standing } from './kind.ts';

const BY: Record<Fact['tier'], string> = {
  person: 'you',
  observed: 'what was observed',
  agent: 'an agent',
  inferred: 'Lore, from what it saw',
};
const inWords = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
const edgeOf = ({ from, relation, to }: Relation): string => `${from.key} ${relation} ${to.key}`;

type Statement = Pick<
  Fact,
  | 'id'
  | 'project'
  | 'tier'
  | 'evidence'
  | 'sessionId'
  | 'agent'
  | 'validFrom'
  | 'validUntil'
  | 'recordedAt'
  | 'recordedUntil'
  | 'confirmations'
>;

function standingOf({ validFrom, validUntil, recordedUntil }: Statement, word: string): Standing {
  if (recordedUntil !== null) return { tone: 'quiet', word: 'No longer believed' };
  if (Date.parse(validFrom) > Date.now()) return { tone: 'accent', word: 'Not yet' };
  const over = validUntil !== null && Date.parse(validUntil) <= Date.now();
  return over ? { tone: 'quiet', word: 'Ended' } : { tone: 'ok', word };
}

const statementRow = (one: Statement, title: string, detail: Row['detail'], word: string): Row => ({
  id: one.id,
  title,
  project: one.project,
  detail: [...detail, `said by ${BY[one.tier]}`],
  at: one.validFrom,
  standing: standingOf(one, word),
});

function statementShown<T extends Statement>(
  one: T & { history: T[] },
  said: (one: T) => string,
  word: string,
): Pick<Shown, 'standing' | 'project' | 'validFrom' | 'validUntil' | 'origin' | 'history'> {
  const { project, validFrom, validUntil, sessionId: session, agent, evidence, tier } = one;
  return {
    standing: standingOf(one, word),
    project,
    validFrom,
    validUntil,
    origin: { session, agent, evidence, by: BY[tier] },
    history: [...one.history].reverse().map((row) => ({
      at: row.recordedAt,
      title: said(row),
      detail: `${periodOf(row)}${row.recordedUntil === null ? '' : `; no longer believed since ${clock(row.recordedUntil)}`}`,
    })),
  };
}

export const fact: RecordKind = {
  many: 'Facts',
  one: 'Fact',
  about: 'Values that hold, and since when: ports, versions, names',
  first: 'Say it while you work (“the staging port is 8081”), or state it: lore facts set service port 8081.',
  asOf: true,
  list: async ({ project, asOf, before }, signal) =>
    (await api('GET /v1/facts', { query: { project, asOf, before, limit: PAGE }, ...signal })).facts.map(
      (one) => statementRow(one, `${one.key}: ${inWords(one.value)}`, [one.type], 'Holds'),
    ),
  read: async (id, signal) => {
    const one = await api('GET /v1/facts/{id}', { params: { id }, ...signal });
    return {
      of: { kind: 'fact', is: one },
      ...statementShown(one, (row: Fact) => inWords(row.value), 'Holds'),
      title: `${one.key}: ${inWords(one.value)}`,
      pairs: [
        ['Type', one.type],
        ['Source', one.source],
        ['Confirmed', one.confirmations === 0 ? null : times(one.confirmations)],
      ],
    };
  },
};

export const relation: RecordKind = {
  many: 'Relations',
  one: 'Relation',
  about: 'How services, files and people belong together',
  first: 'Agents state them as they learn them; so can you: lore relations set.',
  asOf: true,
  list: async ({ project, asOf, before }, signal) =>
    (
      await api('GET /v1/relations', { query: { project, asOf, before, limit: PAGE }, ...signal })
    ).relations.map((one) => statementRow(one, edgeOf(one), [`${one.from.type} → ${one.to.type}`], 'Holds')),
  read: async (id, signal) => {
    const one = await api('GET /v1/relations/{id}', { params: { id }, ...signal });
    const more = Object.keys(one.attributes).length > 0 ? JSON.stringify(one.attributes) : null;
    return {
      of: { kind: 'relation', is: one },
      ...statementShown(one, edgeOf, 'Holds'),
      title: edgeOf(one),
      pairs: [
        ['From', `${one.from.type} ${one.from.key}`],
        ['To', `${one.to.type} ${one.to.key}`],
        ['Attributes', more],
        ['Source', one.source],
        ['Confirmed', one.confirmations === 0 ? null : times(one.confirmations)],
      ],
    };
  },
};

export const decision: RecordKind = {
  many: 'Decisions',
  one: 'Decision',
  about: 'In this case, do that: told to agents when the case comes up',
  first: 'Decide something aloud (“from now on we use pnpm”), or state it: lore decisions add.',
  asOf: true,
  list: async ({ project, asOf, before }, signal) =>
    (
      await api('GET /v1/decisions', { query: { project, asOf, before, limit: PAGE }, ...signal })
    ).decisions.map((one) =>
      statementRow(one, one.action, [`when ${one.condition.replace(/^when /i, '')}`], 'In force'),
    ),
  read: async (id, signal) => {
    const one = await api('GET /v1/decisions/{id}', { params: { id }, ...signal });
    return {
      of: { kind: 'decision', is: one },
      ...statementShown(one, (row: Decision) => row.action, 'In force'),
      title: one.action,
      text: `When ${one.condition.replace(/^when /i, '')}`,
      pairs: [
        ['Confidence', percent(one.confidence)],
        ['Learned from', one.learnedFrom],
        ['Confirmed', one.confirmations === 0 ? null : times(one.confirmations)],
      ],
    };
  },
};
