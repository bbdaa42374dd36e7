import type { OpenAPIHono } from '@hono/zod-openapi';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { Problem } from '../errors/problem.ts';
import type { Env } from '../http/env.ts';
import type { Log } from '../log.ts';
import type { Ask } from '../mcp/ask.ts';
import { mcpServers } from '../mcp/server.ts';
import { type Answer, addressOf, type Rest, type Route } from '../wire/wire.ts';

/**
 * Mounts `/mcp` (Model Context Protocol, 2025-03 to 2026-07, without sessions) on the API. The middleware of the API has
 * identified the caller; a tool asks the API in the caller's name.
 */
export function mountMcp(app: OpenAPIHono<Env>, { log }: { log: Log }): void {
  app.all('/mcp', async (c) => {
    const { project, name } = c.get('caller');
    const asked = c.req.header('x-lore-project');
    const about = {
      project: project ?? (asked === undefined ? undefined : decodeURIComponent(asked)),
      client: name,
    };
    const handler = createMcpHandler(mcpServers(asCallerOf(app, c.req.raw), about), {
      onerror: (error) => log.warn({ requestId: c.get('requestId'), error }, 'mcp'),
    });
    const body = c.req.method === 'POST' ? await c.req.json() : undefined;
    // an open stream (`subscriptions/listen`) is handed on as it is
    return handler.fetch(c.req.raw, { parsedBody: body });
  });
}

/** Returns how a tool asks the API: within this process, with the key and under the host of the tool's own request. */
function asCallerOf(app: OpenAPIHono<Env>, request: Request): Ask {
  const headers = {
    'content-type': 'application/json',
    authorization: request.headers.get('authorization') ?? '',
    host: request.headers.get('host') ?? 'localhost',
  };
  return async <R extends Route>(route: R, ...[given]: Rest<R>) => {
    const { method, address } = addressOf(route, given);
    const body = given && 'body' in given ? { body: JSON.stringify(given.body) } : {};
    const answer = await app.request(address, { method, headers, ...body });
    if (answer.status === 204) return undefined as Answer<R>;
    const data: unknown = await answer.json();
    if (!answer.ok) throw new Problem(data as ConstructorParameters<typeof Problem>[0]);
    return data as Answer<R>;
  };
}
