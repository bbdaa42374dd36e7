import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type Loopback = { url: string; server: Server; close(): Promise<void> };

/** Starts an HTTP server on a free port of this machine. Whoever starts it closes it. */
export async function listen(answer: RequestListener): Promise<Loopback> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, close };
}

/** Returns a port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const { server, close } = await listen(() => {});
  const { port } = server.address() as AddressInfo;
  await close();
  return port;
}
