/** A call that waits before a retry, and nothing else that keeps the process alive. */
import { EmailPlatform } from 'email-platform';

const client = new EmailPlatform({
  throttle: false,
  timeoutMs: 600_000,
  hooks: { onRetry: ({ reason }) => void process.stdout.write(`${reason}\n`) },
});
void client.campaigns.list().then(({ items }) => {
  process.stdout.write(`${items.length} campaigns\n`);
});
