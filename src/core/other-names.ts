/**
 * Names from other clients or obvious guesses that this package does not have, each with a hint. `AGENTS.md` has the
 * same names.
 */

/** The hint for each name; `*` is for names that resemble no known one. */
export type Hints = Readonly<Record<string, string>>;

const isToken = 'the API token is `token`';
const areHosts = 'the addresses are `hosts: { api, send, bulk, sandbox }`';

/** The methods that take an option, in their last argument. */
export interface CallOption {
  readonly owner: string;
  readonly whose: 'the' | 'their' | 'its';
}

const ofCalls: CallOption = { owner: 'a call', whose: 'the' };
const ofSending: CallOption = { owner: 'the methods of `sending`', whose: 'their' };

/** The options of a call, which callers often pass in its parameters. */
export const CALL_OPTIONS: Readonly<Record<string, CallOption>> = {
  signal: ofCalls,
  timeoutMs: ofCalls,
  deadlineMs: ofCalls,
  retry: ofCalls,
  headers: ofCalls,
  priority: ofCalls,
  accountId: ofCalls,
  meta: ofCalls,
  stream: ofSending,
  sandboxInboxId: ofSending,
  idempotencyKey: { owner: '`sending.send` and `sending.batchAll`', whose: 'their' },
  repeatable: { owner: '`sending.send`', whose: 'its' },
};

/** Options of the client. */
export const OTHER_OPTIONS: Hints = {
  apiKey: isToken,
  api_key: isToken,
  apiToken: isToken,
  accessToken: isToken,
  baseUrl: areHosts,
  baseURL: areHosts,
  from: 'the sender of every email is `defaults: { from }`',
  maxRetries: 'it is `retry: { maxRetries }`',
  rateLimit: 'it is `throttle: { limits }`',
};

const isBody = 'pass `text` or `html`';
const isLabel = 'an email has one label, `category`, and your own data in `custom_variables`';
const areVariables =
  'the variables of a template are `template_variables`, and your own data `custom_variables`';
const isNow = 'an email is sent at once';

/** Fields of an email. */
export const OTHER_MAIL_FIELDS: Hints = {
  body: isBody,
  content: isBody,
  sender: 'it is `from`',
  email: 'it is `to`',
  tag: isLabel,
  tags: isLabel,
  metadata: 'it is `custom_variables`',
  template: 'it is `template_uuid`',
  templateData: 'it is `template_variables`',
  data: areVariables,
  variables: areVariables,
  scheduledAt: isNow,
  sendAt: isNow,
  react: 'render it before: pass `html: await render(element)`',
};

/** Fields of an attachment. */
export const OTHER_ATTACHMENT_FIELDS: Hints = {
  path: 'pass `content: await openAsBlob(path)`',
  contentType: 'it is `type`',
  cid: 'it is `content_id`',
};

/** Fields of an address. */
export const OTHER_ADDRESS_FIELDS: Hints = { address: 'it is `email`' };

/** Environment variables: the name of the right one. */
export const OTHER_VARIABLES: Readonly<Record<string, string>> = {
  EMAIL_PLATFORM_API_KEY: 'EMAIL_PLATFORM_TOKEN',
  EMAIL_PLATFORM_API_TOKEN: 'EMAIL_PLATFORM_TOKEN',
  EMAIL_PLATFORM_BASE_URL: 'EMAIL_PLATFORM_URL',
  EMAIL_PLATFORM_HOST: 'EMAIL_PLATFORM_URL',
  EMAIL_PLATFORM_SENDER: 'EMAIL_PLATFORM_FROM',
};
