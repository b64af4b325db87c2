// Every endpoint of the service, as data: what needs to know of all of them reads this list.
import { patternOf } from '../core/path.ts';
import type { HostName } from '../core/request.ts';
import { accesses, accounts, permissions } from './accounts/endpoints.ts';
import { apiTokens } from './api-tokens/endpoints.ts';
import { billing } from './billing/endpoints.ts';
import { campaigns } from './campaigns/endpoints.ts';
import * as contacts from './contacts/endpoints.ts';
import { emailLogs } from './email-logs/endpoints.ts';
import { isEndpoint, type AnyEndpoint, type Endpoint } from './endpoint.ts';
import * as inbound from './inbound/endpoints.ts';
import { subAccounts } from './organizations/endpoints.ts';
import * as sandbox from './sandbox/endpoints.ts';
import { companyInfo, sendingDomains } from './sending-domains/endpoints.ts';
import { sending } from './sending/endpoints.ts';
import { stats } from './stats/endpoints.ts';
import { suppressions } from './suppressions/endpoints.ts';
import { templates } from './templates/endpoints.ts';
import { trackingOptOuts } from './tracking-opt-outs/endpoints.ts';
import { webhooks } from './webhooks/endpoints.ts';

/** By the group of methods that calls them, in the order in which a client shows its groups. */
const GROUPS = [
  campaigns,
  emailLogs,
  sending,
  templates,
  companyInfo,
  sendingDomains,
  contacts.lists,
  contacts.fields,
  contacts.imports,
  contacts.exports,
  contacts.contacts,
  suppressions,
  trackingOptOuts,
  stats,
  sandbox.projects,
  sandbox.inboxes,
  sandbox.messages,
  sandbox.attachments,
  webhooks,
  inbound.folders,
  inbound.inboxes,
  inbound.messages,
  inbound.threads,
  inbound.forwardRules,
  accesses,
  permissions,
  accounts,
  apiTokens,
  billing,
  subAccounts,
] as const;

type NameIn<Declared> = Declared extends { readonly operation: infer Name } ? Name : never;
type NamesIn<Group> = Group extends unknown
  ? { [K in keyof Group]: NameIn<Group[K]> | NameIn<Group[K][keyof Group[K]]> }[keyof Group]
  : never;

/** The name of an operation: of the method that sends it, such as `campaigns.list`. */
export type Operation = NamesIn<(typeof GROUPS)[number]>;

/** What is known of an endpoint without calling it. */
export interface DeclaredEndpoint extends Omit<
  Endpoint<unknown, unknown>,
  'operation' | 'encode' | 'unless' | 'settle'
> {
  readonly operation: Operation;
}

/** All of them, those of one method after the other. */
export const endpoints = (): readonly DeclaredEndpoint[] =>
  GROUPS.flatMap((group) =>
    Object.values<AnyEndpoint | Readonly<Record<string, AnyEndpoint>>>(group).flatMap((declared) =>
      isEndpoint(declared) ? [declared] : Object.values(declared),
    ),
  ) as DeclaredEndpoint[];

/** The secret fields in the response of the endpoint that a request by its path is for. Most endpoints have none. */
export const secretsAt = (method: string, host: HostName, path: string): readonly string[] | undefined =>
  endpoints().find(({ host: its = 'api', template, decoder }) => {
    const [verb, pattern = ''] = template.split(' ');
    return decoder.secrets && verb === method && its === host && patternOf(pattern).test(path);
  })?.decoder.secrets;
