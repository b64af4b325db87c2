// Written by test/proxy/operations.test.ts from the methods themselves:
// npm run test:unit -- test/proxy/operations.test.ts -u

/**
 * The endpoints of every operation, by resource. Under `''` is what all paths of the resource begin with; the rest
 * is appended to it. Each endpoint is its host (`api` if none is named), its HTTP method and its path; the names of its
 * query's parameters; the names of the body's only field, without and under an account, where they differ; and `raw` if
 * the response is not JSON. In the path, `{account?}` is `{account}` only where the call itself names the account. For
 * the rest of a path see `fillEndpoint`.
 */
export const OPERATIONS = {
  campaigns: {
    '': '/api/email_campaigns',
    list: 'GET?per_page,search,token',
    create: 'POST',
    get: 'GET/{id}',
    update: 'PATCH/{id}',
    delete: 'DELETE/{id}',
    start: 'POST/{id}/start',
    schedule: 'POST/{id}/schedule',
    cancel: 'POST/{id}/cancel',
    reset: 'POST/{id}/reset',
    terminate: 'POST/{id}/terminate',
    stats: 'GET/{id}/stats?end_date,start_date',
  },
  emailLogs: { '': '{account?}/email_logs', list: 'GET?filters,search_after', get: 'GET/{messageId:uuid}' },
  sending: {
    '': '/api',
    send: 'send POST/send; bulk POST/send; sandbox POST/send/{sandbox_inbox_id}',
    batch: 'send POST/batch; bulk POST/batch; sandbox POST/batch/{sandbox_inbox_id}',
  },
  templates: {
    '': '{account}/email_templates',
    list: 'GET',
    create: 'POST',
    get: 'GET/{id}',
    update: 'PATCH/{id}',
    delete: 'DELETE/{id}',
  },
  'sendingDomains.companyInfo': {
    '': '{account}/{domains|sending_domains}/{domainId}/company_info',
    get: 'GET',
    create: 'POST',
    update: 'PATCH',
  },
  sendingDomains: {
    '': '{account}/{domains|sending_domains}',
    list: 'GET',
    create: 'POST domain>sending_domain',
    get: 'GET/{id}',
    update: 'PATCH/{id} domain>sending_domain',
    delete: 'DELETE/{id}',
    sendSetupInstructions: 'POST/{id}/send_setup_instructions',
  },
  'contacts.lists': {
    '': '{account}/contacts/lists',
    list: 'GET?search',
    create: 'POST',
    get: 'GET/{id}',
    update: 'PATCH/{id}',
    delete: 'DELETE/{id}',
  },
  'contacts.fields': {
    '': '{account}/contacts/fields',
    list: 'GET',
    create: 'POST',
    get: 'GET/{id}',
    update: 'PATCH/{id}',
    delete: 'DELETE/{id}',
  },
  'contacts.imports': { '': '{account}/contacts/imports', create: 'POST', get: 'GET/{id}' },
  'contacts.exports': { '': '{account}/contacts/exports', create: 'POST', get: 'GET/{id}' },
  contacts: {
    '': '{account}/contacts',
    create: 'POST',
    get: 'GET/{contact:contact}',
    update: 'PATCH/{contact:contact}',
    delete: 'DELETE/{contact:contact}',
    createEvent: 'POST/{contact:contact}/events',
  },
  suppressions: {
    '': '{account}/suppressions',
    list: 'GET?email,end_time,last_id,start_time',
    create: 'POST',
    delete: 'DELETE/{id:uuid}',
  },
  trackingOptOuts: {
    '': '/api/tracking_opt_outs',
    list: 'GET?email,end_time,last_id,start_time',
    create: 'POST',
    delete: 'DELETE/{id:uuid}',
  },
  stats: {
    '': '{account}/stats',
    get: 'GET?categories,domain_ids,email_service_providers,end_date,sending_domain_ids,sending_streams,start_date',
    byDomain:
      'GET/domains?categories,domain_ids,email_service_providers,end_date,sending_domain_ids,sending_streams,start_date',
    byCategory:
      'GET/categories?categories,domain_ids,email_service_providers,end_date,sending_domain_ids,sending_streams,start_date',
    byEmailServiceProvider:
      'GET/email_service_providers?categories,domain_ids,email_service_providers,end_date,sending_domain_ids,sending_streams,start_date',
    byDate:
      'GET/date?categories,domain_ids,email_service_providers,end_date,sending_domain_ids,sending_streams,start_date',
  },
  'sandbox.projects': {
    '': '{account}/projects',
    list: 'GET',
    create: 'POST',
    get: 'GET/{id}',
    update: 'PATCH/{id}',
    delete: 'DELETE/{id}',
  },
  'sandbox.inboxes': {
    '': '{account}',
    list: 'GET/{sandboxes|inboxes}',
    create: 'POST/projects/{project}/{sandboxes|inboxes} sandbox>inbox',
    get: 'GET/{sandboxes|inboxes}/{id}',
    update: 'PATCH/{sandboxes|inboxes}/{id} sandbox>inbox',
    delete: 'DELETE/{sandboxes|inboxes}/{id}',
    clean: 'PATCH/{sandboxes|inboxes}/{id}/clean',
    markAllRead: 'PATCH/{sandboxes|inboxes}/{id}/all_read',
    resetCredentials: 'PATCH/{sandboxes|inboxes}/{id}/reset_credentials',
    toggleEmailAddress: 'PATCH/{sandboxes|inboxes}/{id}/toggle_email_username',
    resetEmailAddress: 'PATCH/{sandboxes|inboxes}/{id}/reset_email_username',
  },
  'sandbox.messages': {
    '': '{account}/{sandboxes|inboxes}/{inbox}/messages',
    list: 'GET?last_id,search',
    get: 'GET/{id}',
    markRead: 'PATCH/{id}',
    delete: 'DELETE/{id}',
    forward: 'POST/{id}/forward',
    spamReport: 'GET/{id}/spam_report',
    htmlAnalysis: 'GET/{id}/analyze',
    headers: 'GET/{id}/mail_headers',
    text: 'GET/{id}/body.txt raw',
    html: 'GET/{id}/body.html raw',
    htmlSource: 'GET/{id}/body.htmlsource raw',
    raw: 'GET/{id}/body.raw raw',
    eml: 'GET/{id}/body.eml raw',
  },
  'sandbox.attachments': {
    '': '{account}/{sandboxes|inboxes}/{inbox}/messages/{message}/attachments',
    list: 'GET?attachment_type',
    get: 'GET/{id}',
  },
  'accounts.accesses': {
    '': '{account}/account_accesses',
    list: 'GET?domain_ids,inbox_ids,project_ids,sandbox_ids',
    remove: 'DELETE/{id}',
  },
  'accounts.permissions': {
    '': '{account}',
    list: 'GET/permissions; GET/permissions/resources',
    updateAll: 'PUT/account_accesses/{accessId}/permissions/bulk',
  },
  accounts: { '': '/api/accounts', list: 'GET', get: 'GET/{id}' },
  apiTokens: {
    '': '{account}/api_tokens',
    list: 'GET',
    create: 'POST',
    get: 'GET/{id}',
    delete: 'DELETE/{id}',
    reset: 'POST/{id}/reset',
  },
  billing: { '': '{account}/billing/usage', usage: 'GET' },
  'organizations.subAccounts': {
    '': '/api/organizations/{organizationId}/sub_accounts',
    list: 'GET',
    create: 'POST',
  },
} as const;
