/** How often the store asks Postgres for what, and what it makes of unusual answers. */
import type { PGlite } from '@electric-sql/pglite';
import { postgresJournal } from 'email-platform/journal';
import { beforeAll, expect, test } from 'vitest';
import { emptyPglite } from '../../../support/empty-pglite.ts';
import { claimOf } from '../claim-of.ts';

let database: PGlite;
beforeAll(async () => {
  database = await emptyPglite();
});

/** A store over an empty table, the statements that it makes, and answers in place of those of the database. */
async function setUp(replaced: (text: string, values: readonly string[]) => unknown = () => undefined) {
  await database.query('DROP TABLE IF EXISTS email_platform_journal_v1');
  const texts: { readonly word: string; readonly values: readonly string[] }[] = [];
  const journal = postgresJournal({
    query: async (text: string, values: string[] = []) => {
      texts.push({ word: /\w+/.exec(text)?.[0] ?? '', values });
      const answer = await replaced(text, values);
      return answer === undefined ? database.query(text, values) : { rows: answer as unknown[] };
    },
  });
  await journal.setup();
  texts.length = 0;
  return { store: journal.store, texts, words: () => texts.map(({ word }) => word) };
}

const released = (key: string, attempt?: string) => {
  return { ...claimOf(key, attempt), state: 'released' as const, messageIds: [] };
};

test('different keys are claimed by one statement, and a key given again by another one', async () => {
  const { store, words, texts } = await setUp();
  await store.claim([claimOf('a'), claimOf('b'), claimOf('c')]);
  expect(words()).toEqual(['INSERT', 'SELECT']);
  texts.length = 0;
  await store.claim([claimOf('d'), claimOf('e'), claimOf('d', 'two'), claimOf('e', 'two')]);
  expect(words()).toEqual(['INSERT', 'SELECT', 'INSERT']);
});

test('records too, and without a record there is no statement', async () => {
  const { store, words, texts } = await setUp();
  await store.claim([claimOf('a'), claimOf('b')]);
  texts.length = 0;
  await store.record([]);
  await store.record([released('a'), released('b'), released('a')]);
  expect(words()).toHaveLength(2);
});

test('one key in two namespaces is two keys', async () => {
  const { store, words } = await setUp();
  const claims = [claimOf('a'), claimOf('a', 'two', { namespace: 'other' })];
  expect(await store.claim(claims)).toEqual([undefined, undefined]);
  expect(words()).toEqual(['INSERT', 'SELECT']);
});

test('a claim that finds its keys taken does not ask whether it is committed', async () => {
  const { store, words, texts } = await setUp();
  await store.claim([claimOf('a')]);
  texts.length = 0;
  expect(await store.claim([claimOf('a', 'two')])).toMatchObject([{ attempt: 'one' }]);
  expect(words()).toEqual(['INSERT']);
});

test('a lease of a part of a millisecond is a whole one', async () => {
  const { store, texts } = await setUp();
  await store.claim([claimOf('a', 'one', { leaseMs: 1_000.25 })]);
  const [row] = JSON.parse(texts[0]?.values[0] ?? '') as { lease_ms: number }[];
  expect(row?.lease_ms).toBe(1_001);
});

test.each([
  ['in progress', [{ status: 'in progress' }]],
  ['aborted', [{ status: 'aborted' }]],
  ['unknown to Postgres', [{ status: null }]],
  ['not told', []],
])('a claim whose transaction is %s is refused, and its keys are released', async (_, rows) => {
  const { store, texts } = await setUp((text) => (text.includes('pg_xact_status') ? rows : undefined));
  await expect(store.claim([claimOf('a'), claimOf('b')])).rejects.toThrow(
    'the claim is not committed, because its connection is inside a transaction',
  );
  const records = JSON.parse(texts.at(-1)?.values[0] ?? '') as object[];
  expect(records).toMatchObject([
    { namespace: 'default', key: 'a', attempt: 'one', state: 'released', message_ids: '[]' },
    { namespace: 'default', key: 'b', attempt: 'one', state: 'released', message_ids: '[]' },
  ]);
});

test('it is refused with the same error if the keys cannot be released', async () => {
  const { store } = await setUp((text, [rows]) => {
    if (text.includes('pg_xact_status')) return [{ status: 'aborted' }];
    if (rows?.includes('"released"')) throw new Error('permission denied');
    return undefined;
  });
  await expect(store.claim([claimOf('a')])).rejects.toThrow('the claim is not committed');
});

test('the table is created again if it was rolled back, and its keys are lost once a claim is committed', async () => {
  const { store } = await setUp();
  await database.query('DROP TABLE email_platform_journal_v1');
  expect(await store.claim([claimOf('a')])).toEqual([undefined]);
  await database.query('DROP TABLE email_platform_journal_v1');
  await expect(store.claim([claimOf('a')])).rejects.toThrow('was there, and is missing now, with its keys');
});

test.each([
  ['null', null],
  ['a text', 'permission denied'],
  ['an error without a code', new Error('permission denied')],
])('%s that is thrown by the database is passed on', async (_, thrown) => {
  const { store, words } = await setUp((text) => {
    if (text.startsWith('INSERT')) throw thrown as Error;
    return undefined;
  });
  await expect(store.claim([claimOf('a')])).rejects.toBe(thrown);
  expect(words()).toEqual(['INSERT']);
});

test('counts of forgotten keys are added, as numbers or as the texts of bigints, until nothing is left', async () => {
  const answers = [
    [{ last: 'a', forgotten: '5' }],
    [{ last: 'b', forgotten: 2 }],
    [{ last: null, forgotten: '1' }],
  ];
  const { store, texts } = await setUp((text) => (text.includes('looked_at') ? answers.shift() : undefined));
  expect(await store.forget('default', 1_000.75)).toBe(8);
  expect(texts.map(({ values }) => values)).toEqual([
    ['default', '', '1000'],
    ['default', 'a', '1000'],
    ['default', 'b', '1000'],
    [],
  ]);
});

test('without an answer, nothing was forgotten', async () => {
  const { store } = await setUp((text) => (text.includes('looked_at') ? [] : undefined));
  expect(await store.forget('default', 1_000)).toBe(0);
});

test('a row whose flag is a text, a number or a bigint counts alike', async () => {
  for (const [flag, expected] of [
    ['1', [undefined]],
    [1n, [undefined]],
  ] as const) {
    const { store } = await setUp((text) => {
      if (text.includes('pg_xact_status')) return [{ status: 'committed' }];
      if (!text.startsWith('INSERT')) return undefined;
      return [{ namespace: 'default', key: 'a', is_claimed: flag, xact: '1' }];
    });
    expect(await store.claim([claimOf('a')])).toEqual(expected);
  }
});
