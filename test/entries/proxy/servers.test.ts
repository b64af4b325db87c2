import { getRequestListener } from '@hono/node-server';
import { EmailPlatform, ValidationError } from 'email-platform';
import { proxyHosts, toNodeListener, type EmailProxy } from 'email-platform/proxy';
import { createEmulator } from 'email-platform/testing';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http';
import {
  connect,
  createServer as createHttp2Server,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sized } from '../../support/extent.ts';
import { keepGlobals } from '../../support/kept-globals.ts';
import { listen } from '../../support/ports.ts';
import { settle } from '../../support/virtual-time.ts';
import { proxyOf } from './harness.ts';

// Hono's server replaces them.
keepGlobals('Request', 'Response');

/** The ways of the guide: each serves a proxy that is at /email. */
const SERVERS: Record<string, (proxy: EmailProxy) => RequestListener | Promise<RequestListener>> = {
  'node:http': (proxy) => toNodeListener(proxy),
  Express: (proxy) => express().use('/email', toNodeListener(proxy)),
  'Express, after a body parser': (proxy) =>
    express().use(express.json()).use('/email', toNodeListener(proxy)),
  'Express, after a parser of text': (proxy) =>
    express()
      .use(express.text({ type: () => true }))
      .use('/email', toNodeListener(proxy)),
  'Express, after a parser of bytes': (proxy) =>
    express()
      .use(express.raw({ type: () => true }))
      .use('/email', toNodeListener(proxy)),
  // As body parsers before Express 5 do, which leave an empty object where a body is of another type than theirs.
  'a parser that leaves an empty object': (proxy) => {
    const respond = toNodeListener(proxy);
    return (request, response) => respond(Object.assign(request, { body: {} }), response);
  },
  Hono: (proxy) => getRequestListener(new Hono().all('/email/*', (context) => proxy(context.req.raw)).fetch),
  Fastify: async (proxy) => {
    const app = fastify();
    const respond = toNodeListener(proxy);
    app.all('/email/*', (request, reply) => {
      reply.hijack();
      respond(Object.assign(request.raw, { body: request.body }), reply.raw);
    });
    await app.ready();
    return (request, response) => app.routing(request, response);
  },
};

describe.each(Object.entries(SERVERS))('Behind %s', (_, serve) => {
  async function setUp() {
    const emulator = createEmulator({ limits: false });
    const { proxy, failures } = proxyOf(new EmailPlatform(emulator.clientOptions()), { basePath: '/email' });
    const server = await listen(createServer(await serve(proxy)));
    onTestFinished(async () => {
      await server.close();
    });
    // In the page's stead: Node would ask for a token, and sends no Sec-Fetch-Site.
    const page = new EmailPlatform({
      token: 'token-of-the-page',
      hosts: proxyHosts(`http://127.0.0.1:${server.port}/email`),
      retry: false,
      throttle: false,
      fetch: (input, init) => {
        const request = new Request(input, init);
        request.headers.set('sec-fetch-site', 'same-origin');
        return fetch(request);
      },
    });
    return { emulator, page, failures };
  }

  test('a page lists, creates, changes and deletes', async () => {
    const { page, failures } = await setUp();
    const { id } = await page.templates.create({
      name: 'Receipt',
      subject: 'Grüße 🎉',
      category: 'shop',
      body_text: 'Hello',
    });
    expect(await page.templates.update(id, { name: 'Invoice' })).toMatchObject({ id, name: 'Invoice' });
    expect((await page.templates.list().toArray()).map(({ subject }) => subject)).toContain('Grüße 🎉');
    await page.templates.delete(id);
    expect((await page.templates.list().toArray()).map((one) => one.id)).not.toContain(id);
    expect(failures).toEqual([]);
  });

  test('the service’s refusal arrives as the error it is', async () => {
    const { page } = await setUp();
    const refused = page.contacts.create({ email: 'not an address' });
    const error = await refused.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ status: 422, effect: 'none' });
  });

  test('several cookies of authorize arrive, each by itself', async () => {
    const emulator = createEmulator({ limits: false });
    const headers = new Headers({ location: '/login' });
    headers.append('set-cookie', 'a=1; Path=/');
    headers.append('set-cookie', 'b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT');
    const { proxy } = proxyOf(new EmailPlatform(emulator.clientOptions()), {
      basePath: '/email',
      authorize: () => new Response('log in', { status: 401, headers }),
    });
    const server = await listen(createServer(await serve(proxy)));
    onTestFinished(() => server.close().then(() => undefined));
    const response = await fetch(`http://127.0.0.1:${server.port}/email/api/api/email_templates`, {
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect([response.status, await response.text()]).toEqual([401, 'log in']);
    expect(response.headers.getSetCookie()).toEqual([
      'a=1; Path=/',
      'b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT',
    ]);
  });

  test('a file arrives byte for byte', async () => {
    const { emulator, page } = await setUp();
    const options = { ...emulator.clientOptions(), stream: 'sandbox' as const };
    // Longer than what a socket reads at once.
    const html = `<p>${'Grüße 🎉 '.repeat(sized(50_000, 10_000))}</p>`;
    await new EmailPlatform(options).sending.send({
      from: { email: 'a@example.com' },
      to: [{ email: 'b@example.com' }],
      subject: 'Hi',
      html,
    });
    const inbox = options.sandboxInboxId;
    const [message] = await page.sandbox.messages.list(inbox).toArray();
    expect(await page.sandbox.messages.html(inbox, message?.id ?? 0)).toContain(html);
  });
});

test('A refused request whose body is still arriving ends its connection', async () => {
  const emulator = createEmulator({ limits: false });
  const { proxy } = proxyOf(new EmailPlatform(emulator.clientOptions()), { basePath: '/email', allow: [] });
  const { port, close } = await listen(createServer(toNodeListener(proxy)));
  onTestFinished(() => close().then(() => undefined));
  const headers = { 'sec-fetch-site': 'same-origin', 'content-length': 1_000 };
  const upload = request({ port, method: 'POST', path: '/email/api/api/email_templates', headers });
  onTestFinished(() => void upload.destroy());
  upload.write('{');
  const [response] = (await once(upload, 'response')) as [IncomingMessage];
  expect([response.statusCode, response.headers.connection]).toEqual([403, 'close']);
});

test('Over TLS, a page has the origin https in a browser without Sec-Fetch-Site', async () => {
  const emulator = createEmulator({ limits: false });
  const { proxy } = proxyOf(new EmailPlatform(emulator.clientOptions()), { basePath: '/email' });
  const respond = toNodeListener(proxy);
  // As the socket of node:https is marked.
  const served = createServer((incoming, outgoing) => {
    Object.assign(incoming.socket, { encrypted: true });
    respond(incoming, outgoing);
  });
  const { port, close } = await listen(served);
  onTestFinished(() => close().then(() => undefined));
  const statusFrom = async (scheme: string) => {
    const headers = { origin: `${scheme}://127.0.0.1:${port}` };
    return (await fetch(`http://127.0.0.1:${port}/email/api/api/email_templates`, { headers })).status;
  };
  expect([await statusFrom('https'), await statusFrom('http')]).toEqual([200, 403]);
});

test('A visitor who leaves ends the call that their request made', async () => {
  let sent!: (signal: AbortSignal) => void;
  const inFlight = new Promise<AbortSignal>((resolve) => (sent = resolve));
  const never: EmailPlatform.Fetch = (input, init) => {
    sent(new Request(input, init).signal);
    return new Promise(() => undefined);
  };
  const client = new EmailPlatform({ token: 'token', hosts: { api: 'https://api.test' }, fetch: never });
  const { proxy } = proxyOf(client, { basePath: '/email' });
  const served = createServer(toNodeListener(proxy));
  const left = new Promise<void>((resolve) => {
    served.on('request', (_, response) => response.on('close', resolve));
  });
  const { port, close } = await listen(served);
  onTestFinished(() => close().then(() => undefined));
  const headers = { 'sec-fetch-site': 'same-origin' };
  const visit = request({ port, path: '/email/api/api/email_templates', headers });
  visit.on('error', () => undefined).end();
  const signal = await inFlight;
  visit.destroy();
  await left;
  await settle();
  expect(signal.aborted).toBe(true);
});

describe('Over HTTP/2', () => {
  /** The response to a request over HTTP/2. */
  async function requested(port: number, headers: OutgoingHttpHeaders, body?: string) {
    const session = connect(`http://127.0.0.1:${port}`);
    onTestFinished(() => session.close());
    const stream = session.request({ 'sec-fetch-site': 'same-origin', ...headers });
    stream.end(body);
    const [head] = (await once(stream, 'response')) as [IncomingHttpHeaders];
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part as Buffer);
    return { head, text: Buffer.concat(parts).toString() };
  }

  test('a page reads and changes', async () => {
    const emulator = createEmulator({ limits: false });
    const { proxy, failures } = proxyOf(new EmailPlatform(emulator.clientOptions()), { basePath: '/email' });
    const server = await listen(createHttp2Server(toNodeListener(proxy)));
    onTestFinished(() => server.close().then(() => undefined));
    const path = '/email/api/api/email_templates';
    const template = { name: 'Receipt', subject: 'Grüße 🎉', category: 'shop', body_text: 'Hello' };
    const created = await requested(
      server.port,
      { ':method': 'POST', ':path': path, 'content-type': 'application/json' },
      JSON.stringify({ email_template: template }),
    );
    expect([created.head[':status'], created.text]).toEqual([201, expect.stringContaining('Grüße 🎉')]);
    const list = await requested(server.port, { ':path': path, cookie: ['a=1', 'b=2'] });
    expect([list.head[':status'], list.text]).toEqual([200, expect.stringContaining('Receipt')]);
    expect(list.head['cache-control']).toBe('no-store');
    const { id } = JSON.parse(created.text) as { id: number };
    const gone = await requested(server.port, { ':method': 'DELETE', ':path': `${path}/${id}` });
    expect(gone.head[':status']).toBe(204);
    expect(failures).toEqual([]);
  });

  test('a request that is not allowed is refused', async () => {
    const emulator = createEmulator({ limits: false });
    const { proxy } = proxyOf(new EmailPlatform(emulator.clientOptions()), { basePath: '/email', allow: [] });
    const server = await listen(createHttp2Server(toNodeListener(proxy)));
    onTestFinished(() => server.close().then(() => undefined));
    const refused = await requested(server.port, { ':path': '/email/api/api/email_templates' });
    expect(refused.head[':status']).toBe(403);
    expect(emulator.requests).toEqual([]);
  });
});
