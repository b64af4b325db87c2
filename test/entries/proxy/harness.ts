import { EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import {
  createProxy,
  proxyHosts,
  type EmailProxy,
  type Failure,
  type OperationPattern,
  type ProxyOptions,
  type Refusal,
} from 'email-platform/proxy';
import { allRoutes } from '../../../src/entries/proxy/routes.ts';

export const ORIGIN = 'https://app.test';
export const BASE_PATH = '/api/email';

/** All of every resource, and by its name what has to be named in full. */
export const EVERYTHING: readonly OperationPattern[] = [
  ...new Set(allRoutes().map(({ operation }) => operation.replace(/\w+$/, '*') as OperationPattern)),
  ...allRoutes().flatMap(({ operation, needsFullName }) => (needsFullName ? [operation] : [])),
];

export interface TestProxy {
  readonly proxy: EmailProxy;
  readonly refusals: Refusal[];
  readonly failures: Failure[];
}

/** A proxy that allows everything to one visitor, and remembers what it refused. */
export function proxyOf(client: EmailPlatform, options: Partial<ProxyOptions> = {}): TestProxy {
  const refusals: Refusal[] = [];
  const failures: Failure[] = [];
  const proxy = createProxy({
    client,
    basePath: BASE_PATH,
    allow: EVERYTHING,
    authorize: () => ({ visitor: 'ann' }),
    onRefused: (refusal) => refusals.push(refusal),
    onFailure: (failure) => failures.push(failure),
    ...options,
  });
  return { proxy, refusals, failures };
}

/** A request as the page's browser sends it. */
export const fromPage = (path: string, init: RequestInit = {}): Request =>
  new Request(`${ORIGIN}${BASE_PATH}${path}`, {
    ...init,
    headers: { 'sec-fetch-site': 'same-origin', ...Object.fromEntries(new Headers(init.headers)) },
  });

/** The client in the page: as one would be in a browser, although Node asks for a token and whole addresses. */
export const pageClient = (proxy: EmailProxy, options: EmailPlatformOptions = {}): EmailPlatform =>
  new EmailPlatform({
    token: 'token-of-the-page',
    hosts: proxyHosts(ORIGIN + BASE_PATH),
    sandboxInboxId: 9,
    retry: false,
    throttle: false,
    fetch: (input, init) => {
      const request = new Request(input, init);
      request.headers.set('sec-fetch-site', 'same-origin');
      return proxy(request);
    },
    ...options,
  });
