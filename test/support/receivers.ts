import { serve } from '@hono/node-server';
import {
  readWebhook,
  WebhookPayloadError,
  WebhookSignatureError,
  type WebhookEvent,
} from 'email-platform/webhooks';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import type { AddressInfo } from 'node:net';

/** The settings of a receiver. */
export interface Receiving {
  readonly secret: () => string;
  readonly handle: (events: readonly WebhookEvent[]) => Promise<void> | void;
}

/** A listening receiver. */
export interface Receiver {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** The status of the response to an error, as in the guide. */
function statusOf(error: unknown): 400 | 401 | 500 {
  if (error instanceof WebhookSignatureError) return 401;
  return error instanceof WebhookPayloadError ? 400 : 500;
}

async function onExpress({ secret, handle }: Receiving): Promise<Receiver> {
  const app = express();
  app.post('/hooks', express.raw({ type: '*/*', limit: '5mb' }), async (request, response) => {
    try {
      const post = { payload: request.body as Uint8Array, headers: request.headers };
      await handle(await readWebhook(post, { secret: secret() }));
      response.sendStatus(200);
    } catch (error) {
      response.sendStatus(statusOf(error));
    }
  });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, close };
}

async function onHono({ secret, handle }: Receiving): Promise<Receiver> {
  const app = new Hono();
  app.post('/hooks', async (context) => {
    try {
      await handle(await readWebhook(context.req.raw, { secret: secret() }));
      return context.body(null, 200);
    } catch (error) {
      return context.body(null, statusOf(error));
    }
  });
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
      const close = () =>
        new Promise<void>((closed) => {
          server.close(() => closed());
          if ('closeAllConnections' in server) server.closeAllConnections();
        });
      resolve({ url: `http://127.0.0.1:${port}/hooks`, close });
    });
  });
}

async function onFastify({ secret, handle }: Receiving): Promise<Receiver> {
  const app = fastify({ bodyLimit: 5 * 1024 ** 2 });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  app.post('/hooks', async (request, reply) => {
    try {
      const post = { payload: request.body as Buffer, headers: request.headers };
      await handle(await readWebhook(post, { secret: secret() }));
      return await reply.code(200).send();
    } catch (error) {
      return reply.code(statusOf(error)).send();
    }
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hooks`, close: () => app.close() };
}

/** Servers of real frameworks, written as in the guide. */
export const receivers = { Express: onExpress, Hono: onHono, Fastify: onFastify };
