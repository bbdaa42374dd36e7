import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * Returns a URL that leads to a server over a network that can fall silent, be cut, and change what clients send. Whoever
 * makes one closes it.
 */
export async function networkTo(url: string) {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const state = { cut: false, silent: false, change: (bytes: Buffer) => bytes };
  const proxy = createServer((near) => {
    if (state.cut) return near.destroy();
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => state.silent || to.write(from === near ? state.change(bytes) : bytes));
      from.on('error', () => {}).on('close', () => to.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const through = new URL(url);
  through.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  /** Ends the connections that there are. */
  const drop = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const close = () => {
    drop();
    proxy.close();
  };
  return { url: through.href, state, drop, close };
}
