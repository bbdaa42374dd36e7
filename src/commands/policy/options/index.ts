import { readJsonc } from '../../../base/text/jsonc.ts';
import type { OptionTable } from '../../options.ts';
import { NO_NAMES, namesOf, phrasesIn, wordsIn } from '../../rule-text.ts';
import build from './build.jsonc' with { type: 'text' };
import cloud from './cloud.jsonc' with { type: 'text' };
import containers from './containers.jsonc' with { type: 'text' };
import databases from './databases.jsonc' with { type: 'text' };
import files from './files.jsonc' with { type: 'text' };
import git from './git.jsonc' with { type: 'text' };
import interpreters from './interpreters.jsonc' with { type: 'text' };
import lore from './lore.jsonc' with { type: 'text' };
import network from './network.jsonc' with { type: 'text' };
import packages from './packages.jsonc' with { type: 'text' };
import shell from './shell.jsonc' with { type: 'text' };
import system from './system.jsonc' with { type: 'text' };
import text from './text.jsonc' with { type: 'text' };

// The options that Lore knows to be harmless. The form of a text is described in ../README.md.

type OptionText = { lists?: Record<string, string[]>; options: Record<string, string[]> };

function readOptions(source: string): OptionTable {
  const { lists, options } = readJsonc(source) as OptionText;
  const names = namesOf({ lists }, NO_NAMES);
  return Object.fromEntries(
    Object.entries(options).map(([programs, words]) => [
      phrasesIn([programs])
        .flatMap((phrase) => forEachProgram(phrase, (list) => wordsIn([list], names)))
        .join(', '),
      wordsIn(words, names).join(' '),
    ]),
  );
}

/** Returns a phrase for each program of the list that it begins with: `@engines ps` becomes `docker ps`, `podman ps`. */
function forEachProgram(phrase: string, programsOf: (list: string) => readonly string[]): string[] {
  const [first = '', ...rest] = phrase.split(' ');
  return first.startsWith('@') ? programsOf(first).map((program) => [program, ...rest].join(' ')) : [phrase];
}

/** The options that Lore knows to be harmless. Each program stands in the file of its subject. */
export const optionTable: OptionTable = {
  ...readOptions(files),
  ...readOptions(text),
  ...readOptions(system),
  ...readOptions(shell),
  ...readOptions(packages),
  ...readOptions(interpreters),
  ...readOptions(build),
  ...readOptions(git),
  ...readOptions(network),
  ...readOptions(databases),
  ...readOptions(containers),
  ...readOptions(cloud),
  ...readOptions(lore),
};
