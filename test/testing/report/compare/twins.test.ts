/** Runs with the same recipients: with the same data, a wrong variable is a change; with other data, another name is none. */
import { expect, test } from 'vitest';
import { compareData } from '../../../../src/testing/report/compare/compare.ts';
import { emptyReport, reportMail } from '../../../support/report-data.ts';

interface Order {
  readonly name: string;
  readonly order: string;
  readonly price: string;
}

const ORDERS: readonly Order[] = [
  { name: 'Ann', order: 'A-17', price: '4 €' },
  { name: 'Ben', order: 'B-22', price: '15 €' },
  { name: 'Cleo', order: 'C-90', price: '7.50 €' },
];
const OTHERS: readonly Order[] = [
  { name: 'Dora', order: 'D-31', price: '12 €' },
  { name: 'Emil', order: 'E-54', price: '9.90 €' },
  { name: 'Fay', order: 'F-66', price: '3 €' },
];
const subject = ({ order }: Order) => `Your order ${order}`;
const text = ({ name, order, price }: Order) =>
  `Hello ${name},\n\nyour order ${order} of ${price} has left our nursery.`;
type Template = (order: Order) => { readonly subject: string; readonly text: string };
const template: Template = (order) => ({ subject: subject(order), text: text(order) });

const reportOf = (orders: readonly Order[], written: Template = template) => ({
  ...emptyReport,
  kinds: [{ id: 'order', name: 'order', by: 'category' as const, count: orders.length }],
  mails: orders.map((order, index) =>
    reportMail(String(index), {
      kind: 'order',
      to: `reader${index}@example.org`,
      html: null,
      ...written(order),
    }),
  ),
});
const stateOf = (...[before, after]: [ReturnType<typeof reportOf>, ReturnType<typeof reportOf>]) =>
  compareData([before], after).kinds.map(({ state, changes }) => [state, ...changes.map(({ part }) => part)]);

test.each<[edit: string, part: string, written: Template]>([
  [
    'a word in the place of a name',
    'text',
    (one) => ({ ...template(one), text: text({ ...one, name: 'friend' }) }),
  ],
  [
    'the name of one reader for all',
    'text',
    (one) => ({ ...template(one), text: text({ ...one, name: 'Ann' }) }),
  ],
  ['another variable', 'text', (one) => ({ ...template(one), text: text({ ...one, name: one.order }) })],
  [
    'a variable twice',
    'text',
    (one) => ({ ...template(one), text: text({ ...one, name: `${one.name} ${one.name}` }) }),
  ],
  ['one price for all', 'text', (one) => ({ ...template(one), text: text({ ...one, price: '4 €' }) })],
  [
    'a variable of the subject',
    'subject',
    (one) => ({ ...template(one), subject: `Your order ${one.name}` }),
  ],
])('with the same data, %s is a change', (_, part, written) => {
  for (const count of [2, 3]) {
    const orders = ORDERS.slice(0, count);
    expect(stateOf(reportOf(orders), reportOf(orders, written))).toEqual([['changed', part]]);
  }
});

test('with other data, another name, order or price is not a change', () => {
  expect(stateOf(reportOf(ORDERS), reportOf(OTHERS))).toEqual([['same']]);
  expect(stateOf(reportOf(ORDERS), reportOf(ORDERS))).toEqual([['same']]);
  expect(stateOf(reportOf(ORDERS), reportOf(ORDERS.toReversed()))).toEqual([['same']]);
});

test('a name that two earlier runs do not share is not a change', () => {
  const renamed = ORDERS.map((one) => ({ ...one, name: `${one.name}e` }));
  const run = reportOf(ORDERS.map((one) => ({ ...one, name: `${one.name}a` })));
  expect(compareData([reportOf(ORDERS), reportOf(renamed)], run).kinds).toMatchObject([{ state: 'same' }]);
  expect(compareData([reportOf(ORDERS)], run).kinds).toMatchObject([{ state: 'changed' }]);
});
