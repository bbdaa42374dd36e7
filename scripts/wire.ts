// Writes TypeScript types for everything that goes over HTTP, from the OpenAPI document that the routes' schemas make.

import { mkdirSync, writeFileSync } from 'node:fs';
import { createApp } from '../src/server/api/app.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is JSON, and a part that is missing fails here at once
type Any = any;

const HEADER = `// Made from the schemas of the routes by \`npm run wire\`: change those, never this file.
`;

/**
 * Returns the text of \`dist/wire.d.ts\`: a type for each named schema of the document, and \`Routes\`, which says for
 * each route what it takes and what it answers.
 */
function wireTypes(document: Any): string {
  const named = Object.entries(document.components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema, '')};\n`,
  );
  const routes = Object.entries<Any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Any>(methods).map(
      ([method, route]) => `  '${method.toUpperCase()} ${path}': ${routeType(route)};\n`,
    ),
  );
  return `${HEADER}\n${named.join('\n')}\nexport type Routes = {\n${routes.join('')}};\n`;
}

function routeType({ parameters = [], requestBody, responses }: Any): string {
  const within = (where: string) => {
    const found = parameters.filter((parameter: Any) => parameter.in === where);
    if (found.length === 0) return [];
    const fields = found.map(
      ({ name, required, schema }: Any) => `${key(name)}${required ? '' : '?'}: ${textOf(schema)}`,
    );
    const optional = found.every((parameter: Any) => !parameter.required);
    return [`${where === 'path' ? 'params' : where}${optional ? '?' : ''}: { ${fields.join('; ')} }`];
  };
  const given = jsonOf(requestBody);
  const body = given ? [`body${requestBody.required ? '' : '?'}: ${typeOf(given, '    ')}`] : [];
  const parts = [...within('path'), ...within('query'), ...body, `answer: ${answerOf(responses)}`];
  return `{\n${parts.map((part) => `    ${part};\n`).join('')}  }`;
}

/** Returns the type of what a route answers when it does what it was asked for. */
function answerOf(responses: Record<string, Any>): string {
  const done = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const types = done.map(([, response]) => {
    if (!response.content) return 'undefined';
    const schema = jsonOf(response);
    return schema ? typeOf(schema, '    ') : 'unknown';
  });
  return [...new Set(types)].join(' | ');
}

const jsonOf = (message: Any): Any => message?.content?.['application/json']?.schema;

/** Returns the type of a parameter of an address, in which everything is text. */
const textOf = (schema: Any): string =>
  typeOf(schema, '    ')
    .replace(/^number\b/, 'number | string')
    .replace("'true' | 'false'", "boolean | 'true' | 'false'");

function typeOf(schema: Any, indent: string): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1);
  if (schema.allOf) return allOf(schema.allOf, indent);
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return union(either.map((part: Any) => typeOf(part, indent)));
  if (schema.enum) return union(schema.enum.map(literal));
  if ('const' in schema) return literal(schema.const);
  if (Array.isArray(schema.type)) {
    return union(schema.type.map((type: string) => typeOf({ ...schema, type }, indent)));
  }
  if (schema.type === 'object') return objectType(schema, indent);
  if (schema.type === 'array') return arrayType(schema, indent);
  if (schema.type === 'integer') return 'number';
  return schema.type ?? 'unknown';
}

function objectType({ properties, required = [], additionalProperties }: Any, indent: string): string {
  const deeper = `${indent}  `;
  const others =
    typeof additionalProperties === 'object'
      ? typeOf(additionalProperties, deeper)
      : additionalProperties && 'unknown';
  if (!properties) return others ? `Record<string, ${others}>` : 'Record<string, unknown>';
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema, deeper)};`,
  );
  if (others) fields.push('[other: string]: unknown;');
  return fields.length === 0 ? '{}' : `{\n${fields.map((field) => deeper + field).join('\n')}\n${indent}}`;
}

/** A schema that may also be null is written as all of itself and of a bare `object | null`. */
function allOf(schemas: Any[], indent: string): string {
  const isBare = (schema: Any) => !schema.$ref && !schema.properties && !schema.allOf;
  const types = schemas.filter((schema) => !isBare(schema)).map((schema) => typeOf(schema, indent));
  const orNull = schemas.some((schema) => isBare(schema) && [schema.type].flat().includes('null'));
  return types.join(' & ') + (orNull ? ' | null' : '');
}

function arrayType({ items, prefixItems }: Any, indent: string): string {
  if (prefixItems) return `[${prefixItems.map((item: Any) => typeOf(item, indent)).join(', ')}]`;
  const type = items ? typeOf(items, indent) : 'unknown';
  const isOne = !items || items.$ref || (typeof items.type === 'string' && !items.enum);
  return isOne ? `${type}[]` : `(${type})[]`;
}

const union = (types: string[]) => [...new Set(types)].join(' | ');
const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);
const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name));

/** Whatever a route asks of its services when it is made: nothing is called before a request comes. */
const nothing: Any = new Proxy(() => nothing, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => '' : nothing),
});
const app = createApp(nothing);
mkdirSync('dist', { recursive: true });
writeFileSync(
  'dist/wire.d.ts',
  wireTypes(app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'Lore', version: '' } })),
);
