import { createServer as createHttpsServer } from 'node:https';
import type { Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { CERTIFICATE, KEY } from '../support/certificate.ts';
import { surface } from '../spec/surface.ts';
import type { Call } from '../support/calls/call.ts';
import { methodOf } from '../support/calls/calls.ts';
import { ECHO, SECRETS, type Fault } from './faults.ts';
import { rawResponse } from './raw-server.ts';

/** The inputs of a connection fault. */
export interface Scene {
  readonly socket: Socket;
  /** The body of the response that the call hopes for. */
  readonly body: string;
  /** That response. */
  readonly answer: string;
  /** To be called when nothing more will come: only now does it make sense to let the client's time run out. */
  readonly stalled: () => void;
}

/** A fault of a real connection. */
export interface SocketFault extends Fault {
  /** The trigger of the fault: a connection, the head of a request, or the whole request. */
  readonly on: 'connection' | 'head' | 'request';
  readonly act: (scene: Scene) => void;
  /** The client is told to use TLS. */
  readonly isHttps?: true;
  /** The server uses TLS, in its own way. */
  readonly over?: (handle: (socket: Socket) => void) => Server;
  /** Only on a connection that has already been used. */
  readonly isKeptAlive?: true;
  /** Nothing listens. */
  readonly isClosed?: true;
}

const ok = (length: number | string, ...headers: string[]) =>
  ['HTTP/1.1 200 OK', 'content-type: application/json', `content-length: ${length}`, ...headers, '\r\n'].join(
    '\r\n',
  );
const chunked = (...headers: string[]) =>
  [
    'HTTP/1.1 200 OK',
    'content-type: application/json',
    'transfer-encoding: chunked',
    ...headers,
    '\r\n',
  ].join('\r\n');
const half = (body: string) => body.slice(0, Math.ceil(body.length / 2));

/** Bodies that fetch makes a text of, and that have no end: what is left of a longer one. */
const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = constants;
const CUT: Readonly<Record<string, (text: string) => Buffer>> = {
  gzip: (text) => gzipSync(text, { finishFlush: Z_SYNC_FLUSH }),
  deflate: (text) => deflateSync(text, { finishFlush: Z_SYNC_FLUSH }),
  br: (text) => brotliCompressSync(text, { finishFlush: BROTLI_OPERATION_FLUSH }),
};

/** Sends pieces one after the other, each in a packet of its own. */
function drip(socket: Socket, pieces: readonly string[]): void {
  const [first, ...rest] = pieces;
  if (first === undefined || socket.destroyed) return;
  socket.setNoDelay().write(first, 'latin1', () => setImmediate(() => drip(socket, rest)));
}

const pieces = (text: string) => text.match(new RegExp(`[^]{1,${Math.ceil(text.length / 12)}}`, 'g')) ?? [];

type Row = Omit<SocketFault, 'phase' | 'on'> & Partial<Pick<SocketFault, 'on'>>;
const during = (phase: SocketFault['phase'], on: SocketFault['on'], rows: readonly Row[]): SocketFault[] =>
  rows.map((row) => ({ phase, on, ...row }));

/** Whether Node asks for the bytes of its request, which tells that none has left. */
const tellsLeaving = (call: Call) =>
  call.repeated === 'does it twice' ||
  surface.some(({ method, verb }) => method === methodOf(call) && verb === 'POST');

/** A fault before any byte of the request: a request whose bytes are asked for was certainly not sent. */
function inTheHandshake({ whenTold, ...row }: Row & { readonly whenTold: Fault['meaning'] }): Row[] {
  return [
    { ...row, isHttps: true, only: (call) => !tellsLeaving(call) },
    {
      ...row,
      name: `${row.name}, before a byte was asked for`,
      meaning: whenTold,
      isHttps: true,
      only: tellsLeaving,
    },
  ];
}

/** Everything that a connection can do to a request. */
export const SOCKET_FAULTS: readonly SocketFault[] = [
  ...during('before the connection', 'connection', [
    { name: 'nothing listens', meaning: 'never sent', isClosed: true, act: () => undefined },
    { name: 'closed when connected', meaning: 'lost', act: ({ socket }) => void socket.destroy() },
    {
      name: 'reset at the first byte',
      meaning: 'lost',
      act: ({ socket }) => void socket.once('data', () => socket.resetAndDestroy()),
    },
    {
      name: 'nobody at home: connected, and never read',
      meaning: 'silent',
      act: ({ socket, stalled }) => {
        socket.pause();
        stalled();
      },
    },
    ...inTheHandshake({
      name: 'TLS to a port that speaks plain HTTP',
      meaning: 'no TLS',
      whenTold: 'untrusted',
      act: ({ socket }) => void socket.end(rawResponse('400 Bad Request')),
    }),
    ...inTheHandshake({
      name: 'TLS that ends in the handshake',
      meaning: 'lost',
      whenTold: 'never sent',
      act: ({ socket }) => void socket.once('data', () => socket.destroy()),
    }),
    ...inTheHandshake({
      name: 'TLS that never comes to an end',
      meaning: 'silent',
      whenTold: 'never sent, silent',
      act: ({ socket, stalled }) => void socket.once('data', stalled),
    }),
    ...inTheHandshake({
      name: 'TLS with nothing in common',
      meaning: 'lost',
      whenTold: 'never sent',
      over: (handle) => createTlsServer({ ciphers: 'ECDHE-RSA-AES128-SHA', maxVersion: 'TLSv1.2' }, handle),
      act: () => undefined,
    }),
    {
      name: 'a certificate signed by nobody',
      meaning: 'untrusted',
      isHttps: true,
      over: (handle) => createHttpsServer({ key: KEY, cert: CERTIFICATE }).on('secureConnection', handle),
      act: ({ socket, answer }) => void socket.end(answer),
    },
  ]),
  ...during('while the request is written', 'head', [
    { name: 'closed after the head', meaning: 'lost', act: ({ socket }) => void socket.destroy() },
    { name: 'reset after the head', meaning: 'lost', act: ({ socket }) => void socket.resetAndDestroy() },
    {
      name: 'not read any further',
      meaning: 'silent',
      act: ({ socket, stalled }) => {
        socket.pause();
        stalled();
      },
    },
    {
      name: 'refused before it was read',
      meaning: 'refused',
      act: ({ socket }) =>
        void socket.write(rawResponse('413 Content Too Large', '{"errors":["Too large"]}')),
    },
    {
      name: 'failed before it was read',
      meaning: 'failed',
      act: ({ socket }) => void socket.write(rawResponse('500 Internal Server Error', ECHO)),
    },
    {
      name: 'on a used connection, closed when it comes',
      meaning: 'lost',
      isKeptAlive: true,
      act: ({ socket }) => void socket.destroy(),
    },
    {
      name: 'on a used connection, reset when it comes',
      meaning: 'lost',
      isKeptAlive: true,
      act: ({ socket }) => void socket.resetAndDestroy(),
    },
  ]),
  ...during('before the headers', 'request', [
    { name: 'silence', meaning: 'silent', act: ({ stalled }) => stalled() },
    { name: 'closed without an answer', meaning: 'lost', act: ({ socket }) => void socket.destroy() },
    { name: 'ended without an answer', meaning: 'lost', act: ({ socket }) => void socket.end() },
    { name: 'reset without an answer', meaning: 'lost', act: ({ socket }) => void socket.resetAndDestroy() },
    {
      name: 'on a used connection, closed without an answer',
      meaning: 'lost',
      isKeptAlive: true,
      act: ({ socket }) => void socket.destroy(),
    },
    {
      name: 'an early hint first',
      meaning: 'fine',
      act: ({ socket, answer }) =>
        void socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${answer}`),
    },
    {
      name: 'an early hint and nothing else',
      meaning: 'silent',
      act: ({ socket, stalled }) =>
        void socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', () => stalled()),
    },
    {
      name: 'an early hint, then closed',
      meaning: 'lost',
      act: ({ socket }) => void socket.end('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
    },
    {
      name: 'a 100 that nobody asked for',
      meaning: 'lost',
      act: ({ socket, answer }) => void socket.end(`HTTP/1.1 100 Continue\r\n\r\n${answer}`),
    },
    {
      name: 'another protocol that nobody asked for',
      meaning: 'lost',
      act: ({ socket }) =>
        void socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'),
    },
    {
      name: 'something that is not HTTP',
      meaning: 'lost',
      act: ({ socket }) => void socket.end(`SSH-2.0-${SECRETS.token}\r\n\r\n`),
    },
    {
      name: 'the request itself, sent back',
      meaning: 'lost',
      act: ({ socket }) => void socket.end(`GET / HTTP/1.1\r\n${ECHO}\r\n\r\n`),
    },
    { name: 'HTTP/0.9', meaning: 'lost', act: ({ socket, body }) => void socket.end(body) },
  ]),
  ...during('in the headers', 'request', [
    {
      name: 'closed in the status line',
      meaning: 'lost',
      act: ({ socket }) => void socket.end('HTTP/1.1 20'),
    },
    {
      name: 'closed between two headers',
      meaning: 'lost',
      act: ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nx-request'),
    },
    {
      name: 'silence between two headers',
      meaning: 'silent',
      act: ({ socket, stalled }) =>
        void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nx-request', () => stalled()),
    },
    {
      name: 'headers without end',
      meaning: 'lost',
      act: ({ socket }) =>
        drip(socket, ['HTTP/1.1 200 OK\r\n', ...Array<string>(40).fill(`x-much: ${'a'.repeat(4096)}\r\n`)]),
    },
    {
      name: 'headers that come slowly',
      meaning: 'fine',
      act: ({ socket, answer }) => drip(socket, pieces(answer)),
    },
    {
      name: 'a control character in a header',
      meaning: 'lost',
      act: ({ socket, body }) => void socket.end(ok(body.length, 'x-bad: a\0b') + body),
    },
    {
      name: 'two lengths',
      meaning: 'lost',
      act: ({ socket, body }) => void socket.end(ok(body.length, 'content-length: 1') + body),
    },
    {
      name: 'a length that is no number',
      meaning: 'lost',
      act: ({ socket, body }) => void socket.end(ok('many') + body),
    },
    {
      name: 'a length, and chunks as well',
      meaning: 'lost',
      act: ({ socket, body }) => void socket.end(ok(body.length, 'transfer-encoding: chunked') + body),
    },
    {
      // Node repeats it by itself; harmless requests are left to it.
      name: 'misdirected (421)',
      meaning: 'refused',
      only: ({ repeated }) => repeated === 'does it twice',
      act: ({ socket }) => void socket.write(rawResponse('421 Misdirected Request')),
    },
    {
      name: 'a redirect to another host',
      meaning: 'redirected',
      only: ({ isSigned }) => isSigned !== true, // those of a signed URL are followed
      act: ({ socket }) =>
        void socket.write(rawResponse('307 Temporary Redirect', '', ['location: http://127.0.0.1:9/stolen'])),
    },
    {
      name: 'refused, by a gateway that says what it got',
      meaning: 'refused',
      act: ({ socket }) => void socket.write(rawResponse('400 Bad Request', ECHO, [`x-got: ${ECHO}`])),
    },
  ]),
  ...during('in the body', 'request', [
    {
      name: 'closed in the body',
      meaning: 'done, then lost',
      act: ({ socket, body }) => void socket.end(ok(body.length) + half(body)),
    },
    {
      name: 'closed before the body',
      meaning: 'done, then lost',
      act: ({ socket, body }) => void socket.end(ok(body.length)),
    },
    {
      name: 'reset in the body',
      meaning: 'done, then lost',
      act: ({ socket, body }) =>
        void socket.write(ok(body.length) + half(body), () => setTimeout(() => socket.resetAndDestroy(), 1)),
    },
    {
      name: 'silence in the body',
      meaning: 'done, then silent',
      act: ({ socket, body, stalled }) => void socket.write(ok(body.length) + half(body), () => stalled()),
    },
    {
      name: 'a body that comes slowly',
      meaning: 'fine',
      act: ({ socket, body }) => drip(socket, [ok(body.length), ...pieces(body)]),
    },
    {
      name: 'a body that never ends',
      meaning: 'done, then silent',
      act: ({ socket, stalled }) => {
        drip(socket, [chunked(), ...Array<string>(40).fill('1\r\n \r\n')]);
        stalled();
      },
    },
    {
      name: 'a body in chunks',
      meaning: 'fine',
      act: ({ socket, body }) =>
        void socket.write(`${chunked()}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`),
    },
    {
      name: 'chunks that are none',
      meaning: 'done, then lost',
      act: ({ socket, body }) => void socket.end(`${chunked()}zz\r\n${body}\r\n0\r\n\r\n`),
    },
    {
      name: 'a last chunk that is missing',
      meaning: 'done, then lost',
      act: ({ socket, body }) => void socket.end(`${chunked()}${body.length.toString(16)}\r\n${body}\r\n`),
    },
    {
      name: 'less than the whole, with its length',
      meaning: 'done, no JSON',
      act: ({ socket, body }) => void socket.end(ok(half(body).length) + half(body)),
    },
    {
      name: 'compressed, it says, and is not',
      meaning: 'done, then lost, compressed',
      act: ({ socket, body }) => void socket.end(ok(body.length, 'content-encoding: gzip') + body),
    },
    {
      name: 'compressed',
      meaning: 'fine, compressed',
      act: ({ socket, body }) => {
        const zipped = gzipSync(body);
        socket.write(ok(zipped.length, 'content-encoding: gzip'));
        socket.write(zipped);
      },
    },
    ...Object.entries(CUT).map(([encoding, cut]) => ({
      name: `compressed (${encoding}) and cut in the middle, with the length of what is left`,
      meaning: 'done, cut, compressed' as const,
      act: ({ socket, body }: Scene) => {
        const left = cut(half(body));
        socket.write(ok(left.length, `content-encoding: ${encoding}`));
        socket.end(left);
      },
    })),
    {
      name: 'a page of a hotel’s network',
      meaning: 'done, no JSON',
      act: ({ socket }) => void socket.write(rawResponse('200 OK', `<html>Please log in. ${ECHO}</html>`)),
    },
    {
      name: 'no body where there should be one',
      meaning: 'done, no body',
      act: ({ socket }) => void socket.write(rawResponse('200 OK')),
    },
    {
      name: 'closed in the body of a refusal',
      meaning: 'refused',
      act: ({ socket }) => void socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 99\r\n\r\n{"errors":'),
    },
    {
      name: 'closed in the body of a failure',
      meaning: 'failed',
      act: ({ socket }) => void socket.end(`HTTP/1.1 502 Bad Gateway\r\ncontent-length: 999\r\n\r\n${ECHO}`),
    },
    {
      name: 'closed after the answer',
      meaning: 'fine',
      act: ({ socket, answer }) => void socket.end(answer),
    },
  ]),
];
