/**
 * A function that turns the error of a call into advice, applied to one failure of each kind.
 *
 *     npx tsx examples/errors-by-class.ts
 */
import {
  AbortedError,
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  EmailPlatform,
  EmailPlatformError,
  InvalidRequestError,
  LifecycleError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
  type RequestOptions,
} from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { bold, dim, line } from './print.ts';

/** Advice for an error. Tests the classes from the most specific to the most general. */
function advice(error: unknown): string {
  if (error instanceof InvalidRequestError) {
    return `fix the call: ${error.issues.map(({ path, message }) => `${path} ${message}`).join(', ')}`;
  }
  if (error instanceof ValidationError) return `show it at the field: ${JSON.stringify(error.fieldErrors)}`;
  if (error instanceof LifecycleError) return `show the reasons: ${error.reasons.join('; ')}`;
  if (error instanceof AuthenticationError) return 'replace the token';
  if (error instanceof PermissionDeniedError) return 'ask for a token with more permissions';
  if (error instanceof NotFoundError) return 'treat it as gone';
  if (error instanceof RateLimitError) return `come back in ${error.retryAfterMs ?? 'a few thousand'} ms`;
  if (error instanceof AbortedError) return 'do nothing: we aborted it ourselves';
  if (error instanceof ConfigurationError) return `correct the option ${error.option}`;
  // No response, or no valid one. Whether to try again depends on what the service may have done.
  if (error instanceof ServerError || error instanceof ConnectionError || error instanceof TimeoutError) {
    return error.effect === 'none' ? 'try again later' : 'find out whether it was done, then decide';
  }
  if (error instanceof EmailPlatformError) return `report it: ${error.code}`;
  throw error;
}

const emulator = createEmulator();
const client = new EmailPlatform(emulator.clientOptions());
const [verified] = emulator.domains.list();
const id = emulator.campaigns.add({ name: 'Weekly digest', domain_id: verified?.id });
const create = (options?: RequestOptions) =>
  client.campaigns.create(
    {
      name: 'Monthly digest',
      domain_id: verified?.id ?? 0,
      from_local_part: 'news',
      template_attributes: { subject: 'This month' },
    },
    options,
  );

/** Runs a call that should fail, and prints the error and the advice. */
async function attempt(what: string, call: () => PromiseLike<unknown>): Promise<void> {
  try {
    await call();
    line(`${what}: it succeeded, which was not the plan`);
  } catch (error) {
    const [name, effect] = error instanceof EmailPlatformError ? [error.name, error.effect] : [];
    console.log(`\n${bold(name ?? 'An unknown error')}  ${dim(`${what}; effect ${effect ?? 'unknown'}`)}`);
    line(error instanceof Error ? error.message : String(error));
    line(`→ ${advice(error)}`);
  }
}

await attempt('a page that is too large', () => client.campaigns.list({ per_page: 500 }));
await attempt('an empty name', () => client.campaigns.update(id, { name: '' }));
await attempt('cancel a campaign that is not scheduled', () => client.campaigns.cancel(id));
await attempt('a campaign that does not exist', () => client.campaigns.get(404));
await attempt('an invalid token', () => client.withOptions({ token: 'wrong' }).campaigns.get(id));
await attempt('a token that may only read', () => {
  const token = emulator.createToken({ permissions: { campaigns: 'viewer' } });
  return client.withOptions({ token }).campaigns.delete(id);
});
await attempt('an address without TLS', () =>
  client.withOptions({ hosts: { api: 'http://api.example.com' } }).campaigns.get(id),
);
await attempt('a signal that is already aborted', () =>
  client.campaigns.get(id, { signal: AbortSignal.abort() }),
);
await attempt('an unknown host', () =>
  client.withOptions({ hosts: { api: 'https://nobody.invalid' } }).campaigns.get(id, { retry: false }),
);

emulator.faults.next({ kind: 'html' });
await attempt('a gateway that fails', () => create());

emulator.faults.next({ kind: 'reset-after' });
await attempt('a connection that breaks', () => create());

emulator.faults.next({ kind: 'stall' });
await attempt('no response in time', () => create({ timeoutMs: 100 }));

emulator.faults.next({
  kind: 'status',
  status: 429,
  headers: { 'retry-after': '7' },
  body: { error: 'Throttled' },
});
await attempt('a limit that another client has used up', () => client.campaigns.get(id, { retry: false }));

const sent = emulator.requests.filter(
  ({ method, path }) => method === 'POST' && path === '/api/email_campaigns',
);
console.log(
  `\n${dim(`create was called 3 times and sent ${sent.length} times: it is never retried on a guess.`)}`,
);
