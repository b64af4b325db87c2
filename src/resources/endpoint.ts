import type { Decoder } from '../core/decoder.ts';
import { isolated } from '../core/isolated.ts';
import { late } from '../core/late.ts';
import type { EndpointTemplate, Fillable, PathParams } from '../core/path.ts';
import type { Reach } from '../core/reach.ts';
import type { HostName, RequestContext } from '../core/request.ts';
import type { ObjectRule } from '../core/rules.ts';

/** Stands for parameters where an endpoint takes none. */
export interface NoParams {
  readonly none: true;
}

/** What finds out whether an action succeeded whose response was lost, when its retry is refused. */
export interface SettledBy<T, Params> {
  /** The status of a refusal that leaves it open. */
  readonly status: number;
  /** The endpoint that returns the object, under the same arguments. */
  readonly read: Endpoint<T, NoParams>;
  /** Whether the object is as the action leaves it. */
  readonly worked: (object: T, params: Params) => boolean;
}

/** What may be said of an endpoint besides its template and its result. */
export interface EndpointFacts<T, Params> {
  /** @defaultValue 'api' */
  readonly host?: HostName | undefined;
  /** What its parameters have to be. They are the query of a GET, and the body of any other request. */
  readonly params?: ObjectRule<Params> | undefined;
  /** The field of the body that the parameters are sent in: `domain|sending_domain` where it differs under an account. */
  readonly wrapper?: string | undefined;
  /** Makes the query or body of the parameters, where they are not sent as they are. */
  readonly encode?: ((params: Params, context: RequestContext) => unknown) | undefined;
  /** Names in the query besides those of the parameters. */
  readonly alsoSends?: readonly string[] | undefined;
  /** Why sending it twice does no more than sending it once. GET, PUT and DELETE need not say. */
  readonly repeatable?: string | undefined;
  /** Says of one call that it may not be sent twice all the same. */
  readonly unless?: ((params: Params, ids: Readonly<Record<string, unknown>>) => boolean) | undefined;
  /** Who receives email because of it; false for nobody. */
  readonly reachesPeople?: Reach | false | undefined;
  /** How a lost response is settled. */
  readonly settle?: SettledBy<T, Params> | undefined;
}

/** An endpoint that reads or deletes: it may have nothing more to say. */
type Reading = EndpointTemplate & `${'GET' | 'DELETE'} ${string}`;

/** The rule that an endpoint with parameters needs. Without it they would not be sent. */
type RuleOf<Params> = [Params] extends [NoParams] ? unknown : { readonly params: ObjectRule<Params> };

/**
 * What an endpoint has to say of people: who receives email because of it. Reading and deleting never cause any; every
 * other request says so itself.
 */
export type ReachesPeople<E extends string> = E extends `${'GET' | 'DELETE'} ${string}`
  ? { readonly reachesPeople?: false }
  : { readonly reachesPeople: Reach | false };

/** An endpoint of the service, as data. What a method needs is inferred from it. */
export interface Endpoint<
  T,
  Params,
  E extends string = string,
  D extends Decoder<T> = Decoder<T>,
> extends EndpointFacts<T, Params> {
  /** The method that calls it, such as `campaigns.get`; in the declaration it is not known yet. */
  readonly operation: string;
  /** HTTP method and path. */
  readonly template: E;
  readonly decoder: D;
}

/**
 * Declares an endpoint. What it does not say is not said by `Object.prototype` either, which another package may extend.
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
  return isolated({ operation: '', template, decoder: isolated(decoder), ...facts });
}

/** An endpoint of which neither parameters nor result matter. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyEndpoint = Endpoint<any, any, any, any>;

/** Endpoints of a group of methods, by method; those of a method that has several, by what tells them apart. */
export type EndpointGroup = Readonly<Record<string, AnyEndpoint | Readonly<Record<string, AnyEndpoint>>>>;

type Named<E, Operation extends string> = E & { readonly operation: Operation };

/** The endpoints of a group of methods, each with the name of its operation. */
export type EndpointsOf<Group extends string, M extends EndpointGroup> = {
  readonly [K in keyof M & string]: M[K] extends AnyEndpoint
    ? Named<M[K], `${Group}.${K}`>
    : { readonly [V in keyof M[K]]: Named<M[K][V], `${Group}.${K}`> };
};

/** Declares the endpoints of a group of methods, such as `contacts.lists`: they are made, and named, at their first use. */
// @__NO_SIDE_EFFECTS__
export function endpointsOf<const Group extends string, M extends EndpointGroup>(
  group: Group,
  declare: () => M,
): () => EndpointsOf<Group, M> {
  return late(() => {
    const methods = declare();
    for (const [method, declared] of Object.entries(methods)) {
      const endpoints = isEndpoint(declared) ? [declared] : Object.values(declared);
      // In place, so that one that another is settled by has its name there too.
      for (const one of endpoints) Object.assign(one, { operation: `${group}.${method}` });
    }
    return methods as unknown as EndpointsOf<Group, M>;
  });
}

/** Whether a declaration is one endpoint, and not several by name. */
export const isEndpoint = (declared: EndpointGroup[string]): declared is AnyEndpoint =>
  Object.hasOwn(declared, 'template');

/** The arguments in an endpoint's path. */
export type IdsOf<E extends string> = PathParams<E>;

/** What a call of an endpoint is given besides the arguments in the path. */
export type ParamsOf<Params> = [Params] extends [NoParams] ? [] : [params: Params];
