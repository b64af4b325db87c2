import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import { CERTIFICATE, KEY } from './certificate.ts';
import { listen } from './ports.ts';

export { closedPort } from './ports.ts';

const closings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(closings.splice(0).map((close) => close()));
});

/** The port of a server that is closed after the test. */
async function listening(server: Server): Promise<number> {
  const { port, close } = await listen(server);
  closings.push(close);
  return port;
}

/** A port whose connections `handle` serves. */
export const portWith = (handle: (socket: Socket) => void): Promise<number> =>
  listening(createServer(handle));

/** A port with an https server with a self-signed certificate; `onRequest` is called if a request gets through. */
export const selfSignedPort = (onRequest: () => void, cert = CERTIFICATE): Promise<number> =>
  listening(
    createHttpsServer({ key: KEY, cert }, (_, response) => {
      onRequest();
      response.end();
    }),
  );
