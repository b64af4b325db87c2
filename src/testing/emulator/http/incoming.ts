import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { RequestHeaders } from '../../service/wire/engine-request.ts';
import { isAllowedHost, isHost } from '../../common/allowed-hosts.ts';

/** A refusal by the server itself, before the emulator sees the request. */
export interface Refused {
  readonly status: number;
  readonly message: string;
}

/** The refusal of a request whose host or target is not clearly this emulator; `undefined` if the request may pass. */
export function refusalOf(message: IncomingMessage, allowedHosts: readonly string[]): Refused | undefined {
  const { host } = message.headers;
  if (host === undefined || hasSeveralHosts(message)) {
    return { status: 400, message: 'The request must have exactly one Host header' };
  }
  // An absolute target names a second host, which takes precedence over the Host header in HTTP.
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

/** Counts in `rawHeaders`, because `headers` has only the first of several. */
function hasSeveralHosts(message: IncomingMessage): boolean {
  const raw: unknown = message.rawHeaders;
  // In some versions of Deno, `rawHeaders` is a `Headers`, which joins several values to one that is not a host.
  if (!Array.isArray(raw)) return false;
  return message.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length > 1;
}

/**
 * Reads the body of a request. Resolves with `undefined` as soon as the body is larger than `most` bytes, and drops all of
 * its bytes.
 *
 * With `isWanted` false, drops the body and resolves with an empty one: at once if the request has a `Content-Length`, else
 * after the last chunk, because an invalid chunk makes the request unreadable.
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
      // Reads on: if the connection closed now, the client might not receive the response.
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

/** The headers of a message, read without a copy. */
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
