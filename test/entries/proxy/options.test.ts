import { ConfigurationError, EmailPlatform } from 'email-platform';
import { createProxy, proxyHosts, type ProxyOptions } from 'email-platform/proxy';
import { describe, expect, test, vi } from 'vitest';
import { thrown } from '../../support/expect-error.ts';
import { json, scriptedFetch, text } from '../../support/scripted-fetch.ts';
import { fromPage, proxyOf } from './harness.ts';

const service = () => {
  const { fetch, sent } = scriptedFetch(json(200, { data: { id: 7 } }));
  return {
    client: new EmailPlatform({ token: 't', hosts: { api: 'https://service.test' }, fetch, throttle: false }),
    sent,
  };
};
const valid = (): ProxyOptions => ({
  client: service().client,
  allow: ['campaigns.get'],
  authorize: () => ({ visitor: 'ann' }),
  basePath: '/email',
});
const CAMPAIGN = '/api/api/email_campaigns/7';

describe('createProxy', () => {
  test.each<[string, unknown]>([
    ['allow', undefined],
    ['allow', 'campaigns.get'],
    ['allow', ['campaigns.gett']],
    ['allow', ['*']],
    ['allow', ['.*']],
    ['allow', ['camp.*']],
    ['allow', ['campaigns.get', 7]],
    ['authorize', undefined],
    ['authorize', true],
    ['basePath', undefined],
    ['basePath', ''],
    ['basePath', '/'],
    ['basePath', 'email'],
    ['basePath', 'https://app.test/email'],
    ['origin', 'app.test'],
    ['origin', 'https://app.test/'],
    ['origin', 'https://APP.test'],
    ['origin', 'https://app.test:443'],
    ['origin', 'https://ann@app.test'],
    ['origin', 'https://['],
    ['origin', 'capacitor://app.test'],
    ['share', 0],
    ['share', 1.1],
    ['share', '1'],
    ['maxBodyBytes', 0],
    ['maxPendingBytes', 0],
    ['maxPendingBytes', 2 ** 20 - 1],
    ['signedUrls', 'no'],
    ['onRefused', {}],
    ['onFailure', 1],
    ['allowed', []],
  ])('refuses the option %s: %j', (option, value) => {
    const error = thrown(() => createProxy({ ...valid(), [option]: value }), ConfigurationError);
    expect(error.option.replace(/\[\d+\]$/, '')).toBe(option);
  });

  test('names the entry of `allow` that is wrong', () => {
    const allow = ['campaigns.get', 'campaign.list'] as never;
    expect(thrown(() => createProxy({ ...valid(), allow }), ConfigurationError).message).toBe(
      "allow[1] must be a name such as campaigns.list or campaigns.*, not 'campaign.list'",
    );
  });

  test('passes on an id that a number would round', async () => {
    const { client, sent } = service();
    const { proxy } = proxyOf(client, { allow: ['campaigns.get'] });
    expect((await proxy(fromPage('/api/api/email_campaigns/9007199254740993'))).status).toBe(200);
    expect(sent[0]?.url).toBe('https://service.test/api/email_campaigns/9007199254740993');
  });

  test('refuses a value that is not a client', () => {
    for (const client of [undefined, null, {}, 'client'])
      expect(() => createProxy({ ...valid(), client: client as never })).toThrow(TypeError);
  });

  test('is not affected by later changes of its options', async () => {
    const allow: ProxyOptions['allow'][number][] = ['campaigns.get'];
    const { client } = service();
    const { proxy } = proxyOf(client, { allow });
    allow.push('campaigns.list');
    expect((await proxy(fromPage('/api/api/email_campaigns'))).status).toBe(403);
    expect((await proxy(fromPage(CAMPAIGN))).status).toBe(200);
  });
});

describe('allow', () => {
  const statusOf = async (allow: ProxyOptions['allow'], path: string) =>
    (await proxyOf(service().client, { allow }).proxy(fromPage(path))).status;

  test('names operations', async () => {
    expect(await statusOf(['campaigns.get'], CAMPAIGN)).toBe(200);
    expect(await statusOf(['campaigns.list'], CAMPAIGN)).toBe(403);
    expect(await statusOf([], CAMPAIGN)).toBe(403);
  });

  test('names resources, with the groups in them, and no others that begin alike', async () => {
    expect(await statusOf(['contacts.*'], '/api/api/contacts/lists')).toBe(200);
    expect(await statusOf(['contacts.lists.*'], '/api/api/contacts/lists')).toBe(200);
    expect(await statusOf(['contacts.fields.*'], '/api/api/contacts/lists')).toBe(403);
    expect(await statusOf(['sending.*'], '/api/api/domains')).toBe(403);
  });

  test('an operation on one account does not allow the list', async () => {
    expect(await statusOf(['accounts.get'], '/api/api/accounts/1')).toBe(200);
    expect(await statusOf(['accounts.get'], '/api/api/accounts')).toBe(403);
  });
});

test('operations without JSON must be named in full', async () => {
  const path = '/api/api/sandboxes/1/messages/2/body.html';
  const { fetch } = scriptedFetch(text(200, '<h1>Hello</h1>', 'text/html'));
  const client = new EmailPlatform({
    token: 't',
    hosts: { api: 'https://service.test' },
    fetch,
    throttle: false,
  });
  const refused = await proxyOf(client, { allow: ['sandbox.*', 'sandbox.messages.*'] }).proxy(fromPage(path));
  expect(refused.status).toBe(403);
  const response = await proxyOf(client, { allow: ['sandbox.messages.html'] }).proxy(fromPage(path));
  expect([response.status, await response.text()]).toEqual([200, '<h1>Hello</h1>']);
  expect(response.headers.get('content-type')).toBe('application/octet-stream');
  expect(response.headers.get('content-disposition')).toBe('attachment');
});

describe('authorize', () => {
  test('is told the operation, the host and the arguments', async () => {
    const authorize = vi.fn<ProxyOptions['authorize']>(() => ({ visitor: 'ann' }));
    const { proxy } = proxyOf(service().client, { authorize });
    const request = fromPage(CAMPAIGN, { headers: { cookie: 'session=1' } });
    await proxy(request);
    expect(authorize).toHaveBeenCalledExactlyOnceWith(request, 'campaigns.get', {
      host: 'api',
      params: { id: 7 },
    });
  });

  test.each<[false | undefined | null]>([[false], [undefined], [null]])(
    'that returns %s refuses',
    async (no) => {
      const { client, sent } = service();
      const { proxy, refusals } = proxyOf(client, { authorize: () => Promise.resolve(no) });
      expect((await proxy(fromPage(CAMPAIGN))).status).toBe(403);
      expect(refusals).toMatchObject([{ reason: 'visitor', operation: 'campaigns.get', status: 403 }]);
      expect(sent).toEqual([]);
    },
  );

  test.each<[string, unknown]>([
    ['true', true],
    ['an empty object', {}],
    ['a number', { visitor: 7 }],
    ['an invalid account', { visitor: 'ann', accountId: '7' }],
    ['an account of null', { visitor: 'ann', accountId: null }],
    ['NaN', { visitor: 'ann', accountId: NaN }],
    ['no client', { visitor: 'ann', client: {} }],
  ])('that returns %s refuses the visitor', async (_, visit) => {
    const { client, sent } = service();
    const { proxy } = proxyOf(client, { authorize: () => visit as never });
    expect((await proxy(fromPage('/api/api/email_templates'))).status).toBeGreaterThanOrEqual(403);
    expect(sent).toEqual([]);
  });

  test('may respond itself', async () => {
    const { proxy, refusals } = proxyOf(service().client, {
      authorize: () => new Response('log in', { status: 401 }),
    });
    const response = await proxy(fromPage(CAMPAIGN));
    expect([response.status, await response.text()]).toEqual([401, 'log in']);
    expect(refusals).toEqual([]);
  });

  test('may choose the client', async () => {
    const [one, two] = [service(), service()];
    const { proxy } = proxyOf(one.client, { authorize: () => ({ visitor: 'ann', client: two.client }) });
    await proxy(fromPage(CAMPAIGN));
    expect([one.sent.length, two.sent.length]).toEqual([0, 1]);
  });

  test('may read the body of a clone', async () => {
    const { client, sent } = service();
    const { proxy } = proxyOf(client, {
      authorize: async (request) =>
        ((await request.clone().json()) as { name: string }).name === 'x' && { visitor: 'ann' },
    });
    const headers = { 'content-type': 'application/json' };
    await proxy(fromPage(CAMPAIGN, { method: 'PATCH', headers, body: '{"name":"x"}' }));
    expect(sent[0]?.body).toBe('{"name":"x"}');
  });

  test('is not asked about what is not allowed, or of another origin', async () => {
    const authorize = vi.fn<ProxyOptions['authorize']>(() => ({ visitor: 'ann' }));
    const { proxy } = proxyOf(service().client, { authorize, allow: ['campaigns.get'] });
    await proxy(fromPage('/api/api/email_campaigns'));
    await proxy(fromPage(CAMPAIGN, { headers: { 'sec-fetch-site': 'cross-site' } }));
    expect(authorize).not.toHaveBeenCalled();
  });
});

test('only the tracing headers are passed on', async () => {
  const { client, sent } = service();
  const { proxy } = proxyOf(client);
  const given = { 'x-request-id': '1', traceparent: '2', tracestate: '3', 'x-other': '4', cookie: '5' };
  await proxy(fromPage(CAMPAIGN, { headers: given }));
  const { headers } = sent[0] ?? {};
  expect(Object.keys(given).map((name) => headers?.get(name))).toEqual(['1', '2', '3', null, null]);
});

test('a header of these that cannot be sent is left out, and the request is sent', async () => {
  const { client, sent } = service();
  const { proxy, failures } = proxyOf(client);
  for (const value of ['a\u0001b', 'a\u007f', '\u001b[31m']) {
    const headers = { 'x-request-id': value, accept: value, traceparent: value, tracestate: 'k=v' };
    expect((await proxy(fromPage(CAMPAIGN, { headers }))).status).toBe(200);
    expect(sent.at(-1)?.headers.get('x-request-id')).toBe(null);
    expect(sent.at(-1)?.headers.get('tracestate')).toBe('k=v');
  }
  expect(failures).toEqual([]);
});

test('an observer that throws does no harm', async () => {
  const { proxy } = proxyOf(service().client, {
    allow: [],
    onRefused: () => {
      throw new Error('no');
    },
  });
  expect((await proxy(fromPage(CAMPAIGN))).status).toBe(403);
});

test('proxyHosts are paths below the proxy', () => {
  const hosts = { api: '/email/api', send: '/email/send', bulk: '/email/bulk', sandbox: '/email/sandbox' };
  expect(proxyHosts('/email')).toEqual(hosts);
  expect(proxyHosts('/email/')).toEqual(hosts);
});
