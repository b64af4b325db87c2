/**
 * The emulator behind Mock Service Worker, which has to be installed beside this package.
 *
 * @module email-platform/testing/msw
 */

import { http, HttpResponse, type HttpHandler } from 'msw';
import type { Emulator } from './emulator-types.ts';
import type { EmulatorHosts } from './hosts.ts';

/** What {@link handlers} answer for. */
export interface EmulatorHandlerOptions {
  /**
   * Base addresses to answer for beside the emulator's own: those an application under test is set up with. A path
   * prefix is kept.
   */
  hosts?: Partial<EmulatorHosts>;
}

/**
 * Mock Service Worker handlers that lead to an emulator, for `setupServer` and `setupWorker`. They answer for the
 * addresses of `emulator.clientOptions().hosts`, and for those of the application if it has its own.
 *
 * @example
 * ```ts
 * const emulator = createEmulator();
 * const server = setupServer(...handlers(emulator, { hosts: { api: 'https://api.example.com' } }));
 * ```
 */
export function handlers(emulator: Emulator, options: EmulatorHandlerOptions = {}): HttpHandler[] {
  const own = emulator.clientOptions().hosts;
  const { origin } = new URL(own.api);
  const answer = async (request: Request): Promise<Response> => {
    try {
      return await emulator.handle(request);
    } catch {
      // A connection that fails: whatever MSW stands in for says so in its own words.
      return HttpResponse.error();
    }
  };
  const elsewhere = (['api', 'send', 'bulk', 'sandbox'] as const).flatMap((name) => {
    const base = options.hosts?.[name]?.replace(/\/+$/, '');
    if (base === undefined) return [];
    return [http.all(`${base}/*`, async ({ request }) => answer(await moved(request, base, own[name])))];
  });
  return [...elsewhere, http.all(`${origin}/*`, ({ request }) => answer(request))];
}

/** The same request to another base address. */
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
