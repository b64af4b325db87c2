import { expect, test } from 'vitest';
import type { ReportPost } from '../../../../src/testing/report/data/data.ts';
import { nextAttemptOf, postsOf } from '../../../../src/testing/report/page/parts/posts.ts';

const attempt = (id: string, more: Partial<ReportPost> = {}): ReportPost => ({
  id,
  at: Number(id),
  clockAt: Number(id) * 100,
  type: 'delivery',
  url: 'https://receiver.example.com/',
  attempt: 1,
  status: 500,
  nextAt: null,
  durationMs: 4,
  body: 'one',
  ...more,
});

test('the attempts of a post are one post, whose state is that of the newest', () => {
  const posts = postsOf([
    attempt('6', { attempt: 2, status: 200 }),
    attempt('5', { body: 'two' }),
    attempt('4', { url: 'https://other.example.com/' }),
    attempt('3'),
    attempt('2', { attempt: 2 }),
    attempt('1'),
  ]);
  expect(posts.map(({ id, status, attempts }) => [id, status, attempts.map((one) => one.id)])).toEqual([
    ['3', 200, ['6', '3']],
    ['5', 500, ['5']],
    ['4', 500, ['4']],
    ['1', 500, ['2', '1']],
  ]);
});

test('the repetition of a post whose first attempt has left the report is a post', () => {
  expect(postsOf([attempt('9', { attempt: 3 })]).map(({ id }) => id)).toEqual(['9']);
});

test('the next attempt is the planned one, also after a redelivery, until it is made', () => {
  const first = attempt('1', { nextAt: 900 });
  const redelivered = attempt('3', { attempt: 2 });
  const nextOf = (attempts: readonly ReportPost[]) => postsOf(attempts).map(nextAttemptOf);
  expect(nextOf([first])).toEqual([900]);
  expect(nextOf([redelivered, first])).toEqual([900]);
  expect(nextOf([attempt('9', { attempt: 2, nextAt: 1_500 }), redelivered, first])).toEqual([1_500]);
  expect(nextOf([attempt('9', { attempt: 2, nextAt: null }), redelivered, first])).toEqual([undefined]);
});
