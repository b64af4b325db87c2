import { describe, expect, test } from 'vitest';
import { withOwnTimers } from '../../support/own-timers.ts';
import { campaigns, still } from '../tools/wire.ts';

function setUp() {
  const emulator = still();
  const { fetch, hosts, token } = emulator.clientOptions();
  return { emulator, fetch, url: hosts.api + campaigns, headers: { authorization: `Bearer ${token}` } };
}

describe('emulator.fetch', () => {
  test('takes a string, a URL and a Request', async () => {
    const { fetch, url, headers } = setUp();
    for (const input of [url, new URL(url)]) expect((await fetch(input, { headers })).status).toBe(200);
    expect((await fetch(new Request(url, { headers }))).status).toBe(200);
  });

  test('rejects for any other address', async () => {
    const { fetch } = setUp();
    await expect(fetch('https://elsewhere.test/')).rejects.toMatchObject({
      name: 'TypeError',
      cause: { code: 'ENOTFOUND', syscall: 'getaddrinfo' },
    });
  });

  test('rejects with the reason of a signal that is already aborted, and sends nothing', async () => {
    const { emulator, fetch, url, headers } = setUp();
    const reason = new Error('too late');
    await expect(fetch(url, { headers, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(emulator.requests).toHaveLength(0);
  });

  test('listens to the signal of a Request, and leaves no listener on a long-lived one', async () => {
    const { emulator, fetch, url, headers } = setUp();
    const gone = new AbortController();
    emulator.faults.next({ kind: 'stall' });
    const stalled = fetch(new Request(url, { headers, signal: gone.signal }));
    gone.abort();
    await expect(stalled).rejects.toMatchObject({ name: 'AbortError' });

    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    await fetch(url, { headers, signal });
    expect(listeners).toBe(0);
  });

  test('an aborted slow response leaves no timer behind', async () => {
    await withOwnTimers(async (pending) => {
      const { emulator, fetch, url, headers } = setUp();
      const gone = new AbortController();
      emulator.faults.next({ kind: 'slow', delayMs: 3_600_000 });
      const slow = fetch(url, { headers, signal: gone.signal });
      await expect.poll(pending).toBe(1);
      gone.abort();
      await expect(slow).rejects.toMatchObject({ name: 'AbortError' });
      expect(pending()).toBe(0);
    });
  });

  test.each([
    [307, 'POST'],
    [308, 'POST'],
    [301, 'GET'],
    [303, 'GET'],
  ])('follows a %i with %s where redirects are followed', async (status, method) => {
    const { emulator, fetch, url, headers } = setUp();
    emulator.faults.next({ kind: 'status', status, headers: { location: '/account/api/elsewhere' } });
    const response = await fetch(url, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(501);
    expect(emulator.requests.map((one) => [one.method, one.path])).toEqual([
      ['POST', campaigns],
      [method, '/api/elsewhere'],
    ]);
  });

  test('rejects a redirect with redirect: error, and stops after too many redirects', async () => {
    const { emulator, fetch, url, headers } = setUp();
    const fault = { kind: 'status', status: 302, headers: { location: url }, times: 40 } as const;
    emulator.faults.next(fault);
    await expect(fetch(url, { headers, redirect: 'error' })).rejects.toThrow(TypeError);
    await expect(fetch(url, { headers })).rejects.toThrow(TypeError);
  });
});

describe('emulator.handle', () => {
  test('takes any origin; the prefix determines the host', async () => {
    const { emulator, headers } = setUp();
    const at = (path: string) => emulator.handle(new Request(`http://any.test${path}`, { headers }));
    expect((await at(`/account${campaigns}`)).status).toBe(200);
    expect((await at(campaigns)).status).toBe(501);
    emulator.faults.next({ kind: 'reset-before' });
    await expect(at(`/account${campaigns}`)).rejects.toThrow('fetch failed');
  });
});
