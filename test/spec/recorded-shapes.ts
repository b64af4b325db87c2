import type { Shape } from '../support/shape.ts';

/**
 * The responses that the service has been seen to send, by method: every field of each, and its type. What is known from
 * the public reference alone, or was added since, may be missing.
 */

const campaignSummary = {
  id: 'int',
  domain_id: 'int',
  domain_name: 'string',
  name: 'string',
  from_local_part: 'string',
  from_display_name: 'string?',
  reply_to: { 'display_name?': 'string?', 'local_part?': 'string?', 'domain?': 'string?' },
  current_state: 'string',
  current_state_metadata: 'object',
  created_at: 'string',
  updated_at: 'string',
  last_started_at: 'string?',
  'last_started_at_date?': 'string',
  recipient_total_count: 'int?',
  contact_list_ids: ['int'],
  contact_segment_ids: ['int'],
  delivery_mode: 'string',
  delivery_options: { 'emails_per_hour?': 'int?' },
  template: { id: 'int', subject: 'string', merge_tags: ['string'] },
} satisfies Shape;
const campaign = {
  data: {
    ...campaignSummary,
    template: { ...campaignSummary.template, body_html: 'string?', body_text: 'string?' },
  },
} satisfies Shape;
const pagination = {
  token: 'int',
  prev_token: 'int?',
  next_token: 'int?',
  first_url: 'string',
  prev_url: 'string?',
  current_url: 'string',
  next_url: 'string?',
};
const counted = (names: readonly string[]) =>
  Object.fromEntries(
    names.flatMap((name) => [[`${name}_count`, 'int'] as const, [`${name}_rate`, 'number'] as const]),
  );
const stats = counted(['delivery', 'bounce', 'open', 'click', 'spam']);

const logMessage = {
  message_id: 'string',
  status: 'string',
  subject: 'string?',
  from: 'string',
  to: 'string',
  sent_at: 'string',
  client_ip: 'string?',
  category: 'string?',
  custom_variables: 'object?',
  sending_stream: 'string',
  // Recorded under an account is the second alone; the specification has the first.
  domain_id: 'int',
  sending_domain_id: 'int',
  template_id: 'int?',
  template_variables: 'object?',
  opens_count: 'int',
  clicks_count: 'int',
  'rfc_message_id?': 'string?',
  'in_reply_to?': 'string?',
  'references?': ['string'],
  'thread_id?': 'string?',
} satisfies Shape;

const permissions = { can_read: 'boolean', can_update: 'boolean', can_destroy: 'boolean' };
const memberPermissions = { ...permissions, can_leave: 'boolean' };
const domain = {
  id: 'int',
  domain_name: 'string',
  demo: 'boolean',
  compliance_status: 'string',
  dns_verified: 'boolean',
  dns_verified_at: 'string?',
  dns_records: [
    { key: 'string', domain: 'string', type: 'string', value: 'string', status: 'string', name: 'string' },
  ],
  open_tracking_enabled: 'boolean',
  click_tracking_enabled: 'boolean',
  auto_unsubscribe_link_enabled: 'boolean',
  'tracking_opt_out_enabled?': 'boolean',
  'inbound_enabled?': 'boolean',
  'inbound_verified?': 'boolean',
  custom_domain_tracking_enabled: 'boolean',
  health_alerts_enabled: 'boolean',
  critical_alerts_enabled: 'boolean',
  alert_recipient_email: 'string?',
  permissions,
} satisfies Shape;
const companyInfo = {
  data: {
    name: 'string?',
    address: 'string?',
    city: 'string?',
    country: 'string?',
    phone: 'string?',
    zip_code: 'string?',
    privacy_policy_url: 'string?',
    terms_of_service_url: 'string?',
    website_url: 'string?',
    info_level: 'string',
  },
} satisfies Shape;
const suppression = {
  ...Object.fromEntries(
    ['id', 'type', 'created_at', 'email', 'sending_stream'].map((name) => [name, 'string']),
  ),
  domain_name: 'string?',
  ...Object.fromEntries(
    [
      ...['bounce_category', 'category', 'client_ip', 'created_at', 'esp_response', 'esp_server_type'],
      ...['outgoing_ip', 'recipient_mx_name', 'sender_email', 'subject'],
    ].map((name) => [`message_${name}`, 'string?']),
  ),
};
const optOut = {
  id: 'string',
  email: 'string',
  created_at: 'string',
  domain_name: 'string?',
} satisfies Shape;
const template = {
  id: 'int',
  uuid: 'string',
  name: 'string',
  category: 'string',
  subject: 'string',
  body_html: 'string?',
  body_text: 'string?',
  created_at: 'string',
  updated_at: 'string',
};
const contactExport = {
  id: 'int',
  status: 'string',
  created_at: 'string',
  updated_at: 'string',
  url: 'string?',
};
const resource: Record<string, Shape> = { id: 'int', name: 'string', type: 'string', access_level: 'int' };
resource.resources = [resource];
const access = { resource_type: 'string', resource_id: 'int', access_level: 'int' };
const apiToken = {
  resources: [access],
  id: 'int',
  name: 'string',
  last_4_digits: 'string',
  created_by: 'string',
  expires_at: 'string?',
} satisfies Shape;
const newToken = { ...apiToken, token: 'string' };
const used = { current: 'int', limit: 'int' };
const subAccount = { id: 'int', name: 'string' };

/** By method. */
export const recordedShapes: Readonly<Record<string, Shape>> = {
  'sending.send': { success: 'boolean', message_ids: ['string'] },
  'sending.batch': {
    success: 'boolean',
    responses: [{ success: 'boolean', 'message_ids?': ['string'], 'errors?': ['string'] }],
  },
  'campaigns.list': { data: [campaignSummary], pagination },
  'campaigns.create': campaign,
  'campaigns.get': campaign,
  'campaigns.update': campaign,
  'campaigns.stats': {
    data: { ...stats, ...counted(['unsubscription']), sent_count: 'int' },
  },
  'emailLogs.list': { messages: [logMessage], total_count: 'int', next_page_cursor: 'string?' },
  'emailLogs.get': {
    ...logMessage,
    raw_message_url: 'string',
    events: [{ event_type: 'string', created_at: 'string', details: 'object' }],
  },
  'sendingDomains.list': { data: [domain] },
  'sendingDomains.create': domain,
  'sendingDomains.get': domain,
  'sendingDomains.update': domain,
  'sendingDomains.companyInfo.get': companyInfo,
  'sendingDomains.companyInfo.create': companyInfo,
  'sendingDomains.companyInfo.update': companyInfo,
  'suppressions.list': [suppression],
  'suppressions.create': { data: suppression },
  'suppressions.delete': suppression,
  'trackingOptOuts.list': { data: [optOut], last_id: 'string?' },
  'trackingOptOuts.create': { data: optOut },
  'trackingOptOuts.delete': optOut,
  'stats.get': stats,
  'stats.byDomain': [{ 'domain_id|sending_domain_id': 'int', stats }],
  'stats.byCategory': [{ category: 'string?', stats }],
  'stats.byEmailServiceProvider': [{ email_service_provider: 'string', stats }],
  'stats.byDate': [{ date: 'string', stats }],
  'templates.list': [template],
  'templates.create': template,
  'templates.get': template,
  'templates.update': template,
  'contacts.createEvent': {
    contact_id: 'string',
    contact_email: 'string',
    name: 'string',
    params: 'object',
  },
  'contacts.exports.create': contactExport,
  'contacts.exports.get': contactExport,
  'accounts.list': [{ id: 'int', name: 'string', access_levels: ['int'] }],
  'accounts.accesses.list': [
    {
      id: 'int',
      specifier_type: 'string',
      specifier: {
        id: 'int',
        email: 'string',
        'name?': 'string',
        'two_factor_authentication_enabled?': 'boolean',
      },
      resources: [access],
      permissions: memberPermissions,
    },
  ],
  'accounts.accesses.remove': { id: 'int' },
  'accounts.permissions.updateAll': { message: 'string' },
  'accounts.permissions.list': [resource],
  'apiTokens.list': [apiToken],
  'apiTokens.create': newToken,
  'apiTokens.get': apiToken,
  'apiTokens.reset': newToken,
  'billing.usage': {
    billing: { cycle_start: 'string', cycle_end: 'string' },
    testing: {
      plan: { name: 'string' },
      usage: { sent_messages_count: used, forwarded_messages_count: used },
    },
    sending: { plan: { name: 'string' }, usage: { sent_messages_count: used } },
  },
  'organizations.subAccounts.list': [subAccount],
  'organizations.subAccounts.create': subAccount,
};
