import {
  InvalidRequestError,
  NotFoundError,
  ResponseFormatError,
  ValidationError,
  type EmailPlatformOptions,
} from 'email-platform';
import * as schemas from 'email-platform/schemas';
import { describe, expect, test, vi } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { emulated } from '../../support/contacts-service.ts';
import { everythingOf } from '../../support/everything-of.ts';
import { json, scriptedFetch } from '../../support/scripted-fetch.ts';
import { throughItsWaits, virtualClient } from '../../support/virtual-client.ts';

const sending = {
  url: 'https://shop.example.com/hooks',
  webhook_type: 'email_sending',
  sending_stream: 'bulk',
  event_types: ['delivery', 'spam_complaint'],
} as const;

describe('A webhook', () => {
  test('is created, read, changed and deleted; its secret is told once', async () => {
    const { webhooks } = emulated().client;
    const { signing_secret, ...created } = await webhooks.create(sending);
    expect(signing_secret).toMatch(/^[\da-f]{32}$/);
    expect(created).toEqual({
      ...sending,
      id: created.id,
      active: true,
      payload_format: 'json',
      domain_id: null,
    });
    // As recorded, the one that is read has the inbox as well.
    expect(await webhooks.get(created.id)).toEqual({ ...created, inbound_inbox_id: null });
    const { items, hasNextPage } = await webhooks.list();
    expect([items, hasNextPage]).toEqual([[created], false]);
    const changed = { payload_format: 'jsonlines', active: false, event_types: ['open'] } as const;
    expect(await webhooks.update(created.id, changed)).toEqual({ ...created, ...changed });
    expect(await webhooks.delete(created.id)).toEqual({ ...created, ...changed });
    await rejection(webhooks.get(created.id), NotFoundError);
    expect(await webhooks.list().toArray()).toEqual([]);
  });

  test('for the audit log has no stream, no domain and no events', async () => {
    const { webhooks } = emulated({}, { schemas, validateResponses: 'throw' }).client;
    const { url } = sending;
    const { signing_secret, ...created } = await webhooks.create({ url, webhook_type: 'audit_log' });
    const known = {
      id: created.id,
      url,
      active: true,
      webhook_type: 'audit_log',
      payload_format: 'json',
    };
    expect(signing_secret).not.toBe('');
    expect(created).toEqual(known);
    expect(await webhooks.get(created.id)).toEqual({ ...known, inbound_inbox_id: null });
    expect(await webhooks.list().toArray()).toEqual([known]);
  });

  test('has another path under an account', async () => {
    const { fetch, sent } = scriptedFetch(json(200, { data: { id: 1 } }));
    for (const options of [{}, { accountId: 7 }]) {
      const { client } = virtualClient({ fetch, ...options });
      await client.webhooks.get(1);
    }
    expect(sent.map(({ url }) => url)).toEqual([
      'https://api.test/api/webhooks/1',
      'https://api.test/api/accounts/7/webhooks/1',
    ]);
  });

  test('is deleted, whatever the service returns, and also if only a repetition says so', async () => {
    const remove = async (...turns: Parameters<typeof scriptedFetch>) => {
      const { client, time } = virtualClient({ fetch: scriptedFetch(...turns).fetch });
      return throughItsWaits(time, client.webhooks.delete(5));
    };
    expect(await remove(() => new Response(null, { status: 204 }))).toEqual({ id: 5 });
    expect(await remove(json(200, { data: { id: 5, url: 'x' } }))).toEqual({ id: 5, url: 'x' });
    expect(await remove(json(503, {}), json(404, {}))).toEqual({ id: 5 });
    await rejection(remove(json(200, { id: 5 })), ResponseFormatError);
  });
});

describe('A wrong argument is reported', () => {
  const { client, emulator } = emulated();
  const { webhooks } = client;

  test.each<[string, object, string]>([
    ['no address', { ...sending, url: undefined }, 'url: is required'],
    ['no type', { url: 'https://a.test', event_types: [] }, 'webhook_type: is required'],
    ['a text for a list', { ...sending, event_types: 'open' }, 'event_types: must be an array'],
    ['a secret of your own', { ...sending, signing_secret: 'x' }, 'signing_secret: is not a known field'],
    ['an inbox by name', { ...sending, inbound_inbox_id: 'a' }, 'inbound_inbox_id: must be a positive whole'],
  ])('before a request: %s', async (_, params, message) => {
    const error = await rejection(webhooks.create(params as never), InvalidRequestError);
    expect(error.message).toContain(`webhooks.create was not sent: ${message}`);
  });

  test('before a request: an update of nothing, or of what cannot change', async () => {
    await rejection(webhooks.update(1, {}), InvalidRequestError);
    const error = await rejection(
      webhooks.update(1, { webhook_type: 'campaigns' } as never),
      InvalidRequestError,
    );
    expect(error.issues).toContainEqual({ path: 'webhook_type', message: 'is not a known field' });
    await rejection(webhooks.get('x' as never), InvalidRequestError);
    expect(emulator.requests).toEqual([]);
  });

  test('by the service: all of it at once', async () => {
    const call = webhooks.create({
      ...sending,
      url: 'shop',
      event_types: ['spam'],
      domain_id: 9,
      sending_stream: 'all' as never,
    });
    expect((await rejection(call, ValidationError)).fieldErrors).toEqual({
      url: ['is invalid'],
      event_types: ['is invalid'],
      domain_id: ['must exist'],
      sending_stream: ['is not included in the list'],
    });
    const inbound = webhooks.create({
      url: sending.url,
      webhook_type: 'inbound_receiving',
      inbound_inbox_id: 9,
    });
    expect((await rejection(inbound, ValidationError)).fieldErrors).toEqual({
      inbound_inbox_id: ['must exist'],
    });
  });
});

describe('The signing secret', () => {
  const secret = 'c0ffee00c0ffee00c0ffee00c0ffee00';
  const data = { id: 'wrong', signing_secret: secret, ...sending };
  const said: unknown[] = [];

  async function seenAfter(body: unknown, more: EmailPlatformOptions = {}) {
    const events: unknown[] = [];
    const keep = (event: unknown) => void events.push(event);
    const hooks = { onRequest: keep, onResponse: keep, onRetry: keep, onThrottle: keep, onMismatch: keep };
    const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((method) =>
      vi.spyOn(console, method).mockImplementation((...words) => void said.push(words)),
    );
    const { client } = virtualClient({
      fetch: scriptedFetch(json(200, body)).fetch,
      hooks,
      schemas,
      ...more,
    });
    const outcome: unknown = await client.webhooks.create(sending).catch((error: unknown) => error);
    // A mismatch is reported after the result.
    await new Promise((resolve) => setTimeout(resolve));
    for (const spy of spies) spy.mockRestore();
    return { outcome, events };
  }

  test('is in the result, and in no hook that hears of it', async () => {
    const { outcome, events } = await seenAfter({ data });
    expect(outcome).toMatchObject({ signing_secret: secret });
    expect(events).toHaveLength(3);
    expect(JSON.stringify(events)).toContain('expected number');
    expect(everythingOf(events)).not.toContain(secret);
  });

  test.each<[string, unknown, EmailPlatformOptions]>([
    ['a response that does not match its schema', { data }, { validateResponses: 'throw' }],
    ['a response without its envelope', data, {}],
    ['a response that is a list', [data], {}],
  ])('is in no error: %s', async (_, body, options) => {
    const { outcome, events } = await seenAfter(body, options);
    expect(outcome).toBeInstanceOf(ResponseFormatError);
    expect(everythingOf([outcome, events])).not.toContain(secret);
    expect(said).toEqual([]);
  });

  test.each(['report', 'throw'] as const)(
    'is cut out of what a schema quotes (%s)',
    async (validateResponses) => {
      const createdWebhook = {
        '~standard': {
          version: 1 as const,
          vendor: 'test',
          validate: () => ({ issues: [{ message: `expected a number, got ${secret}`, path: [secret] }] }),
        },
      };
      const { outcome, events } = await seenAfter(
        { data },
        { schemas: { createdWebhook }, validateResponses },
      );
      expect(JSON.stringify(events)).toContain('expected a number, got [redacted]');
      const readable = validateResponses === 'throw' ? [outcome, events] : events;
      expect(everythingOf(readable)).not.toContain(secret);
    },
  );
});
