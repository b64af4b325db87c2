import { expect, test } from 'vitest';
import { kindOfSubject } from '../../../../src/testing/report/records/kind-of.ts';

const ann = { email: 'ann.smith+shop@example.org', name: 'Ann Smith' };
const ben = { email: 'ben@example.org', name: null };

test.each([
  ['Your order 17', 'Your order 99184', 'Your order …'],
  ['Order #A-17 of 24.12.2026', 'Order #B-99 of 1.1.2027', 'Order … of …'],
  ['Your code: 482 913', 'Your code: 100 200', 'Your code: …'],
  ['Welcome, Ann!', 'Welcome, Ben!', 'Welcome, …!'],
  ['Hello Chris, your parcel', 'Hello Dora, your parcel', 'Hello …, your parcel'],
  ['Ann Smith, your table is ready', 'Ben, your table is ready', '…, your table is ready'],
  ['Invitation for zoe@example.com', 'Invitation for max@example.net', 'Invitation for …'],
  ['You paid $17.50', 'You paid $3', 'You paid …'],
  ['Reset 7c9e6679-7425-40de-944b-e07fc1f90ae7', 'Reset 16fd2706-8baf-433b-82eb-8c7fada847da', 'Reset …'],
])('"%s" and "%s" are of one kind', (one, other, name) => {
  expect(kindOfSubject(one, ann)).toEqual({ id: `subject:${name}`, name, by: 'subject' });
  expect(kindOfSubject(other, ben).name).toBe(name);
});

test.each([
  ['Your invoice', 'Your receipt'],
  ['Welcome to the shop', 'Welcome back'],
  ['Confirm your address', 'Confirm your order'],
])('"%s" and "%s" are of two kinds', (one, other) => {
  expect(kindOfSubject(one, ann).name).toBe(one);
  expect(kindOfSubject(other, ann).name).toBe(other);
});

test('values of variables vary, and an empty subject has a name', () => {
  expect(kindOfSubject('News from the Old Garden', ann, ['the Old Garden', 7]).name).toBe('News from …');
  const odd = { email: 'o-neil.(x)+y/z@example.org', name: 'A-B [C] | D' };
  expect(kindOfSubject('For o-neil.(x): A-B [C] | D', odd).name).toBe('For …');
  expect(kindOfSubject('  ', ann).name).toBe('(no subject)');
});
