import {
  AbortedError,
  AuthenticationError,
  ConfigurationError,
  EmailPlatform,
  InvalidRequestError,
  TimeoutError,
} from 'email-platform';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { drained, emulated, numberedContacts } from '../../support/contacts-service.ts';
import { json, lost, scriptedFetch, silence, type Turn } from '../../support/scripted-fetch.ts';
import { throughItsWaits, until, virtualClient } from '../../support/virtual-client.ts';
import { settle } from '../../support/virtual-time.ts';
import { runs } from '../../support/extent.ts';

const accepted = json(201, { id: 5, status: 'created' });
const finished = json(200, { id: 5, status: 'finished', created_contacts_count: 2 });

function scripted(...turns: [Turn, ...Turn[]]) {
  const { fetch, sent } = scriptedFetch(...turns);
  return { ...virtualClient({ fetch, retry: false }), sent };
}

describe('waitUntilFinished', () => {
  test('polls every two seconds until the import has ended, and says how it goes', async () => {
    const { client, emulator, time } = emulated({ contacts: { importMs: 5000 } });
    const seen: string[] = [];
    const { id, status } = await client.contacts.imports.create({ contacts: [{ email: 'a@b.c' }] });
    expect(status).toBe('created');
    const ended = await throughItsWaits(
      time,
      client.contacts.imports.waitUntilFinished(id, { onProgress: ({ status }) => seen.push(status) }),
    );
    expect(seen).toEqual(['created', 'created', 'started', 'finished']);
    expect(ended).toEqual({
      id,
      status: 'finished',
      created_contacts_count: 1,
      updated_contacts_count: 0,
      contacts_over_limit_count: 0,
    });
    expect(emulator.requests).toHaveLength(5);
  });

  test('resolves to a failed import too', async () => {
    const { client } = scripted(json(200, { id: 5, status: 'failed' }));
    expect(await client.contacts.imports.waitUntilFinished(5)).toEqual({ id: 5, status: 'failed' });
  });

  test('ends at its deadline', async () => {
    const { client, time } = scripted(json(200, { id: 5, status: 'started' }));
    const waiting = client.contacts.imports.waitUntilFinished(5, { deadlineMs: 3000, pollMs: 1000 });
    const error = await rejection(throughItsWaits(time, waiting), TimeoutError);
    expect([error.kind, error.message]).toEqual([
      'deadline',
      'contacts.imports.waitUntilFinished: 5 was not ready within 3000 ms; its status is started',
    ]);
  });
});

describe('run', () => {
  test('imports everything in parts, one after the other, and each contact is in one outcome', async () => {
    const { client, emulator, time } = emulated();
    const { contacts, seen } = numberedContacts(25);
    const progress: EmailPlatform.ImportProgress[] = [];
    const run = client.contacts.imports.run(contacts, {
      contactsPerImport: 10,
      onProgress: (now) => progress.push(now),
    });
    const { outcomes, thrown } = await throughItsWaits(time, drained(run));
    expect(thrown).toBeUndefined();
    expect(
      outcomes.map(({ index, first, status, contacts: part }) => [index, first, status, part.length]),
    ).toEqual([
      [0, 0, 'finished', 10],
      [1, 10, 'finished', 10],
      [2, 20, 'finished', 5],
    ]);
    expect(outcomes.flatMap(({ contacts: part }) => part.map(({ email }) => email))).toEqual(
      Array.from({ length: 25 }, (_, index) => `contact${index}@example.org`),
    );
    expect(outcomes[2]?.import).toMatchObject({ created_contacts_count: 5 });
    expect(progress.at(-1)).toEqual({
      done: 25,
      finished: 25,
      failed: 0,
      rejected: 0,
      not_sent: 0,
      unknown: 0,
      skipped: 0,
      imports: 3,
    });
    expect(seen).toEqual({ read: 25, closed: true });
    const posts = emulator.requests.filter(({ method }) => method === 'POST');
    expect(posts).toHaveLength(3);
  });

  test('reads no more than the import it is at', async () => {
    const { client } = scripted(accepted, silence);
    const { contacts, seen } = numberedContacts(100);
    const run = client.contacts.imports.run(contacts, { contactsPerImport: 10 });
    void run.next();
    await settle();
    expect(seen.read).toBe(9);
  });

  test('the later of two entries for an address counts, across imports', async () => {
    const { client, time } = emulated();
    const entries = ['Rome', 'Oslo', 'Lima'].map((city) => ({ email: 'ann@example.org', fields: { city } }));
    await throughItsWaits(time, drained(client.contacts.imports.run(entries, { contactsPerImport: 1 })));
    expect((await client.contacts.get('ann@example.org')).fields).toEqual({ city: 'Lima' });
  });

  test('a rejected import names the contacts at fault, and the run goes on', async () => {
    const { client, time } = emulated();
    const entries = ['a@b.c', 'nobody', 'd@e.f', 'g@h.i'].map((email) => ({ email }));
    const run = client.contacts.imports.run(entries, { contactsPerImport: 2 });
    const { outcomes } = await throughItsWaits(time, drained(run));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'finished']);
    expect(outcomes[0]?.errors).toEqual([{ email: 'nobody', errors: { email: ['is invalid'] } }]);
    expect(outcomes[0]?.error?.message).toContain('is invalid');
  });

  test('invalid contacts are refused without a request, and the run goes on', async () => {
    const { client, sent } = scripted(accepted, finished);
    const entries = [{ email: 1 }, { email: 'a@b.c' }] as unknown as EmailPlatform.ContactImportItem[];
    const { outcomes } = await drained(client.contacts.imports.run(entries, { contactsPerImport: 1 }));
    expect(outcomes.map(({ status }) => status)).toEqual(['not_sent', 'finished']);
    expect(outcomes[0]?.error).toBeInstanceOf(InvalidRequestError);
    expect(sent).toHaveLength(2);
  });

  test.each<[string, Turn[], string, boolean]>([
    ['refused', [json(429, { errors: 'no' })], 'not_sent', false],
    ['lost on its way', [lost], 'unknown', false],
    ['begun, and then lost sight of', [accepted, lost], 'unknown', true],
    ['begun, and failed', [accepted, json(200, { id: 5, status: 'failed' })], 'failed', true],
  ])('an import that is %s', async (_, turns, status, isBegun) => {
    const { client } = scripted(...(turns as [Turn]), accepted, finished);
    const entries = ['a@b.c', 'd@e.f'].map((email) => ({ email }));
    const { outcomes } = await drained(client.contacts.imports.run(entries, { contactsPerImport: 1 }));
    expect(outcomes.map((outcome) => outcome.status)).toEqual([status, 'finished']);
    expect(outcomes[0]?.import !== undefined).toBe(isBegun);
  });

  test('a rejected token ends all sending: the rest is read and reported', async () => {
    const { client, sent } = scripted(accepted, finished, json(401, { error: 'no' }));
    const { contacts, seen } = numberedContacts(5);
    const { outcomes, thrown } = await drained(
      client.contacts.imports.run(contacts, { contactsPerImport: 1 }),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      'finished',
      'not_sent',
      'not_sent',
      'not_sent',
      'not_sent',
    ]);
    expect(outcomes.slice(1).every(({ error }) => error instanceof AuthenticationError)).toBe(true);
    expect([thrown, sent.length, seen.read]).toEqual([undefined, 3, 5]);
  });

  test('wrong options, an invalid source, and a client without a host are errors of the run', async () => {
    const { imports } = scripted(accepted).client.contacts;
    const wrong = [
      imports.run([], { contactsPerImport: 50_001 }),
      imports.run([], { chunk: 1 } as never),
      imports.run('ab' as never),
    ];
    for (const run of wrong) expect((await drained(run)).thrown).toBeInstanceOf(InvalidRequestError);
    const { contacts } = new EmailPlatform({ token: 't' });
    const { outcomes, thrown } = await drained(contacts.imports.run([{ email: 'a@b.c' }]));
    expect(outcomes).toEqual([]);
    expect(thrown).toBeInstanceOf(ConfigurationError);
  });

  test('an error of the source comes after the outcomes of the entries read before it', async () => {
    const { client } = scripted(accepted, finished);
    const broken = new Error('line 2 cannot be read');
    function* contacts() {
      yield { email: 'a@b.c' };
      throw broken;
    }
    const { outcomes, thrown } = await drained(client.contacts.imports.run(contacts()));
    expect(outcomes.map(({ status }) => status)).toEqual(['finished']);
    expect(thrown).toBe(broken);
  });

  test('leaving the loop closes the source', async () => {
    const { client } = scripted(accepted, finished);
    const { contacts, seen } = numberedContacts(9);
    for await (const { index } of client.contacts.imports.run(contacts, { contactsPerImport: 2 })) {
      expect(index).toBe(0);
      break;
    }
    expect(seen).toEqual({ read: 1, closed: true });
  });

  test('leaving the loop waits five seconds for a source that takes for ever to close', async () => {
    const { client, time } = scripted(accepted, finished);
    const contacts: AsyncIterable<EmailPlatform.ContactImportItem> = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.resolve({ done: false, value: { email: 'a@b.c' } }),
        return: () => new Promise(() => undefined),
      }),
    };
    const run = client.contacts.imports.run(contacts, { contactsPerImport: 1 });
    await throughItsWaits(time, run.next());
    const before = time.now();
    await throughItsWaits(time, run.return());
    expect([time.now() - before, time.pending]).toEqual([5_000, 0]);
  });

  test('an abort while the source is silent ends the run at once, and reports what was read', async () => {
    const { client, sent } = scripted(accepted, finished);
    const controller = new AbortController();
    let isClosed = false;
    const contacts: AsyncIterable<EmailPlatform.ContactImportItem> = {
      [Symbol.asyncIterator]: () => {
        let count = 0;
        return {
          next: () => {
            count += 1;
            if (count === 1) return Promise.resolve({ done: false, value: { email: 'a@b.c' } });
            return new Promise(() => undefined);
          },
          return: () => {
            isClosed = true;
            return new Promise(() => undefined);
          },
        };
      },
    };
    const drain = drained(client.contacts.imports.run(contacts, { signal: controller.signal }));
    await settle();
    const reason = new Error('enough');
    controller.abort(reason);
    const { outcomes, thrown } = await drain;
    expect(outcomes).toMatchObject([{ status: 'not_sent', contacts: [{ email: 'a@b.c' }] }]);
    expect(thrown).toBeInstanceOf(AbortedError);
    expect(thrown).toMatchObject({ cause: reason });
    expect([isClosed, sent.length]).toEqual([true, 0]);
  });

  test('an abort while an import is under way leaves its outcome unknown, with its id', async () => {
    const { client, time, sent } = scripted(accepted, json(200, { id: 5, status: 'started' }));
    const controller = new AbortController();
    const { contacts, seen } = numberedContacts(9);
    const drain = drained(
      client.contacts.imports.run(contacts, { contactsPerImport: 2, signal: controller.signal }),
    );
    await until(() => sent.length === 2);
    await settle();
    controller.abort();
    const { outcomes, thrown } = await throughItsWaits(time, drain);
    expect(outcomes).toMatchObject([{ status: 'unknown', import: { id: 5 } }]);
    expect(thrown).toMatchObject({ code: 'aborted', effect: 'unknown' });
    expect(seen.closed).toBe(true);
  });

  test('with any results of the imports, each contact is in exactly one outcome, in order', async () => {
    const turn = fc.constantFrom<Turn[]>(
      [accepted, finished],
      [lost],
      [json(422, { errors: [{ email: 'x', errors: {} }] })],
      [json(401, { error: 'no' })],
      [json(500, {})],
      [accepted, json(404, { error: 'gone' })],
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { minLength: 1, maxLength: 8 }),
        fc.nat(30),
        fc.integer({ min: 1, max: 9 }),
        async (turns, count, contactsPerImport) => {
          const script = turns.flat() as [Turn, ...Turn[]];
          const { client } = scripted(...script);
          const { contacts, seen } = numberedContacts(count);
          const last: EmailPlatform.ImportProgress[] = [];
          const { outcomes, thrown } = await drained(
            client.contacts.imports.run(contacts, { contactsPerImport, onProgress: (now) => last.push(now) }),
          );
          expect(thrown).toBeUndefined();
          expect(outcomes.flatMap((one) => one.contacts.map(({ email }) => email))).toEqual(
            Array.from({ length: count }, (_, index) => `contact${index}@example.org`),
          );
          expect(outcomes.map(({ first }) => first)).toEqual(
            outcomes.map((_, index) => index * contactsPerImport),
          );
          expect(last.at(-1)?.done ?? 0).toBe(count);
          expect(seen.closed).toBe(true);
        },
      ),
      { numRuns: runs(60) },
    );
  });
});
