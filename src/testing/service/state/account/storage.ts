import type { EngineRequest } from '../../wire/engine-request.ts';
import { hmac } from '../../../encoding/hashes.ts';
import type { Reply } from '../../wire/reply.ts';

/** A file for a download. */
export interface StoredFile {
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/**
 * Downloads through signed links. A link contains its expiry time and a signature of path and time, and needs no token.
 * Signing needs the secret. Requests with an expired or changed link are refused. Like an object store, it also refuses a
 * request with credentials: a client that sends its API token here has given it to a third party.
 */
export class SignedStorage {
  readonly #secret: string;
  readonly #find: (path: string) => StoredFile | undefined;

  constructor(secret: string, find: (path: string) => StoredFile | undefined) {
    this.#secret = secret;
    this.#find = find;
  }

  /** Returns a link to a file that is valid until `until` (in milliseconds). */
  link(origin: string, path: string, until: number): string {
    const expires = String(Math.floor(until / 1000));
    return `${origin}/storage${path}?expires=${expires}&signature=${this.#seal(path, expires)}`;
  }

  answer({ method, url, headers }: EngineRequest, path: string, now: number): Reply {
    if (headers.get('authorization') !== null || headers.get('api-token') !== null) {
      return problem(400, 'InvalidArgument', 'Only one auth mechanism allowed');
    }
    const expires = url.searchParams.get('expires') ?? '';
    if (
      !['GET', 'HEAD'].includes(method) ||
      url.searchParams.get('signature') !== this.#seal(path, expires)
    ) {
      return problem(403, 'SignatureDoesNotMatch', 'The signature does not match the request');
    }
    if (now >= Number(expires) * 1000) return problem(403, 'AccessDenied', 'Request has expired');
    const file = this.#find(path);
    if (file === undefined) return problem(404, 'NoSuchKey', 'The specified key does not exist');
    return { status: 200, content: { type: file.type, body: file.body } };
  }

  #seal(path: string, expires: string): string {
    return hmac(this.#secret, `${expires} ${path}`);
  }
}

function problem(status: number, code: string, message: string): Reply {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>\n`;
  return { status, content: { type: 'application/xml', body } };
}
