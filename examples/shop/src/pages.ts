/** The pages of the shop. */
import { randomUUID } from 'node:crypto';
import { html } from 'hono/html';
import type { Delivery, DeliveryStatus } from 'email-platform/journal';
import { PRICES, type Order } from './orders.ts';

/** A page, or a part of one, whose values are escaped. */
export type Page = ReturnType<typeof html>;

const RECEIPTS: Readonly<Record<DeliveryStatus, string>> = {
  accepted: 'Your receipt is on its way.',
  delayed: 'Your receipt is on its way. Your mail server has not taken it yet.',
  delivered: 'Your receipt was delivered.',
  complained: 'Your receipt was delivered.',
  unsubscribed: 'Your receipt was delivered.',
  bounced: 'Your receipt could not be delivered.',
  rejected: 'Your receipt could not be delivered.',
};

const page = (content: Page): Page => html`
  <!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>The Gardeners</title>
      <style>
        body {
          font-family: system-ui, sans-serif;
          max-width: 30rem;
          margin: 2rem auto;
          padding: 0 1rem;
        }
        label {
          display: block;
          margin: 1rem 0;
        }
      </style>
    </head>
    <body>
      <main>
        <h1>The Gardeners</h1>
        ${content}
      </main>
    </body>
  </html>
`;

/** An id for a form: the same form that is submitted twice is recognized by it. */
const formId = () => html`<input type="hidden" name="id" value="${randomUUID()}" />`;

/** A line of text. */
export const messagePage = (text: string): Page => page(html`<p role="status">${text}</p>`);

/** The form for an address. */
export const signUpPage = (): Page =>
  page(
    html`<form method="post" action="/sign-ups">
      ${formId()}
      <label>Email <input type="email" name="email" autocomplete="email" required /></label>
      <button>Sign up</button>
    </form>`,
  );

/** The form for the code. */
export const codePage = (signUp: string, problem = ''): Page =>
  page(
    html`<form method="post" action="/sign-ups/${signUp}">
      <p>We sent you a code.</p>
      <p role="alert">${problem}</p>
      <label>Code <input name="code" inputmode="numeric" autocomplete="one-time-code" required /></label>
      <button>Confirm</button>
    </form>`,
  );

/** The form for an order. */
export const shopPage = (email: string): Page =>
  page(
    html`<p>You are ${email}.</p>
      <form method="post" action="/orders">
        ${formId()}
        <label>
          Product
          <select name="product">
            ${[...PRICES.keys()].map((product) => html`<option>${product}</option>`)}
          </select>
        </label>
        <label>Quantity <input type="number" name="quantity" value="1" min="1" max="99" /></label>
        <button>Order</button>
      </form>
      <form method="post" action="/news"><button>Send me the news</button></form>`,
  );

/** The page of an unsubscribe link. Its button posts what a provider posts. */
export const unsubscribePage = (): Page =>
  page(
    html`<form method="post">
      <input type="hidden" name="List-Unsubscribe" value="One-Click" />
      <button>Unsubscribe from the news</button>
    </form>`,
  );

/** An order, and what became of its receipt. */
export const orderPage = ({ product, quantity }: Order, receipt: Delivery | undefined): Page =>
  page(
    html`<h2>Thank you for your order</h2>
      <p>${quantity} × ${product}</p>
      <p role="status">${receipt === undefined ? 'Your receipt follows.' : RECEIPTS[receipt.status]}</p>`,
  );
