import { ApiError, EmailPlatform } from 'email-platform';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { rawResponse, rawServer } from './raw-server.ts';

const misdirected = rawResponse('421 Misdirected Request');

describe('After a 421, which Node repeats by itself, the global fetch', () => {
  async function setUp() {
    const server = await rawServer(misdirected);
    onTestFinished(() => void server.close());
    const hosts = { api: server.url, send: server.url };
    const options = { token: 'token', hosts, retry: false } as const;
    return { ...server, client: new EmailPlatform(options) };
  }

  test('sends an email once, whole and with its length', async () => {
    const { client, requests } = await setUp();
    const mail = {
      from: { email: 'a@example.com' },
      to: [{ email: 'b@example.com' }],
      subject: 'Grüße',
      text: 'Hi',
    };
    const error = await rejection(client.sending.send(mail), ApiError);
    expect(error.status).toBe(421);
    expect(requests).toHaveLength(1);
    const [head = '', body = ''] = requests[0]?.split('\r\n\r\n') ?? [];
    expect(head).not.toMatch(/transfer-encoding/i);
    expect(head).toMatch(/content-type: application\/json/i);
    expect(JSON.parse(Buffer.from(body, 'latin1').toString())).toEqual(mail);
  });

  test('sends an attachment from a stream once', async () => {
    const { client, requests } = await setUp();
    const content = new Blob(['x'.repeat(100_000)]).stream();
    const mail = {
      from: { email: 'a@example.com' },
      to: [{ email: 'b@example.com' }],
      subject: 'Hi',
      text: 'Hi',
      attachments: [{ filename: 'a.txt', content }],
    };
    await rejection(client.sending.send(mail), ApiError);
    expect(requests).toHaveLength(1);
  });

  test('sends a request without a body once', async () => {
    const { client, requests } = await setUp();
    await rejection(client.request({ method: 'POST', path: '/api/anything' }), ApiError);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatch(/\r\ncontent-length: 0\r\n/i);
  });

  test('sends each attempt of a retry with a body of its own', async () => {
    const server = await rawServer(() =>
      server.requests.length === 1
        ? rawResponse('429 Too Many Requests', '{"error":"Throttled"}', ['retry-after: 0'])
        : rawResponse('200 OK', '{"success":true,"message_ids":["1"]}'),
    );
    onTestFinished(() => void server.close());
    const client = new EmailPlatform({ token: 'token', hosts: { send: server.url } });
    const mail = {
      from: { email: 'a@example.com' },
      to: [{ email: 'b@example.com' }],
      subject: 'Hi',
      text: 'Hi',
    };
    await client.sending.send(mail);
    const bodies = server.requests.map((request) => request.split('\r\n\r\n')[1]);
    expect(bodies).toEqual([JSON.stringify(mail), JSON.stringify(mail)]);
  });
});

const mail = { from: 'a@example.com', to: 'b@example.com', subject: 'Grüße', text: 'Hi' };

/** Reads what it is given, as mocks and wrappers do. */
function readingFetch() {
  const given: (readonly [input: unknown, init: RequestInit])[] = [];
  const send: EmailPlatform.Fetch = (input, init = {}) => {
    given.push([input, init]);
    return Promise.resolve(Response.json({ success: true, message_ids: ['1'] }));
  };
  return { given, send };
}

test.each(['the global fetch, if it is not Node’s own,', 'a fetch of the caller'])(
  '%s gets an address, plain headers and the text, and no cache keeps it',
  async (whose) => {
    const { given, send } = readingFetch();
    const isGlobal = whose.startsWith('the global');
    if (isGlobal) vi.stubGlobal('fetch', send);
    onTestFinished(() => void vi.unstubAllGlobals());
    const hosts = { send: 'https://send.example.com' };
    const client = new EmailPlatform({ token: 'token', hosts, ...(!isGlobal && { fetch: send }) });
    await client.sending.send(mail);
    const [[input, init] = []] = given;
    expect([input, init]).toEqual([
      'https://send.example.com/api/send',
      {
        method: 'POST',
        headers: expect.objectContaining({
          authorization: 'Bearer token',
          'content-type': 'application/json',
        }) as unknown,
        body: expect.any(String) as unknown,
        redirect: 'manual',
        cache: 'no-store',
        signal: expect.any(AbortSignal) as unknown,
      },
    ]);
    expect(Object.getPrototypeOf(init?.headers)).toBe(Object.prototype);
    expect(JSON.parse(init?.body as string)).toMatchObject({ subject: 'Grüße' });
  },
);

test('a fetch of the caller that passes an email on to Node’s is repeated by that after a 421', async () => {
  const server = await rawServer(misdirected);
  onTestFinished(() => void server.close());
  const options = { token: 'token', hosts: { send: server.url }, retry: false } as const;
  const client = new EmailPlatform({ ...options, fetch: (input, init) => fetch(input, init) });
  await rejection(client.sending.send(mail), ApiError);
  expect(server.requests).toHaveLength(2);
  expect(server.requests[0]).toMatch(/\r\ncache-control: no-cache\r\n/i);
});

test('Node’s own fetch adds no header for a cache', async () => {
  const server = await rawServer(rawResponse('200 OK', '{"success":true,"message_ids":["1"]}'));
  onTestFinished(() => void server.close());
  await new EmailPlatform({ token: 'token', hosts: { send: server.url } }).sending.send(mail);
  expect(server.requests[0]).not.toMatch(/cache-control|pragma/i);
});
