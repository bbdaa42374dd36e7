import { mayBeAbout } from '../match.ts';
import { createOptions } from '../options.ts';
import type { Policy, Rule } from '../types.ts';
import * as cloud from './cloud.ts';
import * as containers from './containers.ts';
import * as databases from './databases.ts';
import * as disks from './disks.ts';
import { doubts } from './doubts.ts';
import * as filesystem from './filesystem.ts';
import * as git from './git.ts';
import * as interpreters from './interpreters.ts';
import * as network from './network.ts';
import { optionTable } from './options/index.ts';
import * as own from './own.ts';
import * as packages from './packages.ts';
import * as permissions from './permissions.ts';
import * as processes from './processes.ts';
import * as reading from './reading.ts';
import * as secrets from './secrets.ts';
import * as shell from './shell.ts';
import * as system from './system.ts';
import * as tooling from './tooling.ts';

/** The packs of rules and knowledge, one for each subject. */
const packs = [
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
];
const RANK = { catastrophic: 0, high: 1, medium: 2 } as const;

/** Compares rules so that the gravest come first. Rules are tested in this order. */
export const bySeverity = (a: Rule, b: Rule): number => RANK[a.severity] - RANK[b.severity];

const rules = packs.flatMap((pack) => pack.rules).sort(bySeverity);

/** Returns the options that rules name for a program: known, but not harmless. */
const namedByRules = (program: string) =>
  rules
    .flatMap((rule) => rule.when)
    .filter((when) => mayBeAbout(when, program))
    .flatMap((when) => when.flags?.flat() ?? []);

/** The rules, the knowledge and the doubts that Lore comes with. */
export const builtinPolicy: Policy = {
  rules,
  knowledge: packs.flatMap((pack) => pack.knowledge),
  doubts,
  options: createOptions(optionTable, namedByRules),
};
