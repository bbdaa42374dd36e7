import { expect, test } from 'vitest';
import { wireTypes } from '../../scripts/wire.ts';
import { addressOf } from '../../src/wire/wire.ts';

test('the types say what may be missing, null, one of several, or anything', () => {
  const text = { type: 'string' };
  const schemas = {
    Thing: {
      type: 'object',
      properties: {
        id: text,
        'an-other': { type: ['number', 'null'] },
        kind: { type: 'string', enum: ['a', "b's"] },
        all: { type: 'array', items: { type: 'string', enum: ['x', 'y'] } },
        part: { allOf: [{ $ref: '#/components/schemas/Part' }, { type: ['object', 'null'] }] },
        free: {},
        counts: { type: 'object', additionalProperties: { type: 'integer' } },
      },
      required: ['id', 'all', 'part'],
    },
    Part: { anyOf: [{ type: 'object', properties: {}, additionalProperties: false }, text] },
  };
  const get = {
    parameters: [
      { name: 'id', in: 'path', required: true, schema: text },
      { name: 'limit', in: 'query', required: false, schema: { type: 'integer' } },
      { name: 'all', in: 'query', required: false, schema: { type: 'string', enum: ['true', 'false'] } },
    ],
    responses: {
      200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
      204: { description: 'none' },
      404: { content: { 'application/problem+json': { schema: text } } },
    },
  };
  expect(wireTypes({ components: { schemas }, paths: { '/v1/things/{id}': { get } } })).toContain(
    `export type Thing = {
  id: string;
  'an-other'?: number | null;
  kind?: 'a' | 'b\\'s';
  all: ('x' | 'y')[];
  part: Part | null;
  free?: unknown;
  counts?: Record<string, number>;
};

export type Part = {} | string;

export type Routes = {
  'GET /v1/things/{id}': {
    params: { id: string };
    query?: { limit?: number | string; all?: boolean | 'true' | 'false' };
    answer: Thing | undefined;
  };
};
`,
  );
});

test('an address holds the parameters of its route, written so that they cannot become other parts of it', () => {
  expect(
    addressOf('GET /v1/plans/{id}', { params: { id: '../a b?c' }, query: { asOf: 'x&y', since: undefined } }),
  ).toEqual({ method: 'GET', address: '/v1/plans/..%2Fa%20b%3Fc?asOf=x%26y' });
  expect(addressOf('GET /v1/projects')).toEqual({ method: 'GET', address: '/v1/projects' });
  expect(addressOf('GET /v1/plans', { query: { closed: false, limit: 5 } }).address).toBe(
    '/v1/plans?closed=false&limit=5',
  );
});
