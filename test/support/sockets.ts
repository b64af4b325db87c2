import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach } from 'vitest';

const closings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(closings.splice(0).map((close) => close()));
});

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closings.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** A port on which `handle` handles each connection. */
export const portWith = (handle: (socket: Socket) => void): Promise<number> =>
  listening(createServer(handle));

/** A port on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A port with an https server with a self-signed certificate; `onRequest` is called if a request gets through. */
export const selfSignedPort = (onRequest: () => void): Promise<number> =>
  listening(
    createHttpsServer({ key: KEY, cert: CERTIFICATE }, (_, response) => {
      onRequest();
      response.end();
    }),
  );

/** For these tests only: self-signed, for localhost, valid until the year 2126. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFrTJCYIAIPHCK+OW
JCPY+v1k2UwHPLxJXqk87rIsYb2hRANCAASu+rPjD3J8WiTMrNNnGnTxyGQWnmRT
io3aXWR0qcPrNRaglyJVqvMXiIsCKQjBm/obNtuFicV8/BXoanmis10V
-----END PRIVATE KEY-----
`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUccywnEpX4/twfd4jYx4ZehN8ytQwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA4MjI0N1oYDzIxMjYxMDI4
MDgyMjQ3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASu+rPjD3J8WiTMrNNnGnTxyGQWnmRTio3aXWR0qcPrNRaglyJVqvMX
iIsCKQjBm/obNtuFicV8/BXoanmis10Vo28wbTAdBgNVHQ4EFgQUEOWkqNE/yZFP
Gc0uHyjRW79D6GwwHwYDVR0jBBgwFoAUEOWkqNE/yZFPGc0uHyjRW79D6GwwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAM2TNe5tCtZa9n9Z9Qqx74VpL+LBqPWXr9FiZX33+4XvAiBR
AR01xFHM17VzyMw0fa0/0ao9p7kQaDvdez8EIi0WVQ==
-----END CERTIFICATE-----
`;
