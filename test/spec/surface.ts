import type { EmailPlatform } from 'email-platform';

/** An endpoint of the service, and how the client has to call it. */
export interface SurfaceRow {
  /** The method that calls it. */
  readonly method: string;
  readonly verb: string;
  readonly host: string;
  readonly pool: EmailPlatform.PoolName;
  readonly isRepeatable: boolean;
  /** Whether it is in the specification, in part of it (some of its path, fields or response), or in the reference alone. */
  readonly source: 'specified' | 'in part' | 'referenced';
  /** The statuses of recorded responses of the service; none where nothing was recorded. */
  readonly recorded: readonly number[];
  /** The path without an account, or the only one. */
  readonly path: string;
  /** The path under an account, where there is one. */
  readonly accountPath: string | undefined;
}

/**
 * Every endpoint that the specification or the public reference of the service names.
 *
 * The columns: method, HTTP method, host, pool (`token` counts for all of them), whether the request may be sent again,
 * source, recorded statuses and how often each was seen, path, path under an account. There, `=` is the same path under
 * `/api/accounts/{account_id}`, and `…` stands for that.
 */
const TABLE = `
sending.send                         | POST   | send    | token         | no  | in part    | 200×6 400×1 401×2 | /api/send                                          | -
sending.send                         | POST   | bulk    | token         | no  | in part    | 200×1             | /api/send                                          | -
sending.send                         | POST   | sandbox | sandbox       | no  | in part    | 200×2             | /api/send/{sandbox_id}                             | -
sending.batch                        | POST   | send    | token         | no  | in part    | -                 | /api/batch                                         | -
sending.batch                        | POST   | bulk    | token         | no  | in part    | 200×3             | /api/batch                                         | -
sending.batch                        | POST   | sandbox | sandbox       | no  | referenced | 200×1             | /api/batch/{sandbox_id}                            | -
campaigns.list                       | GET    | api     | token         | yes | specified  | 200×1             | /api/email_campaigns                               | -
campaigns.create                     | POST   | api     | token         | no  | specified  | 201×1             | /api/email_campaigns                               | -
campaigns.get                        | GET    | api     | token         | yes | specified  | 200×1             | /api/email_campaigns/{id}                          | -
campaigns.update                     | PATCH  | api     | token         | yes | specified  | 200×1             | /api/email_campaigns/{id}                          | -
campaigns.delete                     | DELETE | api     | token         | yes | specified  | -                 | /api/email_campaigns/{id}                          | -
campaigns.start                      | POST   | api     | token         | yes | specified  | -                 | /api/email_campaigns/{id}/start                    | -
campaigns.schedule                   | POST   | api     | token         | yes | in part    | -                 | /api/email_campaigns/{id}/schedule                 | -
campaigns.cancel                     | POST   | api     | token         | yes | in part    | -                 | /api/email_campaigns/{id}/cancel                   | -
campaigns.reset                      | POST   | api     | token         | yes | in part    | -                 | /api/email_campaigns/{id}/reset                    | -
campaigns.terminate                  | POST   | api     | token         | yes | referenced | -                 | /api/email_campaigns/{id}/terminate                | -
campaigns.stats                      | GET    | api     | token         | yes | referenced | 200×1             | /api/email_campaigns/{id}/stats                    | -
emailLogs.list                       | GET    | api     | emailLogsList | yes | in part    | 200×2             | /api/email_logs                                    | =
emailLogs.get                        | GET    | api     | emailLogsGet  | yes | in part    | 200×1 404×1       | /api/email_logs/{message_uuid}                     | =
sendingDomains.list                  | GET    | api     | token         | yes | referenced | 200×1 401×1       | /api/domains                                       | …/sending_domains
sendingDomains.create                | POST   | api     | token         | no  | in part    | 200×1 422×1       | /api/domains                                       | …/sending_domains
sendingDomains.get                   | GET    | api     | token         | yes | in part    | 200×1 404×1       | /api/domains/{id}                                  | …/sending_domains/{id}
sendingDomains.update                | PATCH  | api     | token         | yes | referenced | 200×1 404×1       | /api/domains/{id}                                  | …/sending_domains/{id}
sendingDomains.delete                | DELETE | api     | token         | yes | referenced | 204×1 404×1       | /api/domains/{id}                                  | …/sending_domains/{id}
sendingDomains.sendSetupInstructions | POST   | api     | token         | no  | referenced | 204×1 404×1       | /api/domains/{id}/send_setup_instructions          | …/sending_domains/{id}/send_setup_instructions
sendingDomains.companyInfo.get       | GET    | api     | token         | yes | referenced | 200×1 404×1       | /api/domains/{id}/company_info                     | …/sending_domains/{id}/company_info
sendingDomains.companyInfo.create    | POST   | api     | token         | no  | referenced | 200×1 404×1 422×1 | /api/domains/{id}/company_info                     | …/sending_domains/{id}/company_info
sendingDomains.companyInfo.update    | PATCH  | api     | token         | yes | referenced | 200×1 404×1       | /api/domains/{id}/company_info                     | …/sending_domains/{id}/company_info
suppressions.list                    | GET    | api     | suppressions  | yes | referenced | 200×3 401×2       | /api/suppressions                                  | =
suppressions.create                  | POST   | api     | suppressions  | no  | referenced | 201×2 422×1       | /api/suppressions                                  | =
suppressions.delete                  | DELETE | api     | suppressions  | yes | referenced | 200×1 404×1       | /api/suppressions/{uuid}                           | =
trackingOptOuts.list                 | GET    | api     | token         | yes | referenced | 200×2 401×1       | /api/tracking_opt_outs                             | -
trackingOptOuts.create               | POST   | api     | token         | no  | referenced | 201×1 422×1       | /api/tracking_opt_outs                             | -
trackingOptOuts.delete               | DELETE | api     | token         | yes | referenced | 200×1 404×1       | /api/tracking_opt_outs/{uuid}                      | -
stats.get                            | GET    | api     | stats         | yes | referenced | 200×2 401×1       | /api/stats                                         | =
stats.byDomain                       | GET    | api     | stats         | yes | referenced | 200×1             | /api/stats/domains                                 | =
stats.byCategory                     | GET    | api     | stats         | yes | referenced | 200×1             | /api/stats/categories                              | =
stats.byEmailServiceProvider         | GET    | api     | stats         | yes | referenced | 200×1             | /api/stats/email_service_providers                 | =
stats.byDate                         | GET    | api     | stats         | yes | referenced | 200×1             | /api/stats/date                                    | =
webhooks.list                        | GET    | api     | token         | yes | referenced | 200×1 401×1       | /api/webhooks                                      | =
webhooks.create                      | POST   | api     | token         | no  | referenced | 200×2 422×1       | /api/webhooks                                      | =
webhooks.get                         | GET    | api     | token         | yes | referenced | 200×2 404×1       | /api/webhooks/{id}                                 | =
webhooks.update                      | PATCH  | api     | token         | yes | referenced | 200×1 404×1       | /api/webhooks/{id}                                 | =
webhooks.delete                      | DELETE | api     | token         | yes | referenced | 200×1 404×1       | /api/webhooks/{id}                                 | =
templates.list                       | GET    | api     | token         | yes | in part    | 200×2 401×1       | /api/email_templates                               | =
templates.create                     | POST   | api     | token         | no  | in part    | 201×23 422×1      | /api/email_templates                               | =
templates.get                        | GET    | api     | token         | yes | referenced | 200×2 404×1       | /api/email_templates/{id}                          | =
templates.update                     | PATCH  | api     | token         | yes | in part    | 200×13 404×1      | /api/email_templates/{id}                          | =
templates.delete                     | DELETE | api     | token         | yes | in part    | 204×1 404×1       | /api/email_templates/{id}                          | =
templates.paginated.list             | GET    | api     | templatesList | yes | referenced | -                 | /api/templates                                     | =
templates.paginated.create           | POST   | api     | templatesCreate | no  | referenced | -                 | /api/templates                                     | =
templates.paginated.get              | GET    | api     | token         | yes | referenced | -                 | /api/templates/{id}                                | =
templates.paginated.update           | PATCH  | api     | token         | yes | referenced | -                 | /api/templates/{id}                                | =
templates.paginated.delete           | DELETE | api     | token         | yes | referenced | -                 | /api/templates/{id}                                | =
contacts.create                      | POST   | api     | contacts      | no  | referenced | -                 | /api/contacts                                      | =
contacts.get                         | GET    | api     | contacts      | yes | referenced | -                 | /api/contacts/{contact}                            | =
contacts.update                      | PATCH  | api     | contacts      | yes | referenced | -                 | /api/contacts/{contact}                            | =
contacts.delete                      | DELETE | api     | contacts      | yes | referenced | -                 | /api/contacts/{contact}                            | =
contacts.createEvent                 | POST   | api     | contacts      | no  | referenced | 201×1 404×1 422×1 | /api/contacts/{contact}/events                     | =
contacts.exports.create              | POST   | api     | contacts      | no  | referenced | 201×1 422×1       | /api/contacts/exports                              | =
contacts.exports.get                 | GET    | api     | contacts      | yes | referenced | 200×1 404×1       | /api/contacts/exports/{id}                         | =
contacts.imports.create              | POST   | api     | contacts      | no  | referenced | -                 | /api/contacts/imports                              | =
contacts.imports.get                 | GET    | api     | contacts      | yes | referenced | -                 | /api/contacts/imports/{id}                         | =
contacts.lists.list                  | GET    | api     | contacts      | yes | referenced | -                 | /api/contacts/lists                                | =
contacts.lists.create                | POST   | api     | contacts      | no  | referenced | -                 | /api/contacts/lists                                | =
contacts.lists.get                   | GET    | api     | contacts      | yes | referenced | -                 | /api/contacts/lists/{id}                           | =
contacts.lists.update                | PATCH  | api     | contacts      | yes | referenced | -                 | /api/contacts/lists/{id}                           | =
contacts.lists.delete                | DELETE | api     | contacts      | yes | referenced | -                 | /api/contacts/lists/{id}                           | =
contacts.fields.list                 | GET    | api     | contacts      | yes | referenced | -                 | /api/contacts/fields                               | =
contacts.fields.create               | POST   | api     | contacts      | no  | referenced | -                 | /api/contacts/fields                               | =
contacts.fields.get                  | GET    | api     | contacts      | yes | referenced | -                 | /api/contacts/fields/{id}                          | =
contacts.fields.update               | PATCH  | api     | contacts      | yes | referenced | -                 | /api/contacts/fields/{id}                          | =
contacts.fields.delete               | DELETE | api     | contacts      | yes | referenced | -                 | /api/contacts/fields/{id}                          | =
accounts.list                        | GET    | api     | token         | yes | in part    | 200×1 401×1       | /api/accounts                                      | -
accounts.get                         | GET    | api     | token         | yes | in part    | -                 | /api/accounts/{id}                                 | -
accounts.accesses.list               | GET    | api     | token         | yes | in part    | 200×1 401×1       | /api/account_accesses                              | =
accounts.accesses.remove             | DELETE | api     | token         | yes | in part    | 200×1 404×1       | /api/account_accesses/{id}                         | =
accounts.permissions.updateAll       | PUT    | api     | token         | yes | referenced | 200×1 404×1       | /api/account_accesses/{id}/permissions/bulk        | =
accounts.permissions.list            | GET    | api     | token         | yes | in part    | 200×1             | /api/permissions/resources                         | =
apiTokens.list                       | GET    | api     | token         | yes | referenced | 200×1             | /api/api_tokens                                    | =
apiTokens.create                     | POST   | api     | token         | no  | referenced | 200×1 422×1       | /api/api_tokens                                    | =
apiTokens.get                        | GET    | api     | token         | yes | referenced | 200×1 404×1       | /api/api_tokens/{id}                               | =
apiTokens.delete                     | DELETE | api     | token         | yes | referenced | 204×1 404×1       | /api/api_tokens/{id}                               | =
apiTokens.reset                      | POST   | api     | token         | no  | referenced | 200×1 404×1       | /api/api_tokens/{id}/reset                         | =
billing.usage                        | GET    | api     | token         | yes | referenced | 200×1 401×1       | /api/billing/usage                                 | =
organizations.subAccounts.list       | GET    | api     | token         | yes | referenced | 200×1             | /api/organizations/{org_id}/sub_accounts           | -
organizations.subAccounts.create     | POST   | api     | token         | no  | referenced | 200×1 400×1       | /api/organizations/{org_id}/sub_accounts           | -
organizations.subAccounts.delete     | DELETE | api     | subAccountsDelete | yes | referenced | -             | /api/organizations/{org_id}/sub_accounts/{id}      | -
sandbox.projects.list                | GET    | api     | token         | yes | referenced | 200×1 401×1       | /api/projects                                      | =
sandbox.projects.create              | POST   | api     | token         | no  | referenced | 200×8 422×1       | /api/projects                                      | =
sandbox.projects.get                 | GET    | api     | token         | yes | referenced | 200×1 404×1       | /api/projects/{id}                                 | =
sandbox.projects.update              | PATCH  | api     | token         | yes | referenced | 200×3 404×1       | /api/projects/{id}                                 | =
sandbox.projects.delete              | DELETE | api     | token         | yes | referenced | 200×1 404×1       | /api/projects/{id}                                 | =
sandbox.inboxes.list                 | GET    | api     | token         | yes | referenced | 200×1 401×1       | /api/sandboxes                                     | …/inboxes
sandbox.inboxes.create               | POST   | api     | token         | no  | referenced | 200×1 422×1       | /api/projects/{id}/sandboxes                       | …/projects/{id}/inboxes
sandbox.inboxes.get                  | GET    | api     | token         | yes | referenced | 200×1 404×1       | /api/sandboxes/{id}                                | …/inboxes/{id}
sandbox.inboxes.update               | PATCH  | api     | token         | yes | referenced | 200×2 404×1       | /api/sandboxes/{id}                                | …/inboxes/{id}
sandbox.inboxes.delete               | DELETE | api     | token         | yes | referenced | 200×1 404×1       | /api/sandboxes/{id}                                | …/inboxes/{id}
sandbox.inboxes.clean                | PATCH  | api     | token         | no  | referenced | 200×1 404×1       | /api/sandboxes/{id}/clean                          | …/inboxes/{id}/clean
sandbox.inboxes.markAllRead          | PATCH  | api     | token         | yes | referenced | 200×1 404×1       | /api/sandboxes/{id}/all_read                       | …/inboxes/{id}/all_read
sandbox.inboxes.resetCredentials     | PATCH  | api     | token         | no  | referenced | 200×1 404×1       | /api/sandboxes/{id}/reset_credentials              | …/inboxes/{id}/reset_credentials
sandbox.inboxes.toggleEmailAddress   | PATCH  | api     | token         | no  | referenced | 200×1 404×1       | /api/sandboxes/{id}/toggle_email_username          | …/inboxes/{id}/toggle_email_username
sandbox.inboxes.resetEmailAddress    | PATCH  | api     | token         | no  | referenced | 200×1 404×1       | /api/sandboxes/{id}/reset_email_username           | …/inboxes/{id}/reset_email_username
sandbox.messages.list                | GET    | api     | token         | yes | referenced | 200×6 401×1       | /api/sandboxes/{id}/messages                       | …/inboxes/{id}/messages
sandbox.messages.get                 | GET    | api     | token         | yes | referenced | 200×1 404×1       | /api/sandboxes/{id}/messages/{id}                  | …/inboxes/{id}/messages/{id}
sandbox.messages.markRead            | PATCH  | api     | token         | yes | referenced | 200×1 404×1       | /api/sandboxes/{id}/messages/{id}                  | …/inboxes/{id}/messages/{id}
sandbox.messages.delete              | DELETE | api     | token         | yes | referenced | 200×1 404×1       | /api/sandboxes/{id}/messages/{id}                  | …/inboxes/{id}/messages/{id}
sandbox.messages.forward             | POST   | api     | token         | no  | referenced | 200×1 404×1       | /api/sandboxes/{id}/messages/{id}/forward          | …/inboxes/{id}/messages/{id}/forward
sandbox.messages.spamReport          | GET    | api     | token         | yes | referenced | 200×1 404×1       | /api/sandboxes/{id}/messages/{id}/spam_report      | …/inboxes/{id}/messages/{id}/spam_report
sandbox.messages.htmlAnalysis        | GET    | api     | token         | yes | referenced | 200×1 404×1       | /api/sandboxes/{id}/messages/{id}/analyze          | …/inboxes/{id}/messages/{id}/analyze
sandbox.messages.text                | GET    | api     | token         | yes | referenced | 200×1 404×1       | /api/sandboxes/{id}/messages/{id}/body.txt         | …/inboxes/{id}/messages/{id}/body.txt
sandbox.messages.raw                 | GET    | api     | token         | yes | referenced | 200×1 404×1       | /api/sandboxes/{id}/messages/{id}/body.raw         | …/inboxes/{id}/messages/{id}/body.raw
sandbox.messages.htmlSource          | GET    | api     | token         | yes | referenced | 200×1 404×1       | /api/sandboxes/{id}/messages/{id}/body.htmlsource  | …/inboxes/{id}/messages/{id}/body.htmlsource
sandbox.messages.html                | GET    | api     | token         | yes | referenced | 200×1 404×1       | /api/sandboxes/{id}/messages/{id}/body.html        | …/inboxes/{id}/messages/{id}/body.html
sandbox.messages.eml                 | GET    | api     | token         | yes | referenced | 200×1 404×1       | /api/sandboxes/{id}/messages/{id}/body.eml         | …/inboxes/{id}/messages/{id}/body.eml
sandbox.messages.headers             | GET    | api     | token         | yes | referenced | 200×1 404×1       | /api/sandboxes/{id}/messages/{id}/mail_headers     | …/inboxes/{id}/messages/{id}/mail_headers
sandbox.attachments.list             | GET    | api     | token         | yes | referenced | 200×1 401×1       | /api/sandboxes/{id}/messages/{id}/attachments      | …/inboxes/{id}/messages/{id}/attachments
sandbox.attachments.get              | GET    | api     | token         | yes | referenced | 200×1 404×1       | /api/sandboxes/{id}/messages/{id}/attachments/{id} | …/inboxes/{id}/messages/{id}/attachments/{id}
inbound.folders.list                 | GET    | api     | token         | yes | referenced | 200×1             | /api/inbound/folders                               | -
inbound.folders.create               | POST   | api     | token         | no  | referenced | 201×1             | /api/inbound/folders                               | -
inbound.folders.get                  | GET    | api     | token         | yes | referenced | 200×1 404×1       | /api/inbound/folders/{id}                          | -
inbound.folders.update               | PATCH  | api     | token         | yes | referenced | 200×1             | /api/inbound/folders/{id}                          | -
inbound.folders.delete               | DELETE | api     | token         | yes | referenced | 204×1 404×1       | /api/inbound/folders/{id}                          | -
inbound.inboxes.list                 | GET    | api     | token         | yes | referenced | 200×1             | /api/inbound/folders/{id}/inboxes                  | -
inbound.inboxes.create               | POST   | api     | token         | no  | referenced | 201×1             | /api/inbound/folders/{id}/inboxes                  | -
inbound.inboxes.get                  | GET    | api     | token         | yes | referenced | 200×1 404×1       | /api/inbound/folders/{id}/inboxes/{id}             | -
inbound.inboxes.update               | PATCH  | api     | token         | yes | referenced | 200×1             | /api/inbound/folders/{id}/inboxes/{id}             | -
inbound.inboxes.delete               | DELETE | api     | token         | yes | referenced | 204×1 404×1       | /api/inbound/folders/{id}/inboxes/{id}             | -
inbound.messages.list                | GET    | api     | token         | yes | referenced | 200×2             | /api/inbound/inboxes/{id}/messages                 | -
inbound.messages.get                 | GET    | api     | token         | yes | referenced | 200×1 404×1       | /api/inbound/inboxes/{id}/messages/{mid}           | -
inbound.messages.delete              | DELETE | api     | token         | yes | referenced | 204×1             | /api/inbound/inboxes/{id}/messages/{mid}           | -
inbound.messages.reply               | POST   | api     | token         | no  | referenced | 201×1             | /api/inbound/inboxes/{id}/messages/{mid}/reply     | -
inbound.messages.replyAll            | POST   | api     | token         | no  | referenced | 201×1             | /api/inbound/inboxes/{id}/messages/{mid}/reply_all | -
inbound.messages.forward             | POST   | api     | token         | no  | referenced | 201×1             | /api/inbound/inboxes/{id}/messages/{mid}/forward   | -
inbound.threads.list                 | GET    | api     | token         | yes | referenced | 200×2             | /api/inbound/inboxes/{id}/threads                  | -
inbound.threads.get                  | GET    | api     | token         | yes | referenced | 200×1 404×1       | /api/inbound/inboxes/{id}/threads/{tid}            | -
inbound.threads.delete               | DELETE | api     | token         | yes | referenced | 204×1 404×1       | /api/inbound/inboxes/{id}/threads/{tid}            | -
inbound.forwardRules.list            | GET    | api     | token         | yes | referenced | 200×1             | /api/inbound/inboxes/{id}/forward_rules            | -
inbound.forwardRules.create          | POST   | api     | token         | no  | referenced | 201×1             | /api/inbound/inboxes/{id}/forward_rules            | -
inbound.forwardRules.get             | GET    | api     | token         | yes | referenced | 200×1 404×1       | /api/inbound/inboxes/{id}/forward_rules/{rid}      | -
inbound.forwardRules.update          | PATCH  | api     | token         | yes | referenced | 200×2             | /api/inbound/inboxes/{id}/forward_rules/{rid}      | -
inbound.forwardRules.delete          | DELETE | api     | token         | yes | referenced | 204×1 404×1       | /api/inbound/inboxes/{id}/forward_rules/{rid}      | -
`;

/** How many there are of each kind in the sources, counted by hand. */
export const TOTALS = {
  all: 142,
  specified: 6,
  inPart: 21,
  referenced: 115,
  recorded: 112,
  inBothFamilies: 93,
};

const UNDER_ACCOUNT = '/api/accounts/{account_id}';

/** All endpoints of the service. */
export const surface: readonly SurfaceRow[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [method, verb, host, pool, repeatable, source, recorded, path, account] = line
      .split('|')
      .map((cell) => cell.trim()) as [string, string, string, string, string, string, string, string, string];
    const accountPath =
      account === '=' ? path.replace('/api', UNDER_ACCOUNT) : account.replace('…', UNDER_ACCOUNT);
    return {
      method,
      verb,
      host,
      pool: pool as EmailPlatform.PoolName,
      isRepeatable: repeatable === 'yes',
      source: source as SurfaceRow['source'],
      recorded: [...recorded.matchAll(/(\d+)×/g)].map(([, status]) => Number(status)),
      path,
      accountPath: account === '-' ? undefined : accountPath,
    };
  });

/**
 * How an endpoint is known, in the words of docs/trust/endpoints.md. The one path that is not in the table is the
 * specification's: see `BESIDES`.
 */
export const sourceOf = (row: Pick<SurfaceRow, 'source' | 'recorded'> | undefined): string => {
  if (row === undefined) return 'specified';
  const source = row.source === 'in part' ? 'specified in part' : row.source;
  return row.recorded.length > 0 ? `${source}, recorded` : source;
};

/** Further requests of the client, with the reasons. */
export const BESIDES: Readonly<Record<string, string>> = {
  'accounts.permissions.list GET /api/permissions':
    "the specification's path of the list; the one in the table is tried where it returns 404",
  'accounts.get GET /api/accounts': 'the list, where an account is looked up that has no path of its own',
};

/**
 * Paths of signed URLs. They are no endpoints of the API: the service says in a response what they are. The first is how
 * `recordedEndpoints` writes them.
 */
export const SIGNED = /^(\(signed address\)$|\/storage\/|\/api\/testing_message_parts\/)/;
