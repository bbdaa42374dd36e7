import { resolve } from 'node:path';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Config } from '../base/config.ts';
import { readText } from '../base/files/read-text.ts';
import { objectIn } from '../base/text/json.ts';
import { mcpServer } from '../mcp/server.ts';
import { callServer, projectIn, rootHere } from './client.ts';
import { type Action, wrongUsage } from './rows.ts';

/**
 * Serves agents' tools over stdio, for clients that start their MCP servers themselves. The tools ask the running Lore
 * server, in the project of the working folder. It ends when the client closes standard input.
 */
const mcp: Action = async ({ project, key }: { project?: string; key?: string }, cli) => {
  const { io } = cli;
  const config = key === undefined ? cli.config : { ...cli.config, ...readAddress(resolve(io.cwd, key)) };
  // a server that does not answer yet may do so when a tool is called
  const here = project ?? (await projectIn(config, io.cwd).catch(() => rootHere(io)));
  const about = { project: here, client: undefined };
  const factory = () => mcpServer((route, ...given) => callServer(config, route, ...given), about);
  const { close } = serveStdio(factory, {
    transport: new StdioServerTransport(io.stdin, io.stdout),
    onerror: (error) => io.error(`lore: ${error.message}`),
  });
  await new Promise<void>((resolve) => io.stdin.once('close', resolve).once('end', resolve));
  await close();
};

export const actions: Record<string, Action> = {
  mcp,
  // bin/lore.js has answered it already, without the time that all of this takes to load
  hook: () => {},
};

/** @throws Problem (400) if the file cannot be read */
function readAddress(file: string): Pick<Config, 'url' | 'key'> {
  const { url, key } = objectIn(readText(file) ?? '') ?? {};
  if (typeof url === 'string' && typeof key === 'string') return { url, key };
  throw wrongUsage(`${file} does not hold an address and a key: run lore init --client again.`);
}
