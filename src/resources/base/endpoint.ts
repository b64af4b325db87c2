import type { Decoder } from '../../core/decoder.ts';
import { isolated } from '../../core/isolated.ts';
import { late } from '../../kit/late.ts';
import type { EndpointTemplate, Fillable, PathParams } from '../../core/path.ts';
import type { Reach } from '../../core/reach.ts';
import type { HostName, RequestContext } from '../../core/request.ts';
import type { ObjectRule } from '../../core/rules.ts';

/** The parameters of an endpoint without parameters. */
export interface NoParams {
  readonly none: true;
}

/** Finds out whether an action with a lost response succeeded, after its retry is refused. */
export interface ReadIfLost<T, Params> {
  /** The status of a refusal that triggers the check. */
  readonly status: number;
  /** The endpoint that returns the object, under the same arguments. */
  readonly read: Endpoint<T, NoParams>;
  /** Whether the object has the state that the action sets. */
  readonly worked: (object: T, ...params: ParamsOf<Params>) => boolean;
}

/** The facts of an endpoint besides its template and its result. */
export interface EndpointFacts<T, Params> {
  /** @defaultValue 'api' */
  readonly host?: HostName | undefined;
  /** The rule for its parameters. They are the query of a GET, and the body of another request. */
  readonly params?: ObjectRule<Params> | undefined;
  /** The field of the body with the parameters: `domain|sending_domain` if it differs under an account. */
  readonly wrapper?: string | undefined;
  /** Creates the query or body from the parameters; by default they are sent unchanged. */
  readonly encode?: ((params: Params, context: RequestContext) => unknown) | undefined;
  /** Names in the query besides the names of the parameters. */
  readonly alsoSends?: readonly string[] | undefined;
  /** The reason why sending it twice has the same effect as sending it once. Not needed for GET, PUT and DELETE. */
  readonly repeatable?: string | undefined;
  /** Whether one call is an exception that may not be sent twice. */
  readonly unless?: ((params: Params, ids: Readonly<Record<string, unknown>>) => boolean) | undefined;
  /** Whether it deletes an account with everything in it. The proxy's allow-list then has to name it in full. */
  readonly deletesAccount?: true | undefined;
  /** The recipients of its email; false if it reaches no person. */
  readonly reachesPeople?: Reach | false | undefined;
  /** The check after a lost response. */
  readonly ifLost?: ReadIfLost<T, Params> | undefined;
}

/** An endpoint that reads or deletes: its facts are optional. */
type Reading = EndpointTemplate & `${'GET' | 'DELETE'} ${string}`;

/** The rule that an endpoint with parameters needs. Without it they would not be sent. */
type RuleOf<Params> = [Params] extends [NoParams] ? unknown : { readonly params: ObjectRule<Params> };

/**
 * The declaration of recipients that an endpoint needs. Reading and deleting never cause email; every other endpoint
 * declares its recipients.
 */
export type ReachesPeople<E extends string> = E extends `${'GET' | 'DELETE'} ${string}`
  ? { readonly reachesPeople?: false }
  : { readonly reachesPeople: Reach | false };

/** An endpoint of the service, as data. The types of its method are inferred from it. */
export interface Endpoint<
  T,
  Params,
  E extends string = string,
  D extends Decoder<T> = Decoder<T>,
> extends EndpointFacts<T, Params> {
  /** The method that calls it, such as `campaigns.get`; set after the declaration. */
  readonly operation: string;
  /** HTTP method and path. */
  readonly template: E;
  readonly decoder: D;
}

/**
 * Declares an endpoint. Prototype-free, so a polluted `Object.prototype` cannot add facts.
 *
 * @param template - HTTP method and path; see {@link EndpointTemplate}
 */
export function endpoint<const E extends Reading, T, D extends Decoder<T>>(
  template: Fillable<E>,
  decoder: D & Decoder<T>,
): Endpoint<T, NoParams, E, D>;
export function endpoint<const E extends EndpointTemplate, T, D extends Decoder<T>, Params = NoParams>(
  template: Fillable<E>,
  decoder: D & Decoder<T>,
  facts: EndpointFacts<T, Params> & ReachesPeople<E> & RuleOf<Params>,
): Endpoint<T, Params, E, D>;
export function endpoint(template: string, decoder: Decoder<unknown>, facts: object = {}): object {
  return isolated({ operation: '', template, decoder, ...facts });
}

/** An endpoint with any parameters and any result. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyEndpoint = Endpoint<any, any, any, any>;

/** Endpoints of a group of methods, by method; several endpoints of one method each have a name. */
export type EndpointGroup = Readonly<Record<string, AnyEndpoint | Readonly<Record<string, AnyEndpoint>>>>;

type Named<E, Operation extends string> = E & { readonly operation: Operation };

/** The endpoints of a group of methods, each with the name of its operation. */
export type EndpointsOf<Group extends string, M extends EndpointGroup> = {
  readonly [K in keyof M & string]: M[K] extends AnyEndpoint
    ? Named<M[K], `${Group}.${K}`>
    : { readonly [V in keyof M[K]]: Named<M[K][V], `${Group}.${K}`> };
};

/**
 * Declares the endpoints of a group of methods, such as `contacts.lists`: they are created and named at their first
 * use.
 */
// @__NO_SIDE_EFFECTS__
export function endpointsOf<const Group extends string, M extends EndpointGroup>(
  group: Group,
  declare: () => M,
): () => EndpointsOf<Group, M> {
  return late(() => {
    const methods = declare();
    for (const [method, declared] of Object.entries(methods)) {
      const endpoints = isEndpoint(declared) ? [declared] : Object.values(declared);
      // In place, so that an endpoint inside the `ifLost` of another one gets its name too.
      for (const one of endpoints) Object.assign(one, { operation: `${group}.${method}` });
    }
    return methods as unknown as EndpointsOf<Group, M>;
  });
}

/** Whether a declaration is one endpoint, not several with names. */
export const isEndpoint = (declared: EndpointGroup[string]): declared is AnyEndpoint =>
  Object.hasOwn(declared, 'template');

/** The arguments in an endpoint's path. */
export type IdsOf<E extends string> = PathParams<E>;

/** The arguments of a call besides those in the path. */
export type ParamsOf<Params> = [Params] extends [NoParams] ? [] : [params: Params];
