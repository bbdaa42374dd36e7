import type { Tx } from '../db/open.ts';
import { openErrors } from '../incidents/incidents.ts';
import { ageInWords, type Offer, quote } from '../offers/frame.ts';
import { relativeTo } from '../relative-to.ts';
import { lastSession } from '../sessions/sessions.ts';
import { estimateTokens } from '../tokens.ts';

// Tells a session that begins how the last session of its project and branch ended.

/** Most tokens of a hand-off in an answer, with its number and indentation. */
const MAX_TOKENS = 150;
/**
 * What a start may tell for a hand-off besides all else, in tokens. What is more than `MAX_TOKENS` is for its
 * title.
 */
export const HAND_OFF_TOKENS = MAX_TOKENS + 5;
/** Longest form of each part, in tokens as `quote` cuts them. */
const LENGTH = { title: 25, said: 40, error: 25, call: 10, file: 15 };
const MOST = { errors: 2, files: 4 };
const SENTENCES = 2;
/** If the last message has fewer words (“Done.”), it says nothing and is left out. */
const MIN_WORDS = 4;

/**
 * Returns how the last session of a session's project and branch ended. Nothing if there is none from the last month in
 * which a tool was used.
 */
export async function handOff(
  tx: Tx,
  session: { id: string; projectId: string; branch: string | null },
  at: Date,
): Promise<Offer[]> {
  const last = await lastSession(tx, session);
  if (last === null) return [];
  const errors = await openErrors(tx, last.id, 10);
  const told = errors.map(({ target, error }) => ({ call: quote(target ?? '', LENGTH.call), error }));
  const different = told.filter(({ error }, i) => told.findIndex((one) => one.error === error) === i);
  const days = (at.getTime() - last.lastActivity.getTime()) / 86_400_000;
  const where = session.branch === null ? '' : `${quote(session.branch, 15)}, `;
  const title = last.title === null ? '' : ` “${quote(last.title, LENGTH.title)}”.`;
  const files = last.files.map((file) => quote(relativeTo(last.root, file), LENGTH.file));
  const rest = files.length - MOST.files;
  const lines = [
    `Last session here (${where}${ageInWords(Math.max(0, days))}):${title}${outcome(last.ended, different.length)}`,
    ...[last.said].flatMap((said) => {
      const sentences = said === null ? '' : firstSentences(said, SENTENCES);
      return sentences.split(' ').length < MIN_WORDS
        ? []
        : [`It ended with: ${quote(sentences, LENGTH.said)}`];
    }),
    ...different
      .slice(0, MOST.errors)
      .map(({ call, error }) => `Open error: ${call}${call && ': '}${quote(error, LENGTH.error)}`),
    ...(files.length === 0
      ? []
      : [`Files changed: ${files.slice(0, MOST.files).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`]),
  ];
  // the last lines are dropped first
  while (lines.length > 1 && estimateTokens(`9. ${lines.join('\n   ')}\n`) > MAX_TOKENS) lines.pop();
  return [{ kind: 'hand-off', sourceId: last.id, relevance: null, lines }];
}

/** Returns a sentence that says how the session ended. It is empty if the session just ended, as most do. */
function outcome(ended: boolean, errors: number): string {
  const open = errors === 0 ? '' : ` with ${errors === 1 ? 'an open error' : `${errors} open errors`}`;
  if (ended) return open && ` It ended${open}.`;
  return ` No end of it was recorded${open && `; it stopped${open}`}.`;
}

/** Returns the first sentences of a message as one line, without headings, code blocks and marks of a list. */
export function firstSentences(message: string, count: number): string {
  const lines = message
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split('\n')
    .map((line) =>
      line
        .replace(/^\s*(?:[-*•>]\s+|\d+[.)]\s+)/, '')
        .replace(/\*\*(.+?)\*\*/g, '$1')
        .trim(),
    )
    .filter((line) => line !== '' && !/^#{1,6}\s|^[-=*_|\s:]+$/.test(line));
  const sentences = lines.flatMap((line) => line.split(/(?<=[.!?])\s+(?=[\p{Lu}\p{N}`"“(])/u));
  return sentences
    .slice(0, count)
    .map((sentence) => (/[.!?:;…]$/.test(sentence) ? sentence : `${sentence}.`))
    .join(' ');
}
