import {
  AbortedError,
  ApiError,
  ConnectionError,
  InvalidRequestError,
  ResponseFormatError,
  TimeoutError,
  ValidationError,
} from 'email-platform';
import { parse } from 'csv-parse/sync';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { emulated } from '../../support/contacts-service.ts';
import { json, scriptedFetch, text, type Turn } from '../../support/scripted-fetch.ts';
import { throughItsWaits, until, virtualClient } from '../../support/virtual-client.ts';

const url = 'https://files.test/contacts.csv.gz?signature=x';
const ready = json(200, { id: 6, status: 'finished', created_at: '', updated_at: '', url });

function scripted(...turns: [Turn, ...Turn[]]) {
  const { fetch, sent } = scriptedFetch(...turns);
  return { ...virtualClient({ fetch, retry: false }), sent };
}

const read = async (stream: ReadableStream<Uint8Array>) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

/** A response whose body comes in pieces of this size; it breaks off at the end if it is to. */
const pieces =
  (bytes: Uint8Array, size: number, error?: Error): Turn =>
  () => {
    let at = 0;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        if (at < bytes.length) controller.enqueue(new Uint8Array(bytes.subarray(at, (at += size))));
        else if (error) controller.error(error);
        else controller.close();
      },
    });
    return new Response(body);
  };

describe('An export', () => {
  test('is downloaded once it has finished, without the token, as rows of CSV', async () => {
    const { client, emulator, time } = emulated();
    const { contacts } = client;
    const list = await contacts.lists.create({ name: 'Readers, all' });
    await contacts.fields.create({ name: 'City', data_type: 'text', merge_tag: 'city' });
    await contacts.create({
      email: 'ann@example.org',
      list_ids: [list.id],
      fields: { city: 'Rome, "Lazio"\n' },
    });
    await contacts.create({ email: 'ben@example.org', list_ids: [list.id] });
    await contacts.update('ben@example.org', { unsubscribed: true });
    await contacts.create({ email: 'cy@example.org' });
    const { id } = await contacts.exports.create({
      filters: [
        { name: 'list_id', operator: 'equal', value: [list.id] },
        { name: 'subscription_status', operator: 'equal', value: 'subscribed' },
      ],
    });
    const seen: (string | null)[] = [];
    const download = contacts.exports.download(id, { onProgress: ({ url }) => seen.push(url) });
    const rows = parse<Record<string, string>>(await read(await throughItsWaits(time, download)), {
      columns: true,
    });
    expect(rows).toMatchObject([{ email: 'ann@example.org', status: 'subscribed', city: 'Rome, "Lazio"\n' }]);
    expect(rows).toHaveLength(1);
    expect(seen).toEqual([null, expect.stringContaining('/storage/contacts/')]);
    const last = emulator.requests.at(-1);
    expect([last?.method, last?.path]).toEqual(['GET', `/contacts/${id}.csv.gz`]);
  });

  test('is the only one while it is under way; an unknown filter is rejected by the service', async () => {
    const { exports } = emulated().client.contacts;
    await exports.create();
    const busy = await rejection(exports.create(), ValidationError);
    expect(Object.keys(busy.fieldErrors)).toEqual(['base']);
    const filters = [{ name: 'email', operator: 'equal', value: 'x' }] as never;
    const { fieldErrors } = await rejection(exports.create({ filters }), ValidationError);
    expect(fieldErrors).toEqual({ filters: ['invalid'] });
  });

  test.each([
    [{ name: 'list_id', value: 7 }, 'filters[0].operator', 'is required'],
    [{ name: 'list_id', operator: 'equal', value: 7 }, 'filters[0].value', 'must be an array: put it in [ ]'],
    [{ name: 'subscription_status', operator: 'equal', value: 'gone' }, 'filters[0].value', "'unsubscribed'"],
  ])('refuses the filter %j before a request', async (filter, path, rule) => {
    const { client, emulator } = emulated();
    const creation = client.contacts.exports.create({ filters: [filter] as never });
    const { issues } = await rejection(creation, InvalidRequestError);
    expect(issues.find((issue) => issue.path.endsWith(path))?.message).toContain(rule);
    expect(emulator.requests).toHaveLength(0);
  });

  test('sends no token or header of the client to the signed URL', async () => {
    const { client, sent } = scripted(ready, pieces(gzipSync('id\r\n'), 4));
    await client.contacts.exports.download(6, { headers: { 'x-own': '1' } });
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer token');
    expect(sent[1]?.url).toBe(url);
    expect([...(sent[1]?.headers ?? [])]).toEqual([['accept-encoding', 'identity']]);
  });

  test.each([1, 2, 7, 100_000])('is decompressed as it comes, %i bytes at a time', async (size) => {
    const csv = `id,email\r\n${'7,ann@example.org\r\n'.repeat(500)}`;
    const { client } = scripted(ready, pieces(gzipSync(csv), size));
    expect(await read(await client.contacts.exports.download(6))).toBe(csv);
  });

  test('is given as it is where fetch has decompressed it, and where it is empty', async () => {
    const { client } = scripted(
      ready,
      pieces(Buffer.from('id,email\r\n'), 3),
      ready,
      () => new Response(null),
    );
    expect(await read(await client.contacts.exports.download(6))).toBe('id,email\r\n');
    expect(await read(await client.contacts.exports.download(6))).toBe('');
  });

  test.each<[string, Turn]>([
    ['breaks off', pieces(gzipSync('x'.repeat(9999)).subarray(0, 30), 10)],
    ['is damaged', pieces(Buffer.concat([gzipSync('abc').subarray(0, 12), Buffer.alloc(20, 7)]), 10)],
    ['loses its connection', pieces(gzipSync('x'.repeat(9999)).subarray(0, 30), 10, new Error('ECONNRESET'))],
  ])('that %s ends in a ConnectionError, never in fewer rows', async (_, turn) => {
    const { client } = scripted(ready, turn);
    const reading = client.contacts.exports.download(6).then(read);
    const { phase, effect, message } = await rejection(reading, ConnectionError);
    expect([phase, effect, message]).toEqual([
      'exchange',
      'none',
      'contacts.exports.download: the file is truncated or damaged',
    ]);
  });

  test('that breaks off before its first byte is fetched again, like any read', async () => {
    const lost = pieces(new Uint8Array(), 1, new Error('ECONNRESET'));
    const { fetch } = scriptedFetch(ready, lost, pieces(gzipSync('id\r\n'), 4));
    const { client, time } = virtualClient({ fetch, retry: { maxRetries: 1 } });
    expect(await read(await throughItsWaits(time, client.contacts.exports.download(6)))).toBe('id\r\n');
    await rejection(scripted(ready, lost).client.contacts.exports.download(6), ConnectionError);
  });

  test('ends when its signal is aborted while it is read, and cancels the file', async () => {
    let isCancelled = false;
    const endless: Turn = () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(gzipSync('x'.repeat(99)).subarray(0, 20)),
          cancel: () => void (isCancelled = true),
        }),
      );
    const { client } = scripted(ready, endless);
    const controller = new AbortController();
    const stream = await client.contacts.exports.download(6, { signal: controller.signal });
    const reading = read(stream);
    controller.abort(new Error('enough'));
    expect((await rejection(reading, AbortedError)).cause).toMatchObject({ message: 'enough' });
    expect(isCancelled).toBe(true);
  });

  test('whose first byte never comes ends within the timeout, and is fetched again', async () => {
    let isCancelled = false;
    const stalled: Turn = ({ signal }) =>
      new Response(
        new ReadableStream({
          start: (controller) =>
            signal.addEventListener('abort', () => {
              isCancelled = true;
              controller.error(signal.reason);
            }),
        }),
      );
    const { fetch, sent } = scriptedFetch(ready, stalled, pieces(gzipSync('id\r\n'), 4));
    const { client, time } = virtualClient({ fetch, retry: { maxRetries: 1 } });
    const download = client.contacts.exports.download(6, { timeoutMs: 5_000 });
    await until(() => sent.length === 2);
    await time.advance(4_999);
    expect(isCancelled).toBe(false);
    await time.advance(1);
    expect(isCancelled).toBe(true);
    await time.advance(60_000);
    expect(await read(await download)).toBe('id\r\n');
  });

  test('has what the wait has left of the deadline, to its end', async () => {
    const pending = json(200, { id: 6, status: 'started', url: null });
    const stalled: Turn = () => new Response(new ReadableStream());
    const begun: Turn = () =>
      new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode('id')) }));
    for (const turn of [stalled, begun]) {
      const { fetch, sent } = scriptedFetch(pending, ready, turn);
      const { client, time } = virtualClient({ fetch });
      const failed = rejection(
        client.contacts.exports.download(6, { pollMs: 2_000, deadlineMs: 10_000 }).then(read),
        TimeoutError,
      );
      await until(() => sent.length === 1);
      await time.advance(2_000);
      await until(() => sent.length === 3);
      await time.advance(8_000);
      expect(await failed).toMatchObject({
        kind: 'deadline',
        request: { operation: 'contacts.exports.download' },
      });
      expect(time.now()).toBe(10_000);
    }
  });

  test('cancels the file when the stream is cancelled', async () => {
    let isCancelled = false;
    const endless: Turn = () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new Uint8Array(gzipSync('x'.repeat(99)))),
          cancel: () => void (isCancelled = true),
        }),
      );
    const stream = await scripted(ready, endless).client.contacts.exports.download(6);
    await stream.cancel();
    expect(isCancelled).toBe(true);
  });

  test('without a file, with a URL that has expired, or with an invalid one', async () => {
    const none = scripted(json(200, { id: 6, status: 'failed', url: null })).client.contacts.exports;
    const { message } = await rejection(none.download(6), ResponseFormatError);
    expect(message).toBe('contacts.exports.download: the export is failed, but has no file');
    const expired = scripted(ready, text(403, '<Error/>', 'application/xml')).client.contacts.exports;
    expect((await rejection(expired.download(6), ApiError)).status).toBe(403);
    const wrong = scripted(json(200, { id: 6, status: 'finished', url: 'x' })).client.contacts.exports;
    await rejection(wrong.download(6), InvalidRequestError);
  });

  test('is a web stream that Node can read', async () => {
    const { client } = scripted(ready, pieces(gzipSync('a\r\n'), 2));
    const stream = await client.contacts.exports.download(6);
    const chunks: Buffer[] = [];
    for await (const chunk of Readable.fromWeb(stream as never)) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toBe('a\r\n');
  });
});
