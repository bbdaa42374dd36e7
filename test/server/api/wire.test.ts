import { expect, test } from 'vitest';
import { addressOf } from '../../../src/base/wire/wire.ts';

test('an address holds the parameters of its route, written so that they cannot become other parts of it', () => {
  expect(addressOf('GET /v1/facts', { query: { project: 'x&y', asOf: undefined } })).toEqual({
    method: 'GET',
    address: '/v1/facts?project=x%26y',
  });
  expect(addressOf('GET /v1/projects')).toEqual({ method: 'GET', address: '/v1/projects' });
  expect(addressOf('GET /v1/plans', { query: { closed: false, limit: 5 } }).address).toBe(
    '/v1/plans?closed=false&limit=5',
  );
});
