import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { campaignScheduleRule } from '../../../src/resources/campaigns/rules.ts';
import { paramIssues } from '../../../src/resources/base/param-rules.ts';

const NOW = Date.parse('2026-01-31T12:00:00.000Z');
const DAY_MS = 86_400_000;

const UNREADABLE =
  'must be a valid Date, or an ISO 8601 date-time with its offset, such as 2031-12-01T09:00Z or 2031-12-01T09:00+01:00';
const OUT_OF_REACH = 'must be in the future and at most one month ahead';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

const issuesOf = (params: unknown) => paramIssues(campaignScheduleRule(), params);
const messages = (datetime: unknown) => issuesOf({ datetime }).map(({ message }) => message);

describe('The time a campaign is scheduled at', () => {
  test.each([
    ['2026-02-10T08:00:00Z'],
    ['2026-02-10t08:00:00z'],
    ['2026-02-10T08:00Z'],
    ['2026-02-10T08:00:00.123456Z'],
    ['2026-02-10T08:00:00+02:00'],
    ['2026-02-10T08:00:00-0930'],
    ['2026-02-10T08:00:00+02'],
    [new Date(NOW + DAY_MS)],
  ])('%s is accepted', (datetime) => {
    expect(messages(datetime)).toEqual([]);
  });

  test.each([
    ['tomorrow'],
    [''],
    ['2026-02-10'],
    ['2026-02-10T08:00'],
    ['2026-02-10T08:00:00'],
    ['2026-02-10T08:00:00.123'],
    ['2026-02-10 08:00:00Z'],
    ['2026-13-10T08:00:00Z'],
    ['2026-02-10T25:00:00Z'],
    [' 2026-02-10T08:00:00Z'],
    ['Tue, 10 Feb 2026 08:00:00 GMT'],
    [new Date(NaN)],
    [NOW + DAY_MS],
    [null],
    [{}],
  ])('%s is refused', (datetime) => {
    expect(messages(datetime)).toEqual([UNREADABLE]);
  });

  test.each([
    ['a day ago, to the millisecond', -DAY_MS, true],
    ['a millisecond more than a day ago', -DAY_MS - 1, false],
    ['now', 0, true],
    ['a second ago, by a clock that may be wrong', -1000, true],
    ['in a month', 31 * DAY_MS, true],
    ['in 32 days, to the millisecond', 32 * DAY_MS, true],
    ['a millisecond later', 32 * DAY_MS + 1, false],
  ])('%s', (_, ahead, isAllowed) => {
    const expected = isAllowed ? [] : [OUT_OF_REACH];
    expect(messages(new Date(NOW + ahead))).toEqual(expected);
    expect(messages(new Date(NOW + ahead).toISOString())).toEqual(expected);
  });

  test('is required, and other fields are refused', () => {
    expect(issuesOf({ date: 'x' })).toEqual([
      { path: 'datetime', message: 'is required' },
      { path: 'date', message: 'is not a known field' },
    ]);
    expect(issuesOf(undefined)).toEqual([{ path: 'params', message: 'is required' }]);
  });

  test('an instance of a subclass of Date is accepted', () => {
    class MyDate extends Date {}
    expect(messages(new MyDate(NOW + 1000))).toEqual([]);
  });
});
