import { EmailPlatform } from 'email-platform';
import type { ProxyOptions } from 'email-platform/proxy';
import { describe, expect, test } from 'vitest';
import { json, scriptedFetch, text, type Turn } from '../../support/scripted-fetch.ts';
import { fromPage, proxyOf } from './harness.ts';

const HOSTS = {
  api: 'https://service-7f3a.test/base',
  send: 'https://send.service-7f3a.test',
  bulk: 'http://localhost:4017',
};
const CAMPAIGN = '/api/api/email_campaigns/7';
const MESSAGE = '/api/api/email_logs/f2b1c7de-0f5c-4a53-9d3b-6f1d2a7c9e10';

async function received(path: string, turn: Turn, options: Partial<ProxyOptions> = {}) {
  const { fetch } = scriptedFetch(turn);
  const client = new EmailPlatform({ token: 'token-7', hosts: HOSTS, fetch, throttle: false, retry: false });
  const response = await proxyOf(client, options).proxy(fromPage(path));
  return { status: response.status, headers: response.headers, body: await response.text() };
}
const jsonOf = async (...args: Parameters<typeof received>): Promise<unknown> =>
  JSON.parse((await received(...args)).body);

describe('Signed addresses are null', () => {
  const SIGNED = 'https://files.test/a/5up3r-s1gned';
  const parts = '/api/testing_message_parts/5up3r-s1gned/download';
  test.each<[string, string, unknown, unknown]>([
    [
      'a raw message',
      '/api/api/email_logs/f2b1c7de-0f5c-4a53-9d3b-6f1d2a7c9e10',
      { raw_message_url: SIGNED },
      { raw_message_url: null },
    ],
    [
      'a raw inbound message',
      '/api/api/inbound/inboxes/1/messages/2',
      { raw_message_url: SIGNED },
      { raw_message_url: null },
    ],
    [
      'attachments of one',
      '/api/api/inbound/inboxes/1/messages/2',
      { attachments: [{ download_url: SIGNED }] },
      { attachments: [{ download_url: null }] },
    ],
    ['an export', '/api/api/contacts/exports/1', { id: 1, url: SIGNED }, { id: 1, url: null }],
    [
      'an attachment',
      '/api/api/sandboxes/1/messages/2/attachments/3',
      { download_path: parts },
      { download_path: null },
    ],
    [
      'a list of them',
      '/api/api/sandboxes/1/messages/2/attachments',
      [{ download_path: parts }],
      [{ download_path: null }],
    ],
    [
      'links to share a project',
      '/api/api/projects/1',
      { share_links: { admin: SIGNED, viewer: SIGNED } },
      { share_links: { admin: null, viewer: null } },
    ],
    [
      'a field that looks like one',
      CAMPAIGN,
      { preview_url: `${SIGNED}?s=1`, 'a-Link': ['/x', `/x?s=1`] },
      { preview_url: null, 'a-Link': ['/x', null] },
    ],
    [
      'a field in an object that looks like one',
      CAMPAIGN,
      {
        download_url: { a: `${SIGNED}?s=1`, b: { c: [`${SIGNED}?s=2`, 'd'] }, [`${SIGNED}?s=3`]: 1 },
        name: { a: `${SIGNED}?s=4` },
      },
      {
        download_url: { a: null, b: { c: [null, 'd'] }, '[redacted]': 1 },
        name: { a: `${SIGNED}?s=4` },
      },
    ],
    [
      'a signed field in an object under another address',
      MESSAGE,
      { preview_url: { raw_message_url: SIGNED, other_url: SIGNED } },
      { preview_url: { raw_message_url: null, other_url: SIGNED } },
    ],
    [
      'an object of them',
      '/api/api/projects/1',
      { share_links: { admin: { next_url: `${SIGNED}?s=1`, name: SIGNED } } },
      { share_links: { admin: { next_url: null, name: null } } },
    ],
  ])('of %s', async (_, path, given, expected) => {
    expect(await jsonOf(path, json(200, given))).toEqual(expected);
    // Whatever the service says its type is.
    expect(await jsonOf(path, text(200, JSON.stringify(given), 'application/octet-stream'))).toEqual(
      expected,
    );
    // In refusals, too.
    const refused = { errors: ['no'], more: given };
    expect(await jsonOf(path, json(422, refused))).toEqual({ errors: ['no'], more: expected });
    expect(await jsonOf(path, json(200, given), { signedUrls: true })).toEqual(given);
  });

  test('however their names are written', async () => {
    const written = `{"raw_message\\u005furl":"https:\\/\\/files.test\\/5up3r","raw_message_url" : "${SIGNED}"}`;
    const { body } = await received(MESSAGE, text(200, written, 'application/json'));
    expect(body).toBe('{"raw_message_url":null}');
  });

  test('but not what a user wrote', async () => {
    const written = {
      click_url: 'https://shop.test/?order=7',
      name: 'https://shop.test/?order=7',
      text: '"raw_message_url":"https://files.test/?a"',
    };
    expect(await jsonOf(MESSAGE, json(200, written))).toEqual(written);
    const webhook = { data: [{ url: 'https://hooks.test/?key=7' }] };
    expect(await jsonOf('/api/api/webhooks', json(200, webhook))).toEqual(webhook);
    const message = { download_path: '/api/sandboxes/1/messages/2/body.eml' };
    expect(await jsonOf('/api/api/sandboxes/1/messages/2', json(200, message))).toEqual(message);
  });

  test('nor anything that is not an address: numbers, long ids, depth', async () => {
    const { body } = await received(
      CAMPAIGN,
      text(200, '{"id":12345678901234567890,"a":[1.5,-0.25,true,null,{"b":{}}],"url":7}', 'application/json'),
    );
    expect(body).toBe('{"id":"12345678901234567890","a":[1.5,-0.25,true,null,{"b":{}}],"url":7}');
  });
});

describe('The service’s hosts are cut out', () => {
  const said =
    'upstream https://service-7f3a.test/base/api at SEND.service-7f3a.test, http://localhost:4017/x';
  const cut = 'upstream https://[redacted]/base/api at [redacted], http://[redacted]/x';

  test.each<[string, Turn, string]>([
    ['a result', json(200, { data: { [said]: [said] } }), JSON.stringify({ data: { [cut]: [cut] } })],
    [
      'a result, escaped',
      text(200, `{"a":"https:\\/\\/service\\u002d7f3a.test\\/x"}`, 'application/json'),
      '{"a":"https://[redacted]/x"}',
    ],
    ['a refusal', json(422, { errors: { name: [said] } }), JSON.stringify({ errors: { name: [cut] } })],
    ['a page of a gateway', text(502, `<p>${said}</p>`, 'text/html'), `<p>${cut}</p>`],
    ['a text', text(200, said), cut],
    [
      'an encoded address',
      text(200, 'next=https%3A%2F%2Fservice-7f3a.test%2Fapi'),
      'next=https%3A%2F%2F[redacted]%2Fapi',
    ],
  ])('of %s', async (_, turn, expected) => {
    expect((await received(CAMPAIGN, turn)).body).toBe(expected);
  });

  test('and of headers', async () => {
    const { headers } = await received(CAMPAIGN, json(200, {}, { 'x-request-id': 'service-7f3a.test-9' }));
    expect(headers.get('x-request-id')).toBe('service-7f3a.test-9');
    const { headers: cutHeaders } = await received(
      CAMPAIGN,
      json(429, {}, { 'x-request-id': '9@service-7f3a.test' }),
    );
    expect(cutHeaders.get('x-request-id')).toBe('9@[redacted]');
  });

  test('but no other name, nor the host of the page', async () => {
    const other = 'smtp.service-7f3a.test service-7f3a.test.example localhost https://app.test/x';
    expect((await received(CAMPAIGN, text(200, other))).body).toBe(other);
    const { fetch } = scriptedFetch(text(200, 'https://app.test/gateway'));
    const client = new EmailPlatform({ token: 'token-7', hosts: { api: 'https://app.test/gateway' }, fetch });
    expect(await (await proxyOf(client).proxy(fromPage(CAMPAIGN))).text()).toBe('https://app.test/gateway');
  });
});

test('a result that is nested more deeply than it could be read is not passed on', async () => {
  const { fetch } = scriptedFetch(text(200, '['.repeat(100_000) + ']'.repeat(100_000), 'application/json'));
  const client = new EmailPlatform({ token: 'token-7', hosts: HOSTS, fetch, throttle: false, retry: false });
  const { proxy, failures } = proxyOf(client);
  expect((await proxy(fromPage(CAMPAIGN))).status).toBe(502);
  expect(failures).toMatchObject([{ status: 502, error: { message: 'The response is nested too deeply.' } }]);
});
