import type { EmailPlatform, RequestOptions } from 'email-platform';
import { examples } from '../schemas/examples.ts';
import { SANDBOX_CALLS } from './sandbox-calls.ts';

/**
 * What a call takes from its response: the JSON it expects; that, or nothing; that, or the campaign's state by a second
 * request; any JSON; its bytes; what the answer to a mail says; or nothing but that it says nothing of an error.
 */
export type Reading = 'json' | 'json or 204' | 'json or state' | 'any' | 'bytes' | 'mail' | 'status';

/** What a second request would do: it only reads, it changes nothing more, or it does the same thing once more. */
export type Repeated = 'reads' | 'again the same' | 'does it twice';

/** The options that every method takes. */
export type CallOptions = Pick<RequestOptions, 'signal' | 'deadlineMs' | 'headers'>;

/** A valid call of a method. */
export interface Call {
  /** As callers write it, with what is special about it in brackets. */
  readonly name: string;
  readonly run: (client: EmailPlatform, options: CallOptions, given: Given) => PromiseLike<unknown>;
  /** The body of its successful response; undefined for none. */
  readonly answer: unknown;
  readonly reading: Reading;
  readonly repeated: Repeated;
  /** Without the token, outside the limits: the URL is signed. */
  readonly isSigned?: true;
}

/** What a call is made with. */
export interface Given {
  /** For wherever a text can be, so that the body is as large as that. */
  readonly text: string;
  /** Where the server is. */
  readonly url: string;
}

const uuid = 'f2b1c7de-0f5c-4a53-9d3b-6f1d2a7c9e10';
const from = { email: 'hello@mail.example.com' };
const to = [{ email: 'ann@example.org' }];
const mail = ({ text }: Given) => ({ from, to, subject: 'Hi', text });
const draft = ({ text }: Given) => ({
  name: 'Spring',
  domain_id: 1,
  from_local_part: 'news',
  template_attributes: { subject: 'Hello', body_html: text },
});

const campaign = { answer: { data: examples.campaign }, reading: 'json' } as const;
const sent = { answer: examples.sendResult, reading: 'mail', repeated: 'does it twice' } as const;
const batch = {
  answer: { success: true, responses: [{ success: true, message_ids: ['1'] }] },
  reading: 'mail',
  repeated: 'does it twice',
} as const;
const gone = { answer: undefined, reading: 'status', repeated: 'again the same' } as const;
const reads = { reading: 'json', repeated: 'reads' } as const;
const sets = { reading: 'json', repeated: 'again the same' } as const;
const removes = { reading: 'json or 204', repeated: 'again the same' } as const;
const creates = { reading: 'json', repeated: 'does it twice' } as const;

/** A run over one mail ends as that mail does. */
async function onlyOutcome(run: ReturnType<EmailPlatform['sending']['batchAll']>): Promise<unknown> {
  for await (const outcome of run) {
    if (outcome.status === 'not_sent' || outcome.status === 'unknown') {
      if ((outcome.error.effect === 'none') !== (outcome.status === 'not_sent'))
        throw new Error(`A mail is ${outcome.status}, but the effect is ${outcome.error.effect}.`);
      throw outcome.error;
    }
    return outcome.status;
  }
  throw new Error('There was no outcome.');
}

/** The actions on campaigns that change their state: the service refuses the second. */
export const ACTIONS = ['start', 'schedule', 'cancel', 'reset', 'terminate'] as const;

/** A valid call of every method that sends something, and of `request`. */
export const CALLS: readonly Call[] = [
  {
    name: 'campaigns.list',
    run: ({ campaigns }, options) => campaigns.list({}, options),
    answer: examples.campaignPage,
    ...reads,
  },
  {
    name: 'campaigns.create',
    run: ({ campaigns }, options, given) => campaigns.create(draft(given), options),
    ...campaign,
    repeated: 'does it twice',
  },
  {
    name: 'campaigns.get',
    run: ({ campaigns }, options) => campaigns.get(1, options),
    ...campaign,
    repeated: 'reads',
  },
  {
    name: 'campaigns.update',
    run: ({ campaigns }, options, given) => campaigns.update(1, draft(given), options),
    ...campaign,
    repeated: 'again the same',
  },
  { name: 'campaigns.delete', run: ({ campaigns }, options) => campaigns.delete(1, options), ...gone },
  ...ACTIONS.map((action): Call => ({
    name: `campaigns.${action}`,
    run: ({ campaigns }, options) =>
      action === 'schedule'
        ? campaigns.schedule(1, { datetime: new Date(Date.now() + 3_600_000) }, options)
        : campaigns[action](1, options),
    ...campaign,
    repeated: 'again the same',
    ...(action === 'schedule' && { reading: 'json or state' }),
  })),
  {
    name: 'campaigns.stats',
    run: ({ campaigns }, options) => campaigns.stats(1, {}, options),
    answer: { data: examples.campaignStats },
    ...reads,
  },
  {
    name: 'campaigns.waitUntilFinished',
    run: ({ campaigns }, options) => campaigns.waitUntilFinished(1, options),
    answer: { data: { ...examples.campaign, current_state: 'finished' } },
    ...reads,
  },
  {
    name: 'emailLogs.list',
    run: ({ emailLogs }, options) => emailLogs.list({}, options),
    answer: examples.emailLogPage,
    ...reads,
  },
  {
    name: 'emailLogs.get',
    run: ({ emailLogs }, options) => emailLogs.get(uuid, options),
    answer: examples.emailLogMessageDetails,
    ...reads,
  },
  {
    name: 'emailLogs.downloadRaw',
    run: ({ emailLogs }, { signal, deadlineMs }, { url }) =>
      emailLogs.downloadRaw(`${url}/raw.eml`, { signal, deadlineMs }),
    answer: { not: 'read' },
    reading: 'bytes',
    repeated: 'reads',
    isSigned: true,
  },
  ...(['transactional', 'bulk', 'sandbox'] as const).map((stream): Call => ({
    name: `sending.send (${stream})`,
    run: ({ sending }, options, given) => sending.send(mail(given), { ...options, stream }),
    ...sent,
  })),
  {
    name: 'sending.batch',
    run: ({ sending }, options, given) => sending.batch({ requests: [mail(given)] }, options),
    ...batch,
  },
  {
    name: 'sending.batchAll',
    run: ({ sending }, options, given) => onlyOutcome(sending.batchAll([mail(given)], options)),
    ...batch,
  },
  {
    name: 'sending.send (attachment)',
    run: ({ sending }, options, given) => {
      const content = new Blob([given.text]).stream();
      return sending.send({ ...mail(given), attachments: [{ filename: 'a.txt', content }] }, options);
    },
    ...sent,
  },
  {
    name: 'templates.list',
    run: ({ templates }, options) => templates.list(options),
    answer: examples.templateList,
    ...reads,
  },
  {
    name: 'templates.create',
    run: ({ templates }, options, { text }) =>
      templates.create(
        { name: 'Welcome', subject: 'Hello', category: 'onboarding', body_html: text },
        options,
      ),
    answer: examples.template,
    ...creates,
  },
  {
    name: 'templates.get',
    run: ({ templates }, options) => templates.get(1, options),
    answer: examples.template,
    ...reads,
  },
  {
    name: 'templates.update',
    run: ({ templates }, options, { text }) => templates.update(1, { body_html: text }, options),
    answer: examples.template,
    ...sets,
  },
  { name: 'templates.delete', run: ({ templates }, options) => templates.delete(1, options), ...gone },
  {
    name: 'sendingDomains.list',
    run: ({ sendingDomains }, options) => sendingDomains.list(options),
    answer: examples.sendingDomainPage,
    ...reads,
  },
  {
    name: 'sendingDomains.create',
    run: ({ sendingDomains }, options) => sendingDomains.create({ domain_name: 'a.example.com' }, options),
    answer: examples.sendingDomain,
    ...creates,
  },
  {
    name: 'sendingDomains.get',
    run: ({ sendingDomains }, options) => sendingDomains.get(1, options),
    answer: examples.sendingDomain,
    ...reads,
  },
  {
    name: 'sendingDomains.update',
    run: ({ sendingDomains }, options) => sendingDomains.update(1, { inbound_enabled: true }, options),
    answer: examples.sendingDomain,
    ...sets,
  },
  {
    name: 'sendingDomains.delete',
    run: ({ sendingDomains }, options) => sendingDomains.delete(1, options),
    ...gone,
  },
  {
    name: 'sendingDomains.sendSetupInstructions',
    run: ({ sendingDomains }, options) =>
      sendingDomains.sendSetupInstructions(1, { email: 'ops@example.com' }, options),
    ...gone,
    repeated: 'does it twice',
  },
  {
    name: 'sendingDomains.waitUntilVerified',
    run: ({ sendingDomains }, options) => sendingDomains.waitUntilVerified(1, options),
    answer: examples.sendingDomain,
    ...reads,
  },
  {
    name: 'accounts.accesses.list',
    run: ({ accounts }, options) => accounts.accesses.list({}, options),
    answer: examples.accountAccessList,
    ...reads,
  },
  {
    name: 'accounts.accesses.remove',
    run: ({ accounts }, options) => accounts.accesses.remove(7, options),
    answer: { id: 7 },
    ...removes,
  },
  {
    name: 'accounts.permissions.list',
    run: ({ accounts }, options) => accounts.permissions.list(options),
    answer: examples.permissionResourceList,
    ...reads,
  },
  {
    name: 'accounts.list',
    run: ({ accounts }, options) => accounts.list(options),
    answer: examples.accountList,
    ...reads,
  },
  {
    name: 'accounts.get',
    run: ({ accounts }, options) => accounts.get(1, options),
    answer: examples.account,
    ...reads,
  },
  {
    name: 'contacts.create',
    run: ({ contacts }, options, { text }) =>
      contacts.create({ email: 'ann@example.org', fields: { note: text } }, options),
    answer: { data: examples.contact },
    ...creates,
  },
  {
    name: 'contacts.get',
    run: ({ contacts }, options) => contacts.get('ann@example.org', options),
    answer: { data: examples.contact },
    ...reads,
  },
  {
    name: 'contacts.update',
    run: ({ contacts }, options) => contacts.update('ann@example.org', { list_ids_included: [1] }, options),
    answer: examples.contactUpdateResult,
    ...sets,
  },
  {
    name: 'contacts.delete',
    run: ({ contacts }, options) => contacts.delete('ann@example.org', options),
    ...gone,
  },
  {
    name: 'contacts.createEvent',
    run: ({ contacts }, options) => contacts.createEvent('ann@example.org', { name: 'Bought' }, options),
    answer: examples.contactEvent,
    ...creates,
  },
  {
    name: 'contacts.lists.list',
    run: ({ contacts }, options) => contacts.lists.list({}, options),
    answer: examples.contactListList,
    ...reads,
  },
  {
    name: 'contacts.lists.create',
    run: ({ contacts }, options) => contacts.lists.create({ name: 'a' }, options),
    answer: examples.contactList,
    ...creates,
  },
  {
    name: 'contacts.lists.get',
    run: ({ contacts }, options) => contacts.lists.get(1, options),
    answer: examples.contactList,
    ...reads,
  },
  {
    name: 'contacts.lists.update',
    run: ({ contacts }, options) => contacts.lists.update(1, { name: 'b' }, options),
    answer: examples.contactList,
    ...sets,
  },
  {
    name: 'contacts.lists.delete',
    run: ({ contacts }, options) => contacts.lists.delete(1, options),
    ...gone,
  },
  {
    name: 'contacts.fields.list',
    run: ({ contacts }, options) => contacts.fields.list(options),
    answer: examples.contactFieldList,
    ...reads,
  },
  {
    name: 'contacts.fields.create',
    run: ({ contacts }, options) =>
      contacts.fields.create({ name: 'a', data_type: 'text', merge_tag: 'a' }, options),
    answer: examples.contactField,
    ...creates,
  },
  {
    name: 'contacts.fields.get',
    run: ({ contacts }, options) => contacts.fields.get(1, options),
    answer: examples.contactField,
    ...reads,
  },
  {
    name: 'contacts.fields.update',
    run: ({ contacts }, options) => contacts.fields.update(1, { name: 'b' }, options),
    answer: examples.contactField,
    ...sets,
  },
  {
    name: 'contacts.fields.delete',
    run: ({ contacts }, options) => contacts.fields.delete(1, options),
    ...gone,
  },
  {
    name: 'contacts.imports.create',
    run: ({ contacts }, options) =>
      contacts.imports.create({ contacts: [{ email: 'ann@example.org' }] }, options),
    answer: examples.contactImport,
    ...creates,
  },
  {
    name: 'contacts.exports.create',
    run: ({ contacts }, options) => contacts.exports.create({}, options),
    answer: examples.contactExport,
    ...creates,
  },
  {
    name: 'contacts.imports.get',
    run: ({ contacts }, options) => contacts.imports.get(1, options),
    answer: examples.contactImport,
    ...reads,
  },
  {
    name: 'contacts.imports.waitUntilFinished',
    run: ({ contacts }, options) => contacts.imports.waitUntilFinished(1, options),
    answer: examples.contactImport,
    ...reads,
  },
  {
    name: 'contacts.exports.get',
    run: ({ contacts }, options) => contacts.exports.get(1, options),
    answer: examples.contactExport,
    ...reads,
  },
  {
    name: 'contacts.exports.waitUntilFinished',
    run: ({ contacts }, options) => contacts.exports.waitUntilFinished(1, options),
    answer: examples.contactExport,
    ...reads,
  },
  {
    name: 'suppressions.list',
    run: ({ suppressions }, options) => suppressions.list({}, options),
    answer: examples.suppressionList,
    ...reads,
  },
  {
    name: 'suppressions.create',
    run: ({ suppressions }, options) =>
      suppressions.create(
        { email: 'ann@example.org', domain_id: 1, sending_stream: 'transactional' },
        options,
      ),
    answer: { data: examples.suppression },
    ...creates,
  },
  {
    name: 'suppressions.delete',
    run: ({ suppressions }, options) => suppressions.delete(uuid, options),
    answer: examples.suppression,
    ...removes,
  },
  {
    name: 'trackingOptOuts.list',
    run: ({ trackingOptOuts }, options) => trackingOptOuts.list({}, options),
    answer: examples.trackingOptOutPage,
    ...reads,
  },
  {
    name: 'trackingOptOuts.create',
    run: ({ trackingOptOuts }, options) =>
      trackingOptOuts.create({ email: 'ann@example.org', domain_id: 1 }, options),
    answer: { data: examples.trackingOptOut },
    ...creates,
  },
  {
    name: 'trackingOptOuts.delete',
    run: ({ trackingOptOuts }, options) => trackingOptOuts.delete(uuid, options),
    answer: examples.trackingOptOut,
    ...removes,
  },
  ...SANDBOX_CALLS,
  ...(
    [
      ['get', examples.emailStats],
      ['byDomain', examples.domainStatsList],
      ['byCategory', examples.categoryStatsList],
      ['byEmailServiceProvider', examples.emailServiceProviderStatsList],
      ['byDate', examples.dateStatsList],
    ] as const
  ).map(([method, answer]): Call => ({
    name: `stats.${method}`,
    run: ({ stats }, options) => stats[method]({ start_date: '2026-01-01', end_date: '2026-01-31' }, options),
    answer,
    ...reads,
  })),
  {
    name: 'accounts.permissions.updateAll',
    run: ({ accounts }, options) =>
      accounts.permissions.updateAll(
        7,
        [{ resource_type: 'domain', resource_id: 1, access_level: 10 }],
        options,
      ),
    answer: examples.permissionsUpdated,
    ...sets,
  },
  {
    name: 'apiTokens.list',
    run: ({ apiTokens }, options) => apiTokens.list(options),
    answer: examples.apiTokenList,
    ...reads,
  },
  {
    name: 'apiTokens.create',
    run: ({ apiTokens }, options, { text }) => apiTokens.create({ name: text }, options),
    answer: examples.newApiToken,
    ...creates,
  },
  {
    name: 'apiTokens.get',
    run: ({ apiTokens }, options) => apiTokens.get(1, options),
    answer: examples.apiToken,
    ...reads,
  },
  { name: 'apiTokens.delete', run: ({ apiTokens }, options) => apiTokens.delete(1, options), ...gone },
  {
    name: 'apiTokens.reset',
    run: ({ apiTokens }, options) => apiTokens.reset(1, {}, options),
    answer: examples.newApiToken,
    ...creates,
  },
  {
    name: 'billing.usage',
    run: ({ billing }, options) => billing.usage(options),
    answer: examples.billingUsage,
    ...reads,
  },
  {
    name: 'organizations.subAccounts.list',
    run: ({ organizations }, options) => organizations.subAccounts(1).list(options),
    answer: examples.subAccountList,
    ...reads,
  },
  {
    name: 'organizations.subAccounts.create',
    run: ({ organizations }, options, { text }) =>
      organizations.subAccounts(1).create({ name: text }, options),
    answer: examples.subAccount,
    ...creates,
  },
  {
    name: 'sendingDomains.companyInfo.get',
    run: ({ sendingDomains }, options) => sendingDomains.companyInfo.get(1, options),
    answer: { data: examples.companyInfo },
    ...reads,
  },
  {
    name: 'sendingDomains.companyInfo.create',
    run: ({ sendingDomains }, options, { text }) =>
      sendingDomains.companyInfo.create(
        1,
        { name: text, address: 'a', city: 'b', country: 'c', zip_code: 'd', website_url: 'https://e.test' },
        options,
      ),
    answer: { data: examples.companyInfo },
    ...creates,
  },
  {
    name: 'sendingDomains.companyInfo.update',
    run: ({ sendingDomains }, options, { text }) =>
      sendingDomains.companyInfo.update(1, { name: text }, options),
    answer: { data: examples.companyInfo },
    ...sets,
  },
  {
    name: 'webhooks.list',
    run: ({ webhooks }, options) => webhooks.list(options),
    answer: examples.webhookPage,
    ...reads,
  },
  {
    name: 'webhooks.create',
    run: ({ webhooks }, options) =>
      webhooks.create({ url: 'https://a.test/', webhook_type: 'audit_log' }, options),
    answer: { data: examples.createdWebhook },
    ...creates,
  },
  {
    name: 'webhooks.get',
    run: ({ webhooks }, options) => webhooks.get(1, options),
    answer: { data: examples.webhook },
    ...reads,
  },
  {
    name: 'webhooks.update',
    run: ({ webhooks }, options) => webhooks.update(1, { active: false }, options),
    answer: { data: examples.webhook },
    ...sets,
  },
  {
    name: 'webhooks.delete',
    run: ({ webhooks }, options) => webhooks.delete(1, options),
    answer: { data: examples.webhook },
    ...removes,
  },
  {
    name: 'inbound.folders.list',
    run: ({ inbound }, options) => inbound.folders.list(options),
    answer: examples.inboundFolderList,
    ...reads,
  },
  {
    name: 'inbound.folders.create',
    run: ({ inbound }, options) => inbound.folders.create({ name: 'a' }, options),
    answer: examples.inboundFolder,
    ...creates,
  },
  {
    name: 'inbound.folders.get',
    run: ({ inbound }, options) => inbound.folders.get(1, options),
    answer: examples.inboundFolder,
    ...reads,
  },
  {
    name: 'inbound.folders.update',
    run: ({ inbound }, options) => inbound.folders.update(1, { name: 'b' }, options),
    answer: examples.inboundFolder,
    ...sets,
  },
  {
    name: 'inbound.folders.delete',
    run: ({ inbound }, options) => inbound.folders.delete(1, options),
    ...gone,
  },
  {
    name: 'inbound.inboxes.list',
    run: ({ inbound }, options) => inbound.inboxes.list(1, options),
    answer: examples.inboundInboxList,
    ...reads,
  },
  {
    name: 'inbound.inboxes.create',
    run: ({ inbound }, options) => inbound.inboxes.create(1, { name: 'a' }, options),
    answer: examples.inboundInbox,
    ...creates,
  },
  {
    name: 'inbound.inboxes.get',
    run: ({ inbound }, options) => inbound.inboxes.get(1, 2, options),
    answer: examples.inboundInbox,
    ...reads,
  },
  {
    name: 'inbound.inboxes.update',
    run: ({ inbound }, options) => inbound.inboxes.update(1, 2, { name: 'b' }, options),
    answer: examples.inboundInbox,
    ...sets,
  },
  {
    name: 'inbound.inboxes.delete',
    run: ({ inbound }, options) => inbound.inboxes.delete(1, 2, options),
    ...gone,
  },
  {
    name: 'inbound.messages.list',
    run: ({ inbound }, options) => inbound.messages.list(1, {}, options),
    answer: examples.inboundMessagePage,
    ...reads,
  },
  {
    name: 'inbound.messages.get',
    run: ({ inbound }, options) => inbound.messages.get(1, '2', options),
    answer: examples.inboundMessageDetails,
    ...reads,
  },
  {
    name: 'inbound.messages.delete',
    run: ({ inbound }, options) => inbound.messages.delete(1, '2', options),
    ...gone,
  },
  ...(['reply', 'replyAll', 'forward'] as const).map((method): Call => ({
    name: `inbound.messages.${method}`,
    run: ({ inbound }, options, { text }) => inbound.messages[method](1, '2', { to, text }, options),
    ...sent,
    answer: examples.inboundSendResult,
  })),
  {
    name: 'inbound.threads.list',
    run: ({ inbound }, options) => inbound.threads.list(1, {}, options),
    answer: examples.inboundThreadPage,
    ...reads,
  },
  {
    name: 'inbound.threads.get',
    run: ({ inbound }, options) => inbound.threads.get(1, '2', options),
    answer: examples.inboundThread,
    ...reads,
  },
  {
    name: 'inbound.threads.delete',
    run: ({ inbound }, options) => inbound.threads.delete(1, '2', options),
    ...gone,
  },
  {
    name: 'inbound.forwardRules.list',
    run: ({ inbound }, options) => inbound.forwardRules.list(1, options),
    answer: examples.forwardRulePage,
    ...reads,
  },
  {
    name: 'inbound.forwardRules.create',
    run: ({ inbound }, options) => inbound.forwardRules.create(1, { name: 'a' }, options),
    answer: { data: examples.forwardRule },
    ...creates,
  },
  {
    name: 'inbound.forwardRules.get',
    run: ({ inbound }, options) => inbound.forwardRules.get(1, 2, options),
    answer: { data: examples.forwardRule },
    ...reads,
  },
  {
    name: 'inbound.forwardRules.update',
    run: ({ inbound }, options) => inbound.forwardRules.update(1, 2, { name: 'b' }, options),
    answer: { data: examples.forwardRule },
    ...sets,
  },
  {
    name: 'inbound.forwardRules.delete',
    run: ({ inbound }, options) => inbound.forwardRules.delete(1, 2, options),
    ...gone,
  },
  {
    name: 'request (GET)',
    run: (client, options) => client.request({ method: 'GET', path: '/api/contacts/lists' }, options),
    answer: [{ id: 1 }],
    reading: 'any',
    repeated: 'reads',
  },
  {
    name: 'request (POST)',
    run: (client, options, { text }) =>
      client.request({ method: 'POST', path: '/api/contacts', body: { text } }, options),
    answer: { id: 1 },
    reading: 'any',
    repeated: 'does it twice',
  },
  {
    name: 'request (PUT)',
    run: (client, options, { text }) =>
      client.request({ method: 'PUT', path: '/api/contacts/1', body: { text } }, options),
    answer: { id: 1 },
    reading: 'any',
    repeated: 'again the same',
  },
];

/** The method of a call, as callers write it. */
export const methodOf = ({ name }: Call): string => name.replace(/ \(.*/, '');
