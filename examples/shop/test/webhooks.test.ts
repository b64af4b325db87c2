import { afterEach, expect, test, vi } from 'vitest';
import { startShop } from './shop.ts';

const ORDER = { id: 'order-1', product: 'Trowel', quantity: '1' };

afterEach(() => {
  vi.restoreAllMocks();
});

test('the order shows that its receipt was delivered', async () => {
  const { deliver, signedUp } = startShop();
  const ann = await signedUp('ann@example.org');
  await ann.post('/orders', ORDER);
  await deliver();
  expect(await (await ann.get('/orders/order-1')).text()).toContain('Your receipt was delivered.');
});

test('the order shows that its receipt bounced, whatever comes after that', async () => {
  const { deliver, deliveries, signedUp } = startShop();
  const ann = await signedUp('late-bounce@example.org');
  await ann.post('/orders', ORDER);
  await deliver(120_000);
  const page = async () => (await ann.get('/orders/order-1')).text();
  expect(await page()).toContain('Your receipt could not be delivered.');
  const [{ messageId } = { messageId: '' }] = await deliveries.of({ key: 'order/order-1/receipt' });
  const late = { kind: 'sending', event_type: 'delivery', event_id: 'late', message_id: messageId };
  await deliveries.record([{ ...late, occurredAt: new Date() }]);
  expect(await page()).toContain('Your receipt could not be delivered.');
});

test('a receipt whose response was lost is settled by the event of its delivery', async () => {
  const failed = vi.spyOn(console, 'error').mockReturnValue();
  const { deliver, receipts, journal, signedUp, emulator } = startShop();
  const ann = await signedUp('ann@example.org');
  // The service takes the receipt, and the connection breaks before the response.
  emulator.faults.next({ kind: 'reset-after', match: { path: '/api/send' } });
  await ann.post('/orders', ORDER);
  expect(failed).toHaveBeenCalledOnce();
  expect(await journal.store.open(journal.namespace)).toMatchObject([{ key: 'order/order-1/receipt' }]);

  await deliver();
  expect(await journal.store.open(journal.namespace)).toEqual([]);
  expect(await (await ann.get('/orders/order-1')).text()).toContain('Your receipt was delivered.');
  await receipts.sendDue();
  expect(emulator.messages({ subject: 'Your receipt: Trowel' })).toHaveLength(1);
});

test('a post without a signature changes nothing', async () => {
  const { app, signedUp } = startShop();
  const ann = await signedUp('ann@example.org');
  await ann.post('/orders', ORDER);
  const event = { event: 'bounce', email: 'ann@example.org', custom_variables: { order: 'order-1' } };
  const post = { method: 'POST', body: JSON.stringify({ events: [event] }) };
  expect((await app.request('https://shop.example.com/hooks/email', post)).status).toBe(401);
  expect(await (await ann.get('/orders/order-1')).text()).toContain('Your receipt is on its way.');
});
