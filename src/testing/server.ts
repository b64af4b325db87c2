import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { corsHeaders, preflightHeaders, type EmulatorCors } from './cors.ts';
import type { Outcome } from './engine.ts';

type Send = (request: Request, signal: AbortSignal) => Promise<Outcome>;

/** A running server: its address, and how to stop it. */
export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the engine over HTTP on the loopback interface, including its failures. */
export async function listenOn(port: number, cors: EmulatorCors, send: Send): Promise<Listening> {
  // Imported only here, so that a bundle that contains this file still loads where there is no node:http.
  const { createServer } = await import('node:http');
  const server = createServer((message, response) => {
    // The date comes from the emulator's clock, not from that of the machine.
    response.sendDate = false;
    answer(message, response, cors, send).catch((error: unknown) => {
      if (response.destroyed) return;
      if (response.headersSent) response.destroy();
      else
        response
          .writeHead(500, { 'content-type': 'text/plain' })
          .end(`The emulator failed: ${String(error)}\n`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: actual } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${actual}`, close: () => close(server) };
}

function close(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function answer(
  message: IncomingMessage,
  response: ServerResponse,
  cors: EmulatorCors,
  send: Send,
): Promise<void> {
  const { origin } = message.headers;
  if (message.method === 'OPTIONS' && origin !== undefined) {
    const asked = message.headers['access-control-request-headers'];
    response.writeHead(204, preflightHeaders(origin, asked)).end();
    return;
  }
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const request = await toRequest(message);
  if (request === undefined) {
    response.writeHead(400, { 'content-type': 'text/plain' }).end('The request cannot be read\n');
    return;
  }
  const outcome = await send(request, gone.signal);
  if (outcome.kind === 'stall') return;
  if (outcome.kind === 'reset') {
    message.socket.resetAndDestroy();
    return;
  }
  const body = new Uint8Array(await outcome.response.arrayBuffer());
  const headers = { ...Object.fromEntries(outcome.response.headers), ...corsHeaders(origin, cors) };
  const length = outcome.response.status === 204 ? {} : { 'content-length': String(body.length) };
  response.writeHead(outcome.response.status, { ...headers, ...length });
  if (outcome.kind === 'answer') {
    response.end(body);
    return;
  }
  response.flushHeaders();
  response.write(body.subarray(0, Math.ceil(body.length / 2)), () => {
    // Closed once the bytes have been sent: the reader receives the first half, then the end of the connection.
    if (outcome.kind === 'truncate') message.socket.destroySoon();
  });
}

/** The request as the engine takes it; undefined for a method or a host that none can have. */
async function toRequest(message: IncomingMessage): Promise<Request | undefined> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of message) chunks.push(chunk as Uint8Array);
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const method = message.method ?? 'GET';
  const bodyless = method === 'GET' || method === 'HEAD';
  const url = `http://${message.headers.host ?? '127.0.0.1'}${message.url ?? '/'}`;
  try {
    return new Request(url, { method, headers, body: bodyless ? null : Buffer.concat(chunks) });
  } catch {
    return undefined;
  }
}
