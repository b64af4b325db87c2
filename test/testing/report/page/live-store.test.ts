import { expect, test } from 'vitest';
import { arrivalOf, LiveStore } from '../../../../src/testing/report/page/live/live-store.ts';
import { emptyReport, reportMail, reportRequest } from '../../../support/report-data.ts';

const oldest = { mails: 1, requests: 1, posts: 1 };

test('changes are put together: newest first, each once, without those that have left', () => {
  const store = new LiveStore('run');
  const first = store.merge({
    report: { ...emptyReport, mails: [reportMail('10'), reportMail('9')], requests: [reportRequest('2')] },
    oldest,
    deleted: [],
  });
  expect(first.added.map(({ id }) => id)).toEqual(['10', '9']);
  const changed = reportMail('9', { subject: 'changed' });
  const second = store.merge({
    report: { ...emptyReport, sent: 3, mails: [reportMail('11'), changed] },
    oldest,
    deleted: [],
  });
  expect(second.added.map(({ id }) => id)).toEqual(['11']);
  expect(second.data.mails.map(({ id, subject }) => `${id} ${subject}`)).toEqual([
    '11 Mail 11',
    '10 Mail 10',
    '9 changed',
  ]);
  expect(second.data.requests.map(({ id }) => id)).toEqual(['2']);
  expect(second.data.sent).toBe(3);
  const third = store.merge({
    report: emptyReport,
    oldest: { mails: 10, requests: 3, posts: 1 },
    deleted: [],
  });
  const fourth = store.merge({ report: emptyReport, oldest, deleted: ['11', '4'] });
  expect(fourth.data.mails.map(({ id }) => id)).toEqual(['10']);
  expect(third.data.mails.map(({ id }) => id)).toEqual(['11', '10']);
  expect(third.data.requests).toEqual([]);
  expect(
    store.merge({ report: emptyReport, oldest: { ...oldest, mails: null }, deleted: [] }).data.mails,
  ).toHaveLength(1);
});

test('an arrival is said in one sentence', () => {
  const mails = [reportMail('2', { subject: 'Hello', to: 'bo@example.org' }), reportMail('1')];
  expect(arrivalOf(mails)).toBe('2 new emails');
  expect(arrivalOf(mails.slice(0, 1))).toBe('New email: Hello, to bo@example.org');
  expect(arrivalOf([])).toBe('');
});
