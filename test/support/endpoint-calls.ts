import type { EmailPlatform } from 'email-platform';
import { endpoints, type DeclaredEndpoint, type Operation } from '../../src/resources/endpoints.ts';
import { paramIssues } from '../../src/resources/param-rules.ts';

/** The texts for calls: one text wherever the type allows it, so that the body has its size. */
interface Given {
  readonly text: string;
}

const to = [{ email: 'ann@example.org' }];
const days = () => ({ start_date: '2026-01-01', end_date: '2026-01-31' });
const campaign = ({ text }: Given) => ({
  name: 'Spring',
  domain_id: 1,
  from_local_part: 'news',
  template_attributes: { subject: 'Hello', body_html: text },
});

/** Valid parameters of the methods that need them. Methods with the same rule share an entry. */
const PARAMS: Readonly<Partial<Record<Operation, (given: Given) => object>>> = {
  'campaigns.create': campaign,
  'campaigns.update': campaign,
  'campaigns.schedule': () => ({ datetime: new Date(Date.now() + 3_600_000) }),
  'templates.create': ({ text }) => ({
    name: 'Welcome',
    subject: 'Hello',
    category: 'onboarding',
    body_html: text,
  }),
  'templates.update': ({ text }) => ({ body_html: text }),
  'sendingDomains.create': () => ({ domain_name: 'a.example.com' }),
  'sendingDomains.update': () => ({ inbound_enabled: true }),
  'sendingDomains.sendSetupInstructions': () => ({ email: 'ops@example.com' }),
  'sendingDomains.companyInfo.create': ({ text }) => ({
    name: text,
    address: 'a',
    city: 'b',
    country: 'c',
    zip_code: 'd',
    website_url: 'https://e.test',
  }),
  'sendingDomains.companyInfo.update': ({ text }) => ({ name: text }),
  'contacts.create': ({ text }) => ({ email: 'ann@example.org', fields: { note: text } }),
  'contacts.update': () => ({ list_ids_included: [1] }),
  'contacts.createEvent': () => ({ name: 'Bought' }),
  'contacts.lists.create': () => ({ name: 'a' }),
  'contacts.fields.create': () => ({ name: 'a', data_type: 'text', merge_tag: 'a' }),
  'contacts.fields.update': () => ({ name: 'b' }),
  'contacts.imports.create': () => ({ contacts: [{ email: 'ann@example.org' }] }),
  'suppressions.create': () => ({
    email: 'ann@example.org',
    domain_id: 1,
    sending_stream: 'transactional',
  }),
  'trackingOptOuts.create': () => ({ email: 'ann@example.org', domain_id: 1 }),
  'stats.get': days,
  'apiTokens.create': ({ text }) => ({ name: text }),
  'webhooks.create': () => ({ url: 'https://a.test/', webhook_type: 'audit_log' }),
  'webhooks.update': () => ({ active: false }),
  'inbound.folders.create': () => ({ name: 'a' }),
  'inbound.inboxes.create': () => ({ name: 'a' }),
  'inbound.messages.reply': ({ text }) => ({ to, text }),
  'inbound.messages.forward': ({ text }) => ({ to, text }),
  'inbound.forwardRules.create': () => ({ name: 'a' }),
  'inbound.forwardRules.update': () => ({ name: 'b' }),
  'sandbox.inboxes.create': () => ({ name: 'Signup' }),
  'sandbox.inboxes.update': () => ({ name: 'Signup' }),
  'sandbox.messages.markRead': () => ({ is_read: true }),
  'sandbox.messages.forward': () => ({ email: 'ops@example.com' }),
};

/** Arguments in a path, by kind; an id is its position. */
const TEXTS: Readonly<Record<string, string>> = {
  uuid: 'f2b1c7de-0f5c-4a53-9d3b-6f1d2a7c9e10',
  contact: 'ann@example.org',
  text: '2',
};

/** Valid arguments for an endpoint's path, by name, in the order in which its method takes them. */
export function pathArgumentsOf({ template }: Pick<DeclaredEndpoint, 'template'>): Record<string, unknown> {
  const names = [...template.matchAll(/\{(\w+)(?::(\w+))?\}/g)].filter(([, name]) => name !== 'account');
  return Object.fromEntries(
    names.map(([, name = '', kind = ''], index) => [name, TEXTS[kind] ?? index + 1] as const),
  );
}

/** Valid parameters of an endpoint's method; undefined if it takes none, or if the table has none. */
export function paramsOf({ operation, params: rule }: DeclaredEndpoint, given: Given): object | undefined {
  if (rule === undefined) return undefined;
  const sameRule = endpoints().filter(({ params }) => params === rule);
  const [known] = [operation, ...sameRule.map((endpoint) => endpoint.operation)].flatMap(
    (name) => PARAMS[name] ?? [],
  );
  return known?.(given) ?? (paramIssues(rule, {}).length === 0 ? {} : undefined);
}

/** Calls an endpoint's method with the arguments of its path, its parameters if it takes any, and the options. */
export function callMethod(
  client: EmailPlatform,
  { operation, params: rule }: DeclaredEndpoint,
  path: readonly unknown[],
  params: object | undefined,
  options?: object,
): PromiseLike<unknown> {
  const names = operation.split('.');
  const method = names.pop() ?? '';
  const group = names.reduce<unknown>((owner, name) => (owner as Record<string, unknown>)[name], client);
  const run = (group as Record<string, (...args: unknown[]) => PromiseLike<unknown>>)[method];
  if (run === undefined) throw new Error(`There is no method ${operation}.`);
  return run.apply(group, [...path, ...(rule === undefined ? [] : [params]), options]);
}
