import type { OptionTable } from '../../options.ts';
import { options as build } from './build.ts';
import { options as cloud } from './cloud.ts';
import { options as containers } from './containers.ts';
import { options as databases } from './databases.ts';
import { options as files } from './files.ts';
import { options as git } from './git.ts';
import { options as interpreters } from './interpreters.ts';
import { options as lore } from './lore.ts';
import { options as network } from './network.ts';
import { options as packages } from './packages.ts';
import { options as shell } from './shell.ts';
import { options as system } from './system.ts';
import { options as text } from './text.ts';

/** The options that Lore knows to be harmless. Each program stands in the file of its subject. */
export const optionTable: OptionTable = {
  ...files,
  ...text,
  ...system,
  ...shell,
  ...packages,
  ...interpreters,
  ...build,
  ...git,
  ...network,
  ...databases,
  ...containers,
  ...cloud,
  ...lore,
};
