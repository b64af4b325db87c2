import type { EmulatorHost } from './hosts.ts';
import type { Route } from './route.ts';

interface Entry {
  readonly route: Route;
  readonly segments: readonly string[];
}

/** A route and the parameters of the path that it matched. */
export interface Found {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route of a request. If two match, the first one wins. */
export class Router {
  readonly #entries: readonly Entry[];

  constructor(routes: readonly Route[]) {
    this.#entries = routes.map((route) => ({ route, segments: route.path.split('/') }));
  }

  /** The path must be one that can be decoded. */
  find(method: string, host: EmulatorHost, path: string): Found | undefined {
    const segments = path.split('/').map(decodeURIComponent);
    for (const { route, segments: pattern } of this.#entries) {
      if (route.method !== method || !(route.hosts ?? ['api']).includes(host)) continue;
      const params = match(pattern, segments);
      if (params !== undefined) return { route, params };
    }
    return undefined;
  }
}

function match(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (expected.startsWith(':')) params[expected.slice(1)] = segment;
    else if (expected !== segment) return undefined;
  }
  return params;
}
