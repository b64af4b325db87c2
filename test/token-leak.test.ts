import { EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import * as schemas from 'email-platform/schemas';
import { describe, expect, test } from 'vitest';
import { everythingOf } from './support/everything.ts';
import { closedPort, portWith, selfSignedPort } from './support/sockets.ts';
import {
  broken,
  empty,
  failure,
  json,
  lost,
  scriptedFetch,
  silence,
  text,
  type Turn,
} from './support/scripted-fetch.ts';
import { throughItsWaits, until, virtualClient } from './support/virtual-client.ts';

const TOKEN = 'tok3n-s3cr3t';
const BODY = 'b0dy-s3cr3t';
const HEADER = 'h3ader-s3cr3t';

const draft = {
  name: BODY,
  domain_id: 1,
  from_local_part: BODY,
  template_attributes: { subject: BODY, body_html: BODY },
};
const options = { headers: { 'x-mine': HEADER } };

function watched(more: EmailPlatformOptions) {
  const events: object[] = [];
  const keep = (event: object) => void events.push(event);
  const hooks = { onRequest: keep, onResponse: keep, onRetry: keep, onThrottle: keep, onMismatch: keep };
  return { events, settings: { token: TOKEN, hooks, schemas, retry: { maxRetries: 1 }, ...more } };
}

const answers: [string, Turn][] = [
  ['a result', json(201, { data: { id: 1 } })],
  ['a validation error', json(422, { errors: { name: ['is taken'] } })],
  ['a wrong token', json(401, { error: 'Incorrect API token' })],
  ['a missing object', json(404, { error: 'Not Found' })],
  ['a rate limit', json(429, { error: 'Throttled' })],
  ['a failure', text(502, '<html>', 'text/html')],
  ['a redirect', empty(302, { location: 'https://elsewhere.test' })],
  ['no JSON', text(200, 'hello')],
  [
    'a gateway that echoes the token',
    json(
      400,
      { error: `Bad header: Bearer ${TOKEN}`, [TOKEN]: [TOKEN] },
      { 'x-echo': `Bearer ${TOKEN}`, 'x-request-id': TOKEN },
    ),
  ],
  ['a gateway that echoes it as text', text(502, `Bad header: Bearer ${TOKEN}`)],
  ['a lost connection', lost],
  [
    'a fetch that tells all',
    failure(Object.assign(broken('ECONNRESET', 'read'), { request: { TOKEN, BODY, HEADER } })),
  ],
  ['a fetch that throws the token', failure(new Error(`Bearer ${TOKEN}`))],
];

describe('Neither token, request header nor request body', () => {
  test.each(answers)('can be read from results, errors and events: %s', async (_, turn) => {
    for (const auth of ['bearer', 'api-token'] as const) {
      const { fetch, sent } = scriptedFetch(turn);
      const { events, settings } = watched({ auth, throttle: {}, fetch });
      const { client, time } = virtualClient(settings);
      const outcome = await throughItsWaits(
        time,
        client.campaigns.create(draft, options).withResponse(),
      ).catch((error: unknown) => error);
      expect(sent[0]?.headers.get(auth === 'bearer' ? 'authorization' : 'api-token')).toContain(TOKEN);
      const everything = [outcome, events, client, client.campaigns, client.limits.snapshot()]
        .map(everythingOf)
        .join('\n');
      expect(everything).not.toMatch(/s3cr3t/);
      expect(everything.length).toBeGreaterThan(500);
    }
  });

  test('can be read from a call that was aborted or timed out', async () => {
    for (const end of ['abort', 'timeout', 'deadline'] as const) {
      const { fetch, sent } = scriptedFetch(silence);
      const { events, settings } = watched({
        fetch,
        timeoutMs: 50,
        retry: false,
        ...(end === 'deadline' && { deadlineMs: 20 }),
      });
      const { client, time } = virtualClient(settings);
      const controller = new AbortController();
      const failed = client.campaigns
        .create(draft, { ...options, signal: controller.signal })
        .catch((error: unknown) => error);
      await until(() => sent.length === 1);
      if (end === 'abort') controller.abort();
      await time.advance(50);
      expect(everythingOf([await failed, events])).not.toMatch(/s3cr3t/);
    }
  });

  test('can be read from failures of the real network', async () => {
    const addresses = [
      `http://127.0.0.1:${await closedPort()}`,
      `https://localhost:${await selfSignedPort(() => undefined)}`,
      `http://127.0.0.1:${await portWith((socket) => void socket.once('data', () => socket.destroy()))}`,
      `http://127.0.0.1:${await portWith((socket) => void socket.once('data', (data) => socket.end(data)))}`,
    ];
    for (const api of addresses) {
      const { events, settings } = watched({ hosts: { api }, retry: false });
      const client = new EmailPlatform(settings);
      const error: unknown = await client.campaigns.create(draft, options).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'ConnectionError' });
      expect(everythingOf([error, events])).not.toMatch(/s3cr3t/);
    }
  });

  test('can be read from errors about arguments', async () => {
    const { settings } = watched({});
    const { client } = virtualClient(settings);
    const wrong = {
      ...draft,
      domain_id: BODY as unknown as number,
      template_attributes: { subject: BODY.repeat(99) },
    };
    const calls = [
      client.campaigns.create(wrong, { headers: { 'x-mine': `${HEADER}\r\n` } }),
      client.campaigns.update(1, wrong, { headers: { authorization: HEADER } }),
    ];
    for (const call of calls) {
      const error: unknown = await call.catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'InvalidRequestError' });
      expect(everythingOf(error)).not.toMatch(/s3cr3t/);
    }
  });
});
