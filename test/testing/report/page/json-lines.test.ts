import { expect, test } from 'vitest';
import { bodyLines } from '../../../../src/testing/report/page/parts/json-lines.ts';

const body = JSON.stringify({
  base: { subject: 'Hello', from: { email: 'x' } },
  requests: [{ to: [{ email: 'a' }] }, { to: [{ email: 'b' }] }],
  tags: [],
  none: {},
});

/** The lines that have a reason, with it. */
const marked = (field: string | null) =>
  bodyLines(body, [{ field, message: 'is wrong' }])
    .filter(({ notes }) => notes.length > 0)
    .map(({ text, notes }) => `${text.trim()} ${notes.join()}`);

test('JSON is indented as JSON.stringify does', () => {
  const text = bodyLines(body, [])
    .map((line) => line.text)
    .join('\n');
  expect(text).toBe(JSON.stringify(JSON.parse(body), null, 2));
});

test.each([
  ['base.subject', '"subject": "Hello", is wrong'],
  ['requests[1].to[0].email', '"email": "b" is wrong'],
  ['requests.1.to.0.email', '"email": "b" is wrong'],
  ['/requests/1/to/0/email', '"email": "b" is wrong'],
  ["requests['0'].to", '"to": [ is wrong'],
  ['subject', '"subject": "Hello", is wrong'],
  ['tags', '"tags": [], is wrong'],
])('a reason for %s stands at its line', (field, line) => {
  expect(marked(field)).toEqual([line]);
});

test.each(['missing', 'to.0.email', '', null])('a reason for %j stands at no line', (field) => {
  expect(marked(field)).toEqual([]);
});

test('a field has all its reasons', () => {
  const reasons = ['is short', 'is plain'].map((message) => ({ field: 'subject', message }));
  expect(bodyLines('{"subject":""}', reasons)[1]).toEqual({
    text: '  "subject": ""',
    notes: ['is short', 'is plain'],
  });
});

test.each(['not JSON\nat all', '"a text"', '12', ''])('%j keeps its lines', (text) => {
  const lines = bodyLines(text, [{ field: 'subject', message: 'is wrong' }]);
  expect(lines).toEqual(text.split('\n').map((line) => ({ text: line, notes: [] })));
});
