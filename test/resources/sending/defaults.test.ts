import {
  BadRequestError,
  ConfigurationError,
  EmailPlatform,
  InvalidRequestError,
  type EmailPlatformOptions,
} from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection, thrown } from '../../support/expect-error.ts';
import { collected } from './batch-runs.ts';

const defaults = { from: 'Us <hello@mail.example.com>', reply_to: 'help@mail.example.com', category: 'ours' };

function setUp(options: EmailPlatformOptions = { defaults }) {
  const emulator = createEmulator();
  const sent: unknown[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    const text = await request.clone().text();
    sent.push(text === '' ? undefined : JSON.parse(text));
    return emulator.fetch(request);
  };
  const client = new EmailPlatform({ ...emulator.clientOptions(), fetch, ...options });
  return { client, emulator, bodies: () => sent };
}

const mail = { to: ['Ann <ann@example.org>'], subject: 'Hi', text: 'Hello' };
const from = { email: 'hello@mail.example.com', name: 'Us' };
const others = { reply_to: { email: 'help@mail.example.com' }, category: 'ours' };
const complete = { from, ...others };
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

  test('are in a batch: the sender in its base, the others in the emails that they fit', async () => {
    const { client, bodies } = setUp();
    await client.sending.batch({ requests: [mail] });
    await client.sending.batch({ base: { category: 'mine' }, requests: [mail] });
    expect(bodies()).toEqual([
      { base: { from }, requests: [{ ...sent, ...others }] },
      { base: { from, category: 'mine' }, requests: [{ ...sent, reply_to: others.reply_to }] },
    ]);
  });

  test('leave the category out of an email from a template, which the service would refuse', async () => {
    const { client, emulator, bodies } = setUp();
    const [to, reply_to] = [sent.to, others.reply_to];
    const { uuid: template_uuid } = await client.templates.create({ name: 'n', subject: 's', category: 'c' });
    await client.sending.send({ to: mail.to, template_uuid });
    const batch = { base: { template_uuid }, requests: [{ to: mail.to }] };
    const { responses } = await client.sending.batch(batch);
    const mixed = [{ to: mail.to, template_uuid }, mail];
    const { outcomes } = await collected(client.sending.batchAll(mixed));
    expect([responses, outcomes].map((each) => each.length)).toEqual([1, 2]);
    expect(responses.every(({ success }) => success)).toBe(true);
    expect(outcomes.map(({ status }) => status)).toEqual(['accepted', 'accepted']);
    expect(bodies().slice(1)).toEqual([
      { to, template_uuid, from, reply_to },
      { base: { template_uuid, from }, requests: [{ to, reply_to }] },
      {
        base: { from },
        requests: [
          { to, template_uuid, reply_to },
          { ...sent, ...others },
        ],
      },
    ]);
    expect(emulator.messages().map(({ category }) => category)).toEqual([null, null, null, 'ours']);
  });

  test('leave the reply address out of an email with a Reply-To header', async () => {
    const { client, bodies } = setUp();
    const headers = { 'Reply-To': 'ann@example.org, ben@example.org' };
    await client.sending.send({ ...mail, headers });
    await client.sending.batch({ requests: [{ ...mail, headers }, mail] });
    const { category } = others;
    expect(bodies()).toEqual([
      { ...sent, headers, from, category },
      {
        base: { from },
        requests: [
          { ...sent, headers, category },
          { ...sent, ...others },
        ],
      },
    ]);
  });

  test('are in the emails of batchAll, whose outcomes have the emails as they were', async () => {
    const { client, bodies } = setUp();
    const { outcomes } = await collected(client.sending.batchAll([mail]));
    expect(bodies()).toEqual([{ base: { from }, requests: [{ ...sent, ...others }] }]);
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

  test('are read when the client is created: later changes have no effect', async () => {
    const own = { ...defaults };
    const { client, bodies } = setUp({ defaults: own });
    own.category = 'changed';
    await client.sending.send(mail);
    expect(bodies()).toEqual([{ ...sent, ...complete }]);
  });

  test.each<[unknown, string]>([
    [{ from: 'us@a.org, them@b.org' }, 'defaults.from must be one address'],
    [{ from: 7 }, "defaults.from must be 'ann@example.org', 'Ann <ann@example.org>' or { email, name }"],
    [
      { from: { email: 'a@b.org\r\nBcc: x' } },
      'defaults.from.email must not contain a line break or a null character',
    ],
    [{ replyTo: 'a@b.org' }, 'defaults.replyTo is not a known field; did you mean `reply_to`?'],
    [{ category: 'x'.repeat(256) }, 'defaults.category must be at most 255 characters'],
    ['hello@mail.example.com', 'defaults must be an object with from, reply_to, category'],
  ])('that are wrong are refused when the client is created: %j', (wrong, message) => {
    const error = thrown(() => setUp({ defaults: wrong as object }), ConfigurationError);
    expect(error.message).toBe(message);
  });

  test('absent, an email without a sender is refused', async () => {
    const { client } = setUp({});
    const error = await rejection(client.sending.send(mail), InvalidRequestError);
    expect(error.issues).toEqual([
      { path: 'from', message: "is required, here or in the client's `defaults`" },
    ]);
  });
});

describe('An address as text', () => {
  test('with several in it is refused before anything is sent', async () => {
    const { client, bodies } = setUp({});
    const wrong = { ...mail, from: 'a@b.org, c@d.org', to: 'ann@example.org, ben@example.org', cc: ['a;b'] };
    const error = await rejection(client.sending.send(wrong), InvalidRequestError);
    expect(error.issues).toEqual([
      { path: 'from', message: 'must be one address' },
      { path: 'to', message: 'must be one address: for several, pass an array' },
      { path: 'cc[0]', message: 'must be one address: for several, pass an array' },
    ]);
    expect(bodies()).toEqual([]);
  });

  test('with several in it costs batchAll only its own email', async () => {
    const { client, bodies } = setUp();
    const wrong = { ...mail, to: 'ann@example.org, ben@example.org' };
    const { outcomes } = await collected(client.sending.batchAll([wrong, mail]));
    expect(outcomes.map(({ index, status }) => [index, status])).toEqual([
      [0, 'not_sent'],
      [1, 'accepted'],
    ]);
    expect(outcomes[0]?.error).toBeInstanceOf(InvalidRequestError);
    expect(outcomes[0]?.error?.message).toBe(
      'sending.batchAll was not sent: requests[0].to: must be one address: for several, pass an array',
    );
    expect(bodies()).toEqual([{ base: { from }, requests: [{ ...sent, ...others }] }]);
  });

  test.each(['nobody', { email: 'nobody' }, 'a@@b'])(
    'or an object, that is not an address is for the service to judge: %j',
    async (to) => {
      const { client } = setUp();
      const error = await rejection(client.sending.send({ ...mail, to }), BadRequestError);
      expect(error).toMatchObject({ reason: 'recipient', effect: 'none' });
      expect(error.messages).toEqual(["'to[0]' address is invalid"]);
      const { responses } = await client.sending.batch({ requests: [{ ...mail, to: [to] }, mail] });
      expect(responses.map(({ success }) => success)).toEqual([false, true]);
      const { outcomes } = await collected(client.sending.batchAll([{ ...mail, cc: to }, mail]));
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'accepted']);
    },
  );

  test('or an object, alone, is a list of one', async () => {
    const { client, bodies } = setUp({});
    const from = { email: 'hello@mail.example.com' };
    await client.sending.send({ ...mail, from, to: 'ann@example.org', bcc: { email: 'b@c.org', name: 'B' } });
    await client.sending.batch({ base: { from }, requests: [{ ...mail, to: { email: 'ann@example.org' } }] });
    const to = [{ email: 'ann@example.org' }];
    expect(bodies()).toEqual([
      { ...mail, from, to, bcc: [{ email: 'b@c.org', name: 'B' }] },
      { base: { from }, requests: [{ ...mail, to }] },
    ]);
  });
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
