import { EmailPlatform, EmailPlatformError, ResponseFormatError } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { closedPort, portWith } from '../support/sockets.ts';
import { throughItsWaits, virtualClient } from '../support/virtual-client.ts';
import { settle } from '../support/virtual-time.ts';

const hosts = { api: 'https://api.test', send: 'https://send.test' };
const mail = { from: { email: 'a@b.test' }, to: [{ email: 'a@b.test' }], subject: 's', text: 't' };

describe('A download as a stream', () => {
  /** A server that begins a body and never ends it; `closed` resolves when the client has hung up. */
  async function stalling() {
    let hangUp: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => (hangUp = resolve));
    const port = await portWith((socket) => {
      socket.on('close', hangUp);
      socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhello'));
    });
    // Only the client's time is virtual: the server is real, and may be slow.
    const { client, time } = virtualClient({ hosts });
    return { client, time, closed, url: `http://127.0.0.1:${port}/raw` };
  }
  const read = (reader: ReadableStreamDefaultReader<Uint8Array>) => reader.read();

  test('obeys the signal until its end, also without a reader, and hangs up', async () => {
    const { client, closed, url } = await stalling();
    const controller = new AbortController();
    const { signal } = controller;
    const stream = await client.emailLogs.downloadRaw(url, { as: 'stream', signal });
    const reader = stream.getReader();
    expect(Buffer.from((await read(reader)).value ?? []).toString()).toBe('hello');
    const stalled = read(reader);
    const reason = new Error('enough');
    controller.abort(reason);
    const error = await rejection(stalled, EmailPlatformError);
    expect(error).toMatchObject({ name: 'AbortError', cause: reason, effect: 'unknown' });
    expect(error.request).toMatchObject({ operation: 'emailLogs.downloadRaw', attempts: 1 });
    await closed;
  });

  test('obeys the deadline until its end', async () => {
    const { client, time, closed, url } = await stalling();
    const stream = await client.emailLogs.downloadRaw(url, { as: 'stream', deadlineMs: 150 });
    const reader = stream.getReader();
    await read(reader);
    const failed = rejection(read(reader), EmailPlatformError);
    await time.advance(150);
    const error = await failed;
    expect(error).toMatchObject({ code: 'timeout', kind: 'deadline' });
    await closed;
  });

  test('that is cut off ends in an error of this package', async () => {
    const port = await portWith((socket) => {
      socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhello'));
    });
    const client = new EmailPlatform({ token: 'token', hosts });
    const stream = await client.emailLogs.downloadRaw(`http://127.0.0.1:${port}/`, { as: 'stream' });
    const error = await rejection(new Response(stream).text(), EmailPlatformError);
    expect(error).toMatchObject({ code: 'connection_failed', request: { attempts: 1 } });
  });

  test('read to its end, cancelled, or empty leaves no timer and no listener', async () => {
    const { signal } = new AbortController();
    const listeners = new Set<unknown>();
    signal.addEventListener = (_name: string, listener: unknown) => void listeners.add(listener);
    signal.removeEventListener = (_name: string, listener: unknown) => void listeners.delete(listener);
    const bodies: EmailPlatform.Fetch[] = [
      () => Promise.resolve(new Response('hello')),
      () => Promise.resolve(new Response(null)),
    ];
    const texts: string[] = [];
    for (const fetch of bodies) {
      const { client, time } = virtualClient({ fetch, hosts });
      const download = () =>
        client.emailLogs.downloadRaw('https://a.test/raw', { as: 'stream', signal, deadlineMs: 1_000 });
      texts.push(await new Response(await download()).text());
      await (await download()).cancel();
      await settle();
      expect([time.pending, listeners.size]).toEqual([0, 0]);
    }
    expect(texts).toEqual(['hello', '']);
  });
});

describe('An input of batchAll', () => {
  const accepted: EmailPlatform.Fetch = () =>
    Promise.resolve(Response.json({ success: true, responses: [{ success: true, message_ids: ['a'] }] }));
  const never = () => new Promise<never>(() => undefined);

  test('that never closes does not hold up the end of the loop for more than five seconds', async () => {
    const { client, time } = virtualClient({ fetch: accepted, hosts });
    const mails = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ value: mail }), return: never }),
    };
    const loop = async () => {
      // One call at a time: while its outcomes are received, nothing is read.
      for await (const outcome of client.sending.batchAll(mails, { concurrency: 1 })) return outcome.status;
      return 'nothing';
    };
    await throughItsWaits(time, loop());
    expect([time.now(), time.pending]).toEqual([5_000, 0]);
  });

  test('whose base is a stream deaf to being cancelled ends when the caller aborts', async () => {
    const { client } = virtualClient({ fetch: accepted, hosts });
    const controller = new AbortController();
    const content = {
      locked: false,
      getReader: () => ({ read: never, cancel: never }),
      cancel: never,
    };
    const attachments = [{ filename: 'a', content }];
    const first = client.sending
      .batchAll([mail], { base: { attachments }, signal: controller.signal })
      .next();
    await settle();
    controller.abort();
    await expect(first).rejects.toMatchObject({ name: 'AbortError', effect: 'none' });
  });
});

describe('A list', () => {
  const page = (data: unknown[], next_token: unknown) => Response.json({ data, pagination: { next_token } });

  test('ends after a hundred empty pages with ever new cursors', async () => {
    let asked = 0;
    const { client } = virtualClient({ fetch: () => Promise.resolve(page([], (asked += 1))), hosts });
    const error = await rejection(client.campaigns.list().toArray(), ResponseFormatError);
    expect([error.code, asked]).toEqual(['pagination_loop', 100]);
  });

  test('with items now and then may have any number of empty pages', async () => {
    let asked = 0;
    const next = () => page(asked % 90 === 0 ? [{ id: asked }] : [], asked < 400 ? asked : null);
    const fetch: EmailPlatform.Fetch = () => Promise.resolve(((asked += 1), next()));
    const { client } = virtualClient({ fetch, hosts });
    expect(await client.campaigns.list().toArray()).toHaveLength(4);
  });

  test.each<[unknown]>([
    [7],
    ['7'],
    [true],
    [{ after: { id: 7 } }],
    [[1, [2]]],
    [{}],
    [[]],
    ['\ud800'],
    [{ a: null }],
  ])('that leads to the cursor %j again and again ends with an error', async (cursor) => {
    let asked = 0;
    const fetch: EmailPlatform.Fetch = () =>
      Promise.resolve(page([{ id: (asked += 1) }], structuredClone(cursor)));
    const { client } = virtualClient({ fetch, hosts });
    const error = await rejection(client.campaigns.list().toArray(), ResponseFormatError);
    expect(error.code).toBe('pagination_loop');
    expect(asked).toBeLessThanOrEqual(2);
  });

  test('whose first page failed is asked for again by the next use', async () => {
    let asked = 0;
    const fetch: EmailPlatform.Fetch = () =>
      Promise.resolve((asked += 1) % 2 === 1 ? new Response('', { status: 503 }) : page([{ id: 1 }], null));
    const { client } = virtualClient({ fetch, hosts, retry: false });
    const pager = client.campaigns.list();
    await rejection(pager, EmailPlatformError);
    expect((await pager).items).toHaveLength(1);
    expect((await pager).items).toHaveLength(1);
    expect(asked).toBe(2);
    await rejection(pager.toArray(), EmailPlatformError);
    expect(await pager.toArray()).toHaveLength(1);
    expect(asked).toBe(4);
  });
});

describe('A signal that is only similar to one', () => {
  const like = (over: object) => ({
    aborted: false,
    reason: undefined,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    ...over,
  });
  const thrower = () => {
    throw new Error('from a signal');
  };
  const get = (signal: unknown) =>
    virtualClient({
      fetch: () => Promise.resolve(Response.json({ data: { id: 1 } })),
      hosts,
    }).client.campaigns.get(1, { signal: signal as AbortSignal });

  test.each(['removeEventListener', 'addEventListener', 'aborted'])('without %s is refused', async (name) => {
    const error = await rejection(get(like({ [name]: undefined })), EmailPlatformError);
    expect(error.message).toContain('options.signal: must be an AbortSignal');
  });

  test('whose methods throw lets the call end all the same', async () => {
    expect(await get(like({ removeEventListener: thrower }))).toEqual({ id: 1 });
    await rejection(get(like({ addEventListener: thrower })), EmailPlatformError);
  });

  test('whose reason cannot be read aborts without one', async () => {
    const hostile = Object.defineProperty(like({ aborted: true }), 'reason', { get: thrower });
    await expect(get(hostile)).rejects.toMatchObject({ name: 'AbortError', cause: undefined });
  });
});

test('a port without a listener ends the call', async () => {
  const client = new EmailPlatform({
    token: 'token',
    hosts: { api: `http://127.0.0.1:${await closedPort()}` },
    retry: false,
  });
  await rejection(client.campaigns.get(1), EmailPlatformError);
});
