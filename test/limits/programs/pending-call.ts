/**
 * Two calls use up the limit, a third is queued, and nothing but the client keeps the process alive. It has to exit
 * by itself, although all three permits are still in use, and timeout and deadline are far away.
 */
import { EmailPlatform } from 'email-platform';

const client = new EmailPlatform({
  throttle: { limits: { token: { requests: 2, perMs: Number(process.argv[2]) } } },
  timeoutMs: 600_000,
  deadlineMs: 600_000,
});
for (let call = 1; call <= 3; call += 1) {
  void client.campaigns.list().then(() => {
    process.stdout.write(`answered, ${client.limits.snapshot().token?.waiting ?? NaN} waiting\n`);
  });
}
