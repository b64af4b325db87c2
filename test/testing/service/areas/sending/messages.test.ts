import { EmailPlatform, RateLimitError } from 'email-platform';
import { connectEmulator, createEmulator, type Emulator, mailbox } from 'email-platform/testing';
import { describe, expect, onTestFinished, test } from 'vitest';

const from = 'hello@mail.example.com';

/** The emulator with two emails, and the same over its port. */
async function withTwo() {
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  await client.sending.send({ from, to: 'ann@example.org', subject: 'Welcome', text: 'Hi.' });
  await client.sending.send({ from, to: 'bo@example.org', subject: 'Your order', text: 'Hi.' });
  const server = await emulator.listen({ control: true });
  onTestFinished(() => server.close());
  const { url = '', token = '' } = server.control ?? {};
  return { emulator, connected: connectEmulator(url, { controlToken: token }) };
}

describe('emulator.messages', () => {
  test('takes a filter, also over a port', async () => {
    const { emulator, connected } = await withTwo();
    for (const one of [emulator, connected]) {
      const subjects = async (...filter: Parameters<Emulator['messages']>) =>
        (await one.messages(...filter)).map(({ subject }) => subject);
      expect(await subjects()).toEqual(['Welcome', 'Your order']);
      expect(await subjects({ to: 'ANN@example.org' })).toEqual(['Welcome']);
      expect(await subjects({ subject: 'Your order' })).toEqual(['Your order']);
      expect(await subjects({ subject: ' your  ORDER' })).toEqual(['Your order']);
      expect(await subjects({ subject: 'Your' })).toEqual([]);
      expect(await subjects({ stream: 'bulk' })).toEqual([]);
      expect(await subjects({ since: emulator.clock.now() + 1_000 })).toEqual([]);
    }
  });

  test.each(['CAFÉ', 'Cafe\u0301', '  Café\n'])(
    'finds a subject as the mailbox does: %j',
    async (subject) => {
      const { emulator, connected } = await withTwo();
      const client = new EmailPlatform(emulator.clientOptions());
      await client.sending.send({ from, to: 'cy@example.org', subject: 'Café', text: 'Hi.' });
      expect((await mailbox(emulator).waitFor({ subject })).to).toEqual(['cy@example.org']);
      for (const one of [emulator, connected]) {
        expect(await one.messages({ subject })).toMatchObject([{ to: 'cy@example.org' }]);
        expect(await one.waitForMessages({ subject, waitMs: 0 })).toHaveLength(1);
      }
    },
  );

  test('refuses fields that it does not know, with the one that was meant', async () => {
    const { emulator, connected } = await withTwo();
    const message =
      '`filter.too` is unknown; the known names are to, stream, subject, since, after; did you mean `to`?';
    expect(() => emulator.messages({ too: 'ann@example.org' } as object)).toThrow(new TypeError(message));
    await expect(connected.messages({ too: 'ann@example.org' } as object)).rejects.toThrow(
      new TypeError(message),
    );
  });
});

describe('emulator.waitForMessages', () => {
  test('returns those that fit by subject, without a wait', async () => {
    const { emulator, connected } = await withTwo();
    for (const one of [emulator, connected])
      expect(await one.waitForMessages({ subject: 'Your order' })).toMatchObject([{ to: 'bo@example.org' }]);
  });

  test('rejects with what came instead, if none comes in time', async () => {
    const { emulator, connected } = await withTwo();
    for (const one of [emulator, connected]) {
      const error = await one.waitForMessages({ to: 'cy@example.org', waitMs: 1 }).catch(String);
      expect(error).toMatch(
        /^Error: No email with to "cy@example\.org" came within 1 ms\. There are others: "Welcome" to ann@example\.org \(transactional, \S+Z\); "Your order" to bo@/,
      );
      expect(await one.waitForMessages({ to: 'cy@example.org', waitMs: 0 })).toEqual([]);
    }
    emulator.reset();
    await expect(emulator.waitForMessages({ waitMs: 1 })).rejects.toThrow(
      'No email came within 1 ms. There is no email at all.',
    );
  });

  test('rejects a wrong filter, and throws nothing', async () => {
    const { emulator, connected } = await withTwo();
    for (const one of [emulator, connected]) {
      const waiting = one.waitForMessages({ waitMs: 1, timeoutMs: 1 } as object);
      await expect(waiting).rejects.toThrow('`filter.timeoutMs` is unknown');
    }
    await expect(emulator.waitForRequests({ waitMs: '1' } as never)).rejects.toThrow('`filter.waitMs`');
  });
});

test('waitForRequests waits by default, in this process and another one', async () => {
  const { emulator, connected } = await withTwo();
  const client = new EmailPlatform(emulator.clientOptions());
  for (const [one, path] of [
    [emulator, '/api/stats'],
    [connected, '/api/templates'],
  ] as const) {
    const waiting = one.waitForRequests({ path, waitMs: undefined } as object);
    await client.request({ method: 'GET', path }).catch(() => undefined);
    expect((await waiting).map((request) => request.path)).toEqual([path]);
  }
});

describe('Methods of the emulator', () => {
  test('refuse arguments that they do not take', async () => {
    const { emulator, connected } = await withTwo();
    const surplus = { to: 'ann@example.org' };
    type AnyCall = (...values: unknown[]) => unknown;
    const [here, there] = [emulator, connected] as unknown as Record<string, AnyCall>[];
    for (const method of ['reset', 'snapshot', 'clientOptions']) {
      const message = `\`${method}\` takes no argument, and was given 1`;
      expect(() => here?.[method]?.(surplus)).toThrow(new TypeError(message));
      await expect(there?.[method]?.(surplus)).rejects.toThrow(new TypeError(message));
    }
    expect(() => (emulator.campaigns as unknown as { stateOf: AnyCall }).stateOf(1, surplus)).toThrow(
      'takes only `id`',
    );
    await expect((emulator.listen as (...values: unknown[]) => unknown)({}, surplus)).rejects.toThrow(
      'takes only `options`',
    );
  });

  test('ignore the function that a hook of a test framework is given', async () => {
    const { emulator } = await withTwo();
    (emulator.reset as (done: () => void) => void)(() => undefined);
    expect(emulator.messages()).toEqual([]);
  });
});

describe('A 429', () => {
  test('from a fault has the body and the headers of the service', async () => {
    const emulator = createEmulator({ window: 'fixed', limits: { token: { requests: 1, perMs: 10_000 } } });
    const { hosts, token, fetch } = emulator.clientOptions();
    const headers = { authorization: `Bearer ${token}` };
    const ask = async () => {
      const response = await fetch(`${hosts.api}/api/accounts`, { headers });
      const { date: _, 'x-request-id': id, ...others } = Object.fromEntries(response.headers);
      return { status: response.status, body: await response.text(), others, hasId: id !== undefined };
    };
    emulator.clock.pause();
    emulator.faults.next({ kind: 'status', status: 429 });
    const made = await ask();
    expect(made).toMatchObject({ status: 429, hasId: true });
    await ask();
    expect(await ask()).toEqual(made);
    emulator.faults.next({ kind: 'status', status: 429, headers: { 'retry-after': '1' }, body: 'Slow' });
    const own = await ask();
    expect(own).toMatchObject({ body: 'Slow', others: { 'retry-after': '1' } });
    expect(own.others).not.toHaveProperty('x-ratelimit-reset');
  });

  test('does not make a client wait after a reset, nor after a restore', async () => {
    const emulator = createEmulator({ window: 'fixed' });
    const client = new EmailPlatform({ ...emulator.clientOptions(), retry: false });
    const derived = client.withOptions({ timeoutMs: 1_000 });
    const before = emulator.snapshot();
    for (const anew of [() => emulator.reset(), () => emulator.restore(before)]) {
      emulator.faults.next({ kind: 'status', status: 429 });
      await expect(client.campaigns.list()).rejects.toThrow(RateLimitError);
      expect(client.limits.estimate(1)).toBeGreaterThan(0);
      anew();
      expect(client.limits.estimate(1)).toBe(0);
      expect(client.limits.snapshot().token).toMatchObject({ used: 0, waiting: 0 });
      expect((await derived.campaigns.list({}, { deadlineMs: 5_000 })).items).toEqual([]);
    }
  });

  test('keeps a client waiting until the emulator is reset', async () => {
    const emulator = createEmulator({ window: 'fixed' });
    const client = new EmailPlatform({ ...emulator.clientOptions(), retry: false });
    emulator.faults.next({ kind: 'status', status: 429 });
    await expect(client.campaigns.list()).rejects.toThrow(RateLimitError);
    await expect(client.campaigns.list({}, { deadlineMs: 10 })).rejects.toThrow();
    expect(emulator.requests).toHaveLength(1);
  });
});
