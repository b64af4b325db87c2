import type { DeliverPost } from './areas/webhooks/posts.ts';
import type { EmulatorWebhookOptions } from './areas/webhooks/store.ts';
import { isAllowedHost } from './http/allowed-hosts.ts';

/**
 * Delivers posts of webhooks: to the function that receives them, if there is one; over HTTP, if the emulator listens, and
 * then only to this machine and the hosts that are named; otherwise nowhere, and all are received.
 */
export function webhookDelivery(
  options: EmulatorWebhookOptions = {},
  isListening: () => boolean,
): DeliverPost {
  const { receive, hosts = [] } = options;
  return async (request) => {
    if (receive !== undefined) return receive(request);
    if (!isListening()) return new Response(null, { status: 200 });
    if (!isAllowedHost(new URL(request.url).host, hosts)) {
      throw new Error('The emulator posts to other machines only if `webhooks.hosts` names them');
    }
    return fetch(request, { redirect: 'manual', signal: AbortSignal.timeout(30_000) });
  };
}
