import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConfigurationError,
  ConnectionError,
  EmailPlatform,
  InvalidRequestError,
  ResponseFormatError,
  type BatchParams,
  type SendOptions,
  type SendParams,
} from 'email-platform';
import * as schemas from 'email-platform/schemas';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { empty, json, scriptedFetch, text, type Turn } from '../../support/scripted-fetch.ts';

const from = { email: 'hello@mail.example.com', name: 'Hello' };
const to = [{ email: 'ann@example.org', name: 'Ann' }];
const mail = { from, to, subject: 'Hi', text: 'Hello' } satisfies SendParams;
const hosts = {
  api: 'https://api.test',
  send: 'https://send.test',
  bulk: 'https://bulk.test',
  sandbox: 'https://sandbox.test/base',
};

/** A client whose responses are scripted. */
function scripted(turn: Turn, options = {}) {
  const { fetch, sent } = scriptedFetch(turn);
  const client = new EmailPlatform({
    token: 'token',
    hosts,
    fetch,
    retry: false,
    throttle: false,
    ...options,
  });
  return { sending: client.sending, sent };
}

const accepted = json(200, { success: true, message_ids: ['a'] });

describe('The stream of a call selects host and path', () => {
  test.each<[SendOptions | undefined, object, string]>([
    [undefined, {}, 'https://send.test/api/send'],
    [{ stream: 'transactional' }, { stream: 'bulk' }, 'https://send.test/api/send'],
    [{ stream: 'bulk' }, {}, 'https://bulk.test/api/send'],
    [{}, { stream: 'bulk' }, 'https://bulk.test/api/send'],
    [{ stream: 'sandbox', sandboxInboxId: 7 }, {}, 'https://sandbox.test/base/api/send/7'],
    [{ stream: 'sandbox', sandboxInboxId: 7 }, { sandboxInboxId: 8 }, 'https://sandbox.test/base/api/send/7'],
    [{ stream: 'sandbox' }, { sandboxInboxId: 8 }, 'https://sandbox.test/base/api/send/8'],
    [undefined, { stream: 'sandbox', sandboxInboxId: 8 }, 'https://sandbox.test/base/api/send/8'],
  ])('%o, for a client with %o: %s', async (options, ofClient, url) => {
    const { sending, sent } = scripted(accepted, ofClient);
    await sending.send(mail, options);
    await sending.batch({ requests: [mail] }, options);
    expect(sent.map((request) => `${request.method} ${request.url}`)).toEqual([
      `POST ${url}`,
      `POST ${url.replace('/api/send', '/api/batch')}`,
    ]);
  });

  test('without an inbox, the sandbox is refused with the names of option and variable', async () => {
    const { sending, sent } = scripted(accepted);
    const error = await rejection(sending.send(mail, { stream: 'sandbox' }), ConfigurationError);
    expect(error.option).toBe('sandboxInboxId');
    expect(error.message).toContain('EMAIL_PLATFORM_SANDBOX_INBOX_ID');
    expect(error.request?.operation).toBe('sending.send');
    expect(sent).toHaveLength(0);
  });

  test('without its host, it is refused too', async () => {
    const { sending } = scripted(accepted, { hosts: { send: hosts.send } });
    const error = await rejection(sending.send(mail, { stream: 'bulk' }), ConfigurationError);
    expect(error).toMatchObject({ option: 'hosts.bulk', request: { operation: 'sending.send' } });
  });
});

describe('Options of a call', () => {
  test.each<[unknown, string[]]>([
    [{ stream: 'fast' }, ['options.stream: …']],
    [{ stream: 'constructor' }, ['options.stream: …']],
    [{ stream: null }, ["options.stream: must be one of 'transactional', 'bulk', 'sandbox'"]],
    [{ sandboxInboxId: '7' }, ['options.sandboxInboxId: must be a positive whole number']],
    [{ sandboxInboxId: 0 }, ['options.sandboxInboxId: must be a positive whole number']],
    [{ timeoutMs: -1, stream: 7 }, ['options.stream: …', 'options.timeoutMs: …']],
    [{ concurrency: 4 }, ['options.concurrency: …']],
    [null, ['options: …']],
  ])('%o is refused', async (options, expected) => {
    const { sending, sent } = scripted(accepted);
    for (const call of [
      () => sending.send(mail, options as SendOptions),
      () => sending.batch({ requests: [mail] }, options as SendOptions),
    ]) {
      const { issues } = await rejection(call(), InvalidRequestError);
      const told = issues.map(({ path, message }, at) =>
        expected[at]?.endsWith('…') ? `${path}: …` : `${path}: ${message}`,
      );
      expect(told).toEqual(expected);
    }
    expect(sent).toHaveLength(0);
  });

  test('are refused together with what is wrong in the email', async () => {
    const { sending } = scripted(accepted);
    const options = { stream: 'fast' } as unknown as SendOptions;
    const { issues } = await rejection(
      sending.send({ ...mail, subject: 'a\nb' }, options),
      InvalidRequestError,
    );
    expect(issues.map(({ path }) => path)).toEqual(['options.stream', 'subject']);
  });

  test('that are common to all calls apply', async () => {
    const { sending, sent } = scripted(accepted);
    await sending.send(mail, { stream: 'bulk', headers: { 'X-Trace': '1' } });
    expect(sent[0]?.headers.get('x-trace')).toBe('1');
  });
});

describe('The body', () => {
  test('is what was given, and nothing that is changed afterwards', async () => {
    const { sending, sent } = scripted(accepted);
    const params = structuredClone(mail);
    const promise = sending.send(params);
    params.subject = 'Changed';
    await promise;
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual(mail);
  });

  test('in a batch is copied too', async () => {
    const { sending, sent } = scripted(accepted);
    const params: BatchParams = { base: { from, subject: 'Hi' }, requests: [{ to, text: 'one' }, { to }] };
    await sending.batch(params);
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual(params);
  });

  test.each([
    ['a BigInt', 1n],
    [
      'a circle',
      (() => {
        const circle: Record<string, unknown> = {};
        return Object.assign(circle, { circle });
      })(),
    ],
  ])('with %s cannot be JSON', async (_, value) => {
    const { sending, sent } = scripted(accepted);
    const requests = [{ to, template_uuid: 'x', template_variables: { value } }];
    const error = await rejection(sending.batch({ requests }), InvalidRequestError);
    expect(error.issues).toEqual([{ path: 'body', message: 'must be serializable as JSON' }]);
    expect(sent).toHaveLength(0);
  });

  test('has at most 50 MB in a batch', async () => {
    const { sending, sent } = scripted(accepted);
    const max = 50 * 1024 * 1024;
    const requests = (html: string) => ({ requests: [{ to, subject: 'Hi', html }] });
    const around = JSON.stringify(requests('')).length;
    // Three bytes each, except for a few at the end.
    const full = '€'.repeat(Math.floor((max - around) / 3)) + 'x'.repeat((max - around) % 3);
    await sending.batch(requests(full));
    const error = await rejection(sending.batch(requests(`${full}x`)), InvalidRequestError);
    expect(error.message).toBe(`sending.batch was not sent: body: must be at most ${max} bytes as JSON`);
    expect(sent).toHaveLength(1);
  });
});

describe('The result of a send', () => {
  test.each<[string, Turn, unknown]>([
    [
      'ids',
      json(200, { success: true, message_ids: ['a', 'b'] }),
      { success: true, message_ids: ['a', 'b'] },
    ],
    ['no ids', json(200, { success: true }), { success: true, message_ids: [] }],
    ['numbers for ids', json(200, { message_ids: [7] }), { success: true, message_ids: ['7'] }],
    [
      'a field of tomorrow',
      json(202, { success: true, queue: 1 }),
      { success: true, queue: 1, message_ids: [] },
    ],
  ])('of a 2xx with %s is a success', async (_, turn, expected) => {
    expect(await scripted(turn).sending.send(mail)).toEqual(expected);
  });

  test.each<[string, Turn, string]>([
    ['a body that is no JSON', text(200, 'OK'), 'is not JSON (2 characters); text/plain'],
    ['a list', json(200, ['a']), 'is not the documented one; application/json; charset=utf-8'],
    ['no body', empty(204), 'is not JSON (0 characters); no content type'],
  ])('of a 2xx with %s is unknown', async (_, turn, expected) => {
    const { sending, sent } = scripted(turn, { retry: {} });
    const error = await rejection(sending.send(mail), ResponseFormatError);
    expect(error).toMatchObject({ effect: 'unknown', code: 'response_format', request: { attempts: 1 } });
    expect(error.message).toMatch(/^sending\.send returned 20\d, but the body /);
    expect(error.message).toContain(expected);
    expect(sent).toHaveLength(1);
  });

  test('a 2xx whose body is a refusal is an error: nothing was sent', async () => {
    const refusal = { success: false, errors: ['Sending is suspended'] };
    const { sending } = scripted(json(200, refusal));
    const error = await rejection(sending.send(mail), ApiError);
    expect(error).toMatchObject({ status: 200, effect: 'none', messages: refusal.errors });
    expect(error.message).toBe('sending.send failed with 200: Sending is suspended');
  });

  test('whose body breaks off is unknown', async () => {
    const emulator = createEmulator();
    const client = new EmailPlatform(emulator.clientOptions());
    emulator.faults.next({ kind: 'truncate' });
    const error = await rejection(client.sending.send(mail), ConnectionError);
    expect(error).toMatchObject({ effect: 'unknown', phase: 'exchange' });
    expect(emulator.messages()).toHaveLength(1);
    expect(emulator.requests).toHaveLength(1);
  });

  test('that was refused is an error with the service’s messages', async () => {
    const refused = json(400, { errors: ["'to' address is invalid"] });
    const error = await rejection(scripted(refused).sending.send(mail), BadRequestError);
    expect(error).toMatchObject({ effect: 'none', messages: ["'to' address is invalid"] });
  });

  test('for a sender that is not verified is a 401', async () => {
    const emulator = createEmulator();
    const client = new EmailPlatform(emulator.clientOptions());
    const stranger = { ...mail, from: { email: 'a@nowhere.test' } };
    await rejection(client.sending.send(stranger), AuthenticationError);
  });
});

describe('The result of a batch', () => {
  const requests = [mail, mail];

  test.each<[string, Turn, unknown]>([
    [
      'a verdict for each',
      json(200, {
        success: true,
        responses: [
          { success: true, message_ids: ['a'] },
          { success: false, errors: ['no'] },
        ],
      }),
      {
        success: true,
        responses: [
          { success: true, message_ids: ['a'] },
          { success: false, errors: ['no'], message_ids: [] },
        ],
      },
    ],
    [
      'a verdict for each, although the batch failed',
      json(200, { success: false, errors: 'no', responses: [{ success: false, errors: 'no' }] }),
      {
        success: false,
        errors: ['no'],
        responses: [{ success: false, errors: ['no'], message_ids: [] }],
      },
    ],
    ['no verdicts', json(200, { success: true }), { success: true, responses: [] }],
    [
      'verdicts that contradict themselves, or say nothing',
      json(200, { responses: [{ success: false, message_ids: ['a'] }, { success: 'false' }] }),
      { success: true, responses: [{ message_ids: ['a'] }, { message_ids: [] }] },
    ],
  ])('of a response with %s', async (_, turn, expected) => {
    expect(await scripted(turn).sending.batch({ requests })).toEqual(expected);
  });

  test('a refusal of all is an error, and without a word on each email nothing is certain', async () => {
    const { sending } = scripted(json(200, { success: false, errors: ['no'] }));
    const error = await rejection(sending.batch({ requests }), ApiError);
    expect(error).toMatchObject({ status: 200, effect: 'unknown', messages: ['no'] });
  });

  test.each([1, 3])('returns the outcomes that came, %d for 2 emails', async (count) => {
    const responses = Array.from({ length: count }, () => ({ success: true, message_ids: ['a'] }));
    const { sending } = scripted(json(200, { success: true, responses }));
    expect(await sending.batch({ requests })).toEqual({ success: true, responses });
  });

  test.each<[string, Turn]>([
    ['a body that is no JSON', text(200, 'OK')],
    ['a verdict that is none', json(200, { success: true, responses: [{ success: true }, 7] })],
  ])('with %s is unknown', async (_, turn) => {
    const { sending, sent } = scripted(turn, { retry: {} });
    const error = await rejection(sending.batch({ requests }), ResponseFormatError);
    expect([error.effect, sent.length]).toEqual(['unknown', 1]);
  });

  test('from the service: a rejected email does not affect the others', async () => {
    const emulator = createEmulator();
    const { sending } = new EmailPlatform(emulator.clientOptions());
    const { success, responses } = await sending.batch({
      base: { from, subject: 'Hi', text: 'Hello' },
      requests: [{ to }, { to: [] }, { to, cc: to, bcc: to }],
    });
    expect(success).toBe(true);
    expect(responses.map(({ message_ids }) => message_ids.length)).toEqual([1, 0, 3]);
    expect(responses[1]).toMatchObject({ success: false, errors: [expect.stringMatching(/recipient/)] });
    expect(emulator.messages()).toHaveLength(4);
  });
});

describe('Against the service', () => {
  test('each stream delivers to the right place', async () => {
    const emulator = createEmulator();
    const client = new EmailPlatform(emulator.clientOptions());
    await client.sending.send(mail);
    await client.sending.send(mail, { stream: 'bulk' });
    const { message_ids } = await client.sending.send(mail, { stream: 'sandbox' });
    const other = emulator.sandbox.add();
    await client.sending.batch({ requests: [mail] }, { stream: 'sandbox', sandboxInboxId: other });
    expect(emulator.messages().map(({ stream }) => stream)).toEqual([
      'transactional',
      'bulk',
      'sandbox',
      'sandbox',
    ]);
    expect(emulator.sandbox.messages(other)).toHaveLength(1);
    expect(emulator.sandbox.messages().map(({ id }) => id)).toContain(message_ids[0]);
  });

  test('responses match the documentation', async () => {
    const mismatches: EmailPlatform.MismatchEvent[] = [];
    const hooks = { onMismatch: (event: EmailPlatform.MismatchEvent) => void mismatches.push(event) };
    const client = new EmailPlatform({ ...createEmulator().clientOptions(), schemas, hooks });
    await client.sending.send(mail);
    await client.sending.batch({ requests: [mail, { to: [] }] });
    const odd = scripted(json(200, { success: 'yes', message_ids: [7] }), { schemas, hooks });
    expect(await odd.sending.send(mail)).toEqual({ success: true, message_ids: ['7'] });
    expect(mismatches.map(({ operation, issues }) => [operation, issues.length])).toEqual([
      ['sending.send', 2],
    ]);
  });
});
