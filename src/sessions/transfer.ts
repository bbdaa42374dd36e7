import { transferred } from '../kinds/records/transfer.ts';
import { turns } from './schema.ts';

/** Turns. The sessions themselves are not exported. */
export const TURN_RECORDS = transferred(turns, 'turn', {});
