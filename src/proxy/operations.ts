// Written by test/proxy/operations.test.ts from the methods themselves:
// npm run test:unit -- test/proxy/operations.test.ts -u

/**
 * The endpoints of every operation. Each is its host (`api` if none is named), its HTTP method and its path; the names
 * of its query's parameters; the names of the body's only field, without and under an account, where they differ; and
 * `raw` if the response is not JSON. In the path, `{account?}` is `{account}` only where the call itself names the
 * account. See `fillEndpoint` for the rest.
 */
export const OPERATIONS = {
  'campaigns.list': 'GET /api/email_campaigns?per_page,search,token',
  'campaigns.create': 'POST /api/email_campaigns',
  'campaigns.get': 'GET /api/email_campaigns/{id}',
  'campaigns.update': 'PATCH /api/email_campaigns/{id}',
  'campaigns.delete': 'DELETE /api/email_campaigns/{id}',
  'campaigns.start': 'POST /api/email_campaigns/{id}/start',
  'campaigns.schedule': 'POST /api/email_campaigns/{id}/schedule',
  'campaigns.cancel': 'POST /api/email_campaigns/{id}/cancel',
  'campaigns.reset': 'POST /api/email_campaigns/{id}/reset',
  'campaigns.terminate': 'POST /api/email_campaigns/{id}/terminate',
  'campaigns.stats': 'GET /api/email_campaigns/{id}/stats?end_date,start_date',
  'emailLogs.list': 'GET {account?}/email_logs?filters,search_after',
  'emailLogs.get': 'GET {account?}/email_logs/{messageId:uuid}',
  'sending.send': 'send POST /api/send; bulk POST /api/send; sandbox POST /api/send/{sandbox_inbox_id}',
  'sending.batch': 'send POST /api/batch; bulk POST /api/batch; sandbox POST /api/batch/{sandbox_inbox_id}',
  'templates.list': 'GET {account}/email_templates',
  'templates.create': 'POST {account}/email_templates',
  'templates.get': 'GET {account}/email_templates/{id}',
  'templates.update': 'PATCH {account}/email_templates/{id}',
  'templates.delete': 'DELETE {account}/email_templates/{id}',
  'sendingDomains.list': 'GET {account}/{domains|sending_domains}',
  'sendingDomains.create': 'POST {account}/{domains|sending_domains} domain>sending_domain',
  'sendingDomains.get': 'GET {account}/{domains|sending_domains}/{id}',
  'sendingDomains.update': 'PATCH {account}/{domains|sending_domains}/{id} domain>sending_domain',
  'sendingDomains.delete': 'DELETE {account}/{domains|sending_domains}/{id}',
  'sendingDomains.sendSetupInstructions':
    'POST {account}/{domains|sending_domains}/{id}/send_setup_instructions',
  'contacts.lists.list': 'GET {account}/contacts/lists?search',
  'contacts.lists.create': 'POST {account}/contacts/lists',
  'contacts.lists.get': 'GET {account}/contacts/lists/{id}',
  'contacts.lists.update': 'PATCH {account}/contacts/lists/{id}',
  'contacts.lists.delete': 'DELETE {account}/contacts/lists/{id}',
  'contacts.fields.list': 'GET {account}/contacts/fields',
  'contacts.fields.create': 'POST {account}/contacts/fields',
  'contacts.fields.get': 'GET {account}/contacts/fields/{id}',
  'contacts.fields.update': 'PATCH {account}/contacts/fields/{id}',
  'contacts.fields.delete': 'DELETE {account}/contacts/fields/{id}',
  'contacts.imports.create': 'POST {account}/contacts/imports',
  'contacts.imports.get': 'GET {account}/contacts/imports/{id}',
  'contacts.exports.create': 'POST {account}/contacts/exports',
  'contacts.exports.get': 'GET {account}/contacts/exports/{id}',
  'contacts.create': 'POST {account}/contacts',
  'contacts.get': 'GET {account}/contacts/{contact:contact}',
  'contacts.update': 'PATCH {account}/contacts/{contact:contact}',
  'contacts.delete': 'DELETE {account}/contacts/{contact:contact}',
  'contacts.createEvent': 'POST {account}/contacts/{contact:contact}/events',
  'suppressions.list': 'GET {account}/suppressions?email,end_time,last_id,start_time',
  'suppressions.create': 'POST {account}/suppressions',
  'suppressions.delete': 'DELETE {account}/suppressions/{id:uuid}',
  'trackingOptOuts.list': 'GET /api/tracking_opt_outs?email,end_time,last_id,start_time',
  'trackingOptOuts.create': 'POST /api/tracking_opt_outs',
  'trackingOptOuts.delete': 'DELETE /api/tracking_opt_outs/{id:uuid}',
  'stats.get':
    'GET {account}/stats?categories,domain_ids,email_service_providers,end_date,sending_domain_ids,sending_streams,start_date',
  'stats.byDomain':
    'GET {account}/stats/domains?categories,domain_ids,email_service_providers,end_date,sending_domain_ids,sending_streams,start_date',
  'stats.byCategory':
    'GET {account}/stats/categories?categories,domain_ids,email_service_providers,end_date,sending_domain_ids,sending_streams,start_date',
  'stats.byEmailServiceProvider':
    'GET {account}/stats/email_service_providers?categories,domain_ids,email_service_providers,end_date,sending_domain_ids,sending_streams,start_date',
  'stats.byDate':
    'GET {account}/stats/date?categories,domain_ids,email_service_providers,end_date,sending_domain_ids,sending_streams,start_date',
  'accounts.accesses.list': 'GET {account}/account_accesses?domain_ids,inbox_ids,project_ids,sandbox_ids',
  'accounts.accesses.remove': 'DELETE {account}/account_accesses/{id}',
  'accounts.permissions.list': 'GET {account}/permissions; GET {account}/permissions/resources',
  'accounts.list': 'GET /api/accounts',
  'accounts.get': 'GET /api/accounts/{id}',
} as const;
