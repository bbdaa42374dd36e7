import type { OptionTable } from '../../options.ts';
import { options as cloud } from './cloud.ts';
import { options as containers } from './containers.ts';
import { options as databases } from './databases.ts';
import { options as git } from './git.ts';
import { options as network } from './network.ts';
import { options as rest } from './rest.ts';

/** The options that Lore knows to be harmless. Each program stands in the file of its subject. */
export const optionTable: OptionTable = {
  ...rest,
  ...git,
  ...network,
  ...databases,
  ...containers,
  ...cloud,
};
