import { ConfigurationError, EMAIL_LOG_EVENT_TYPES, EmailPlatformError } from 'email-platform';
import {
  readWebhook,
  verifyWebhook,
  WebhookPayloadError,
  WebhookSignatureError,
  type WebhookEvent,
} from 'email-platform/webhooks';
import * as schemas from 'email-platform/schemas';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { everythingOf } from '../../support/everything-of.ts';
import { delivery, SECRET, signatureOf, signed } from '../../support/signed.ts';
import { runs } from '../../support/extent.ts';

const HEADER = 'x-signature';
const options = { secret: SECRET, signatureHeader: HEADER };
const read = (body: string | Uint8Array) => readWebhook(signed(body), options);
const readOne = async (event: object): Promise<WebhookEvent> => {
  const [only, ...others] = await read(JSON.stringify({ events: [event] }));
  expect(others).toEqual([]);
  if (only === undefined) throw new Error('There is no event.');
  return only;
};

describe('The names of events are those of the email log', () => {
  test.each<readonly [string, string]>([
    ...EMAIL_LOG_EVENT_TYPES.map((name) => [name, name] as const),
    ['soft bounce', 'soft_bounce'],
    ['spam_complaint', 'spam'],
  ])('%s is %s', async (event, event_type) => {
    const read = await readOne({ ...delivery, event });
    expect(read).toEqual({
      ...delivery,
      event,
      event_type,
      kind: 'sending',
      occurredAt: new Date('2026-03-01T12:00:00.000Z'),
    });
  });

  test('an event of the audit log', async () => {
    const sent = {
      event: 'activity_log.user.updated',
      description: 'Ann changed her name',
      actor: { id: 5, type: 'user', name: 'Ann' },
      resource: { id: '5', type: 'user', name: 'Ann' },
      changes: { name: { from: 'An', to: 'Ann' } },
      timestamp: 1_772_366_400,
    };
    const event = await readOne(sent);
    expect(event).toMatchObject({ ...sent, kind: 'audit', event_type: sent.event });
    expect(schemas.auditEvent.parse(event)).toEqual(event);
  });

  test.each([
    { actor: { name: 'The platform' } },
    { resource: { id: 5, type: 'webhook', name: 'Hook' } },
    { actor: { name: 'The platform' }, resource: null },
  ])(
    'an event of the audit log that the service itself caused, or whose ids are numbers: %j',
    async (more) => {
      const sent = {
        event: 'activity_log.webhook.paused',
        description: 'Webhook paused',
        actor: { id: 5, type: 'user', name: 'Ann' },
        timestamp: 1_772_366_400,
        ...more,
      };
      const event = await readOne(sent);
      expect(event).toMatchObject({ ...sent, kind: 'audit' });
      expect(schemas.webhookEvent.parse(event)).toEqual(event);
      const nameless = { ...event, actor: { id: 5, type: 'user' } };
      expect(schemas.auditEvent.safeParse(nameless).error?.issues[0]?.path).toEqual(['actor', 'name']);
    },
  );

  test('a message in an inbox, with a time in milliseconds, and the test post of the web interface', async () => {
    const sent = {
      event: 'inbound.message_received',
      event_id: delivery.event_id,
      timestamp: 1_772_366_400_123,
      inbox_id: 7,
      message_id: '1870314786754420736',
      from: 'Ann <ann@example.org>',
    };
    const normalized = { kind: 'inbound', event_type: 'inbound.message_received', inbox_id: 7 };
    const event = await readOne(sent);
    expect(event).toEqual({ ...sent, ...normalized, occurredAt: new Date('2026-03-01T12:00:00.123Z') });
    expect(schemas.inboundEvent.parse(event)).toEqual(event);
    const { inbox_id, event_id, ...rest } = sent;
    const tested = { ...rest, event: 'inbound_message_received', inbound_inbox_id: inbox_id };
    expect(await readOne(tested)).toMatchObject({ ...tested, ...normalized });
    expect(await readOne({ ...sent, inbound_inbox_id: 8 })).toMatchObject({
      inbox_id: 7,
      inbound_inbox_id: 8,
    });
    expect(schemas.webhookEvent.safeParse(await readOne(tested)).success).toBe(true);
    expect(event_id).toBe(delivery.event_id);
  });

  test('an event that this version does not know keeps its name', async () => {
    for (const event of [
      'paused',
      '',
      'Delivery',
      'soft  bounce',
      'delivery ',
      'toString',
      'activity_logs.x',
    ])
      expect(await readOne({ ...delivery, event })).toMatchObject({
        kind: 'unknown',
        event_type: event,
        event,
      });
    expect(await readOne({ event: 'new', kind: 'x', data: [1] })).toMatchObject({
      kind: 'unknown',
      data: [1],
    });
  });
});

describe('Fields of an event are passed on', () => {
  test('fields that are not documented, and ids of more digits than a number holds', async () => {
    const body = `{"events":[{"event":"open","campaign_id":12345678901234567890,"more":{"a":[null]},"__proto__":{"x":1}}]}`;
    const [event] = await read(body);
    expect(event).toMatchObject({ campaign_id: '12345678901234567890', more: { a: [null] } });
    expect(Object.getPrototypeOf(event)).toBe(Object.prototype);
    expect((event as { x?: unknown }).x).toBeUndefined();
  });

  test('an event without a time, or with another', async () => {
    const timeOf = async (timestamp: unknown) =>
      (await readOne({ ...delivery, timestamp })).occurredAt.getTime();
    expect(await timeOf(undefined)).toBeNaN();
    expect(await timeOf(null)).toBeNaN();
    expect(await timeOf({ a: 1 })).toBeNaN();
    expect(await timeOf('2026-03-01T12:00:00Z')).toBe(Date.UTC(2026, 2, 1, 12));
    expect(await timeOf(0.5)).toBe(500);
  });

  test('as its schema says', async () => {
    for (const [event, more] of [
      ['delivery', {}],
      ['spam', { category: 'news', custom_variables: { a: 1 } }],
      ['open', { ip: '192.0.2.1', user_agent: 'x' }],
      ['click', { url: 'https://example.com/', ip: null }],
      ['soft bounce', { response: '452 full', response_code: 452, bounce_category: 'overquota' }],
      ['reject', { reason: 'suppressed' }],
    ] as const) {
      const read = await readOne({ ...delivery, ...more, event });
      expect(schemas.webhookEvent.parse(read)).toEqual(read);
      expect(schemas.webhookEvent.safeParse({ ...read, email: 5 }).success).toBe(false);
    }
    expect(schemas.webhookEvent.safeParse(await readOne({ event: 'new', timestamp: 5 })).success).toBe(true);
    const wrong = await readOne({ ...delivery, event: 'bounce', response_code: 'x' });
    expect(schemas.webhookEvent.safeParse(wrong).error?.issues[0]?.path).toEqual(['response_code']);
  });
});

/** Integers that a number cannot hold are read as text. */
const withoutLongIds = (_: string, value: unknown) =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? 0 : value;

describe('Both formats are read', () => {
  const events = [delivery, { ...delivery, event: 'open', note: 'two\nlines \u2028 "quoted"' }];
  const types = async (body: string | Uint8Array) => (await read(body)).map(({ event_type }) => event_type);

  test('one JSON object', async () => {
    expect(await types(JSON.stringify({ events }))).toEqual(['delivery', 'open']);
    expect(await types(JSON.stringify({ events }, null, 2))).toEqual(['delivery', 'open']);
    expect(await types(`\ufeff${JSON.stringify({ events })}`)).toEqual(['delivery', 'open']);
  });

  test('JSON lines', async () => {
    const lines = events.map((event) => JSON.stringify(event));
    for (const body of [lines.join('\n'), lines.join('\r\n'), `${lines.join('\n\n')}\n`])
      expect(await types(body)).toEqual(['delivery', 'open']);
    expect(await types(lines[1] ?? '')).toEqual(['open']);
  });

  test('the events of a post stay in its order, whatever their times', async () => {
    const later = { ...delivery, event: 'open', timestamp: delivery.timestamp + 60 };
    expect(await types(JSON.stringify({ events: [later, delivery] }))).toEqual(['open', 'delivery']);
  });

  test('any events, in their order, are read as they were written', async () => {
    const event = fc
      .record({ event: fc.string(), more: fc.jsonValue() })
      .map((one) => JSON.parse(JSON.stringify(one, withoutLongIds)) as { event: string; more: unknown });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 20 }), async (all) => {
        const expected = all.map((one) => expect.objectContaining(one) as unknown);
        expect(await read(JSON.stringify({ events: all }))).toEqual(expected);
        expect(await read(all.map((one) => JSON.stringify(one)).join('\n'))).toEqual(expected);
      }),
    );
  });
});

describe('A body that cannot be read is a WebhookPayloadError', () => {
  const secretPlace = 'private-address@example.org';
  const event = JSON.stringify({ ...delivery, email: secretPlace });

  test('the error has the form that is expected, and what the body is instead', async () => {
    const expected =
      'The body of the post must be { "events": [ … ] }, or one event as JSON on each line; it is ';
    for (const [body, is] of [
      [`[${event}]`, 'a list without it'],
      [`{"events":[{"email":"${secretPlace}"}]}`, 'an object in which an event lacks the text "event"'],
      ['{"email":"x"}', 'an object in which an event lacks the text "event"'],
      ['event=x', 'something else'],
    ] as const)
      expect((await rejection(read(body), WebhookPayloadError)).message).toBe(expected + is);
  });

  test.each<[string, string | Uint8Array]>([
    ['no JSON', `event=${secretPlace}`],
    ['JSON that was cut', `{"events":[${event}`],
    ['a line that was cut', `${event}\n${event.slice(0, -9)}`],
    ['an empty body', ''],
    ['blank lines', ' \n\n'],
    ['a list', `[${event}]`],
    ['a text', JSON.stringify(secretPlace)],
    ['an event that is none', `{"events":[${event},5]}`],
    ['an event without a name', `{"events":[{"email":"${secretPlace}"}]}`],
    ['an object without events', `{"email":"${secretPlace}"}`],
    ['events that are no list', `{"events":{"email":"${secretPlace}"}}`],
    [
      'bytes that are no text',
      new Uint8Array([...new TextEncoder().encode(`{"a":"${secretPlace}`), 0xff, 0x22]),
    ],
    [
      'text with bytes that are none',
      Buffer.from(`{"events":[{"event":"open","note":"caf\xe9","email":"${secretPlace}"}]}`, 'latin1'),
    ],
    ['another encoding', Buffer.from(`{"events":[${event}]}`, 'utf16le')],
  ])('%s', async (_, body) => {
    const error = await rejection(read(body), WebhookPayloadError);
    expect(error).toMatchObject({ code: 'webhook_payload_unreadable', effect: 'none' });
    expect('cause' in error).toBe(false);
    expect(everythingOf(error)).not.toContain('private-address');
    expect(error instanceof EmailPlatformError).toBe(true);
  });

  test('any bytes with a right signature end in events or this error', async () => {
    const text = fc.oneof(
      fc.string(),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.array(fc.jsonValue()).map((items) => JSON.stringify({ events: items })),
    );
    const body = fc.oneof(
      fc.uint8Array(),
      text.map((one) => new TextEncoder().encode(one)),
    );
    await fc.assert(
      fc.asyncProperty(body, async (bytes) => {
        const outcome = await read(bytes).catch((error: unknown) => error);
        if (!Array.isArray(outcome)) expect(outcome).toBeInstanceOf(WebhookPayloadError);
      }),
      { numRuns: runs(500) },
    );
  });

  test('a list of no events, which the error says', async () => {
    const error = await rejection(read('{"events":[]}'), WebhookPayloadError);
    expect(error.message).toBe('The post is signed, but its list of events is empty');
  });

  test('JSON that is nested deeply', async () => {
    const deep = '['.repeat(200_000);
    await rejection(read(deep), WebhookPayloadError);
    await rejection(read(`{"events":${deep}${']'.repeat(200_000)}}`), WebhookPayloadError);
  });

  test('is not looked at when the signature is wrong', async () => {
    await rejection(readWebhook({ payload: '{', signature: '0'.repeat(64) }, options), WebhookSignatureError);
  });
});

describe('A Request is read', () => {
  const body = JSON.stringify({ events: [delivery] });
  const request = (init: RequestInit & { duplex?: 'half' } = {}, signature = signatureOf(body)) =>
    new Request('https://receiver.test/hooks', {
      method: 'POST',
      body,
      headers: signature === '' ? {} : { [HEADER.toUpperCase()]: signature },
      ...init,
    });

  test('with the signature in the header that is named', async () => {
    expect(await readWebhook(request(), options)).toMatchObject([{ event_type: 'delivery' }]);
    const error = await rejection(
      readWebhook(request(), { ...options, signatureHeader: 'x-other' }),
      WebhookSignatureError,
    );
    expect(error.code).toBe('webhook_signature_missing');
  });

  test('with the signature found by its form', async () => {
    expect(await readWebhook(request(), { secret: SECRET })).toMatchObject([{ event_type: 'delivery' }]);
    const { seen, init } = endless();
    const error = await rejection(readWebhook(request(init, 'x'), { secret: SECRET }), WebhookSignatureError);
    expect([error.code, seen.bytes]).toEqual(['webhook_signature_missing', 0]);
    const { headers } = request();
    const unlisted = {
      headers: { get: (name: string) => headers.get(name) },
      arrayBuffer: () => request().arrayBuffer(),
    };
    const refused = await rejection(readWebhook(unlisted, { secret: SECRET }), ConfigurationError);
    expect(refused.option).toBe('signatureHeader');
    expect(await readWebhook(unlisted, options)).toHaveLength(1);
  });

  /** A body without an end, and how much of it was read. */
  const endless = () => {
    const seen = { bytes: 0, isCancelled: false };
    const stream = new ReadableStream(
      {
        pull: (controller) => {
          seen.bytes += 2 ** 16;
          controller.enqueue(new Uint8Array(2 ** 16));
        },
        cancel: () => void (seen.isCancelled = true),
      },
      { highWaterMark: 0 },
    );
    return { seen, init: { body: stream, duplex: 'half' as const } };
  };

  test.each([
    ['no signature', '', 'webhook_signature_missing'],
    ['a word', 'x', 'webhook_signature_invalid'],
    ['63 digits', '0'.repeat(63), 'webhook_signature_invalid'],
    ['65 digits', '0'.repeat(65), 'webhook_signature_invalid'],
    ['64 characters that are no digits', 'g'.repeat(64), 'webhook_signature_invalid'],
    ['a prefix', `sha256=${'0'.repeat(64)}`, 'webhook_signature_invalid'],
  ])('but not its body, when it has %s', async (_, signature, code) => {
    const { seen, init } = endless();
    const error = await rejection(readWebhook(request(init, signature), options), WebhookSignatureError);
    expect(error.code).toBe(code);
    expect(seen.bytes).toBe(0);
  });

  test('up to 5 MB, and no further', async () => {
    const { seen, init } = endless();
    const error = await rejection(readWebhook(request(init, '0'.repeat(64)), options), WebhookPayloadError);
    expect(error.message).toBe('The body of the post is larger than 5242880 bytes (maxBytes)');
    expect(seen).toEqual({ bytes: 5 * 2 ** 20 + 2 ** 16, isCancelled: true });
  });

  test('up to maxBytes, whichever way it is given', async () => {
    const size = Buffer.byteLength(body);
    const without = { headers: request().headers, arrayBuffer: () => request().arrayBuffer() };
    const posts = [
      (maxBytes: number) => readWebhook(request(), { ...options, maxBytes }),
      (maxBytes: number) => readWebhook(without, { ...options, maxBytes }),
      (maxBytes: number) => readWebhook(signed(body), { secret: SECRET, maxBytes }),
      (maxBytes: number) => {
        const withLength = request();
        withLength.headers.set('content-length', String(size));
        return readWebhook(withLength, { ...options, maxBytes });
      },
    ];
    for (const read of posts) {
      expect(await read(size)).toHaveLength(1);
      await rejection(read(size - 1), WebhookPayloadError);
    }
  });

  test('unless its length is said to be more', async () => {
    const { seen, init } = endless();
    const large = request(init, '0'.repeat(64));
    large.headers.set('content-length', String(6 * 2 ** 20));
    await rejection(readWebhook(large, options), WebhookPayloadError);
    expect(seen.bytes).toBe(0);
  });

  test('beyond maxBytes, its signature is not computed', async () => {
    const forged = { payload: body, signature: '0'.repeat(64) };
    const size = Buffer.byteLength(body);
    await rejection(readWebhook(forged, { secret: SECRET, maxBytes: size }), WebhookSignatureError);
    await rejection(readWebhook(forged, { secret: SECRET, maxBytes: size - 1 }), WebhookPayloadError);
  });

  test.each([0, -1, 1.5, NaN, '5', null])('not with %j for maxBytes', async (maxBytes) => {
    const call = readWebhook(request(), { ...options, maxBytes } as never);
    expect((await rejection(call, ConfigurationError)).option).toBe('maxBytes');
  });

  test('only once, and not when it breaks off', async () => {
    const used = request();
    await used.text();
    await rejection(readWebhook(used, options), WebhookPayloadError);
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error(body)) });
    const error = await rejection(
      readWebhook(request({ body: broken, duplex: 'half' }), options),
      WebhookPayloadError,
    );
    expect(everythingOf(error)).not.toContain('mail.example.com');
  });

  test('with its options in a second argument: the message shows the call', async () => {
    const request = new Request('https://shop.example.com/hooks', { method: 'POST', body: '{}' });
    const inOne = [
      { request, secret: 'a' },
      { payload: '{}', headers: {}, secret: 'a' },
      { payload: '{}', headers: {} },
      request,
      undefined,
    ];
    for (const argument of inOne)
      await expect(readWebhook(argument as never, undefined as never)).rejects.toThrow(
        'secret must be in a second argument: readWebhook(request, { secret })',
      );
    await expect(verifyWebhook(request as never)).rejects.toThrow(
      'in one object: verifyWebhook({ payload, headers, secret }); for a request, readWebhook(request, { secret })',
    );
  });

  test('with the raw body and the headers: the message shows both', async () => {
    const shape = 'pass { payload, headers } with the raw body; readWebhook takes a Request, too';
    const missing = async (post: unknown) => {
      const calls = [
        readWebhook(post as never, { secret: SECRET }),
        verifyWebhook({ ...Object(post), secret: SECRET } as never),
      ];
      for (const call of calls) {
        const { option, message } = await rejection(call, ConfigurationError);
        expect(message).toBe(`${option} is missing: ${shape}`);
      }
    };
    await missing({ body: '{}' });
    await missing({ body: {}, headers: {}, method: 'POST' });
    await missing({ payload: '{}' });
    await missing({});
  });

  test('with options that are there', async () => {
    const optionOf = async (call: Promise<unknown>) => (await rejection(call, ConfigurationError)).option;
    for (const signatureHeader of ['', 'a b', '\u0000', 5, null])
      expect(await optionOf(readWebhook(request(), { secret: SECRET, signatureHeader } as never))).toBe(
        'signatureHeader',
      );
    expect(await optionOf(readWebhook(request(), { ...options, secret: '' }))).toBe('secret');
    // The request of Express or Node itself, instead of its raw body.
    const own = { headers: { [HEADER]: signatureOf(body) }, body: JSON.parse(body) as unknown };
    expect(await optionOf(readWebhook(own as never, options))).toBe('payload');
    expect(await optionOf(readWebhook(signed(body), undefined as never))).toBe('secret');
  });

  test('with any content: the outcome is events or an error of this package', async () => {
    const thrower = () => {
      throw new Error('from a trap');
    };
    const posts: unknown[] = [
      null,
      undefined,
      5,
      'text',
      [],
      { payload: body },
      { payload: body, headers: null },
      { payload: body, headers: { get: thrower } },
      { payload: body, headers: { get: () => null, forEach: thrower } },
      { arrayBuffer: thrower, headers: { get: () => 'x' } },
      { arrayBuffer: 5, headers: null },
      { arrayBuffer: () => Promise.resolve('text'), headers: { get: () => signatureOf(body) } },
      { payload: Symbol('x'), signature: Symbol('y') },
    ];
    for (const post of posts) {
      for (const given of [options, { secret: SECRET }]) {
        const outcome = await readWebhook(post as never, given).catch((error: unknown) => error);
        expect(outcome).toBeInstanceOf(EmailPlatformError);
      }
    }
  });
});
