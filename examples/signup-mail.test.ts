/**
 * An end-to-end test: it signs up at an application, waits for the mail, and follows the link in it. Copy it into your
 * tests. To run it against the service, use `mailbox(client)`, with a client for the token, the account and the inbox of
 * your own sandbox, and an application with `stream: 'sandbox'`.
 *
 *     npx vitest run examples/signup-mail.test.ts
 */
import { EmailPlatform } from 'email-platform';
import { createEmulator, mailbox } from 'email-platform/testing';
import { afterAll, expect, test } from 'vitest';
import { startShop } from './signup-shop.ts';

const emulator = createEmulator();
const shop = await startShop(new EmailPlatform(emulator.clientOptions()));
const box = mailbox(emulator);
afterAll(() => {
  shop.close();
});

test('a person who signs up gets an email with a link that confirms the address', async () => {
  const ann = box.address('ann');
  await fetch(`${shop.url}/signup?email=${encodeURIComponent(ann)}`, { method: 'POST' });
  const mail = await box.waitFor({ to: ann, subject: 'Confirm your address' });
  expect(shop.confirmed).not.toContain(ann);
  await fetch(mail.link('Confirm your address'));
  expect(shop.confirmed).toContain(ann);
});
