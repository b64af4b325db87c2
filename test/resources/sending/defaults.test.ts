import {
  ConfigurationError,
  EmailPlatform,
  InvalidRequestError,
  type EmailPlatformOptions,
} from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection, thrown } from '../../support/caught.ts';
import { collected } from './batch-runs.ts';

const defaults = { from: 'Us <hello@mail.example.com>', reply_to: 'help@mail.example.com', category: 'ours' };

function setUp(options: EmailPlatformOptions = { defaults }) {
  const emulator = createEmulator();
  const sent: unknown[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    sent.push(await request.clone().json());
    return emulator.fetch(request);
  };
  const client = new EmailPlatform({ ...emulator.clientOptions(), fetch, ...options });
  return { client, bodies: () => sent };
}

const mail = { to: ['Ann <ann@example.org>'], subject: 'Hi', text: 'Hello' };
const complete = {
  from: { email: 'hello@mail.example.com', name: 'Us' },
  reply_to: { email: 'help@mail.example.com' },
  category: 'ours',
};
const sent = { ...mail, to: [{ email: 'ann@example.org', name: 'Ann' }] };

describe("The client's defaults", () => {
  test('are in every email that has none of its own', async () => {
    const { client, bodies } = setUp();
    await client.sending.send(mail);
    await client.sending.send({ ...mail, category: 'mine', reply_to: undefined });
    expect(bodies()).toEqual([
      { ...sent, ...complete },
      { ...sent, ...complete, category: 'mine' },
    ]);
    expect(mail).toEqual({ to: ['Ann <ann@example.org>'], subject: 'Hi', text: 'Hello' });
  });

  test('are in the base of a batch', async () => {
    const { client, bodies } = setUp();
    await client.sending.batch({ requests: [mail] });
    await client.sending.batch({ base: { category: 'mine' }, requests: [mail] });
    expect(bodies()).toEqual([
      { base: complete, requests: [sent] },
      { base: { ...complete, category: 'mine' }, requests: [sent] },
    ]);
  });

  test('are in the base of batchAll, whose outcomes have the emails as they were', async () => {
    const { client, bodies } = setUp();
    const { outcomes } = await collected(client.sending.batchAll([mail]));
    expect(bodies()).toEqual([{ base: complete, requests: [sent] }]);
    expect(outcomes.map(({ status }) => status)).toEqual(['accepted']);
    expect(outcomes[0]?.request).toBe(mail);
  });

  test('are inherited by derived clients, which may have their own', async () => {
    const { client, bodies } = setUp();
    await client.withOptions({ stream: 'bulk' }).sending.send(mail);
    await client.withOptions({ defaults: { from: 'other@mail.example.com' } }).sending.send(mail);
    expect(bodies()).toEqual([
      { ...sent, ...complete },
      { ...sent, from: { email: 'other@mail.example.com' } },
    ]);
  });

  test('are read when the client is created: what changes later has no effect', async () => {
    const own = { ...defaults };
    const { client, bodies } = setUp({ defaults: own });
    own.category = 'changed';
    await client.sending.send(mail);
    expect(bodies()).toEqual([{ ...sent, ...complete }]);
  });

  test.each<[unknown, string]>([
    [
      { from: 'nobody' },
      "defaults.from must be 'ann@example.org', 'Ann <ann@example.org>' or { email, name }",
    ],
    [
      { from: { email: 'a@b.org\r\nBcc: x' } },
      'defaults.from.email must not contain a line break or a null character',
    ],
    [{ replyTo: 'a@b.org' }, 'defaults.replyTo is not a known field; did you mean `reply_to`?'],
    [{ category: 'x'.repeat(256) }, 'defaults.category must be at most 255 characters'],
    ['hello@mail.example.com', 'defaults must be an object'],
  ])('that are wrong are refused when the client is created: %j', (wrong, message) => {
    const error = thrown(() => setUp({ defaults: wrong as object }), ConfigurationError);
    expect(error.message).toBe(message);
  });

  test('absent, an email without a sender is refused', async () => {
    const { client } = setUp({});
    const error = await rejection(client.sending.send(mail), InvalidRequestError);
    expect(error.issues).toEqual([{ path: 'from', message: 'is required' }]);
  });
});

test('a text that is no address is refused before anything is sent', async () => {
  const { client, bodies } = setUp({});
  const wrong = { ...mail, from: 'us', to: ['ann@example.org, ben@example.org'] };
  const error = await rejection(client.sending.send(wrong), InvalidRequestError);
  const message = "must be 'ann@example.org', 'Ann <ann@example.org>' or { email, name }";
  expect(error.issues).toEqual([
    { path: 'from', message },
    { path: 'to[0]', message },
  ]);
  expect(bodies()).toEqual([]);
});

test('a text that is no address costs batchAll only its own email', async () => {
  const { client, bodies } = setUp();
  const wrong = { ...mail, to: ['not an address'] };
  const { outcomes } = await collected(client.sending.batchAll([wrong, mail]));
  expect(outcomes.map(({ index, status }) => [index, status])).toEqual([
    [0, 'not_sent'],
    [1, 'accepted'],
  ]);
  expect(outcomes[0]?.error).toBeInstanceOf(InvalidRequestError);
  expect(outcomes[0]?.error?.message).toBe(
    "sending.batchAll was not sent: requests[0].to[0]: must be 'ann@example.org', 'Ann <ann@example.org>' or { email, name }",
  );
  expect(bodies()).toEqual([{ base: complete, requests: [sent] }]);
});

test('a list in place of the parameters of batch says what to pass', async () => {
  const { client } = setUp();
  const error = await rejection(client.sending.batch([mail] as never), InvalidRequestError);
  expect(error.issues).toEqual([
    { path: 'params', message: 'must be an object: pass { requests: [...] }, or use batchAll' },
  ]);
});

test('a path with a query says what to use', async () => {
  const { client } = setUp();
  const error = await rejection(
    client.request({ method: 'GET', path: '/api/x?page=2' }),
    InvalidRequestError,
  );
  expect(error.issues).toEqual([
    {
      path: 'path',
      message:
        'must be an absolute path, percent-encoded, without dot segments, encoded separators and a query: use `query`',
    },
  ]);
});
