import { expect, test } from 'vitest';
import { startShop } from './shop.ts';

test('staging writes to no stranger: the team receives the email', async () => {
  const { box, visitor, emulator } = startShop('staging');
  await visitor().post('/sign-ups', { id: 'form 1', email: 'ann@example.org' });
  await box.waitFor({ to: 'team@shop.example.com', subject: /^Your code is/ });
  expect(emulator.messages({ to: 'ann@example.org' })).toEqual([]);
  expect(emulator.messages()[0]?.headers['X-Original-Recipients']).toBe('to: ann@example.org');
});

test('staging writes to colleagues', async () => {
  const { box, visitor } = startShop('staging');
  await visitor().post('/sign-ups', { id: 'form 1', email: 'bob@shop.example.com' });
  await box.waitFor({ to: 'bob@shop.example.com', subject: /^Your code is/ });
});

test('production writes to everybody', async () => {
  const { box, visitor } = startShop('production');
  await visitor().post('/sign-ups', { id: 'form 1', email: 'ann@example.org' });
  await box.waitFor({ to: 'ann@example.org', subject: /^Your code is/ });
});
