import { expect, test } from '@playwright/test';
import { connectEmulator, mailbox } from 'email-platform/testing';

const { EMAIL_PLATFORM_CONTROL_URL: url = '', EMAIL_PLATFORM_CONTROL_TOKEN: controlToken = '' } = process.env;
const emulator = connectEmulator(url, { controlToken });
const box = mailbox(emulator);

test('a person signs up with the code, orders, and comes back from the receipt', async ({ page }) => {
  const ann = box.address('ann');
  await page.goto('/');
  await page.getByLabel('Email').fill(ann);
  await page.getByRole('button', { name: 'Sign up' }).click();

  const mail = await box.waitFor({ to: ann, subject: /^Your code is/ });
  await page.getByLabel('Code').fill(mail.code());
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText(`You are ${ann}`)).toBeVisible();

  await page.getByLabel('Product').selectOption('Bean seeds');
  await page.getByLabel('Quantity').fill('3');
  await page.getByRole('button', { name: 'Order' }).click();
  const receipt = await box.waitFor({ to: ann, subject: 'Your receipt: Bean seeds' });
  await emulator.clock.advance(5_000);
  await emulator.webhooks.settled();
  await page.goto(receipt.link('Look at your order'));
  await expect(page.getByText('3 × Bean seeds')).toBeVisible();
  await expect(page.getByText('Your receipt was delivered.')).toBeVisible();
});
