import {
  type EmailPlatform,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  ResponseFormatError,
  ValidationError,
} from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { drained, emulated } from '../../support/contacts-service.ts';
import { failure, json, scriptedFetch } from '../../support/scripted-fetch.ts';
import { throughItsWaits, virtualClient } from '../../support/virtual-client.ts';

const long = '1870314786754420737';

function setUp(pageSize = 50) {
  const service = emulated({ inbound: { pageSize } });
  const { client, emulator } = service;
  const inbox = service.emulator.inbound.add();
  const receive = (more: object = {}) => {
    const [received] = service.emulator.inbound.receive({
      to: inbox.address,
      from: 'ann@example.org',
      ...more,
    });
    if (received === undefined) throw new Error('Nothing was received.');
    service.emulator.clock.advance(1000);
    return received;
  };
  /** An inbox at a domain of the account, which receives email. */
  const addOwn = async () => {
    const { id: domain_id = 0, name: domain = '' } = emulator.domains.list()[0] ?? {};
    await client.sendingDomains.update(domain_id, { inbound_enabled: true });
    const own = await client.inbound.inboxes.create(inbox.folderId, { name: 'Own', domain_id });
    return { ...own, domain_id, domain };
  };
  return { ...service, inbound: client.inbound, inbox, receive, addOwn };
}

describe('Folders and inboxes', () => {
  test('are created, read, renamed and deleted, with what is in them', async () => {
    const { inbound, emulator } = setUp();
    const folder = await inbound.folders.create({ name: 'Support' });
    expect(await inbound.folders.update(folder.id, { name: 'Help' })).toEqual({
      id: folder.id,
      name: 'Help',
    });
    expect((await inbound.folders.list().toArray()).map(({ name }) => name)).toEqual(['Inbox', 'Help']);

    const hosted = await inbound.inboxes.create(folder.id, { name: 'Questions' });
    const domain = emulator.domains.list()[0];
    const own = await inbound.inboxes.create(folder.id, { name: 'Orders', domain_id: domain?.id });
    expect(own.address).toBe(`*@${domain?.name}`);
    expect(await inbound.inboxes.update(folder.id, own.id, { name: 'Sales' })).toEqual({
      ...own,
      name: 'Sales',
    });
    expect(await inbound.inboxes.list(folder.id).toArray()).toEqual([hosted, { ...own, name: 'Sales' }]);
    await inbound.inboxes.delete(folder.id, own.id);
    await rejection(inbound.inboxes.get(folder.id, own.id), NotFoundError);
    expect(await inbound.inboxes.get(folder.id, hosted.id)).toEqual(hosted);

    emulator.inbound.receive({ to: hosted.address, from: 'ann@example.org' });
    expect(await inbound.messages.list(hosted.id).toArray()).toHaveLength(1);
    await inbound.folders.delete(folder.id);
    await rejection(inbound.folders.get(folder.id), NotFoundError);
    await rejection(Promise.resolve(inbound.messages.list(hosted.id)), NotFoundError);
  });

  test('are refused without a name, or at a domain that does not exist', async () => {
    const { inbound, inbox } = setUp();
    await rejection(inbound.folders.create({} as never), InvalidRequestError);
    await rejection(inbound.folders.create({ name: 'x'.repeat(101) }), InvalidRequestError);
    await rejection(inbound.inboxes.create(inbox.folderId, { domain_id: 1 } as never), InvalidRequestError);
    const call = inbound.inboxes.create(inbox.folderId, { name: 'x', domain_id: 99_999 });
    expect((await rejection(call, ValidationError)).fieldErrors).toEqual({ domain_id: ['must exist'] });
  });
});

describe('An inbox at a domain of the account', () => {
  test('is a catch-all: it receives email to every name there, in any case, and to no other domain', async () => {
    const { inbound, emulator, addOwn } = setUp();
    const { id, address, domain, domain_id } = await addOwn();
    expect([address, domain_id]).toEqual([`*@${domain}`, 301]);
    const to = [`Support@${domain.toUpperCase()}`, 'ann@example.org'];
    expect(emulator.inbound.receive({ to, from: 'ben@example.org' })).toHaveLength(1);
    emulator.inbound.receive({ to: 'x@y.example', cc: `sales@${domain}`, from: 'ben@example.org' });
    const several = { to: `a@${domain}`, bcc: `b@${domain}`, from: 'ben@example.org' };
    expect(emulator.inbound.receive(several)).toHaveLength(1);
    expect(await inbound.messages.list(id).toArray()).toHaveLength(3);
    for (const other of [`support@sub.${domain}`, `support@not${domain}`, 'support@example.org'])
      expect(() => emulator.inbound.receive({ to: other, from: 'ben@example.org' })).toThrow(
        'None of the recipients is the address of an inbox',
      );
  });

  test('receives nothing while the domain does not', async () => {
    const { client, inbound, emulator, inbox, addOwn } = setUp();
    const { id, domain, domain_id } = await addOwn();
    const set = (inbound_enabled: boolean) => client.sendingDomains.update(domain_id, { inbound_enabled });
    const from = 'ben@example.org';
    await set(false);
    expect(() => emulator.inbound.receive({ to: `support@${domain}`, from })).toThrow(
      `The domain of *@${domain} does not receive email: set its inbound_enabled to true first`,
    );
    // Another inbox receives its own copy.
    const to = [`support@${domain}`, inbox.address];
    expect(emulator.inbound.receive({ to, from }).map(({ inboxId }) => inboxId)).toEqual([inbox.inboxId]);
    expect(await inbound.messages.list(id).toArray()).toEqual([]);
    await set(true);
    expect(emulator.inbound.receive({ to, from })).toHaveLength(2);
  });

  test('needs an MX record, which the domain has while it receives email', async () => {
    const { client, emulator, addOwn } = setUp();
    const { domain_id, domain } = await addOwn();
    const mx = { key: 'inbound', type: 'MX', domain, name: '@' };
    const read = () => client.sendingDomains.get(domain_id);
    const records = async () => (await read()).dns_records.filter(({ type }) => type === 'MX');
    expect(await records()).toMatchObject([{ ...mx, status: 'pass' }]);
    expect(await read()).toMatchObject({ inbound_enabled: true, inbound_verified: true });
    emulator.domains.setVerified(domain_id, false);
    expect(await records()).toMatchObject([{ ...mx, status: 'fail' }]);
    expect((await read()).inbound_verified).toBe(false);
    await client.sendingDomains.update(domain_id, { inbound_enabled: false });
    expect(await records()).toEqual([]);
  });

  test('forwards from the address at which a message arrived, but never to itself', async () => {
    const { inbound, emulator, addOwn } = setUp();
    const { id, domain } = await addOwn();
    const condition = { match_type: 'recipient', operator: 'equal', value: `sales@${domain}` } as const;
    const destinations = [{ email: 'ann@example.org' }, { email: `ann@${domain}` }];
    await inbound.forwardRules.create(id, { name: 'Sales', conditions: [condition], destinations });
    const forwarded = async (to: string) => {
      const [received] = emulator.inbound.receive({ to, from: 'ben@example.org' });
      const { forwards = [] } = await inbound.messages.get(id, received?.messageId ?? '');
      return forwards.map(({ destination, status }) => `${destination} ${status}`);
    };
    expect(await forwarded(`sales@${domain}`)).toEqual([
      'ann@example.org forwarded',
      `ann@${domain} rejected`,
    ]);
    expect(emulator.messages()).toMatchObject([{ from: `sales@${domain}`, to: 'ann@example.org' }]);
    expect(await forwarded(`support@${domain}`)).toEqual([]);
  });

  test('is answered to all but its own addresses', async () => {
    const { inbound, emulator, addOwn } = setUp();
    const { id, domain } = await addOwn();
    const email = {
      to: `support@${domain}`,
      cc: [`sales@${domain}`, 'cy@example.org'],
      from: 'ben@example.org',
    };
    const [received] = emulator.inbound.receive(email);
    const from = { email: `support@${domain}` };
    await inbound.messages.replyAll(id, received?.messageId ?? '', { from, text: 'Hello' });
    expect(emulator.messages().map(({ to }) => to)).toEqual(['ben@example.org', 'cy@example.org']);
  });
});

test.each([
  ['Support tickets', 'support-tickets-'],
  ['  Zoë & Café! ', 'zoe-cafe-'],
  ['日本', ''],
  ['x'.repeat(255), `${'x'.repeat(50)}-`],
])('the address of a hosted inbox has its name: %j', async (name, beginning) => {
  const { inbound, inbox, emulator } = setUp();
  const { address } = await inbound.inboxes.create(inbox.folderId, { name });
  expect(address).toMatch(new RegExp(`^${beginning}[\\da-f]{8}@inbound\\.emulator\\.test$`));
  const again = await inbound.inboxes.create(inbox.folderId, { name });
  expect(again.address).not.toBe(address);
  expect(emulator.inbound.receive({ to: address, from: 'ann@example.org' })).toHaveLength(1);
});

describe('Messages', () => {
  test('are received by text wherever the client takes text', async () => {
    const { emulator, inbound, inbox } = setUp();
    const other = emulator.inbound.add();
    const from = 'Ann <ann@example.org>';
    for (const fields of [
      { to: inbox.address },
      { to: 'ben@example.org', cc: `Help <${inbox.address}>` },
      { to: 'ben@example.org', bcc: inbox.address },
      { to: ['ben@example.org'], cc: [inbox.address], bcc: [] },
    ]) {
      expect(emulator.inbound.receive({ from, ...fields }).map(({ inboxId }) => inboxId)).toEqual([
        inbox.inboxId,
      ]);
    }
    expect(
      emulator.inbound.receive({ from, to: inbox.address, cc: other.address }).map(({ inboxId }) => inboxId),
    ).toEqual([inbox.inboxId, other.inboxId]);
    const [last] = await inbound.messages.list(other.inboxId).toArray();
    const message = await inbound.messages.get(other.inboxId, last?.id ?? '');
    expect(message).toMatchObject({ to: [inbox.address], cc: [other.address] });
  });

  test('have ids that no number can hold, and lead to their bodies, files and thread', async () => {
    const { inbound, inbox, receive, client } = setUp();
    const { messageId, threadId } = receive({
      from: 'Ann <ann@example.org>',
      subject: 'Help',
      text: 'It does not work.',
      html: '<p>It does not work.</p>',
      attachments: [{ content: btoa('log'), filename: 'log.txt', type: 'text/plain' }],
    });
    expect(Number.isSafeInteger(Number(messageId))).toBe(false);
    const [summary] = await inbound.messages.list(inbox.inboxId).toArray();
    expect(summary).toMatchObject({ id: messageId, from: 'Ann <ann@example.org>', thread_id: threadId });
    expect(summary).not.toHaveProperty('text_body');
    const message = await inbound.messages.get(inbox.inboxId, messageId);
    expect(message).toMatchObject({ text_body: 'It does not work.', html_body: '<p>It does not work.</p>' });
    const url = message.attachments[0]?.download_url ?? '';
    expect(new TextDecoder().decode(await client.emailLogs.downloadRaw(url))).toBe('log');
    const raw = new TextDecoder().decode(await client.emailLogs.downloadRaw(message.raw_message_url ?? ''));
    expect(raw).toContain('Subject: Help\r\n');
    await inbound.messages.delete(inbox.inboxId, messageId);
    await rejection(inbound.messages.get(inbox.inboxId, messageId), NotFoundError);
    expect((await inbound.threads.get(inbox.inboxId, threadId)).messages).toEqual([
      { visibility_status: 'placeholder', direction: 'inbound' },
    ]);
  });

  test('are listed newest first, a page at a time, and resumed', async () => {
    const { inbound, inbox, receive, emulator } = setUp(2);
    const ids = [1, 2, 3, 4, 5].map(() => receive().messageId).reverse();
    const list = (params = {}) => inbound.messages.list(inbox.inboxId, params);
    expect((await list().toArray()).map(({ id }) => id)).toEqual(ids);
    const first = await list();
    expect(first).toMatchObject({ total_count: 5, last_id: ids[1], hasNextPage: true });
    expect((await list({ last_id: first.last_id ?? '' }).toArray()).map(({ id }) => id)).toEqual(
      ids.slice(2),
    );
    // While it is read, the list grows: what is new comes before it.
    const read: string[] = [];
    for await (const { id } of list()) {
      read.push(id);
      if (read.length < 4) receive();
    }
    expect(read).toEqual(ids);
    expect(emulator.requests.length).toBeGreaterThan(5);
  });

  test('a list is resumed after a message that was deleted, and ends after the oldest', async () => {
    const { inbound, inbox, receive } = setUp(2);
    const ids = [1, 2, 3, 4].map(() => receive().messageId).reverse();
    await inbound.messages.delete(inbox.inboxId, ids[1] ?? '');
    const after = (last_id = '') => inbound.messages.list(inbox.inboxId, { last_id });
    expect((await after(ids[1]).toArray()).map(({ id }) => id)).toEqual(ids.slice(2));
    // As recorded.
    expect(await after('1')).toMatchObject({ data: [], total_count: 0, last_id: null });
    expect((await after('abc123')).data.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
  });

  test('a cursor that is ignored ends in an error, and nothing comes twice', async () => {
    for (const kind of ['messages', 'threads'] as const) {
      const body = { data: [{ id: 'a' }, { id: 'b' }], total_count: 2, last_id: 'b' };
      const { client } = virtualClient({ fetch: scriptedFetch(json(200, body)).fetch });
      const list: AsyncIterable<{ id: string }> = client.inbound[kind].list(1);
      const { outcomes, thrown } = await drained(list);
      expect(outcomes.map(({ id }) => id)).toEqual(['a', 'b']);
      expect(thrown).toBeInstanceOf(ResponseFormatError);
    }
  });

  test('ids are one segment of a path, whatever is in them', async () => {
    const { fetch, sent } = scriptedFetch(json(200, { id: 'x' }));
    const { client } = virtualClient({ fetch, accountId: 7 });
    await client.inbound.messages.get(3, 'a/b?c');
    await client.inbound.threads.get(3, long);
    expect(sent.map(({ url }) => url)).toEqual([
      'https://api.test/api/inbound/inboxes/3/messages/a%2Fb%3Fc',
      `https://api.test/api/inbound/inboxes/3/threads/${long}`,
    ]);
    await rejection(client.inbound.messages.get(3, '..'), InvalidRequestError);
    await rejection(client.inbound.messages.get(3, 5 as never), InvalidRequestError);
  });

  test('an id that the service sends as a number is not changed', async () => {
    const respond = () => new Response(`{"data":[{"id":${long}}],"total_count":1,"last_id":null}`);
    const { client } = virtualClient({ fetch: scriptedFetch(respond).fetch });
    expect(await client.inbound.messages.list(1).toArray()).toEqual([{ id: long }]);
  });
});

describe('Replies and forwards', () => {
  const question = { subject: 'Help', text: 'How?', cc: ['cy@example.org'], reply_to: 'ann@home.example' };

  test('go to the sender, to all, or to others, and belong to the thread', async () => {
    const { client, inbound, inbox, receive, emulator } = setUp();
    const { messageId, threadId } = receive({ ...question, rfc_message_id: '<q@example.org>' });
    const sent = async (call: PromiseLike<{ message_ids: string[] }>) => {
      const { message_ids } = await call;
      return Promise.all(message_ids.map((id) => client.emailLogs.get(id)));
    };
    const text = 'Like this.';
    const [reply] = await sent(inbound.messages.reply(inbox.inboxId, messageId, { text }));
    expect(reply).toMatchObject({
      to: 'ann@home.example',
      from: inbox.address,
      subject: 'Re: Help',
      in_reply_to: '<q@example.org>',
      references: ['<q@example.org>'],
      thread_id: threadId,
    });
    const all = await sent(inbound.messages.replyAll(inbox.inboxId, messageId, { html: '<p>x</p>' }));
    expect(all.map(({ to }) => to)).toEqual(['ann@home.example', 'cy@example.org']);
    const to = [{ email: 'dee@example.org', name: 'Dee' }];
    const [forward] = await sent(
      inbound.messages.forward(inbox.inboxId, messageId, { to, text: 'See below' }),
    );
    expect(forward).toMatchObject({ to: 'dee@example.org', subject: 'Fwd: Help', thread_id: threadId });
    expect(emulator.messages().at(-1)?.text).toBe('See below\n\nHow?');

    emulator.clock.advance(1000);
    const thread = await inbound.threads.get(inbox.inboxId, threadId);
    expect(thread.messages.map(({ direction, to: [first] = [] }) => `${direction} ${first}`)).toEqual([
      `inbound ${inbox.address}`,
      'outbound ann@home.example',
      'outbound ann@home.example',
      'outbound cy@example.org',
      'outbound dee@example.org',
    ]);
    expect(thread).toMatchObject({ message_count: 5, last_message_id: forward?.message_id });
    expect(thread.messages[1]).toMatchObject({ id: reply?.message_id, delivery_status: 'delivered' });
    // What the log says leads to the thread.
    const { thread_id } = await client.emailLogs.get(reply?.message_id ?? '');
    expect((await inbound.threads.get(inbox.inboxId, thread_id ?? '')).id).toBe(threadId);
  });

  test('go to each only once, even to a sender with a copy', async () => {
    const { inbound, inbox, receive, emulator } = setUp();
    const { messageId } = receive({ cc: ['Ann <ANN@example.org>', 'cy@example.org', inbox.address] });
    const { message_ids } = await inbound.messages.replyAll(inbox.inboxId, messageId, { text: 'x' });
    expect(message_ids).toHaveLength(2);
    expect(emulator.messages().map(({ to }) => to)).toEqual(['ann@example.org', 'cy@example.org']);
  });

  test('their attachments are not also written as JSON by themselves: bytes become ten times as large there', async () => {
    const { inbound, inbox, receive } = setUp();
    const { messageId } = receive();
    const toJSON = () => {
      throw new Error('written as JSON');
    };
    const content = Object.assign(new Uint8Array([1, 2, 3]), { toJSON });
    const attachments = [{ filename: 'bytes', content }];
    const { message_ids } = await inbound.messages.reply(inbox.inboxId, messageId, {
      text: 'x',
      attachments,
    });
    expect(message_ids).toHaveLength(1);
  });

  test('have attachments as emails do: bytes and streams are encoded', async () => {
    const { inbound, inbox, receive, emulator } = setUp();
    const { messageId } = receive(question);
    const contents = [
      btoa('text'),
      new TextEncoder().encode('text'),
      new Blob(['text']),
      new Blob(['text']).stream(),
    ];
    const attachments = contents.map((content, index) => ({ filename: `${index}.txt`, content }));
    await inbound.messages.reply(inbox.inboxId, messageId, { text: 'x', attachments });
    const received = emulator
      .messages()
      .at(-1)
      ?.attachments.map(({ content }) => content);
    expect(received).toEqual(contents.map(() => btoa('text')));
  });

  test('are never sent again when their outcome is unknown', async () => {
    for (const method of ['reply', 'replyAll', 'forward'] as const) {
      for (const turn of [failure(new TypeError('terminated')), json(503, {}), json(200, {})]) {
        const { fetch, sent } = scriptedFetch(turn);
        const { client, time } = virtualClient({ fetch });
        const params = { to: [{ email: 'a@b.c' }], text: 'x' };
        const call = client.inbound.messages[method](1, long, params);
        await expect(throughItsWaits(time, call)).rejects.toMatchObject({ effect: 'unknown' });
        expect(sent).toHaveLength(1);
      }
    }
    const { client, time } = virtualClient({ fetch: scriptedFetch(failure(new TypeError('x'))).fetch });
    const error = await rejection(
      throughItsWaits(time, client.inbound.messages.reply(1, long, { text: 'x' })),
      ConnectionError,
    );
    expect(error.request).toMatchObject({ operation: 'inbound.messages.reply', attempts: 1 });
  });

  test.each<[string, object, string]>([
    ['a subject', { subject: 'x', text: 'x' }, 'subject: is not a known field'],
    ['a line break in a header', { headers: { 'X-A': 'a\r\nBcc: b@c.d' } }, 'headers.X-A: must not contain'],
    ['an address that is none', { cc: [{ name: 'x' }] }, 'cc[0].email: is required'],
    [
      'a file that is none',
      { attachments: [{ filename: 'a', content: 5 }] },
      'attachments[0].content: must be',
    ],
  ])('are refused before a request with %s', async (_, params, message) => {
    const { client } = virtualClient({ fetch: scriptedFetch(json(201, { message_ids: ['1'] })).fetch });
    const { messages } = client.inbound;
    const error = await rejection(
      messages.reply(1, long, params as EmailPlatform.InboundReplyParams),
      InvalidRequestError,
    );
    expect(error.message).toContain(`inbound.messages.reply was not sent: ${message}`);
  });

  test('take addresses as sending does: as text or objects, one or a list', async () => {
    const { inbound, inbox, receive, emulator, addOwn } = setUp();
    const { messageId } = receive(question);
    for (const method of ['reply', 'replyAll', 'forward'] as const) {
      await inbound.messages[method](inbox.inboxId, messageId, {
        to: 'Ann <ann@example.org>',
        cc: { email: 'cy@example.org' },
        bcc: ['dee@example.org', { email: 'eve@example.org' }],
        reply_to: 'Help <help@example.com>',
        text: 'x',
      });
      const people = emulator.messages().slice(-4);
      expect(people.map(({ to, field }) => `${field} ${to}`)).toEqual([
        'to ann@example.org',
        'cc cy@example.org',
        'bcc dee@example.org',
        'bcc eve@example.org',
      ]);
    }
    const reply = (to: string) => inbound.messages.reply(inbox.inboxId, messageId, { to, text: 'x' });
    const { issues } = await rejection(reply('a@b.c, d@e.f'), InvalidRequestError);
    expect(issues).toEqual([{ path: 'to', message: 'must be one address: for several, pass an array' }]);
    await rejection(reply('nobody'), ValidationError);
    const own = await addOwn();
    const [received] = emulator.inbound.receive({ to: `help@${own.domain}`, from: 'ann@example.org' });
    const from = 'Help <help@mail.example.com>';
    await inbound.messages.reply(own.id, received?.messageId ?? '', { from, text: 'x' });
    expect(emulator.messages().at(-1)?.from).toBe('help@mail.example.com');
  });

  test('a forward is refused without anybody to forward it to', async () => {
    const { client } = virtualClient({ fetch: scriptedFetch(json(201, { message_ids: ['1'] })).fetch });
    for (const to of [undefined, null, [], 7]) {
      const call = client.inbound.messages.forward(1, long, {
        to,
      } as unknown as EmailPlatform.InboundForwardParams);
      expect((await rejection(call, InvalidRequestError)).issues[0]?.path).toBe('to');
    }
  });

  test("have a sender only if the inbox is at the account's own domain", async () => {
    const { inbound, inbox, receive, emulator, addOwn } = setUp();
    const { messageId } = receive(question);
    const from = { email: 'help@mail.example.com' };
    const refused = inbound.messages.reply(inbox.inboxId, messageId, { from, text: 'x' });
    expect((await rejection(refused, ValidationError)).fieldErrors.from).toEqual([
      'is not allowed for a hosted inbox',
    ]);
    const own = await addOwn();
    const [received] = emulator.inbound.receive({ to: `help@${own.domain}`, from: 'ann@example.org' });
    const reply = (params: EmailPlatform.InboundReplyParams) =>
      inbound.messages.reply(own.id, received?.messageId ?? '', params);
    expect((await rejection(reply({ text: 'x' }), ValidationError)).fieldErrors.from).toEqual([
      "can't be blank",
    ]);
    await reply({ from, text: 'x' });
    expect(emulator.messages().at(-1)).toMatchObject({ from: from.email, to: 'ann@example.org' });
  });
});

describe('Threads', () => {
  test('join what answers one another: messages, and emails in the log', async () => {
    const { client, inbound, inbox, receive, emulator } = setUp();
    const { message_ids } = await client.sending.send({
      from: { email: 'hello@mail.example.com' },
      to: [{ email: 'ann@example.org' }],
      subject: 'Your order',
      text: 'On its way',
    });
    const id = message_ids[0] ?? '';
    const { rfc_message_id, thread_id } = await client.emailLogs.get(id);
    expect(thread_id).toBeNull();
    const { threadId, messageId } = receive({ subject: 'Re: Your order', in_reply_to: rfc_message_id ?? '' });
    expect((await client.emailLogs.get(id)).thread_id).toBe(threadId);
    const { rfc_message_id: answered } = await inbound.messages.get(inbox.inboxId, messageId);
    expect(receive({ references: [answered ?? ''] }).threadId).toBe(threadId);
    expect(receive().threadId).not.toBe(threadId);
    const thread = await inbound.threads.get(inbox.inboxId, threadId);
    expect(thread.messages.map(({ direction }) => direction)).toEqual(['outbound', 'inbound', 'inbound']);
    expect(await inbound.threads.list(inbox.inboxId).toArray()).toHaveLength(2);
    await inbound.threads.delete(inbox.inboxId, threadId);
    await rejection(inbound.threads.get(inbox.inboxId, threadId), NotFoundError);
    expect(await inbound.messages.list(inbox.inboxId).toArray()).toHaveLength(1);
    expect(emulator.messages()).toHaveLength(1);
  });

  test('show bulk email as its recipient got it, with the link to unsubscribe', async () => {
    const { client, inbound, inbox, receive, emulator } = setUp();
    const mail = {
      from: 'hello@mail.example.com',
      to: 'ann@example.org',
      subject: 'News',
      text: 'Leave: __unsubscribe_url__',
      html: '<a href="__unsubscribe_url__">Leave</a>',
    };
    const { message_ids } = await client.sending.send(mail, { stream: 'bulk' });
    const { rfc_message_id } = await client.emailLogs.get(message_ids[0] ?? '');
    const { threadId } = receive({ in_reply_to: rfc_message_id ?? '' });
    const [sent] = emulator.messages();
    expect(sent?.text).toMatch(/^Leave: https:/);
    const { messages } = await inbound.threads.get(inbox.inboxId, threadId);
    expect(messages[0]).toMatchObject({ text_body: sent?.text, html_body: sent?.html });
  });
});

describe('Threads are searched', () => {
  test('by subject and by people, a page at a time', async () => {
    const { inbound, inbox, receive, emulator } = setUp(2);
    const orders = ['Order 1', 'ORDER 2', 'Your order 3'].map((subject) => receive({ subject }).threadId);
    const others = [receive({ from: 'order@example.net', subject: 'Hi' }), receive({ subject: 'Hello' })];
    const before = emulator.requests.length;
    const found = await inbound.threads.list(inbox.inboxId, { search: 'order' }).toArray();
    expect(found.map(({ id }) => id)).toEqual([others[0]?.threadId, ...orders.reverse()]);
    const queries = emulator.requests.slice(before).map(({ query }) => query);
    expect(queries).toEqual(['?search=order', `?search=order&last_id=${found[1]?.id}`]);
    const page = await inbound.threads.list(inbox.inboxId, { search: 'order', last_id: found[1]?.id });
    expect(page).toMatchObject({ total_count: 4, items: found.slice(2) });
    expect(await inbound.threads.list(inbox.inboxId, { search: 'oRDER' }).toArray()).toEqual(found);
    expect(await inbound.threads.list(inbox.inboxId, { search: 'nothing' }).toArray()).toEqual([]);
  });

  test('by 256 characters at most: more are refused before a request', async () => {
    const { inbound, inbox, emulator } = setUp();
    const search = (text: unknown) => inbound.threads.list(inbox.inboxId, { search: text as string });
    expect(await search('😀'.repeat(256)).toArray()).toEqual([]);
    const before = emulator.requests.length;
    const { issues } = await rejection(Promise.resolve(search('x'.repeat(257))), InvalidRequestError);
    expect(issues).toEqual([{ path: 'search', message: 'must be at most 256 characters' }]);
    await rejection(Promise.resolve(search(7)), InvalidRequestError);
    const messages = inbound.messages.list(inbox.inboxId, { search: 'x' } as never);
    await rejection(Promise.resolve(messages), InvalidRequestError);
    expect(emulator.requests).toHaveLength(before);
  });
});

test('A thread has the status of each message', async () => {
  const { client, inbound, inbox, receive, emulator } = setUp();
  const destinations = [{ email: 'books@example.com' }];
  await inbound.forwardRules.create(inbox.inboxId, { name: 'All', conditions: [], destinations });
  const { messageId, threadId } = receive({ subject: 'Help' });
  const to = ['quiet@example.org', 'bounce@example.org', 'stuck@example.org'];
  const { message_ids } = await inbound.messages.reply(inbox.inboxId, messageId, { to, text: 'x' });
  const again = await inbound.messages.reply(inbox.inboxId, messageId, { text: 'x' });
  const sentAt = new Date(emulator.clock.now()).toISOString();
  emulator.clock.advance(1000);
  const at = new Date(emulator.clock.now()).toISOString();
  const [received, copy, ...sent] = (await inbound.threads.get(inbox.inboxId, threadId)).messages;

  expect(received?.forwards).toMatchObject([{ destination: 'books@example.com', status: 'forwarded' }]);
  expect(received?.forwards).toEqual((await inbound.messages.get(inbox.inboxId, messageId)).forwards);
  expect(received).toMatchObject({ message_group_id: null });
  expect(received).not.toHaveProperty('delivery');
  expect(copy).toMatchObject({
    direction: 'outbound',
    id: received?.forwards?.[0]?.message_id,
    delivery: { to: 'books@example.com', status: 'delivered' },
  });

  expect(sent.slice(0, 3).map(({ delivery }) => delivery)).toEqual([
    { to: to[0], status: 'delivered', delivered_at: at, bounced_at: null },
    { to: to[1], status: 'not_delivered', delivered_at: null, bounced_at: at },
    { to: to[2], status: 'enqueued', delivered_at: null, bounced_at: null },
  ]);
  for (const { delivery, delivery_status, delivered_at, bounced_at, created_at } of sent) {
    // The older form of the same is still there.
    expect({ status: delivery_status, delivered_at, bounced_at }).toEqual({
      status: delivery?.status,
      delivered_at: delivery?.delivered_at,
      bounced_at: delivery?.bounced_at,
    });
    expect(created_at).toBe(sentAt);
  }
  // One email is a group, however many recipients it has.
  const groups = sent.map(({ message_group_id }) => message_group_id);
  expect(new Set(groups.slice(0, 3)).size).toBe(1);
  expect(new Set(groups).size).toBe(2);
  expect(sent.map(({ id }) => id)).toEqual([...message_ids, ...again.message_ids]);
  await client.inbound.messages.delete(inbox.inboxId, messageId);
  expect((await inbound.threads.get(inbox.inboxId, threadId)).messages[0]).toEqual({
    visibility_status: 'placeholder',
    direction: 'inbound',
  });
});

test('An email in a thread that was deleted is in none, and its answer begins a new one', async () => {
  const { client, inbound, inbox, receive } = setUp();
  const { messageId, threadId } = receive();
  const { message_ids } = await inbound.messages.reply(inbox.inboxId, messageId, { text: 'x' });
  const sent = () => client.emailLogs.get(message_ids[0] ?? '');
  expect((await sent()).thread_id).toBe(threadId);
  await inbound.threads.delete(inbox.inboxId, threadId);
  expect((await sent()).thread_id).toBeNull();
  const again = receive({ in_reply_to: (await sent()).rfc_message_id ?? '' });
  expect((await sent()).thread_id).toBe(again.threadId);
  expect((await inbound.threads.get(inbox.inboxId, again.threadId)).messages).toHaveLength(2);
});

describe('Forward rules', () => {
  test('forward what meets all their conditions, and the message says so', async () => {
    const { inbound, inbox, receive, emulator } = setUp();
    const { inboxId } = inbox;
    const rule = await inbound.forwardRules.create(inboxId, {
      name: 'Invoices',
      conditions: [
        { match_type: 'sender', operator: 'ends_with', value: '@EXAMPLE.org' },
        { match_type: 'header', operator: 'contains', value: 'invoice', header_key: 'X-Kind' },
      ],
      destinations: [{ email: 'books@example.com' }, { email: inbox.address }],
    });
    expect(await inbound.forwardRules.get(inboxId, rule.id)).toEqual(rule);
    expect(await inbound.forwardRules.list(inboxId).toArray()).toEqual([rule]);
    const forwards = async (more: object) => {
      const { messageId } = receive(more);
      return (await inbound.messages.get(inboxId, messageId)).forwards;
    };
    const headers = { 'x-kind': 'An Invoice' };
    expect(await forwards({})).toEqual([]);
    expect(await forwards({ headers, from: 'ann@example.net' })).toEqual([]);
    const [done, itself] = (await forwards({ headers, text: 'Total: 5' })) ?? [];
    expect(done).toMatchObject({ rule_id: rule.id, destination: 'books@example.com', status: 'forwarded' });
    expect(itself).toMatchObject({ status: 'rejected', message_id: null });
    expect(emulator.messages()).toMatchObject([
      { id: done?.message_id, to: 'books@example.com', text: 'Total: 5' },
    ]);

    const destinations = [{ email: 'other@example.com' }];
    const changed = await inbound.forwardRules.update(inboxId, rule.id, { conditions: [], destinations });
    expect(changed).toMatchObject({ name: 'Invoices', conditions: [], destinations });
    expect(await forwards({})).toHaveLength(1);
    await inbound.forwardRules.delete(inboxId, rule.id);
    expect(await forwards({})).toEqual([]);
    await rejection(inbound.forwardRules.get(inboxId, rule.id), NotFoundError);
  });

  test.each<[string, object, string | undefined]>([
    ['equal', { match_type: 'recipient', operator: 'equal' }, 'cy@example.org'],
    ['not_equal', { match_type: 'recipient', operator: 'not_equal' }, 'dee@example.org'],
    ['starts_with', { match_type: 'sender', operator: 'starts_with' }, 'ann@'],
    ['not_empty', { match_type: 'header', operator: 'not_empty', header_key: 'X-A' }, undefined],
    ['empty', { match_type: 'header', operator: 'empty', header_key: 'X-B' }, undefined],
  ])('compare with %s', async (_, condition, value) => {
    const { inbound, inbox, receive } = setUp();
    const create = (other: string | undefined) =>
      inbound.forwardRules.create(inbox.inboxId, {
        name: 'x',
        conditions: [{ ...condition, value: other } as never],
        destinations: [{ email: 'books@example.com' }],
      });
    await create(value);
    if (value !== undefined) await create(value === 'dee@example.org' ? 'cy@example.org' : 'nobody');
    const { messageId } = receive({ cc: ['cy@example.org'], headers: { 'X-A': '1' } });
    expect((await inbound.messages.get(inbox.inboxId, messageId)).forwards).toHaveLength(1);
  });

  test('send one copy to an address that several of them name', async () => {
    const { inbound, inbox, receive, emulator } = setUp();
    const add = (name: string, ...emails: string[]) =>
      inbound.forwardRules.create(inbox.inboxId, { name, destinations: emails.map((email) => ({ email })) });
    const first = await add('First', 'books@example.com', 'BOOKS@example.com');
    const second = await add('Second', 'Books@Example.com', 'dee@example.com');
    const { messageId } = receive();
    expect(emulator.messages().map(({ to }) => to)).toEqual(['books@example.com', 'dee@example.com']);
    expect((await inbound.messages.get(inbox.inboxId, messageId)).forwards).toMatchObject([
      { rule_id: first.id, destination: 'books@example.com' },
      { rule_id: second.id, destination: 'dee@example.com' },
    ]);
    receive();
    expect(emulator.messages()).toHaveLength(4);
  });

  test('send copies that are messages of the thread', async () => {
    const { inbound, inbox, receive, emulator } = setUp();
    await inbound.forwardRules.create(inbox.inboxId, {
      name: 'All',
      destinations: [{ email: 'books@example.com' }],
    });
    const { threadId, messageId } = receive();
    const { messages } = await inbound.threads.get(inbox.inboxId, threadId);
    expect(messages.map(({ direction }) => direction)).toEqual(['inbound', 'outbound']);
    const [forward] = (await inbound.messages.get(inbox.inboxId, messageId)).forwards ?? [];
    expect(forward?.message_id).toBe(emulator.messages()[0]?.id);
  });

  test.each(['sender', 'recipient'])('look for nothing only in headers, not at a %s', async (match_type) => {
    const { inbound, inbox } = setUp();
    for (const operator of ['empty', 'not_empty']) {
      const conditions = [{ match_type, operator }] as never;
      const rule = { name: 'x', conditions, destinations: [{ email: 'books@example.com' }] };
      const error = await rejection(inbound.forwardRules.create(inbox.inboxId, rule), ValidationError);
      expect(error.fieldErrors).toEqual({ conditions: ['is invalid'] });
    }
  });

  test('are refused when something is wrong with them', async () => {
    const { inbound, inbox } = setUp();
    const create = (params: object) => inbound.forwardRules.create(inbox.inboxId, params as never);
    await rejection(create({ destinations: [] }), InvalidRequestError);
    await rejection(create({ name: 'x', conditions: [{ operator: 'equal' }] }), InvalidRequestError);
    await rejection(inbound.forwardRules.update(inbox.inboxId, 1, {}), InvalidRequestError);
    const conditions = [{ match_type: 'weather', operator: 'equal', value: 'fine' }];
    const { fieldErrors } = await rejection(create({ name: 'x', conditions }), ValidationError);
    expect(fieldErrors).toEqual({ conditions: ['is invalid'], destinations: ["can't be blank"] });
  });
});
