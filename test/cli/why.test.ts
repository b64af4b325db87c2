import { EmailPlatform } from 'email-platform';
import { whyNoMail } from 'email-platform/diagnose';
import { type Emulator, connectEmulator, createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { cli } from './in-process.ts';
import { started } from './started.ts';

const ANN = 'ann@example.org';
const START = Date.parse('2026-11-12T10:31:00.000Z');

/** An account in which the address is suppressed, and the command on it. */
function setUp(options: Emulator.Options = {}) {
  const emulator = createEmulator({ seed: 'empty', limits: false, now: () => START, ...options });
  const domain_id = emulator.domains.list().find(({ name }) => name === 'mail.example.com')?.id ?? 0;
  const client = new EmailPlatform({
    ...emulator.clientOptions(),
    defaults: { from: 'hello@mail.example.com' },
  });
  const why = (args: readonly string[], ask?: (question: string) => Promise<string>) =>
    cli(['why', ...args], { client: () => client, ask });
  const suppress = (type: string, sending_stream: 'transactional' | 'bulk' = 'transactional') =>
    client.suppressions.create({ email: ANN, domain_id, sending_stream, type });
  return { emulator, client, why, suppress };
}

test('emulator --stop-after-events suppresses an address that bounces', async () => {
  for (const options of [[], ['--stop-after-events']]) {
    const { value } = await started('--control', '--seed', 'empty', ...options);
    const client = new EmailPlatform({
      token: value('TOKEN'),
      hosts: { api: value('API_URL'), send: value('SEND_URL'), bulk: value('BULK_URL') },
    });
    const control = connectEmulator(value('CONTROL_URL'), { controlToken: value('CONTROL_TOKEN') });
    const to = 'bounce@example.org';
    await client.sending.send({ from: 'a@mail.example.com', to, subject: 'News', text: 'Hello.' });
    await control.clock.advance(600_000);
    expect((await client.suppressions.list({ email: to })).items).toHaveLength(options.length);
  }
});

/** The body of a 403 of the service, and of a proxy. */
const REFUSAL = '{"errors":"Forbidden"}';
const PAGE = '<html>Sign in</html>';

/** The command with a client whose requests get a 403, if their address has this text. */
function refused(body: string, part = '/') {
  const { emulator, client } = setUp();
  const { fetch } = emulator.clientOptions();
  const other = new EmailPlatform({
    ...emulator.clientOptions(),
    defaults: { from: 'hello@mail.example.com' },
    fetch: (input, init) =>
      (input as string).includes(part)
        ? Promise.resolve(new Response(body, { status: 403 }))
        : fetch(input, init),
  });
  return { emulator, client, other, why: () => cli(['why', ANN], { client: () => other }) };
}

describe('email-platform why of what cannot be read', () => {
  test.each([PAGE, 'error code: 1020', '{"message":"Forbidden"}'])(
    'a 403 with %s is of a proxy, not of the token, exit 1',
    async (body) => {
      const { other, why } = refused(body);
      const { code, out, err } = await why();
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(/answered 403.*, unlike the service: .* a proxy that asks for a login/);
      expect(err).not.toMatch(/may not read/);
      await expect(whyNoMail(other, ANN)).rejects.toMatchObject({ status: 403 });
    },
  );

  test('a page says so, also for one part', async () => {
    const { code, err } = await refused(PAGE, '/suppressions').why();
    expect([code, err]).toEqual([1, expect.stringContaining('answered 403 with a page')]);
  });

  test('a token that may read one part is told of the others, exit 0; of none, exit 1', async () => {
    const some = await refused(REFUSAL, '/suppressions').why();
    expect([some.code, some.out]).toEqual([0, expect.stringContaining('may not read suppressions')]);
    const none = await refused(REFUSAL).why();
    expect([none.code, none.out]).toEqual([
      1,
      expect.stringContaining('may not read contacts, suppressions'),
    ]);
    expect(none.err).toContain('Nothing was read: the token may read no part of the account.');
  });

  test.each([
    ['a wrong token', { token: 'wrong' }],
    ['no network', { fetch: () => Promise.reject(new TypeError('fetch failed')) }],
  ])('%s: the remedy names the doctor', async (_, options) => {
    const { emulator } = setUp();
    const client = new EmailPlatform({ ...emulator.clientOptions(), retry: false, ...options });
    const { code, err } = await cli(['why', ANN], { client: () => client });
    expect([code, err]).toEqual([1, expect.stringMatching(/\n→ email-platform doctor finds the cause\n$/)]);
  });
});

describe('email-platform why', () => {
  test('shows the reasons, the records of other domains, the log and the contact', async () => {
    const { emulator, client, why, suppress } = setUp();
    await suppress('hard bounce');
    await suppress('manual import', 'bulk');
    await client.contacts.create({ email: ANN });
    emulator.logs.add({
      to: ANN,
      from: 'hello@mail.example.com',
      sent_at: START - 60_000,
      subject: 'Your \u001B[2Jreceipt\u202E',
      events: [
        { event_type: 'delivery', created_at: START - 50_000 },
        { event_type: 'open', created_at: START - 40_000 },
      ],
    });
    const { code, out, err } = await why([ANN]);
    expect([code, err]).toEqual([0, '']);
    const [first, ...lines] = out.split('\n');
    expect(first).toMatch(
      /^Nothing is sent to ann@example\.org from mail\.example\.com \(transactional\): hard bounce, 12 Nov 2026 10:31 \([\da-f-]{36}\)\.$/,
    );
    expect(lines[0]).toMatch(/^ {2}Elsewhere: manual import, .* \[bulk, mail\.example\.com\]\.$/);
    expect(lines[1]).toBe(
      '  Other sender: Nothing is sent to ann@example.org from unverified.example.com (transactional): the domain unverified.example.com is not verified: `email-platform doctor` names its DNS records.',
    );
    expect(lines[2]).toMatch(/^ {2}12 Nov 2026 10:30 {2}Your \[2Jreceipt {3}delivery, opened 1×$/);
    expect(lines[3]).toMatch(/^ {6}[\da-f-]{36}, transactional, from hello@mail\.example\.com$/);
    expect(lines[4]).toContain('The log is late');
    expect(lines[5]).toBe('  Contact: subscribed. Campaigns alone depend on it.');
  });

  test('is about the sender, the stream and the days of its options', async () => {
    const { emulator, why, suppress } = setUp({ now: () => Date.now() });
    await suppress('manual import', 'bulk');
    const sent_at = Date.now() - 5 * 86_400_000;
    emulator.logs.add({ to: ANN, from: 'hello@mail.example.com', sent_at });
    const first = async (...args: readonly string[]) => (await why([ANN, ...args])).out.split(':')[0];
    expect(await first()).toBe('Email is sent to ann@example.org from mail.example.com (transactional)');
    expect(await first('--stream', 'bulk')).toBe(
      'Nothing is sent to ann@example.org from mail.example.com (bulk)',
    );
    for (const from of ['hello@unverified.example.com', 'unverified.example.com'])
      expect(await first('--from', from)).toBe(
        'Nothing is sent to ann@example.org from unverified.example.com (transactional)',
      );
    expect((await why([ANN, '--from', 'hello@mail.example.com'])).out).not.toContain('Other sender');
    const isListed = async (days: string) => !(await why([ANN, '--days', days])).out.includes('No email to');
    expect([await isListed('4'), await isListed('6')]).toEqual([false, true]);
  });

  test('prints no escape sequence that the service wrote', async () => {
    const escapes = '\u001b]0;title\u0007\u202e\u009b2J';
    const { emulator, suppress } = setUp();
    await suppress('hard bounce');
    const client = new EmailPlatform({
      ...emulator.clientOptions(),
      defaults: { from: 'hello@mail.example.com' },
      fetch: async (input, init) => {
        const response = await emulator.fetch(input, init);
        const body = await response.text();
        const written = (text: string) => JSON.stringify(text).slice(1, -1);
        const changed = body
          .replace(/("(?:id|message_esp_response)":)(?:null|"([^"]*)")/g, `$1"$2${written(escapes)}"`)
          .replace(/"(hard bounce|transactional|mail\.example\.com)"/g, `"$1${written(escapes)}"`);
        const url = String(input instanceof Request ? input.url : input);
        const shown = url.includes('last_id=') ? '[]' : url.includes('/suppressions') ? changed : body;
        const headers = { 'content-type': 'application/json' };
        return new Response(shown, { status: response.status, headers });
      },
    });
    const { out, err } = await cli(['why', ANN], { client: () => client });
    expect(`${out}${err}`).toContain(']0;title');
    for (const hidden of escapes.match(/[^ -~]/g) ?? []) expect(`${out}${err}`).not.toContain(hidden);
  });

  test('an address without a record: nothing yet is not never', async () => {
    const { why } = setUp();
    const { out } = await why([ANN, '--days', '7']);
    expect(out).toContain('Email is sent to ann@example.org from mail.example.com (transactional)');
    expect(out).toContain('No email to ann@example.org in the log of 7 days. The log is late');
    expect(out).toContain('Contact: none.');
    for (const days of ['1', '365'])
      expect((await why([ANN, '--days', days])).out).toContain(`in the log of ${days} days.`);
  });

  test.each([
    ['bounce', false, /^No record blocks email to .*, but the newest email, .* bounced:/],
    ['bounce', true, /^Nothing is sent to .*: hard bounce,/],
    ['spam', false, /^Nothing is sent to .*: spam complaint,/],
    ['unsubscribe', false, /^Nothing is sent to .*: unsubscription,/],
  ])(
    '%s@… with stopAfterEvents %s: its answer is true of the next email',
    async (name, stopAfterEvents, says) => {
      const { emulator, client, why } = setUp({ suppressions: { stopAfterEvents } });
      const email = { to: `${name}@example.org`, subject: 'News', text: 'Hello.' };
      await client.sending.send(email);
      emulator.clock.advance(600_000);
      const { out } = await why([email.to]);
      expect(out).toMatch(says);
      await client.sending.send(email);
      expect(emulator.messages()).toHaveLength(out.startsWith('Nothing') ? 1 : 2);
    },
  );

  test.each([
    [
      'ann',
      /^Email is sent to ann@.*: no record blocks it, and the newest email, of 12 Nov 2026 10:31, was delivered\.$/,
    ],
    [
      'reject',
      /^No record blocks email to reject@.*, but the newest email, .* was rejected: Recipient in suppression list\. Reason: manual import\.$/,
    ],
    [
      'suspend',
      /^No record blocks .*, but the newest email, .* was suspended: Sending from this domain is suspended\.$/,
    ],
    [
      'soft-bounce',
      /^No record blocks .*, but the newest email, .* bounced for now; the service tries again: overquota, 452/,
    ],
    ['late-bounce', /^No record blocks .*, but the newest email, .* bounced: badrecipient, 550/],
    ['delayed', /^Email is sent to .*, and the newest email, .* was delivered\.$/],
    ['stuck', /^No record blocks .*, but the newest email, .* has no event yet\.$/],
  ])('%s@…: the first line weighs the records and the newest event', async (name, says) => {
    const { emulator, client, why } = setUp();
    const email = { to: `${name}@example.org`, subject: 'News', text: 'Hello.' };
    await client.sending.send({ ...email, subject: 'An older one' });
    emulator.clock.advance(1_000);
    await client.sending.send(email);
    emulator.clock.advance(600_000);
    const { out } = await why([email.to]);
    expect(out.split('\n')[0]).toMatch(says);
  });

  test('a suppression that the newest email outlived: the first line says both', async () => {
    const { emulator, client, why, suppress } = setUp();
    await suppress('manual import');
    emulator.clock.advance(120_000);
    emulator.logs.add({
      to: ANN,
      from: 'hello@mail.example.com',
      sent_at: START + 60_000,
      events: [{ event_type: 'delivery', created_at: START + 61_000 }],
    });
    const { out, err } = await why([ANN]);
    expect(err).toBe('');
    expect(out).toMatch(
      /^Nothing is sent to ann@.*: manual import, .*; yet the newest email, of 12 Nov 2026 10:32, was delivered\.$/m,
    );
    expect((await client.suppressions.list({ email: ANN })).items).toHaveLength(1);
  });

  test('each email has its id, stream, sender, category and variables: two equal ones are told apart', async () => {
    const { client, why } = setUp();
    const email = { to: ANN, subject: 'Receipt', text: 'Hello.', category: 'receipt' };
    const ids = [];
    for (const source of ['checkout', 'nightly job'])
      ids.push(
        (await client.sending.send({ ...email, custom_variables: { order: 7, source } })).message_ids[0],
      );
    const { out } = await why([ANN]);
    for (const [index, source] of ['checkout', 'nightly job'].entries())
      expect(out).toContain(
        `      ${ids[index]}, transactional, from hello@mail.example.com, category receipt, order=7, source=${source}\n`,
      );
  });

  test('without a sender, it answers for the senders of the log and the domains; without any, it names --from', async () => {
    const { emulator } = setUp();
    const bare = new EmailPlatform(emulator.clientOptions());
    await bare.sending.send(
      { from: 'a@mail.example.com', to: ANN, subject: 'News', text: 'Hello.' },
      { stream: 'bulk' },
    );
    emulator.clock.advance(600_000);
    const whyOf = (client: EmailPlatform) => cli(['why', ANN], { client: () => client });
    const lines = (await whyOf(bare)).out.split('\n');
    expect(lines[0]).toMatch(/^Email is sent to .* from mail\.example\.com \(bulk\): .* was delivered\.$/);
    expect(lines[1]).toMatch(
      /^ {2}Other sender: Email is sent to .* from mail\.example\.com \(transactional\)/,
    );
    expect(lines[2]).toMatch(/^ {2}Other sender: Nothing is sent .* from unverified\.example\.com/);
    const empty = new EmailPlatform({
      ...emulator.clientOptions(),
      token: emulator.createToken({ domains: [] }),
    });
    const { code, err } = await whyOf(empty);
    expect([code, err]).toEqual([1, expect.stringContaining('pass --from')]);
  });

  test('--json prints the result', async () => {
    const { why, suppress } = setUp();
    await suppress('manual import');
    const { out } = await why([ANN, '--json']);
    expect(JSON.parse(out)).toMatchObject({ reachable: false, reasons: [{ kind: 'suppression' }] });
    expect(out.trimEnd()).not.toContain('\n');
  });

  test('--lift deletes hard bounces and manual entries, asks, and reads the address again', async () => {
    const { client, why, suppress } = setUp();
    const { id } = await suppress('hard bounce');
    const entry = await suppress('manual import');
    const refused = await why([ANN, '--lift']);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('Needs --yes')]);
    const questions: string[] = [];
    const no = await why([ANN, '--lift'], (question) => {
      questions.push(question);
      return Promise.resolve('no');
    });
    expect([no.code, no.err]).toEqual([1, 'Nothing was changed.\n']);
    expect(questions).toEqual([
      `Email goes out to ${ANN} again without:\n  hard bounce (${id})\n  manual import (${entry.id})\nDelete? [y/N] `,
    ]);
    expect(await client.suppressions.list({ email: ANN }).toArray()).toHaveLength(2);
    const yes = await why([ANN, '--lift'], () => Promise.resolve('y'));
    expect([yes.code, yes.out.split(':')[0]]).toEqual([
      0,
      'Email is sent to ann@example.org from mail.example.com (transactional)',
    ]);
    expect(await client.suppressions.list({ email: ANN }).toArray()).toEqual([]);
  });

  test('--lift keeps a complaint, and one of another stream, unless its id is named', async () => {
    const { client, why, suppress } = setUp();
    const { id } = await suppress('spam complaint');
    const other = await suppress('manual import', 'bulk');
    const kept = await why([ANN, '--lift', '--yes']);
    expect([kept.code, kept.err]).toEqual([1, expect.stringContaining(`--lift ${id}`)]);
    const wrong = await why([ANN, '--lift', '7', '--yes']);
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('has no suppression 7')]);
    expect((await why([ANN, '--lift', id, '--yes'])).code).toBe(0);
    expect(await client.suppressions.list({ email: ANN }).toArray()).toMatchObject([{ id: other.id }]);
    const nothing = await why([ANN, '--lift', '--yes']);
    expect([nothing.code, nothing.err]).toEqual([1, expect.stringContaining('no suppression blocks email')]);
  });

  test('a part that the token may not read is named', async () => {
    const { emulator, client } = setUp();
    const token = emulator.createToken({ permissions: { suppressions: 'none' } });
    const { code, out } = await cli(['why', ANN], { client: () => client.withOptions({ token }) });
    expect(code).toBe(0);
    expect(out).toContain('No readable record blocks email to ann@example.org');
    expect(out).toContain('Not read, as the token may not: suppressions');
  });

  test.each([
    [[], "Missing required argument 'address'"],
    [[ANN, '--days', '0'], '--days must be a number from 1 to 365'],
    [[ANN, '--days', '366'], '--days must be a number from 1 to 365'],
    [[ANN, '--days', '1.5'], '--days must be a number from 1 to 365'],
    [[ANN, '--stream', 'sandbox'], '--stream must be one of transactional, bulk'],
  ])('%j is invalid, exit 2', async (args, message) => {
    const { code, err } = await setUp().why(args);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
