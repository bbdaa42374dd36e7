import { expect, test } from 'vitest';
import { addressOf } from '../../src/wire/wire.ts';

test('an address holds the parameters of its route, written so that they cannot become other parts of it', () => {
  expect(
    addressOf('GET /v1/plans/{id}', { params: { id: '../a b?c' }, query: { asOf: 'x&y', since: undefined } }),
  ).toEqual({ method: 'GET', address: '/v1/plans/..%2Fa%20b%3Fc?asOf=x%26y' });
  expect(addressOf('GET /v1/projects')).toEqual({ method: 'GET', address: '/v1/projects' });
  expect(addressOf('GET /v1/plans', { query: { closed: false, limit: 5 } }).address).toBe(
    '/v1/plans?closed=false&limit=5',
  );
});
