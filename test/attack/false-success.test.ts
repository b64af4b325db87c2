import { gzipSync } from 'node:zlib';
import {
  ConnectionError,
  EmailPlatform,
  ResponseFormatError,
  type EmailPlatformError,
  type SendParams,
} from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { portWith } from '../support/sockets.ts';
import { rawResponse, rawServer } from './raw-server.ts';

const mail = {
  from: { email: 'a@example.com' },
  to: [{ email: 'b@example.com' }],
  subject: 'Hi',
  text: 'Hi',
} satisfies SendParams;
const ways: [string, (client: EmailPlatform) => Promise<unknown>][] = [
  ['send', ({ sending }) => sending.send(mail)],
  ['batch', ({ sending }) => sending.batch({ requests: [mail] })],
  [
    'batchAll',
    async ({ sending }) => {
      for await (const { status, error } of sending.batchAll([mail])) {
        expect(status).toBe('unknown');
        throw error ?? new Error('An unknown outcome without its error.');
      }
    },
  ],
];
const remove: (typeof ways)[number] = ['delete', ({ campaigns }) => campaigns.delete(1)];

const clientOf = (url: string) => new EmailPlatform({ token: 'token', hosts: { api: url, send: url } });

const good = '{"success":true,"message_ids":["1"]}';
const page = '<!doctype html><title>Sign in to the network</title>';
const chunked = (chunks: string) =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${chunks}`;

const EMPTY = ['an empty body', 'no chunk but the last'];

describe.each<[string, string]>([
  ['the page of a captive portal', rawResponse('200 OK', page, ['content-type: text/html'])],
  ['an empty body', rawResponse('200 OK')],
  ['white space', rawResponse('200 OK', '\r\n')],
  ['a body in UTF-16', rawResponse('200 OK', good.replace(/./g, '$&\0'))],
  ['JSON twice', rawResponse('200 OK', good + good)],
  ['the beginning of JSON', rawResponse('200 OK', good.slice(0, 20))],
  ['no chunk but the last', chunked('0\r\n\r\n')],
  ['203 and errors', rawResponse('203 Non-Authoritative', '{"errors":["no"]}')],
])('Something else than the service, which returns %s:', (name, response) => {
  // An empty body says nothing of a mail, and enough of a deletion.
  const judged = EMPTY.includes(name) ? ways : [...ways, remove];
  test.each(judged)('%s may have been carried out, and is not repeated', async (_way, call) => {
    const { url, requests } = await rawServer(response);
    const error = await rejection(call(clientOf(url)), ResponseFormatError);
    expect(error).toMatchObject({ effect: 'unknown', request: { attempts: 1 } });
    expect(requests).toHaveLength(1);
  });
});

test.each([rawResponse('200 OK'), chunked('0\r\n\r\n')])(
  'A deletion is done when nothing is said: %j',
  async (response) => {
    const { url, requests } = await rawServer(response);
    await expect(remove[1](clientOf(url))).resolves.toBeUndefined();
    expect(requests).toHaveLength(1);
  },
);

describe('A success whose body breaks off', () => {
  test.each<[string, string]>([
    ['before its stated length', rawResponse('200 OK', good).slice(0, -5)],
    ['at its stated length but for one', rawResponse('200 OK', good).slice(0, -1)],
    ['between two chunks', chunked(`${good.length.toString(16)}\r\n${good}\r\n`)],
  ])('%s is not a success: every email is sent once', async (_, response) => {
    for (const [, call] of ways) {
      let connections = 0;
      const port = await portWith((socket) => {
        connections += 1;
        socket.once('data', () => socket.end(response));
      });
      const error: EmailPlatformError = await rejection(
        call(clientOf(`http://127.0.0.1:${port}`)),
        ConnectionError,
      );
      expect(error).toMatchObject({ effect: 'unknown', phase: 'exchange', request: { attempts: 1 } });
      expect(connections).toBe(1);
    }
  });
});

describe('A success of the service is one', () => {
  test.each<[string, string]>([
    ['with a byte order mark', rawResponse('200 OK', `\uFEFF${good}`)],
    ['as text/html', rawResponse('200 OK', good, ['content-type: text/html'])],
    ['in chunks of one character', chunked(`${good.replace(/./g, '1\r\n$&\r\n')}0\r\n\r\n`)],
    ['with a status of its own', rawResponse('299 Miscellaneous', good)],
  ])('%s', async (_, response) => {
    const { url, requests } = await rawServer(response);
    expect(await clientOf(url).sending.send(mail)).toEqual({ success: true, message_ids: ['1'] });
    expect(requests).toHaveLength(1);
  });

  test('compressed', async () => {
    const port = await portWith((socket) => {
      socket.once('data', () => {
        const body = gzipSync(`\uFEFF${good}`);
        socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`);
        socket.end(body);
      });
    });
    const { message_ids } = await clientOf(`http://127.0.0.1:${port}`).sending.send(mail);
    expect(message_ids).toEqual(['1']);
  });
});
