import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MAX_BODY_BYTES } from '../body.ts';
import { CONTROL_PATH } from '../control-api/path.ts';
import type { Outcome } from '../engine.ts';
import { corsHeaders, preflightHeaders, type EmulatorCors } from './cors.ts';
import { readBody, refusalOf, toRequest, withBody } from './incoming.ts';
import { refuse, refuseUnreadable } from './unreadable.ts';

type Send = (request: Request, signal: AbortSignal, isTooLarge: boolean) => Promise<Outcome>;

/** The settings of the server. */
export interface Listen {
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly cors: EmulatorCors;
  readonly send: Send;
  /** Whether a request with these headers has a token of the emulator. */
  readonly hasToken: (headers: Headers) => boolean;
  /** What responds to paths that begin with `/_emulator`, if anything does. */
  readonly controlApi: ControlApi | undefined;
}

type ControlApi = (message: IncomingMessage, response: ServerResponse, gone: AbortSignal) => Promise<void>;

/** A running server: its address, and how to stop it. */
export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * How long a connection without a request stays open. After Node's default of 5 s, a process that was busy for as long, and
 * is both server and client, closes a connection whose next request it has not read yet.
 */
const KEEP_ALIVE_MS = 60_000;

/** Serves the engine over HTTP on the loopback interface, including its failures. */
export async function listenOn(listen: Listen): Promise<Listening> {
  // Imported only here, so that a bundle that contains this file still loads where there is no node:http.
  const { createServer } = await import('node:http');
  // The Host header is checked here, together with everything else about it.
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: KEEP_ALIVE_MS });
  refuseUnreadable(server);
  server.on('request', (message: IncomingMessage, response: ServerResponse) => {
    // The date comes from the emulator's clock, not from that of the machine.
    response.sendDate = false;
    answer(message, response, listen).catch((error: unknown) => {
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
    server.listen(listen.port, '127.0.0.1', () => {
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

async function answer(message: IncomingMessage, response: ServerResponse, listen: Listen): Promise<void> {
  const refused = refusalOf(message, listen.allowedHosts);
  if (refused !== undefined) {
    refuse(response, refused);
    return;
  }
  if (listen.controlApi !== undefined && isControlPath(message.url ?? '')) {
    // Before CORS is looked at: no page of another origin has any business there.
    await listen.controlApi(message, response, goneSignal(response));
    return;
  }
  if (isForPerson(message)) {
    writeFirstPage(response, listen.controlApi !== undefined);
    return;
  }
  const { origin } = message.headers;
  const asked = message.headers['access-control-request-method'];
  if (message.method === 'OPTIONS' && origin !== undefined && asked !== undefined) {
    preflight(message, response, origin, listen.cors);
    return;
  }
  const gone = goneSignal(response);
  const cors = corsHeaders(origin, listen.cors);
  const head = toRequest(message);
  if (head === undefined) {
    refuse(response, { status: 400, message: 'The request cannot be read' }, cors);
    return;
  }
  // A request without a token changes nothing, whatever its body says.
  const body = await readBody(message, MAX_BODY_BYTES, listen.hasToken(head.headers));
  const request = withBody(head, body);
  const outcome = await listen.send(request, gone, body === undefined);
  await write(outcome, message, response, cors);
}

/** Whether a person has entered the bare address of the emulator in a browser. */
const isForPerson = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'GET' && url === '/' && /\btext\/html\b/.test(headers.accept ?? '');

/** Says where the page of the emulator is. Its address is secret: whoever asks for this one may be anybody. */
function writeFirstPage(response: ServerResponse, hasControlApi: boolean): void {
  const next = hasControlApi
    ? 'To see what it was asked and mailed, open the address that its terminal shows after “In a browser, once”.'
    : 'To see what it was asked and mailed, start it with <code>email-platform emulator --control</code>.';
  const again = hasControlApi
    ? 'That address signs one browser in; <code>POST /_emulator/codes</code> makes another.'
    : 'It then shows an address that signs a browser in.';
  response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .end(
      `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Email emulator</title>
<h1>An emulator of an email service listens here.</h1>\n<p>${next}</p>\n<p>${again}</p></html>\n`,
    );
}

const isControlPath = (url: string) =>
  url === CONTROL_PATH || [`${CONTROL_PATH}/`, `${CONTROL_PATH}?`].some((begin) => url.startsWith(begin));

/** A signal that is aborted when the connection closes. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  return gone.signal;
}

function preflight(
  message: IncomingMessage,
  response: ServerResponse,
  origin: string,
  cors: EmulatorCors,
): void {
  if (!cors.origins.includes(origin)) {
    const allow = `listen({ cors: { origins: ['${origin}'] } }), or --cors ${origin} on the command line`;
    refuse(response, {
      status: 403,
      message: `The emulator does not respond to pages of the origin ${origin}. To allow them: ${allow}.`,
    });
    return;
  }
  const headers = message.headers['access-control-request-headers'];
  response.writeHead(204, preflightHeaders(origin, headers)).end();
}

async function write(
  outcome: Outcome,
  message: IncomingMessage,
  response: ServerResponse,
  cors: Readonly<Record<string, string>>,
): Promise<void> {
  if (outcome.kind === 'stall') return;
  if (outcome.kind === 'reset') {
    message.socket.resetAndDestroy();
    return;
  }
  const body = new Uint8Array(await outcome.response.arrayBuffer());
  const headers = { ...Object.fromEntries(outcome.response.headers), ...cors };
  const hasOwnLength = outcome.response.status === 204 || message.method === 'HEAD';
  const length = hasOwnLength ? {} : { 'content-length': String(body.length) };
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
