/**
 * The guard for recipients, attacked by every way that leads out of a client. What the emulator has is compared with a
 * reading of the guards that shares no code with them.
 */
import {
  EmailPlatform,
  EmailPlatformError,
  RecipientRefusedError,
  type BatchParams,
  type SendParams,
} from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { declaredEndpoints } from '../support/declared-endpoints.ts';
import { runs, SEED } from '../support/extent.ts';
import { scriptedFetch } from '../support/scripted-fetch.ts';
import { fromPage, proxyOf } from '../entries/proxy/harness.ts';
import type { Call } from '../support/calls/call.ts';
import { CALLS, methodOf } from '../support/calls/calls.ts';

const hosts = {
  api: 'https://a.test',
  send: 'https://b.test',
  bulk: 'https://c.test',
  sandbox: 'https://d.test',
};
const given = { text: 'Hello', url: 'https://a.test' };

/** The methods through which people may receive email. */
const REACHING = new Set(
  declaredEndpoints()
    .filter(({ reachesPeople }) => reachesPeople)
    .map(({ method }) => method)
    .concat('sending.batchAll'),
);

describe('With a guard that allows no recipient', () => {
  /** How many requests a call of a method has led to, and how it has ended. */
  async function outcomeOf({ run, answer }: Call, derive: (client: EmailPlatform) => EmailPlatform) {
    const { fetch, sent } = scriptedFetch(() =>
      answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer),
    );
    const client = new EmailPlatform({
      token: 't',
      sandboxInboxId: 9,
      hosts,
      fetch,
      throttle: false,
      retry: false,
    });
    const error = await Promise.resolve(run(derive(client), {}, given)).then(
      () => undefined,
      (error: unknown) => error,
    );
    return { error, requests: sent.length };
  }

  const guarded = (client: EmailPlatform) => client.withOptions({ recipients: { allow: [] } });
  const derived = (client: EmailPlatform) =>
    guarded(client).withOptions({ recipients: { allow: ['@example.org'], allowCampaigns: true } });

  test.each(CALLS.filter(({ name }) => REACHING.has(name) && name !== 'inbound.forwardRules.create'))(
    '$name sends nothing',
    async (call) => {
      for (const derive of [guarded, derived]) {
        const { error, requests } = await outcomeOf(call, derive);
        // A run does not throw: its outcome says so.
        if (call.name !== 'sending.batchAll') expect(error).toBeInstanceOf(RecipientRefusedError);
        expect(requests).toBe(0);
      }
    },
  );

  test.each(CALLS.filter((call) => !REACHING.has(methodOf(call)) && call.name !== 'request (PUT)'))(
    '$name does what it does without one',
    async (call) => {
      const without = await outcomeOf(call, (client) => client);
      expect(without.requests).toBeGreaterThan(0);
      expect(await outcomeOf(call, guarded)).toEqual(without);
    },
  );
});

/** Addresses that everybody reads in one way. */
const PLAIN = [
  'ann@example.org',
  'ann+x@example.org',
  'bob@us.example',
  'Team@US.example',
  'bob@a.us.example',
  'boss@customer.example',
  'bob@us.example.org',
] as const;
const ODD = [
  'boss@customer.example, bob@us.example',
  'bob@us.example,boss@customer.example',
  'Bob <bob@us.example>, boss@customer.example',
  '<boss@customer.example>bob@us.example',
  'boss%customer.example@us.example',
  '"boss@customer.example"@us.example',
  'boss@customer.example\r\nTo: bob@us.example',
  'bob@us.example\u0000boss@customer.example',
  'team:boss@customer.example;',
  'bob@ＵＳ.example',
  'boss@customer.example (bob@us.example)',
];
const ENTRIES = ['@us.example', '@*.us.example', 'ann@example.org', 'ann+*@example.org', '@customer.example'];
const TARGETS = ['team@us.example', 'stage@stage.example'];

/** Whether an entry allows a plain address. */
function allows(entry: string, address: string): boolean {
  const [local = '', domain = ''] = address.split('@');
  if (entry.startsWith('@*.')) return domain.endsWith(entry.slice(2));
  if (entry.startsWith('@')) return domain === entry.slice(1);
  const [prefix = '', host = ''] = entry.split('+*@');
  return host === '' ? address === entry : domain === host && local.startsWith(`${prefix}+`);
}

const targetOf = ({ otherwise }: EmailPlatform.RecipientOptions) =>
  typeof otherwise === 'object' ? otherwise.redirectTo : undefined;
const plain = (text: unknown): string | undefined =>
  typeof text === 'string' && /^[a-z+]+@[a-z.]+$/i.test(text) ? text.toLowerCase() : undefined;
const passes = (guard: EmailPlatform.RecipientOptions, address: string) =>
  targetOf(guard) === address || guard.allow.some((entry) => allows(entry, address));

/** Whether somebody may have received email from a client with these guards, of which the first is the client's own. */
function mayReceive(guards: readonly EmailPlatform.RecipientOptions[], text: unknown): boolean {
  const address = plain(text);
  if (address === undefined) return false;
  return guards.reduce(
    (before, guard) => (before && passes(guard, address)) || targetOf(guard) === address,
    true,
  );
}

/** Whether nothing about an email has to change. */
const isFree = (guards: readonly EmailPlatform.RecipientOptions[], recipients: readonly unknown[]) =>
  recipients.every((text) => {
    const address = plain(text);
    return address !== undefined && guards.every((guard) => passes(guard, address));
  });

const text = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...PLAIN) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD) },
);
const people = (max: number) => fc.array(text, { maxLength: max });
const mail = fc.record({
  to: people(3),
  cc: people(2),
  bcc: people(2),
  attached: fc.constantFrom('none', 'none', 'text', 'bytes', 'stream'),
});
type Mail = typeof mail extends fc.Arbitrary<infer M> ? M : never;

const stream = fc.constantFrom<EmailPlatform.Stream>('transactional', 'bulk', 'sandbox');
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('send' as const), mail, stream }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('batch' as const, 'batchAll' as const),
      mails: fc.array(mail, { minLength: 1, maxLength: 4 }),
      stream,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('reply' as const, 'replyAll' as const, 'forward' as const),
      mail,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rule' as const), to: people(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('setup' as const, 'captured' as const, 'campaign' as const, 'event' as const),
      to: text,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('request' as const),
      path: fc.constantFrom('/api/send', '/api/batch', '/api/email_campaigns/1/start', '/api/other'),
      host: fc.constantFrom('api' as const, 'send' as const, 'bulk' as const),
      mail,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('proxy' as const),
      path: fc.constantFrom('send', 'batch'),
      mail,
      // Fields that a page may send, but no method.
      extra: fc.constantFrom<Record<string, unknown>>(
        {},
        {},
        {},
        { Bcc: [{ email: 'boss@customer.example' }] },
        { to: 'boss@customer.example' },
        { cc: ['boss@customer.example'] },
        { bcc: [[{ email: 'boss@customer.example' }]] },
        { bcc: { email: 'boss@customer.example' } },
        { headers: { BCC: 'boss@customer.example' } },
        { headers: { 'X-A': 'b\r\nBcc: boss@customer.example' } },
        { subject: 'Hi\nBcc: boss@customer.example' },
      ),
      base: fc.constantFrom<Record<string, unknown>>({}, {}, { bcc: [{ email: 'boss@customer.example' }] }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
/** The steps of a kind. */
type StepOf<Kind, S = Step> = S extends { readonly kind: unknown }
  ? Kind extends S['kind']
    ? S
    : never
  : never;

const guard: fc.Arbitrary<EmailPlatform.RecipientOptions> = fc.record({
  allow: fc.subarray(ENTRIES),
  otherwise: fc.oneof(fc.constant('refuse' as const), fc.record({ redirectTo: fc.constantFrom(...TARGETS) })),
});
const plan = fc.record({
  guards: fc.array(guard, { minLength: 1, maxLength: 3 }),
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
});

const CONTENT = { filename: 'a.txt', content: 'aGk=' };
const contents = {
  none: () => undefined,
  text: () => [CONTENT],
  bytes: () => [{ ...CONTENT, content: new TextEncoder().encode('hi') }],
  stream: () => [{ ...CONTENT, content: new Blob(['hi']).stream() }, CONTENT],
};
const fieldsOf = ({ to, cc, bcc, attached }: Mail) => {
  const list = (emails: readonly string[]) =>
    emails.length > 0 ? emails.map((email) => ({ email })) : undefined;
  return { to: list(to), cc: list(cc), bcc: list(bcc), attachments: contents[attached]() };
};
const emailsOf = ({ to, cc, bcc }: Mail) => [...to, ...cc, ...bcc];
const from = { email: 'hello@mail.example.com' };

/** Runs the steps of a plan. Returns the emails of which nothing may be missing: whom each has to reach, by its subject. */
async function run(
  client: EmailPlatform,
  emulator: ReturnType<typeof createEmulator>,
  guards: readonly EmailPlatform.RecipientOptions[],
  steps: readonly Step[],
): Promise<Map<string, readonly string[]>> {
  const due = new Map<string, readonly string[]>();
  let number = 0;
  const complete = (mail: Mail, isExempt: boolean, isAlone = true) => {
    number += 1;
    const subject = `mail ${number}`;
    const emails = emailsOf(mail);
    const isValid = emails.length > 0 && emails.every((email) => plain(email) !== undefined);
    if (isValid && isAlone && (isExempt || isFree(guards, emails))) due.set(subject, emails);
    return { from, subject, text: 'Hello', ...fieldsOf(mail) } as SendParams;
  };
  const { inboxId, address } = emulator.inbound.add();
  const [message] = emulator.inbound.receive({
    to: address,
    from: 'boss@customer.example',
    cc: ['cfo@customer.example'],
    subject: 'Order',
  });
  const messageId = message?.messageId ?? '';
  const { proxy } = proxyOf(client);

  const actions: { [Kind in Step['kind']]: (step: StepOf<Kind>) => Promise<unknown> } = {
    send: ({ mail, stream }) => client.sending.send(complete(mail, stream === 'sandbox'), { stream }),
    batch: ({ mails, stream }) => {
      const isExempt = stream === 'sandbox';
      // A line break in one of them is refused for all.
      const isAlone = mails.every((one) => isFree(isExempt ? [] : guards, emailsOf(one)));
      const requests = mails.map((one) => complete(one, isExempt, isAlone)) as BatchParams['requests'];
      return client.sending.batch({ requests }, { stream });
    },
    batchAll: async ({ mails, stream }) => {
      const requests = mails.map((one) => complete(one, stream === 'sandbox'));
      for await (const { status, error } of client.sending.batchAll(requests as never, { stream })) {
        // The guard has accepted each email once, so it must not refuse the whole batch.
        if (status === 'not_sent') expect(error.code).toBe('invalid_request');
      }
    },
    reply: ({ mail }) => client.inbound.messages.reply(inboxId, messageId, { ...fieldsOf(mail), text: 'Hi' }),
    replyAll: ({ mail }) =>
      client.inbound.messages.replyAll(inboxId, messageId, { ...fieldsOf(mail), text: 'Hi' }),
    forward: ({ mail }) =>
      client.inbound.messages.forward(inboxId, messageId, { ...fieldsOf(mail), to: fieldsOf(mail).to ?? [] }),
    rule: async ({ to }) => {
      const destinations = to.map((email) => ({ email }));
      await client.inbound.forwardRules.create(inboxId, { name: 'a', destinations });
      emulator.inbound.receive({ to: address, from: 'boss@customer.example', subject: 'By rule' });
    },
    setup: ({ to }) => client.sendingDomains.sendSetupInstructions(301, { email: to }),
    captured: ({ to }) => client.sandbox.messages.forward(1, 1, { email: to }),
    campaign: () => client.campaigns.start(1),
    event: ({ to }) => client.contacts.createEvent(to, { name: 'a' }),
    request: ({ path, host, mail }) =>
      client.request({ method: 'POST', path, host, body: complete(mail, false, false) }),
    proxy: async ({ path, mail, extra, base }) => {
      const isPlain = Object.keys({ ...extra, ...(path === 'batch' && base) }).length === 0;
      const isText = mail.attached === 'none' || mail.attached === 'text';
      const body = {
        ...complete({ ...mail, attached: isText ? mail.attached : 'none' }, false, isPlain),
        ...extra,
      };
      return proxy(
        fromPage(`/send/api/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(path === 'batch' ? { base, requests: [body] } : body),
        }),
      );
    },
  };
  for (const each of steps) {
    try {
      await (actions[each.kind] as (step: Step) => Promise<unknown>)(each);
    } catch (error) {
      // Refused by the guard, by a rule of the client, or by the emulator.
      if (!(error instanceof EmailPlatformError)) throw error;
    }
  }
  return due;
}

/** The recipients in the body of a request, wherever they are. */
function named(path: string, body: unknown): unknown[] {
  const fields = Object(body) as Record<string, unknown>;
  const list = (value: unknown) => (value === undefined || value === null ? [] : [value].flat());
  const emails = (value: unknown) =>
    list(value).map((one) => (Object(one) as { email?: unknown }).email ?? one);
  if (/\/(forward|send_setup_instructions)$/.test(path) && !path.includes('inbound')) return [fields.email];
  if (path.includes('forward_rules')) return emails(fields.destinations);
  const mails = path.endsWith('/batch') ? [fields.base, ...list(fields.requests)] : [fields];
  return mails.flatMap((one) => {
    const { to, cc, bcc, headers } = Object(one) as Record<string, unknown>;
    const hidden = Object.entries(Object(headers) as object).flatMap(([name, value]) =>
      /^(to|cc|bcc|resent-)/i.test(name) ? [value as unknown] : [],
    );
    return [...emails(to), ...emails(cc), ...emails(bcc), ...hidden];
  });
}

describe('Any email through a client with guards', () => {
  test('no address outside the lists receives email, and allowed email arrives', async () => {
    let arrived = 0;
    let redirected = 0;
    const property = fc.asyncProperty(plan, async ({ guards, steps }) => {
      const emulator = createEmulator({ limits: false });
      const bodies: { readonly path: string; readonly body: unknown }[] = [];
      const root = new EmailPlatform({
        ...emulator.clientOptions(),
        throttle: false,
        retry: false,
        recipients: guards.at(-1),
        fetch: async (input, init) => {
          const request = new Request(input, init);
          const { pathname } = new URL(request.url);
          const sent = await request.clone().text();
          if (request.method !== 'GET' && !request.url.includes('sandbox/api/'))
            bodies.push({ path: pathname, body: JSON.parse(sent === '' ? 'null' : sent) });
          return emulator.fetch(request);
        },
      });
      // The last guard is that of the first client.
      const client = guards
        .slice(0, -1)
        .reduceRight((parent, recipients) => parent.withOptions({ recipients }), root);
      const due = await run(client, emulator, guards, steps);
      const messages = emulator.messages();
      for (const { stream, to } of messages)
        if (stream !== 'sandbox') expect([to, mayReceive(guards, to)]).toEqual([to, true]);
      for (const { path, body } of bodies) {
        expect(path).not.toMatch(/\/(start|events|other)$/);
        for (const each of named(path, body))
          expect([path, each, mayReceive(guards, each)]).toEqual([path, each, true]);
      }
      for (const [subject, emails] of due) {
        const got = messages.filter((one) => one.subject === subject).map(({ to }) => to);
        expect([subject, got.sort()]).toEqual([subject, [...emails].sort()]);
        arrived += got.length;
      }
      redirected += messages.filter(({ headers }) => 'X-Original-Recipients' in headers).length;
    });
    await fc.assert(property, { numRuns: runs(1_500), ...(SEED !== undefined && { seed: SEED }) });
    // Otherwise nothing was tried.
    expect(arrived).toBeGreaterThan(20);
    expect(redirected).toBeGreaterThan(20);
  });
});
