import type { EmulatorHost } from '../wire/hosts.ts';
import type { Route } from '../routing/route.ts';

/** A route and the parameters of the path that it matched. */
export interface Found {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

const keyOf = (method: string, host: EmulatorHost, length: number) => `${method} ${host} ${length}`;

/** Finds the route of a request. If two match, the first one wins. */
export class Router {
  readonly all: readonly Route[];
  /** By method, host and number of segments. */
  readonly #routes = new Map<string, Route[]>();

  constructor(routes: readonly Route[]) {
    this.all = routes;
    const readable = new Set(routes.flatMap(({ method, path }) => (method === 'GET' ? [path] : [])));
    for (const route of routes) {
      this.#add(route.method, route);
      // Some clients of the service update with PUT. Actions, whose paths have no GET, accept only PATCH.
      if (route.method === 'PATCH' && readable.has(route.path)) this.#add('PUT', route);
    }
  }

  #add(method: string, route: Route): void {
    for (const host of route.hosts) {
      const key = keyOf(method, host, route.segments.length);
      const others = this.#routes.get(key);
      if (others) others.push(route);
      else this.#routes.set(key, [route]);
    }
  }

  /** Finds the route of a path, whose percent-encoding must be valid. */
  find(method: string, host: EmulatorHost, path: string): Found | undefined {
    const segments = path.split('/').map(decodeURIComponent);
    for (const route of this.#routes.get(keyOf(method, host, segments.length)) ?? []) {
      const params = match(route.segments, segments);
      if (params !== undefined) return { route, params };
    }
    return undefined;
  }
}

function match(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (expected.startsWith('{')) params[expected.slice(1, -1)] = segment;
    else if (expected !== segment) return undefined;
  }
  return params;
}
