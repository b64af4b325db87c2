import { getRequestListener } from '@hono/node-server';
import { EmailPlatform, ValidationError } from 'email-platform';
import { proxyHosts, toNodeListener, type EmailProxy } from 'email-platform/proxy';
import { createEmulator } from 'email-platform/testing';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { createServer, type RequestListener } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { keepGlobals } from '../support/kept-globals.ts';
import { listen } from '../support/ports.ts';
import { proxyOf } from './harness.ts';

// Hono's server replaces them.
keepGlobals('Request', 'Response');

/** The ways of the guide: each serves a proxy that is at /email. */
const SERVERS: Record<string, (proxy: EmailProxy) => RequestListener | Promise<RequestListener>> = {
  'node:http': (proxy) => toNodeListener(proxy),
  Express: (proxy) => express().use('/email', toNodeListener(proxy)),
  'Express, after a body parser': (proxy) =>
    express().use(express.json()).use('/email', toNodeListener(proxy)),
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
});
