/**
 * The emulator behind Mock Service Worker, which must be installed separately.
 *
 * @module email-platform/testing/msw
 */

import { http, HttpResponse, type HttpHandler } from 'msw';
import { check } from './declare/kind.ts';
import { emulatorKind, handlerOptions } from './emulator/controls/listen-options.ts';
import type { EmulatorHosts } from './service/wire/hosts.ts';

/** The options of {@link handlers}. */
export interface EmulatorHandlerOptions {
  /**
   * The base addresses in the configuration of the application under test, in addition to the emulator's own addresses.
   * They may have a path prefix.
   */
  hosts?: Partial<EmulatorHosts>;
}

/**
 * Returns Mock Service Worker handlers that pass requests to an emulator, for `setupServer` and `setupWorker`. They
 * handle the addresses of `emulator.clientOptions().hosts`, and those of `options.hosts`.
 *
 * @example
 * ```ts
 * const emulator = createEmulator();
 * const server = setupServer(...handlers(emulator, { hosts: { api: 'https://api.example.com' } }));
 * ```
 *
 * @throws `TypeError` for an unknown option or a wrong type, `RangeError` for a wrong URL.
 */
export function handlers(
  emulator: {
    /** Handles one request and returns the response. */
    readonly handle: (request: Request) => Promise<Response>;
    /** Returns the options for a client. */
    clientOptions(): { readonly hosts: EmulatorHosts };
  },
  options: EmulatorHandlerOptions = {},
): HttpHandler[] {
  check(emulatorKind, emulator, 'emulator');
  const { hosts } = check(handlerOptions, options, 'options');
  const own = emulator.clientOptions().hosts;
  const { origin } = new URL(own.api);
  const answer = async (request: Request): Promise<Response> => {
    try {
      return await emulator.handle(request);
    } catch {
      // A failed connection: MSW makes the error of the intercepted API from it.
      return HttpResponse.error();
    }
  };
  const elsewhere = (['api', 'send', 'bulk', 'sandbox'] as const).flatMap((name) => {
    const base = hosts?.[name]?.replace(/\/+$/, '');
    if (base === undefined) return [];
    return [http.all(`${base}/*`, async ({ request }) => answer(await moved(request, base, own[name])))];
  });
  return [...elsewhere, http.all(`${origin}/*`, ({ request }) => answer(request))];
}

/** A copy of the request for another base address. */
async function moved(request: Request, from: string, to: string): Promise<Request> {
  const { href } = new URL(from, request.url);
  const { method, headers, signal } = request;
  const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer();
  return new Request(to + request.url.slice(href.replace(/\/$/, '').length), {
    method,
    headers,
    signal,
    body,
  });
}
