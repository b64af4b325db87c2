import { type EmailPlatform, InvalidRequestError, UnprocessableError } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { drained, emulated, numberedContacts } from '../../support/contacts-service.ts';
import { json, lost, scriptedFetch, type Turn } from '../../support/scripted-fetch.ts';
import { throughItsWaits, virtualClient } from '../../support/virtual-client.ts';

const accepted = json(201, { id: 5, status: 'created' });
const finished = json(200, { id: 5, status: 'finished', created_contacts_count: 2 });
const rejecting = (...emails: string[]) =>
  json(422, { errors: emails.map((email) => ({ email, errors: { email: ['is invalid'] } })) });

function scripted(...turns: [Turn, ...Turn[]]) {
  const { fetch, sent } = scriptedFetch(...turns);
  const { client } = virtualClient({ fetch, retry: false });
  const bodies = () =>
    sent
      .filter(({ method }) => method === 'POST')
      .map(({ body }) =>
        (JSON.parse(body) as { contacts: { email: string }[] }).contacts.map(({ email }) => email),
      );
  return { run: client.contacts.imports, bodies };
}

const entries = (...emails: unknown[]) =>
  emails.map((email) => ({ email })) as EmailPlatform.ContactImportItem[];

describe('imports.run with skipInvalid', () => {
  test('leaves out two wrong rows of many, and imports the others', async () => {
    const { client, time } = emulated();
    const { contacts } = numberedContacts(1000);
    const rows = [...contacts];
    rows.splice(10, 0, { email: 'nobody' });
    rows.splice(700, 0, { email: 8 as unknown as string });
    const progress: EmailPlatform.ImportProgress[] = [];
    const run = client.contacts.imports.run(rows, {
      skipInvalid: true,
      onProgress: (now) => progress.push(now),
    });
    const { outcomes, thrown } = await throughItsWaits(time, drained(run));
    expect(thrown).toBeUndefined();
    expect(outcomes).toHaveLength(1);
    const [outcome] = outcomes;
    expect(outcome).toMatchObject({ status: 'finished', first: 0, import: { created_contacts_count: 1000 } });
    expect(outcome?.contacts).toHaveLength(1002);
    expect(outcome?.skipped).toEqual([
      { index: 10, contact: { email: 'nobody' }, errors: { email: ['is invalid'] } },
      { index: 700, contact: { email: 8 }, errors: { email: ['must be a string'] } },
    ]);
    expect(progress).toEqual([
      { done: 1002, finished: 1000, failed: 0, rejected: 0, not_sent: 0, unknown: 0, skipped: 2, imports: 1 },
    ]);
  });

  test('counts positions through the whole input', async () => {
    const { run, bodies } = scripted(accepted, finished, rejecting('d'), accepted, finished);
    const { outcomes } = await drained(
      run.run(entries('a', 'b', 'c', 'd'), { skipInvalid: true, contactsPerImport: 2 }),
    );
    expect(outcomes.map(({ status, skipped }) => [status, skipped.map(({ index }) => index)])).toEqual([
      ['finished', []],
      ['finished', [3]],
    ]);
    expect(bodies()).toEqual([['a', 'b'], ['c', 'd'], ['c']]);
  });

  test('goes on leaving out what the service names, whatever form it has and however it writes an address', async () => {
    const one = json(422, { errors: { email: 'B', errors: { base: ['no'] } } });
    const { run, bodies } = scripted(one, rejecting('c'), accepted, finished);
    const { outcomes } = await drained(run.run(entries('a', 'b', 'c'), { skipInvalid: true }));
    expect(bodies()).toEqual([['a', 'b', 'c'], ['a', 'c'], ['a']]);
    expect(outcomes[0]?.skipped).toEqual([
      { index: 1, contact: { email: 'b' }, errors: { base: ['no'] } },
      { index: 2, contact: { email: 'c' }, errors: { email: ['is invalid'] } },
    ]);
  });

  test.each<[string, Turn]>([
    ['names no contact', json(422, { errors: 'Not now' })],
    ['names another contact', rejecting('somebody@else.test')],
  ])('reports a rejection that %s, and does not repeat the import', async (_, turn) => {
    const { run, bodies } = scripted(turn);
    const { outcomes } = await drained(run.run(entries('a', 'b'), { skipInvalid: true }));
    expect(outcomes).toMatchObject([{ status: 'rejected', skipped: [] }]);
    expect(outcomes[0]?.error).toBeInstanceOf(UnprocessableError);
    expect(bodies()).toHaveLength(1);
  });

  test('if no contact is left to import, the outcome is the same as without the option', async () => {
    const { run, bodies } = scripted(rejecting('a', 'b'));
    const { outcomes } = await drained(run.run(entries('a', 'b'), { skipInvalid: true }));
    expect(outcomes).toMatchObject([
      { status: 'rejected', skipped: [], errors: [{ email: 'a' }, { email: 'b' }] },
    ]);
    const refused = await drained(run.run(entries(1, 2), { skipInvalid: true }));
    expect(refused.outcomes).toMatchObject([{ status: 'not_sent', skipped: [] }]);
    expect(refused.outcomes[0]?.error).toBeInstanceOf(InvalidRequestError);
    expect(bodies()).toHaveLength(1);
  });

  test('gives up after twenty rejections of one import', async () => {
    let count = 0;
    const always: Turn = (request) => {
      count += 1;
      return rejecting(`${count}`)(request);
    };
    const { run, bodies } = scripted(always);
    const rows = entries(...Array.from({ length: 100 }, (_, index) => `${index + 1}`));
    const { outcomes } = await drained(run.run(rows, { skipInvalid: true }));
    expect(outcomes).toMatchObject([{ status: 'rejected' }]);
    expect(outcomes[0]?.skipped).toHaveLength(19);
    expect(bodies()).toHaveLength(20);
  });

  test('an import whose outcome is unknown is not repeated, and keeps what was left out', async () => {
    const { run, bodies } = scripted(rejecting('b'), lost);
    const { outcomes } = await drained(run.run(entries('a', 'b'), { skipInvalid: true }));
    expect(outcomes).toMatchObject([{ status: 'unknown', skipped: [{ index: 1 }] }]);
    expect(bodies()).toEqual([['a', 'b'], ['a']]);
  });
});

test('without skipInvalid nothing is left out', async () => {
  const { run, bodies } = scripted(rejecting('b'));
  const { outcomes } = await drained(run.run(entries('a', 'b')));
  expect(outcomes).toMatchObject([{ status: 'rejected', skipped: [] }]);
  expect(bodies()).toHaveLength(1);
});
