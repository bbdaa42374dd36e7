import { deedsIn } from './deeds.ts';
import { plain, spans } from './languages.ts';
import type { Parsed } from './reading.ts';
import type { Reading } from './sentence.ts';
import { isPassing, isQuestion } from './stands.ts';

// A correction: the sentence refuses, and names what the agent's last turn did. “no, use the other table” names nothing of
// it, and is about the work at hand.

/** Returns whether a sentence opens by refusing what was done, or says what is right in place of it. */
export function refusesIn({ text, phrases }: Parsed): boolean {
  return spans(phrases.refuses, text).some(({ at }) => /^[\s,.!:;–—-]*$/.test(text.slice(0, at)));
}

/** Returns whether a sentence corrects what the agent has just done, with something that will be right next time too. */
export function corrects(said: Parsed, { named }: Reading, refused: boolean, did: string[]): boolean {
  if (did.length === 0 || isQuestion(said) || isPassing(said)) return false;
  const done = did.map((deed) => plain(deed));
  const unwanted = named.filter(({ role }) => role === 'unwanted');
  const wanted = named.filter(({ role, kind }) => role === 'wanted' && kind !== 'branch');
  const isTool = (kind: string) => ['program', 'package', 'command', 'option'].includes(kind);
  const undone = unwanted.some(({ text, kind }) => isTool(kind) && done.some((deed) => names(deed, text)));
  // “not npm: pnpm”
  if (undone && (refused || wanted.some(({ kind }) => isTool(kind)))) return wanted.length > 0 || refused;
  if (!refused) return false;
  // “wrong file: config/default.json is generated”
  const file = named.some(({ text, kind }) => kind === 'path' && done.some((deed) => names(deed, text)));
  if (file && said.text.search(said.phrases.owned) >= 0) return true;
  // “no! use config.settings.test for tests”: the deed is the one that was done, and something is named for it
  const deeds = new Set(said.deeds.map(({ name }) => name));
  const sameDeed = done.some((deed) => deedsIn(deed, { language: 'en' }).some(({ name }) => deeds.has(name)));
  return sameDeed && wanted.some(({ kind }) => kind !== 'path') && said.text.search(said.phrases.use) >= 0;
}

/** Whether a command or file has a name among its words or folders. */
const names = (deed: string, name: string): boolean => {
  const bare = name.replace(/^\.\//, '').replace(/\/$/, '');
  const at = deed.toLowerCase().indexOf(bare.toLowerCase());
  return (
    at >= 0 &&
    !/[\p{L}\p{N}]/u.test(deed[at - 1] ?? '') &&
    !/[\p{L}\p{N}]/u.test(deed[at + bare.length] ?? '')
  );
};
