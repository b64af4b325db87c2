/** The shop's emails: each has a template, which types its variables, and a key, by which it is sent once. */
import type { EmailPlatform } from 'email-platform';
import { emails } from './emails.ts';
import type { Order } from './orders.ts';
import { CODE_MINUTES, type SignUp } from './sign-ups.ts';

/** The emails that the shop sends. */
export type Mails = ReturnType<typeof createMails>;

/** The key of an order's receipt, by which its delivery is found too. */
export const receiptKey = (id: string) => `order/${id}/receipt`;

/** `origin` is the shop's own, such as `https://shop.example.com`: emails link to it. */
export function createMails(client: EmailPlatform, origin: string) {
  const templates = emails(client);
  return {
    signUpCode: ({ id, email, code }: SignUp) =>
      client.sending.send(
        { to: email, ...templates.signUpCode({ code, minutes: CODE_MINUTES }) },
        { idempotencyKey: `sign-up/${id}/code` },
      ),

    receipt: ({ id, email, product, quantity, cents }: Order) =>
      client.sending.send(
        {
          to: email,
          ...templates.receipt({
            product,
            quantity,
            total: `${(cents / 100).toFixed(2)} €`,
            url: `${origin}/orders/${id}`,
          }),
        },
        { idempotencyKey: receiptKey(id) },
      ),
  };
}
