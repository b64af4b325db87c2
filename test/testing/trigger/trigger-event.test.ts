import { triggerEvent, type TriggerOptions, type TriggerType } from 'email-platform/testing';
import { readWebhook } from 'email-platform/webhooks';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

const to = 'http://localhost:3000/hooks';
const secret = 'a'.repeat(32);

/** A `fetch` that verifies as the service's receivers do. */
const receives = (async (...args: Parameters<typeof fetch>) => {
  const events = await readWebhook(new Request(...args), { secret });
  return Response.json(events.map(({ event_type: type }) => type));
}) as typeof fetch;

describe('triggerEvent()', () => {
  test('posts a signed event, and returns the post with the response', async () => {
    const set = { email: 'bob@example.org', 'custom_variables.order': 7 };
    const post = await triggerEvent('bounce', { to, secret, set, fetch: receives });
    expect(post).toMatchObject({ url: to, secret, status: 200, response: '["bounce"]' });
    expect(JSON.parse(post.body)).toMatchObject({
      events: [{ event: 'bounce', email: 'bob@example.org', custom_variables: { order: 7 } }],
    });
    const again = await triggerEvent({ body: post.body }, { to, secret, fetch: receives });
    expect([again.body, again.headers]).toEqual([post.body, post.headers]);
  });

  test('any type of the audit log can be named; fields beside those that are set stay', async () => {
    const set = { 'resource.id': '9', event_id: 'e-1' };
    const { response, body } = await triggerEvent('activity_log.user.created', {
      to,
      secret,
      set,
      fetch: receives,
    });
    expect(response).toBe('["activity_log.user.created"]');
    expect(JSON.parse(body)).toMatchObject({
      events: [{ resource: { id: '9', type: 'webhook' }, event_id: 'e-1' }],
    });
  });

  test('posts JSON in the format of the service: names with a space, and each kind of time', async () => {
    const before = Date.now();
    const posted = async (type: TriggerType) => {
      const { body, headers } = await triggerEvent(type, { to, secret, fetch: receives });
      expect(headers['content-type']).toBe('application/json');
      return (JSON.parse(body) as { events: [{ event: string; timestamp: number }] }).events[0];
    };
    for (const [type, name, unitMs] of [
      ['soft_bounce', 'soft bounce', 1000],
      ['activity_log.webhook.updated', 'activity_log.webhook.updated', 1000],
      ['inbound.message_received', 'inbound.message_received', 1],
    ] as const) {
      const { event, timestamp } = await posted(type);
      expect(event).toBe(name);
      expect(timestamp * unitMs).toBeGreaterThan(before - 1000);
      expect(timestamp * unitMs).toBeLessThanOrEqual(Date.now());
    }
  });

  test('waits for a response as long as the service', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    onTestFinished(() => timeout.mockRestore());
    await triggerEvent('open', { to, secret, fetch: receives });
    expect(timeout.mock.calls).toEqual([[30_000]]);
  });

  test('a receiver that does not respond in time', async () => {
    const hangs = ((_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
      })) as typeof fetch;
    await expect(triggerEvent('open', { to, timeoutMs: 1, fetch: hangs })).rejects.toThrow(
      `${to} did not respond within 1 ms: respond first, and work afterwards`,
    );
  });

  test.each([
    ['bouncd', { to }, 'did you mean `bounce`?'],
    ['activity_log.', { to }, 'or another type of the audit log, not "activity_log."'],
    ['open', { to, set: { emial: 'x' } }, 'open has no field "emial"; did you mean `email`?'],
    ['open', {}, 'options.to'],
    ['open', { to: 'localhost:3000' }, '`options.to` must be a URL that begins with http: or https:'],
    ['open', { to, secret: '' }, '`options.secret` must be text that is not empty'],
    ['open', { to, signatureHeader: 'a b' }, '`options.signatureHeader` must be the name of a header'],
    ['open', { to, set: { '__proto__.a': 1 } }, 'options.set must name fields'],
    ['open', { to, set: { 'a..b': 1 } }, 'options.set must name fields'],
    [{ body: '{}' }, { to, set: { a: 1 } }, 'options.set has no effect on a body of your own'],
    ['open', { to, tmeoutMs: 1 }, 'tmeoutMs'],
  ])('%j with %j is refused before anything is posted', async (event, options, message) => {
    const fetch = () => Promise.reject(new Error('posted'));
    const call = triggerEvent(event as 'open', { ...options, fetch } as TriggerOptions);
    await expect(call).rejects.toThrow(message);
    expect(Object.prototype).not.toHaveProperty('a');
  });
});
