import type { Shape } from '../support/shape.ts';

/** As `recorded-shapes.ts`: of the sandbox, of inbound mail and of webhooks. */

const memberPermissions = {
  can_read: 'boolean',
  can_update: 'boolean',
  can_destroy: 'boolean',
  can_leave: 'boolean',
};
const inbox = {
  id: 'int',
  name: 'string',
  username: 'string',
  password: 'string?',
  status: 'string',
  email_username: 'string?',
  email_username_enabled: 'boolean',
  used: 'boolean',
  forward_from_email_address: 'string?',
  project_id: 'int',
  domain: 'string',
  pop3_domain: 'string',
  email_domain: 'string',
  api_domain: 'string',
  smtp_ports: ['int'],
  pop3_ports: ['int'],
  sent_messages_count: 'int',
  forwarded_messages_count: 'int',
  emails_count: 'int',
  emails_unread_count: 'int',
  last_message_sent_at: 'string?',
  max_size: 'int',
  max_message_size: 'int',
  permissions: memberPermissions,
} satisfies Shape;
const project = {
  id: 'int',
  name: 'string',
  'share_links?': { admin: 'string', viewer: 'string' },
  'inboxes|sandboxes': [inbox],
  permissions: memberPermissions,
} satisfies Shape;
/** Not all of its fields are known. */
const message = {
  id: 'int',
  'inbox_id|sandbox_id': 'int',
  subject: 'string?',
  from_name: 'string?',
  to_name: 'string?',
  is_read: 'boolean',
  template_id: 'int?',
  blacklists_report_info: { result: 'string', domain: 'string', ip: 'string', report: ['object'] },
  smtp_information: { ok: 'boolean', 'data?': 'object?' },
  '*': 'any',
} satisfies Shape;
const attachment = {
  id: 'int',
  message_id: 'int',
  content_id: 'string?',
  download_path: 'string',
  '*': 'any',
} satisfies Shape;

const webhook = {
  id: 'int',
  url: 'string',
  active: 'boolean',
  webhook_type: 'string',
  payload_format: 'string',
  sending_stream: 'string?',
  domain_id: 'int?',
  'inbound_inbox_id?': 'int?',
  event_types: ['string'],
} satisfies Shape;

const folder = { id: 'int', name: 'string' };
const inboundInbox = { id: 'int', name: 'string', address: 'string', domain_id: 'int' };
const inboundAttachment = {
  attachment_id: 'string',
  size: 'int?',
  filename: 'string?',
  content_type: 'string?',
  content_disposition: 'string?',
  content_id: 'string?',
} satisfies Shape;
const forward = {
  rule_id: 'int',
  rule_name: 'string?',
  destination: 'string',
  status: 'string',
  reason: 'string?',
  message_id: 'string?',
} satisfies Shape;
const inboundMessage = {
  // Beyond 2^53: a text.
  id: 'string',
  inbox_id: 'int',
  from: 'string?',
  to: ['string'],
  cc: ['string'],
  bcc: ['string'],
  reply_to: 'string?',
  subject: 'string?',
  rfc_message_id: 'string?',
  in_reply_to: 'string?',
  references: ['string'],
  headers: 'object?',
  size: 'int?',
  html_size: 'int?',
  text_size: 'int?',
  received_at: 'string',
  thread_id: 'string?',
  attachments: [inboundAttachment],
  'forwards?': [forward],
} satisfies Shape;
const page = (item: Shape): Shape => ({ data: [item], total_count: 'int', last_id: 'string?' });
const thread = {
  id: 'string',
  subject: 'string?',
  message_count: 'int',
  size: 'int',
  first_message_at: 'string',
  last_received_at: 'string?',
  last_sent_at: 'string?',
  last_activity_at: 'string',
  last_message_id: 'string?',
  senders: ['string'],
  recipients: ['string'],
  attachments: [{ ...inboundAttachment, '*': 'any' }],
} satisfies Shape;
const forwardRule = {
  id: 'int',
  name: 'string',
  created_at: 'string',
  updated_at: 'string',
  conditions: [{ match_type: 'string', operator: 'string', value: 'string?', header_key: 'string?' }],
  destinations: [{ email: 'string' }],
} satisfies Shape;
const sent = { message_ids: ['string'] } as const;

export const receivedShapes: Readonly<Record<string, Shape>> = {
  'sandbox.projects.list': [project],
  'sandbox.projects.create': project,
  'sandbox.projects.get': project,
  'sandbox.projects.update': project,
  'sandbox.projects.delete': { id: 'int' },
  'sandbox.inboxes.list': [inbox],
  ...Object.fromEntries(
    [
      ...['create', 'get', 'update', 'delete', 'clean', 'markAllRead', 'resetCredentials'],
      ...['toggleEmailAddress', 'resetEmailAddress'],
    ].map((method) => [`sandbox.inboxes.${method}`, inbox]),
  ),
  'sandbox.messages.list': [message],
  'sandbox.messages.get': message,
  'sandbox.messages.markRead': message,
  'sandbox.messages.delete': message,
  'sandbox.messages.forward': { success: 'boolean', message: 'string' },
  'sandbox.messages.spamReport': {
    report: {
      ResponseCode: 'int',
      ResponseMessage: 'string',
      ResponseVersion: 'string',
      Score: 'number',
      Spam: 'boolean',
      Threshold: 'number',
      Details: [{ Pts: 'string', RuleName: 'string', Description: 'string' }],
    },
  },
  'sandbox.messages.htmlAnalysis': { report: { status: 'string', errors: ['any'] } },
  'sandbox.messages.headers': { headers: 'object' },
  'sandbox.attachments.list': [attachment],
  'sandbox.attachments.get': attachment,
  'webhooks.list': { data: [webhook] },
  'webhooks.create': { data: { ...webhook, signing_secret: 'string' } },
  'webhooks.get': { data: webhook },
  'webhooks.update': { data: webhook },
  'webhooks.delete': { data: webhook },
  'inbound.folders.list': [folder],
  'inbound.folders.create': folder,
  'inbound.folders.get': folder,
  'inbound.folders.update': folder,
  'inbound.inboxes.list': [inboundInbox],
  'inbound.inboxes.create': inboundInbox,
  'inbound.inboxes.get': inboundInbox,
  'inbound.inboxes.update': inboundInbox,
  'inbound.messages.list': page(inboundMessage),
  'inbound.messages.get': {
    ...inboundMessage,
    html_body: 'string?',
    text_body: 'string?',
    raw_message_url: 'string?',
    raw_message_expires_at: 'string?',
    attachments: [{ ...inboundAttachment, download_url: 'string?', download_url_expires_at: 'string?' }],
  },
  'inbound.messages.reply': sent,
  'inbound.messages.replyAll': sent,
  'inbound.messages.forward': sent,
  'inbound.threads.list': page(thread),
  'inbound.threads.get': {
    ...thread,
    messages: [
      {
        visibility_status: 'string',
        direction: 'string',
        'message_group_id?': 'string?',
        'delivery?': { to: 'string', status: 'string', delivered_at: 'string?', bounced_at: 'string?' },
        'forwards?': [forward],
        '*': 'any',
      },
    ],
  },
  'inbound.forwardRules.list': { data: [forwardRule] },
  'inbound.forwardRules.create': { data: forwardRule },
  'inbound.forwardRules.get': { data: forwardRule },
  'inbound.forwardRules.update': { data: forwardRule },
};

/** The types of the responses that are not JSON. */
export const recordedTypes: Readonly<Record<string, string>> = {
  'sandbox.messages.text': 'text/plain',
  'sandbox.messages.raw': 'text/plain',
  'sandbox.messages.html': 'text/html',
  'sandbox.messages.htmlSource': 'text/html',
  'sandbox.messages.eml': 'message/rfc822',
};
