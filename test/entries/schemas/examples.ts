import type { EmailPlatform, BatchResult, SendResult } from 'email-platform';
import * as schemas from 'email-platform/schemas';
import { sandboxExamples } from './sandbox-examples.ts';

/** A response with every field and no null, so that a test can replace each value by a wrong one. */
export type Full<T> = T extends readonly (infer Item)[]
  ? Full<Item>[]
  : T extends object
    ? { [Name in keyof T]-?: Full<NonNullable<T[Name]>> }
    : T;

const at = '2026-03-01T12:00:00.000Z';

const template: Full<EmailPlatform.Template> = {
  id: 1,
  uuid: 'b2a7e9f4-6b1c-4b7e-9a55-0d3c2f1e8a77',
  name: 'Welcome',
  category: 'onboarding',
  subject: 'Welcome, {{name}}',
  body_html: '<p>Welcome</p>',
  body_text: 'Welcome',
  created_at: at,
  updated_at: at,
};

const campaignSummary: Full<EmailPlatform.CampaignSummary> = {
  id: 1,
  domain_id: 2,
  domain_name: 'mail.example.com',
  name: 'Spring',
  from_local_part: 'news',
  from_display_name: 'The Shop',
  reply_to: { display_name: 'Help', local_part: 'help', domain: 'example.com' },
  current_state: 'failed',
  current_state_metadata: {
    reason: 'sending_failed',
    error: 'Refused',
    errors: [{ message: 'Mailbox is full', rcpt_index: 3 }],
    scheduled_at: at,
  },
  created_at: at,
  updated_at: at,
  last_started_at: at,
  last_started_at_date: '2026-03-01',
  recipient_total_count: 311,
  contact_list_ids: [1, 2],
  contact_segment_ids: [3],
  delivery_mode: 'gradual',
  delivery_options: { emails_per_hour: 100 },
  template: { id: 3, subject: 'Hello', merge_tags: ['name'] },
};

const campaign: Full<EmailPlatform.Campaign> = {
  ...campaignSummary,
  template: { ...campaignSummary.template, body_html: '<p>Hello</p>', body_text: 'Hello' },
};

const pagination: Full<EmailPlatform.TokenPagination> = {
  token: 2,
  prev_token: 1,
  next_token: 3,
  first_url: 'https://api.example.com/api/email_campaigns?token=1',
  prev_url: 'https://api.example.com/api/email_campaigns?token=1',
  current_url: 'https://api.example.com/api/email_campaigns?token=2',
  next_url: 'https://api.example.com/api/email_campaigns?token=3',
};

const campaignPage: Full<Pick<EmailPlatform.CampaignPage, 'data' | 'pagination'>> = {
  data: [campaignSummary],
  pagination,
};

const campaignStats: Full<EmailPlatform.CampaignStats> = {
  sent_count: 311,
  delivery_count: 302,
  bounce_count: 9,
  open_count: 120,
  click_count: 20,
  spam_count: 1,
  unsubscription_count: 2,
  delivery_rate: 0.97,
  bounce_rate: 0.03,
  open_rate: 0.4,
  click_rate: 0.07,
  spam_rate: 0.003,
  unsubscription_rate: 0.006,
};

const emailLogMessage: Full<EmailPlatform.EmailLogMessage> = {
  message_id: 'f2b1c7de-0f5c-4a53-9d3b-6f1d2a7c9e10',
  status: 'delivered',
  subject: 'Your order',
  from: 'shop@mail.example.com',
  to: 'ann@example.org',
  sent_at: at,
  client_ip: '192.0.2.1',
  category: 'orders',
  custom_variables: { order: '7' },
  sending_stream: 'transactional',
  domain_id: 2,
  sending_domain_id: 2,
  template_id: 4,
  template_variables: { items: [{ n: 1 }] },
  opens_count: 1,
  clicks_count: 0,
  rfc_message_id: '<a@mail.example.com>',
  in_reply_to: '<b@example.org>',
  references: ['<b@example.org>'],
  thread_id: '9007199254740993',
};

const web = { web_ip_address: '192.0.2.7' };
const delivery = {
  sending_ip: '192.0.2.8',
  recipient_mx: 'mx.example.org',
  email_service_provider: 'Google',
};
const bounce = {
  ...delivery,
  email_service_provider_status: '5.1.1',
  email_service_provider_response: 'No such user',
  bounce_category: 'badrecipient',
};

const emailLogMessageDetails: Full<Omit<EmailPlatform.EmailLogMessageDetails, 'events'>> &
  Pick<EmailPlatform.EmailLogMessageDetails, 'events'> = {
  ...emailLogMessage,
  raw_message_url: 'https://storage.example.com/signed/raw.eml?signature=x',
  events: [
    { event_type: 'delivery', created_at: at, details: delivery },
    { event_type: 'open', created_at: at, details: web },
    { event_type: 'click', created_at: at, details: { ...web, click_url: 'https://example.com' } },
    { event_type: 'soft_bounce', created_at: at, details: bounce },
    { event_type: 'bounce', created_at: at, details: bounce },
    { event_type: 'spam', created_at: at, details: { spam_feedback_type: 'abuse' } },
    { event_type: 'unsubscribe', created_at: at, details: web },
    { event_type: 'suspension', created_at: at, details: { reject_reason: 'hard bounce' } },
    { event_type: 'reject', created_at: at, details: { reject_reason: 'hard bounce' } },
  ],
};

const emailLogPage: Full<Pick<EmailPlatform.EmailLogPage, 'messages' | 'total_count' | 'next_page_cursor'>> =
  {
    messages: [emailLogMessage],
    total_count: 2,
    next_page_cursor: 'f2b1c7de-0f5c-4a53-9d3b-6f1d2a7c9e10',
  };

const sendResult: Full<Pick<SendResult, 'success' | 'message_ids'>> = {
  success: true,
  message_ids: ['a', 'b'],
};

const batchResult: Full<BatchResult> = {
  success: true,
  responses: [{ success: false, message_ids: ['a'], errors: ['is invalid'] }],
  errors: ['is invalid'],
};

const sendingDomain: Full<EmailPlatform.SendingDomain> = {
  id: 2,
  domain_name: 'mail.example.com',
  demo: false,
  compliance_status: 'compliant',
  dns_verified: true,
  dns_verified_at: at,
  dns_records: [
    {
      key: 'dkim1',
      domain: 'ep1._domainkey.mail.example.com',
      type: 'CNAME',
      value: 'dkim1.example.com',
      name: 'ep1._domainkey',
      status: 'pass',
    },
  ],
  open_tracking_enabled: true,
  click_tracking_enabled: true,
  auto_unsubscribe_link_enabled: false,
  tracking_opt_out_enabled: false,
  inbound_enabled: false,
  inbound_verified: false,
  custom_domain_tracking_enabled: false,
  health_alerts_enabled: true,
  critical_alerts_enabled: true,
  alert_recipient_email: 'ops@example.com',
  permissions: { can_read: true, can_update: true, can_destroy: false },
};

const sendingDomainPage: Full<Pick<EmailPlatform.SendingDomainPage, 'data'>> = { data: [sendingDomain] };

const account: Full<EmailPlatform.Account> = { id: 1001, name: 'The Shop', access_levels: [1000] };

const accountAccess: Full<EmailPlatform.AccountAccess> = {
  id: 7,
  specifier_type: 'User',
  specifier: {
    id: 8,
    email: 'ann@example.com',
    name: 'Ann',
    two_factor_authentication_enabled: true,
    author_name: 'Ben',
    token: 'e4b17a3c0d5f4e2b8a6c1d9e7f209f3c',
    expires_at: at,
  },
  resources: [{ resource_type: 'account', resource_id: 1001, access_level: 1000 }],
  permissions: { can_read: true, can_update: true, can_destroy: true, can_leave: false },
};

const removedAccess: Full<EmailPlatform.RemovedAccess> = { id: 7 };
const permissionsUpdated: Full<EmailPlatform.PermissionsUpdated> = {
  message: 'Permissions have been updated!',
};

const apiToken: Full<EmailPlatform.ApiToken> = {
  id: 11,
  name: 'orders',
  last_4_digits: '9f3c',
  created_by: 'Ann',
  expires_at: at,
  resources: [{ resource_type: 'domain', resource_id: 2, access_level: 100 }],
};
const newApiToken: Full<EmailPlatform.NewApiToken> = {
  ...apiToken,
  token: 'e4b17a3c0d5f4e2b8a6c1d9e7f209f3c',
};

const count = { current: 12, limit: 5000 };
const product = {
  plan: { name: 'Basic 10K' },
  usage: { sent_messages_count: count, forwarded_messages_count: count },
};
const billingUsage: Full<EmailPlatform.BillingUsage> = {
  billing: { cycle_start: at, cycle_end: at },
  testing: product,
  sending: product,
  marketing: product,
};

const subAccount: Full<EmailPlatform.SubAccount> = { id: 1101, name: 'Shop in Rome' };

const companyInfo: Full<EmailPlatform.CompanyInfo> = {
  name: 'The Gardeners',
  address: 'Via Roma 1',
  city: 'Rome',
  country: 'Italy',
  phone: '+39 06 1',
  zip_code: '00100',
  privacy_policy_url: 'https://example.com/privacy',
  terms_of_service_url: 'https://example.com/terms',
  website_url: 'https://example.com',
  info_level: 'business',
};

const leaf = { id: 2, name: 'mail.example.com', type: 'sending_domain', access_level: 100, resources: [] };
const permissionResource: EmailPlatform.PermissionResource = {
  id: 1001,
  name: 'The Shop',
  type: 'account',
  access_level: 100,
  resources: [leaf],
};

const contact: Full<EmailPlatform.Contact> = {
  id: 'd9c5a6a2-6b1f-4c1e-9c55-1d0f5e8a7b31',
  email: 'ann@example.org',
  fields: { city: 'Rome', age: 40, vip: true },
  list_ids: [7],
  status: 'subscribed',
  created_at: 1_772_366_400_000,
  updated_at: 1_772_366_400_000,
};
const contactUpdateResult: Full<EmailPlatform.ContactUpdateResult> = { data: contact, action: 'updated' };
const contactEvent: Full<EmailPlatform.ContactEvent> = {
  contact_id: contact.id,
  contact_email: contact.email,
  name: 'Bought',
  params: { amount: 12.5 },
};
const contactList: Full<EmailPlatform.ContactList> = { id: 7, name: 'Newsletter' };
const contactField: Full<EmailPlatform.ContactField> = {
  id: 3,
  name: 'City',
  data_type: 'text',
  merge_tag: 'city',
};
const contactImport: Full<EmailPlatform.ContactImport> = {
  id: 5,
  status: 'finished',
  created_contacts_count: 2,
  updated_contacts_count: 1,
  contacts_over_limit_count: 0,
};
const contactExport: Full<EmailPlatform.ContactExport> = {
  id: 6,
  status: 'finished',
  created_at: at,
  updated_at: at,
  url: 'https://storage.example.com/signed/contacts.csv.gz?signature=x',
};

const suppression: Full<EmailPlatform.Suppression> = {
  id: '2f1d0d0e-7a53-4a7a-8d4c-1b0c9f6c5e42',
  type: 'hard bounce',
  created_at: at,
  email: 'ben@example.org',
  sending_stream: 'bulk',
  domain_name: 'mail.example.com',
  message_bounce_category: 'Bad recipient',
  message_category: 'news',
  message_client_ip: '192.0.2.1',
  message_created_at: at,
  message_esp_response: '550 5.1.1',
  message_esp_server_type: 'Google',
  message_outgoing_ip: '192.0.2.8',
  message_recipient_mx_name: 'mx.example.org',
  message_sender_email: 'shop@mail.example.com',
  message_subject: 'Your order',
};
const trackingOptOut: Full<EmailPlatform.TrackingOptOut> = {
  id: '6f0a8f6e-2f0b-4a43-8a07-30a1f2f6b7c9',
  email: 'cy@example.org',
  created_at: at,
  domain_name: 'mail.example.com',
};

const emailStats: Full<EmailPlatform.EmailStats> = {
  delivery_count: 9,
  delivery_rate: 0.9,
  bounce_count: 1,
  bounce_rate: 0.1,
  open_count: 3,
  open_rate: 1 / 3,
  click_count: 1,
  click_rate: 1 / 9,
  spam_count: 0,
  spam_rate: 0,
};

const createdWebhook: Full<EmailPlatform.CreatedWebhook> = {
  id: 9,
  url: 'https://shop.example.com/hooks',
  active: true,
  webhook_type: 'email_sending',
  payload_format: 'json',
  sending_stream: 'bulk',
  domain_id: 2,
  inbound_inbox_id: 7,
  event_types: ['delivery'],
  signing_secret: '0123456789abcdef0123456789abcdef',
};
const { signing_secret, ...webhook } = createdWebhook;

const forwardRule: Full<EmailPlatform.ForwardRule> = {
  id: 8,
  name: 'Invoices',
  created_at: at,
  updated_at: at,
  conditions: [{ match_type: 'header', operator: 'contains', value: 'invoice', header_key: 'X-Kind' }],
  destinations: [{ email: 'accounting@example.com' }],
};

const attachment = {
  attachment_id: '5',
  size: 12,
  filename: 'a.txt',
  content_type: 'text/plain',
  content_disposition: 'attachment',
  content_id: 'a',
  download_url: 'https://files.example.com/a',
  download_url_expires_at: at,
};

const forwards = [
  {
    rule_id: 8,
    rule_name: 'Invoices',
    destination: 'accounting@example.com',
    status: 'rejected',
    reason: 'No',
    message_id: '6f0a8f6e-2f0b-4a43-8a07-30a1f2f6b7c9',
  },
];

const inboundMessageDetails: Full<EmailPlatform.InboundMessageDetails> = {
  id: '1870314786754420736',
  inbox_id: 7,
  from: 'ann@example.org',
  to: ['help@example.com'],
  cc: ['ben@example.org'],
  bcc: ['cy@example.org'],
  reply_to: 'ann@example.org',
  subject: 'Help',
  rfc_message_id: '<a@example.org>',
  in_reply_to: '<b@example.com>',
  references: ['<b@example.com>'],
  headers: { 'x-kind': 'question' },
  size: 100,
  html_size: 10,
  text_size: 10,
  received_at: at,
  thread_id: '1870314786754420737',
  attachments: [attachment],
  forwards,
  html_body: '<p>Help</p>',
  text_body: 'Help',
  raw_message_url: 'https://files.example.com/raw',
  raw_message_expires_at: at,
};
const { html_body, text_body, raw_message_url, raw_message_expires_at, ...inboundMessage } =
  inboundMessageDetails;

const inboundThread: Full<EmailPlatform.InboundThread> = {
  id: '1870314786754420737',
  subject: 'Help',
  message_count: 2,
  size: 200,
  first_message_at: at,
  last_received_at: at,
  last_sent_at: at,
  last_activity_at: at,
  last_message_id: '1870314786754420736',
  senders: ['ann@example.org'],
  recipients: ['help@example.com'],
  attachments: [attachment],
  messages: [
    {
      visibility_status: 'available',
      direction: 'outbound',
      id: '1870314786754420736',
      message_group_id: '6f0a8f6e-2f0b-4a43-8a07-30a1f2f6b7c9',
      subject: 'Help',
      rfc_message_id: '<a@example.org>',
      in_reply_to: '<b@example.com>',
      references: ['<b@example.com>'],
      from: 'help@example.com',
      to: ['ann@example.org'],
      cc: ['ben@example.org'],
      bcc: ['cy@example.org'],
      reply_to: 'help@example.com',
      created_at: at,
      email_size: 100,
      text_body: 'Here it is',
      html_body: '<p>Here it is</p>',
      attachments: [attachment],
      delivery_status: 'delivered',
      delivered_at: at,
      bounced_at: at,
      delivery: { to: 'ann@example.org', status: 'delivered', delivered_at: at, bounced_at: at },
      forwards,
    },
  ],
};
const { messages: _, ...inboundThreadSummary } = inboundThread;
const inboundFolder = { id: 1, name: 'Support' };
const inboundInbox = { id: 7, name: 'Help', address: 'help@example.com', domain_id: 2 };

/** A response for every schema the client looks up, besides those that follow from others. */
const written = {
  account,
  accountAccessList: [accountAccess],
  accountList: [account],
  apiToken,
  apiTokenList: [apiToken],
  batchResult,
  billingUsage,
  campaign,
  campaignPage,
  campaignStats,
  categoryStatsList: [{ category: 'news', stats: emailStats }],
  companyInfo,
  contact,
  contactEvent,
  contactExport,
  contactField,
  contactFieldList: [contactField],
  contactImport,
  contactList,
  contactListList: [contactList],
  contactUpdateResult,
  createdWebhook,
  dateStatsList: [{ date: '2026-03-01', stats: emailStats }],
  domainStatsList: [{ domain_id: 2, stats: emailStats }],
  emailLogMessageDetails,
  emailLogPage,
  emailServiceProviderStatsList: [{ email_service_provider: 'Google', stats: emailStats }],
  emailStats,
  newApiToken,
  forwardRule,
  forwardRulePage: { data: [forwardRule] },
  inboundFolder,
  inboundFolderList: [inboundFolder],
  inboundInbox,
  inboundInboxList: [inboundInbox],
  inboundMessageDetails,
  inboundMessagePage: { data: [inboundMessage], total_count: 1, last_id: inboundMessage.id },
  inboundSendResult: { message_ids: ['6f0a8f6e-2f0b-4a43-8a07-30a1f2f6b7c9'] },
  inboundThread,
  inboundThreadPage: { data: [inboundThreadSummary], total_count: 1, last_id: inboundThread.id },
  permissionResourceList: [permissionResource],
  permissionsUpdated,
  removedAccess,
  ...sandboxExamples,
  sendResult,
  sendingDomain,
  sendingDomainPage,
  subAccount,
  subAccountList: [subAccount],
  suppression,
  suppressionList: [suppression],
  template,
  templateList: [template],
  trackingOptOut,
  trackingOptOutPage: { data: [trackingOptOut], last_id: trackingOptOut.id },
  webhook,
  webhookPage: { data: [webhook] },
} satisfies Partial<Record<EmailPlatform.ResponseSchemaName, object>>;

/** A page that is not written above is one of numbered pages: `thingPage`, of items like `thing`. */
type NumberedPageName = EmailPlatform.ResponseSchemaName & `${keyof typeof written}Page`;

const numberedPages = Object.fromEntries(
  Object.entries<object>(written)
    .map(([name, item]) => [`${name}Page`, { data: [item], pagination }] as const)
    .filter(([name]) => name in schemas),
) as Record<NumberedPageName, object>;

/** A response for every schema the client looks up. */
export const examples: Readonly<Record<EmailPlatform.ResponseSchemaName, object>> = {
  ...numberedPages,
  ...written,
};
