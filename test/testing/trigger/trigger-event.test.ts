import { triggerEvent, type TriggerOptions } from 'email-platform/testing';
import { readWebhook } from 'email-platform/webhooks';
import { describe, expect, test } from 'vitest';

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

  test('any type of the audit log can be named', async () => {
    const { response } = await triggerEvent('activity_log.user.created', { to, secret, fetch: receives });
    expect(response).toBe('["activity_log.user.created"]');
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
