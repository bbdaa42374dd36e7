import type { TestServer } from './server.ts';

// Requests to all routes, made of what /openapi.json says of them.
type Any = any;

/** An id that leads nowhere. */
export const ID = '00000000-0000-4000-8000-000000000000';

/** Returns all routes of a server, and what makes a body for one. */
export async function routesOf(server: Pick<TestServer, 'request'>) {
  const document: Any = (await server.request('GET', '/openapi.json', { key: null })).body;
  const operations = Object.entries<Any>(document.paths).flatMap(([path, item]) =>
    Object.entries<Any>(item).map(([verb, operation]) => {
      const method = verb.toUpperCase();
      return { name: `${method} ${path}`, method, path, operation };
    }),
  );
  const resolve = (schema: Any): Any => {
    const target = schema?.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema;
    return target?.anyOf ? resolve(target.anyOf[0]) : target?.$ref ? resolve(target) : target;
  };
  const bodyOf = (operation: Any) => resolve(operation.requestBody?.content['application/json'].schema);
  const queryOf = (operation: Any): Any[] =>
    (operation.parameters ?? []).filter((one: Any) => one.in === 'query');

  /** Returns a value that fits a schema, with what is required, and the project if it may be named. */
  function valueFor(schema: Any, name: string, project: string): unknown {
    const one = resolve(schema);
    if (name === 'project') return project;
    if (one.const !== undefined || one.enum) return one.const ?? one.enum[0];
    if (one.type === 'array') return [valueFor(one.items, name, project)];
    if (one.type === 'integer' || one.type === 'number') return Math.max(one.minimum ?? 0, 1);
    if (one.type === 'boolean') return true;
    if (one.type === 'object' || one.properties) {
      const wanted = [...(one.required ?? []), ...(one.properties?.project ? ['project'] : [])];
      return Object.fromEntries(
        [...new Set<string>(wanted)].map((key) => [key, valueFor(one.properties[key], key, project)]),
      );
    }
    if (one.format === 'date-time') return '2026-01-01T00:00:00Z';
    return SAID[name] ?? (one.format === 'uuid' || one.format === 'guid' ? ID : 'make');
  }
  /** what must be of a certain form */
  const SAID: Record<string, string> = {
    cwd: '/home/dev/a',
    commit: 'a'.repeat(40),
    file: `${ID}.jsonl`,
    session: 'session-a',
  };
  /** what else a route wants */
  const MORE: Record<string, object> = {
    'POST /v1/proposals': { do: 'Call `make all`' },
  };

  /** Returns a good body for a route, if it takes one, and a query, about a project. */
  function given({ name, operation }: { name: string; operation: Any }, project: string) {
    const schema = bodyOf(operation);
    const body = schema && { ...(valueFor(schema, '', project) as object), ...MORE[name] };
    const query = queryOf(operation).filter((one) => one.required || one.name === 'project');
    const values = query.map((one): [string, string] => [
      one.name,
      String(valueFor(one.schema, one.name, project)),
    ]);
    return { body, query: new URLSearchParams(values) };
  }

  return { document, operations, bodyOf, queryOf, valueFor, given, SAID };
}
