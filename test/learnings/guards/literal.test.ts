import { describe, expect, test } from 'vitest';
import { literalGuard } from '../../../src/learnings/guards/literal.ts';
import { sortsExamples } from '../../../src/learnings/guards/verify.ts';
import { tablesOf } from '../../support/tables.ts';

const tables = tablesOf('literal');

describe('a rule of what is literal', () => {
  test.each(tables['a rule'] ?? [])('%s', (words = '', when = '') => {
    const guard = literalGuard(words);
    expect(guard).toMatchObject({ then: 'deny', when: JSON.parse(when) });
    expect(guard && sortsExamples(guard)).toBeNull();
  });

  test('asks if the person wants to be asked', () =>
    expect(literalGuard('ask me before you change anything in services/tax')).toMatchObject({
      then: 'ask',
      when: [{ globs: ['services/tax/**'] }],
    }));

  test.each(tables.none ?? [])('is none where the words say more than a name: %s', (words) =>
    expect(literalGuard(words)).toBeNull(),
  );
});
