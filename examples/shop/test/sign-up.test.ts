import { expect, test } from 'vitest';
import { startShop } from './shop.ts';

test('the code in the email confirms the address', async () => {
  const { box, visitor, emulator } = startShop();
  const ann = visitor();
  const email = box.address('ann');
  const { headers } = await ann.post('/sign-ups', { id: 'form 1', email });
  const mail = await box.waitFor({ to: email, subject: /^Your code is/ });

  expect(await (await ann.get('/')).text()).not.toContain(email);
  await ann.post(headers.get('location') ?? '', { code: mail.code() });
  expect(await (await ann.get('/')).text()).toContain(`You are ${email}`);
  // The template has a place for every variable, and a variable for every place.
  expect(emulator.messages()[0]?.template).toMatchObject({ missing: [], unused: [] });
});

test('a form that is submitted twice sends one code', async () => {
  const { box, visitor, emulator } = startShop();
  const form = { id: 'form 1', email: box.address('ann') };
  await visitor().post('/sign-ups', form);
  await visitor().post('/sign-ups', form);
  expect(emulator.messages()).toHaveLength(1);
});

test('a form with a corrected address is another sign-up', async () => {
  const { box, visitor } = startShop();
  const bob = visitor();
  const email = box.address('bob');
  const first = await bob.post('/sign-ups', { id: 'form 1', email: box.address('bbo') });
  const second = await bob.post('/sign-ups', { id: 'form 1', email });
  expect(second.headers.get('location')).not.toBe(first.headers.get('location'));
  await bob.post(second.headers.get('location') ?? '', { code: (await box.waitFor({ to: email })).code() });
  expect(await (await bob.get('/')).text()).toContain(`You are ${email}`);
});

test('a code is accepted for ten minutes', async () => {
  const { box, visitor, emulator } = startShop();
  const ann = visitor();
  const email = box.address('ann');
  await ann.post('/sign-ups', { id: 'form 1', email });
  const code = (await box.waitFor({ to: email })).code();
  emulator.clock.advance(10 * 60_000);
  expect((await ann.post('/sign-ups/form%201', { code })).status).toBe(422);
  // The same form, submitted again, sends another code.
  const { headers } = await ann.post('/sign-ups', { id: 'form 1', email });
  await ann.post(headers.get('location') ?? '', { code: (await box.waitFor({ to: email })).code() });
  expect(await (await ann.get('/')).text()).toContain(`You are ${email}`);
});

test('five codes may be tried', async () => {
  const { box, visitor } = startShop();
  const ann = visitor();
  const email = box.address('ann');
  await ann.post('/sign-ups', { id: 'form 1', email });
  for (let attempt = 1; attempt <= 5; attempt += 1)
    expect((await ann.post('/sign-ups/form%201', { code: 'a guess' })).status).toBe(422);
  const code = (await box.waitFor({ to: email })).code();
  expect((await ann.post('/sign-ups/form%201', { code })).status).toBe(422);
});
