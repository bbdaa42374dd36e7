import { type StoppedCall, stoppedIn } from '../commands/stopped.ts';
import type { Tx } from '../db/open.ts';
import { relativeTo } from '../files/relative-to.ts';
import { errorsAtEnd } from '../incidents/at-end.ts';
import { fixesFor, type KnownFix } from '../learnings/rules.ts';
import { HAND_OFF_TOKENS } from '../offers/budget.ts';
import { dayOf, type Offer, quote } from '../offers/frame.ts';
import { wasOffered } from '../offers/offers.ts';
import type { Level } from '../offers/voice.ts';
import { type LastSession, lastSession } from '../sessions/sessions.ts';
import { estimateTokens } from '../text/tokens.ts';

// Tells a session that begins how the last session of its project and branch ended.

/** Longest form of each part, in tokens as `quote` cuts them. */
const LENGTH = { stopped: 30, title: 25, said: 40, error: 30, call: 15, fix: 60, file: 15 };
const MOST = { errors: 2, files: 4, sentences: 2, stopped: 100 };
/** If a sentence has fewer words (“Done.”), it says nothing and is left out. */
const MIN_WORDS = 4;

/**
 * Returns in one line what the last session of a session's project and branch left open: the error that it ended with
 * and what is known to mend it, or what it asked or left undone in its last words. Nothing if there is no session from the
 * last month that changed a file, met an error or was stopped, or if it left nothing open.
 *
 * @param level if all is wanted, more of it in more lines
 */
export async function handOff(
  tx: Tx,
  session: { id: string; projectId: string; branch: string | null },
  at: Date,
  level: Level,
): Promise<Offer[]> {
  const last = level === 'none' ? null : await lastSession(tx, session);
  if (last === null) return [];
  const errors = (await errorsAtEnd(tx, last.id)).filter(
    ({ error }, i, all) => all.findIndex((one) => one.error === error) === i,
  );
  // a session that was handed on once is not the last one any more, unless its error is still open
  if (errors.length === 0 && level === 'few' && (await wasOffered(tx, session.id, last.id, 'elsewhere')))
    return [];
  const fixes =
    errors.length === 0
      ? []
      : await fixesFor(
          tx,
          session.projectId,
          errors.map(({ signature }) => signature),
        );
  const open = errors.slice(0, MOST.errors).map(({ target, error, signature }) => {
    const call = quote(target ?? '', LENGTH.call);
    const fix = fixes.find((one) => one.signature === signature);
    return { error: `${call}${call && ': '}${quote(error, LENGTH.error)}`, fix: fix ? fixOf(fix) : '' };
  });
  const days = (at.getTime() - last.lastActivity.getTime()) / 86_400_000;
  const where = session.branch === null ? '' : `${quote(session.branch, 15)}, `;
  const title = last.title === null ? '' : `: “${quote(last.title, LENGTH.title)}”`;
  const head = `${last.followed ? 'An earlier' : 'Last'} session here (${where}${dayOf(Math.max(0, days))})${title}`;
  const [worst] = open;
  const stopped = last.status === 'stopped' ? stoppedOf(await stoppedIn(tx, last.id, MOST.stopped)) : '';
  const lines =
    level === 'all'
      ? inLines(head, last, open, stopped)
      : inLine(
          head,
          worst
            ? `ended with an open error: ${worst.error}${worst.fix}`
            : stopped || leftOpen(last.said ?? ''),
        );
  // the last lines are dropped first
  while (lines.length > 1 && estimateTokens(`9. ${lines.join('\n   ')}\n`) > HAND_OFF_TOKENS) lines.pop();
  const offer: Offer = { kind: 'hand-off', sourceId: last.id, relevance: null, lines };
  return lines.length === 0 ? [] : [offer];
}

/** A session that left nothing open is not worth a line. */
const inLine = (head: string, what: string): string[] => (what === '' ? [] : [`${head}; ${what}`]);

/** What a session had tried that Lore let do nothing: it is not done, and to try the same again is stopped again. */
function stoppedOf(calls: StoppedCall[]): string {
  const last = calls.at(-1);
  return last === undefined
    ? ''
    : `did nothing, because Lore stopped ${calls.length === 1 ? 'its only call' : `all its ${calls.length} calls`}: ${quote(last.command, LENGTH.stopped)}`;
}

/** Everything that is known of how a session ended. */
function inLines(
  head: string,
  last: LastSession,
  open: { error: string; fix: string }[],
  stopped: string,
): string[] {
  const said = quote(sayingIn(last.said ?? ''), LENGTH.said);
  const files = last.files.map((file) => quote(relativeTo(last.root, file), LENGTH.file));
  const rest = files.length - MOST.files;
  const ended =
    open.length === 0
      ? stopped && `; ${stopped}`
      : `; ended with ${open.length === 1 ? 'an open error' : 'open errors'}`;
  return [
    `${head}${ended}`,
    ...(said === '' ? [] : [`It said at its end: ${said}`]),
    ...open.map(({ error, fix }) => `Open error: ${error}${fix}`),
    ...(files.length === 0
      ? []
      : [`It changed ${files.slice(0, MOST.files).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`]),
  ];
}

/** How many sentences at the end of a message are looked at for what it left open. */
const LAST_SENTENCES = 4;
/** Says that something is not done. */
const NOT_DONE =
  /\b(?:uncommitted|unpushed|not (?:yet|done|committed|pushed|merged|fixed|deployed)|still (?:needs?|open|fails?|failing|missing|to do|waiting)|left to do|blocked (?:by|on)|waiting (?:for|on)|haven't|hasn't|could(?:n't| not)|unable to)\b|noch (?:nicht|offen)|steht noch aus|blockiert|pas encore|reste à|bloqué|todavía no|pendiente|bloqueado|まだ|未(?:完了|コミット)|还没|尚未|아직/iu;
/** Courtesy at the end asks for nothing. */
const COURTESY = /\b(?:anything else|let me know|happy to|feel free|what would you like|how can i help)\b/i;

/** Returns what a session asked or left undone in its last words; '' if nothing. */
function leftOpen(message: string): string {
  const open = sentencesOf(message)
    .slice(-LAST_SENTENCES)
    .findLast((one) => (/[?？]$/.test(one) || NOT_DONE.test(one)) && isSaying(one) && !COURTESY.test(one));
  return open === undefined ? '' : `left open at its end: ${quote(open, LENGTH.said)}`;
}

/** What is known to mend an error, and how far to trust it. */
function fixOf({ id, lesson, status }: KnownFix): string {
  const label = status === 'active' ? 'Known fix' : 'Maybe fixed by (not proven)';
  return `. ${label}: ${quote(lesson, LENGTH.fix)} (lore:${id.slice(0, 8)})`;
}

/** Returns the first sentence of a message that says something: it is no headline for what follows it. */
function sayingIn(message: string): string {
  const sentences = sentencesOf(message).slice(0, MOST.sentences);
  return sentences.find(isSaying) ?? '';
}

const isSaying = (sentence: string): boolean =>
  !/[:：]$/.test(sentence) &&
  (sentence.split(/\s+/).length >= MIN_WORDS || /[\p{Script=Han}\p{Script=Hangul}]{4}/u.test(sentence)) &&
  !NOT_SAID.test(sentence);

/** What the client says in the agent's place when the model could not be asked. */
const NOT_SAID = /^API Error\b|^Request interrupted|^Prompt is too long/;

/** Returns the sentences of a message, each in one line, without headings, code blocks, tables and marks of a list. */
export function sentencesOf(message: string): string[] {
  const lines = message
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split('\n')
    .map((line) =>
      line
        .replace(/^\s*(?:[-*•>]\s+|\d+[.)]\s+)/, '')
        .replace(/\*\*(.+?)\*\*/g, '$1')
        .trim(),
    )
    .filter((line) => line !== '' && !/^#{1,6}\s|^\||^[-=*_|\s:━─═┃]+$/.test(line));
  const sentences = lines.flatMap((line) => line.split(/(?<=[.!?])\s+(?=[\p{Lu}\p{N}`"“(])/u));
  return sentences.map((sentence) => (/[.!?:;…]$/.test(sentence) ? sentence : `${sentence}.`));
}
