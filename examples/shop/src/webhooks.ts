/** Receives the service's events: they settle the keys of emails whose response was lost, and tell what was delivered. */
import type { Deliveries } from 'email-platform/journal';
import { readWebhook, WebhookPayloadError, WebhookSignatureError } from 'email-platform/webhooks';
import { Hono } from 'hono';

/** `secret` is the webhook's signing secret. */
export function webhooks(deliveries: Deliveries, secret: string): Hono {
  const routes = new Hono();

  routes.post('/', async (context) => {
    await deliveries.record(await readWebhook(context.req.raw, { secret }));
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
