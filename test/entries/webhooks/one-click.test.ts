import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigurationError } from 'email-platform';
import { readOneClick } from 'email-platform/webhooks';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { describe, expect, onTestFinished, test } from 'vitest';

const ADDRESS = 'https://shop.example.com/unsubscribe?token=7f3a';
const FORM = 'application/x-www-form-urlencoded';
const click = () => new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
const multipart = (
  pairs: readonly (readonly [string, string | Blob])[] = [['List-Unsubscribe', 'One-Click']],
) => {
  const form = new FormData();
  for (const [name, value] of pairs) form.append(name, value);
  return form;
};
const post = (init: RequestInit) => new Request(ADDRESS, { method: 'POST', ...init });
const typed = (body: BodyInit, type: string) => post({ body, headers: { 'content-type': type } });

describe('A Request', () => {
  test.each([
    ['URL-encoded', () => post({ body: click() })],
    ['with a charset', () => typed(String(click()), `${FORM}; charset=UTF-8`)],
    ['multipart', () => post({ body: multipart() })],
  ])('of a provider is a click: %s', async (_, request) => {
    expect(await readOneClick(request())).toBe(true);
  });

  test.each([
    ['a GET', () => new Request(ADDRESS)],
    ['a HEAD', () => new Request(ADDRESS, { method: 'HEAD' })],
    ['a PUT', () => new Request(ADDRESS, { method: 'PUT', body: click() })],
    ['a POST without a body', () => post({})],
    ['an empty form', () => typed('', FORM)],
    ['another value', () => post({ body: new URLSearchParams({ 'List-Unsubscribe': 'one-click' }) })],
    ['another field', () => post({ body: new URLSearchParams({ 'list-unsubscribe': 'One-Click' }) })],
    ['two fields', () => typed(`${click()}&token=1`, FORM)],
    ['the field twice', () => typed(`${click()}&${click()}`, FORM)],
    ['JSON', () => typed('{"List-Unsubscribe":"One-Click"}', 'application/json')],
    ['text', () => typed(String(click()), 'text/plain')],
    ['a form that the type denies', () => typed(String(click()), 'multipart/form-data; boundary=a')],
    ['a multipart form without a boundary', () => typed(String(click()), 'multipart/form-data')],
    ['a file', () => post({ body: multipart([['List-Unsubscribe', new Blob(['One-Click'])]]) })],
    [
      'a form with more',
      () =>
        post({
          body: multipart([
            ['List-Unsubscribe', 'One-Click'],
            ['a', 'b'],
          ]),
        }),
    ],
    ['a form of a megabyte', () => typed(`${click()}${'&'.repeat(1e6)}`, FORM)],
  ])('is not a click: %s', async (_, request) => {
    expect(await readOneClick(request())).toBe(false);
  });

  test('each part of a multipart click is not a click', async () => {
    const whole = new Response(multipart());
    const [type, text] = [whole.headers.get('content-type') ?? '', await whole.text()];
    expect(await readOneClick(typed(text, type))).toBe(true);
    const closing = text.lastIndexOf('--');
    for (let length = 0; length < closing; length += 1)
      expect(await readOneClick(typed(text.slice(0, length), type)), text.slice(0, length)).toBe(false);
  });

  test.each([
    [16_384, true],
    [16_385, false],
  ])('a form of %i bytes: %s', async (bytes, isClick) => {
    const body = `${click()}${'&'.repeat(bytes - String(click()).length)}`;
    expect(await readOneClick(typed(body, FORM))).toBe(isClick);
    const read = { method: 'POST', headers: { 'content-type': FORM }, body: new TextEncoder().encode(body) };
    expect(await readOneClick(read)).toBe(isClick);
  });

  test('a stream that breaks is not a click', async () => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('closed')),
    });
    expect(await readOneClick({ method: 'POST', headers: { 'content-type': FORM }, body })).toBe(false);
  });

  test('that was read before is a mistake of the program', async () => {
    const request = post({ body: click() });
    await request.text();
    await expect(readOneClick(request)).rejects.toThrow(ConfigurationError);
    await expect(readOneClick(undefined as never)).rejects.toThrow('request must be a Request');
  });
});

describe('A request of Node', () => {
  const nodeRequest = (more: object) => ({ method: 'post', headers: { 'content-type': FORM }, ...more });

  test('with the fields of a parsed form is a click only with the one field', async () => {
    const field = { 'List-Unsubscribe': 'One-Click' };
    expect(await readOneClick(nodeRequest({ body: field }))).toBe(true);
    expect(await readOneClick(nodeRequest({ body: { ...field, token: '1' } }))).toBe(false);
  });

  test('that was read before is a mistake of the program', async () => {
    const read = nodeRequest({ readableDidRead: true, [Symbol.asyncIterator]: () => [] });
    await expect(readOneClick(read)).rejects.toThrow('The body was read before');
  });

  test('is closed at the size that no click has', async () => {
    let isClosed = false;
    async function* endless() {
      try {
        for (;;) yield new Uint8Array(await Promise.resolve(1_000));
      } finally {
        isClosed = true;
      }
    }
    expect(await readOneClick(nodeRequest({ [Symbol.asyncIterator]: endless }))).toBe(false);
    await expect.poll(() => isClosed).toBe(true);
  });
});

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const frameworks: Readonly<Record<string, (seen: boolean[]) => Promise<number>>> = {
  'Node alone': async (seen) =>
    portOf(
      createServer((request: IncomingMessage, response) => {
        void readOneClick(request).then((isClick) => {
          seen.push(isClick);
          response.end();
        });
      }),
    ),
  'Express without a parser': async (seen) => portOf(createServer(expressWith(seen))),
  'Express with urlencoded': async (seen) => portOf(createServer(expressWith(seen, express.urlencoded()))),
  'Express with text': async (seen) =>
    portOf(createServer(expressWith(seen, express.text({ type: () => true })))),
  Fastify: async (seen) => {
    const app = fastify();
    app.addContentTypeParser(/^(application|multipart)\//, { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    app.all('/', async (request) => {
      seen.push(await readOneClick(request));
      return '';
    });
    onTestFinished(() => void app.close());
    return Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  },
  Hono: async (seen) => {
    const app = new Hono().all('/', async (context) => {
      seen.push(await readOneClick(context.req.raw));
      return context.body(null, 204);
    });
    return portOf(
      createServer((request, response) => {
        const { method = '', headers } = request;
        const body = method === 'GET' ? null : (request as unknown as BodyInit);
        const init = { method, headers: headers as Record<string, string>, body, duplex: 'half' };
        void Promise.resolve(app.fetch(new Request(ADDRESS.replace(/unsub.*/, ''), init))).then(() =>
          response.end(),
        );
      }),
    );
  },
};

function expressWith(seen: boolean[], ...parsers: ReturnType<typeof express.text>[]) {
  const app = express();
  for (const parser of parsers) app.use(parser);
  app.use(async (request, response) => {
    seen.push(await readOneClick(request));
    response.end();
  });
  return app;
}

test.each(Object.entries(frameworks))('On %s, a click is read, and nothing else is one', async (_, start) => {
  const seen: boolean[] = [];
  const url = `http://127.0.0.1:${await start(seen)}/`;
  await fetch(url, { method: 'POST', body: click() });
  await fetch(url, { method: 'POST', body: multipart() });
  await fetch(url);
  await fetch(url, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'Yes' }) });
  expect(seen).toEqual([true, true, false, false]);
});
