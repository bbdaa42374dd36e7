import { connect, createServer, type Socket } from 'node:net';

/**
 * Starts a proxy on a free port of loopback that passes everything on to `target`, each piece delayed by half of
 * `roundTripMs` in each direction. Like on a long cable, pieces that follow each other are under way at the same time.
 * So a program that sends without waiting for answers pays the delay only once. Bandwidth is not limited, and opening a
 * connection costs nothing.
 *
 * @returns the URL of `target` with host and port of the proxy, and a function that closes the proxy and its connections
 */
export async function delayed(
  target: string,
  roundTripMs: number,
): Promise<{ url: string; close(): Promise<void> }> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
    const far = connect({ host: hostname, port: Number(port || 5432), noDelay: true, allowHalfOpen: true });
    delayLine(near, far, roundTripMs / 2);
    delayLine(far, near, roundTripMs / 2);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      return closed;
    },
  };
}

function delayLine(from: Socket, to: Socket, delayMs: number): void {
  const line: { due: number; deliver: () => void }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const deliverDue = () => {
    timer = undefined;
    // a timer may fire a fraction of a millisecond too early
    while (line[0] && line[0].due <= performance.now() + 0.5) line.shift()?.deliver();
    if (line[0]) timer = setTimeout(deliverDue, line[0].due - performance.now());
  };
  const later = (deliver: () => void) => {
    line.push({ due: performance.now() + delayMs, deliver });
    timer ??= setTimeout(deliverDue, delayMs);
  };
  from.on('data', (piece) => later(() => to.write(piece)));
  from.on('end', () => later(() => to.end()));
  from.on('error', () => to.destroy());
  from.on('close', () => clearTimeout(timer));
}
