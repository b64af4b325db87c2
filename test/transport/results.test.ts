import { ResponseFormatError, type EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/caught.ts';
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

describe('What has no result', () => {
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

  describe.each<[string, Turn]>([
    ['200 without a body', empty(200)],
    ['202 without a body', empty(202)],
    ['200 with an object', json(200, { id: 1 })],
    ['200 with a page', text(200, '<p>ok</p>', 'text/html')],
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
      expect(error.message).toContain('a 204 is documented');
      expect(sent).toHaveLength(1);
    });
  });

  test.each<[string, Turn]>([
    ['an empty body', empty(200)],
    ['a page', text(200, '<p>ok</p>', 'text/html')],
    ['a list', json(200, [])],
  ])('of an access, too, when the response is 200 with %s', async (_, turn) => {
    const { client, sent } = setUp([turn]);
    const error = await rejection(client.accounts.accesses.remove(1), ResponseFormatError);
    expect([error.effect, sent.length]).toEqual(['unknown', 1]);
  });
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
