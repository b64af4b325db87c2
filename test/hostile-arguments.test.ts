import { ConfigurationError, createThrottle, InvalidRequestError, type EmailPlatform } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection, thrown } from './support/expect-error.ts';
import { json, scriptedFetch } from './support/scripted-fetch.ts';
import { virtualClient } from './support/virtual-client.ts';

/** Values of a wrong type, from callers without types. Other objects are left out: without wrong fields, they pass. */
const NO_OPTIONS = [null, 5, 'text', [], Symbol('s'), () => 0, AbortSignal.abort()];
const NO_PARAMS = [null, 5, 'text', [], Symbol('s'), () => 0];
const NO_ID = [null, undefined, 0, -1, 1.5, NaN, '7', {}, 2 ** 53];
const uuid = '123e4567-e89b-12d3-a456-426614174000';
const mail = { from: { email: 'a@example.com' }, to: [{ email: 'b@example.com' }], subject: 's', text: 't' };

type Call = (client: EmailPlatform, wrong: never) => PromiseLike<unknown>;
const first = async (iterable: AsyncIterable<unknown>) => {
  for await (const item of iterable) return item;
  return undefined;
};

const byParams: Record<string, Call> = {
  'campaigns.list': ({ campaigns }, wrong) => campaigns.list(wrong),
  'campaigns.create': ({ campaigns }, wrong) => campaigns.create(wrong),
  'campaigns.update': ({ campaigns }, wrong) => campaigns.update(1, wrong),
  'campaigns.schedule': ({ campaigns }, wrong) => campaigns.schedule(1, wrong),
  'campaigns.stats': ({ campaigns }, wrong) => campaigns.stats(1, wrong),
  'emailLogs.list': ({ emailLogs }, wrong) => emailLogs.list(wrong),
  'emailLogs.list, its filters': ({ emailLogs }, wrong) => emailLogs.list({ filters: wrong }),
  'emailLogs.downloadRaw': ({ emailLogs }, wrong) => emailLogs.downloadRaw(wrong),
  'sending.send': ({ sending }, wrong) => sending.send(wrong),
  'sending.batch': ({ sending }, wrong) => sending.batch(wrong),
  'sending.batch, its mails': ({ sending }, wrong) => sending.batch({ requests: [wrong] }),
  'sending.batchAll, its base': ({ sending }, wrong) => first(sending.batchAll([], { base: wrong })),
  'templates.create': ({ templates }, wrong) => templates.create(wrong),
  'templates.update': ({ templates }, wrong) => templates.update(1, wrong),
  'sendingDomains.create': ({ sendingDomains }, wrong) => sendingDomains.create(wrong),
  'sendingDomains.update': ({ sendingDomains }, wrong) => sendingDomains.update(1, wrong),
  'sendingDomains.sendSetupInstructions': ({ sendingDomains }, wrong) =>
    sendingDomains.sendSetupInstructions(1, wrong),
  'contacts.fields.ensure': ({ contacts }, wrong) => contacts.fields.ensure(wrong),
  request: (client, wrong) => client.request(wrong),
};

const byOptions: Record<string, Call> = {
  'campaigns.list': ({ campaigns }, wrong) => campaigns.list({}, wrong),
  'campaigns.get': ({ campaigns }, wrong) => campaigns.get(1, wrong),
  'campaigns.start': ({ campaigns }, wrong) => campaigns.start(1, wrong),
  'emailLogs.list': ({ emailLogs }, wrong) => emailLogs.list({}, wrong),
  'emailLogs.get': ({ emailLogs }, wrong) => emailLogs.get(uuid, wrong),
  'emailLogs.downloadRaw': ({ emailLogs }, wrong) => emailLogs.downloadRaw('https://a.test/raw', wrong),
  'sending.send': ({ sending }, wrong) => sending.send(mail, wrong),
  'sending.batch': ({ sending }, wrong) => sending.batch({ requests: [mail] }, wrong),
  'sending.batchAll': ({ sending }, wrong) => first(sending.batchAll([mail], wrong)),
  'templates.list': ({ templates }, wrong) => templates.list(wrong),
  'templates.get': ({ templates }, wrong) => templates.get(1, wrong),
  'sendingDomains.list': ({ sendingDomains }, wrong) => sendingDomains.list(wrong),
  'sendingDomains.waitUntilVerified': ({ sendingDomains }, wrong) =>
    sendingDomains.waitUntilVerified(1, wrong),
  'accounts.list': ({ accounts }, wrong) => accounts.list(wrong),
  'accounts.accesses.list': ({ accounts }, wrong) => accounts.accesses.list({}, wrong),
  'contacts.lists.ensure': ({ contacts }, wrong) => contacts.lists.ensure('a', wrong),
  request: (client, wrong) => client.request({ method: 'GET', path: '/api/x' }, wrong),
};

const byId: Record<string, Call> = {
  'campaigns.get': ({ campaigns }, wrong) => campaigns.get(wrong),
  'campaigns.update': ({ campaigns }, wrong) => campaigns.update(wrong, {}),
  'campaigns.delete': ({ campaigns }, wrong) => campaigns.delete(wrong),
  'campaigns.start': ({ campaigns }, wrong) => campaigns.start(wrong),
  'campaigns.schedule': ({ campaigns }, wrong) => campaigns.schedule(wrong, { datetime: new Date() }),
  'campaigns.stats': ({ campaigns }, wrong) => campaigns.stats(wrong),
  'emailLogs.get': ({ emailLogs }, wrong) => emailLogs.get(wrong),
  'templates.get': ({ templates }, wrong) => templates.get(wrong),
  'templates.delete': ({ templates }, wrong) => templates.delete(wrong),
  'sendingDomains.get': ({ sendingDomains }, wrong) => sendingDomains.get(wrong),
  'sendingDomains.delete': ({ sendingDomains }, wrong) => sendingDomains.delete(wrong),
  'sendingDomains.waitUntilVerified': ({ sendingDomains }, wrong) => sendingDomains.waitUntilVerified(wrong),
  'accounts.get': ({ accounts }, wrong) => accounts.get(wrong),
  'accounts.accesses.remove': ({ accounts }, wrong) => accounts.accesses.remove(wrong),
};

async function isRefused(call: Call, wrong: unknown): Promise<void> {
  const { fetch, sent } = scriptedFetch(json(200, {}));
  const { client } = virtualClient({ fetch, accountId: 1 });
  const error = await rejection(Promise.resolve(call(client, wrong as never)), InvalidRequestError);
  expect(error.issues.length).toBeGreaterThan(0);
  expect(sent).toEqual([]);
}

test.each<[string, Call]>([
  ['templates.update', ({ templates }, nothing) => templates.update(1, nothing)],
  ['sendingDomains.update', ({ sendingDomains }, nothing) => sendingDomains.update(1, nothing)],
])('%s with nothing to change is refused: the service would return an empty 400', async (_, call) => {
  await isRefused(call, {});
  await isRefused(call, { name: undefined, inbound_enabled: undefined });
});

describe('Arguments that the types forbid are refused by the returned promise, before anything is sent', () => {
  test.each(Object.entries(byParams))('parameters of %s', async (_, call) => {
    for (const wrong of NO_PARAMS) await isRefused(call, wrong);
  });

  test.each(Object.entries(byOptions))('options of %s', async (_, call) => {
    for (const wrong of NO_OPTIONS) await isRefused(call, wrong);
  });

  test.each<[string, Call]>([
    ['templates.get', ({ templates }, accountId) => templates.get(1, { accountId })],
    ['sendingDomains.list', ({ sendingDomains }, accountId) => sendingDomains.list({ accountId })],
    ['emailLogs.get', ({ emailLogs }, accountId) => emailLogs.get(uuid, { accountId })],
  ])('the account of %s, which would be in the path', async (_, call) => {
    for (const wrong of [...NO_ID, Symbol('s')]) if (wrong !== undefined) await isRefused(call, wrong);
  });

  test.each(Object.entries(byId))('ids of %s', async (_, call) => {
    for (const wrong of NO_ID) await isRefused(call, wrong);
  });
});

test('The options of a throttle that cannot be read are refused', () => {
  const trap = () => {
    throw new Error('of the caller');
  };
  const { message } = thrown(() => createThrottle(new Proxy({}, { ownKeys: trap })), ConfigurationError);
  expect(message).toBe('throttle cannot be read');
});
