import { inspect } from 'node:util';
import { EmailPlatformError, type EmailPlatform } from 'email-platform';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../src/core/errors.ts';
import { rejection } from '../support/expect-error.ts';
import { sized } from '../support/extent.ts';
import { failure, json, scriptedFetch, text, type Turn } from '../support/scripted-fetch.ts';
import { throughItsWaits, virtualClient } from '../support/virtual-client.ts';

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
/** C0 and C1 controls, and the characters that end a line or turn a text's direction. */
const UNPRINTABLE = [
  ...range(0, 0x1f),
  ...range(0x7f, 0x9f),
  0x61c,
  0x200e,
  0x200f,
  ...range(0x2028, 0x202e),
  ...range(0x2066, 0x2069),
].map((code) => String.fromCharCode(code));
const isPrintable = (said: string) => !UNPRINTABLE.some((char) => said.includes(char));

const quoting = (said: string): EmailPlatform.StandardSchema => ({
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: () => ({ issues: [{ message: said, path: [said] }] }),
  },
});
const get = ({ campaigns }: EmailPlatform) => campaigns.get(1);
const waits = ({ sandbox }: EmailPlatform) =>
  sandbox.messages.waitFor({ inbox: 1, subject: 'other' }, { deadlineMs: 5_000 });
const message = (said: string) => ({ id: 1, subject: said, to_email: 'a@example.org', created_at: said });

/** The texts of others that a message quotes. */
const PLACES: Readonly<
  Record<string, (said: string) => [Turn, ((client: EmailPlatform) => PromiseLike<unknown>)?]>
> = {
  'an error': (said) => [json(400, { error: said })],
  'a list of errors': (said) => [json(422, { errors: ['first', said] })],
  'a field and its errors': (said) => [json(422, { errors: { [said]: [said] } })],
  'a text': (said) => [text(500, `said ${said}`)],
  'a refused email': (said) => [
    json(200, { success: false, errors: [said] }),
    ({ sending }) => sending.send({ from: 'a@example.com', to: 'b@example.org', subject: 's', text: 't' }),
  ],
  'an error of fetch': (said) => [failure(new TypeError('fetch failed', { cause: new Error(said) }))],
  'a schema': (said) => [
    json(200, {}),
    (client) => client.request({ method: 'GET', path: '/api/x', schema: quoting(said) }),
  ],
  'the subjects of the emails in an inbox': (said) => [json(200, [message(said)]), waits],
  'the state of an export': (said) => [
    json(200, { id: 1, status: `finished${said}`, url: null }),
    ({ contacts }) => contacts.exports.download(1, { deadlineMs: 5_000 }),
  ],
};

async function failed(place: string, said: string): Promise<EmailPlatformError> {
  const [turn, call = get] = PLACES[place]?.(said) ?? [];
  if (turn === undefined) throw new Error(`There is no place ${place}.`);
  const hosts = { api: 'https://api.test', send: 'https://send.test' };
  const { client, time } = virtualClient({ fetch: scriptedFetch(turn).fetch, hosts, retry: false });
  return rejection(throughItsWaits(time, Promise.resolve(call(client))), EmailPlatformError);
}

describe('A message contains no terminal control characters', () => {
  test.each(Object.keys(PLACES))('that quotes %s', async (place) => {
    const parts = fc.oneof(
      fc.constantFrom(...UNPRINTABLE),
      fc.constantFrom('a', 'é', '\u{1f600}', ' ', '[31m'),
    );
    const texts = fc.array(parts, { minLength: 1, maxLength: 30 }).map((all) => all.join(''));
    await fc.assert(
      fc.asyncProperty(texts, async (said) => {
        const error = await failed(place, said);
        expect(isPrintable(error.message)).toBe(true);
        expect(isPrintable(inspect(error).replaceAll('\n', ''))).toBe(true);
        for (let { cause } = error; cause instanceof Error; { cause } = cause)
          expect(isPrintable(cause.message.replaceAll('\n', ''))).toBe(true);
        expect(isPrintable(error.stack?.split(/\n\s+at /)[0] ?? '')).toBe(true);
      }),
      { numRuns: sized(50, 10), examples: [[UNPRINTABLE.join('')]] },
    );
  });

  test.each(UNPRINTABLE.map((char) => [`U+${char.charCodeAt(0).toString(16).padStart(4, '0')}`, char]))(
    '%s becomes U+FFFD there, and stays in the fields',
    async (_, char) => {
      const error = await failed('a field and its errors', `a${char}b`);
      expect(error.message).toContain('a\ufffdb a\ufffdb');
      expect(error).toMatchObject({
        messages: [`a${char}b a${char}b`],
        fieldErrors: { [`a${char}b`]: [`a${char}b`] },
        body: { errors: { [`a${char}b`]: [`a${char}b`] } },
      });
    },
  );
});

test('the lines of our own lists stay', () => {
  const { message } = new ConfigurationError('Two things:\n- one\n- two\u001b[31m', { option: 'a' });
  expect(message).toBe('Two things:\n- one\n- two\ufffd[31m');
});

test('other letters, signs and emoji stay', async () => {
  const said = 'Grüße, 你好, שלום, مرحبا, 👩‍👩‍👧 – “ok”';
  expect((await failed('an error', said)).message).toContain(said);
});
