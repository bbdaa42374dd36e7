import { z } from 'zod';

// Has Zod say in this program's words what a value must be, where a schema does not say it itself: what people read of their
// configuration, of a request and of a tool's arguments.

const KINDS: Record<string, string> = {
  ...{ string: 'a text', int: 'a whole number', array: 'a list', object: 'an object', record: 'an object' },
};
const UNITS: Record<string, string> = { string: ' characters', array: ' items', set: ' items' };

z.config({
  customError: (issue) => {
    if (issue.code === 'invalid_type')
      return issue.input === undefined
        ? 'is missing'
        : `must be ${KINDS[issue.expected] ?? `a ${issue.expected}`}`;
    if (issue.code === 'too_small' || issue.code === 'too_big') {
      const [most, bound] = issue.code === 'too_big' ? ['most', issue.maximum] : ['least', issue.minimum];
      const unit = UNITS[issue.origin];
      return `must ${unit ? 'have' : 'be'} at ${most} ${bound}${unit ?? ''}`;
    }
    if (issue.code === 'invalid_value')
      return `must be ${issue.values.join(', ').replace(/, (?=[^,]*$)/, ' or ')}`;
    if (issue.code === 'unrecognized_keys') return `does not take ${issue.keys.join(', ')}`;
    return issue.code === 'invalid_format' && issue.format === 'uuid' ? 'must be an id' : undefined;
  },
});
