/** The commands with a database of this Node. test/peers runs them as processes, with the databases of an application. */
import { EmailPlatform } from 'email-platform';
import { sqliteDeliveries, sqliteJournal } from 'email-platform/journal';
import { createEmulator } from 'email-platform/testing';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Surroundings } from '../../src/cli/surroundings.ts';
import { claimOf } from '../entries/journal/claim-of.ts';
import { eventOf } from '../entries/journal/deliveries/deliveries-tests.ts';
import { databaseOfThisNode } from '../support/databases.ts';
import { sqliteClass, type Database } from '../support/sqlite.ts';
import { cli } from './in-process.ts';

const Class = sqliteClass(databaseOfThisNode().name);
const folder = mkdtempSync(join(tmpdir(), 'journal-database-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The databases that the command opened and did not close. */
const opened = new Set<Database>();
class Watched extends Class {
  constructor(file: string) {
    super(file);
    opened.add(this);
  }
  override close(): void {
    super.close();
    opened.delete(this);
  }
}

beforeEach(() => {
  const builtin = process.getBuiltinModule.bind(process);
  const spy = vi
    .spyOn(process, 'getBuiltinModule')
    .mockImplementation((name) => (name === 'node:sqlite' ? { DatabaseSync: Watched } : builtin(name)));
  onTestFinished(() => {
    spy.mockRestore();
    expect(opened.size).toBe(0);
  });
});

let files = 0;

/** A new file with a journal and deliveries, and the command on it. */
async function setUp() {
  const file = join(folder, `${(files += 1)}.db`);
  const database = new Class(file);
  const journal = sqliteJournal(database);
  const deliveries = sqliteDeliveries(database, { journal });
  await deliveries.setup();
  onTestFinished(() => database.close());
  const command = ([name = '', ...args]: readonly string[], surroundings: Partial<Surroundings> = {}) =>
    cli(['journal', name, '--sqlite', file, ...args], surroundings);
  const claim = (key: string, leaseMs = 60_000) => journal.store.claim([claimOf(key, 'one', { leaseMs })]);
  const leave = async (key: string, state: 'unknown' | 'accepted') => {
    await claim(key);
    await journal.store.record([{ ...claimOf(key), state, messageIds: state === 'accepted' ? ['id'] : [] }]);
  };
  const openKeys = async () => (await journal.store.open('default')).map(({ key }) => key).sort();
  return { file, journal, deliveries, command, claim, leave, openKeys };
}

describe('email-platform journal resend and release', () => {
  test('free the named keys alone, and name those that are not open, exit 1', async () => {
    const { command, claim, leave, openKeys } = await setUp();
    for (const key of ['a', 'b']) await leave(key, 'unknown');
    await leave('sent', 'accepted');
    await claim('flying');
    await claim('over', 0);
    expect(await command(['release', 'a', 'a', 'sent', 'flying', 'over', '--yes'])).toEqual({
      code: 1,
      out: '2 keys are free\n',
      err: 'Not open: sent, flying. These keys are accepted, in flight, free, or not in the journal. Next, with the same options: journal status --list, which shows the open ones.\n',
    });
    expect(await openKeys()).toEqual(['b']);
    const { code, out } = await command(['release', 'b', 'c', '--yes', '--json']);
    expect([code, JSON.parse(out)]).toEqual([1, { freed: ['b'], notOpen: ['c'] }]);
  });

  test('act in the namespace of the option alone', async () => {
    const { file, command, leave, openKeys } = await setUp();
    await leave('a', 'unknown');
    const database = new Class(file);
    const { store } = sqliteJournal(database, { namespace: 'shop' });
    await store.claim([{ ...claimOf('b', 'one', { leaseMs: 0 }), namespace: 'shop' }]);
    const shop = (name: string, ...args: readonly string[]) =>
      command([name, '--namespace', 'shop', ...args]);
    expect((await shop('status')).out).toContain('1 key is open in the namespace "shop"');
    expect((await shop('release', '--all-unknown', '--yes')).out).toBe('1 key is free\n');
    expect([await openKeys(), await store.open('shop')]).toEqual([['a'], []]);
    database.close();
  });

  test('with --all-unknown, free all open keys and no others', async () => {
    const { journal, command, claim, leave, openKeys } = await setUp();
    for (const key of ['a', 'b']) await leave(key, 'unknown');
    await claim('flying');
    expect(await command(['resend', '--all-unknown', '--yes'])).toMatchObject({
      code: 0,
      out: '2 keys are free to be sent again\n',
    });
    expect(await openKeys()).toEqual([]);
    expect((await journal.claimed()).map(({ key }) => key)).toEqual(['flying']);
    // There is nothing to ask about.
    const ask = () => Promise.reject(new Error('asked'));
    expect(await command(['resend', '--all-unknown'], { ask })).toMatchObject({
      code: 0,
      out: '0 keys are free to be sent again\n',
    });
  });

  test.each([
    ['resend', ['unknown']],
    ['release', []],
  ] as const)('%s: a send that fails afterwards leaves the keys %j', async (as, left) => {
    const { journal, command, leave, openKeys } = await setUp();
    await leave('a', 'unknown');
    await command([as, 'a', '--yes']);
    await journal.store.claim([claimOf('a', 'two')]);
    await journal.store.record([{ ...claimOf('a', 'two'), state: 'released', messageIds: [] }]);
    expect(await openKeys()).toEqual(left.map(() => 'a'));
  });

  test.each([
    ['resend', 'may be sent again, and their emails may then arrive twice'],
    ['release', 'count as not sent'],
  ])('%s names ten of the keys in its question, and frees none without a yes', async (as, question) => {
    const { command, leave, openKeys } = await setUp();
    const keys = Array.from({ length: 12 }, (_, index) => `order/${index + 10}`);
    for (const key of keys) await leave(key, 'unknown');
    const asked: string[] = [];
    const answer = (text: string) => ({
      ask: (words: string) => {
        asked.push(words);
        return Promise.resolve(text);
      },
    });
    for (const no of ['', 'n', 'yesterday'])
      expect(await command([as, ...keys], answer(no))).toEqual({
        code: 1,
        out: '',
        err: 'Nothing was changed.\n',
      });
    expect(await openKeys()).toEqual(keys);
    const lines = keys.slice(0, 10).map((key) => `  ${key}\n`);
    expect(asked[0]).toBe(`These keys ${question}:\n${lines.join('')}  … and 2 more\nContinue? [y/N] `);
    expect(await command([as, ...keys.slice(0, 10)], answer(' Yes '))).toMatchObject({ code: 0, err: '' });
    expect(asked.at(-1)).not.toContain('more');
    expect(await openKeys()).toEqual(keys.slice(10));
  });
});

describe('email-platform journal status', () => {
  test('makes no file that is not there', async () => {
    const file = join(folder, 'nowhere.db');
    const { code, err } = await cli(['journal', 'status', '--sqlite', file]);
    expect([code, err]).toEqual([1, `There is no file "${file}": check --sqlite\n`]);
    expect(existsSync(file)).toBe(false);
  });

  test('counts the keys by state, and lists them from the oldest on', async () => {
    const { file, command } = await setUp();
    const database = new Class(file);
    const leave = async (key: string, minutesAgo: number, state?: 'unknown' | 'accepted') => {
      const now = () => Date.now() - minutesAgo * 60_000;
      const { store } = sqliteJournal(database, { now });
      await store.claim([claimOf(key, 'one', { leaseMs: 90_000 })]);
      if (state !== undefined) await store.record([{ ...claimOf(key), state, messageIds: [] }]);
    };
    await leave('young', 5, 'unknown');
    await leave('oldest', 20);
    await leave('old', 10, 'unknown');
    await leave('late', 0);
    await leave('early', 1);
    await leave('sent', 30, 'accepted');
    database.close();
    const { out } = await command(['status', '--list']);
    expect(out.split('\n').map((line) => line.split(/ +transactional/)[0])).toEqual([
      '3 keys are open in the namespace "default":',
      '  2 unknown: no response arrived',
      '  1 claimed: its process did not report',
      expect.stringMatching(/^2 keys are in flight; their leases end from \S+Z to \S+Z\.$/),
      expect.stringMatching(/^Next, /),
      ...['', 'oldest', 'old', 'young', 'early', 'late', ''],
    ]);
    const json = JSON.parse((await command(['status', '--list', '--json'])).out) as Record<string, unknown>;
    const keysOf = (name: string) => (json[name] as { readonly key: string }[]).map(({ key }) => key);
    expect([keysOf('openKeys'), keysOf('inFlightKeys')]).toEqual([
      ['oldest', 'old', 'young'],
      ['early', 'late'],
    ]);
    const { first, last } = json.leasesEnd as { readonly first: string; readonly last: string };
    expect(Date.parse(last) - Date.parse(first)).toBeGreaterThan(59_000);
    expect(JSON.parse((await command(['status', '--json'])).out)).toEqual({
      ...{ namespace: 'default', unknown: 2, claimed: 1, inFlight: 2 },
      leasesEnd: { first: expect.any(String) as string, last: expect.any(String) as string },
    });
  });
});

describe('email-platform journal deliveries', () => {
  const times = (count: number) => Array.from({ length: count }, (_, index) => index);

  test('of an address, shows the newest fifty, and says that there are older ones', async () => {
    const { deliveries, command } = await setUp();
    const record = (count: number) =>
      deliveries.record(
        times(count).map((second) => eventOf('delivery', second, { message_id: `id ${second}` })),
      );
    const shown = async () => {
      const { out } = await command(['deliveries', '--to', 'ann@example.org']);
      const ids = [...out.matchAll(/message id (\d+)/g)].map(([, id]) => Number(id));
      return { ids, says: out.includes('Older emails are not shown.') };
    };
    await record(50);
    expect(await shown()).toEqual({ ids: times(50).reverse(), says: false });
    await record(52);
    expect(await shown()).toEqual({ ids: times(52).reverse().slice(0, 50), says: true });
    const { out } = await command(['deliveries', '--to', 'ann@example.org', '--json']);
    expect(JSON.parse(out)).toHaveLength(50);
  });

  test('tells apart a delivery without an event, and one open from several', async () => {
    const { deliveries, command } = await setUp();
    await deliveries.record([
      eventOf('open', 2),
      eventOf('click', 3, { url: 'https://e.org/' }),
      eventOf('click', 5),
    ]);
    await deliveries.recordSent({ message_ids: ['id 2'] }, { key: 'receipt/7' });
    expect((await command(['deliveries', '--message', 'id 1'])).out).toBe(
      [
        'accepted 2026-01-01T00:00:02Z, to ann@example.org, message id 1',
        '  opened 1×: 2026-01-01T00:00:02Z',
        '  clicked 2×: 2026-01-01T00:00:03Z to 2026-01-01T00:00:05Z',
        '',
      ].join('\n'),
    );
    expect((await command(['deliveries', '--key', 'receipt/7'])).out).toMatch(
      /^accepted 2\S+Z, key receipt\/7, message id 2\n$/,
    );
  });

  test('says why an email bounced: the category, and the response of the mail server or its code', async () => {
    const { deliveries, command } = await setUp();
    const bounce = { bounce_category: 'badmailbox', response_code: 550 };
    await deliveries.record([
      eventOf('bounce', 1, { ...bounce, response: '550 no such user' }),
      eventOf('bounce', 2, { ...bounce, message_id: 'id 2' }),
    ]);
    const lineOf = async (id: string) => (await command(['deliveries', '--message', id])).out.split('\n')[1];
    expect(await lineOf('id 1')).toBe('  2026-01-01T00:00:01Z bounce; badmailbox; 550 no such user');
    expect(await lineOf('id 2')).toBe('  2026-01-01T00:00:02Z bounce; badmailbox; 550');
  });

  test('of a key that only the journal has', async () => {
    const { command, leave } = await setUp();
    await leave('receipt/8', 'accepted');
    expect((await command(['deliveries', '--key', 'receipt/8'])).out).toBe(
      'accepted, key receipt/8, message id\n',
    );
  });

  test('finds a hashed address with the secret of the variable', async () => {
    const { file, command } = await setUp();
    const secret = 'a secret of the shop';
    const database = new Class(file);
    await sqliteDeliveries(database, { addresses: { hash: secret } }).record([eventOf('delivery', 1)]);
    database.close();
    const shown = async (env: Record<string, string>) =>
      (await command(['deliveries', '--to', 'ann@example.org'], { env })).out;
    expect(await shown({ EMAIL_PLATFORM_ADDRESS_SECRET: secret })).toContain(
      'delivered 2026-01-01T00:00:01Z, to ann@example.org, message id 1\n',
    );
    expect(await shown({})).toBe('Nothing is recorded.\n');
  });
});

describe('email-platform journal settle', () => {
  test('refuses plain http with a token of the service, and names the remedy', async () => {
    const { command } = await setUp();
    vi.stubEnv('EMAIL_PLATFORM_TOKEN', 'token-of-compose');
    vi.stubEnv('EMAIL_PLATFORM_URL', 'http://emulator.test:4010');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { code, err } = await command(['settle']);
    expect([code, err]).toEqual([1, expect.stringContaining('start the emulator with a --token')]);
  });

  test('records the emails that the log has, by the variable of the option; --list names each key', async () => {
    const { file, command, claim, openKeys } = await setUp();
    const emulator = createEmulator();
    const service = await emulator.listen();
    onTestFinished(() => service.close());
    const { token, ...hosts } = service.clientOptions();
    vi.stubEnv('EMAIL_PLATFORM_TOKEN', token);
    vi.stubEnv('EMAIL_PLATFORM_URL', service.url);
    onTestFinished(() => void vi.unstubAllEnvs());
    const database = new Class(file);
    const client = new EmailPlatform({
      token,
      ...hosts,
      journal: sqliteJournal(database, { variable: 'id' }),
    });
    const mail = { from: 'hello@mail.example.com', to: 'ann@example.org', subject: 'Hello', text: 'Hi.' };
    for (const kind of ['reset-before', 'reset-after'] as const) {
      emulator.faults.next({ kind, match: { path: '/api/send' } });
      await expect(client.sending.send(mail, { idempotencyKey: kind })).rejects.toThrow();
    }
    database.close();
    const settle = (...args: readonly string[]) =>
      command(['settle', ...args], { ended: new Promise(() => undefined) });
    expect((await settle()).out).toMatch(/^0 settled, 2 still unknown\nNext, /);
    const { out, err } = await settle('--variable', 'id', '--list');
    expect(err).toBe('');
    const [first, next, ...keys] = out.split('\n');
    expect(first).toBe('1 settled, 1 still unknown');
    expect(next).toContain('journal release <key>');
    expect(keys).toEqual([
      expect.stringMatching(/^reset-after: accepted, [\da-f-]{36}$/),
      'reset-before: unknown, the email log does not have it',
      '',
    ]);
    expect(await openKeys()).toEqual(['reset-before']);
    const json = async (...args: readonly string[]) =>
      JSON.parse((await settle('--variable', 'id', '--json', ...args)).out) as Record<string, unknown>;
    const totals = { settled: 0, unknown: 1, inFlight: 0, leasesEnd: null };
    expect(await json()).toEqual(totals);
    expect(await json('--list')).toEqual({ ...totals, settledKeys: [], unknownKeys: ['reset-before'] });
    await claim('flying');
    expect(await json()).toMatchObject({ inFlight: 1, leasesEnd: { first: expect.any(String) as string } });
    expect((await settle('--variable', 'id')).out.split('\n')[1]).toMatch(
      /^1 key is in flight; its lease ends \S+Z\. Settle again after that\.$/,
    );
    const ended = await command(['settle', '--variable', 'id'], { ended: Promise.resolve() });
    expect(ended).toMatchObject({ code: 1, out: '' });
    await command(['release', 'reset-before', '--yes']);
    expect((await settle('--variable', 'id')).out).toMatch(
      /^0 settled, 0 still unknown\n1 key is in flight; .*\.\n$/,
    );
  });
});
