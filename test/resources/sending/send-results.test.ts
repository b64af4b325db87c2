import {
  ApiError,
  EmailPlatform,
  ResponseFormatError,
  type BatchOutcome,
  type EmailPlatformError,
  type SendParams,
} from 'email-platform';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { json, scriptedFetch, text, type Turn } from '../../support/scripted-fetch.ts';
import { collected, mailTo } from './batch-runs.ts';
import { sized } from '../../support/extent.ts';

const mail = {
  from: { email: 'hello@mail.example.com' },
  to: [{ email: 'ann@example.org' }],
  subject: 'Hi',
  text: 'Hello',
} satisfies SendParams;

/** What the caller is told: accepted, refused (certainly or not), or that the response is not the documented one. */
type Told = 'accepted' | 'refused' | 'refused, with ids' | 'not readable';

interface Ending {
  readonly told: Told;
  readonly data?: unknown;
  readonly requests: number;
}

const ERRORS: readonly [Told, abstract new (...args: never[]) => EmailPlatformError, string][] = [
  ['refused', ApiError, 'none'],
  ['refused, with ids', ApiError, 'unknown'],
  ['not readable', ResponseFormatError, 'unknown'],
];

/** A client that may retry whatever it wants. */
function clientFor(turn: Turn) {
  const { fetch, sent } = scriptedFetch(turn);
  const hosts = { send: 'https://send.test' };
  return { sending: new EmailPlatform({ token: 'token', hosts, fetch, throttle: false }).sending, sent };
}

async function endingOf(turn: Turn, method: 'send' | 'batch', mails = 1): Promise<Ending> {
  const { sending, sent } = clientFor(turn);
  const params = { requests: Array<SendParams>(mails).fill(mail) };
  try {
    const data: unknown = await (method === 'send' ? sending.send(mail) : sending.batch(params));
    return { told: 'accepted', data, requests: sent.length };
  } catch (error) {
    const found = ERRORS.find(
      ([, errorClass, effect]) => error instanceof errorClass && error.effect === effect,
    );
    if (!found) throw error;
    return { told: found[0], requests: sent.length };
  }
}

async function outcomesOf(
  turn: Turn,
  mails: number,
): Promise<{ outcomes: BatchOutcome[]; requests: number }> {
  const { sending, sent } = clientFor(turn);
  const { outcomes, thrown } = await collected(
    sending.batchAll(Array.from({ length: mails }, (_, index) => mailTo(index))),
  );
  expect(thrown).toBeUndefined();
  return { outcomes, requests: sent.length };
}

/** Of several emails, a refusal without a word on each of them is not certain, as one with ids is not of a single one. */
const ofBatch = (told: Told): Told => (told === 'refused' ? 'refused, with ids' : told);

const bytes =
  (body: Uint8Array<ArrayBuffer> | string, type = 'application/json'): Turn =>
  () =>
    new Response(body, { headers: { 'content-type': type } });
const json200 = (body: unknown) => json(200, body);
const good = '{"success":true,"message_ids":["a"]}';
const utf16 = new Uint8Array(Buffer.from(`\uFEFF${good}`, 'utf16le'));

/** Bodies without outcomes of single emails, and what the caller of `send` and of `batch` is told. */
const whole: readonly [string, Turn, Told][] = [
  ['success and ids', json200({ success: true, message_ids: ['a'] }), 'accepted'],
  ['success alone', json200({ success: true }), 'accepted'],
  ['success and empty ids', json200({ success: true, message_ids: [] }), 'accepted'],
  ['success and ids of null', json200({ success: true, message_ids: null }), 'accepted'],
  ['success and a field of tomorrow', json200({ success: true, queue: 1 }), 'accepted'],
  ['success and reasons', json200({ success: true, errors: ['no'] }), 'accepted'],
  ['success with 201', json(201, { success: true }), 'accepted'],
  ['success with 299', json(299, { success: true }), 'accepted'],
  ['success as text/html', text(200, good, 'text/html'), 'accepted'],
  ['success after a byte order mark', bytes(`\uFEFF${good}`), 'accepted'],
  ['success within white space', bytes(` \r\n\t${good}\n`), 'accepted'],
  ['success twice, true at last', bytes('{"success":false,"success":true}'), 'accepted'],
  ['ids alone', json200({ message_ids: ['a'] }), 'accepted'],
  ['a single id', json200({ message_ids: 'a' }), 'accepted'],
  ['numbers for ids', json200({ message_ids: [7] }), 'accepted'],
  ['ids, and success as a text', json200({ success: 'false', message_ids: ['a'] }), 'accepted'],
  ['ids, and success of null', json200({ success: null, message_ids: ['a'] }), 'accepted'],
  ['an id among nothings', json200({ message_ids: [null, 'a', ''] }), 'accepted'],

  ['a refusal with reasons', json200({ success: false, errors: ['no'] }), 'refused'],
  ['a refusal alone', json200({ success: false }), 'refused'],
  ['a refusal with empty ids', json200({ success: false, message_ids: [] }), 'refused'],
  ['a refusal with ids of null', json200({ success: false, message_ids: [null] }), 'refused'],
  ['a refusal with 202', json(202, { success: false }), 'refused'],
  ['a refusal with ids', json200({ success: false, message_ids: ['a'] }), 'refused, with ids'],
  ['a refusal with a number', json200({ success: false, message_ids: 7 }), 'refused, with ids'],

  ['nothing', bytes(''), 'not readable'],
  ['nothing, with 204', () => new Response(null, { status: 204 }), 'not readable'],
  ['white space', bytes(' \n'), 'not readable'],
  ['a byte order mark', bytes('\uFEFF'), 'not readable'],
  ['a page', text(200, '<!doctype html><title>Sign in</title>', 'text/html'), 'not readable'],
  ['a page that says it is JSON', bytes('<html></html>'), 'not readable'],
  ['a word', text(200, 'OK'), 'not readable'],
  ['half of a success', bytes('{"success":true,"message_ids":["a"'), 'not readable'],
  ['a success and more', bytes(`${good}}`), 'not readable'],
  ['JSON twice', bytes(good + good), 'not readable'],
  ['lines of JSON', bytes(`${good}\n${good}`), 'not readable'],
  ['JSON in UTF-16', bytes(utf16), 'not readable'],
  ['JSON with a prefix against hijacking', bytes(`)]}',\n${good}`), 'not readable'],
  ['JSON with a comment', bytes(`${good} // ok`), 'not readable'],
  ['null', json200(null), 'not readable'],
  ['true', json200(true), 'not readable'],
  ['a number', json200(200), 'not readable'],
  ['a text', json200('success'), 'not readable'],
  ['a success in a text', json200(good), 'not readable'],
  ['an empty list', json200([]), 'not readable'],
  ['a list of a success', json200([{ success: true, message_ids: ['a'] }]), 'not readable'],
  ['an empty object', json200({}), 'not readable'],
  ['errors', json200({ errors: ['no'] }), 'not readable'],
  ['no errors', json200({ errors: [] }), 'not readable'],
  ['an error', json200({ error: 'Not found' }), 'not readable'],
  ['a message', json200({ message: 'ok' }), 'not readable'],
  ['a status', json200({ status: 'ok', code: 200 }), 'not readable'],
  ['a success in an envelope', json200({ data: { success: true, message_ids: ['a'] } }), 'not readable'],
  ['success as a text', json200({ success: 'true' }), 'not readable'],
  ['its contrary as a text', json200({ success: 'false' }), 'not readable'],
  ['success as a number', json200({ success: 1 }), 'not readable'],
  ['its contrary as a number', json200({ success: 0 }), 'not readable'],
  ['success of null', json200({ success: null }), 'not readable'],
  ['success as an object', json200({ success: {} }), 'not readable'],
  ['success in capitals', json200({ Success: true }), 'not readable'],
  ['empty ids', json200({ message_ids: [] }), 'not readable'],
  ['ids of null', json200({ message_ids: null }), 'not readable'],
  ['ids that are empty', json200({ message_ids: ['', null, {}, [], true] }), 'not readable'],
  ['an object for ids', json200({ message_ids: { 0: 'a', length: 1 } }), 'not readable'],
  ['an id that cannot be written', bytes('{"message_ids":[{"toString":1}]}'), 'not readable'],
  ['a prototype', bytes('{"__proto__":{"success":true,"message_ids":["a"]}}'), 'not readable'],
];

describe('A 2xx with', () => {
  test.each(whole)('%s', async (_, turn, told) => {
    const send = await endingOf(turn, 'send');
    const batch = await endingOf(turn, 'batch', 2);
    expect([send.told, batch.told]).toEqual([told, ofBatch(told)]);
    if (told === 'accepted') {
      expect(send.data).toMatchObject({ success: true });
      for (const id of (send.data as { message_ids: unknown[] }).message_ids) expect(id).toMatch(/^.+$/);
      expect(batch.data).toMatchObject({ success: true, responses: [] });
    }
    const { outcomes, requests } = await outcomesOf(turn, 2);
    expect(outcomes.map(({ status }) => status)).toEqual(['unknown', 'unknown']);
    expect([send.requests, batch.requests, requests]).toEqual([1, 1, 1]);
  });
});

/** Responses to two emails, and the outcome of each. */
const single: readonly [string, unknown, BatchOutcome['status'][]][] = [
  ['ids each', [{ success: true, message_ids: ['a'] }, { message_ids: ['b'] }], ['accepted', 'accepted']],
  ['a rejection', [{ success: true }, { success: false, errors: ['no'] }], ['accepted', 'rejected']],
  ['reasons alone', [{ errors: ['no'] }, { errors: 'no' }], ['rejected', 'rejected']],
  ['reasons beside ids', [{ message_ids: ['a'], errors: ['no'] }, {}], ['accepted', 'unknown']],
  ['a contradiction', [{ success: false, message_ids: ['a'] }, { success: true }], ['unknown', 'accepted']],
  ['words for success', [{ success: 'true' }, { success: 'false' }], ['unknown', 'unknown']],
  ['numbers for success', [{ success: 1 }, { success: 0 }], ['unknown', 'unknown']],
  ['no reasons', [{ errors: [] }, { errors: [null, '', {}] }], ['unknown', 'unknown']],
];
/** Responses that do not fit two emails, and what `batch` returns of each. */
const unmatched: readonly [string, unknown[], (boolean | undefined)[]][] = [
  ['too few', [{ success: true }], [true]],
  ['too few, with ids', [{ message_ids: ['a'] }], [true]],
  ['too many', [{ success: true }, { success: false }, { success: true }], [true, false, true]],
];
const unusable: readonly [string, unknown][] = [
  ['a list in a list', [[{ success: true }], [{ success: true }]]],
  ['null beside a verdict', [{ success: true }, null]],
  ['a number beside a verdict', [{ success: true }, 7]],
  ['ids', ['a', 'b']],
  ['an object', { 0: { success: true } }],
  ['a number', 2],
  ['a text', 'ok'],
  ['true', true],
];

describe.each([
  ['the batch taken', { success: true }],
  ['the batch refused', { success: false, errors: ['no'] }],
  ['no word on the batch', {}],
])('Outcomes of single emails, with %s:', (_, envelope) => {
  const taken = !('errors' in envelope);

  test.each(single)('%s', async (_case, responses, expected) => {
    const turn = json200({ ...envelope, responses });
    const { outcomes, requests } = await outcomesOf(turn, 2);
    expect(outcomes.map(({ status }) => status)).toEqual(expected);
    const batch = await endingOf(turn, 'batch', 2);
    expect(batch).toMatchObject({ told: 'accepted', requests: 1, data: { success: taken } });
    const { responses: read } = batch.data as { responses: { success?: boolean; message_ids: string[] }[] };
    const verdicts = {
      accepted: true,
      rejected: false,
      unknown: undefined,
      not_sent: undefined,
      key_reused: undefined,
    };
    expect(read.map(({ success }) => success)).toEqual(expected.map((status) => verdicts[status]));
    expect(requests).toBe(1);
  });

  test.each(unmatched)('%s: which is whose is not known', async (_case, responses, told) => {
    const turn = json200({ ...envelope, responses });
    const { outcomes, requests } = await outcomesOf(turn, 2);
    expect(outcomes.map(({ status }) => status)).toEqual(['unknown', 'unknown']);
    const { data } = await endingOf(turn, 'batch', 2);
    const { responses: read } = data as { responses: { success?: boolean }[] };
    expect([read.map(({ success }) => success), requests]).toEqual([told, 1]);
  });

  test.each(unusable)('%s: none of them can be used', async (_case, responses) => {
    const turn = json200({ ...envelope, responses });
    expect(await endingOf(turn, 'batch', 2)).toEqual({ told: 'not readable', requests: 1 });
    const { outcomes } = await outcomesOf(turn, 2);
    expect(outcomes.map(({ status }) => status)).toEqual(['unknown', 'unknown']);
  });
});

/** Values of every kind, often with the fields that decide. */
const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(true, false, null, 'true', 'false', 1, 0, '', 'a', [], {}, ['a'], [7], [null], ['']),
);
const verdict = fc.oneof(
  { weight: 1, arbitrary: fc.jsonValue() },
  {
    weight: 4,
    arbitrary: fc.record({ success: value, message_ids: value, errors: value }, { requiredKeys: [] }),
  },
);
const answer = fc.oneof(
  { weight: 2, arbitrary: verdict },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        success: value,
        message_ids: value,
        errors: value,
        responses: fc.oneof({ weight: 1, arbitrary: value }, { weight: 4, arbitrary: fc.array(verdict) }),
      },
      { requiredKeys: [] },
    ),
  },
);

/** The rule, written out once more. */
const isObject = (one: unknown): one is Record<string, unknown> =>
  Object.prototype.toString.call(one) === '[object Object]';
const someText = (one: unknown): boolean =>
  Array.isArray(one) ? one.some((each) => !Array.isArray(each) && someText(each)) : readable(one);
const readable = (one: unknown) => (typeof one === 'string' && one.length > 0) || typeof one === 'number';

function ruleFor(body: unknown): Told {
  if (!isObject(body)) return 'not readable';
  const { success, message_ids } = body;
  if (success === false) return someText(message_ids) ? 'refused, with ids' : 'refused';
  return success === true || someText(message_ids) ? 'accepted' : 'not readable';
}

/** How a batch is judged: by single outcomes, if there are any. */
function ruleForBatch(body: unknown): { told: Told; single?: BatchOutcome['status'][] } {
  if (!isObject(body)) return { told: 'not readable' };
  const responses = body.responses ?? [];
  if (!Array.isArray(responses) || !responses.every(isObject)) return { told: 'not readable' };
  if (responses.length === 0) return { told: ofBatch(ruleFor(body)) };
  const single = responses.map((one): BatchOutcome['status'] => {
    const told = ruleFor(one);
    if (told === 'accepted') return 'accepted';
    if (told === 'refused') return 'rejected';
    return told === 'not readable' && someText(one.errors) ? 'rejected' : 'unknown';
  });
  return { told: 'accepted', single };
}

test('For any JSON of a 2xx, the outcome follows the rule, after one request', async () => {
  await fc.assert(
    fc.asyncProperty(answer, fc.integer({ min: 1, max: 4 }), fc.boolean(), async (body, some, isFitting) => {
      const turn = json200(body);
      const send = await endingOf(turn, 'send');
      expect([send.told, send.requests]).toEqual([ruleFor(body), 1]);
      if (send.told === 'accepted') {
        const { success, message_ids } = send.data as { success: unknown; message_ids: unknown[] };
        expect(success).toBe(true);
        expect(message_ids.every((id) => typeof id === 'string' && id !== '')).toBe(true);
      }

      const { told, single: verdicts } = ruleForBatch(body);
      const mails = isFitting && verdicts ? verdicts.length : some;
      const batch = await endingOf(turn, 'batch', mails);
      expect([batch.told, batch.requests]).toEqual([told, 1]);

      const { outcomes, requests } = await outcomesOf(turn, mails);
      expect(outcomes.map(({ index }) => index)).toEqual(Array.from({ length: mails }, (_, index) => index));
      const unknown = Array.from({ length: mails }, () => 'unknown');
      const expected = verdicts?.length === mails ? verdicts : unknown;
      expect(outcomes.map(({ status }) => status)).toEqual(expected);
      expect(requests).toBe(1);
    }),
    { numRuns: sized(1000, 50) },
  );
});
