import { EmailPlatform, ValidationError } from 'email-platform';
import { type Emulator, createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../../../support/expect-error.ts';
import { wire } from '../../../tools/wire.ts';

function setUp(options: Emulator.Options = {}) {
  const emulator = createEmulator({ limits: false, ...options });
  const client = new EmailPlatform({ ...emulator.clientOptions(), throttle: false });
  return { client, emulator, inbound: client.inbound, inbox: emulator.inbound.add() };
}

const refusedFields = async (call: PromiseLike<unknown>) =>
  (await rejection(Promise.resolve(call), ValidationError)).fieldErrors;

const condition = { match_type: 'sender', operator: 'equal', value: 'ann@example.org' } as const;
const conditions = (length: number) => Array.from({ length }, () => condition);
const destinations = (length: number) =>
  Array.from({ length }, (_, index) => ({ email: `books${index}@example.com` }));

describe('Forward rules', () => {
  test('an inbox has at most 5; another may be added once one is deleted, or to another inbox', async () => {
    const { inbound, inbox, emulator } = setUp();
    const add = (inboxId = inbox.inboxId) =>
      inbound.forwardRules.create(inboxId, { name: 'Invoices', destinations: destinations(1) });
    for (let count = 1; count < 5; count += 1) await add();
    const { id } = await add();
    expect(await refusedFields(add())).toEqual({
      base: ['The limit of 5 forward rules per inbox is reached'],
    });
    await add(emulator.inbound.add().inboxId);
    await inbound.forwardRules.delete(inbox.inboxId, id);
    await add();
  });

  test('one has at most 5 conditions and 5 destinations, when it is created and when it is changed', async () => {
    const { inbound, inbox } = setUp();
    const { inboxId } = inbox;
    const many = { conditions: conditions(6), destinations: destinations(6) };
    const tooMany = {
      conditions: ['is too long (maximum is 5 conditions)'],
      destinations: ['is too long (maximum is 5 destinations)'],
    };
    expect(await refusedFields(inbound.forwardRules.create(inboxId, { name: 'x', ...many }))).toEqual(
      tooMany,
    );
    const most = { conditions: conditions(5), destinations: destinations(5) };
    const { id } = await inbound.forwardRules.create(inboxId, { name: 'x', ...most });
    expect(await refusedFields(inbound.forwardRules.update(inboxId, id, many))).toEqual(tooMany);
    expect(await inbound.forwardRules.get(inboxId, id)).toMatchObject(most);
  });
});

test('A search of more than 256 characters gets a 400 that names it', async () => {
  const { emulator, inbox } = setUp();
  const call = wire(emulator);
  const search = (text: string) => {
    const query = new URLSearchParams({ search: text }).toString();
    return call('GET', `/api/inbound/inboxes/${inbox.inboxId}/threads?${query}`);
  };
  expect((await search('😀'.repeat(256))).value).toEqual({ data: [], total_count: 0, last_id: null });
  const { status, value } = await search('x'.repeat(257));
  expect([status, value]).toEqual([400, { errors: { search: ['is too long (maximum is 256 characters)'] } }]);
});

describe('Inboxes', () => {
  test('an account has at most 300, in all its folders', async () => {
    const { inbound, inbox } = setUp();
    for (let folder = 0; folder < 2; folder += 1) {
      const { id } = await inbound.folders.create({ name: 'Support' });
      for (let count = 0; count < (folder === 0 ? 150 : 149); count += 1)
        await inbound.inboxes.create(id, { name: 'Tickets' });
    }
    expect(await refusedFields(inbound.inboxes.create(inbox.folderId, { name: 'Tickets' }))).toEqual({
      base: ['The limit of 300 inboxes per account is reached'],
    });
  });

  test('another limit is an option', async () => {
    const { inbound, inbox } = setUp({ inbound: { maxInboxes: 2 } });
    await inbound.inboxes.create(inbox.folderId, { name: 'Tickets' });
    await rejection(inbound.inboxes.create(inbox.folderId, { name: 'Tickets' }), ValidationError);
  });
});

describe('Answers from hosted inboxes', () => {
  const answering = (options: Emulator.Options = {}) => {
    const service = setUp(options);
    const { emulator, inbound, inbox } = service;
    const [received] = emulator.inbound.receive({ to: inbox.address, from: 'ann@example.org' });
    const params: EmailPlatform.InboundForwardParams = { text: 'x', to: [{ email: 'ben@example.org' }] };
    const answer = (kind: 'reply' | 'replyAll' | 'forward' = 'reply') =>
      inbound.messages[kind](inbox.inboxId, received?.messageId ?? '', params);
    return { ...service, answer };
  };
  const limitReached = { base: ['The limit of 20 replies and forwards from hosted inboxes is reached'] };

  test('an account may send 20 in all, of each kind and from any inbox; the time that passes frees none', async () => {
    const { client, emulator, inbound, inbox, answer } = answering();
    for (let count = 0; count < 6; count += 1)
      for (const kind of ['reply', 'replyAll', 'forward'] as const) await answer(kind);
    const second = emulator.inbound.add();
    const [received] = emulator.inbound.receive({ to: second.address, from: 'ann@example.org' });
    for (let count = 0; count < 2; count += 1)
      await inbound.messages.reply(second.inboxId, received?.messageId ?? '', { text: 'x' });
    expect(await refusedFields(answer())).toEqual(limitReached);
    emulator.clock.advance(40 * 86_400_000);
    expect(await refusedFields(answer('forward'))).toEqual(limitReached);
    expect(emulator.messages()).toHaveLength(20);

    const domain_id = emulator.domains.list()[0]?.id;
    const own = await inbound.inboxes.create(inbox.folderId, { name: 'Own', domain_id });
    await client.sendingDomains.update(domain_id ?? 0, { inbound_enabled: true });
    const [other] = emulator.inbound.receive({ to: own.address, from: 'ann@example.org' });
    const from = { email: 'help@mail.example.com' };
    await inbound.messages.reply(own.id, other?.messageId ?? '', { from, text: 'x' });
    emulator.reset();
  });

  test('one that is refused does not count, nor does a forward by a rule', async () => {
    const { emulator, inbound, inbox, answer } = answering({ inbound: { maxHostedReplies: 1 } });
    await inbound.forwardRules.create(inbox.inboxId, { name: 'All', destinations: destinations(2) });
    const [received] = emulator.inbound.receive({ to: inbox.address, from: 'ann@example.org' });
    const wrong = { text: 'x', to: [{ email: 'nobody' }] };
    await rejection(
      inbound.messages.forward(inbox.inboxId, received?.messageId ?? '', wrong),
      ValidationError,
    );
    await answer();
    await rejection(answer(), ValidationError);
  });
});
