/** The HTTP server. May import `emulator/control-api` and `service`. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ofStopped, stopped } from '../../../kit/stopped.ts';
import { MAX_BODY_BYTES } from '../../service/engine/body.ts';
import { CONTROL_PATH } from '../control-api/path.ts';
import type { Outcome } from '../../service/engine/engine.ts';
import type { EngineRequest, RequestHeaders } from '../../service/wire/engine-request.ts';
import { wholeBody } from '../../service/wire/engine-response.ts';
import { isLoopbackAddress } from '../../common/allowed-hosts.ts';
import { corsHeaders, preflightHeaders, type EmulatorCors } from '../../common/cors.ts';
import { addressOf, MessageHeaders, readBody, refusalOf } from './incoming.ts';
import { isForPerson, personPage, PERSON_PAGE_HEADERS } from './person-page.ts';
import { refuse, refuseUnreadable } from './unreadable.ts';

type Send = (request: EngineRequest) => Promise<Outcome>;

/** The settings of the server. */
export interface Listen {
  readonly port: number;
  /** The address to listen on. */
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly cors: EmulatorCors;
  readonly send: Send;
  /** Whether a request with these headers has a token of the emulator. */
  readonly hasToken: (headers: RequestHeaders) => boolean;
  /** The handler of paths that begin with `/_emulator`; `undefined` if the server has no control API. */
  readonly controlApi: ControlApi | undefined;
}

type ControlApi = (message: IncomingMessage, response: ServerResponse, gone: AbortSignal) => Promise<void>;

/** A running server: its address, and how to stop it. */
export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * How long an idle connection stays open. Node's default of 5 s is too short for a process that is both server and client:
 * when it was busy for 5 s, it would close a connection whose next request it has not read yet.
 */
const KEEP_ALIVE_MS = 60_000;

/** Serves the engine over HTTP, including its failures. */
export async function listenOn(listen: Listen): Promise<Listening> {
  // Imported only here, so that a bundle with this file also loads in a runtime without node:http.
  const { createServer } = await import('node:http');
  const names = await stopped();
  if (names !== undefined) throw new Error(ofStopped(names));
  // refusalOf checks the Host header, so Node does not.
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
    server.listen(listen.port, listen.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: actual } = server.address() as AddressInfo;
  const own = listen.host.includes(':') ? `[${listen.host}]` : listen.host;
  const [name = own] = isOpen(listen) ? listen.allowedHosts : [];
  const hasPort = new URL(`http://${name}`).port !== '';
  return { url: `http://${name}${hasPort ? '' : `:${actual}`}`, close: () => close(server) };
}

/** Whether other machines reach the server. */
const isOpen = ({ host }: Listen) => !isLoopbackAddress(host);

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
  // The port is free, but Node would report it in a turn that does not come.
  const names = await stopped();
  if (names !== undefined) throw new Error(ofStopped(names));
  await closed;
}

async function answer(message: IncomingMessage, response: ServerResponse, listen: Listen): Promise<void> {
  const refused = refusalOf(message, listen.allowedHosts);
  if (refused !== undefined) {
    refuse(response, refused);
    return;
  }
  if (listen.controlApi !== undefined && isControlPath(message.url ?? '')) {
    // Before the CORS headers: pages of other origins have no access to the control API.
    await listen.controlApi(message, response, goneSignal(response));
    return;
  }
  const isFirst = message.url === '/' && isForPerson(message.method, message.headers);
  if (isFirst && (listen.controlApi !== undefined || !isOpen(listen))) {
    writeFirstPage(response, listen.controlApi !== undefined);
    return;
  }
  const { origin } = message.headers;
  const asked = message.headers['access-control-request-method'];
  if (message.method === 'OPTIONS' && origin !== undefined && asked !== undefined) {
    preflight(message, response, origin, listen.cors);
    return;
  }
  const cors = corsHeaders(origin, listen.cors);
  const url = addressOf(message);
  const { method = 'GET' } = message;
  // A handler gets a web Request, which cannot have the method TRACE.
  if (url === undefined || method === 'TRACE') {
    refuse(response, { status: 400, message: 'The request cannot be read' }, cors);
    return;
  }
  const headers = new MessageHeaders(message);
  // The body of a request without a token is not kept: such a request changes nothing.
  const body = await readBody(message, MAX_BODY_BYTES, listen.hasToken(headers));
  const isBodyless = method === 'GET' || method === 'HEAD';
  const outcome = await listen.send({
    method,
    url,
    headers,
    get signal() {
      return goneSignal(response);
    },
    body: () => Promise.resolve(isBodyless && body !== undefined ? new Uint8Array() : body),
  });
  await write(outcome, message, response, cors);
}

/** A page that tells how to sign in. It is open to everyone, so it names no secret address. */
function writeFirstPage(response: ServerResponse, hasControlApi: boolean): void {
  response
    .writeHead(200, PERSON_PAGE_HEADERS)
    .end(
      personPage('Email emulator', [
        'An emulator of an email service listens here.',
        hasControlApi
          ? 'To see its emails and requests, open the address that its terminal shows after “Page:”, or press `o` there.'
          : 'To see its emails and requests, start it with `email-platform emulator --control`. It then shows an address for a browser.',
      ]),
    );
}

const isControlPath = (url: string) =>
  url === CONTROL_PATH || [`${CONTROL_PATH}/`, `${CONTROL_PATH}?`].some((begin) => url.startsWith(begin));

/** A signal that is aborted when the connection closes. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  else response.on('close', () => gone.abort());
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
  const { status, headers, body } = outcome.response;
  // Node writes a text together with the headers, and bytes after them.
  const sent =
    typeof body === 'string' && outcome.kind === 'answer' ? body : await wholeBody(outcome.response);
  const hasOwnLength = status === 204 || message.method === 'HEAD';
  const length = hasOwnLength ? {} : { 'content-length': String(Buffer.byteLength(sent)) };
  response.writeHead(status, { ...headers, ...cors, ...length });
  if (outcome.kind === 'answer') {
    response.end(sent);
    return;
  }
  response.flushHeaders();
  response.write(sent.slice(0, Math.ceil(sent.length / 2)), () => {
    // Closes after the bytes are sent: the client receives the first half, then the end of the connection.
    if (outcome.kind === 'truncate') message.socket.destroySoon();
  });
}
