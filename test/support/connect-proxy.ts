import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listen, type Listening } from './ports.ts';

/** What a proxy does when somebody asks it for a connection to an address. */
export type OnConnect = (socket: Socket, address: string) => void;

export interface ConnectProxy extends Listening {
  readonly url: string;
  /** The addresses it was asked for. */
  readonly asked: readonly string[];
}

/** Refuses the connection with a status. */
export const refusing =
  (status: number): OnConnect =>
  (socket) =>
    void socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\n\r\n`);

/** Hangs up without an answer. */
export const hangingUp: OnConnect = (socket) => void socket.destroy();

/** Connects, and passes on what both sides say. */
export const tunnelling: OnConnect = (socket, address) => {
  const [, port] = address.split(':');
  const target = connect(Number(port), '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    target.pipe(socket);
    socket.pipe(target);
  });
  target.on('error', () => socket.destroy());
  socket.on('close', () => target.destroy());
};

/** A proxy for https, which never sees what goes through it. */
export async function connectProxy(onConnect: OnConnect): Promise<ConnectProxy> {
  const asked: string[] = [];
  const server = createServer((_, response) => response.writeHead(400).end());
  server.on('connect', ({ url = '' }, socket: Socket) => {
    asked.push(url);
    socket.on('error', () => undefined);
    onConnect(socket, url);
  });
  const listening = await listen(server);
  return { ...listening, url: `http://127.0.0.1:${listening.port}`, asked };
}
