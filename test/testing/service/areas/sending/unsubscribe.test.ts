import { EmailPlatform, oneClickUnsubscribe } from 'email-platform';
import { connectEmulator, createEmulator, type Emulator } from 'email-platform/testing';
import { readOneClick } from 'email-platform/webhooks';
import { afterEach, describe, expect, test } from 'vitest';
import { still } from '../../../tools/wire.ts';

const servers: Emulator.Server[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const MAIL = {
  from: 'news@mail.example.com',
  to: 'ann@example.org',
  subject: 'News <b onmouseover="alert(1)">&amp; \'more\'</b>',
  html: '<a href="__unsubscribe_url__">Leave</a>',
};

async function sent(
  emulator: Emulator = still(),
  stream: 'bulk' | 'transactional' = 'bulk',
  changes: Partial<typeof MAIL> = {},
) {
  const client = new EmailPlatform({ ...emulator.clientOptions(), retry: false });
  const send = (more: Partial<typeof MAIL> = {}) =>
    client.sending.send({ ...MAIL, ...changes, ...more }, { stream });
  await send();
  emulator.clock.advance(1000);
  const message = emulator.messages().at(-1);
  if (message === undefined) throw new Error('No email was sent');
  const link = message.links[0]?.url ?? '';
  return { emulator, client, send, message, link };
}

const oneClick = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) };

/** The ways in which a reader unsubscribes. */
const WAYS: readonly [name: string, unsubscribe: (given: Awaited<ReturnType<typeof sent>>) => unknown][] = [
  ['the link, in memory', ({ emulator, link }) => emulator.fetch(link, oneClick)],
  ['the control', ({ emulator, message }) => emulator.unsubscribe(message)],
  ['the control, with an id', ({ emulator, message }) => emulator.unsubscribe(message.id)],
];

describe('A person who unsubscribes gets no more email of the stream and the domain', () => {
  test.each(WAYS)('%s', async (_, unsubscribe) => {
    const given = await sent();
    const { emulator, client, send, message } = given;
    await client.contacts.create({ email: 'ann@example.org' });
    await unsubscribe(given);
    // A repetition changes nothing.
    await unsubscribe(given);
    expect((await client.suppressions.list()).items).toMatchObject([
      {
        email: 'ann@example.org',
        type: 'unsubscription',
        sending_stream: 'bulk',
        message_subject: MAIL.subject,
      },
    ]);
    expect(await client.contacts.get('ann@example.org')).toMatchObject({ status: 'unsubscribed' });
    const { events } = await client.emailLogs.get(message.id);
    expect(events.map(({ event_type: type }) => type)).toEqual(['delivery', 'unsubscribe']);
    await send({ subject: 'More' });
    await client.sending.send({ ...MAIL, subject: 'Receipt' });
    emulator.clock.advance(1000);
    expect(emulator.messages({ to: 'ann@example.org' }).map(({ subject }) => subject)).toEqual([
      MAIL.subject,
      'Receipt',
    ]);
    const { items } = await client.emailLogs.list({
      filters: { subject: { operator: 'ci_equal', value: 'More' } },
    });
    expect(items).toMatchObject([{ status: 'not_delivered' }]);
    // Not listed any more, she gets email again, and may unsubscribe again.
    const [{ id } = { id: '' }] = (await client.suppressions.list()).items;
    await client.suppressions.delete(id);
    await send({ subject: 'Again' });
    expect(emulator.messages().at(-1)?.subject).toBe('Again');
    await unsubscribe({ ...given, message: emulator.messages().at(-1) ?? message });
    expect((await client.suppressions.list()).items).toHaveLength(1);
  });

  test('on the transactional stream, the link stops that stream only', async () => {
    const { emulator, link, send, client } = await sent(still(), 'transactional');
    await emulator.fetch(link, oneClick);
    await send();
    await client.sending.send(MAIL, { stream: 'bulk' });
    expect(emulator.messages().map(({ stream }) => stream)).toEqual(['transactional', 'bulk']);
  });

  test.each(['unsubscribe', 'spam'])(
    '%s@… plays it: the next email is rejected; with another tag it is not',
    async (name) => {
      const { emulator, send } = await sent(still(), 'bulk', { to: `${name}@example.org` });
      await send();
      emulator.clock.advance(120_000);
      await send({ subject: 'Too late' });
      await send({ subject: 'Other', to: `${name}+7@example.org` });
      expect(emulator.messages().map(({ subject }) => subject)).toEqual([
        MAIL.subject,
        MAIL.subject,
        'Other',
      ]);
    },
  );

  test.each([
    [undefined, 'undefined'],
    [7, '7'],
    [{}, 'an object'],
    [{ id: 7 }, 'an object'],
  ])('the control refuses %j', async (message, shown) => {
    const call = still().unsubscribe(message as never);
    await expect(call).rejects.toThrow(
      new TypeError(`\`message\` must be an email, or its id, not ${shown}`),
    );
  });

  test('the control refuses an email that was captured, or is unknown', async () => {
    const { emulator, client } = await sent();
    await client.sending.send(MAIL, { stream: 'sandbox' });
    await expect(emulator.unsubscribe(emulator.messages().at(-1) ?? '')).rejects.toThrow(RangeError);
    await expect(emulator.unsubscribe('x')).rejects.toThrow('No email with the id x was sent');
  });
});

describe('An email with its own address for one click', () => {
  const headers = oneClickUnsubscribe('https://shop.example.com/u?token=7f3a');

  async function receiving(status: number, given: Record<string, string> = headers) {
    const posts: Request[] = [];
    const receive = (request: Request) => {
      posts.push(request);
      return new Response(null, { status });
    };
    const emulator = createEmulator({ webhooks: { receive } });
    const client = new EmailPlatform(emulator.clientOptions());
    await client.sending.send({ ...MAIL, headers: given }, { stream: 'bulk' });
    const [message] = emulator.messages();
    return { posts, client, unsubscribe: () => emulator.unsubscribe(message ?? '') };
  }

  test('gets the POST of a provider, and the service does nothing', async () => {
    const { posts, client, unsubscribe } = await receiving(200);
    await unsubscribe();
    expect(posts.map(({ url, method }) => [method, url])).toEqual([
      ['POST', 'https://shop.example.com/u?token=7f3a'],
    ]);
    expect(await readOneClick(posts[0] ?? new Request(headers['List-Unsubscribe'].slice(1, -1)))).toBe(true);
    expect((await client.suppressions.list()).items).toEqual([]);
  });

  test('that refuses the POST is an error without its token', async () => {
    const { unsubscribe } = await receiving(404);
    await expect(unsubscribe()).rejects.toThrow(
      'https://shop.example.com/u refused the one-click POST with status 404',
    );
  });

  test.each([
    [{ 'List-Unsubscribe': headers['List-Unsubscribe'] }],
    [{ ...headers, 'List-Unsubscribe': '<mailto:stop@shop.example.com>' }],
  ])('that is incomplete gets no POST: %j', async (given) => {
    const { posts, client, unsubscribe } = await receiving(200, given);
    await unsubscribe();
    expect(posts).toEqual([]);
    expect((await client.suppressions.list()).items).toHaveLength(1);
  });
});

describe('On a port', () => {
  async function listening() {
    const emulator = still();
    const server = await emulator.listen({ control: true });
    servers.push(server);
    return { ...(await sent(emulator)), server };
  }

  test('the link leads to a page with one button, which needs no session and no script', async () => {
    const { client, link, server } = await listening();
    expect(link.startsWith(`${server.url}/reader/unsubscribe/`)).toBe(true);
    const page = await fetch(link);
    const html = await page.text();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(html.match(/<button/g)).toHaveLength(1);
    expect(html).not.toMatch(/<script|<b o/);
    expect(html).toContain('News &lt;b onmouseover=&quot;alert(1)&quot;&gt;&amp;amp; &#x27;more&#x27;');
    // Mail programs open links in advance.
    expect((await fetch(link, { method: 'HEAD' })).status).toBe(200);
    expect((await client.suppressions.list()).items).toEqual([]);
    expect((await fetch(link, { method: 'PUT' })).status).toBe(405);
    const done = await fetch(link, oneClick);
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('You are unsubscribed')]);
    expect((await client.suppressions.list()).items).toHaveLength(1);
  });

  test('the same link works in memory, and a client in memory finds it', async () => {
    const { emulator, link, client } = await listening();
    expect((await emulator.fetch(link, oneClick)).status).toBe(200);
    expect((await client.suppressions.list()).items).toHaveLength(1);
  });

  test('a changed link, and a link from before a reset, change nothing', async () => {
    const { emulator, link, client } = await listening();
    const other = link.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    const others = [other, link.replace('unsubscribe', 'tracking-opt-out'), link.slice(0, -1), `${link}/x`];
    for (const one of others) expect((await fetch(one, oneClick)).status).toBe(404);
    emulator.reset();
    await client.sending.send({ ...MAIL, to: 'ben@example.org' }, { stream: 'bulk' });
    expect((await fetch(link, oneClick)).status).toBe(404);
    expect((await client.suppressions.list()).items).toEqual([]);
  });

  test('another process unsubscribes with the same call', async () => {
    const { server, client } = await listening();
    const { url = '', token = '' } = server.control ?? {};
    const connected = connectEmulator(url, { controlToken: token });
    const [message] = await connected.messages();
    await connected.unsubscribe(message ?? '');
    expect((await client.suppressions.list()).items).toHaveLength(1);
    await expect(connected.unsubscribe('x')).rejects.toThrow(
      new RangeError('No email with the id x was sent'),
    );
  });
});
