import { ConfigurationError, EmailPlatform, InvalidRequestError } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { rejection, thrown } from './support/expect-error.ts';

/** The sentences that a newcomer's commonest mistakes are answered with: each says what to do instead. */

const hosts = { api: 'https://api.test', send: 'https://send.test' };

const told = (options: unknown) =>
  thrown(() => new EmailPlatform(options as never), ConfigurationError).message;

const from = 'hello@mail.example.com';
const mail = { from, to: 'ann@example.org', subject: 'Hi', text: 'Hi.' };

async function toldOf(params: unknown): Promise<string[]> {
  const client = new EmailPlatform(createEmulator().clientOptions());
  const error = await rejection(client.sending.send(params as never), InvalidRequestError);
  return error.issues.map(({ path, message }) => `${path} ${message}`);
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

describe('A client', () => {
  test('without a token names the variable and the emulator', () => {
    expect(told({ hosts })).toBe(
      'token is required: pass it to the client, or set EMAIL_PLATFORM_TOKEN; or, in a build, make the client at the first call; or, to try it without an account, start `npx email-platform emulator`',
    );
  });

  test('whose token is empty is told the same cures', () => {
    expect(told({ token: '', hosts })).toBe(
      'token is empty: pass it to the client, or set EMAIL_PLATFORM_TOKEN; or, in a build, make the client at the first call; or, to try it without an account, start `npx email-platform emulator`',
    );
  });

  test('made of the token alone is told what options are', () => {
    expect(told('my-token')).toBe('options must be an object, such as { token }');
    const client = new EmailPlatform({ token: 't', hosts });
    expect(() => client.withOptions(undefined as never)).toThrow(
      'options must be an object, such as { token }',
    );
  });

  test.each([
    ['apiKey', 'the API token is `token`'],
    ['api_key', 'the API token is `token`'],
    ['apiToken', 'the API token is `token`'],
    ['accessToken', 'the API token is `token`'],
    ['baseURL', 'the addresses are `hosts: { api, send, bulk, sandbox }`'],
    ['baseUrl', 'the addresses are `hosts: { api, send, bulk, sandbox }`'],
    ['from', 'the sender of every email is `defaults: { from }`'],
    ['maxRetries', 'it is `retry: { maxRetries }`'],
    ['rateLimit', 'it is `throttle: { limits }`'],
    ['api', 'it belongs in `hosts`'],
    ['priority', 'it is an option of a call: pass `{ priority }` in the last argument'],
    ['timeout', 'did you mean `timeoutMs`?'],
    ['constructor_', ''],
  ])('with %s is told the right name', (name, hint) => {
    expect(told({ hosts, [name]: 'secret' })).toBe(`${name} is not a known field${hint && `; ${hint}`}`);
  });

  test.each(['localhost:4010', 'localhost:4010/account', '127.0.0.1:4010', '[::1]:4010', 'LOCALHOST'])(
    'whose address is %s is shown one with its protocol',
    (address) => {
      vi.stubEnv('EMAIL_PLATFORM_API_URL', address);
      expect(told({ token: 't' })).toBe(
        'EMAIL_PLATFORM_API_URL must be a URL, such as http://localhost:4010',
      );
    },
  );

  test('in a page that Node emulates for a test is told to leave it', () => {
    vi.stubGlobal('window', { document: {} });
    expect(told({ token: 't', hosts })).toContain('; in a test, run this file in the node environment');
    vi.stubGlobal('process', undefined);
    expect(told({ token: 't', hosts })).not.toContain('in a test');
  });
});

describe('A method', () => {
  const client = new EmailPlatform(createEmulator().clientOptions());
  const toldBy = async (call: Promise<unknown>) =>
    (await rejection(call, InvalidRequestError)).issues.map(({ path, message }) => `${path} ${message}`);

  test.each(['2031-12-01T09:00Z', new Date(), 7])(
    'that takes a date in an object is given %j',
    async (when) => {
      expect(await toldBy(client.campaigns.schedule(1, when as never))).toEqual([
        'params must be an object: pass { datetime }',
      ]);
    },
  );

  test.each([new Date(), new Map(), new Set()])(
    'with parameters that are all optional is given %o',
    async (params) => {
      expect(await toldBy(client.emailLogs.list(params as never).then())).toEqual([
        'params must be an object',
      ]);
    },
  );

  test('that creates a campaign is given a sender', async () => {
    const campaign = { name: 'Spring', from, domain_id: 301, template_attributes: { subject: 'Hi' } };
    expect(await toldBy(client.campaigns.create(campaign as never))).toEqual([
      'from_local_part is required',
      'from is not a known field; the sender is `from_local_part` at the domain of `domain_id`, with the name `from_display_name`',
    ]);
  });
});

describe('An email', () => {
  test('without a sender is told both places for one', async () => {
    expect(await toldOf({ ...mail, from: undefined })).toEqual([
      "from is required, here or in the client's `defaults`",
    ]);
  });

  test.each([7, true, [['ann@example.org']]])('for %j is told what recipients are', async (to) => {
    const forms = "'ann@example.org', 'Ann <ann@example.org>' or { email, name }";
    const path = Array.isArray(to)
      ? 'to[0] must be an address'
      : 'to must be an address or an array of addresses';
    expect(await toldOf({ ...mail, to })).toEqual([`${path}: ${forms}`]);
  });

  test('for several addresses in one text is told to pass an array', async () => {
    expect(await toldOf({ ...mail, to: 'a@example.org, b@example.org' })).toEqual([
      'to must be one address: for several, pass an array',
    ]);
  });

  test.each(['ann@example.org,', 'ann@example.org; ', ',ann@example.org', ' ;ann@example.org'])(
    'with a separator beside an address, %j, is told its place',
    async (email) => {
      const rule = 'must not begin or end with a comma or a semicolon';
      expect(
        await toldOf({ ...mail, from: { email }, to: [mail.to, { email }], reply_to: { email } }),
      ).toEqual([`from.email ${rule}`, `to[1].email ${rule}`, `reply_to.email ${rule}`]);
    },
  );

  test('with several reply addresses in a list is told of the header', async () => {
    expect(await toldOf({ ...mail, reply_to: ['a@example.org', 'b@example.org'] })).toEqual([
      "reply_to must be one address: for several, set the header 'Reply-To' in headers",
    ]);
  });

  test('with the path of a file is told how to read it', async () => {
    expect(await toldOf({ ...mail, attachments: [{ filename: 'a.txt', path: './a.txt' }] })).toEqual([
      'attachments[0].content is required',
      'attachments[0].path is not a known field; pass `content: await openAsBlob(path)`',
    ]);
  });

  test('with a stream of Node is told how to convert it', async () => {
    const stream = Readable.from(['x']);
    expect(await toldOf({ ...mail, attachments: [{ filename: 'a.txt', content: stream }] })).toEqual([
      'attachments[0].content must be base64 text, bytes, a Blob or a web stream; for a Node stream, pass `Readable.toWeb(stream)`',
    ]);
  });

  test('with a body under another name is told the two there are', async () => {
    expect(await toldOf({ from, to: mail.to, subject: 'Hi', body: 'Hi.' })).toContain(
      'body is not a known field; pass `text` or `html`',
    );
  });

  test.each([
    ['tags', 'an email has one label, `category`, and your own data in `custom_variables`'],
    ['metadata', 'it is `custom_variables`'],
    ['templateData', 'it is `template_variables`'],
    ['replyTo', 'did you mean `reply_to`?'],
    ['templateId', 'did you mean `template_uuid`?'],
    ['template_data', 'it is `template_variables`'],
    ['tag', 'an email has one label, `category`, and your own data in `custom_variables`'],
    [
      'variables',
      'the variables of a template are `template_variables`, and your own data `custom_variables`',
    ],
    ['scheduled_at', 'an email is sent at once'],
    ['react', 'render it before: pass `html: await render(element)`'],
    ['timeout', 'it is an option of a call: pass `{ timeoutMs }` in the last argument'],
    [
      'idempotency_key',
      'it is an option of `sending.send` and `sending.batchAll`: pass `{ idempotencyKey }` in their last argument',
    ],
  ])('with %s is told the right name', async (name, hint) => {
    expect(await toldOf({ ...mail, [name]: 'x' })).toEqual([`${name} is not a known field; ${hint}`]);
  });

  test('for an address under another name is told the right one', async () => {
    expect(await toldOf({ ...mail, to: { address: 'ann@example.org' } })).toEqual([
      'to[0].email is required',
      'to[0].address is not a known field; it is `email`',
    ]);
  });

  test.each<readonly [string, string, string]>([
    ['idempotencyKey', '`sending.send` and `sending.batchAll`', 'their'],
    ['repeatable', '`sending.send`', 'its'],
    ['stream', 'the methods of `sending`', 'their'],
    ['sandboxInboxId', 'the methods of `sending`', 'their'],
    // Not `headers`: an email has some of its own.
    ...['signal', 'timeoutMs', 'deadlineMs', 'retry', 'priority', 'accountId', 'meta'].map(
      (name) => [name, 'a call', 'the'] as const,
    ),
  ])('with the option %s in it is told where options are', async (name, owner, whose) => {
    const hint = `it is an option of ${owner}: pass \`{ ${name} }\` in ${whose} last argument`;
    expect(await toldOf({ ...mail, [name]: 'x' })).toEqual([`${name} is not a known field; ${hint}`]);
  });
});

describe('A call', () => {
  const client = new EmailPlatform(createEmulator().clientOptions());
  const { contacts, emailLogs, campaigns, sending } = client;

  test.each<[string, () => PromiseLike<unknown>, string]>([
    [
      'with the filter of a list beside `filters`',
      () => emailLogs.list({ to: 'ann@example.org' } as never),
      'to: is not a known field; it belongs in `filters`',
    ],
    [
      'with a filter under another name',
      () => emailLogs.list({ email: 'ann@example.org' } as never),
      'email: is not a known field; it is `to` in `filters`',
    ],
    [
      'with a filter that is an option of sending',
      () => emailLogs.list({ stream: 'bulk' } as never),
      'stream: is not a known field; it is `sending_stream` in `filters`',
    ],
    [
      'with a filter by another name among the filters',
      () => emailLogs.list({ filters: { recipient: {} } } as never),
      'filters.recipient: is not a known field; it is `to`',
    ],
    [
      'for statistics of one stream',
      () => client.stats.get({ start_date: '2026-01-01', end_date: '2026-01-31', stream: 'bulk' } as never),
      'stream: is not a known field; it is `sending_streams`',
    ],
    [
      'with the HTML of a campaign beside its template',
      () => campaigns.update(7, { html: '<p>' } as never),
      'html: is not a known field; it is `body_html` in `template_attributes`',
    ],
    [
      'with the begin of the log',
      () => emailLogs.list({ since: new Date() } as never),
      'since: is not a known field; it is `sent_after` in `filters`',
    ],
    [
      'with the end of the log among the filters',
      () => emailLogs.list({ filters: { until: new Date() } } as never),
      'filters.until: is not a known field; it is `sent_before`',
    ],
    [
      'with the events of a new webhook',
      () => client.webhooks.create({ url: 'https://a.test', webhook_type: 'x', events: [] } as never),
      'events: is not a known field; it is `event_types`',
    ],
    [
      'with the events of a webhook',
      () => client.webhooks.update(7, { events: [] } as never),
      'events: is not a known field; it is `event_types`',
    ],
    [
      'with the name of a list in an object',
      () => contacts.lists.ensure({ name: 'Gardeners' } as never),
      'name: must be a string: pass the name alone',
    ],
    [
      'with the recipient of an email under another name',
      () =>
        sending.batch({
          base: { from, subject: 'Hi', text: 'Hi.' },
          requests: [{ email: 'ann@example.org' } as never],
        }),
      'requests[0].email: is not a known field; it is `to`',
    ],
    [
      'with the wanted number of emails of the log',
      () => emailLogs.list({ limit: 5 } as never),
      'limit: is not a known field; it is an option of `toArray`: `.toArray({ limit })`',
    ],
    [
      'with the wanted number of campaigns',
      () => campaigns.list({ limit: 5 } as never),
      'limit: is not a known field; it is an option of `toArray`: `.toArray({ limit })`',
    ],
    [
      'with the wanted number of messages of a sandbox',
      () => client.sandbox.messages.list(1, { limit: 5 } as never),
      'limit: is not a known field; it is an option of `toArray`: `.toArray({ limit })`',
    ],
    [
      'with the lists of a new contact in an update',
      () => contacts.update('ann@example.org', { list_ids: [1] } as never),
      'list_ids: is not a known field; it is `list_ids_included`',
    ],
    [
      'with the lists of an update in a new contact',
      () => contacts.create({ email: 'ann@example.org', list_ids_included: [1] } as never),
      'list_ids_included: is not a known field; it is `list_ids`',
    ],
    [
      'with the time of a schedule under another name',
      () => campaigns.schedule(7, { scheduledAt: '2031-12-01T09:00Z' } as never),
      'datetime: is required; scheduledAt: is not a known field; it is `datetime`',
    ],
    [
      'with the time of a schedule in a campaign',
      () => campaigns.update(7, { scheduled_at: '2031-12-01T09:00Z' } as never),
      'scheduled_at: is not a known field; call `campaigns.schedule` with the id of the campaign',
    ],
    [
      'with the HTML of an email in the template of a campaign',
      () => campaigns.update(7, { template_attributes: { html: '<p>' } } as never),
      'template_attributes.html: is not a known field; it is `body_html`',
    ],
    [
      'with the text of an email in a template',
      () => client.templates.update(7, { text: 'Hi' } as never),
      'text: is not a known field; it is `body_text`',
    ],
    [
      'with its key in another spelling',
      () => sending.send(mail, { idempotency_key: 'a' } as never),
      'options.idempotency_key: is not a known field; did you mean `idempotencyKey`?',
    ],
    [
      'with its timeout in another spelling',
      () => campaigns.list({}, { timeout_ms: 5 } as never),
      'options.timeout_ms: is not a known field; did you mean `timeoutMs`?',
    ],
    [
      'with a key that is undefined',
      () => sending.send(mail, { idempotencyKey: undefined } as never),
      'options.idempotencyKey: is undefined: leave it out to send without a key',
    ],
    [
      'for any number of emails with keys that are undefined',
      () => sending.batchAll([mail], { idempotencyKey: undefined } as never),
      'options.idempotencyKey: is undefined: leave it out to send without a key',
    ],
    [
      'for any number of emails with the keys in another spelling',
      () => sending.batchAll([{ to: 'ann@example.org' }], { idempotency_key: () => 'a' } as never),
      'options.idempotency_key: is not a known field; did you mean `idempotencyKey`?',
    ],
    [
      'with a field of an email among the options',
      () => sending.send(mail, { category: 'news' } as never),
      'options.category: is not a known field; it belongs in the email, the first argument',
    ],
    [
      'with a field of a contact of your own',
      () => contacts.create({ email: 'ann@example.org', first_name: 'Ann' } as never),
      'first_name: is not a known field; your own fields go into `fields`, by their merge tags',
    ],
    [
      'with one in an update of a contact',
      () => contacts.update('ann@example.org', { first_name: 'Ann' } as never),
      'first_name: is not a known field; your own fields go into `fields`, by their merge tags',
    ],
    [
      'with one in an import',
      () => contacts.imports.create({ contacts: [{ email: 'a@b.test', city: 'Rome' }] } as never),
      'contacts[0].city: is not a known field; your own fields go into `fields`, by their merge tags',
    ],
    [
      'with a value of an event beside its params',
      () => contacts.createEvent('ann@example.org', { name: 'order', total: 7 } as never),
      'total: is not a known field; your own values go into `params`',
    ],
    [
      'with the subject of a campaign beside its template',
      () => campaigns.update(7, { subject: 'Hi' } as never),
      'subject: is not a known field; it belongs in `template_attributes`',
    ],
    [
      'with an option among its parameters',
      () => campaigns.list({ signal: AbortSignal.abort() } as never),
      'signal: is not a known field; it is an option of a call: pass `{ signal }` in the last argument',
    ],
    [
      'with headers among its parameters',
      () => campaigns.list({ headers: {} } as never),
      'headers: is not a known field; it is an option of a call: pass `{ headers }` in the last argument',
    ],
    [
      'with an option that another method takes',
      () => campaigns.list({}, { stream: 'bulk' } as never),
      'options.stream: is not a known field; it is an option of the methods of `sending`',
    ],
    [
      'for a batch with a field of its emails beside `base`',
      () => sending.batch({ from, requests: [{ to: 'ann@example.org' }] } as never),
      'from: is not a known field; it belongs in `base`',
    ],
    [
      'for a batch with an option in its base',
      () => sending.batch({ base: { stream: 'bulk' }, requests: [{ to: 'ann@example.org' }] } as never),
      'base.stream: is not a known field; it is an option of the methods of `sending`: pass `{ stream }` in their last argument',
    ],
    [
      'for any number of emails with a field of theirs among the options',
      () => sending.batchAll([{ to: 'ann@example.org' }], { subject: 'Hi' } as never),
      'options.subject: is not a known field; it belongs in `base`',
    ],
  ])('%s is told where it belongs', async (_, call, message) => {
    const error = await rejection(call(), InvalidRequestError);
    expect(error.message).toContain(`was not sent: ${message}`);
  });
});

describe('A call with a promise that was not awaited', () => {
  const client = new EmailPlatform(createEmulator().clientOptions());
  const { campaigns, contacts, emailLogs, sending, templates } = client;
  const list = contacts.lists.create({ name: 'Gardeners' });
  const content = Promise.resolve(new Uint8Array(1));
  const attached = { ...mail, attachments: [{ filename: 'a.txt', content }] };
  const text = Promise.resolve('Hi');
  const variables = { template_uuid: '123e4567-e89b-12d3-a456-426614174000', template_variables: text };

  test.each<[string, (promise: never) => PromiseLike<unknown>]>([
    ['id', (id) => campaigns.get(id)],
    ['id', (id) => campaigns.waitUntilFinished(id)],
    ['contact', (id) => contacts.get(id)],
    ['params', (params) => campaigns.create(params)],
    ['params', (params) => campaigns.list(params).then()],
    ['params', () => contacts.create(contacts.lists.list() as never)],
    ['params', (params) => sending.send(params)],
    ['request', (request) => client.request(request)],
    ['options', (options) => campaigns.get(1, options)],
    ['options', (options) => sending.send(mail, options)],
    ['options.accountId', (accountId) => campaigns.get(1, { accountId })],
    ['requests', (requests) => sending.batchAll(requests)],
    ['requests', (requests) => sending.batch({ requests })],
    ['requests[0]', (email) => sending.batch({ requests: [email] })],
    ['requests[0].html', (html) => sending.batch({ requests: [{ ...mail, html }] })],
    ['base', (base) => sending.batchAll([mail], { base })],
    ['html', (html) => sending.send({ ...mail, html })],
    ['from', (sender) => sending.send({ ...mail, from: sender })],
    ['to[0]', (to) => sending.send({ ...mail, to })],
    ['to[0]', (to) => sending.send({ ...mail, to: [to] })],
    ['reply_to', (reply_to) => sending.send({ ...mail, reply_to })],
    ['headers', (headers) => sending.send({ ...mail, headers })],
    ['custom_variables', (custom_variables) => sending.send({ ...mail, custom_variables })],
    ['custom_variables.id', (id) => sending.send({ ...mail, custom_variables: { id } })],
    ['template_variables', () => sending.send({ from, to: mail.to, ...variables } as never)],
    ['attachments', (attachments) => sending.send({ ...mail, attachments })],
    ['attachments[0].content', () => sending.send(attached as never)],
    ['list_ids[0]', () => contacts.create({ email: 'ann@example.org', list_ids: [list as never] })],
    ['fields', (fields) => contacts.create({ email: 'ann@example.org', fields })],
    ['name', (name) => contacts.lists.ensure(name)],
    [
      'filters.to.value',
      (value) => emailLogs.list({ filters: { to: { operator: 'ci_equal', value } } }).then(),
    ],
    ['body_html', (body_html) => templates.update(7, { body_html })],
  ])('in `%s` is told to await it', async (path, call) => {
    const { issues } = await rejection(call(text as never), InvalidRequestError);
    expect(issues).toEqual([{ path, message: 'is a promise: await it' }]);
  });

  test('in an option of the client is told to await it', () => {
    expect(told({ token: text, hosts })).toBe('token is a promise: await it');
    expect(told(text)).toBe('options is a promise: await it');
    expect(told({ token: 't', hosts, defaults: { from: text } })).toBe(
      'defaults.from is a promise: await it',
    );
  });
});

describe('The emulator', () => {
  test('answers the address of a host alone with what is missing after it', async () => {
    const emulator = createEmulator();
    const response = await emulator.fetch(emulator.clientOptions().hosts.api);
    expect(await response.text()).toContain(
      '/account is the address of the host api, and has no page of its own: add the path of an endpoint, such as /account/api/accounts',
    );
  });
});
