// Makes input that fits a JSON schema, and damages it: for the fuzz attack.
import type { Random } from './sessions.ts';

export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  format?: string;
};
type Resolve = (schema: Schema) => Schema;

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

const TEXTS = [
  '',
  ' ',
  'a\0b',
  '\0',
  '\x1b[2J\x07\x08',
  '\ud800',
  'x\udfffy',
  '\u202egnp.exe',
  '\ufeff',
  '🚀'.repeat(500),
  "'; drop table events; --",
  '%_\\',
  '{"a":',
  '$1',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'x'.repeat(20_000),
  'word '.repeat(5_000),
  '2026-13-45',
  '9999-12-31T23:59:59Z',
  '-271821-04-20T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '0000-00-00T00:00:00Z',
  '294277-01-01',
  'infinity',
  '-infinity',
  'now',
  'NaN',
  '1e400',
  '99999999999999999999',
  '00000000-0000-0000-0000-000000000000',
  '((((((((((',
  '*'.repeat(100),
  '"unclosed',
  '-a -b -c',
  '<private>open',
];
const NUMBERS = [0, -0, -1, 1, 0.5, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 63), 1e21, 1e308, -1e308, 5e-324];
const OTHERS = [null, true, false, [], {}, [[]], [null], [{}], { a: { b: [1] } }];

export const text = (random: Random): string => pick(random, TEXTS);

/** Returns a version 4 UUID that is the same for the same seed. */
export const uuid = (random: Random): string =>
  'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', () => Math.floor(random() * 16).toString(16));

function wrongValue(random: Random): unknown {
  const kind = random();
  if (kind < 0.5) return text(random);
  return kind < 0.75 ? pick(random, NUMBERS) : pick(random, OTHERS);
}

/** Returns a value that roughly fits the schema. */
export function bodyFor(random: Random, given: Schema, resolve: Resolve, depth = 0): unknown {
  const schema = resolve(given);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return pick(random, schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return bodyFor(random, pick(random, branches), resolve, depth);
  if (schema.allOf) {
    return Object.assign({}, ...schema.allOf.map((part) => bodyFor(random, part, resolve, depth)));
  }
  switch ([schema.type].flat()[0]) {
    case 'string':
      if (schema.format === 'uuid') return uuid(random);
      return schema.format === 'date-time'
        ? '2026-01-31T12:00:00.000Z'
        : pick(random, ['npm test', 'a', 'fuzz']);
    case 'integer':
    case 'number':
      return Math.floor(random() * 20);
    case 'boolean':
      return random() < 0.5;
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: depth > 4 ? 0 : Math.floor(random() * 3) }, () =>
        bodyFor(random, schema.items ?? {}, resolve, depth + 1),
      );
    case undefined:
      return schema.properties ? objectFor(random, schema, resolve, depth) : wrongValue(random);
    default:
      return objectFor(random, schema, resolve, depth);
  }
}

function objectFor(random: Random, { properties = {} }: Schema, resolve: Resolve, depth: number): object {
  const wanted = Object.entries(properties).filter(() => random() < 0.8 && depth < 6);
  return Object.fromEntries(
    wanted.map(([name, schema]) => [name, bodyFor(random, schema, resolve, depth + 1)]),
  );
}

/** Returns the bytes of a value in which something is wrong. Some stay as they are. */
export function damage(random: Random, right: unknown): Buffer {
  const kind = random();
  let value = right;
  if (kind < 0.75) for (let n = 1 + random() * 3; n > 0; n--) value = withWrong(random, value);
  // JSON.stringify escapes half of a surrogate pair, so the text is UTF-8
  const bytes = Buffer.from(JSON.stringify(value) ?? '');
  if (kind < 0.85) return bytes;
  return pick(random, BYTES)(bytes, random);
}

const nested = (open: string, close: string, depth: number) =>
  Buffer.from(`${open.repeat(depth)}1${close.repeat(depth)}`);

const BYTES: ((bytes: Buffer, random: Random) => Buffer)[] = [
  (bytes, random) => bytes.subarray(0, Math.floor(random() * bytes.length)),
  (bytes, random) => {
    const wrong = Buffer.from(bytes);
    for (let n = 0; n < 5 && wrong.length > 0; n++) {
      wrong[Math.floor(random() * wrong.length)] = Math.floor(random() * 256);
    }
    return wrong;
  },
  (bytes) => Buffer.concat([bytes, Buffer.from([0xff, 0xfe, 0xc0, 0x80])]),
  (bytes) => Buffer.concat([Buffer.from('\ufeff'), bytes]),
  (bytes) => Buffer.concat([bytes, bytes]),
  () => nested('[', ']', 50_000),
  () => nested('{"a":', '}', 20_000),
  () => Buffer.from('{"a":NaN}'),
  () => Buffer.from(`{"x":"${'y'.repeat(1_000_000)}"}`),
];

/** Puts something wrong into one place of a value. */
function withWrong(random: Random, value: unknown): unknown {
  if (random() < 0.05) return deep(random() < 0.5 ? 3_000 : 50);
  if (Array.isArray(value) && value.length > 0 && random() < 0.8) {
    const at = Math.floor(random() * value.length);
    return value.map((item, i) => (i === at ? withWrong(random, item) : item));
  }
  if (typeof value === 'object' && value !== null && random() < 0.95) {
    const names = Object.keys(value);
    const name = names.length === 0 || random() < 0.1 ? text(random) : pick(random, names);
    const old = (value as Record<string, unknown>)[name];
    const wrong = random() < 0.15 ? undefined : withWrong(random, old);
    return Object.fromEntries([...Object.entries(value).filter(([other]) => other !== name), [name, wrong]]);
  }
  return wrongValue(random);
}

function deep(depth: number): unknown {
  let value: unknown = 1;
  for (let n = 0; n < depth; n++) value = n % 2 === 0 ? [value] : { a: value };
  return value;
}
