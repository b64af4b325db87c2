import { EmailPlatform } from 'email-platform';
import { connectEmulator, createEmulator, mailbox, type MailboxClient } from 'email-platform/testing';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Outbox } from '../../../src/testing/service/state/emails/outbox.ts';
import { inProcess, onInbox, overPort, PLACES } from '../reading/places.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe.each(PLACES)('A mailbox on %s', (_, made) => {
  test('gives an email with everything in it', async () => {
    const { box, send } = await made();
    await send({
      cc: ['bo@example.org'],
      subject: 'Confirm your address ✓',
      text: 'Your code is 123456.',
      html: '<p>Your code is <b>123456</b>.</p><a href="https://shop.example.com/?a=1&amp;b=2">Confirm</a>',
      headers: { 'X-Order': '7' },
      attachments: [{ filename: 'a.txt', content: btoa('hello'), type: 'text/plain' }],
    });
    const mail = await box.waitFor({ to: 'ANN@example.org' });
    expect(mail).toMatchObject({
      from: 'hello@mail.example.com',
      to: ['ann@example.org'],
      cc: ['bo@example.org'],
      subject: 'Confirm your address ✓',
      text: 'Your code is 123456.',
      html: '<p>Your code is <b>123456</b>.</p><a href="https://shop.example.com/?a=1&amp;b=2">Confirm</a>',
      links: [{ url: 'https://shop.example.com/?a=1&b=2', text: 'Confirm' }],
    });
    expect(mail.id).toMatch(/./);
    expect(Math.abs(Date.now() - mail.date.getTime())).toBeLessThan(600_000);
    expect(mail.headers).toMatchObject({ 'x-order': '7', to: 'ann@example.org', cc: 'bo@example.org' });
    expect(mail.attachments.map(({ filename, type }) => [filename, type])).toEqual([['a.txt', 'text/plain']]);
    expect(new TextDecoder().decode(mail.attachments[0]?.content)).toBe('hello');
    expect(mail.link('confirm')).toBe('https://shop.example.com/?a=1&b=2');
    expect(mail.code()).toBe('123456');
    expect(() => mail.link('x')).toThrow('The email "Confirm your address ✓" to ann@example.org has no link');
  });

  test('waits for one, and gives each once, the oldest first', async () => {
    const { box, send } = await made();
    await send({ subject: 'First' });
    await send({ subject: 'Second' });
    expect((await box.waitFor({ to: 'ann@example.org' })).subject).toBe('First');
    expect((await box.waitFor()).subject).toBe('Second');
    const third = box.waitFor();
    await send({ subject: 'Third' });
    expect((await third).subject).toBe('Third');
  });

  test('tells emails apart by recipient, sender, subject and time', async () => {
    const { box, emulator, send } = await made();
    await send({ subject: 'Welcome' });
    await send({ subject: 'Confirm your address' });
    await send({ to: 'bo@example.org', from: 'shop@mail.example.com' });
    const pattern = /confirm/giy;
    pattern.lastIndex = 5;
    expect((await box.waitFor({ subject: pattern })).subject).toBe('Confirm your address');
    expect((await box.waitFor({ from: 'SHOP@mail.example.com' })).to).toEqual(['bo@example.org']);
    expect((await box.waitFor({ subject: ' welcome\u00a0' })).subject).toBe('Welcome');
    const later = emulator.clock.now() + 60_000;
    emulator.clock.advance(120_000);
    await send({ subject: 'Late' });
    expect((await box.waitFor({ after: later })).subject).toBe('Late');
    await send({ subject: 'Later' });
    expect((await box.waitFor({ after: new Date(later) })).subject).toBe('Later');
    const exactly = later + 3_600_000;
    emulator.clock.pause();
    emulator.clock.set(exactly - (exactly % 1_000));
    await send({ subject: 'On time' });
    expect((await box.waitFor({ after: emulator.clock.now() })).subject).toBe('On time');
  });

  test('gives twenty at once to those they are for', async () => {
    const { box, send } = await made();
    const addresses = Array.from({ length: 20 }, (__, index) => box.address(`user${index}`));
    const waiting = addresses.map((to) => box.waitFor({ to, timeoutMs: 60_000 }));
    await Promise.all(addresses.map((to) => send({ to, text: `Your code is ${to.slice(4, 6)}` })));
    expect((await Promise.all(waiting)).map(({ to }) => to)).toEqual(addresses.map((to) => [to]));
  });

  test('gives twenty that are alike to twenty that wait, each one', async () => {
    const { box, send } = await made();
    const waiting = Array.from({ length: 20 }, () =>
      box.waitFor({ to: 'ann@example.org', timeoutMs: 60_000 }),
    );
    for (let index = 0; index < 20; index += 1) await send({ subject: String(index) });
    const subjects = (await Promise.all(waiting)).map(({ subject }) => Number(subject));
    expect(subjects.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (__, index) => index));
  });

  test('says what came instead of an email', async () => {
    const { box, send } = await made();
    await expect(box.waitFor({ to: 'cy@example.org', timeoutMs: 10 })).rejects.toThrow(
      /^No email to cy@example\.org came to the .+ within 10 ms\. It has no email at all/,
    );
    await send({ subject: 'Welcome' });
    await box.waitFor();
    await send({ to: 'bo@example.org', subject: 'Hello' });
    await box.none({ to: 'dan@example.org', withinMs: 0 });
    await expect(box.waitFor({ to: 'ann@example.org', subject: /confirm/i, timeoutMs: 10 })).rejects.toThrow(
      /^No email to ann@example\.org with the subject \/confirm\/i came to the .+ within 10 ms\. It has these: "Welcome" to ann@example\.org from hello@mail\.example\.com \(\d{4}-[^)]+Z\), which an earlier wait returned; "Hello" to bo@example\.org/,
    );
  });

  test('says that it compares the whole subject', async () => {
    const { box, send } = await made();
    await send({ subject: 'Welcome to the garden' });
    await expect(box.waitFor({ subject: 'Welcome', timeoutMs: 10 })).rejects.toThrow(
      /^No email with the whole subject "Welcome" came to .+ It has these: "Welcome to the garden" to /,
    );
  });

  test('says that none came, or which did', async () => {
    const { box, another, send } = await made();
    await box.none({ to: 'ann@example.org', withinMs: 0 });
    await send({ subject: 'Welcome' });
    await expect(box.none({ to: 'ann@example.org', withinMs: 0 })).rejects.toThrow(
      /^An email to ann@example\.org came to the .+: "Welcome" to ann@example\.org/,
    );
    await box.none({ to: 'bo@example.org', withinMs: 0 });
    await box.waitFor({ to: 'ann@example.org' });
    await box.none({ to: 'ann@example.org', withinMs: 0 });
    await expect(another().none({ withinMs: 0 })).rejects.toThrow('An email came to');
    const refuted = expect(box.none({ to: 'ann@example.org', withinMs: 60_000 })).rejects.toThrow('"Again"');
    await send({ subject: 'Again' });
    await refuted;
  });

  test('sees what comes after a reset', async () => {
    const { box, emulator, send } = await made();
    await send({ subject: 'Before' });
    expect((await box.waitFor()).subject).toBe('Before');
    emulator.reset();
    const waiting = box.waitFor();
    await send({ subject: 'After' });
    expect((await waiting).subject).toBe('After');
  });

  test('ends a wait with its signal', async () => {
    const { box } = await made();
    const controller = new AbortController();
    const waiting = box.waitFor({ signal: controller.signal, timeoutMs: 60_000 });
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(box.none({ signal: controller.signal, withinMs: 60_000 })).rejects.toThrow('enough');
  });

  test('keeps to real time, whatever timers a test has replaced', async () => {
    const { box, send } = await made();
    vi.useFakeTimers();
    await expect(box.waitFor({ timeoutMs: 20 })).rejects.toThrow('within 20 ms');
    const waiting = box.waitFor();
    await send();
    expect((await waiting).subject).toBe('Hello');
  });
});

describe('On an emulator', () => {
  test('a wait looks at each email once, however many came before', async () => {
    const { box, send, emulator } = inProcess();
    const looked = vi.spyOn(Outbox.prototype, 'numberOf');
    onTestFinished(() => looked.mockRestore());
    for (let count = 0; count < 100; count += 1) await send({ to: 'bo@example.org' });
    expect(emulator.messages()).toHaveLength(100);
    looked.mockClear();
    const mail = box.waitFor({ to: 'ann@example.org' });
    await send({});
    await mail;
    // Each of the hundred once, and the new one a few times.
    expect(looked.mock.calls.length).toBeGreaterThan(100);
    expect(looked.mock.calls.length).toBeLessThan(120);
  });

  test.each([
    ['in the process', inProcess],
    ['over its port', overPort],
  ] as const)('%s, an address in Bcc finds its email', async (_, made) => {
    const { box, send } = await made();
    await send({ cc: ['bo@example.org'], bcc: ['cy@example.org'] });
    const mail = await box.waitFor({ to: 'cy@example.org' });
    expect([mail.to, mail.cc]).toEqual([['ann@example.org'], ['bo@example.org']]);
    expect((await box.waitFor({ to: 'bo@example.org' })).cc).toEqual(['bo@example.org']);
  });

  test.each([
    ['in the process', inProcess],
    ['over its port', overPort],
  ] as const)('%s, an error says that a limit refused emails', async (_, made) => {
    const { box, emulator } = await made({ sandbox: { limit: { requests: 1, perMs: 60_000 } } });
    const app = new EmailPlatform({ ...emulator.clientOptions(), stream: 'sandbox', retry: false });
    const send = () =>
      app.sending.send({ from: 'a@mail.example.com', to: 'b@example.org', subject: 'x', text: 'y' });
    await send();
    await expect(send()).rejects.toThrow('429');
    await expect(box.waitFor({ to: 'c@example.org', timeoutMs: 5 })).rejects.toThrow(
      '1 request to send was refused by a limit, with 429.',
    );
  });

  test('over its port, a wait that ends leaves no request behind', async () => {
    const emulator = createEmulator();
    const server = await emulator.listen({ control: true });
    onTestFinished(() => server.close());
    const { url = '', token: controlToken = '' } = server.control ?? {};
    const signals: (AbortSignal | null | undefined)[] = [];
    const box = mailbox(
      connectEmulator(url, {
        controlToken,
        fetch: (input, init) => {
          if (new Request(input).url.includes('wait_ms=60000')) signals.push(init?.signal);
          return fetch(input, init);
        },
      }),
    );
    await expect(box.waitFor({ timeoutMs: 50 })).rejects.toThrow('No email');
    await box.none({ withinMs: 50 });
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
  });

  test('an emulator that cannot be reached is an error at once', async () => {
    const { box, emulator } = await overPort();
    const server = await emulator.listen();
    await server.close();
    const gone = mailbox(
      connectEmulator(`${server.url}/_emulator`, {
        controlToken: 'token-token-token',
      }),
    );
    await expect(gone.waitFor({ timeoutMs: 60_000 })).rejects.toThrow('cannot be reached');
    await box.none({ withinMs: 0 });
  });
});

describe('On a test inbox', () => {
  test('an error says what this client knows of the limit', async () => {
    const emulator = createEmulator({ sandbox: { limit: { requests: 1, perMs: 60_000 }, maxSize: 1 } });
    const client = new EmailPlatform({ ...emulator.clientOptions(), stream: 'sandbox', retry: false });
    const send = () =>
      client.sending.send({ from: 'a@mail.example.com', to: 'b@example.org', subject: 'x', text: 'y' });
    const box = mailbox(client);
    await expect(box.waitFor({ to: 'c@example.org', timeoutMs: 5 })).rejects.toThrow(
      'An inbox refuses more emails than its plan allows in 10 seconds, with a 429 that only their sender sees.',
    );
    await send();
    await expect(send()).rejects.toThrow('429');
    await expect(box.waitFor({ to: 'c@example.org', timeoutMs: 5 })).rejects.toThrow(
      'The inbox refused emails of this client by its limit, with 429. The inbox is full: it keeps the newest 1 messages.',
    );
  });

  test('a refusal of the service ends a wait at once', async () => {
    const emulator = createEmulator();
    const box = mailbox(new EmailPlatform({ ...emulator.clientOptions(), token: 'wrong' }), { inbox: 2001 });
    await expect(box.waitFor({ timeoutMs: 60_000 })).rejects.toMatchObject({ status: 401 });
    await expect(box.none({ withinMs: 60_000 })).rejects.toMatchObject({ status: 401 });
    const other = mailbox(new EmailPlatform(emulator.clientOptions()), { inbox: 9 });
    await expect(other.waitFor({ timeoutMs: 60_000 })).rejects.toMatchObject({ status: 404 });
  });

  test('a message that was deleted meanwhile is passed over', async () => {
    const { emulator, send } = onInbox();
    const client = new EmailPlatform(emulator.clientOptions());
    await send({ subject: 'Deleted' });
    await send({ subject: 'Kept' });
    const { messages, inboxes } = client.sandbox;
    const box = mailbox({
      sandboxInboxId: 2001,
      sandbox: {
        inboxes,
        messages: {
          list: (...given) => messages.list(...given),
          eml: async (inbox, id, options) => {
            const { subject } = await messages.get(inbox, id);
            if (subject === 'Deleted') await messages.delete(inbox, id);
            return messages.eml(inbox, id, options);
          },
        },
      },
    } satisfies MailboxClient);
    expect((await box.waitFor()).subject).toBe('Kept');
  });
});

test.each(PLACES)('names the senders, the recipients, and the address for replies: %s', async (_, place) => {
  const { box, send } = await place();
  const from = 'Harbour Books <shop@mail.example.com>';
  await send({ from, to: '"Lee, Ann" <ann@example.org>', reply_to: 'Help <help@example.com>' });
  const mail = await box.waitFor({ to: 'ann@example.org' });
  expect(mail).toMatchObject({
    from: 'shop@mail.example.com',
    fromName: 'Harbour Books',
    to: ['ann@example.org'],
    toNames: ['Lee, Ann'],
    cc: [],
    ccNames: [],
    reply_to: { email: 'help@example.com', name: 'Help' },
  });
  expect(mail.headers.from).toBe('Harbour Books <shop@mail.example.com>');
  expect(mail.headers['reply-to']).toBe('Help <help@example.com>');
  await send({ from: 'shop@mail.example.com', to: 'bo@example.org' });
  expect(await box.waitFor({ to: 'bo@example.org' })).toMatchObject({
    fromName: null,
    toNames: [null],
    reply_to: null,
  });
});

describe('Messages of an emulator', () => {
  const html = '<p>Code <b>123456</b></p><a href="https://a.test/?b=1&amp;c=2">Go</a>';
  const said = {
    links: [{ url: 'https://a.test/?b=1&c=2', text: 'Go' }],
    codes: [{ value: '123456', rank: 'introduced', reason: 'beside "code"' }],
  };

  test('say their links and codes, and are compared without them', async () => {
    const { emulator, send } = inProcess();
    await send({ html });
    const [message] = emulator.messages();
    expect([message?.links, message?.codes]).toEqual([said.links, said.codes]);
    expect(Object.keys(message ?? {})).not.toContain('links');
    expect(emulator.messages()[0]?.links).toBe(message?.links);
  });

  test('do so over a port, in JSON and for a connected emulator', async () => {
    const emulator = createEmulator();
    const server = await emulator.listen({ control: true });
    const { url = '', token = '' } = server.control ?? {};
    const client = new EmailPlatform({ ...emulator.clientOptions(), stream: 'sandbox' });
    const many = Array.from({ length: 200 }, (_, index) => `<b id=${index}>`).join('');
    const mail = { from: 'a@mail.example.com', to: 'b@example.org', subject: 'x' };
    await client.sending.send({ ...mail, html });
    await client.sending.send({ ...mail, html: `<p>${many}</p>${'<p>x</p>'.repeat(1_001)}` });
    for (const path of ['/messages', '/sandbox/messages']) {
      const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
      const { messages } = (await answer.json()) as { messages: unknown[] };
      expect(messages).toMatchObject([said, { links: null, codes: null }]);
    }
    const connected = connectEmulator(url, { controlToken: token });
    for (const messages of [await connected.messages(), await connected.sandbox.messages()]) {
      const [first, second] = messages;
      expect(first).toMatchObject(said);
      expect(Object.keys(first ?? {})).not.toContain('links');
      expect(() => second?.links).toThrow('more than 100000 elements');
    }
    await server.close();
  });

  test('have numbers, also after a reset, and come after one', async () => {
    const { emulator, send } = inProcess();
    await send({ subject: '1' });
    await send({ subject: '2' });
    const [, last] = emulator.messages();
    expect(emulator.messages().map(({ number }) => number)).toEqual([1, 2]);
    expect(emulator.messages({ after: 1 }).map(({ subject }) => subject)).toEqual(['2']);
    const snapshot = emulator.snapshot();
    emulator.reset();
    await send({ subject: '3' });
    expect(
      emulator.messages({ after: last?.number ?? 0 }).map(({ subject, number }) => [subject, number]),
    ).toEqual([['3', 3]]);
    emulator.restore(snapshot);
    expect(emulator.messages().map(({ number }) => number)).toEqual([4, 5]);
  });
});

describe('Wrong arguments', () => {
  const emulator = createEmulator();
  const box = mailbox(emulator);
  type Any = (...given: unknown[]) => unknown;

  test('mailbox() refuses them', () => {
    const make = mailbox as Any;
    expect(() => make({})).toThrow(
      new TypeError('`source` must be an emulator of createEmulator or connectEmulator, or a client'),
    );
    expect(() => make(null)).toThrow(TypeError);
    expect(() => make(emulator, { inbox: 1 })).toThrow(
      '`options.inbox` is unknown; the known names are domain',
    );
    expect(() => make(emulator, { domain: 'a b' })).toThrow(RangeError);
    const { sandboxInboxId: _, ...without } = emulator.clientOptions();
    expect(() => mailbox(new EmailPlatform(without))).toThrow('`options.inbox` is missing');
    expect(() => mailbox(new EmailPlatform(without), { inbox: 0 })).toThrow(RangeError);
  });

  test('its methods refuse them', async () => {
    await expect((box.waitFor as Any)({ too: 'x' })).rejects.toThrow('`wanted.too` is unknown');
    await expect(box.waitFor({ to: 'ann' })).rejects.toThrow(
      "`wanted.to` must be an email address, not 'ann'",
    );
    await expect((box.waitFor as Any)({ subject: 7 })).rejects.toThrow(
      '`wanted.subject` must be a text or a RegExp',
    );
    await expect(box.waitFor({ timeoutMs: -1 })).rejects.toThrow(RangeError);
    await expect((box.none as Any)({})).rejects.toThrow(
      '`unwanted.withinMs` must be a number of milliseconds',
    );
    expect(() => box.address('a b')).toThrow('`name` must be letters, digits, dots, dashes and underscores');
  });

  test('the methods of an email refuse them', async () => {
    const { box: other, send } = inProcess();
    await send();
    const mail = await other.waitFor();
    expect(() => (mail.link as Any)()).toThrow(TypeError);
    expect(() => (mail.code as Any)('123')).toThrow('`pattern` must be a RegExp');
  });

  test('addresses are unique', () => {
    const all = Array.from({ length: 1_000 }, () => box.address('ann'));
    expect(new Set(all).size).toBe(1_000);
    expect(all[0]).toMatch(/^ann\+[a-z\d]{12}@example\.org$/);
    expect(mailbox(emulator, { domain: 'shop.test' }).address()).toMatch(/^test\+[a-z\d]{12}@shop\.test$/);
  });
});
