/** The limit is used up for ten minutes, a queued call was aborted, and no call is left. */
import { AbortedError, EmailPlatform } from 'email-platform';

const client = new EmailPlatform({
  throttle: { limits: { token: { requests: 2, perMs: 600_000 } } },
  timeoutMs: 600_000,
  deadlineMs: 600_000,
});
const controller = new AbortController();
const third = Promise.all([client.campaigns.list(), client.campaigns.list()]).then(() => {
  setTimeout(() => controller.abort(), 100);
  return client.campaigns.list({}, { signal: controller.signal });
});
void third.then(
  () => process.stdout.write('not aborted\n'),
  (error: unknown) => {
    const { used, requests } = client.limits.snapshot().token ?? {};
    if (error instanceof AbortedError) process.stdout.write(`${used ?? NaN} of ${requests ?? NaN} used\n`);
  },
);
