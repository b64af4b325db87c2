import { didYouMean } from '../../../kit/did-you-mean.ts';
import type { Route } from '../routing/route.ts';
import { toWebResponse } from '../wire/engine-response.ts';

type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An endpoint as the service publishes it: a method, and a path with its arguments in braces. */
export type EmulatorEndpoint = `${Verb} /${string}`;

type ArgumentNames<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ArgumentNames<Rest>
  : never;

/** A request to an endpoint, as a handler of {@link Emulator.on} gets it. */
export interface EmulatorHandlerRequest<Endpoint extends EmulatorEndpoint = EmulatorEndpoint> {
  /** The request, with an unread body. */
  readonly request: Request;
  /** The decoded arguments of the path, by their names in the endpoint. */
  readonly params: string extends ArgumentNames<Endpoint>
    ? Readonly<Record<string, string>>
    : Readonly<Record<ArgumentNames<Endpoint>, string>>;
  /**
   * Returns the response that the handler replaces: of the handler before it, or of the emulator. The emulator acts on the
   * request only if the handler calls this function.
   */
  readonly next: () => Promise<Response>;
}

/**
 * Responds to the requests to an endpoint. `Response.error()` breaks the connection. If the handler throws, the response is
 * a 500 with the error in its body.
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

/** A request with its route, for the handlers. */
export interface Handled {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  /** The account of the token; not every path names it. */
  readonly accountId: number;
  /** Returns a copy of the request, with an unread body. */
  readonly request: () => Request;
  /** Returns the emulator's own response. */
  readonly own: () => Response;
}

const ARGUMENT = /\{([^}]*)\}/g;
const namesIn = (path: string) => Array.from(path.matchAll(ARGUMENT), ([, name = '']) => name);
/** The path without the names of its arguments, for a comparison. */
const unnamed = (path: string) => path.replace(ARGUMENT, '{}');

/** The handlers of {@link Emulator.on}. */
export class EndpointHandlers {
  /** By the line that declares the endpoint; the newest handler first. */
  readonly #added = new Map<string, readonly Added[]>();

  /** Adds a handler, and returns the function that removes it. Throws if no route has this endpoint. */
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

  /** The response of a route's handlers; `undefined` if it has none. */
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
    // A copy, because a handler may return the same Response many times.
    if (isResponse(response)) return response.clone();
    throw new TypeError('it must return a Response; `next()` returns the one that it replaces');
  } catch (error) {
    const body = JSON.stringify({ error: `The handler of ${endpoint} failed: ${String(error)}` });
    return toWebResponse({ status: 500, headers: { 'content-type': 'application/json' }, body });
  }
}

/** Allows one call of `next`: a second call would make the emulator act twice on one request. */
function once(endpoint: string, next: () => Promise<Response>): () => Promise<Response> {
  let isCalled = false;
  return () => {
    if (isCalled) return Promise.reject(new Error(`\`next\` of ${endpoint} was called twice`));
    isCalled = true;
    return next();
  };
}

/** Checks the shape, not the class: a test environment may have its own class `Response`. */
const isResponse = (value: unknown): value is Response =>
  typeof value === 'object' && value !== null && 'status' in value && 'headers' in value && 'clone' in value;

/** Matches arguments from the end of the path: only one of its two forms begins with the account. */
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
