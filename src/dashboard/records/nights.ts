import type { ConsolidationReport, ConsolidationRun } from '../../base/wire/routes.ts';
import { api } from '../data/api.ts';
import { addressOfRecord, joined, NAMES, shortId, upper } from '../data/words.ts';
import { clock } from '../ui/time.tsx';
import { type Action, partOf, type RecordKind, type Row, type Standing } from './kind.ts';

// Nights: what each changed, and the way back.

const standingOf = ({ finishedAt, error }: ConsolidationRun): Standing =>
  error !== null
    ? { tone: 'bad', word: 'Failed' }
    : finishedAt === null
      ? { tone: 'accent', word: 'Runs now', busy: true }
      : { tone: 'ok', word: 'Done' };

/** Returns what a night changed, in words. */
function changesOf({ counts }: ConsolidationRun): string {
  const did = ['merged', 'superseded', 'closed'].filter((what) => counts[what]);
  return did.map((what) => `${counts[what]} ${what}`).join(', ') || 'no changes';
}

const dayOf = (at: string): string => new Date(at).toLocaleDateString(undefined, { dateStyle: 'full' });

const undo = (id: string, label: string, question: string, item?: string): Action => ({
  label,
  look: 'bad',
  question,
  yes: 'Undo it',
  run: () => api('POST /v1/consolidation/runs/{id}/undo', { params: { id }, query: { item } }),
});

function changeRow(night: string, done: boolean, item: ConsolidationReport['items'][number]): Row {
  const { id, action, kind, recordId, keptId, text, reason, undoneAt } = item;
  return {
    id,
    title: text?.split('\n', 1)[0] ?? `${NAMES[kind] ?? kind} ${shortId(recordId)}`,
    detail: [undoneAt === null ? action : `${action}, then undone`, reason],
    standing: { tone: undoneAt === null ? 'accent' : 'quiet', word: action },
    href: addressOfRecord(kind, keptId ?? recordId),
    actions:
      undoneAt === null && done
        ? [undo(night, 'Undo', action === 'merged' ? 'Separate the two again?' : 'Make it active again?', id)]
        : [],
  };
}

export const night: RecordKind = {
  many: 'Nights',
  one: 'Night',
  path: '/nights',
  about: 'What each night tidied up, and the way back',
  first:
    'Every night at three o’clock Lore tidies up: it merges lessons that say the same, and ends those that failed. You can undo each change here.',
  tables: ['consolidation_runs', 'learnings'],
  most: 200,
  actions: [{ label: 'Run now', run: () => api('POST /v1/consolidation/runs') }],
  list: async ({ limit }, signal) =>
    (await api('GET /v1/consolidation/runs', { query: { limit }, ...signal })).runs.map((one) => ({
      id: one.id,
      title: dayOf(one.startedAt),
      detail: [one.error, upper(changesOf(one)), one.counts.undone ? `${one.counts.undone} undone` : null],
      at: one.startedAt,
      standing: standingOf(one),
    })),
  read: async (id, signal) => {
    const one = await api('GET /v1/consolidation/runs/{id}', { params: { id }, ...signal });
    const done = one.finishedAt !== null;
    const stand = one.items.filter(({ undoneAt }) => undoneAt === null).length;
    return {
      title: dayOf(one.startedAt),
      text: upper(changesOf(one)),
      standing: standingOf(one),
      project: null,
      notice: one.error,
      pairs: [
        ['Began', joined([clock(one.startedAt), one.startedBy === 'person' ? 'you asked' : 'by itself'])],
      ],
      parts: partOf(
        'Changes',
        one.items.map((item) => changeRow(id, done, item)),
      ),
      actions:
        done && stand > 1
          ? [
              undo(
                id,
                'Undo the whole night',
                `All ${stand} changes are undone, or none if a later one builds on them. What was deleted does not come back.`,
              ),
            ]
          : [],
    };
  },
};
