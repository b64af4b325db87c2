import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeStream, isBinary } from '../../../src/resources/sending/mail/attachment-content.ts';

const never = new AbortController().signal;
const bytes = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 31 + 7) % 256);
const base64 = (content: Uint8Array) => Buffer.from(content).toString('base64');

/** A stream of these chunks that records what happens to it. */
function stream(chunks: readonly unknown[], end: 'close' | 'stall' | Error = 'close') {
  const left = [...chunks];
  const seen: { cancelled?: unknown } = {};
  const content = new ReadableStream<Uint8Array>({
    pull(controller): void | Promise<void> {
      if (left.length > 0) controller.enqueue(left.shift() as Uint8Array);
      else if (end === 'close') controller.close();
      else if (end === 'stall') return new Promise(() => undefined);
      else controller.error(end);
    },
    cancel(reason) {
      seen.cancelled = reason;
    },
  });
  return { content, seen };
}

// Around the length of a step, and the boundaries of three bytes.
const lengths = [0, 1, 2, 3, 4, 5, 24_575, 24_576, 24_577, 49_152, 400_000];

describe('Bytes are encoded', () => {
  test.each(lengths)('%i of them', async (length) => {
    const content = bytes(length);
    const expected = base64(content);
    expect(await (await encodeStream(new Blob([content]), never)).text()).toBe(expected);
  });

  test('only the bytes that a view covers, whatever its element type', async () => {
    const { buffer } = bytes(100);
    const chunks = [
      new Uint8Array(buffer, 10, 5),
      new Uint16Array(buffer, 10, 5),
      buffer,
      new DataView(buffer),
    ];
    const encoded = await encodeStream(stream([...chunks, Buffer.from('hello')]).content, never);
    const parts = [bytes(100).slice(10, 15), bytes(100).slice(10, 20), bytes(100), bytes(100)];
    expect(await encoded.text()).toBe(base64(Buffer.concat([...parts, Buffer.from('hello')])));
  });

  test('from a stream, however it is split into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 30 }), async (chunks) => {
        const encoded = await encodeStream(stream(chunks).content, never);
        expect(await encoded.text()).toBe(base64(Buffer.concat(chunks)));
      }),
    );
  });
});

describe('A stream', () => {
  test('stays locked, so that a second read does not find it empty', async () => {
    const { content } = stream([bytes(3)]);
    expect(content.locked).toBe(false);
    await encodeStream(content, never);
    expect(content.locked).toBe(true);
    await expect(encodeStream(content, never)).rejects.toThrow(TypeError);
  });

  test('with values other than bytes is cancelled', async () => {
    const { content, seen } = stream(['text']);
    await expect(encodeStream(content, never)).rejects.toThrow('must produce bytes');
    expect(seen).toHaveProperty('cancelled');
  });

  test('that fails makes the encoding fail with the same error', async () => {
    const error = new Error('The disk is gone');
    await expect(encodeStream(stream([bytes(3)], error).content, never)).rejects.toBe(error);
  });

  test('that stalls is cancelled by the signal, with its reason', async () => {
    const controller = new AbortController();
    const { content, seen } = stream([bytes(3)], 'stall');
    const encoding = encodeStream(content, controller.signal);
    const reason = new Error('changed my mind');
    controller.abort(reason);
    await expect(encoding).rejects.toBe(reason);
    expect(seen.cancelled).toBe(reason);
  });
});

test('bytes are recognized by their shape', () => {
  const { content } = stream([]);
  for (const value of [bytes(1), Buffer.from(''), new ArrayBuffer(1), new DataView(new ArrayBuffer(1))])
    expect(isBinary(value)).toBe(true);
  for (const value of [new Blob([]), new File([], 'a'), content, { getReader: () => undefined }])
    expect(isBinary(value)).toBe(true);
  for (const value of ['aGk=', 7, null, undefined, {}, [], [1, 2], { type: 'Buffer', data: [1] }])
    expect(isBinary(value)).toBe(false);
});
