import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { errorOf, exchange, hardTarget, head, listPath, received, responsesIn } from '../../tools/raw.ts';
import { campaigns, still, wire } from '../../tools/wire.ts';

const MAX_BODY_BYTES = 60 * 1024 ** 2;

/** The bytes in use, without those that other tests left behind. */
async function bytesInUse(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return process.memoryUsage().arrayBuffers;
}

/** A body that opens this many arrays or objects, and closes them again. */
const nested = {
  arrays: (depth: number) => `{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`,
  objects: (depth: number) => `{"name":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`,
  unclosed: (depth: number) => `{"name":${'['.repeat(depth)}`,
};

/** Endpoints that read a body, with the shape of their errors. */
const WRITES = [
  ['api', 'POST', campaigns],
  ['api', 'POST', '/api/email_templates'],
  ['api', 'POST', '/api/domains'],
  ['api', 'POST', '/api/contacts'],
  ['api', 'POST', '/api/suppressions'],
  ['send', 'POST', '/api/send'],
  ['bulk', 'POST', '/api/batch'],
  ['sandbox', 'POST', '/api/send/2001'],
] as const;

function shape(host: string, error: string): unknown {
  return host === 'api' ? { error } : { success: false, errors: [error] };
}

describe('A body that is nested', () => {
  test.each(WRITES)('100 000 levels deep, at %s %s %s → 400', async (host, method, endpoint) => {
    const call = wire(still());
    for (const nest of Object.values(nested)) {
      const { status, value } = await call(method, endpoint, { host, raw: nest(100_000) });
      const message = 'The request body is nested more than 1000 levels deep';
      expect([status, value]).toEqual([400, shape(host, message)]);
    }
  });

  test('up to 1000 levels is read; brackets in strings do not count', async () => {
    const call = wire(still());
    const read = async (raw: string) => (await call('POST', campaigns, { raw })).value;
    expect(await read(nested.arrays(999))).toMatchObject({ errors: { name: ['is invalid'] } });
    expect(await read(nested.arrays(1000))).toMatchObject({ error: expect.any(String) as unknown });
    const text = JSON.stringify({ name: '["{\\'.repeat(5000), contact_list_ids: {} });
    expect(await read(text)).toMatchObject({ errors: { contact_list_ids: ['is invalid'] } });
    expect(await read(text)).not.toMatchObject({ errors: { name: expect.anything() as unknown } });
  });

  test('60 MiB of brackets, the most that is read, are refused without being parsed', async () => {
    const { port, headers, isAlive } = await hardTarget();
    const body = Buffer.alloc(MAX_BODY_BYTES, '[');
    const sent = head('POST', listPath, {
      ...headers,
      'content-length': String(body.length),
      connection: 'close',
    });
    const [response] = await exchange(port, Buffer.concat([Buffer.from(sent), body]));
    expect(response?.status).toBe(400);
    expect(await isAlive()).toBe(true);
  });
});

describe('A body over 60 MiB', () => {
  const tooLarge = 'The request body is larger than 60 MiB';

  test('that says so is refused before it arrives, in the shape of the host, and is logged', async () => {
    const { emulator, port, headers } = await hardTarget();
    for (const [host, prefix, endpoint] of [
      ['api', '/account', campaigns],
      ['send', '/send', '/api/send'],
    ] as const) {
      const socket = connect(port, '127.0.0.1');
      socket.write(
        head('POST', prefix + endpoint, { ...headers, 'content-length': String(MAX_BODY_BYTES + 1) }),
      );
      const [first] = await new Promise<Buffer[]>((resolve) =>
        socket.once('data', (data: Buffer) => resolve([data])),
      );
      socket.destroy();
      const [response] = responsesIn(String(first));
      expect([response?.status, JSON.parse(response?.body ?? '')]).toEqual([413, shape(host, tooLarge)]);
    }
    expect(emulator.requests.map(({ method, status }) => [method, status])).toEqual([
      ['POST', 413],
      ['POST', 413],
    ]);
  });

  test('that does not say so is refused while it arrives, and no more of it is kept', async () => {
    const { port, headers } = await hardTarget();
    const socket = connect(port, '127.0.0.1');
    const all = received(socket);
    let [sentBytes, mostKept] = [0, 0];
    const answeredAt: number[] = [];
    socket.once('data', () => answeredAt.push(sentBytes));
    socket.write(head('POST', listPath, { ...headers, 'transfer-encoding': 'chunked' }));
    const chunk = Buffer.concat([
      Buffer.from('100000\r\n'),
      Buffer.alloc(1024 ** 2, 'a'),
      Buffer.from('\r\n'),
    ]);
    const before = await bytesInUse();
    while (sentBytes < 200 * 1024 ** 2) {
      if (!socket.write(chunk)) await new Promise((resolve) => socket.once('drain', resolve));
      sentBytes += chunk.length;
      mostKept = Math.max(mostKept, process.memoryUsage().arrayBuffers - before);
    }
    // A sender that reads only after sending everything receives the response too, and the connection still works.
    socket.write(`0\r\n\r\n${head('GET', listPath, { ...headers, connection: 'close' })}`);
    const [refused, next] = responsesIn(await all);
    expect([refused?.status, errorOf(refused)]).toEqual([413, tooLarge]);
    expect(next?.status).toBe(200);
    // Sockets buffer a few megabytes, and the garbage collector runs late.
    expect(answeredAt[0]).toBeGreaterThanOrEqual(MAX_BODY_BYTES);
    expect(answeredAt[0]).toBeLessThan(MAX_BODY_BYTES + 20 * 1024 ** 2);
    expect(mostKept).toBeLessThan(140 * 1024 ** 2);
  });

  test('reaches a client of fetch as a 413', async () => {
    const { emulator, port, headers } = await hardTarget();
    const call = wire(emulator, { fetch, origin: `http://127.0.0.1:${port}` });
    const { authorization } = headers;
    const over = await call('POST', campaigns, {
      raw: ' '.repeat(MAX_BODY_BYTES + 1),
      headers: { authorization },
    });
    expect([over.status, over.value]).toEqual([413, { error: tooLarge }]);
  });

  test('is a 413 in memory too', async () => {
    const call = wire(still());
    const raw = ' '.repeat(MAX_BODY_BYTES + 1);
    const { status, value } = await call('POST', '/api/batch', { host: 'bulk', raw });
    expect([status, value]).toEqual([413, shape('bulk', tooLarge)]);
  });
});
