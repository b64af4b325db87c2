/** Receives the service's events: they settle the keys of emails whose response was lost, and tell what was delivered. */
import type { Journal } from 'email-platform/journal';
import { readWebhook, WebhookPayloadError, WebhookSignatureError } from 'email-platform/webhooks';
import { Hono } from 'hono';
import type { Orders } from './orders.ts';

const RECEIPTS: Readonly<Record<string, 'delivered' | 'bounced'>> = {
  delivery: 'delivered',
  bounce: 'bounced',
};

/** `secret` is the webhook's signing secret. */
export function webhooks(journal: Journal, orders: Orders, secret: string): Hono {
  const routes = new Hono();

  routes.post('/', async (context) => {
    for (const event of await readWebhook(context.req.raw, { secret })) {
      await journal.settleFrom(event);
      if (event.kind !== 'sending') continue;
      const { [event.event_type]: receipt } = RECEIPTS;
      const order = event.custom_variables?.order;
      if (receipt !== undefined && typeof order === 'string') orders.receiptEvent(order, receipt);
    }
    return context.body(null, 200);
  });

  routes.onError((error, context) => {
    if (error instanceof WebhookSignatureError) return context.body(null, 401);
    if (error instanceof WebhookPayloadError) return context.body(null, 400);
    // The service posts the events again.
    console.error(error);
    return context.body(null, 503);
  });

  return routes;
}
