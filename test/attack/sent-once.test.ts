import { ApiError, EmailPlatform } from 'email-platform';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { rawResponse, rawServer } from './raw-server.ts';

const misdirected = rawResponse('421 Misdirected Request');

/** Node's own `fetch` under another name, as a caller passes it. */
const wrappedFetch: typeof fetch = (input, init) => fetch(input, init);

describe.each([
  ['the global fetch', undefined],
  ['a fetch of the caller', wrappedFetch],
])('After a 421, which Node repeats by itself, %s', (_, fetch) => {
  async function setUp() {
    const server = await rawServer(misdirected);
    onTestFinished(() => void server.close());
    const hosts = { api: server.url, send: server.url };
    const options = { token: 'token', hosts, retry: false, ...(fetch && { fetch }) } as const;
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
    const client = new EmailPlatform({
      token: 'token',
      hosts: { send: server.url },
      ...(fetch && { fetch }),
    });
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

test('an email is given to the global fetch once: as what that cannot repeat, and not in its request as well', async () => {
  const given: (readonly [unknown, unknown])[] = [];
  const watchedFetch: typeof fetch = (input, init) => {
    given.push([(input as Request).body, init?.body]);
    return Promise.resolve(Response.json({ success: true, message_ids: ['1'] }));
  };
  vi.stubGlobal('fetch', watchedFetch);
  onTestFinished(() => void vi.unstubAllGlobals());
  const client = new EmailPlatform({ token: 'token', hosts: { send: 'https://send.example.com' } });
  await client.sending.send({ from: 'a@example.com', to: 'b@example.com', subject: 'Hi', text: 'Hi' });
  expect(given).toEqual([[null, expect.any(ReadableStream)]]);
});
