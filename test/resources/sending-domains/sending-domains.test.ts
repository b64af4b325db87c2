import {
  type EmailPlatform,
  AbortedError,
  InvalidRequestError,
  NotFoundError,
  TimeoutError,
} from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { inMemoryAndOnAPort } from '../../support/in-memory-and-on-a-port.ts';
import { json, scriptedFetch, silence } from '../../support/scripted-fetch.ts';
import { throughItsWaits, virtualClient } from '../../support/virtual-client.ts';

describe.each(inMemoryAndOnAPort)('Sending domains, %s', (_, connect) => {
  describe.each([
    ['POST and GET /api/accounts/{account_id}/sending_domains, wrapped in sending_domain', true],
    ['/api/domains, wrapped in domain (public reference)', false],
  ])('%s', (_form, hasAccount) => {
    test('create, get, list, update, delete, setup instructions', async () => {
      const { emulator, connect: again } = await connect();
      const { accountId } = emulator.clientOptions();
      const client = again({ accountId: hasAccount ? accountId : undefined });
      const made = await client.sendingDomains.create({ domain_name: 'news.example.com' });
      expect(made).toMatchObject({ domain_name: 'news.example.com', dns_verified: false });
      expect(made.dns_records.length).toBeGreaterThan(0);
      expect(await client.sendingDomains.get(made.id)).toEqual(made);
      const page = await client.sendingDomains.list();
      expect(page.data).toBe(page.items);
      expect(page.items.map(({ id }) => id)).toContain(made.id);
      const changed = await client.sendingDomains.update(made.id, { click_tracking_enabled: false });
      expect(changed.click_tracking_enabled).toBe(false);
      await client.sendingDomains.sendSetupInstructions(made.id, { email: 'admin@example.com' });
      await client.sendingDomains.delete(made.id);
      await rejection(client.sendingDomains.get(made.id), NotFoundError);
      const base = hasAccount ? `/api/accounts/${accountId}/sending_domains` : '/api/domains';
      expect(new Set(emulator.requests.map(({ path }) => path.split(`/${made.id}`)[0]))).toEqual(
        new Set([base]),
      );
    });
  });

  test('invalid arguments are refused before anything is sent', async () => {
    const { emulator, client } = await connect();
    await rejection(client.sendingDomains.create({ domain_name: 1 } as never), InvalidRequestError);
    await rejection(client.sendingDomains.update(1, { open_tracking: true } as never), InvalidRequestError);
    await rejection(client.sendingDomains.sendSetupInstructions(0, {} as never), InvalidRequestError);
    expect(emulator.requests).toEqual([]);
  });
});

const record = (status: string) => ({ key: 'k', domain: 'd', type: 'TXT', value: 'v', name: 'n', status });
/** A domain without the service's own verdict. */
const domain = (...statuses: string[]) =>
  ({ id: 7, domain_name: 'a.example', dns_records: statuses.map(record) }) as EmailPlatform.SendingDomain;

describe('a domain is verified', () => {
  const { client } = virtualClient({});
  test.each([
    [true, ['pass', 'fail']],
    [true, []],
    [false, ['pass', 'pass']],
    [false, []],
  ])('when the service says so: %s, with records %j', (dns_verified, statuses) => {
    const said = { ...domain(...statuses), dns_verified };
    expect(client.sendingDomains.isVerified(said)).toBe(dns_verified);
  });

  test.each([
    [['pass', 'pass'], true],
    [['pass', 'fail'], false],
    [['pass', 'unchecked'], false],
    [['pass', 'missing'], false],
    [['fail'], false],
    [[], false],
  ])('otherwise when all records are pass: %j, %s', (statuses, expected) => {
    expect(client.sendingDomains.isVerified(domain(...statuses))).toBe(expected);
  });

  test('with any fields missing in the response', () => {
    const isVerified = (fields: object) =>
      client.sendingDomains.isVerified(fields as EmailPlatform.SendingDomain);
    expect(isVerified({ dns_records: null, dns_verified: true })).toBe(true);
    expect(isVerified({})).toBe(false);
    expect(isVerified({ dns_records: [null], dns_verified: null })).toBe(false);
    expect(isVerified({ dns_records: [record('pass')], dns_verified: null })).toBe(true);
  });
});

test('the wait for a DNS record does not invent its missing fields', async () => {
  const dns_records = [
    { key: 'dmarc', name: '_dmarc' },
    { key: 'spf', name: '@', type: null, value: null, status: null },
    { key: 'dkim1', name: 'ep1', value: 'dkim1.test' },
    { key: 'dkim2', name: 'ep2', type: 'CNAME', status: 'missing' },
    null,
  ];
  const { fetch } = scriptedFetch(json(200, { ...domain(), dns_records }));
  const { client, time } = virtualClient({ fetch });
  const wait = client.sendingDomains.waitUntilVerified(7, { deadlineMs: 15_000 });
  const error = await rejection(throughItsWaits(time, wait), TimeoutError);
  expect(error.message).toContain(
    'a.example: these DNS records do not pass yet: _dmarc; @; ep1 should be dkim1.test; CNAME ep2 (missing); a record without a name',
  );
  expect(
    client.sendingDomains.isVerified({ dns_records: [{ status: null }] } as EmailPlatform.SendingDomain),
  ).toBe(false);
});

describe('waiting until a domain is verified', () => {
  const answers = (...bodies: EmailPlatform.SendingDomain[]) => {
    const [first = domain('fail'), ...others] = bodies;
    return scriptedFetch(json(200, first), ...others.map((body) => json(200, body)));
  };

  test('polls every ten seconds, reports each poll, and returns the verified domain', async () => {
    const { fetch, sent } = answers(domain('unchecked'), domain('fail'), domain('pass'));
    const { client, time } = virtualClient({ fetch });
    const seen: string[] = [];
    const verified = await throughItsWaits(
      time,
      client.sendingDomains.waitUntilVerified(7, {
        onProgress: ({ dns_records: [first] }) => seen.push(first?.status ?? ''),
      }),
    );
    expect(verified.dns_records[0]?.status).toBe('pass');
    expect(seen).toEqual(['unchecked', 'fail', 'pass']);
    expect(time.now()).toBe(20_000);
    expect(sent).toHaveLength(3);
  });

  test('polls as often as pollMs says', async () => {
    const { fetch } = answers(domain('fail'), domain('pass'));
    const { client, time } = virtualClient({ fetch });
    await throughItsWaits(time, client.sendingDomains.waitUntilVerified(7, { pollMs: 250 }));
    expect(time.now()).toBe(250);
  });

  test('ends with the signal, between two polls too, and leaves no listener and no timer', async () => {
    const { fetch } = answers(domain('fail'));
    const { client, time } = virtualClient({ fetch });
    const controller = new AbortController();
    const reason = new Error('enough');
    const waiting = client.sendingDomains.waitUntilVerified(7, {
      signal: controller.signal,
      onProgress: () => queueMicrotask(() => setImmediate(() => controller.abort(reason))),
    });
    const error = await rejection(waiting, AbortedError);
    expect(error.cause).toBe(reason);
    expect(time.pending).toBe(0);
  });

  test('ends with its deadline, without waiting for a poll that would be too late', async () => {
    const { fetch, sent } = answers(domain('fail'));
    const { client, time } = virtualClient({ fetch });
    const waiting = client.sendingDomains.waitUntilVerified(7, { deadlineMs: 25_000 });
    const error = await rejection(throughItsWaits(time, waiting), TimeoutError);
    expect(error).toMatchObject({ kind: 'deadline', effect: 'none' });
    expect(sent).toHaveLength(3);
    expect(time.now()).toBe(20_000);
  });

  test('has a deadline of an hour by default, whatever that of the client', async () => {
    const { fetch } = answers(domain('fail'));
    const { client, time } = virtualClient({ fetch, deadlineMs: 5_000 });
    const waiting = client.sendingDomains.waitUntilVerified(7, { pollMs: 60_000 });
    await rejection(throughItsWaits(time, waiting), TimeoutError);
    expect(time.now()).toBe(59 * 60_000);
  });

  test('a poll that hangs ends with the same deadline, and the same error', async () => {
    const { fetch } = scriptedFetch(json(200, domain('fail')), silence);
    const { client, time } = virtualClient({ fetch });
    const waiting = client.sendingDomains.waitUntilVerified(7, { deadlineMs: 25_000 });
    const error = await rejection(throughItsWaits(time, waiting), TimeoutError);
    expect(error.message).toContain('7 was not ready within 25000 ms; a.example: these DNS records');
    expect(error.cause).toBeInstanceOf(TimeoutError);
    expect(time.now()).toBe(25_000);
  });

  test.each<[string, Partial<EmailPlatform.SendingDomain>, string]>([
    [
      'the records that fail',
      {
        dns_verified: false,
        dns_records: [
          { ...record('fail'), type: 'CNAME', name: 'dk1', value: 'dkim.example' },
          record('pass'),
          { ...record('unchecked'), name: '_dmarc', value: 'v=DMARC1; p=none' },
        ],
      },
      'these DNS records do not pass yet: CNAME dk1 should be dkim.example (fail); ' +
        'TXT _dmarc should be v=DMARC1; p=none (unchecked)',
    ],
    [
      'that none fails',
      { dns_verified: false, dns_records: [record('pass')] },
      'the service has not verified it yet',
    ],
    ['as much as the response has', { dns_records: null as never }, 'the service has not verified it yet'],
  ])('its error says %s', async (_, fields, expected) => {
    const { fetch } = answers({ ...domain(), ...fields });
    const { client } = virtualClient({ fetch });
    const waiting = client.sendingDomains.waitUntilVerified(7, { deadlineMs: 5_000 });
    const { message } = await rejection(waiting, TimeoutError);
    expect(message).toBe(
      `sendingDomains.waitUntilVerified: 7 was not ready within 5000 ms; a.example: ${expected}`,
    );
  });

  test('goes on when onProgress throws', async () => {
    const { fetch } = answers(domain('fail'), domain('pass'));
    const { client, time } = virtualClient({ fetch });
    const onProgress = () => {
      throw new Error('bar broke');
    };
    const waiting = client.sendingDomains.waitUntilVerified(7, { onProgress });
    expect((await throughItsWaits(time, waiting)).dns_records[0]?.status).toBe('pass');
  });

  test('refuses invalid options before the first poll', async () => {
    const { fetch, sent } = answers(domain('fail'));
    const { client } = virtualClient({ fetch });
    const options = { pollMs: 0, deadlineMs: NaN, onProgress: 'yes' as never };
    const error = await rejection(client.sendingDomains.waitUntilVerified(-1, options), InvalidRequestError);
    expect(error.issues.map(({ path }) => path)).toEqual([
      'id',
      'options.pollMs',
      'options.onProgress',
      'options.deadlineMs',
    ]);
    await rejection(client.sendingDomains.waitUntilVerified(7, null as never), InvalidRequestError);
    expect(sent).toHaveLength(0);
  });

  test('fails when a poll fails', async () => {
    const { fetch } = scriptedFetch(json(404, { error: 'Not Found' }));
    const { client } = virtualClient({ fetch });
    await rejection(client.sendingDomains.waitUntilVerified(7), NotFoundError);
  });
});
