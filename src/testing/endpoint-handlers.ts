import { didYouMean } from './checks/near.ts';
import type { Route } from './route.ts';

type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An endpoint as the service publishes it: a method, and a path with its arguments in braces. */
export type EmulatorEndpoint = `${Verb} /${string}`;

type ArgumentNames<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ArgumentNames<Rest>
  : never;

/** A request to an endpoint, as a handler of {@link Emulator.on} gets it. */
export interface EmulatorHandlerRequest<Endpoint extends EmulatorEndpoint = EmulatorEndpoint> {
  /** The request. Its body has not been read. */
  readonly request: Request;
  /** The arguments in the path, decoded, by the names that they have in the endpoint. */
  readonly params: string extends ArgumentNames<Endpoint>
    ? Readonly<Record<string, string>>
    : Readonly<Record<ArgumentNames<Endpoint>, string>>;
  /**
   * Returns the answer that the handler replaces: the emulator's own, or that of a handler that was added before. The
   * emulator acts on the request only if this is called.
   */
  readonly next: () => Promise<Response>;
}

/**
 * Answers the requests to an endpoint. A `Response.error()` breaks the connection. What a handler throws is in the body of
 * a 500.
 */
export type EmulatorHandler<Endpoint extends EmulatorEndpoint = EmulatorEndpoint> = (
  call: EmulatorHandlerRequest<Endpoint>,
) => Response | Promise<Response>;

/** Removes a handler when it is called, or at the end of the block in which it was declared by `using`. */
export type EmulatorHandlerRemoval = (() => void) & Disposable;

interface Added {
  readonly endpoint: string;
  /** The names of the arguments, in the order of the path. */
  readonly names: readonly string[];
  readonly handler: EmulatorHandler;
}

/** A request that has a route, and what is needed to answer it. */
export interface Handled {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  /** The account of its token, which the path need not name. */
  readonly accountId: number;
  /** The request as it arrived, each time with a body that has not been read. */
  readonly request: () => Request;
  /** The emulator's own answer. */
  readonly own: () => Response;
}

const ARGUMENT = /\{([^}]*)\}/g;
const namesIn = (path: string) => Array.from(path.matchAll(ARGUMENT), ([, name = '']) => name);
/** What is the same whatever the arguments are called. */
const unnamed = (path: string) => path.replace(ARGUMENT, '{}');

/** The handlers that take the place of endpoints. */
export class EndpointHandlers {
  /** By the line that declares the endpoint. The one that was added last comes first. */
  readonly #added = new Map<string, readonly Added[]>();

  /** Adds a handler of one of these routes. Throws if none is published by this name. */
  add(endpoint: string, handler: EmulatorHandler, routes: readonly Route[]): () => void {
    const published = ({ method, path }: Route) => `${method} ${path}`;
    const wanted = unnamed(endpoint);
    const route = routes.find((one) => unnamed(published(one)) === wanted);
    if (route === undefined) {
      throw new RangeError(
        `\`endpoint\` must be an endpoint of the emulator, not ${endpoint}${didYouMean(endpoint, routes.map(published))}`,
      );
    }
    const { line } = route;
    const own: Added = { endpoint, names: namesIn(endpoint), handler };
    this.#added.set(line, [own, ...(this.#added.get(line) ?? [])]);
    return () => {
      const others = (this.#added.get(line) ?? []).filter((one) => one !== own);
      if (others.length > 0) this.#added.set(line, others);
      else this.#added.delete(line);
    };
  }

  clear(): void {
    this.#added.clear();
  }

  /** The answer of the handlers of a route; `undefined` if it has none. */
  answer(handled: Handled): Promise<Response> | undefined {
    const added = this.#added.get(handled.route.line);
    return added && answered(added, handled);
  }
}

async function answered([first, ...others]: readonly Added[], handled: Handled): Promise<Response> {
  if (first === undefined) return handled.own();
  const { endpoint, names, handler } = first;
  const next = once(endpoint, () => answered(others, handled));
  try {
    const params = paramsOf(names, handled);
    const response: unknown = await handler({ request: handled.request(), params, next });
    // A copy: a handler may return one Response again and again.
    if (isResponse(response)) return response.clone();
    throw new TypeError('it must return a Response; `next()` returns the one that it replaces');
  } catch (error) {
    return Response.json({ error: `The handler of ${endpoint} failed: ${String(error)}` }, { status: 500 });
  }
}

/** A second call would let the emulator act twice on one request. */
function once(endpoint: string, next: () => Promise<Response>): () => Promise<Response> {
  let isCalled = false;
  return () => {
    if (isCalled) return Promise.reject(new Error(`\`next\` of ${endpoint} was called twice`));
    isCalled = true;
    return next();
  };
}

/** Judged by its shape: a test environment may have a class of its own. */
const isResponse = (value: unknown): value is Response =>
  typeof value === 'object' && value !== null && 'status' in value && 'headers' in value && 'clone' in value;

/** One of the two forms of a path begins with the account. The other arguments are in the same order in both. */
function paramsOf(
  names: readonly string[],
  { route, params, accountId }: Handled,
): Readonly<Record<string, string>> {
  const own = namesIn(route.path);
  const offset = own.length - names.length;
  return Object.fromEntries(
    names.map((name, index) => [name, params[own[index + offset] ?? ''] ?? String(accountId)]),
  );
}
