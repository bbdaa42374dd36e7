import { resolve } from 'node:path';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { readText } from '../files/read-text.ts';
import { mcpServer } from '../mcp/server.ts';
import { objectIn } from '../text/json.ts';
import { callServer } from './client.ts';
import { projectHere, rootHere } from './here.ts';
import type { Io } from './io.ts';

/**
 * Serves agents' tools over stdio, for clients that start their MCP servers themselves. The tools ask the running Lore
 * server, in the project of the working folder. It ends when the client closes standard input.
 *
 * @param project instead of that of the working folder
 * @param file holds the address and the key to use
 */
export async function serveMcp(
  given: Config,
  io: Io,
  project: string | undefined,
  file?: string,
): Promise<void> {
  const config = file === undefined ? given : { ...given, ...readAddress(resolve(io.cwd, file)) };
  // a server that does not answer yet may do so when a tool is called
  const here = project ?? (await projectHere(config, io).catch(() => rootHere(io)));
  const factory = () =>
    mcpServer((route, ...given) => callServer(config, route, ...given), { project: here, client: undefined });
  const { close } = serveStdio(factory, {
    transport: new StdioServerTransport(io.stdin, io.stdout),
    onerror: (error) => io.error(`lore: ${error.message}`),
  });
  await new Promise<void>((resolve) => io.stdin.once('close', resolve).once('end', resolve));
  await close();
}

/** @throws Problem (400) if the file cannot be read */
function readAddress(file: string): Pick<Config, 'url' | 'key'> & Partial<Pick<Config, 'tlsPin'>> {
  const { url, key, pin } = objectIn(readText(file) ?? '') ?? {};
  if (typeof url === 'string' && typeof key === 'string')
    return { url, key, ...(typeof pin === 'string' && { tlsPin: pin }) };
  throw new Problem({
    status: 400,
    title: 'Bad option',
    detail: `${file} does not hold an address and a key: run lore init --client again`,
  });
}
