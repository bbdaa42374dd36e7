import { transferred } from '../../kinds/records/transfer.ts';
import { GuardRule } from './rule.ts';
import { guards } from './schema.ts';

/** Guards find their lessons by the lineage, which an import keeps. A lesson has one guard. */
export const GUARD_RECORDS = transferred(guards, 'guard', { fields: { rule: GuardRule } });
