import { stoppedIn } from '../commands/stopped.ts';
import type { Tx } from '../db/open.ts';
import { type ErrorAtEnd, errorsAtEnd } from '../incidents/at-end.ts';
import { fixesFor } from '../learnings/rules.ts';
import { dayOf, type Offer, quote } from '../offers/frame.ts';
import { wasOffered } from '../offers/offers.ts';
import type { Level } from '../offers/voice.ts';
import { lastSession } from '../sessions/sessions.ts';

// Tells a session that begins how the last session of its project and branch ended.

/** Longest form of each part, in tokens. */
const LENGTH = { stopped: 30, title: 25, said: 40, error: 30, call: 50, fix: 60 };
const MOST_STOPPED = 100;

/**
 * Returns in one line what the last session of a session's project and branch left open: the error that it ended with
 * and what is known to mend it, or what it asked or left undone in its last words. Nothing if there is no session from the
 * last month that changed a file, met an error or was stopped, or if it left nothing open.
 *
 * @param level if all is wanted, its last words are told whatever they say
 */
export async function handOff(
  tx: Tx,
  session: { id: string; projectId: string; branch: string | null },
  at: Date,
  level: Level,
): Promise<Offer[]> {
  const last = level === 'none' ? null : await lastSession(tx, session);
  if (last === null) return [];
  const [error] = await errorsAtEnd(tx, last.id);
  // a session that was handed on once is not the last one any more, unless its error is still open
  if (!error && level === 'few' && (await wasOffered(tx, session.id, last.id, 'elsewhere'))) return [];
  const stopped = last.status === 'stopped' ? await stoppedCalls(tx, last.id) : '';
  const what = error
    ? await openError(tx, session.projectId, error)
    : stopped || leftOpen(last.said ?? '', level);
  if (what === '') return [];
  const days = (at.getTime() - last.lastActivity.getTime()) / 86_400_000;
  const where = session.branch === null ? '' : `${quote(session.branch, 15)}, `;
  const title = last.title === null ? '' : `: “${quote(last.title, LENGTH.title)}”`;
  const line = `${last.followed ? 'An earlier' : 'Last'} session here (${where}${dayOf(Math.max(0, days))})${title}; ${what}`;
  return [{ kind: 'hand-off', sourceId: last.id, relevance: null, lines: [line] }];
}

/** Says with which error a session ended, what is known to mend it, and how far to trust that. */
async function openError(tx: Tx, projectId: string, { call, error, signature }: ErrorAtEnd): Promise<string> {
  const [fix] = await fixesFor(tx, projectId, [signature]);
  const label = fix?.status === 'active' ? 'Known fix' : 'Maybe fixed by (not proven)';
  const mends = fix ? `. ${label}: ${quote(fix.lesson, LENGTH.fix)} (lore:${fix.id.slice(0, 8)})` : '';
  return `ended with an open error: ${call === '' ? '' : `${quote(call, LENGTH.call)}: `}${quote(error, LENGTH.error)}${mends}`;
}

/** Says what a session had tried that Lore let do nothing: to try the same again is stopped again. */
async function stoppedCalls(tx: Tx, sessionId: string): Promise<string> {
  const calls = await stoppedIn(tx, sessionId, MOST_STOPPED);
  const last = calls.at(-1);
  return last === undefined
    ? ''
    : `did nothing, because Lore stopped ${calls.length === 1 ? 'its only call' : `all its ${calls.length} calls`}: ${quote(last.command, LENGTH.stopped)}`;
}

/** How many sentences at the end of a message are looked at for what it left open. */
const LAST_SENTENCES = 4;
/** Says that something is not done. */
const NOT_DONE =
  /\b(?:uncommitted|unpushed|not (?:yet|done|committed|pushed|merged|fixed|deployed)|still (?:needs?|open|fails?|failing|missing|to do|waiting)|left to do|blocked (?:by|on)|waiting (?:for|on)|haven't|hasn't|could(?:n't| not)|unable to)\b|noch (?:nicht|offen)|steht noch aus|blockiert|pas encore|reste à|bloqué|todavía no|pendiente|bloqueado|まだ|未(?:完了|コミット)|还没|尚未|아직/iu;
/** Courtesy at the end asks for nothing, and what the client says in the agent's place is nobody's word. */
const SAYS_NOTHING =
  /^#{1,6}\s|^\||[:：]$|\b(?:anything else|let me know|happy to|feel free|what would you like|how can i help)\b|^API Error\b|^Request interrupted|^Prompt is too long/i;

/** Returns what a session asked or left undone in its last words; '' if nothing. */
function leftOpen(message: string, level: Level): string {
  const said = message
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split(/\n|(?<=[.!?])\s+(?=[\p{Lu}\p{N}`"“(])/u)
    .filter((line) => line.trim() !== '')
    .slice(-LAST_SENTENCES)
    .map((line) =>
      line
        .replace(/^\s*(?:[-*•>]\s+|\d+[.)]\s+)/, '')
        .replace(/\*\*(.+?)\*\*/g, '$1')
        .trim(),
    )
    .filter((one) => !SAYS_NOTHING.test(one));
  const open =
    said.findLast((one) => /[?？]$/.test(one) || NOT_DONE.test(one)) ?? (level === 'all' && said.at(-1));
  return open ? `left open at its end: ${quote(open, LENGTH.said)}` : '';
}
