import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Refused } from './incoming.ts';

interface Pending {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

/** Writes a refusal in the shape of the service. */
export function refuse(
  response: ServerResponse,
  { status, message }: Refused,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = JSON.stringify({ error: message });
  response.writeHead(status, { ...headers, ...headersOf(body) }).end(body);
}

const headersOf = (body: string) => ({
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(new TextEncoder().encode(body).length),
});

/**
 * Responds to bytes that are not HTTP, and closes the connection. Node's own response has no body, and it would replace
 * the response to an earlier request on the same connection.
 */
export function refuseUnreadable(server: Server): void {
  const pending = new WeakMap<Duplex, Set<Pending>>();
  const failed = new WeakSet<Duplex>();
  server.on('request', (message: IncomingMessage, response: ServerResponse) => {
    const { socket } = message;
    const all = pending.get(socket) ?? new Set();
    const one = { message, response };
    pending.set(socket, all.add(one));
    response.on('close', () => all.delete(one));
  });
  server.on('clientError', (error: Error & { code?: string }, socket: Duplex) => {
    if (failed.has(socket)) return;
    failed.add(socket);
    const refused = explained(error.code);
    const all = [...(pending.get(socket) ?? [])];
    const broken = all.find(({ message }) => !message.complete)?.response;
    if (broken !== undefined && !broken.headersSent) {
      broken.on('finish', () => socket.destroy());
      refuse(broken, refused, { connection: 'close' });
      return;
    }
    void Promise.all(all.map(({ response }) => closed(response))).then(() => end(socket, refused));
  });
  server.on('connect', (_message: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    end(socket, { status: 400, message: 'The emulator is not a proxy' });
  });
}

const closed = (response: ServerResponse) =>
  new Promise<void>((resolve) => response.on('close', () => resolve()));

function explained(code: string | undefined): Refused {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { status: 408, message: 'The request took too long to arrive' };
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { status: 400, message: 'The address and the headers of the request are too large' };
  }
  return { status: 400, message: 'The request is not valid HTTP' };
}

const REASONS: Readonly<Record<number, string>> = { 400: 'Bad Request', 408: 'Request Timeout' };

/** Writes a response to the socket itself, because Node has no request and so no response object. */
function end(socket: Duplex, { status, message }: Refused): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ error: message });
  const headers = Object.entries({ ...headersOf(body), connection: 'close' });
  const head = [`HTTP/1.1 ${status} ${REASONS[status] ?? ''}`, ...headers.map((pair) => pair.join(': '))];
  socket.end([...head, '', body].join('\r\n'), () => socket.destroy());
}
