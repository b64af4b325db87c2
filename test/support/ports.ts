import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A server that listens on this machine. */
export interface Listening {
  readonly port: number;
  /** Ends the server and everything that is connected to it. */
  readonly close: () => Promise<unknown>;
}

export async function listen(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** Below the ports that systems hand out by themselves: no other test's connection takes one of these meanwhile. */
const CLOSED_PORTS = { from: 20_000, to: 32_000 };

/** A port on which nothing listens. */
export async function closedPort(): Promise<number> {
  for (;;) {
    const port = randomInt(CLOSED_PORTS.from, CLOSED_PORTS.to);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
