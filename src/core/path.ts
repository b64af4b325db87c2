import type { Issue } from './errors.ts';
import type { AccountPoolName } from './limits.ts';
import type { HostName, HttpMethod, RequestSpec } from './request.ts';
import { issuesAt, mustBe, idRule, uuidRule, type Rule } from './rules.ts';

/**
 * An endpoint's HTTP method and path, with names in braces.
 *
 * - `{account}` is `/api`, or `/api/accounts/<id>` if an account is set. `{account?}` is the same, but only the call's
 * own `accountId` counts.
 * - `{domains|sending_domains}` is a segment with two names: the first without an account, the second under one.
 * - `{id}`, or any other name, is an argument of the method; `{messageId:uuid}` is an argument of another {@link
 * ParamKinds kind}.
 */
export type EndpointTemplate = `${HttpMethod} ${'{account}' | '{account?}' | '/api'}/${string}`;

/** The kinds of arguments in a path, and their types. */
interface ParamKinds {
  /** An object's id, a positive whole number; the kind of an argument without a kind. */
  readonly id: number;
  readonly uuid: string;
  /** A contact's UUID or email address. */
  readonly contact: string;
  /** Any text: percent-encoded, it stays one segment. */
  readonly text: string;
}

/** Whether a URL parser or a server may read a segment of a path as the current or the parent directory. */
export const isDotSegment = (segment: string): boolean => /^(\.|%2e){1,2}(;|%3b|$)/i.test(segment);

/** Half of a surrogate pair cannot be encoded. */
const isSegment = (value: unknown) =>
  typeof value === 'string' && value !== '' && !isDotSegment(value) && !/[\ud800-\udfff]/u.test(value);

/** `{name}`, `{name:kind}` or `{name|name under an account}`. */
const PLACEHOLDER = /\{(\w+)([:|?]?)(\w*)\}/g;

const RULES: Readonly<Record<keyof ParamKinds, Rule>> = {
  id: idRule,
  uuid: uuidRule,
  // Anything else, such as `lists`, could be the path of another endpoint.
  contact: mustBe(
    'a UUID or an email address',
    (value) => isSegment(value) && (String(value).includes('@') || !uuidRule(value)),
  ),
  text: mustBe('text, and not "." or ".."', isSegment),
};

type NameIn<Braces extends string> = Braces extends `${infer Name}:${string}` ? Name : Braces;
type KindIn<Braces extends string> = Braces extends `${string}:${infer Kind}` ? Kind : 'id';

/**
 * The arguments in a path, or a text that says why the path cannot be filled in. `Found` are the arguments before it.
 */
type Arguments<Path extends string, Found = unknown> = Path extends `${string}{${infer Braces}}${infer Rest}`
  ? Braces extends `${string}|${string}`
    ? Arguments<Rest, Found>
    : NameIn<Braces> extends keyof Found | 'account'
      ? `{${NameIn<Braces>}} is in this path already`
      : KindIn<Braces> extends keyof ParamKinds
        ? Arguments<Rest, Found & Readonly<Record<NameIn<Braces>, ParamKinds[KindIn<Braces>]>>>
        : `'${KindIn<Braces>}' is not a kind of argument`
  : Path extends `${string}${'{' | '}'}${string}`
    ? 'a brace in this path has no partner'
    : unknown extends Found
      ? Readonly<Record<string, never>>
      : Found;

type ArgumentsOf<E extends string> = Arguments<
  E extends `${string} {${'account' | 'account?'}}${infer Path}` ? Path : E
>;

/** The arguments in an endpoint's path, each with its type; for a choice of two endpoints, the arguments of both. */
export type PathParams<E extends string> = (
  E extends unknown ? (params: ArgumentsOf<E>) => void : never
) extends (params: infer Params extends Readonly<Record<string, unknown>>) => void
  ? Params
  : never;

/**
 * The endpoint itself, or a text that says why its path cannot be filled in. Only a literal is accepted: a path
 * computed at run time would contain unencoded values.
 */
export type Fillable<E extends string> =
  Record<'', unknown> extends Record<E, unknown>
    ? 'an endpoint is a literal, such as GET {account}/things/{id}'
    : ArgumentsOf<E> extends string
      ? ArgumentsOf<E>
      : E;

/**
 * Fills in an endpoint's path: each argument is checked, and becomes exactly one segment. The name of a refused
 * argument stays in the path in braces, and `issues` says why. The account's id is an option, and is checked with the
 * options.
 */
export function fillEndpoint(
  endpoint: string,
  params: Readonly<Record<string, unknown>>,
  accountId: number | undefined,
): Pick<RequestSpec<unknown>, 'method' | 'path'> & { readonly issues: readonly Issue[] } {
  const isUnderAccount = accountId !== undefined;
  const account = idRule(accountId) === undefined ? accountId : '{account_id}';
  const issues: Issue[] = [];
  const [method, template] = endpoint.split(' ') as [HttpMethod, string];
  const path = template.replace(PLACEHOLDER, (_, name: string, separator: string, other: string) => {
    if (separator === '|') return isUnderAccount ? other : name;
    if (name === 'account') return isUnderAccount ? `/api/accounts/${account}` : '/api';
    const found = issuesAt(name, RULES[(other || 'id') as keyof ParamKinds](params[name]));
    issues.push(...found);
    return found.length === 0 ? encodeURIComponent(params[name] as string | number) : `{${name}}`;
  });
  return { method, path, issues };
}

/** The path of an endpoint with the names of its arguments, in the form of its example `path`. */
export const pathTemplate = (endpoint: string, path: string): string => {
  const isUnderAccount = path.startsWith('/api/accounts/');
  return endpoint
    .slice(endpoint.indexOf(' ') + 1)
    .replace(PLACEHOLDER, (_, name: string, mark: string, other: string) => {
      if (mark === '|') return isUnderAccount ? other : name;
      if (name === 'account') return isUnderAccount ? '/api/accounts/{account_id}' : '/api';
      return `{${name}}`;
    });
};

/** `/api/<resource>` or `/api/accounts/<id>/<resource>`, and the segment after it. */
const RESOURCE_PATH = /^\/api\/(?:accounts\/([^/]+)\/)?([^/]+)(?:\/([^/]+))?/;

/** The pools of the templates' newer paths. Single templates have none. */
const TEMPLATE_POOLS: Readonly<Partial<Record<HttpMethod, AccountPoolName>>> = {
  GET: 'templatesList',
  POST: 'templatesCreate',
};

/**
 * The account pool of a request besides `token`, from its method, host and path; undefined if it has none. The
 * statistics of a campaign do not count against the `stats` pool.
 */
export function poolOf(method: HttpMethod, host: HostName, path: string): AccountPoolName | undefined {
  if (host !== 'api') return host === 'sandbox' ? host : undefined;
  const [, , resource, rest] = RESOURCE_PATH.exec(path) ?? [];
  if (resource === 'email_logs') return rest === undefined ? 'emailLogsList' : 'emailLogsGet';
  if (resource === 'templates') return rest === undefined ? TEMPLATE_POOLS[method] : undefined;
  if (resource === 'organizations') return method === 'DELETE' ? 'subAccountsDelete' : undefined;
  return (['contacts', 'stats', 'suppressions'] as const).find((name) => name === resource);
}

/** The account in a path; the request counts against its pools. */
export const accountOf = (path: string): number | undefined => {
  const id: unknown = RESOURCE_PATH.exec(path)?.[1];
  // As text, only an id that a number would round is one.
  return idRule(id) === undefined ? (id as number) : Number(id) || undefined;
};

/**
 * Matches the paths of a template: every argument is a named group, and the account is the group `$`. Arguments are
 * whole segments, and not decoded.
 */
export const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replaceAll('.', '\\.')
      .replace(/^\{account\??\}/, '/api(?:/accounts/(?<$$>[1-9]\\d{0,14}))?')
      .replace(/\{(\w+\|\w+)\}/g, '(?:$1)')
      .replace(/\{(\w+)(:\w+)?\}/g, '(?<$1>[^/]+)')}$`,
  );
