import type { OptionTable } from '../../options.ts';
import { options as build } from './build.ts';
import { options as interpreters } from './interpreters.ts';
import { options as packages } from './packages.ts';
import { options as rest } from './rest.ts';
import { options as shell } from './shell.ts';

/** The options that Lore knows to be harmless. Each program stands in the file of its subject. */
export const optionTable: OptionTable = { ...rest, ...shell, ...packages, ...interpreters, ...build };
