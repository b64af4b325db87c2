import { InvalidRequestError, type EmailPlatform, type RequestOptions } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { json, scriptedFetch } from '../support/scripted-fetch.ts';
import { virtualClient } from '../support/virtual-client.ts';
import { collected } from '../resources/sending/batch-runs.ts';

const mail = {
  from: { email: 'a@mail.example.com' },
  to: [{ email: 'b@c.de' }],
  subject: 'Hi',
  text: 'Hello',
};
const hosts = { api: 'https://api.test', send: 'https://send.test' };
const options: RequestOptions = { accountId: 7 };

const WITHOUT_ACCOUNT: Readonly<Record<string, (client: EmailPlatform) => PromiseLike<unknown>>> = {
  'sending.send': ({ sending }) => sending.send(mail, options),
  'sending.batch': ({ sending }) => sending.batch({ requests: [mail] }, options),
  'campaigns.get': ({ campaigns }) => campaigns.get(1, options),
  'campaigns.start': ({ campaigns }) => campaigns.start(1, options),
  'campaigns.list': ({ campaigns }) => campaigns.list({}, options),
  'accounts.list': ({ accounts }) => accounts.list(options),
  'inbound.folders.list': ({ inbound }) => inbound.folders.list(options),
  'GET /api/templates': (client) => client.request({ method: 'GET', path: '/api/templates' }, options),
};

describe('An accountId in the options of a call that has no account in its path is refused', () => {
  test.each(Object.entries(WITHOUT_ACCOUNT))('%s', async (operation, call) => {
    const { fetch, sent } = scriptedFetch(json(200, {}));
    const { client } = virtualClient({ fetch, hosts });
    const error = await rejection(call(client), InvalidRequestError);
    expect(error.message).toBe(
      `${operation} was not sent: options.accountId: must be left out: the path names no account, so this call acts on the token's account`,
    );
    expect(sent).toHaveLength(0);
  });

  test('sending.batchAll', async () => {
    const { fetch, sent } = scriptedFetch(json(200, {}));
    const { client } = virtualClient({ fetch, hosts });
    const { thrown, outcomes } = await collected(client.sending.batchAll([mail], options));
    expect(thrown).toBeInstanceOf(InvalidRequestError);
    expect(outcomes.map(({ status }) => status)).toEqual(['not_sent']);
    expect(sent).toHaveLength(0);
  });

  test('one that the path contradicts is refused as well', async () => {
    const { client } = virtualClient({ hosts });
    const call = client.request({ method: 'GET', path: '/api/accounts/8/templates' }, options);
    expect((await rejection(call, InvalidRequestError)).issues).toEqual([
      { path: 'options.accountId', message: 'must be the account in the path, or left out' },
    ]);
  });
});

test.each<[string, (client: EmailPlatform) => PromiseLike<unknown>]>([
  ['/api/accounts/7/email_templates/1', ({ templates }) => templates.get(1, options)],
  ['/api/accounts/7/email_logs', ({ emailLogs }) => emailLogs.list({}, options)],
  [
    '/api/accounts/7/anything',
    (client) => client.request({ method: 'GET', path: '/api/accounts/7/anything' }, options),
  ],
])('one that is in the path is used: %s', async (path, call) => {
  const { fetch, sent } = scriptedFetch(json(200, { messages: [] }));
  await call(virtualClient({ fetch, hosts }).client);
  expect(sent.map(({ url }) => new URL(url).pathname)).toEqual([path]);
});

test("the client's accountId is not a reason to refuse a call: mail leaves from the token's account", async () => {
  const { fetch, sent } = scriptedFetch(json(200, { success: true, message_ids: ['a'] }));
  const { client } = virtualClient({ fetch, hosts });
  await client.withOptions({ accountId: 7 }).sending.send(mail);
  expect(sent.map(({ url }) => url)).toEqual(['https://send.test/api/send']);
});

test("the account of a call goes before the client's, in the path and in the limits", async () => {
  const { fetch, sent } = scriptedFetch(json(200, { messages: [] }));
  const { client } = virtualClient({ fetch, hosts, accountId: 1, throttle: {} });
  await client.emailLogs.list({}, options);
  await client.templates.get(1, options);
  expect(sent.map(({ url }) => new URL(url).pathname)).toEqual([
    '/api/accounts/7/email_logs',
    '/api/accounts/7/email_templates/1',
  ]);
  const used = [client, client.withOptions({ accountId: 7 })].map(
    ({ limits }) => limits.snapshot().emailLogsList?.used,
  );
  expect(used).toEqual([0, 1]);
});
