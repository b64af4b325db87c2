import { EmailPlatform } from 'email-platform';
import { proxyHosts } from 'email-platform/proxy';

/** The test inbox, as the server says. */
export const inbox = Number(document.body.dataset.inbox);

/** It has no token: the proxy adds it. The proxy also retries and keeps to the limits, so this client does neither. */
export const client = new EmailPlatform({
  hosts: proxyHosts('/email'),
  sandboxInboxId: inbox,
  timeoutMs: 10_000,
});
