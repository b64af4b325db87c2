import type { EmailPlatform } from 'email-platform';
import * as schemas from 'email-platform/schemas';
import { describe, expect, test } from 'vitest';
import { pathText } from '../../../src/core/standard-schema.ts';
import { examples } from './examples.ts';

type Path = readonly (string | number)[];

const entries = Object.entries(examples) as [EmailPlatform.ResponseSchemaName, object][];

function issuesOf(name: EmailPlatform.ResponseSchemaName, value: unknown): string[] {
  return (schemas[name].safeParse(value).error?.issues ?? []).map(({ path }) =>
    pathText(path as (string | number)[]),
  );
}

const isObject = (value: unknown): value is Record<string | number, unknown> =>
  typeof value === 'object' && value !== null;

/** The path of everything in a value: fields, items, and what is in them. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (!isObject(value)) return [];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => [[...path, key], ...pathsIn(value[key], [...path, key])]);
}

/** A copy of an example in which the object or list that has the last key of a path is changed. */
function changed<T>(example: T, path: Path, change: (parent: Record<string | number, unknown>) => void): T {
  // As parsed from a response: no object occurs in it twice.
  const copy = JSON.parse(JSON.stringify(example)) as T;
  const parent = path.slice(0, -1).reduce<unknown>((value, key) => isObject(value) && value[key], copy);
  if (!isObject(parent)) throw new Error(`Nothing is at ${pathText(path)}.`);
  change(parent);
  return copy;
}

/** Objects whose keys the service may choose freely. */
/** Schemas of nothing but such keys, with texts. */
const TEXTS: readonly EmailPlatform.ResponseSchemaName[] = ['sandboxMessageHeaders'];
const FREE = ['custom_variables', 'template_variables', 'fields', 'params', 'headers'];
const isFree = (path: Path) => path.slice(0, -1).some((key) => FREE.includes(String(key)));

const under = (parent: string, fields: readonly string[]) => fields.map((field) => `${parent}.${field}`);

const campaignFields = [
  ...under('current_state_metadata', ['reason', 'error', 'errors', 'scheduled_at']),
  ...under('reply_to', ['display_name', 'local_part', 'domain']),
  ...['delivery_options.emails_per_hour', 'last_started_at_date'],
];
const messageFields = ['sending_domain_id', ...['rfc_message_id', 'in_reply_to', 'references', 'thread_id']];
const detailsFields = [
  ...['web_ip_address', 'sending_ip', 'recipient_mx', 'email_service_provider', 'bounce_category'],
  ...['email_service_provider_status', 'email_service_provider_response'],
  ...['spam_feedback_type', 'reject_reason'],
];
const domainFields = [
  ...['tracking_opt_out_enabled', 'inbound_enabled', 'inbound_verified', 'dns_verified_at'],
  ...under('dns_records', ['domain', 'type', 'value', 'status']),
];
const espFields = ['message_esp_response', 'message_esp_server_type'];

const sandboxMessageFields = [
  ...['sandbox_id', 'template_id', 'template_variables'],
  ...under('blacklists_report_info', ['domain', 'ip', 'report']),
  ...under('smtp_information', ['data', 'data.rcpt_to_addrs']),
];
const sandboxInboxFields = ['api_domain', 'last_message_sent_at'];
const projectFields = [
  ...['share_links', 'sandboxes'],
  ...under('inboxes', sandboxInboxFields),
  ...under('sandboxes', sandboxInboxFields),
];
const sandboxFileFields = ['content_id', 'transfer_encoding'];
const attachmentFields = under('attachments', ['content_id', 'download_url', 'download_url_expires_at']);
const inboundFields = [
  ...['cc', 'bcc', 'reply_to', 'rfc_message_id', 'in_reply_to', 'references', 'headers', 'forwards'],
  ...attachmentFields,
];
const summaryFields = ['attachments', ...attachmentFields];
const threadFields = [
  ...['id', 'subject', 'rfc_message_id', 'in_reply_to', 'references', 'from', 'to', 'cc', 'bcc', 'reply_to'],
  ...['created_at', 'email_size', 'text_body', 'html_body', 'attachments', ...attachmentFields],
  ...['message_group_id', 'delivery_status', 'delivered_at', 'bounced_at', 'forwards', 'delivery'],
  ...under('delivery', ['delivered_at', 'bounced_at']),
];
const ruleFields = under('conditions', ['value', 'header_key']);

/** The fields that a response may lack, without the positions of items. */
const OPTIONAL: Readonly<Partial<Record<EmailPlatform.ResponseSchemaName, readonly string[]>>> = {
  accountAccessList: under('specifier', [
    ...['email', 'name', 'two_factor_authentication_enabled'],
    ...['author_name', 'token', 'expires_at'],
  ]),
  billingUsage: ['testing', 'sending', 'marketing'].flatMap((product) => [
    product,
    ...under(`${product}.usage`, ['sent_messages_count', 'forwarded_messages_count']),
  ]),
  batchResult: ['errors', 'responses.message_ids', 'responses.errors'],
  campaign: campaignFields,
  campaignPage: under('data', campaignFields),
  contactImport: ['created_contacts_count', 'updated_contacts_count', 'contacts_over_limit_count'],
  emailLogMessageDetails: [...messageFields, ...under('events.details', detailsFields)],
  emailLogPage: under('messages', messageFields),
  sandboxForwardResult: ['success'],
  sandboxAttachment: sandboxFileFields,
  sandboxAttachmentList: sandboxFileFields,
  sandboxHtmlAnalysis: ['success', 'errors', 'msg'],
  sandboxInbox: sandboxInboxFields,
  sandboxInboxList: sandboxInboxFields,
  sandboxMessage: sandboxMessageFields,
  sandboxMessageList: sandboxMessageFields,
  sandboxMessageHeaders: ['subject', 'mime_version'],
  sandboxProject: projectFields,
  sandboxProjectList: projectFields,
  createdWebhook: ['inbound_inbox_id'],
  forwardRule: ruleFields,
  forwardRulePage: under('data', ruleFields),
  inboundInbox: ['domain_id'],
  inboundInboxList: ['domain_id'],
  inboundMessageDetails: inboundFields,
  inboundMessagePage: under('data', inboundFields),
  inboundThread: [...summaryFields, ...under('messages', threadFields)],
  inboundThreadPage: under('data', summaryFields),
  sendResult: ['message_ids'],
  sendingDomain: domainFields,
  sendingDomainPage: under('data', domainFields),
  suppression: espFields,
  suppressionList: espFields,
  trackingOptOut: ['domain_name'],
  trackingOptOutPage: ['data.domain_name'],
  webhook: ['inbound_inbox_id'],
  webhookPage: ['data.inbound_inbox_id'],
};
const isOptional = (name: EmailPlatform.ResponseSchemaName, path: Path) =>
  OPTIONAL[name]?.includes(path.filter((key) => typeof key === 'string').join('.')) ?? false;

describe.each(entries)('%s', (name, example) => {
  const paths = pathsIn(example).filter((path) => !isFree(path));

  test('accepts a response with every field', () => {
    expect(issuesOf(name, example)).toEqual([]);
  });

  test('names every value of a wrong type, at any depth', () => {
    for (const path of paths) {
      const wrong = changed(example, path, (parent) => (parent[path.at(-1) ?? ''] = Symbol('wrong')));
      // People choose the names of headers, and no issue quotes them.
      const named = name === 'sandboxMessageHeaders' ? ['*'] : path;
      expect([path, issuesOf(name, wrong)]).toEqual([path, [pathText(named)]]);
    }
  });

  test('names every missing field that is not optional', () => {
    for (const path of paths.filter((one) => typeof one.at(-1) === 'string')) {
      const without = changed(example, path, (parent) => Reflect.deleteProperty(parent, path.at(-1) ?? ''));
      expect([path, issuesOf(name, without)]).toEqual([path, isOptional(name, path) ? [] : [pathText(path)]]);
    }
  });

  test('accepts unknown keys everywhere', () => {
    for (const path of [['x'], ...paths]) {
      const more = changed(example, path, (parent) => {
        if (!Array.isArray(parent)) parent.new_key = TEXTS.includes(name) ? 'any' : { any: [null] };
      });
      expect([path, issuesOf(name, more)]).toEqual([path, []]);
    }
  });

  test('refuses a value of another kind', () => {
    for (const other of [null, undefined, 'text', 7, Array.isArray(example) ? {} : []]) {
      expect(issuesOf(name, other)).toEqual(['']);
    }
  });

  test('returns an equal value, and does not change its input', () => {
    const value = structuredClone(example);
    expect(schemas[name].parse(value)).toEqual(example);
    expect(value).toEqual(example);
  });
});

describe('Responses that were recorded, or that the reference states, are accepted', () => {
  const { campaign, campaignPage, emailLogMessageDetails, sendingDomain, batchResult } = examples;
  const nothing = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));

  test.each<[string, EmailPlatform.ResponseSchemaName, object]>([
    [
      'a draft of nulls and empty objects',
      'campaign',
      {
        ...campaign,
        from_display_name: null,
        reply_to: {},
        current_state_metadata: {},
        delivery_options: {},
        last_started_at: null,
        last_started_at_date: undefined,
        recipient_total_count: null,
        template: { id: 3, subject: 'Hi', merge_tags: [], body_html: null, body_text: null },
      },
    ],
    ['null parts of a Reply-To', 'campaign', { ...campaign, reply_to: { display_name: null, domain: null } }],
    ['no emails per hour', 'campaign', { ...campaign, delivery_options: { emails_per_hour: null } }],
    [
      'a state and a mode of the future',
      'campaign',
      { ...campaign, current_state: 'archived', delivery_mode: 'x' },
    ],
    ['an empty page', 'campaignPage', { ...campaignPage, data: [] }],
    [
      'a message without variables, template, category or subject',
      'emailLogMessageDetails',
      {
        ...emailLogMessageDetails,
        custom_variables: null,
        template_variables: null,
        template_id: null,
        category: null,
        client_ip: null,
        subject: null,
        in_reply_to: null,
        thread_id: null,
        status: 'snoozed',
      },
    ],
    [
      'an event of the future',
      'emailLogMessageDetails',
      {
        ...emailLogMessageDetails,
        events: [{ event_type: 'teleported', created_at: 'now', details: { click_url: 7 } }],
      },
    ],
    [
      'a domain that is not verified, with statuses of the future',
      'sendingDomain',
      {
        ...sendingDomain,
        dns_verified: false,
        dns_verified_at: '',
        alert_recipient_email: null,
        compliance_status: 'x',
      },
    ],
    [
      'a click on a link that the service does not have',
      'emailLogMessageDetails',
      {
        ...emailLogMessageDetails,
        events: [{ event_type: 'click', created_at: 'now', details: { click_url: null } }],
      },
    ],
    ['a send of which only the success is told', 'sendResult', { success: true }],
    ['a domain verified at null', 'sendingDomain', { ...sendingDomain, dns_verified_at: null }],
    [
      'a DNS record of which only the key and the name are known',
      'sendingDomain',
      { ...sendingDomain, dns_records: [{ key: 'dmarc', name: '_dmarc', type: null, status: null }] },
    ],
    [
      'a message in a test inbox without a report of blacklists',
      'sandboxMessage',
      { ...examples.sandboxMessage, blacklists_report_info: false },
    ],
    [
      'what an analysis found, as a text',
      'sandboxHtmlAnalysis',
      { status: 'success', errors: ['style is not supported everywhere'] },
    ],
    [
      'a file of unknown encoding',
      'sandboxAttachment',
      { ...examples.sandboxAttachment, ...nothing('transfer_encoding', 'content_id') },
    ],
    [
      'a test inbox without a host of its API',
      'sandboxInbox',
      { ...examples.sandboxInbox, ...nothing('api_domain', 'last_message_sent_at') },
    ],
    [
      'a webhook of the audit log, about no sending',
      'webhook',
      {
        ...examples.webhook,
        webhook_type: 'audit_log',
        sending_stream: undefined,
        domain_id: undefined,
        event_types: undefined,
      },
    ],
    [
      'a webhook of the audit log with nulls',
      'createdWebhook',
      {
        ...examples.createdWebhook,
        webhook_type: 'audit_log',
        ...nothing('sending_stream', 'domain_id', 'event_types'),
      },
    ],
    [
      'a suppression without a provider',
      'suppression',
      { ...examples.suppression, ...nothing('message_esp_response', 'message_esp_server_type') },
    ],
    [
      'an inbound message with nothing but a sender',
      'inboundMessageDetails',
      {
        ...examples.inboundMessageDetails,
        ...nothing('cc', 'bcc', 'reply_to', 'in_reply_to', 'references', 'headers'),
      },
    ],
    ['a thread without files', 'inboundThread', { ...examples.inboundThread, attachments: null }],
    [
      'a sent message of a thread whose fate is not known',
      'inboundThread',
      {
        ...examples.inboundThread,
        messages: [
          { visibility_status: 'available', direction: 'outbound', message_group_id: null, delivery: null },
        ],
      },
    ],
    [
      'the access of a token that never expires',
      'accountAccessList',
      [
        {
          id: 1,
          specifier_type: 'ApiToken',
          specifier: { id: 2, name: 'orders', author_name: null, token: null, expires_at: null },
          resources: [],
          permissions: { can_read: true, can_update: true, can_destroy: true, can_leave: false },
        },
      ],
    ],
    [
      'a batch in which every email was rejected',
      'batchResult',
      { ...batchResult, responses: [{ success: false, errors: ['is invalid'] }] },
    ],
  ])('%s', (_, name, value) => {
    expect(issuesOf(name, value)).toEqual([]);
  });
});

test('a rejected email of a batch has no ids, as in the client’s own results', () => {
  const { responses } = schemas.batchResult.parse({
    success: true,
    responses: [{ success: false, errors: ['x'] }],
  });
  expect(responses[0]?.message_ids).toEqual([]);
});

test('only a webhook of the audit log has no stream, domain and events', () => {
  for (const webhook_type of ['email_sending', 'campaigns', 'inbound_receiving']) {
    const { event_types: _, ...webhook } = { ...(examples.webhook as EmailPlatform.Webhook), webhook_type };
    expect(issuesOf('webhook', webhook)).toEqual(['event_types']);
    expect(issuesOf('webhook', { ...webhook, event_types: null })).toEqual(['event_types']);
  }
});

test('a report of blacklists is an object or false, and not true', () => {
  const message = { ...examples.sandboxMessage, blacklists_report_info: true };
  expect(issuesOf('sandboxMessage', message)).toEqual(['blacklists_report_info']);
});

test('a send with success false is refused', () => {
  expect(issuesOf('sendResult', { success: false, message_ids: [] })).toEqual(['success']);
});

test('no issue contains a value', () => {
  for (const [name, example] of entries) {
    for (const path of pathsIn(example)) {
      const wrong = changed(
        example,
        path,
        (parent) => (parent[path.at(-1) ?? ''] = { private: 'private@example.com' }),
      );
      const { error } = schemas[name].safeParse(wrong);
      expect(error?.issues.map(({ message }) => message).join() ?? '').not.toContain('private');
    }
  }
});
