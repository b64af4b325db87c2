import { EmailPlatform, PermissionDeniedError, RecipientRefusedError } from 'email-platform';
import { whyNoMail, type NoMailReason } from 'email-platform/diagnose';
import { createEmulator } from 'email-platform/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs, SEED } from '../../support/extent.ts';

const ANN = 'ann@example.org';
const FROM = 'hello@mail.example.com';

/** An account with one verified domain and one that is not. */
function setUp(options: ConstructorParameters<typeof EmailPlatform>[0] = {}) {
  const emulator = createEmulator({
    seed: 'empty',
    limits: false,
    suppressions: { stopAfterEvents: true },
  });
  const domain = emulator.domains.list().find(({ name }) => name === 'mail.example.com')?.id ?? 0;
  const other = emulator.domains.add({ name: 'news.example.com' });
  emulator.domains.add({ name: 'shop.example.com', verified: false });
  const client = new EmailPlatform({ ...emulator.clientOptions(), retry: false, ...options });
  return { emulator, client, domain, other };
}

const kinds = (reasons: readonly NoMailReason[]) =>
  reasons.map((reason) => [
    reason.kind === 'suppression' ? reason.suppression.type : reason.kind,
    reason.blocks,
  ]);

describe('whyNoMail()', () => {
  test('a manual entry blocks its domain and stream, and is named for others', async () => {
    const { client, domain } = setUp();
    const entry = { email: ANN, domain_id: domain, sending_stream: 'transactional' } as const;
    await client.suppressions.create(entry);
    const found = await whyNoMail(client, ANN, { from: FROM });
    expect(found).toMatchObject({ reachable: false, domain: 'mail.example.com', stream: 'transactional' });
    expect(kinds(found.reasons)).toEqual([['manual import', true]]);
    for (const sender of [{ from: FROM, stream: 'bulk' }, { from: 'x@news.example.com' }] as const) {
      const elsewhere = await whyNoMail(client, ANN, sender);
      expect([elsewhere.reachable, kinds(elsewhere.reasons)]).toEqual([true, [['manual import', false]]]);
    }
    expect((await whyNoMail(client, 'bob@example.org', { from: FROM })).reasons).toEqual([]);
  });

  test('a hard bounce on record, the log with its events, the contact with its lists', async () => {
    const { emulator, client, domain } = setUp();
    await client.suppressions.create({
      email: ANN,
      domain_id: domain,
      sending_stream: 'transactional',
      type: 'hard bounce',
    });
    const list = await client.contacts.lists.create({ name: 'Gardeners' });
    await client.contacts.create({ email: ANN, list_ids: [list.id] });
    await client.contacts.update(ANN, { unsubscribed: true });
    emulator.logs.add({
      to: ANN,
      from: FROM,
      subject: 'Your receipt',
      events: [{ event_type: 'bounce', created_at: emulator.clock.now() }],
    });
    const found = await whyNoMail(client, ANN, { from: FROM });
    expect(kinds(found.reasons)).toEqual([['hard bounce', true]]);
    expect(found.mails).toMatchObject([{ subject: 'Your receipt', events: [{ event_type: 'bounce' }] }]);
    expect(JSON.stringify(found)).not.toContain('raw_message_url');
    expect(found.contact).toMatchObject({ status: 'unsubscribed', lists: expect.any(Array) as unknown });
    expect(found.unreadable).toEqual([]);
  });

  test('a domain that is not verified, and one that is not there', async () => {
    const { client } = setUp();
    for (const [domain, state] of [
      ['shop.example.com', 'unverified'],
      ['nowhere.example.com', 'missing'],
    ]) {
      const { reachable, reasons } = await whyNoMail(client, ANN, { from: domain });
      expect([reachable, reasons]).toEqual([false, [{ kind: 'domain', blocks: true, state }]]);
    }
  });

  test('the option recipients of the client, and its sandbox', async () => {
    const refusing = setUp({ recipients: { allow: [] } });
    expect((await whyNoMail(refusing.client, ANN, { from: FROM })).reasons).toEqual([
      { kind: 'recipients', blocks: true, outcome: 'refused' },
    ]);
    const redirecting = setUp({ recipients: { allow: [], otherwise: { redirectTo: 'qa@example.com' } } });
    expect((await whyNoMail(redirecting.client, ANN, { from: FROM })).reasons).toEqual([
      { kind: 'recipients', blocks: true, outcome: 'redirected' },
    ]);
    const { client } = setUp({ stream: 'sandbox', sandboxInboxId: 1 });
    const { reachable, reasons } = await whyNoMail(client, ANN, { from: FROM });
    expect([reachable, reasons]).toEqual([false, [{ kind: 'sandbox', blocks: true }]]);
  });

  test('the option recipients counts on the stream that is asked about', async () => {
    const { client } = setUp({ recipients: { allow: [] }, stream: 'sandbox', sandboxInboxId: 1 });
    const reasonsOn = async (stream?: 'transactional' | 'sandbox') =>
      kinds((await whyNoMail(client, ANN, { from: FROM, stream })).reasons);
    expect(await reasonsOn('transactional')).toEqual([['recipients', true]]);
    expect(await reasonsOn()).toEqual([['sandbox', true]]);
    const live = client.withOptions({ stream: 'transactional' });
    expect(kinds((await whyNoMail(live, ANN, { from: FROM, stream: 'sandbox' })).reasons)).toEqual([
      ['sandbox', true],
    ]);
  });

  test('parts that the token may not read are named, and then reachable is not known', async () => {
    const { emulator, client } = setUp();
    const permissions = { suppressions: 'none', contacts: 'none', emailLogs: 'none' } as const;
    const token = emulator.createToken({ permissions });
    const found = await whyNoMail(client.withOptions({ token }), ANN, { from: FROM });
    expect(found).toMatchObject({ reachable: null, mails: undefined, contact: undefined });
    expect([...found.unreadable].sort()).toEqual([
      'contacts',
      'emailLogs',
      'suppressions',
      'trackingOptOuts',
    ]);
  });

  test('the sender is the default one of the client; wrong arguments are refused before any request', async () => {
    const { client, emulator } = setUp({ defaults: { from: `Gardeners <${FROM}>` } });
    expect((await whyNoMail(client, ANN)).domain).toBe('mail.example.com');
    const { length } = emulator.requests;
    const bare = new EmailPlatform({ ...emulator.clientOptions(), retry: false });
    await expect(whyNoMail(bare, 'ann', { from: FROM })).rejects.toThrow('email: must be one email address');
    await expect(whyNoMail(bare, ANN, { from: FROM, days: 0 })).rejects.toThrow('options.days');
    await expect(whyNoMail({} as never, ANN, { from: FROM })).rejects.toThrow(
      'client: must be an EmailPlatform',
    );
    expect(emulator.requests).toHaveLength(length);
  });

  test('without a sender, every one that is found has a verdict: of the log, and of the account', async () => {
    const { client, emulator } = setUp();
    await client.sending.send({
      from: 'x@NEWS.example.com',
      to: 'reject@example.org',
      subject: 'A',
      text: 'A',
    });
    emulator.clock.advance(60_000);
    const found = await whyNoMail(client, 'reject@example.org');
    const verdicts = [found, ...found.others].map(({ domain, stream, reachable, newest }) => [
      domain,
      stream,
      reachable,
      newest?.state,
    ]);
    expect(verdicts).toEqual([
      ['news.example.com', 'transactional', true, 'failed'],
      ['mail.example.com', 'transactional', true, undefined],
      ['unverified.example.com', 'transactional', false, undefined],
      ['shop.example.com', 'transactional', false, undefined],
    ]);
    expect(found.newest?.event?.event_type).toBe('reject');
    expect((await whyNoMail(client, 'reject@example.org', { from: FROM })).others).toEqual([]);
    const token = emulator.createToken({ domains: [] });
    await expect(whyNoMail(client.withOptions({ token }), ANN)).rejects.toThrow('options.from: is required');
  });

  test('the last event is the last by time, in whatever order the log has them', async () => {
    const { client, emulator } = setUp();
    const at = emulator.clock.now();
    const events = [
      { event_type: 'click', created_at: at - 700 },
      { event_type: 'bounce', created_at: at - 800 },
      { event_type: 'delivery', created_at: at - 900 },
    ] as const;
    emulator.logs.add({ to: ANN, from: FROM, sent_at: at - 1_000, events: [...events] });
    const { newest } = await whyNoMail(client, ANN, { from: FROM });
    expect([newest?.state, newest?.event?.event_type]).toEqual(['failed', 'bounce']);
    emulator.logs.add({
      to: ANN,
      from: FROM,
      sent_at: at - 500,
      events: [{ event_type: 'open', created_at: at - 400 }],
    });
    expect((await whyNoMail(client, ANN, { from: FROM })).newest).toMatchObject({
      state: 'delivered',
      event: undefined,
    });
  });

  test('a wrong token is an error, not a part', async () => {
    const { client } = setUp();
    const wrong = client.withOptions({ token: 'wrong' });
    await expect(whyNoMail(wrong, ANN, { from: FROM })).rejects.toThrow(/401/);
  });

  test('a reason that blocks is on record exactly if the next send is refused or dropped', async () => {
    const address = fc.constantFrom(ANN, ANN.toUpperCase(), ANN, 'bob@example.org');
    const stream = fc.constantFrom('transactional', 'bulk');
    const entry = fc.record({
      email: address,
      isOther: fc.boolean(),
      sending_stream: stream,
      type: fc.constantFrom('hard bounce', 'manual import', 'unsubscription', 'spam complaint'),
    });
    const property = fc.asyncProperty(
      fc.array(entry, { maxLength: 2 }),
      fc.constantFrom(
        'mail.example.com',
        'mail.example.com',
        'news.example.com',
        'shop.example.com',
        'nowhere.example.com',
      ),
      stream,
      fc.constantFrom([], [ANN], ['@example.org']),
      fc.constantFrom(false, false, true),
      fc.constantFrom(ANN, ANN, 'bounce@example.org', 'spam@example.org', 'unsubscribe@example.org'),
      fc.boolean(),
      async (entries, domainName, stream, allow, isGuarded, to, isSecond) => {
        const { emulator, client, domain, other } = setUp(isGuarded ? { recipients: { allow } } : {});
        for (const { isOther, ...one } of entries)
          await client.suppressions.create({ ...one, domain_id: isOther ? other : domain });
        if (isSecond) {
          const first = { from: FROM, to, subject: 'Welcome', text: 'Welcome' };
          await new EmailPlatform(emulator.clientOptions()).sending.send(first);
          emulator.clock.advance(600_000);
        }
        const from = `hello@${domainName}`;
        const { reachable } = await whyNoMail(client, to, { from, stream });
        const mail = { from, to, subject: 'Hello', text: 'Hello' };
        const sent = await client.sending.send(mail, { stream }).catch((error: unknown) => {
          if (
            !(error instanceof RecipientRefusedError) &&
            !(error instanceof PermissionDeniedError) &&
            !String(error).includes('401')
          )
            throw error;
          return undefined;
        });
        const [id = ''] = sent?.message_ids ?? [];
        emulator.clock.advance(120_000);
        const logged = id === '' ? undefined : await client.emailLogs.get(id);
        const isDropped = logged?.events.some(({ event_type: type }) => type === 'reject') ?? true;
        expect(reachable).toBe(!isDropped);
      },
    );
    await fc.assert(property, { numRuns: runs(800), ...(SEED !== undefined && { seed: SEED }) });
  });
});
