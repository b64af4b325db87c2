import { expect, test } from 'vitest';
import { emailIn } from '../../../../src/testing/report/collect/email-in.ts';

test.each([
  [
    { to: [{ email: 'ann@example.org', name: 'Ann' }, { email: 'bo@example' }], subject: 'Hello' },
    { to: ['ann@example.org', 'bo@example'], subject: 'Hello' },
  ],
  [
    { to: [], subject: 'Hello' },
    { to: [], subject: 'Hello' },
  ],
  [{ to: 'ann@example.org' }, { to: ['ann@example.org'], subject: null }],
  [
    { to: [null, 7, ['ann@example.org']], subject: 7 },
    { to: [], subject: null },
  ],
  [
    {
      base: { subject: 'News' },
      requests: [{ to: [{ email: 'a@example.org' }] }, null, { to: [{ email: 'b@example.org' }] }],
    },
    { to: ['a@example.org', 'b@example.org'], subject: 'News' },
  ],
  [
    { base: {}, requests: [{ to: ['a@example.org'], subject: 'Own' }] },
    { to: ['a@example.org'], subject: 'Own' },
  ],
  [{ subject: 'A template' }, undefined],
  [{ requests: [] }, undefined],
  [[], undefined],
])('the email in %j', (body, email) => {
  expect(emailIn(JSON.stringify(body))).toEqual(email);
});

test('there is none without a body, or in one that is cut', () => {
  expect([emailIn(null), emailIn('{"to":[{"em')]).toEqual([undefined, undefined]);
});

test('of a large batch, the first recipients are kept', () => {
  const requests = Array.from({ length: 500 }, (_, at) => ({ to: [{ email: `p${at}@example.org` }] }));
  const email = emailIn(JSON.stringify({ base: { subject: 'x'.repeat(9_000) }, requests }));
  expect([email?.to.length, email?.subject?.length]).toEqual([100, 1_000]);
});
