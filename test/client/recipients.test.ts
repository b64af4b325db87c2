import {
  ConfigurationError,
  EmailPlatform,
  type EmailPlatformError,
  InvalidRequestError,
  RecipientRefusedError,
  type BatchOutcome,
  type EmailPlatformOptions,
} from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { portOf } from '../../src/client/port.ts';
import type { RequestSpec } from '../../src/core/request.ts';
import { rejection, thrown } from '../support/expect-error.ts';
import { everythingOf } from '../support/everything-of.ts';
import { fromPage, proxyOf } from '../entries/proxy/harness.ts';

const from = 'hello@mail.example.com';
const allow = ['@us.example', 'ann@example.org'];
const redirectTo = 'team@us.example';
const BOSS = 'boss@customer.example';
const content = { from, subject: 'Hi', text: 'Hello' };

function setUp(
  recipients: EmailPlatform.RecipientOptions | undefined = { allow },
  options: EmailPlatformOptions = {},
) {
  const emulator = createEmulator();
  const client = new EmailPlatform({ ...emulator.clientOptions(), recipients, ...options });
  /** Who has received email, and in which field. */
  const received = () => emulator.messages().map(({ field, to }) => `${field} ${to}`);
  return { emulator, client, received, sent: () => emulator.requests.length };
}

/** The outcomes of a run, in the order of its input. */
async function outcomesOf(run: AsyncIterable<BatchOutcome>): Promise<BatchOutcome[]> {
  const outcomes: BatchOutcome[] = [];
  for await (const outcome of run) outcomes[outcome.index] = outcome;
  return outcomes;
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('A client with the option recipients', () => {
  test('sends email to those in the list', async () => {
    const { client, received } = setUp();
    await client.sending.send({ ...content, to: 'Ann <ann@example.org>', bcc: ['bob@us.example'] });
    expect(received()).toEqual(['to ann@example.org', 'bcc bob@us.example']);
  });

  test('refuses email to anybody else before a permit is spent, and says where they are but not who', async () => {
    const { client, sent } = setUp();
    const mail = { ...content, to: ['ann@example.org', BOSS], bcc: ['bob@us.example', BOSS] };
    const error = await rejection(client.sending.send(mail), RecipientRefusedError);
    expect(error).toMatchObject({
      name: 'RecipientRefusedError',
      code: 'recipient_refused',
      effect: 'none',
      isRetryable: false,
      count: 2,
      places: ['to[1]', 'bcc[1]'],
      message:
        'sending.send was not sent: 2 recipients are not allowed by the option recipients: to[1], bcc[1]',
      request: { operation: 'sending.send', attempts: 0 },
    });
    expect(everythingOf(error)).not.toMatch(/customer|ann@|bob@/);
    expect(sent()).toBe(0);
    expect(client.limits.snapshot()).toMatchObject({ token: { used: 0 } });
  });

  test('names a hundred places, and counts the rest', async () => {
    const { client } = setUp();
    const to = Array.from({ length: 300 }, (_, index) => `p${index}@customer.example`);
    const error = await rejection(client.sending.send({ ...content, to }), RecipientRefusedError);
    expect(error.count).toBe(300);
    expect(error.places).toHaveLength(100);
    expect(error.message).toMatch(/to\[9\] and others$/);
  });

  test('reads what is written, not what the caller shows', async () => {
    const { client, received } = setUp();
    const hiding = Object.assign(Object.create({ toJSON: () => ({ email: BOSS }) }), {
      email: 'ann@example.org',
    }) as { email: string };
    await rejection(client.sending.send({ ...content, to: [hiding] }), RecipientRefusedError);
    /** An address that is another one after it has been read a number of times. */
    const changing = (after: number) => {
      let reads = 0;
      return {
        get email() {
          reads += 1;
          return reads <= after ? 'ann@example.org' : BOSS;
        },
      };
    };
    for (let after = 0; after < 10; after += 1) {
      await client.sending.send({ ...content, to: [changing(after)] }).catch(() => undefined);
      await outcomesOf(client.sending.batchAll([{ ...content, to: [changing(after)] }]));
    }
    expect(new Set(received())).toEqual(new Set(['to ann@example.org']));
  });

  test('checks the recipients of email with attachments before it reads those', async () => {
    const { client, sent, received } = setUp();
    const stream = new Blob(['file']).stream();
    const attachments = [{ filename: 'a.txt', content: stream }];
    await rejection(client.sending.send({ ...content, to: BOSS, attachments }), RecipientRefusedError);
    expect([stream.locked, sent()]).toEqual([false, 0]);
    await client.sending.send({ ...content, to: 'ann@example.org', attachments });
    expect(received()).toEqual(['to ann@example.org']);
  });

  test('redirects email with attachments as a whole', async () => {
    const { client, emulator } = setUp({ allow, otherwise: { redirectTo } });
    const attachments = [
      { filename: 'a.txt', content: new TextEncoder().encode('file') },
      { filename: 'b.txt', content: btoa('text') },
    ];
    await client.sending.send({ ...content, to: [BOSS, 'ann@example.org'], attachments });
    expect(emulator.messages()).toMatchObject(
      ['ann@example.org', redirectTo].map((to) => ({
        to,
        subject: 'Hi',
        headers: { 'X-Original-Recipients': `to: ${BOSS}, to: ann@example.org` },
        attachments: [{ content: btoa('file') }, { content: btoa('text') }],
      })),
    );
  });

  test('refuses a batch with the place of each', async () => {
    const { client, sent } = setUp();
    const requests = [{ to: 'ann@example.org' }, { to: 'ann@example.org', cc: ['bob@us.example', BOSS] }];
    const error = await rejection(client.sending.batch({ base: content, requests }), RecipientRefusedError);
    expect(error.places).toEqual(['requests[1].cc[1]']);
    expect(sent()).toBe(0);
  });

  test('redirects in a batch, and keeps what its base has', async () => {
    const { client, emulator } = setUp({ allow, otherwise: { redirectTo } });
    await client.sending.batch({
      base: { ...content, headers: { 'X-Base': '1' } },
      requests: [{ to: BOSS }, { to: 'ann@example.org' }],
    });
    expect(emulator.messages().map(({ to, headers }) => [to, headers])).toEqual([
      [redirectTo, { 'X-Base': '1', 'X-Original-Recipients': `to: ${BOSS}` }],
      ['ann@example.org', { 'X-Base': '1' }],
    ]);
  });

  test('exempts the sandbox', async () => {
    const { client, received } = setUp(undefined, { recipients: { allow: [] } });
    const mail = { ...content, to: BOSS };
    await client.sending.send(mail, { stream: 'sandbox' });
    await client.sending.batch({ requests: [mail] }, { stream: 'sandbox' });
    const sandbox = client.withOptions({ stream: 'sandbox' });
    for await (const { status } of sandbox.sending.batchAll([mail])) expect(status).toBe('accepted');
    expect(received()).toEqual([`to ${BOSS}`, `to ${BOSS}`, `to ${BOSS}`]);
    await rejection(sandbox.sending.send(mail, { stream: 'bulk' }), RecipientRefusedError);
  });

  test('is refused options that are not a guard', () => {
    const message = (recipients: unknown) =>
      thrown(() => setUp(recipients as EmailPlatform.RecipientOptions), ConfigurationError).message;
    expect(message({})).toBe('recipients.allow is required');
    expect(message({ allowed: [] })).toBe('recipients.allowed is not a known field; did you mean `allow`?');
    expect(message({ allow: '@us.example' })).toMatch(/^recipients\.allow must be an array/);
    expect(message({ allow: ['us.example'] })).toMatch(
      /^recipients\.allow\[0\] must be 'ann@example\.org',.*; a domain begins with `@`$/,
    );
    expect(message({ allow: ['ann@@us.example'] })).toMatch(/or '@\*\.example\.org'$/);
    expect(message({ allow, otherwise: 'redirect' })).toMatch(/^recipients\.otherwise must be 'refuse' or/);
    expect(message({ allow, otherwise: { redirectTo: 'Team <team@us.example>' } })).toMatch(
      /redirectTo must be one/,
    );
    expect(message({ allow, redirectTo })).toBe(
      'recipients.redirectTo is not a known field; it belongs in `otherwise`',
    );
    for (const other of [null, ['@us.example']])
      expect(message(other)).toBe("recipients must be an object, such as { allow: ['@example.org'] }");
  });

  test('is not widened by a property of Object.prototype', async () => {
    const polluted = { allowCampaigns: true, otherwise: { redirectTo: BOSS } };
    Object.assign(Object.prototype, polluted);
    try {
      vi.stubEnv('EMAIL_PLATFORM_RECIPIENTS', '@us.example');
      for (const recipients of [{ allow }, undefined]) {
        const { client, sent } = setUp(recipients);
        await rejection(client.sending.send({ ...content, to: BOSS }), RecipientRefusedError);
        await rejection(client.campaigns.start(1), RecipientRefusedError);
        expect(sent()).toBe(0);
      }
    } finally {
      for (const name of Object.keys(polluted)) Reflect.deleteProperty(Object.prototype, name);
    }
  });

  test('copies its list: later changes by the caller have no effect', async () => {
    const list = ['ann@example.org'];
    const { client } = setUp({ allow: list });
    list.push('@customer.example');
    await rejection(client.sending.send({ ...content, to: BOSS }), RecipientRefusedError);
  });
});

describe('batchAll', () => {
  const mails = [
    { ...content, to: 'ann@example.org' },
    { ...content, to: BOSS },
    {
      ...content,
      to: 'ann@example.org',
      bcc: [BOSS],
      attachments: [{ filename: 'a', content: new Blob(['a']) }],
    },
    { ...content, to: 'bob@us.example', attachments: [{ filename: 'a', content: new Blob(['a']) }] },
  ];

  test('rejects what the guard refuses, and sends the others', async () => {
    const { client, emulator, received } = setUp();
    const outcomes = await outcomesOf(client.sending.batchAll(mails));
    expect(outcomes.map(({ status }) => status)).toEqual(['accepted', 'rejected', 'rejected', 'accepted']);
    expect(outcomes[2]).toMatchObject({
      request: mails[2],
      errors: [expect.stringContaining('requests[2].bcc[0]')],
      error: { code: 'recipient_refused', places: ['requests[2].bcc[0]'], effect: 'none' },
    });
    expect(received()).toEqual(['to ann@example.org', 'to bob@us.example']);
    expect(emulator.requests).toHaveLength(1);
  });

  test('redirects', async () => {
    const { client, received } = setUp({ allow, otherwise: { redirectTo } });
    const outcomes = await outcomesOf(client.sending.batchAll(mails));
    expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('accepted'));
    expect(received()).toEqual([
      'to ann@example.org',
      `to ${redirectTo}`,
      'to ann@example.org',
      `to ${redirectTo}`,
      'to bob@us.example',
    ]);
  });

  test('sends nothing where nothing is allowed', async () => {
    const { client, sent } = setUp({ allow: [] });
    const outcomes = await outcomesOf(client.sending.batchAll(mails));
    expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    expect(sent()).toBe(0);
  });
});

describe('Headers that name recipients', () => {
  const headers = ['Bcc', 'TO', 'cc', 'Resent-To', 'resent-bcc'].map((name) => ({ [name]: BOSS }));

  test.each(headers)('%j is refused without a guard, in every kind of email', async (each) => {
    const { client, sent, emulator } = setUp();
    const free = new EmailPlatform(emulator.clientOptions());
    const mail = { ...content, to: 'ann@example.org', headers: each };
    const calls = [
      free.sending.send(mail),
      free.sending.batch({ requests: [mail] }),
      free.sending.batch({ base: { headers: each }, requests: [{ ...content, to: 'ann@example.org' }] }),
      free.inbound.messages.reply(1, '2', { text: 'Hi', headers: each }),
      client.sending.send(mail),
    ];
    for (const call of calls) await rejection(call, InvalidRequestError);
    const [outcome] = await outcomesOf(free.sending.batchAll([mail]));
    expect(outcome).toMatchObject({ status: 'not_sent', error: { code: 'invalid_request' } });
    expect(sent()).toBe(0);
  });
});

describe('Other requests that reach people', () => {
  test('campaigns and events of contacts are refused, unless they are allowed', async () => {
    const { client, emulator, sent } = setUp();
    const id = emulator.campaigns.add();
    const calls = ({ campaigns, contacts }: EmailPlatform) => [
      () => campaigns.start(id),
      () => campaigns.schedule(id, { datetime: new Date(Date.now() + 3_600_000) }),
      () => contacts.createEvent('ann@example.org', { name: 'signed up' }),
    ];
    for (const call of calls(client)) {
      const error = await rejection(call(), RecipientRefusedError);
      expect(error).toMatchObject({ count: 0, places: [] });
      expect(error.message).toMatch(/set recipients\.allowCampaigns/);
    }
    expect(sent()).toBe(0);
    const allowing = new EmailPlatform({
      ...emulator.clientOptions(),
      recipients: { allow, allowCampaigns: true },
    });
    await allowing.campaigns.start(id);
    const narrowed = allowing.withOptions({ recipients: { allow } });
    await rejection(narrowed.campaigns.start(id), RecipientRefusedError);
    const wide = client.withOptions({ recipients: { allow, allowCampaigns: true } });
    await rejection(wide.campaigns.start(id), RecipientRefusedError);
  });

  test('an answer names its recipients, because the service would choose others', async () => {
    const { client, emulator, received } = setUp();
    const { inboxId, address } = emulator.inbound.add();
    const cc = ['cfo@customer.example'];
    const [message] = emulator.inbound.receive({ to: address, from: BOSS, cc, subject: 'Order' });
    const id = message?.messageId ?? '';
    const { messages } = client.inbound;
    const refusedPlaces = async (call: Promise<unknown>) =>
      (await rejection(call, RecipientRefusedError)).places;
    expect(await refusedPlaces(messages.reply(inboxId, id, { text: 'Hi' }))).toEqual(['to']);
    expect(
      await refusedPlaces(messages.replyAll(inboxId, id, { text: 'Hi', to: 'ann@example.org' })),
    ).toEqual(['cc']);
    expect(await refusedPlaces(messages.forward(inboxId, id, { to: [BOSS] }))).toEqual(['to[0]']);
    await messages.reply(inboxId, id, { text: 'Hi', to: 'ann@example.org' });
    await messages.replyAll(inboxId, id, { text: 'Hi', to: 'ann@example.org', cc: 'bob@us.example' });
    await messages.forward(inboxId, id, { to: 'ann@example.org' });
    expect(received()).toEqual([
      'to ann@example.org',
      'to ann@example.org',
      'cc bob@us.example',
      'to ann@example.org',
    ]);
  });

  test('an answer is redirected', async () => {
    const { client, emulator, received } = setUp({ allow, otherwise: { redirectTo } });
    const { inboxId, address } = emulator.inbound.add();
    const [message] = emulator.inbound.receive({ to: address, from: BOSS, subject: 'Order' });
    await client.inbound.messages.reply(inboxId, message?.messageId ?? '', { text: 'Hi' });
    expect(received()).toEqual([`to ${redirectTo}`]);
  });

  test('a forward rule names its recipients, even where they do not change', async () => {
    const { client, emulator } = setUp();
    const { inboxId } = emulator.inbound.add();
    const { forwardRules } = client.inbound;
    const destinations = [{ email: 'ann@example.org' }, { email: BOSS }];
    const error = await rejection(
      forwardRules.create(inboxId, { name: 'a', destinations }),
      RecipientRefusedError,
    );
    expect(error.places).toEqual(['destinations[1]']);
    const rule = await forwardRules.create(inboxId, { name: 'a', destinations: destinations.slice(0, 1) });
    await rejection(forwardRules.update(inboxId, rule.id, { name: 'b' }), RecipientRefusedError);
    const kept = await forwardRules.update(inboxId, rule.id, { name: 'b', destinations: rule.destinations });
    expect(kept.name).toBe('b');
    const redirecting = new EmailPlatform({
      ...emulator.clientOptions(),
      recipients: { allow, otherwise: { redirectTo } },
    });
    const redirected = await redirecting.inbound.forwardRules.create(inboxId, {
      name: 'c',
      destinations: [...destinations, { email: 'cfo@customer.example' }],
    });
    expect(redirected.destinations).toEqual([{ email: 'ann@example.org' }, { email: redirectTo }]);
  });

  test('one address of a sandbox message and of setup instructions', async () => {
    const { client, emulator } = setUp();
    const options = emulator.clientOptions();
    const domain = emulator.domains.add({ name: 'new.example' });
    await client.sending.send({ ...content, to: BOSS }, { stream: 'sandbox' });
    const inbox = options.sandboxInboxId;
    const { items } = await client.sandbox.messages.list(inbox);
    const id = items[0]?.id ?? 0;
    for (const call of [
      () => client.sandbox.messages.forward(inbox, id, { email: BOSS }),
      () => client.sendingDomains.sendSetupInstructions(domain, { email: BOSS }),
    ])
      expect((await rejection(call(), RecipientRefusedError)).places).toEqual(['email']);
    await client.sandbox.messages.forward(inbox, id, { email: 'ann@example.org' });
    const sent: unknown[] = [];
    const redirecting = new EmailPlatform({
      ...options,
      fetch: (input, init) => {
        sent.push(JSON.parse(init?.body as string));
        return options.fetch(input, init);
      },
      recipients: { allow, otherwise: { redirectTo } },
    });
    await redirecting.sandbox.messages.forward(inbox, id, { email: BOSS });
    await redirecting.sendingDomains.sendSetupInstructions(domain, { email: BOSS });
    expect(sent).toEqual([{ email: redirectTo }, { email: redirectTo }]);
  });
});

describe('client.request with a guard', () => {
  test('sends requests declared as `reachesPeople: false`, and any GET', async () => {
    const { client, sent } = setUp();
    await client.request({ method: 'POST', path: '/api/contacts', body: { contact: { email: BOSS } } });
    await client.request({ method: 'GET', path: '/api/billing/usage' });
    await client.request({ method: 'GET', path: '/api/new_things' }).catch(() => undefined);
    expect(sent()).toBe(3);
  });

  test.each([
    ['POST', '/api/email_campaigns/7/start', undefined],
    ['POST', '/api/email_campaigns/7/st%61rt', undefined],
    ['POST', '/api/send', 'send'],
    ['POST', '/api/batch', 'bulk'],
    ['POST', '/api/send', undefined],
    ['POST', '/api/Contacts', undefined],
    ['POST', '/api/new_things', undefined],
    ['PUT', '/api/new_things', undefined],
    ['DELETE', '/api/new_things', undefined],
    ['POST', '/api/accounts/7/contacts/a@b/events', undefined],
    ['POST', '/api/send/7', 'send'],
  ] as const)('refuses %s %s on host %s', async (method, path, host) => {
    const { client, sent } = setUp({ allow: ['@us.example'], allowCampaigns: true });
    const body = { ...content, to: [{ email: 'bob@us.example' }] };
    const error = await rejection(client.request({ method, path, host, body }), RecipientRefusedError);
    expect(error.message).toMatch(/client\.request sends only requests that reach no person$/);
    expect(sent()).toBe(0);
  });
});

describe('The transport', () => {
  const batch = (to: string) => JSON.stringify({ requests: [{ ...content, to: [{ email: to }] }] });
  const spec = (more: Partial<RequestSpec<unknown>>): RequestSpec<unknown> => ({
    operation: 'a method of its own',
    method: 'POST',
    host: 'send',
    path: '/api/batch',
    decoder: { kind: 'any' },
    ...more,
  });

  test('refuses what a part of the client hands over unchecked', async () => {
    const { client, sent } = setUp({ allow, otherwise: { redirectTo } });
    const execute = portOf(client)?.execute;
    if (!execute) throw new Error('It has no port.');
    const reaches = () => ({ kind: 'mails' }) as const;
    const unchecked = [
      // It should have been redirected before it was written.
      spec({ mails: { written: { parts: [batch(BOSS)], keyed: undefined } }, reaches }),
      // It does not say whom it reaches.
      spec({ mails: { written: { parts: [batch('ann@example.org')], keyed: undefined } } }),
      spec({ body: () => JSON.parse(batch('ann@example.org')) as unknown }),
    ];
    for (const one of unchecked) await rejection(execute(one), RecipientRefusedError);
    expect(sent()).toBe(0);
    await execute(
      spec({ mails: { written: { parts: [batch('ann@example.org')], keyed: undefined } }, reaches }),
    );
    expect(sent()).toBe(1);
  });
});

describe('A derived client', () => {
  const mail = (to: string) => ({ ...content, to });

  test('has the guards of its ancestors after its own', async () => {
    const { client, received } = setUp({ allow: ['@us.example'] });
    const narrow = client.withOptions({ recipients: { allow: ['bob@us.example', '@customer.example'] } });
    await narrow.sending.send(mail('bob@us.example'));
    for (const to of [BOSS, 'ann@us.example'])
      await rejection(narrow.sending.send(mail(to)), RecipientRefusedError);
    const narrowest = narrow.withOptions({ timeoutMs: 5_000 }).withOptions({ recipients: undefined });
    await rejection(narrowest.sending.send(mail('ann@us.example')), RecipientRefusedError);
    await client.sending.send(mail('ann@us.example'));
    expect(received()).toEqual(['to bob@us.example', 'to ann@us.example']);
  });

  test('cannot redirect to a recipient that an ancestor refuses', async () => {
    const { client, received } = setUp({ allow: ['@us.example'] });
    const redirecting = (to: string) =>
      client.withOptions({ recipients: { allow: [], otherwise: { redirectTo: to } } });
    await rejection(redirecting(BOSS).sending.send(mail('a@us.example')), RecipientRefusedError);
    await redirecting('team@us.example').sending.send(mail(BOSS));
    expect(received()).toEqual(['to team@us.example']);
  });

  test('may have a guard that its original client lacks', async () => {
    const { emulator } = setUp();
    const free = new EmailPlatform(emulator.clientOptions());
    const guarded = free.withOptions({ recipients: { allow } });
    await rejection(guarded.sending.send(mail(BOSS)), RecipientRefusedError);
    await free.sending.send(mail(BOSS));
  });
});

describe('The environment', () => {
  const send = (client: EmailPlatform, to: string) => client.sending.send({ ...content, to });

  test('adds a list, in addition to the option', async () => {
    vi.stubEnv('EMAIL_PLATFORM_RECIPIENTS', '@us.example, ann+*@example.org');
    const { client, emulator, received } = setUp({ allow: ['@us.example', '@customer.example'] });
    await send(client, 'bob@us.example');
    await rejection(send(client, BOSS), RecipientRefusedError);
    await rejection(send(client, 'ann+x@example.org'), RecipientRefusedError);
    const free = new EmailPlatform(emulator.clientOptions());
    await send(free, 'ann+x@example.org');
    await rejection(send(free, BOSS), RecipientRefusedError);
    expect(received()).toEqual(['to bob@us.example', 'to ann+x@example.org']);
  });

  const LISTED = { EMAIL_PLATFORM_RECIPIENTS: '@us.example' };
  const REDIRECTED = { EMAIL_PLATFORM_REDIRECT_TO: 'stage@us.example' };

  test.each<[string, Record<string, string>, EmailPlatform.RecipientOptions | undefined, string]>([
    ['the list', LISTED, undefined, 'unset EMAIL_PLATFORM_RECIPIENTS to allow it: '],
    ['the list', LISTED, { allow, allowCampaigns: true }, 'unset EMAIL_PLATFORM_RECIPIENTS to allow it: '],
    ['the redirect', REDIRECTED, undefined, 'unset EMAIL_PLATFORM_REDIRECT_TO to allow it: '],
    [
      'both',
      { ...LISTED, ...REDIRECTED },
      undefined,
      'unset EMAIL_PLATFORM_RECIPIENTS and EMAIL_PLATFORM_REDIRECT_TO to allow it: ',
    ],
    [
      'the list and the option',
      LISTED,
      { allow },
      'unset EMAIL_PLATFORM_RECIPIENTS, and set recipients.allowCampaigns, to allow it',
    ],
  ])('refuses campaigns, and says how to allow them: %s %j %j', async (_, variables, recipients, way) => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    const emulator = createEmulator();
    const client = new EmailPlatform({ ...emulator.clientOptions(), recipients });
    const id = emulator.campaigns.add();
    const { message } = await rejection(client.campaigns.start(id), RecipientRefusedError);
    expect(message).toContain(`it does not name its recipients; ${way}`);
    for (const name of Object.keys(variables)) vi.stubEnv(name, undefined);
    const allowing = recipients && { ...recipients, allowCampaigns: true };
    await new EmailPlatform({ ...emulator.clientOptions(), recipients: allowing }).campaigns.start(id);
  });

  test('is named by a refusal, instead of an option that is not set', async () => {
    vi.stubEnv('EMAIL_PLATFORM_RECIPIENTS', '@us.example');
    const { client, emulator } = setUp();
    const free = new EmailPlatform(emulator.clientOptions());
    const messageOf = async (call: Promise<unknown>) =>
      (await rejection(call, RecipientRefusedError)).message;
    const request = (of: EmailPlatform) => of.request({ method: 'POST', path: '/api/accounts/1/new' });
    expect(await messageOf(send(free, BOSS))).toMatch(/not allowed by EMAIL_PLATFORM_RECIPIENTS: to\[0\]$/);
    expect(await messageOf(send(client, BOSS))).toMatch(
      /not allowed by the option recipients and EMAIL_PLATFORM_RECIPIENTS: to\[0\]$/,
    );
    expect(await messageOf(request(free))).toMatch(/with EMAIL_PLATFORM_RECIPIENTS, client\.request/);
  });

  test('redirects last', async () => {
    vi.stubEnv('EMAIL_PLATFORM_RECIPIENTS', 'ann@example.org');
    vi.stubEnv('EMAIL_PLATFORM_REDIRECT_TO', 'stage@us.example');
    const { client, received } = setUp({ allow, otherwise: { redirectTo } });
    await send(client, BOSS);
    await send(client, 'ann@example.org');
    expect(received()).toEqual(['to stage@us.example', 'to ann@example.org']);
  });

  test('without a list redirects everything', async () => {
    vi.stubEnv('EMAIL_PLATFORM_REDIRECT_TO', 'stage@us.example');
    const { client, received } = setUp();
    await send(client, 'ann@example.org');
    expect(received()).toEqual(['to stage@us.example']);
  });

  test('is read once, by the first client, and holds for those derived from it', async () => {
    vi.stubEnv('EMAIL_PLATFORM_RECIPIENTS', '@us.example');
    const { client } = setUp({ allow: ['@customer.example', '@us.example'] });
    vi.unstubAllEnvs();
    const derived = client.withOptions({ recipients: { allow: ['@customer.example'] } });
    await rejection(send(derived, BOSS), RecipientRefusedError);
  });

  const LIST =
    'must not be empty: unset it, or list the allowed recipients, such as @example.org,ann@example.com';
  const ADDRESS = 'must not be empty: unset it, or set it to one address, such as team@example.org';
  test.each([
    ['EMAIL_PLATFORM_RECIPIENTS', '', LIST],
    ['EMAIL_PLATFORM_RECIPIENTS', ' ', LIST],
    ['EMAIL_PLATFORM_RECIPIENTS', ',', 'must be '],
    ['EMAIL_PLATFORM_RECIPIENTS', '@us.example,', 'must be '],
    ['EMAIL_PLATFORM_RECIPIENTS', 'us.example', 'must be '],
    ['EMAIL_PLATFORM_REDIRECT_TO', '', ADDRESS],
    ['EMAIL_PLATFORM_REDIRECT_TO', ' ', ADDRESS],
    ['EMAIL_PLATFORM_REDIRECT_TO', 'team', 'must be '],
  ])('%s=%j is refused, and never counts as no guard', (name, value, rule) => {
    vi.stubEnv(name, value);
    for (const recipients of [undefined, { allow }]) {
      const error: EmailPlatformError = thrown(() => setUp(recipients), ConfigurationError);
      expect(error).toMatchObject({ option: expect.stringMatching(/^recipients/) as string });
      expect(error.message.startsWith(`${name} ${rule}`), error.message).toBe(true);
    }
  });
});

test.each([
  [
    '@us.example;ann@example.org',
    'must have commas between two entries, such as @example.org,ann@example.com',
  ],
  [
    '@us.example ann@example.org',
    'must have commas between two entries, such as @example.org,ann@example.com',
  ],
  ['["@us.example"]', 'must have commas between two entries, such as @example.org,ann@example.com'],
  ['@us.example,us.example', /^must be 'ann@example\.org', .*; a domain begins with `@` \(entry 2\)$/],
])('EMAIL_PLATFORM_RECIPIENTS=%s is refused with the way to write it', (value, rule) => {
  vi.stubEnv('EMAIL_PLATFORM_RECIPIENTS', value);
  const { message } = thrown(() => setUp(undefined), ConfigurationError);
  vi.unstubAllEnvs();
  const [, told] = message.split('EMAIL_PLATFORM_RECIPIENTS ');
  if (typeof rule === 'string') expect(told).toBe(rule);
  else expect(told).toMatch(rule);
});

describe('A proxy', () => {
  test('sends only what the guard of its client lets through', async () => {
    const { client, received, sent } = setUp();
    const { proxy, failures } = proxyOf(client);
    const post = (path: string, body: unknown) =>
      proxy(
        fromPage(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      );
    const sender = { email: from };
    const ann = [{ email: 'ann@example.org' }];
    const mail = { ...content, from: sender, to: ann };
    const boss = [{ email: BOSS }];
    const refused = [
      ['/send/api/send', { ...mail, bcc: boss }],
      ['/send/api/send', { ...mail, Bcc: boss }],
      ['/send/api/send', { ...mail, headers: { Bcc: BOSS } }],
      ['/send/api/send', { ...mail, subject: `Hi\r\nBcc: ${BOSS}` }],
      ['/send/api/send', [mail]],
      ['/bulk/api/batch', { base: { to: boss }, requests: [{ ...mail, to: undefined }] }],
      ['/bulk/api/batch', { bcc: boss, requests: [mail] }],
      ['/bulk/api/batch', { base: { headers: { 'Resent-To': BOSS } }, requests: [mail] }],
      ['/bulk/api/batch', { requests: [mail, { ...mail, cc: boss }] }],
      ['/bulk/api/batch', { requests: { 0: mail } }],
      ['/api/api/email_campaigns/7/start', {}],
      ['/api/api/domains/301/send_setup_instructions', {}],
      ['/api/api/inbound/inboxes/7/forward_rules', { name: 'a', destinations: { 0: boss[0] } }],
    ] as const;
    for (const [path, body] of refused) {
      const response = await post(path, body);
      expect([path, response.status]).toEqual([path, 403]);
      expect(await response.text()).not.toContain('recipient');
    }
    expect(failures.map(({ error }) => (error as EmailPlatformError).code)).toEqual(
      refused.map(() => 'recipient_refused'),
    );
    expect(sent()).toBe(0);
    expect((await post('/send/api/send', mail)).status).toBe(200);
    expect((await post('/bulk/api/batch', { requests: [mail] })).status).toBe(200);
    expect(received()).toEqual(['to ann@example.org', 'to ann@example.org']);
  });
});
