import { readJsonc } from '../../base/text/jsonc.ts';
import { LOADER } from '../../shell/places.ts';
import type { Zone } from '../../shell/zones.ts';
import { createOptions } from '../options.ts';
import { literal, type Names, NO_NAMES, namesOf, readBuiltin } from '../rule-text.ts';
import type { Policy, Rule } from '../types.ts';
import cloud from './cloud.jsonc' with { type: 'text' };
import containers from './containers.jsonc' with { type: 'text' };
import databases from './databases.jsonc' with { type: 'text' };
import disks from './disks.jsonc' with { type: 'text' };
import doubts from './doubts.jsonc' with { type: 'text' };
import filesystem from './filesystem.jsonc' with { type: 'text' };
import git from './git.jsonc' with { type: 'text' };
import interpreters from './interpreters.jsonc' with { type: 'text' };
import network from './network.jsonc' with { type: 'text' };
import own from './own.jsonc' with { type: 'text' };
import packages from './packages.jsonc' with { type: 'text' };
import permissions from './permissions.jsonc' with { type: 'text' };
import processes from './processes.jsonc' with { type: 'text' };
import reading from './reading.jsonc' with { type: 'text' };
import secrets from './secrets.jsonc' with { type: 'text' };
import shared from './shared.jsonc' with { type: 'text' };
import shell from './shell.jsonc' with { type: 'text' };
import system from './system.jsonc' with { type: 'text' };
import tooling from './tooling.jsonc' with { type: 'text' };

// The built-in policy. README.md, beside this file, describes the form of the texts and each condition.

/** What rules and knowledge say, one text for each subject. Knowledge is asked in this order. */
const TEXTS = [
  disks,
  filesystem,
  git,
  permissions,
  processes,
  reading,
  shell,
  system,
  network,
  secrets,
  packages,
  databases,
  containers,
  cloud,
  interpreters,
  tooling,
  own,
  doubts,
];

const names = namesOf(readJsonc(shared) as object, {
  ...NO_NAMES,
  patterns: new Map([['loader', LOADER]]),
});

/** Zones of what belongs to the project, with what can be thrown away: here a command may write. */
export const WRITABLE = names.lists.get('writable') as Zone[];

/** `home`: the data folder; null: usually `~/.lore` */
type Server = { home: string | null; port: number };
const USUAL: Server = { home: null, port: 4747 };
/** Matches nothing. */
const NOTHING = '(?!)';

/** Returns what the texts may name for a server. */
const namesFor = ({ home, port }: Server): Names => ({
  lists: names.lists,
  patterns: new Map([
    ...names.patterns,
    ['port', String(port)],
    ['home', home === null ? NOTHING : literal(home)],
  ]),
});

/** What the texts may name for a server with the usual data folder and port. */
export const usualNames = namesFor(USUAL);

/** Returns the rules that guard a server itself. */
export const ownRules = (server: Server): Rule[] => readBuiltin(own, namesFor(server)).rules;

const RANK = { catastrophic: 0, high: 1, medium: 2 } as const;

/** Compares rules so that the gravest come first. Rules are tested in this order. */
export const bySeverity = (a: Rule, b: Rule): number => RANK[a.severity] - RANK[b.severity];

const all = TEXTS.map((text) => readBuiltin(text, usualNames));
const rules = all.flatMap((text) => text.rules).sort(bySeverity);

/** The long options that rules name: known, but not harmless. */
const namedByRules = rules
  .flatMap(({ when }) => when.flatMap(({ flags = [] }) => flags.flat()))
  .filter((flag) => flag.startsWith('--'));

/** The rules, the knowledge and all else that Lore knows of commands. */
export const builtinPolicy: Policy = {
  rules,
  knowledge: all.flatMap((text) => text.allow),
  doubts: all.flatMap((text) => text.doubts),
  outward: all.flatMap((text) => text.outward),
  options: createOptions(Object.assign({}, ...all.map(({ options }) => options)), [...new Set(namedByRules)]),
};
