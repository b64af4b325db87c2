import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listen, type Listening } from './ports.ts';

/** The reaction of a proxy to a request for a connection to an address. */
export type OnConnect = (socket: Socket, address: string) => void;

export interface ConnectProxy extends Listening {
  readonly url: string;
  /** The requested addresses. */
  readonly asked: readonly string[];
}

/** Refuses the connection with a status. */
export const refusing =
  (status: number): OnConnect =>
  (socket) =>
    void socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\n\r\n`);

/** Closes the connection without a response. */
export const hangingUp: OnConnect = (socket) => void socket.destroy();

/** Connects, and forwards the data of both sides. */
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

/** A proxy for https, which forwards encrypted data only. */
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
