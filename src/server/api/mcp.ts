import type { OpenAPIHono } from '@hono/zod-openapi';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { badRequest, Problem } from '../../base/errors/problem.ts';
import type { Log } from '../../base/log.ts';
import { type Answer, addressOf, type Rest, type Route } from '../../base/wire/wire.ts';
import type { Env } from '../../http/env.ts';
import type { Ask } from '../../mcp/caller.ts';
import { mcpServer } from '../../mcp/server.ts';

/**
 * Mounts `/mcp` (Model Context Protocol, 2025-03 to 2026-07, without sessions) on the API. The middleware of the API has
 * identified the caller; a tool asks the API in the caller's name.
 */
export function mountMcp(app: OpenAPIHono<Env>, { log }: { log: Log }): void {
  const handler = createMcpHandler(
    ({ requestInfo, authInfo }) => {
      const { headers } = requestInfo as Request;
      return mcpServer(asCallerOf(app, headers), {
        own: (authInfo?.extra?.project as string | null) ?? undefined,
        project: readProject(headers.get('x-lore-project')),
        client: headers.get('user-agent')?.split('/')[0]?.slice(0, 100) || undefined,
      });
    },
    { onerror: (error) => log.warn({ error }, 'mcp') },
  );
  app.all('/mcp', async (c) => {
    const { project, keyId, scope } = c.get('caller');
    readProject(c.req.header('x-lore-project'));
    const authInfo = { token: '', clientId: keyId ?? 'signed in', scopes: [scope], extra: { project } };
    const body = c.req.method === 'POST' ? await c.req.text() : undefined;
    const example = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    if (body === '') throw badRequest('(body)', `must be a message of JSON-RPC, such as ${example}`);
    const parsedBody: unknown = body && JSON.parse(body);
    // an open stream (`subscriptions/listen`) is handed on as it is
    return handler.fetch(c.req.raw, { parsedBody, authInfo });
  });
}

/** @throws Problem (400) if the header is not as encodeURIComponent writes it */
function readProject(header: string | null | undefined): string | undefined {
  try {
    return header == null ? undefined : decodeURIComponent(header);
  } catch {
    throw badRequest('x-lore-project', 'a % in the name of a project is written as %25');
  }
}

/** Returns how a tool asks the API: within this process, with the key and under the host of the tool's own request. */
function asCallerOf(app: OpenAPIHono<Env>, asked: Headers): Ask {
  const headers = {
    'content-type': 'application/json',
    authorization: asked.get('authorization') ?? '',
    host: asked.get('host') ?? 'localhost',
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
