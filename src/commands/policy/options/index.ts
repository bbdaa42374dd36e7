import type { OptionTable } from '../../options.ts';
import { options as rest } from './rest.ts';

/** The options that Lore knows to be harmless. Each program stands in the file of its subject. */
export const optionTable: OptionTable = { ...rest };
