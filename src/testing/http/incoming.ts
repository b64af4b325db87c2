import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { RequestHeaders } from '../engine-request.ts';
import { isAllowedHost, isHost } from './allowed-hosts.ts';

/** A refusal by the server itself, before the emulator sees the request. */
export interface Refused {
  readonly status: number;
  readonly message: string;
}

/** Why a request goes no further than the server: it does not say clearly that it is meant for this emulator. */
export function refusalOf(message: IncomingMessage, allowedHosts: readonly string[]): Refused | undefined {
  const { host } = message.headers;
  if (host === undefined || hasSeveralHosts(message)) {
    return { status: 400, message: 'The request must have exactly one Host header' };
  }
  // An absolute address would name a second host, and a server has to follow that one.
  if (message.url?.startsWith('/') !== true) {
    return { status: 400, message: 'The request target must be a path, not an address' };
  }
  if (!isHost(host)) return { status: 400, message: 'The Host header is not a host' };
  if (isAllowedHost(host, allowedHosts)) return undefined;
  return {
    status: 403,
    message:
      `The emulator does not respond to requests for the host ${host}. Use 127.0.0.1 or localhost, or allow the ` +
      `name: listen({ allowedHosts: ['${host}'] }), or --allow-host ${host} on the command line.`,
  };
}

/** `headers` only has the first of several. */
function hasSeveralHosts(message: IncomingMessage): boolean {
  const raw: unknown = message.rawHeaders;
  // In some versions of Deno it is a `Headers`, which joins them to one that is no host.
  if (!Array.isArray(raw)) return false;
  return message.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length > 1;
}

/**
 * Reads the body of a request. Returns `undefined` as soon as it is larger than `most` bytes: what has arrived by then is
 * dropped, and so is the rest.
 *
 * A body that is not wanted is not kept: it counts as empty. If it says how long it is, it is not waited for either;
 * chunks are, because one that is no chunk makes the request unreadable.
 */
export function readBody(
  message: IncomingMessage,
  most: number,
  isWanted: boolean,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const length = Number(message.headers['content-length'] ?? 0);
  const isChunked = message.headers['transfer-encoding'] !== undefined;
  if (length === 0 && !isChunked) return Promise.resolve(new Uint8Array());
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const stop = () => {
      chunks.length = 0;
      message.off('data', take);
      // Read on: if the connection closed now, the sender might never see the response.
      message.resume();
      resolve(undefined);
    };
    const take = (chunk: Uint8Array) => {
      size += chunk.length;
      if (isWanted) chunks.push(chunk);
      if (size > most) stop();
    };
    message.on('data', take);
    message.on('end', () => resolve(joined(chunks)));
    message.on('close', () => {
      // Checked first, because an error with its stack costs as much as reading a small body.
      if (!message.complete) reject(new Error('The connection closed before the whole body had arrived'));
    });
    if (length > most) stop();
    else if (!isWanted && !isChunked) resolve(joined([]));
  });
}

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** The address of a request; `undefined` if its port is not possible. */
export function addressOf(message: IncomingMessage): URL | undefined {
  try {
    return new URL(`http://${message.headers.host ?? ''}${message.url ?? ''}`);
  } catch {
    return undefined;
  }
}

/** The headers of a message, without the copy that a `Headers` would be. */
export class MessageHeaders implements RequestHeaders {
  readonly #lines: IncomingHttpHeaders;

  constructor({ headers }: IncomingMessage) {
    this.#lines = headers;
  }

  get(name: string): string | null {
    return joinedLine(this.#lines[name]) ?? null;
  }

  *[Symbol.iterator](): Generator<[string, string]> {
    for (const [name, lines] of Object.entries(this.#lines)) {
      const value = joinedLine(lines);
      if (value !== undefined) yield [name, value];
    }
  }
}

const joinedLine = (lines: string | readonly string[] | undefined): string | undefined =>
  typeof lines === 'object' ? lines.join(', ') : lines;
