import {
  AuthenticationError,
  BadRequestError,
  EmailPlatform,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ValidationError,
} from 'email-platform';
import { type Emulator, createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';

const { accountId } = createEmulator().clientOptions();
const UUID = '0d9cbb52-7e39-4b1e-9fd4-0a5a7ba8b4c1';
const mail = {
  from: { email: 'hello@mail.example.com' },
  to: [{ email: 'ann@example.org' }],
  subject: 'Hi',
  text: 'Hello',
};
const words = { name: 'Welcome', subject: 'Hello', category: 'onboarding' };
const email = 'admin@example.com';
const draft = { name: 'n', domain_id: 301, from_local_part: 'f', template_attributes: { subject: 's' } };
const inAnHour = () => new Date(Date.now() + 3_600_000);

type Call = (client: EmailPlatform) => PromiseLike<unknown>;

/** Every method that reads a single object; none of the objects exists. */
const ofOne: readonly (readonly [string, Call])[] = [
  ['campaigns.get', ({ campaigns }) => campaigns.get(7)],
  ['campaigns.update', ({ campaigns }) => campaigns.update(7, { name: 'x' })],
  ['campaigns.delete', ({ campaigns }) => campaigns.delete(7)],
  ['campaigns.start', ({ campaigns }) => campaigns.start(7)],
  ['campaigns.schedule', ({ campaigns }) => campaigns.schedule(7, { datetime: inAnHour() })],
  ['campaigns.cancel', ({ campaigns }) => campaigns.cancel(7)],
  ['campaigns.reset', ({ campaigns }) => campaigns.reset(7)],
  ['campaigns.terminate', ({ campaigns }) => campaigns.terminate(7)],
  ['campaigns.stats', ({ campaigns }) => campaigns.stats(7)],
  ['emailLogs.get', ({ emailLogs }) => emailLogs.get(UUID)],
  ['templates.get', ({ templates }) => templates.get(7)],
  ['templates.update', ({ templates }) => templates.update(7, words)],
  ['templates.delete', ({ templates }) => templates.delete(7)],
  ['sendingDomains.get', ({ sendingDomains }) => sendingDomains.get(7)],
  ['sendingDomains.update', ({ sendingDomains }) => sendingDomains.update(7, { inbound_enabled: true })],
  ['sendingDomains.delete', ({ sendingDomains }) => sendingDomains.delete(7)],
  [
    'sendingDomains.sendSetupInstructions',
    ({ sendingDomains }) => sendingDomains.sendSetupInstructions(7, { email }),
  ],
  ['accounts.get', ({ accounts }) => accounts.get(7)],
  ['accounts.accesses.remove', ({ accounts }) => accounts.accesses.remove(7)],
];
const ofApi: readonly (readonly [string, Call])[] = [
  ...ofOne,
  ['campaigns.list', ({ campaigns }) => campaigns.list()],
  ['campaigns.create', ({ campaigns }) => campaigns.create(draft)],
  ['emailLogs.list', ({ emailLogs }) => emailLogs.list()],
  ['templates.list', ({ templates }) => templates.list()],
  ['templates.create', ({ templates }) => templates.create(words)],
  ['sendingDomains.list', ({ sendingDomains }) => sendingDomains.list()],
  ['sendingDomains.create', ({ sendingDomains }) => sendingDomains.create({ domain_name: 'a.example.com' })],
  ['accounts.list', ({ accounts }) => accounts.list()],
  ['accounts.accesses.list', ({ accounts }) => accounts.accesses.list()],
  ['accounts.permissions.list', ({ accounts }) => accounts.permissions.list()],
  ['request', (client) => client.request({ method: 'GET', path: '/api/contacts/lists' })],
];
/** The methods that need a permission: another account is not found, whatever the permissions. */
const ofPermitted = ofApi.map(([name, call]): readonly [string, Call] =>
  name === 'accounts.get' ? [name, ({ accounts }) => accounts.get(accountId)] : [name, call],
);
/** The sending hosts have response shapes of their own, by the public reference. */
const ofSending: readonly (readonly [string, Call])[] = [
  ['sending.send', ({ sending }) => sending.send(mail)],
  ['sending.send to bulk', ({ sending }) => sending.send(mail, { stream: 'bulk' })],
  ['sending.send to a sandbox', ({ sending }) => sending.send(mail, { stream: 'sandbox' })],
  ['sending.batch', ({ sending }) => sending.batch({ requests: [mail] })],
];

function service(...[options]: Parameters<typeof createEmulator>) {
  const emulator = createEmulator(options);
  return { emulator, client: new EmailPlatform(emulator.clientOptions()) };
}

const nothing: Emulator.TokenOptions['permissions'] = {
  campaigns: 'none',
  emailLogs: 'none',
  sending: 'none',
  templates: 'none',
  domains: 'none',
  account: 'none',
  contacts: 'none',
  sandbox: 'none',
};

describe('Errors', () => {
  test('400 | Invalid parameters (email logs)', async () => {
    const error = await rejection(service().client.emailLogs.list({ search_after: UUID }), BadRequestError);
    expect(error).toMatchObject({ status: 400, code: 'bad_request', effect: 'none' });
    expect(error.messages).toHaveLength(1);
  });

  test.each(ofApi)('401 | Missing or invalid API token | object with error (string): %s', async (_, call) => {
    const error = await rejection(call(service().client.withOptions({ token: 'no' })), AuthenticationError);
    expect(error.body).toEqual({ error: expect.any(String) as string });
    expect(error).toMatchObject({
      status: 401,
      code: 'authentication_failed',
      effect: 'none',
      messages: ['Incorrect API token'],
      request: { attempts: 1 },
    });
    expect(error.headers.get('www-authenticate')).toBe('Token realm="Application"');
  });

  test.each(ofSending)('401 | Missing or invalid API token: %s', async (_, call) => {
    const error = await rejection(call(service().client.withOptions({ token: 'no' })), AuthenticationError);
    expect(error).toMatchObject({ status: 401, effect: 'none', messages: ['Unauthorized'] });
  });

  test.each(ofPermitted)(
    '403 | Token lacks permission | object with errors (string): %s',
    async (_, call) => {
      const { emulator, client } = service();
      const token = emulator.createToken({ permissions: nothing });
      const error = await rejection(call(client.withOptions({ token })), PermissionDeniedError);
      expect(error).toMatchObject({ status: 403, effect: 'none', body: { errors: 'Access forbidden' } });
    },
  );

  test.each(ofSending)('403 | Token lacks permission: %s', async (_, call) => {
    const { emulator, client } = service();
    const token = emulator.createToken({ permissions: nothing });
    const error = await rejection(call(client.withOptions({ token })), PermissionDeniedError);
    expect(error).toMatchObject({ status: 403, effect: 'none', messages: ['Access forbidden'] });
    expect(emulator.messages()).toEqual([]);
  });

  test.each(ofOne)(
    '404 | Campaign, or log message, not found | object with error (string): %s',
    async (_, call) => {
      const error = await rejection(call(service().client), NotFoundError);
      expect(error).toMatchObject({
        status: 404,
        effect: 'none',
        body: { error: 'Not Found' },
        messages: ['Not Found'],
      });
      expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  test.each<[string, Call, string]>([
    ['templates.create', ({ templates }) => templates.create({ ...words, name: '' }), 'name'],
    [
      'templates.update',
      async ({ templates }) => templates.update((await templates.create(words)).id, { subject: '' }),
      'subject',
    ],
    ['sendingDomains.create', ({ sendingDomains }) => sendingDomains.create({ domain_name: 'x' }), 'base'],
  ])(
    '422 | Validation failure on create, update or delete | a map from field name to an array of message strings: %s',
    async (_, call, field) => {
      const error = await rejection(call(service().client), ValidationError);
      expect(error.body).toEqual({ errors: error.fieldErrors });
      expect(Object.keys(error.fieldErrors)).toEqual([field]);
    },
  );

  test.each([...ofApi, ...ofSending])(
    '429 | Rate limit exceeded; x-ratelimit-reset tells when the window resets: %s',
    async (_, call) => {
      const now = Date.now();
      const limits = { token: { requests: 1, perMs: 10_000 } };
      const { emulator, client } = service({ limits, now: () => now });
      const unpaced = client.withOptions({ throttle: false, retry: false });
      await unpaced.accounts.list();
      const error = await rejection(call(unpaced), RateLimitError);
      expect(error).toMatchObject({ status: 429, effect: 'none', pool: 'token' });
      expect(error.messages).toHaveLength(1);
      expect(error.retryAfterMs).toBeLessThanOrEqual(11_000);
      expect(error.resetAt?.toISOString()).toBe(error.headers.get('x-ratelimit-reset'));
      expect(emulator.requests.map(({ status }) => status)).toEqual([200, 429]);
    },
  );
});
