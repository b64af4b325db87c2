import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { exchange, head, listPath, served } from '../../tools/raw.ts';
import { campaigns, still, wire } from '../../tools/wire.ts';

describe('Requests without a known token', () => {
  test('share one window of the limits, whatever tokens they make up', async () => {
    const call = wire(still());
    const statuses: number[] = [];
    for (let n = 0; n < 151; n += 1)
      statuses.push((await call('GET', campaigns, { token: `made-up-${n}` })).status);
    expect(statuses).toEqual([...Array<number>(150).fill(401), 429]);
    // A request with the right token is not affected.
    expect((await call('GET', campaigns)).status).toBe(200);
  });

  test('is answered before its body has arrived', async () => {
    const emulator = still();
    const socket = connect(await served(emulator), '127.0.0.1');
    const first = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
    socket.write(head('POST', listPath, { host: 'localhost', 'content-length': '50000000' }));
    expect(await first).toMatch(/^HTTP\/1\.1 401 /);
    socket.destroy();
    expect(emulator.requests).toMatchObject([{ method: 'POST', status: 401 }]);
  });

  test('is read on where it comes in chunks, and counts as empty', async () => {
    const chunked = head('POST', listPath, {
      host: 'localhost',
      connection: 'close',
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    });
    const [response] = await exchange(await served(still()), `${chunked}5\r\n{"a":\r\n0\r\n\r\n`);
    expect(response?.status).toBe(401);
  });
});

describe('The request log', () => {
  test('keeps 64 MB at most, and the latest requests', async () => {
    const emulator = still();
    const query = 'a'.repeat(100_000);
    for (let n = 0; n < 400; n += 1)
      await emulator.handle(new Request(`https://emulator.test/account${campaigns}?search=${n}${query}`));
    const bytes = emulator.requests.reduce(
      (sum, { path, query: kept }) => sum + 2 * (path.length + kept.length),
      0,
    );
    expect(bytes).toBeLessThanOrEqual(64 * 2 ** 20);
    expect(bytes).toBeGreaterThan(16 * 2 ** 20);
    expect(emulator.requests.at(-1)?.query).toMatch(/^\?search=399a/);
  });

  test('counts the headers that it keeps for a door, and the bodies', async () => {
    const text = 'a'.repeat(100_000);
    const keptOf = async (count: number, init: (n: number, authorization: string) => RequestInit) => {
      const emulator = still({ limits: false });
      const authorization = `Bearer ${emulator.clientOptions().token}`;
      const server = await emulator.listen({ control: true });
      for (let n = 1; n <= count; n += 1)
        await emulator.handle(
          new Request(`https://emulator.test/account${campaigns}?n=${n}`, init(n, authorization)),
        );
      await server.close();
      const { requests } = emulator;
      expect(requests.at(-1)?.query).toBe(`?n=${count}`);
      return requests.length;
    };
    const ofHeaders = await keptOf(400, (n) => ({ headers: { 'x-a': `${n}${text}` } }));
    const ofBodies = await keptOf(600, (n, authorization) => ({
      method: 'POST',
      headers: { authorization },
      body: `${n}${text.slice(0, 65_000)}`,
    }));
    for (const kept of [ofHeaders, ofBodies]) {
      expect(kept).toBeLessThan(360);
      expect(kept).toBeGreaterThan(80);
    }
  });

  test('starts anew when it is cleared', async () => {
    const emulator = still();
    const long = new Request(`https://emulator.test/account${campaigns}?search=${'a'.repeat(20 * 2 ** 20)}`);
    for (let n = 0; n < 2; n += 1) {
      await emulator.handle(long.clone());
      expect(emulator.requests).toHaveLength(1);
      emulator.reset();
    }
  });
});
