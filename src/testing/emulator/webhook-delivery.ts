import type { DeliverPost } from '../service/state/posts/posts.ts';
import type { EmulatorWebhookOptions } from '../service/state/posts/webhooks.ts';
import { isAllowedHost } from '../common/allowed-hosts.ts';

/**
 * Delivers posts of webhooks: to `options.receive` if it is set; over HTTP if the emulator listens, but only to this
 * machine and `options.hosts`. Otherwise, sends nothing and reports success.
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
    const { url, method, headers } = request;
    // As text, so that the post says its length.
    const body = await request.text();
    const post = new Request(url, { method, headers, body });
    return fetch(post, { redirect: 'manual', signal: AbortSignal.timeout(30_000) });
  };
}
