import { expect, test } from 'vitest';
import { kindOf, kindOfSubject } from '../../../../src/testing/report/records/kind-of.ts';

const person = (email: string, name: string | null = null) => ({ email, name });

test.each([
  ['News for ann-marie', person('ann-marie@example.org'), 'News for …'],
  ['Ann, your parcel', person('ann@example.org'), '…, your parcel'],
  ['ANNUAL report', person('ann@example.org'), 'ANNUAL report'],
  ['Cannes awaits', person('ann@example.org'), 'Cannes awaits'],
  ['For Ann Lee and Ann', person('x@example.org', 'Ann Lee'), 'For … and …'],
  ['Für Élodie Müller', person('x@example.org', 'élodie müller'), 'Für …'],
  ['About (a.b) and a+b', person('a.b@example.org'), 'About (…) and a+b'],
  ['\u{20000}Ann and Ann\u{20000}', person('ann@example.org'), '\u{20000}Ann and Ann\u{20000}'],
  ['\u{1f600}Ann\u{1f600}', person('ann@example.org'), '\u{1f600}…\u{1f600}'],
])('%s, to %j, is of the kind %s', (subject, recipient, name) => {
  expect(kindOfSubject(subject, recipient)).toEqual({ id: `subject:${name}`, name, by: 'subject' });
});

test.each([
  [{ templateOf: 'Receipt', template: { name: 'Receipt (de)' }, category: 'orders' }, 'template:Receipt'],
  [{ template: { name: 'Receipt' }, category: 'orders' }, 'template:Receipt'],
  [{ category: 'orders' }, 'category:orders'],
  [{ category: '' }, 'subject:Order …'],
  [{}, 'subject:Order …'],
])('an email with %j is of the kind %s', (fields, id) => {
  const mail = { template: null, category: null, subject: 'Order 17', ...fields };
  const copy = { mail, recipient: person('ann@example.org'), mailing: undefined };
  expect(kindOf(copy as unknown as Parameters<typeof kindOf>[0]).id).toBe(id);
});
