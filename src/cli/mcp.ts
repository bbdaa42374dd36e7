import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Config } from '../config.ts';
import { mcpServers } from '../mcp/server.ts';
import { callServer } from './client.ts';
import { projectHere, rootHere } from './here.ts';

/**
 * Serves agents' tools over stdio, for clients that start their MCP servers themselves. The tools ask the running Lore
 * server, in the project of the working folder. It ends when the client closes standard input.
 *
 * @param project instead of that of the working folder
 */
export async function serveMcp(config: Config, project: string | undefined): Promise<void> {
  // a server that does not answer yet may do so when a tool is called
  const here = project ?? (await projectHere(config).catch(() => rootHere()));
  const factory = mcpServers((route, ...given) => callServer(config, route, ...given), {
    project: here,
    client: undefined,
  });
  const { close } = serveStdio(factory, { onerror: (error) => console.error(`lore: ${error.message}`) });
  await new Promise<void>((resolve) => process.stdin.once('close', resolve).once('end', resolve));
  await close();
}
