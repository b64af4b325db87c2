import type { EmailPlatform } from 'email-platform';
import { expect } from 'vitest';
import { examples } from '../../entries/schemas/examples.ts';
import { sized } from '../extent.ts';
import type { Table } from './row.ts';

const from = { email: 'hello@mail.example.com' };
const to = [{ email: 'ann@example.org' }];
const HOUR = 3_600_000;

const later = () => ({ datetime: new Date(Date.now() + HOUR) });
const day = (ago: number) => new Date(Date.now() - ago * 24 * HOUR).toISOString().slice(0, 10);
const lastDays = () => ({ start_date: day(9), end_date: day(0) });
const conditions = [{ match_type: 'header', operator: 'not_empty', header_key: 'X-A' }];
const destinations = [{ email: 'books@example.com' }];
const url = 'https://shop.example.com/hooks';
const event_types = ['delivery'];

const haveSome = (items: readonly unknown[]): undefined => {
  expect(items.length).toBeGreaterThan(1);
};
const STREAMS = ['transactional', 'bulk', 'sandbox'] as const;
/** The response to a batch of one email, which is accepted. */
export const BATCH_ANSWER = { success: true, responses: [{ success: true, message_ids: ['1'] }] };

/**
 * How every method is called. Against a scripted service, each call is alone, with the values of `KNOWN`. Against the
 * emulator, they are one tour in this order: create, get, update, list, delete, each with the ids of earlier results. So
 * the row of a new method stands behind the row that creates its object, and before the one that deletes it.
 */
export const TABLE: Table = {
  'sending.send': {
    args: ({ text }) => [{ from, to, subject: 'Hi', text }],
    also: async ({ client: { sending } }, { text }) => {
      for (const stream of STREAMS) await sending.send({ from, to, subject: 'Hi', text }, { stream });
    },
  },
  'sending.batch': {
    args: ({ text }) => [{ requests: [{ from, to, subject: 'Hi', text }] }],
    answer: BATCH_ANSWER,
    also: async ({ client: { sending } }, { text }) => {
      const mail = { from, to, subject: 'Hi', text };
      for (const stream of STREAMS) {
        const { responses } = await sending.batch({ requests: [mail, { ...mail, to: [] }] }, { stream });
        expect(responses.map(({ success }) => success)).toEqual([true, false]);
        for await (const { status } of sending.batchAll([mail], { stream })) expect(status).toBe('accepted');
      }
    },
  },

  'emailLogs.list': {
    args: () => [{}],
    after: ({ items }) => ({ logged: items[0]?.message_id ?? '' }),
  },
  'emailLogs.get': {
    args: ({ logged }) => [logged],
    also: async ({ client: { emailLogs } }, { accountId, logged }) => {
      for (const options of [{}, { accountId }])
        for (const { message_id } of await emailLogs.list({}, options).toArray({ limit: sized(300, 60) }))
          await emailLogs.get(message_id, options);
      await emailLogs.downloadRaw(await emailLogs.get(logged));
    },
  },

  'campaigns.create': {
    args: ({ domain, text }) => [
      {
        name: 'Spring',
        domain_id: domain,
        from_local_part: 'news',
        template_attributes: { subject: 'Hello', body_html: text },
      },
    ],
    after: ({ id }) => ({ campaign: id }),
  },
  'campaigns.update': ({ campaign, text }) => [
    campaign,
    {
      contact_list_ids: [1],
      reply_to: { local_part: 'help' },
      template_attributes: { subject: 'Hello', body_html: text },
    },
  ],
  'campaigns.schedule': ({ campaign }) => [campaign, later()],
  'campaigns.cancel': ({ campaign }) => [campaign],
  'campaigns.reset': {
    before: async ({ client }, { campaign }) => void (await client.campaigns.schedule(campaign, later())),
    args: ({ campaign }) => [campaign],
  },
  'campaigns.start': ({ campaign }) => [campaign],
  'campaigns.stats': ({ campaign }) => [campaign, {}],
  'campaigns.terminate': ({ campaign }) => [campaign],
  'campaigns.list': () => [{}],
  'campaigns.get': {
    args: ({ campaign }) => [campaign],
    // The seed has campaigns in all states, also among the newest.
    also: async ({ client: { campaigns } }) => {
      for (const { id } of await campaigns.list().toArray({ limit: sized(300, 60) })) await campaigns.get(id);
    },
  },
  'campaigns.delete': {
    before: ({ emulator }) => ({ campaign: emulator.campaigns.add() }),
    args: ({ campaign }) => [campaign],
  },

  'contacts.lists.create': {
    args: () => [{ name: 'Readers' }],
    after: ({ id }) => ({ list: id }),
  },
  'contacts.lists.update': ({ list }) => [list, { name: 'All readers' }],
  'contacts.lists.get': ({ list }) => [list],
  'contacts.lists.list': () => [{ search: 'all' }],
  'contacts.fields.create': {
    args: () => [{ name: 'Age', data_type: 'integer', merge_tag: 'age' }],
    after: ({ id }) => ({ field: id }),
  },
  'contacts.fields.update': ({ field }) => [field, { name: 'Years' }],
  'contacts.fields.get': ({ field }) => [field],
  'contacts.fields.list': () => [],
  'contacts.create': {
    args: ({ list, text }) => [
      { email: 'schemas@example.org', fields: { age: 40, note: text }, list_ids: [list] },
    ],
    before: async ({ client }): Promise<undefined> => {
      await client.contacts.fields.create({ name: 'Note', data_type: 'text', merge_tag: 'note' });
    },
    after: ({ id }) => ({ contact: id }),
  },
  'contacts.get': ({ contact }) => [contact],
  'contacts.update': {
    args: ({ contact }) => [contact, { list_ids_included: [1] }],
    also: async ({ client }, { contact, list }) => {
      await client.contacts.update(contact, { unsubscribed: true });
      await client.contacts.update('upsert@example.org', { list_ids_included: [list] });
    },
  },
  'contacts.createEvent': ({ contact }) => [
    contact,
    { name: 'Bought', params: { amount: 12.5, gift: null } },
  ],
  'contacts.delete': ({ contact }) => [contact],
  'contacts.imports.create': {
    args: () => [{ contacts: [{ email: 'schemas@example.org', fields: { age: 41 } }] }],
    after: ({ id }) => ({ contactImport: id }),
  },
  'contacts.imports.get': {
    args: ({ contactImport }) => [contactImport],
    also: async ({ client, emulator }, { contactImport }) => {
      emulator.clock.advance(2000);
      const finished = await client.contacts.imports.get(contactImport);
      expect(finished).toMatchObject({ status: 'finished', created_contacts_count: 1 });
    },
  },
  'contacts.exports.create': {
    args: ({ list }) => [{ filters: [{ name: 'list_id', operator: 'equal', value: [list] }] }],
    after: ({ id }) => ({ contactExport: id }),
  },
  'contacts.exports.get': {
    args: ({ contactExport }) => [contactExport],
    also: async ({ client, emulator }, { contactExport }) => {
      emulator.clock.advance(2000);
      expect((await client.contacts.exports.get(contactExport)).url).toMatch(/^http/);
    },
  },
  'contacts.lists.delete': ({ list }) => [list],
  'contacts.fields.delete': ({ field }) => [field],

  'sandbox.projects.create': {
    args: () => [{ name: 'Shop' }],
    after: ({ id }) => ({ project: id }),
  },
  'sandbox.projects.update': ({ project }) => [project, { name: 'The shop' }],
  'sandbox.inboxes.create': {
    args: ({ project }) => [project, { name: 'Signup' }],
    after: ({ id }) => ({ testInbox: id }),
  },
  'sandbox.projects.get': ({ project }) => [project],
  'sandbox.projects.list': () => [],
  'sandbox.inboxes.update': ({ testInbox }) => [testInbox, { email_username: 'signup' }],
  'sandbox.inboxes.markAllRead': ({ testInbox }) => [testInbox],
  'sandbox.inboxes.resetCredentials': ({ testInbox }) => [testInbox],
  'sandbox.inboxes.toggleEmailAddress': ({ testInbox }) => [testInbox],
  'sandbox.inboxes.resetEmailAddress': ({ testInbox }) => [testInbox],
  'sandbox.inboxes.clean': ({ testInbox }) => [testInbox],
  'sandbox.inboxes.get': ({ testInbox }) => [testInbox],
  'sandbox.inboxes.list': () => [],
  'sandbox.inboxes.delete': ({ testInbox }) => [testInbox],
  'sandbox.projects.delete': ({ project }) => [project],
  'sandbox.messages.list': {
    before: async ({ client }): Promise<undefined> => {
      const attachments = [{ filename: 'a.bin', content: 'AAEC/w==' }];
      const mail = { from, to, subject: 'Hi', text: 'Hello', html: '<p>Hello</p>', attachments };
      await client.sending.send(mail, { stream: 'sandbox' });
    },
    args: ({ ownInbox }) => [ownInbox, {}],
    after: ({ items }) => ({ sandboxMessage: items[0]?.id ?? 0 }),
    also: async ({ client }, { ownInbox }) =>
      void (await client.sandbox.messages.list(ownInbox, { page: 1 })),
  },
  'sandbox.messages.get': ({ ownInbox, sandboxMessage }) => [ownInbox, sandboxMessage],
  'sandbox.messages.markRead': ({ ownInbox, sandboxMessage }) => [
    ownInbox,
    sandboxMessage,
    { is_read: true },
  ],
  'sandbox.messages.forward': ({ ownInbox, sandboxMessage }) => [
    ownInbox,
    sandboxMessage,
    { email: 'ops@example.com' },
  ],
  'sandbox.messages.spamReport': ({ ownInbox, sandboxMessage }) => [ownInbox, sandboxMessage],
  'sandbox.messages.htmlAnalysis': ({ ownInbox, sandboxMessage }) => [ownInbox, sandboxMessage],
  'sandbox.messages.headers': ({ ownInbox, sandboxMessage }) => [ownInbox, sandboxMessage],
  'sandbox.messages.text': ({ ownInbox, sandboxMessage }) => [ownInbox, sandboxMessage],
  'sandbox.messages.html': ({ ownInbox, sandboxMessage }) => [ownInbox, sandboxMessage],
  'sandbox.messages.htmlSource': ({ ownInbox, sandboxMessage }) => [ownInbox, sandboxMessage],
  'sandbox.messages.raw': ({ ownInbox, sandboxMessage }) => [ownInbox, sandboxMessage],
  'sandbox.messages.eml': ({ ownInbox, sandboxMessage }) => [ownInbox, sandboxMessage],
  'sandbox.attachments.list': {
    args: ({ ownInbox, sandboxMessage }) => [ownInbox, sandboxMessage, {}],
    after: ({ items }) => ({ attachment: items[0]?.id ?? 0 }),
  },
  'sandbox.attachments.get': {
    args: ({ ownInbox, sandboxMessage, attachment }) => [ownInbox, sandboxMessage, attachment],
    also: async ({ client: { sandbox } }, { ownInbox, sandboxMessage, attachment }) => {
      await sandbox.attachments.download(await sandbox.attachments.get(ownInbox, sandboxMessage, attachment));
    },
  },
  'sandbox.messages.delete': ({ ownInbox, sandboxMessage }) => [ownInbox, sandboxMessage],

  'suppressions.create': {
    args: ({ domain }) => [{ email: 'ann@example.org', domain_id: domain, sending_stream: 'transactional' }],
    after: ({ id }) => ({ suppression: id }),
  },
  'suppressions.list': () => [{}],
  'suppressions.delete': ({ suppression }) => [suppression],
  'trackingOptOuts.create': {
    args: ({ domain }) => [{ email: 'ann@example.org', domain_id: domain }],
    after: ({ id }) => ({ optOut: id }),
  },
  'trackingOptOuts.list': () => [{}],
  'trackingOptOuts.delete': ({ optOut }) => [optOut],

  'stats.get': {
    args: () => [lastDays()],
    after: ({ delivery_count }): undefined => {
      expect(delivery_count).toBeGreaterThan(0);
    },
  },
  'stats.byDomain': { args: () => [lastDays()], after: haveSome },
  'stats.byCategory': { args: () => [lastDays()], after: haveSome },
  'stats.byEmailServiceProvider': { args: () => [lastDays()], after: haveSome },
  'stats.byDate': { args: () => [lastDays()], after: haveSome },

  'apiTokens.create': {
    args: ({ text }) => [{ name: text }],
    after: ({ id }) => ({ apiToken: id }),
  },
  'apiTokens.reset': {
    args: ({ apiToken }) => [apiToken, {}],
    also: async ({ client: { apiTokens } }, { domain }) => {
      const resources = [{ resource_type: 'domain', resource_id: domain, access_level: 100 }] as const;
      const made = await apiTokens.create({ name: 'orders', resources: [...resources] });
      const replaced = await apiTokens.reset(made.id, { expires_at: new Date(Date.now() + HOUR) });
      expect(replaced.token).not.toBe(made.token);
      await apiTokens.get(replaced.id);
    },
    after: ({ id }) => ({ apiToken: id }),
  },
  'apiTokens.get': ({ apiToken }) => [apiToken],
  'apiTokens.list': () => [],
  'apiTokens.delete': ({ apiToken }) => [apiToken],

  'sendingDomains.companyInfo.create': ({ domain, text }) => [
    domain,
    { ...(examples.companyInfo as EmailPlatform.CompanyInfoCreateParams), name: text },
  ],
  'sendingDomains.companyInfo.update': ({ domain, text }) => [domain, { name: text }],
  'sendingDomains.companyInfo.get': ({ domain }) => [domain],
  'sendingDomains.create': {
    args: () => [{ domain_name: 'schemas.example.com' }],
    after: ({ id }) => ({ newDomain: id }),
  },
  'sendingDomains.update': ({ newDomain }) => [
    newDomain,
    { inbound_enabled: true, tracking_opt_out_enabled: true },
  ],
  'sendingDomains.sendSetupInstructions': ({ newDomain }) => [newDomain, { email: 'ops@example.com' }],
  'sendingDomains.get': {
    args: ({ newDomain }) => [newDomain],
    also: async ({ client, emulator }, { newDomain }) => {
      emulator.domains.setVerified(newDomain, true);
      await client.sendingDomains.get(newDomain);
    },
  },
  'sendingDomains.list': () => [],
  'sendingDomains.delete': ({ newDomain }) => [newDomain],

  'accounts.list': {
    args: () => [],
    after: ({ items }) => ({ account: items[0]?.id ?? 0 }),
  },
  'accounts.get': {
    args: ({ account }) => [account],
    also: async ({ client: { accounts } }) => {
      for (const { id } of await accounts.list().toArray()) await accounts.get(id);
    },
  },
  'accounts.permissions.list': () => [],
  'accounts.accesses.list': {
    args: () => [{}],
    after: ({ items }) => ({ access: items.find(({ permissions }) => permissions.can_destroy)?.id ?? 0 }),
  },
  'accounts.permissions.updateAll': {
    args: ({ access, domain }) => [
      access,
      [{ resource_type: 'domain', resource_id: domain, access_level: 10 }],
    ],
    also: async ({ client }, { access, domain }) => {
      const change = { resource_type: 'domain', resource_id: String(domain), access_level: 'admin' } as const;
      await client.accounts.permissions.updateAll(access, [change]);
    },
  },
  'accounts.accesses.remove': ({ access }) => [access],
  'billing.usage': () => [],
  'organizations.subAccounts.create': {
    args: ({ organization, text }) => [organization, { name: text }],
    after: ({ id }) => ({ subAccount: id }),
  },
  'organizations.subAccounts.list': ({ organization }) => [organization],
  'organizations.subAccounts.delete': ({ organization, subAccount }) => [organization, subAccount],

  'webhooks.create': {
    args: () => [{ url, webhook_type: 'campaigns', event_types }],
    also: async ({ client: { webhooks } }) => {
      await webhooks.create({ url, webhook_type: 'email_sending', sending_stream: 'bulk', event_types });
      await webhooks.create({ url, webhook_type: 'inbound_receiving' });
    },
    after: ({ id }) => ({ webhook: id }),
  },
  'webhooks.update': ({ webhook }) => [webhook, { active: false }],
  'webhooks.get': ({ webhook }) => [webhook],
  'webhooks.list': () => [],
  'webhooks.delete': ({ webhook }) => [webhook],

  'inbound.folders.create': {
    args: () => [{ name: 'Support' }],
    after: ({ id }) => ({ folder: id }),
  },
  'inbound.folders.update': ({ folder }) => [folder, { name: 'Help' }],
  'inbound.folders.get': ({ folder }) => [folder],
  'inbound.folders.list': () => [],
  'inbound.inboxes.create': {
    args: ({ folder }) => [folder, { name: 'Questions' }],
    after: ({ id }) => ({ inbox: id }),
  },
  'inbound.inboxes.update': ({ folder, inbox }) => [folder, inbox, { name: 'Answers' }],
  'inbound.inboxes.get': ({ folder, inbox }) => [folder, inbox],
  'inbound.inboxes.list': ({ folder }) => [folder],
  'inbound.forwardRules.create': {
    args: ({ inbox }) => [inbox, { name: 'All', conditions, destinations }],
    after: ({ id }) => ({ forwardRule: id }),
  },
  'inbound.forwardRules.update': ({ inbox, forwardRule }) => [inbox, forwardRule, { name: 'Everything' }],
  'inbound.forwardRules.get': ({ inbox, forwardRule }) => [inbox, forwardRule],
  'inbound.forwardRules.list': ({ inbox }) => [inbox],
  'inbound.messages.reply': {
    before: async ({ client, emulator }, { folder, inbox }) => {
      const [received] = emulator.inbound.receive({
        to: (await client.inbound.inboxes.get(folder, inbox)).address,
        from: 'Ann <ann@example.org>',
        cc: ['cy@example.org'],
        headers: { 'X-A': '1' },
        html: '<p>Hello</p>',
        attachments: [{ content: btoa('x'), filename: 'x.txt' }],
      });
      return { inboundMessage: received?.messageId, thread: received?.threadId } as {
        inboundMessage: string;
      };
    },
    args: ({ inbox, inboundMessage, text }) => [inbox, inboundMessage, { to, text }],
  },
  'inbound.messages.replyAll': ({ inbox, inboundMessage, text }) => [inbox, inboundMessage, { text }],
  'inbound.messages.forward': ({ inbox, inboundMessage, text }) => [inbox, inboundMessage, { to, text }],
  'inbound.messages.list': {
    before: ({ emulator }): undefined => {
      emulator.clock.advance(200_000);
    },
    args: ({ inbox }) => [inbox, {}],
  },
  'inbound.messages.get': ({ inbox, inboundMessage }) => [inbox, inboundMessage],
  'inbound.threads.list': {
    args: ({ inbox }) => [inbox, {}],
    also: async ({ client }, { inbox }) => void (await client.inbound.threads.list(inbox, { search: 'ann' })),
  },
  'inbound.threads.get': ({ inbox, thread }) => [inbox, thread],
  'inbound.messages.delete': {
    args: ({ inbox, inboundMessage }) => [inbox, inboundMessage],
    // A thread without its first message.
    also: async ({ client }, { inbox, thread }) => void (await client.inbound.threads.get(inbox, thread)),
  },
  'inbound.threads.delete': ({ inbox, thread }) => [inbox, thread],
  'inbound.forwardRules.delete': ({ inbox, forwardRule }) => [inbox, forwardRule],
  'inbound.inboxes.delete': ({ folder, inbox }) => [folder, inbox],
  'inbound.folders.delete': ({ folder }) => [folder],

  'templates.create': {
    args: ({ text }) => [{ name: 'Welcome', subject: 'Hello', category: 'onboarding', body_html: text }],
    after: ({ id }) => ({ template: id }),
  },
  'templates.get': ({ template }) => [template],
  'templates.update': ({ template, text }) => [template, { body_html: text }],
  'templates.list': () => [],
  'templates.delete': ({ template }) => [template],
  'templates.paginated.create': {
    args: ({ text }) => [{ name: 'Welcome', subject: 'Hello', category: 'onboarding', body_html: text }],
    after: ({ id }) => ({ pageTemplate: id }),
  },
  'templates.paginated.get': ({ pageTemplate }) => [pageTemplate],
  'templates.paginated.update': ({ pageTemplate, text }) => [pageTemplate, { body_html: text }],
  'templates.paginated.list': () => [{}],
  'templates.paginated.delete': ({ pageTemplate }) => [pageTemplate],
};
