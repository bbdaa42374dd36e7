import type { Command } from 'commander';

/**
 * Ends with a command's error if a line names a command or subcommand that there is not, and says which one may be meant.
 * Commander would take the word for an argument of the command that lists.
 *
 * @param args the line without the program
 */
export function refuseMistyped(program: Command, args: string[]): void {
  let command = program;
  let name = 'lore';
  for (let at = 0; at < args.length && command.commands.length > 0; at++) {
    const word = args[at] as string;
    if (word === '--') return;
    if (word.startsWith('-')) {
      const option = command.options.find((one) => one.short === word || one.long === word);
      if (option?.required) at++;
      continue;
    }
    const inner = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (inner === undefined) {
      if ((command === program && word === 'help') || command.registeredArguments.length > 0) return;
      const names = command.commands.filter((one) => !isHidden(one)).map((one) => one.name());
      const meant = nearest(word, names);
      const hint =
        meant.length > 0 ? `\n(Did you mean ${meant.map((one) => `${name} ${one}`).join(' or ')}?)` : '';
      command.error(`error: unknown command '${name} ${word}'${hint}`, { code: 'commander.unknownCommand' });
    }
    command = inner as Command;
    name = `${name} ${word}`;
  }
}

const isHidden = (command: Command): boolean => (command as { _hidden?: boolean })._hidden === true;

/** How many changed letters a word may be away from what was meant. */
const MAX_AWAY = 2;

/** Returns the names that may be meant by a word: those that begin with it, else the nearest. */
function nearest(word: string, names: string[]): string[] {
  const beginning = names.filter((name) => name.startsWith(word));
  if (word.length > 1 && beginning.length > 0) return beginning;
  const away = names.map((name) => ({ name, changes: changesBetween(word, name) }));
  const least = Math.min(MAX_AWAY, word.length - 1, ...away.map(({ changes }) => changes));
  return away.filter(({ changes }) => changes === least).map(({ name }) => name);
}

/** Returns by how many letters that are added, left out, changed or swapped with the next one two words differ. */
function changesBetween(a: string, b: string): number {
  const rows = [...Array(a.length + 1)].map((_, i) => [i, ...Array(b.length).fill(0)]);
  rows[0] = [...Array(b.length + 1).keys()];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      (rows[i] as number[])[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (isSame ? 0 : 1),
        isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return at(a.length, b.length);
}
