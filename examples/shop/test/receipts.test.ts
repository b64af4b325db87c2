import { afterEach, expect, test, vi } from 'vitest';
import { startShop } from './shop.ts';

const ORDER = { id: 'order-1', product: 'Tomato seeds', quantity: '2' };

afterEach(() => {
  vi.restoreAllMocks();
});

test('an order sends its receipt, which leads to the order', async () => {
  const { box, signedUp, emulator } = startShop();
  const email = box.address('ann');
  const ann = await signedUp(email);
  await ann.post('/orders', ORDER);

  const mail = await box.waitFor({ to: email, subject: 'Your receipt: Tomato seeds' });
  expect(mail.text).toContain('2 × Tomato seeds: 8.00 €');
  const { pathname } = new URL(mail.link('Look at your order'));
  expect(await (await ann.get(pathname)).text()).toContain('Your receipt is on its way.');
  expect(emulator.messages({ to: email }).map(({ template }) => template)).toMatchObject([
    { missing: [], unused: [] },
    { missing: [], unused: [] },
  ]);
});

test('an order that is placed twice has one receipt', async () => {
  vi.spyOn(console, 'error').mockReturnValue(); // one of both is told that the other sends it
  const { signedUp, emulator } = startShop();
  const ann = await signedUp('ann@example.org');
  await Promise.all([ann.post('/orders', ORDER), ann.post('/orders', ORDER)]);
  expect(emulator.messages({ subject: 'Your receipt: Tomato seeds' })).toHaveLength(1);
});

test('a process that ended before it recorded the receipt does not send it again', async () => {
  const { db, receipts, signedUp, emulator } = startShop();
  await (await signedUp('ann@example.org')).post('/orders', ORDER);
  db.exec("UPDATE orders SET receipt = 'due'"); // as if the process had ended with the response
  await receipts.sendDue();
  expect(emulator.messages({ subject: 'Your receipt: Tomato seeds' })).toHaveLength(1);
  expect(db.prepare('SELECT receipt FROM orders').get()).toEqual({ receipt: 'sent' });
});

test('a receipt that the service did not take stays due, and is sent later', async () => {
  const failed = vi.spyOn(console, 'error').mockReturnValue();
  const { receipts, signedUp, emulator } = startShop();
  const ann = await signedUp('ann@example.org');
  emulator.faults.next({ kind: 'status', status: 401, match: { path: '/api/send' } });
  await ann.post('/orders', ORDER);
  expect(failed).toHaveBeenCalledWith(expect.stringContaining('The receipt of order order-1 is still due'));
  expect(await (await ann.get('/orders/order-1')).text()).toContain('Your receipt follows.');

  await receipts.sendDue();
  expect(emulator.messages({ subject: 'Your receipt: Tomato seeds' })).toHaveLength(1);
  expect(await (await ann.get('/orders/order-1')).text()).toContain('Your receipt is on its way.');
});

test('another person sees no order', async () => {
  const { signedUp } = startShop();
  await (await signedUp('ann@example.org')).post('/orders', ORDER);
  const bob = await signedUp('bob@example.org');
  expect((await bob.get('/orders/order-1')).status).toBe(404);
});
