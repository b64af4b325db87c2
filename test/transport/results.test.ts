import { ResponseFormatError, type EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { empty, json, scriptedFetch, text, type Turn } from '../support/scripted-fetch.ts';
import { virtualClient } from '../support/virtual-client.ts';

const draft = { name: 'n', domain_id: 1, from_local_part: 'f', template_attributes: { subject: 's' } };

function setUp(turns: [Turn, ...Turn[]], options: EmailPlatformOptions = {}) {
  const { fetch, sent } = scriptedFetch(...turns);
  const { client, time } = virtualClient({ fetch, ...options });
  return { client, sent, time };
}

describe('A result', () => {
  test('is the content of data, with whatever the service added', async () => {
    const campaign = { id: 1, new_field: { a: [null] }, current_state: 'archived' };
    expect(await setUp([json(200, { data: campaign, meta: 1 })]).client.campaigns.get(1)).toEqual(campaign);
  });

  test.each([200, 201, 202, 206, 299])('may have status %i', async (status) => {
    expect(await setUp([json(status, { data: { id: 1 } })]).client.campaigns.get(1)).toEqual({ id: 1 });
  });

  test('is read as JSON whatever its content type', async () => {
    expect(await setUp([text(200, '{"data":{"id":1}}')]).client.campaigns.get(1)).toEqual({ id: 1 });
  });

  test('comes with its response', async () => {
    const headers = { 'x-request-id': 'r', 'x-ratelimit-limit': '150', 'x-ratelimit-remaining': '149' };
    const { response } = await setUp([json(201, { data: { id: 1 } }, headers)])
      .client.campaigns.create(draft)
      .withResponse();
    expect(response).toMatchObject({
      status: 201,
      requestId: 'r',
      rateLimit: { limit: 150, remaining: 149 },
    });
    expect(response.headers.get('content-type')).toContain('json');
  });

  test('has no rate limit if a browser hides its headers', async () => {
    const { response } = await setUp([json(200, { data: {} })])
      .client.campaigns.get(1)
      .withResponse();
    expect([response.requestId, response.rateLimit]).toEqual([undefined, {}]);
  });

  test('comes from one request for await and withResponse', async () => {
    const { client, sent } = setUp([json(200, { data: { id: 1 } })]);
    const promise = client.campaigns.get(1);
    await Promise.all([promise, promise.withResponse(), promise.withResponse()]);
    expect(sent).toHaveLength(1);
  });
});

describe('A method without a result', () => {
  const calls: [string, (client: EmailPlatform) => Promise<unknown>][] = [
    ['campaigns.delete', ({ campaigns }) => campaigns.delete(1)],
    ['templates.delete', ({ templates }) => templates.delete(1)],
    ['sendingDomains.delete', ({ sendingDomains }) => sendingDomains.delete(1)],
    [
      'sendingDomains.sendSetupInstructions',
      ({ sendingDomains }) => sendingDomains.sendSetupInstructions(1, { email: 'a@example.com' }),
    ],
  ];
  test.each(calls)('is done when the response is 204: %s', async (_, call) => {
    await expect(call(setUp([empty(204)]).client)).resolves.toBeUndefined();
  });

  test.each<[string, Turn]>([
    ['200 without a body', empty(200)],
    ['202 without a body', empty(202)],
    ['200 without a body, of any other type', text(200, '', 'application/json')],
    ['200 with an object', json(200, { id: 1 })],
    ['200 with success', json(200, { success: true, message: 'Deleted' })],
    ['200 with a list', json(200, [])],
    ['200 with null', json(200, null)],
    ['200 with a text', json(200, 'ok')],
  ])('is done when the response is %s', async (_, turn) => {
    for (const [, call] of calls) {
      const { client, sent } = setUp([turn]);
      await expect(call(client)).resolves.toBeUndefined();
      expect(sent).toHaveLength(1);
    }
  });

  describe.each<[string, Turn]>([
    ['200 with a page', text(200, '<p>ok</p>', 'text/html')],
    ['200 with an empty page', text(200, '', 'text/html; charset=utf-8')],
    ['200 with a page of no type', text(200, '<p>ok</p>', 'text/plain')],
    ['200 with an error', json(200, { error: 'Not Found' })],
    ['200 with errors', json(200, { errors: ['is locked'] })],
    ['200 with errors by field', json(200, { errors: { base: ['is locked'] } })],
    ['200 with a failure', json(200, { success: false })],
    ['200 with half a JSON text', text(200, '{"id":', 'application/json')],
    ['200 with more than 1 MB', text(200, JSON.stringify('x'.repeat(2 ** 20)), 'application/json')],
    [
      '200 with a body that breaks',
      () => new Response(new ReadableStream({ pull: (s) => s.error(new Error('x')) })),
    ],
  ])('may have been done when the response is %s', (_, turn) => {
    test.each(calls)('%s', async (operation, call) => {
      const { client, sent } = setUp([turn]);
      const error = await rejection(call(client), ResponseFormatError);
      expect(error).toMatchObject({ effect: 'unknown', code: 'response_format' });
      expect(error.message).toContain(`${operation} returned 20`);
      expect(error.message).toContain('does not confirm the request');
      expect(sent).toHaveLength(1);
    });
  });
});

describe('A method that returns the removed object', () => {
  const removals: [string, (client: EmailPlatform) => Promise<unknown>][] = [
    ['accounts.accesses.remove', ({ accounts }) => accounts.accesses.remove(7)],
    ['webhooks.delete', ({ webhooks }) => webhooks.delete(7)],
    ['sandbox.projects.delete', ({ sandbox }) => sandbox.projects.delete(7)],
  ];

  test.each(removals)('its id is the result when the body is empty: %s', async (_, remove) => {
    for (const turn of [empty(204), empty(200), empty(202), text(200, '', 'application/json')])
      expect(await remove(setUp([turn]).client)).toEqual({ id: 7 });
  });

  test.each<[string, Turn]>([
    ['a page', text(200, '<p>ok</p>', 'text/html')],
    ['an empty page', text(200, '', 'text/html')],
    ['a list', json(200, [])],
    ['half a JSON text', text(200, '{"id":', 'application/json')],
  ])('it may have been done when the response is 200 with %s', async (_, turn) => {
    for (const [, remove] of removals) {
      const { client, sent } = setUp([turn]);
      const error = await rejection(remove(client), ResponseFormatError);
      expect([error.effect, sent.length]).toEqual(['unknown', 1]);
    }
  });
});

test('An empty 2xx to a send is an error: it does not say that the email was accepted', async () => {
  for (const turn of [empty(200), empty(202), empty(204), json(200, {})]) {
    const { client, sent } = setUp([turn], { hosts: { send: 'https://send.test' } });
    const mail = {
      from: { email: 'a@example.com' },
      to: [{ email: 'b@example.com' }],
      subject: 's',
      text: 't',
    };
    const error = await rejection(client.sending.send(mail), ResponseFormatError);
    expect([error.effect, sent.length]).toEqual(['unknown', 1]);
  }
});

describe('A 2xx that cannot come from the service', () => {
  const wrong: [string, Turn][] = [
    ['an empty body', empty(200)],
    ['a page', text(200, '<html></html>', 'text/html')],
    ['half a JSON text', text(200, '{"data":', 'application/json')],
    ['no envelope', json(200, { id: 1 })],
    ['an envelope of null', json(200, { data: null })],
    ['an envelope of a list', json(200, { data: [] })],
    ['null', json(200, null)],
    ['a text', json(200, 'data')],
  ];

  test.each(wrong)('%s: a read has effect none, and is not retried', async (_, turn) => {
    const { client, sent } = setUp([turn]);
    const error = await rejection(client.campaigns.get(1), ResponseFormatError);
    expect(error).toMatchObject({ code: 'response_format', effect: 'none' });
    expect(sent).toHaveLength(1);
  });

  test.each(wrong)('%s: a create may have been carried out', async (_, turn) => {
    const { client, sent } = setUp([turn]);
    expect((await rejection(client.campaigns.create(draft), ResponseFormatError)).effect).toBe('unknown');
    expect(sent).toHaveLength(1);
  });

  test.each<[string, Turn]>([
    ['a list without pagination', json(200, { data: [] })],
    ['a list whose data is not one', json(200, { data: {}, pagination: {} })],
  ])('%s is an error', async (_, turn) => {
    await rejection(setUp([turn]).client.campaigns.list(), ResponseFormatError);
  });

  test('does not put its content into the message', async () => {
    const error = await rejection(
      setUp([text(200, 'private words', 'text/plain')]).client.campaigns.get(1),
      ResponseFormatError,
    );
    expect(JSON.stringify(error)).not.toContain('private');
    expect(error.message).toBe(
      'campaigns.get returned 200, but the body is not JSON (13 characters); text/plain',
    );
  });
});
