import {
  ApiError,
  EmailPlatform,
  RateLimitError,
  ServerError,
  ValidationError,
  type EmailPlatformOptions,
} from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { everythingOf } from '../../support/everything-of.ts';
import {
  broken,
  empty,
  failure,
  json,
  lost,
  refusedConnection,
  scriptedFetch,
  text,
  type Turn,
} from '../../support/scripted-fetch.ts';
import { until, virtualClient } from '../../support/virtual-client.ts';
import { fromPage, pageClient, proxyOf } from './harness.ts';

const TOKEN = 's3cr3t-t0k3n-of-the-server';
const HOST = 'https://service-7f3a.test';

function behind(turn: Turn, options: EmailPlatformOptions = {}) {
  const { fetch, sent } = scriptedFetch(turn);
  const client = new EmailPlatform({
    token: TOKEN,
    accountId: 83_721,
    hosts: { api: HOST, send: HOST },
    fetch,
    throttle: false,
    retry: false,
    ...options,
  });
  return { client, sent, ...proxyOf(client) };
}

const LIMITS = {
  'x-ratelimit-limit': '150',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': '2026-03-01T12:00:07.000Z',
  date: 'Sun, 01 Mar 2026 12:00:00 GMT',
  'retry-after': '9',
  'x-request-id': 'r-1',
};

/** The readable fields of an error. */
function fieldsOf(error: ApiError) {
  const { name, message, code, status, body, messages, effect, requestId } = error;
  const { fieldErrors, reasons, resetAt, retryAfterMs, pool } = error as ApiError & Record<string, unknown>;
  const limits = Object.keys(LIMITS).map((header) => error.headers.get(header));
  return {
    name,
    message,
    code,
    status,
    body,
    messages,
    effect,
    requestId,
    fieldErrors,
    reasons,
    resetAt,
    retryAfterMs,
    pool,
    limits,
  };
}

describe('the page gets the same error as the server would', () => {
  test.each<[string, Turn]>([
    ['400', json(400, { errors: ['Invalid filter'] }, LIMITS)],
    ['401', json(401, { error: 'Incorrect API token' })],
    ['403', json(403, { errors: 'Access forbidden' })],
    ['404', json(404, { error: 'Not found' }, LIMITS)],
    ['404 without a body', empty(404)],
    ['409', json(409, { errors: ['Conflict'] })],
    ['422 by field', json(422, { errors: { name: ["can't be blank"], base: ['is wrong'] } }, LIMITS)],
    ['422 by reason', json(422, { errors: ["Audience can't be blank"] })],
    ['429', json(429, { errors: 'Throttled' }, LIMITS)],
    ['429 without headers', json(429, {})],
    ['500', json(500, { error: 'Internal Server Error' })],
    ['501', json(501, { error: 'no' })],
    ['502 as a page', text(502, '<html>Bad gateway</html>', 'text/html')],
    ['503 as text', text(503, 'busy')],
  ])('%s', async (_, turn) => {
    const direct = await rejection(behind(turn).client.campaigns.update(7, { name: 'x' }), ApiError);
    const { proxy, refusals, failures } = behind(turn);
    const inPage = await rejection(pageClient(proxy).campaigns.update(7, { name: 'x' }), ApiError);
    const expected = fieldsOf(direct);
    // A page's type is not passed on: the message may name it.
    expect(fieldsOf(inPage)).toEqual({
      ...expected,
      message: expected.message.replace('text/html', 'text/plain; charset=utf-8'),
    });
    expect([...refusals, ...failures]).toEqual([]);
  });

  test('with the time of the reset by the service’s clock', async () => {
    const { proxy } = behind(json(429, { errors: 'Throttled' }, LIMITS));
    const error = await rejection(pageClient(proxy).campaigns.get(7), RateLimitError);
    expect(error.retryAfterMs).toBe(7_000);
  });

  test('and metadata of a response', async () => {
    const { proxy } = behind(json(200, { data: { id: 7 } }, LIMITS));
    const { response } = await pageClient(proxy).campaigns.get(7).withResponse();
    expect(response).toMatchObject({
      status: 200,
      requestId: 'r-1',
      rateLimit: { limit: 150, remaining: 0 },
    });
  });
});

describe('a failure without a response of the service', () => {
  test.each<[string, Turn, number, string]>([
    ['never sent', refusedConnection, 503, 'connection_failed'],
    ['lost', lost, 502, 'connection_failed'],
    ['a redirect', () => Response.redirect('https://elsewhere.test/', 302), 502, 'redirect_refused'],
  ])('%s', async (_, turn, status, code) => {
    const { proxy, failures } = behind(turn);
    const error = await rejection(pageClient(proxy).campaigns.update(7, { name: 'x' }), ServerError);
    expect(error.status).toBe(status);
    expect(everythingOf(error)).not.toMatch(/ECONN|service-7f3a|elsewhere/);
    expect(failures).toMatchObject([{ operation: 'campaigns.update', status, error: { code } }]);
  });

  test('a timeout', async () => {
    const { proxy, failures } = behind(() => new Promise(() => undefined), { timeoutMs: 5 });
    const response = await proxy(fromPage('/api/api/email_campaigns/7'));
    expect(response.status).toBe(504);
    expect(failures).toMatchObject([{ error: { code: 'timeout' } }]);
  });

  test('a client without the host', async () => {
    const { proxy, failures } = behind(json(200, {}));
    const error = await rejection(
      pageClient(proxy).sending.send(
        { from: { email: 'a@b.test' }, to: [{ email: 'a@b.test' }], subject: 's', text: 't' },
        { stream: 'bulk' },
      ),
      ServerError,
    );
    expect(error.status).toBe(500);
    expect(everythingOf(error)).not.toContain('hosts.bulk');
    expect(failures).toMatchObject([{ error: { code: 'configuration' } }]);
  });

  test.each<[string, unknown]>([
    ['an error', new Error('database at db.internal is down')],
    ['nothing', undefined],
  ])('authorize throws %s', async (_, thrown) => {
    const { client } = behind(json(200, {}));
    const { proxy, failures } = proxyOf(client, {
      authorize: () => {
        throw thrown;
      },
    });
    const response = await proxy(fromPage('/api/api/email_campaigns/7'));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('internal');
    expect(failures).toMatchObject([{ operation: 'campaigns.get', error: thrown }]);
  });
});

describe('only one side retries', () => {
  test('the server, what is safe to repeat', async () => {
    const { client, time } = virtualClient({
      fetch: scriptedFetch(lost, json(200, { data: { id: 7 } })).fetch,
    });
    const { proxy } = proxyOf(client);
    const got = pageClient(proxy).campaigns.get(7);
    await until(() => time.nextAt < Infinity);
    time.fireNext();
    expect(await got).toEqual({ id: 7 });
  });

  test('not even the server, a POST or PATCH that may have been carried out', async () => {
    const { fetch, sent } = scriptedFetch(lost);
    const { proxy } = proxyOf(virtualClient({ fetch }).client);
    await rejection(pageClient(proxy).campaigns.start(7), ServerError);
    await rejection(pageClient(proxy).campaigns.update(7, { name: 'x' }), ServerError);
    expect(sent).toHaveLength(2);
  });

  test('a deletion whose response was lost has succeeded if there is nothing to delete', async () => {
    const { fetch, sent } = scriptedFetch(lost, json(404, { error: 'Not found' }));
    const { client, time } = virtualClient({ fetch });
    const gone = pageClient(proxyOf(client).proxy).campaigns.delete(7);
    await until(() => time.nextAt < Infinity);
    time.fireNext();
    await expect(gone).resolves.toBeUndefined();
    expect(sent).toHaveLength(2);
  });
});

describe('nothing of the server reaches the page', () => {
  const echoes: [string, Turn][] = [
    ['a result', ({ headers }) => Response.json({ data: { id: 7, name: headers.get('authorization') } })],
    [
      'a result, escaped',
      () => Response.json({ data: { id: 7, name: TOKEN } }, { headers: { 'x-request-id': TOKEN } }),
    ],
    [
      'a result, beside a header without it',
      () => Response.json({ data: { id: 7, name: TOKEN } }, { headers: { 'x-request-id': '7' } }),
    ],
    [
      'a result’s header',
      () => Response.json({ data: { id: 7 } }, { headers: { 'x-request-id': `Bearer ${TOKEN}` } }),
    ],
    [
      'an error',
      ({ headers }) => Response.json({ errors: { name: [headers.get('authorization')] } }, { status: 422 }),
    ],
    [
      'an error’s header',
      () => Response.json({}, { status: 500, headers: { 'x-request-id': `Bearer ${TOKEN}` } }),
    ],
    [
      'a page of a gateway',
      ({ headers }) => new Response(`<p>${JSON.stringify([...headers])}`, { status: 502 }),
    ],
    ['what breaks', failure(Object.assign(broken('ECONNRESET', 'read'), { token: TOKEN }))],
  ];
  test.each(echoes)('when the token is in %s', async (_, turn) => {
    const { proxy } = behind(turn);
    const response = await proxy(fromPage('/api/api/email_campaigns/7'));
    const all = JSON.stringify([...response.headers]) + (await response.text());
    expect(all).not.toContain(TOKEN);
    expect(all).not.toContain('service-7f3a');
    expect(all).not.toContain('83721');
  });

  test('no header of the service but those that a client reads', async () => {
    const { proxy } = behind(
      json(
        200,
        { data: { id: 7 } },
        {
          ...LIMITS,
          'set-cookie': 'a=b',
          server: 'nginx',
          'x-powered-by': 'x',
          link: '<https://service-7f3a.test>',
        },
      ),
    );
    const response = await proxy(fromPage('/api/api/email_campaigns/7'));
    expect(Object.fromEntries(response.headers)).toEqual({
      ...LIMITS,
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': 'application/json; charset=utf-8',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
  });

  test('nor is a page shown as one', async () => {
    const { proxy } = behind(text(200, '<script>alert(1)</script>', 'text/html'));
    const response = await proxy(fromPage('/api/api/email_campaigns/7'));
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  const pages = {
    data: [],
    pagination: {
      token: 1,
      first_url: `${HOST}/api/email_campaigns?token=1&search=a`,
      prev_url: null,
      current_url: `${HOST}/api/email_campaigns`,
      next_url: `${HOST}/api/email_campaigns?token=2&search=a%20b`,
    },
  };
  test('the addresses of pages are those at the proxy', async () => {
    const { proxy } = behind(json(200, pages));
    const { pagination } = await pageClient(proxy).campaigns.list({ search: 'a' });
    const here = 'https://app.test/api/email/api/api/email_campaigns';
    expect(pagination).toEqual({
      token: 1,
      first_url: `${here}?token=1&search=a`,
      prev_url: null,
      current_url: here,
      next_url: `${here}?token=2&search=a%20b`,
    });
  });

  const message = {
    message_id: 'f2b1c7de-0f5c-4a53-9d3b-6f1d2a7c9e10',
    raw_message_url: 'https://files.test/eml/1?signature=abc&x=\\u0026"\\',
    text: 'she wrote "raw_message_url":"https://files.test/?a" in a mail',
    events: [{ details: { click_url: 'https://shop.test/?order=7' } }],
    other: { url: 'https://files.test/export?sig=1', image_url: 'https://files.test/logo.png' },
  };
  test('signed addresses are null', async () => {
    const { proxy } = behind(json(200, message));
    const got: unknown = await pageClient(proxy).emailLogs.get(message.message_id);
    expect(got).toEqual({
      ...message,
      raw_message_url: null,
      other: { url: null, image_url: 'https://files.test/logo.png' },
    });
  });

  test('unless they are asked for', async () => {
    const { client } = behind(json(200, message));
    const { proxy } = proxyOf(client, { signedUrls: true });
    expect(await pageClient(proxy).emailLogs.get(message.message_id)).toEqual(message);
  });
});

test('a refused field is told beside its name', async () => {
  const { proxy } = behind(json(422, { errors: { 'template_attributes.subject': ['is too long'] } }));
  const error = await rejection(pageClient(proxy).campaigns.update(7, { name: 'x' }), ValidationError);
  expect(error.fieldErrors).toEqual({ 'template_attributes.subject': ['is too long'] });
});
