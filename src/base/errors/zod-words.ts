import { z } from 'zod';

// Has Zod say in this program's words what a value must be, where a schema does not say it itself: what people read of their
// configuration, of a request and of a tool's arguments.

const KINDS: Record<string, string> = {
  ...{ string: 'a text', int: 'a whole number', array: 'a list', object: 'an object', record: 'an object' },
  ...{ uuid: 'an id', url: 'an address such as https://example.com', email: 'an e-mail address' },
  ...{ datetime: 'an instant such as 2026-01-31T12:00:00Z', date: 'a day such as 2026-01-31' },
};
const UNITS: Record<string, string> = { string: ' characters', array: ' items', set: ' items' };

function said(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type')
    return issue.input === undefined
      ? 'is missing'
      : `must be ${KINDS[issue.expected] ?? `a ${issue.expected}`}`;
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    const unit = UNITS[issue.origin];
    const [most, bound] = issue.code === 'too_big' ? ['most', issue.maximum] : ['least', issue.minimum];
    if (unit && most === 'least' && bound === 1) return 'must not be empty';
    return `must ${unit ? 'have' : 'be'} at ${most} ${bound}${unit ?? ''}`;
  }
  if (issue.code === 'invalid_value')
    return `must be ${issue.values.join(', ').replace(/, (?=[^,]*$)/, ' or ')}`;
  if (issue.code === 'unrecognized_keys') return `does not take ${issue.keys.join(', ')}`;
  if (issue.code === 'invalid_union') return 'has none of the forms that it may have';
  if (issue.code !== 'invalid_format') return undefined;
  return KINDS[issue.format] ? `must be ${KINDS[issue.format]}` : 'has a form that it may not have';
}

z.config({ customError: said });
