// Every endpoint of the service, as data, for code that needs all of them.
import type { SecretFields } from '../core/decoder.ts';
import { patternOf } from '../core/path.ts';
import type { HostName } from '../core/request.ts';
import * as accounts from './accounts/endpoints.ts';
import * as apiTokens from './api-tokens/endpoints.ts';
import * as billing from './billing/endpoints.ts';
import * as campaigns from './campaigns/endpoints.ts';
import * as contacts from './contacts/endpoints.ts';
import * as emailLogs from './email-logs/endpoints.ts';
import { isEndpoint, type Endpoint, type EndpointGroup } from './base/endpoint.ts';
import * as inbound from './inbound/endpoints.ts';
import * as organizations from './organizations/endpoints.ts';
import * as sandbox from './sandbox/endpoints.ts';
import * as sendingDomains from './sending-domains/endpoints.ts';
import * as sending from './sending/endpoints.ts';
import * as stats from './stats/endpoints.ts';
import * as suppressions from './suppressions/endpoints.ts';
import * as templates from './templates/endpoints.ts';
import * as trackingOptOuts from './tracking-opt-outs/endpoints.ts';
import * as webhooks from './webhooks/endpoints.ts';

/** By area: an area's file exports only its groups, so a new group is added automatically. */
const areas = () =>
  [
    accounts,
    apiTokens,
    billing,
    campaigns,
    contacts,
    emailLogs,
    inbound,
    organizations,
    sandbox,
    sendingDomains,
    sending,
    stats,
    suppressions,
    templates,
    trackingOptOuts,
    webhooks,
  ] as const satisfies readonly Readonly<Record<string, () => EndpointGroup>>[];

type NameIn<Declared> = Declared extends { readonly operation: infer Name } ? Name : never;
type GroupsOf<Area> = Area extends Readonly<Record<string, () => infer Group>> ? Group : never;
type NamesIn<Group> = Group extends unknown
  ? { [K in keyof Group]: NameIn<Group[K]> | NameIn<Group[K][keyof Group[K]]> }[keyof Group]
  : never;

/** The name of an operation, which is the name of its method, such as `campaigns.list`. */
export type Operation = NamesIn<GroupsOf<ReturnType<typeof areas>[number]>>;

/** The declared facts of an endpoint. */
export interface DeclaredEndpoint extends Omit<
  Endpoint<unknown, unknown>,
  'operation' | 'encode' | 'unless' | 'ifLost'
> {
  readonly operation: Operation;
}

/** All endpoints, in the order of their methods. */
export const endpoints = (): readonly DeclaredEndpoint[] =>
  areas()
    .flatMap((area) => Object.values<() => EndpointGroup>(area))
    .flatMap((group) => Object.values(group()))
    .flatMap((declared) =>
      isEndpoint(declared) ? [declared] : Object.values(declared),
    ) as DeclaredEndpoint[];

/** Whether a path is a path of an endpoint. */
function isFor(
  { host: its = 'api', template }: DeclaredEndpoint,
  method: string,
  host: HostName,
  path: string,
): boolean {
  const [verb, pattern = ''] = template.split(' ');
  return verb === method && its === host && patternOf(pattern).test(path);
}

/** The fields with secrets in the response at a path, of all endpoints that match the path. */
export function secretFieldsAt(method: string, host: HostName, path: string): SecretFields {
  const found = endpoints().filter((one) => isFor(one, method, host, path));
  const all = (kind: keyof SecretFields) => found.flatMap(({ decoder }) => decoder[kind] ?? []);
  return { secrets: all('secrets'), credentials: all('credentials'), signed: all('signed') };
}

/** Whether all endpoints that match a path are declared to reach no person. */
export function reachesNoPerson(method: string, host: HostName, path: string): boolean {
  const found = endpoints().filter((one) => isFor(one, method, host, path));
  return found.length > 0 && found.every(({ reachesPeople = false }) => reachesPeople === false);
}
