// Plays two sessions that teach the same, the opposite, or two things, and looks at what is valid afterwards.
import type { Lore } from '../../bench/lore.ts';
import { openSession, post } from './play.ts';
import type { Pair } from './stories.ts';

type Row = { pairs: number; learned: number; right: number };

/**
 * Plays each pair twice: as two sessions, and as two lessons stated over the API.
 *
 * @param quiet resolves when nothing is being judged any more
 */
export async function playPairs(lore: Lore, pairs: Pair[], transcripts: string, quiet: () => Promise<void>) {
  const rows: Record<string, Row> = {};
  const details: unknown[] = [];
  for (const how of ['sessions', 'stated'] as const) {
    const rootOf = ({ id }: Pair) => `/home/dev/${how}-${id}`;
    // all first halves, then all second halves, so that the waiting is done twice and not for each pair
    for (const half of ['first', 'second'] as const) {
      for (const pair of pairs) {
        if (how === 'stated') {
          const lesson = { lesson: pair[half], context: 'Working on this project', appliesTo: ['project'] };
          await post(lore, '/v1/learnings', { project: rootOf(pair), ...lesson });
        } else {
          const session = openSession(lore, rootOf(pair), transcripts);
          const events = half === 'first' ? pair.S1 : pair.S2;
          await session.play({ t: 'start' }, ...events, { t: 'end' });
        }
      }
      await quiet();
    }
    for (const pair of pairs) {
      const path = `/v1/learnings?limit=100&project=${encodeURIComponent(rootOf(pair))}`;
      const learnings: { status: string; lesson: string }[] = JSON.parse(
        (await lore.get(path)).text,
      ).learnings;
      const valid = learnings.filter(({ status }) => status === 'active').map(({ lesson }) => lesson);
      rows[`${how}: ${pair.type}`] ??= { pairs: 0, learned: 0, right: 0 };
      const row = rows[`${how}: ${pair.type}`] as Row;
      row.pairs += 1;
      if (valid.length > 0) row.learned += 1;
      if (isRight(pair, valid)) row.right += 1;
      details.push({ how, id: pair.id, type: pair.type, right: isRight(pair, valid), valid });
    }
  }
  return { rows, details };
}

function isRight({ expected, keep, gone = [] }: Pair, valid: string[]): boolean {
  const has = (pattern: string) => new RegExp(pattern, 'im').test(valid.join('\n'));
  if (valid.length !== (expected === 'both' ? 2 : 1) || !keep.every(has)) return false;
  return expected !== 'newest' || !gone.some(has);
}
