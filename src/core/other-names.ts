/**
 * Names that do not exist here, but are what one would guess or knows from other clients, and what to do instead.
 * `AGENTS.md` has the same names.
 */

/** The hint for each name; `*` is for names that are not near a known one. */
export type Hints = Readonly<Record<string, string>>;

const isToken = 'the API token is `token`';
const areHosts = 'the addresses are `hosts: { api, send, bulk, sandbox }`';

const ofCalls = 'a call';
const ofSending = 'the methods of `sending`';

/** The options of a call, which are often given among its parameters, and whose they are. */
export const CALL_OPTIONS: Readonly<Record<string, string>> = {
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
  idempotencyKey: '`sending.send` and `sending.batchAll`',
  repeatable: '`sending.send`',
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

/** Fields of an email. */
export const OTHER_MAIL_FIELDS: Hints = {
  body: 'pass `text` or `html`',
  tags: 'an email has one label, `category`, and any data of yours in `custom_variables`',
  metadata: 'it is `custom_variables`',
  templateData: 'it is `template_variables`',
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
