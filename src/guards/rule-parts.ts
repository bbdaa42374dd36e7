import type { Deed } from '../language/deeds.ts';
import { blanked, has, spans } from '../language/languages.ts';
import { type Parsed, parsed, rolesOf } from '../language/reading.ts';
import type { Named, Reading } from '../language/sentence.ts';
import { runsPackage } from '../shell/runners.ts';
import type { Example, GuardRule } from './rule.ts';

// A sentence, taken apart for those that make a rule of it.

export type Read = Reading & { words: string };

/** A sentence, and everything that the makers of rules ask of it. */
export type Rule = {
  said: Parsed;
  reading: Read;
  wanted: Named[];
  unwanted: Named[];
  deeds: (Deed & { role: Named['role'] | null })[];
  /** whether it forbids or asks to be asked, and does not only prefer */
  forbids: boolean;
  /** the text with blanks in place of what it names: no deed is read out of `README.md` or `run.sh` */
  prose: string;
};

/** A rule in the making; what is left out is filled in. */
export type Draft = Pick<GuardRule, 'when'> &
  Partial<Omit<GuardRule, 'when'>> & { example?: string; other?: string };

export const bash = (command: string): Example => ({ tool: 'Bash', input: { command } });
export const edit = (file: string, text = 'b'): Example => ({
  tool: 'Edit',
  input: { file_path: `/project/${file}`, old_string: 'a', new_string: text },
});

/** “use pnpm instead of npm” prefers; “always pnpm instead of npm”, “not npm” and “never npm” forbid. */
const PREFERS =
  /^(?:instead of|rather than|in place of|over|statt|anstatt|anstelle(?: von)?|au lieu d[e']|plutôt que|à la place de|en (?:vez|lugar) de|em vez de|ao invés de|no lugar de|invece (?:di|che)|al posto di|anziché|piuttosto che|in plaats van|ipv|i\.p\.v\.|代替|替代|取代|の(?:代わりに|かわりに)|より(?:も)?|대신(?:에)?|보다(?:는)?)\s*$/iu;

/** Takes a sentence apart. */
export function ruleOf(reading: Read): Rule {
  const said = parsed(reading.words);
  const { text, phrases } = said;
  // “make lint” is a command: it says nothing of linting
  const deeds = said.deeds.filter(
    ({ at, end }) => !said.literals.some((other) => at < other.end && other.at < end),
  );
  const roles = rolesOf(said, deeds);
  const negations = [...spans(phrases.notNext, text), ...spans(phrases.notBefore, text)];
  const strong = [phrases.never, phrases.dont, phrases.banned, phrases.handsOff, phrases.weNot].some((list) =>
    has(list, text),
  );
  return {
    said,
    reading,
    wanted: reading.named.filter(({ role }) => role === 'wanted'),
    unwanted: reading.named.filter(({ role }) => role === 'unwanted'),
    deeds: deeds.map((deed, i) => ({ ...deed, role: roles[i] ?? null })),
    forbids: strong || negations.some(({ text: cue }) => has(phrases.always, text) || !PREFERS.test(cue)),
    prose: blanked(text, said.literals),
  };
}

export const isTool = ({ kind }: Named): boolean =>
  kind === 'program' || kind === 'command' || kind === 'package';

/** Splits a command into the words that choose what it does and its options: `git push`, `--force`. */
export function partsOfCommand(command: string): { program: string; args: string[] } {
  const words = command.replace(/^\$ ?/, '').trim().split(/\s+/);
  // npx x, pnpm exec x and bunx x are x
  const from = runsPackage(words[0] ?? '')
    ? 1
    : /^(?:pnpm|yarn|bun) (?:exec|dlx)$/.test(words.slice(0, 2).join(' '))
      ? 2
      : 0;
  const rest = words.slice(from).filter((word) => word !== '…' && word !== '...');
  const first = rest.findIndex((word, i) => i > 0 && (word.startsWith('-') || word === '.'));
  const head = first < 0 ? rest : rest.slice(0, first);
  return {
    program: head.join(' '),
    args: rest.slice(head.length).filter((word) => word.startsWith('-') || word === '.'),
  };
}
