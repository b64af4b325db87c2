import { EmailPlatform } from 'email-platform';
import { proxyHosts } from 'email-platform/proxy';

/** The test inbox, from the server. */
export const inbox = Number(document.body.dataset.inbox);

/** The client has no token: the proxy adds it. The proxy also retries and throttles, so this client does not. */
export const client = new EmailPlatform({
  hosts: proxyHosts('/email'),
  sandboxInboxId: inbox,
  timeoutMs: 10_000,
});
