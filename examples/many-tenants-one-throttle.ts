/**
 * One process that acts for many tenants, each with its own token and account. They share one throttle: all clients of a
 * tenant keep to the tenant's limit together, and no tenant waits for another.
 *
 *     npx tsx examples/many-tenants-one-throttle.ts
 */
import { createThrottle, EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { green, heading, line, red, row } from './print.ts';

// The service's own limit is 150 requests in 10 seconds; a smaller one makes this quick. It is counted in a sliding
// window, which leaves a client the least room for error.
const limits = { token: { requests: 20, perMs: 1_000 } };
const emulator = createEmulator({ seed: 'demo', limits, window: 'sliding' });
const { hosts, fetch } = emulator.clientOptions();

const tenants = ['Aster', 'Begonia', 'Clover'].map((name, place) => {
  const accountId = 1101 + place;
  return { name, accountId, token: emulator.createToken({ accountId }) };
});
type Tenant = (typeof tenants)[number];

/** A client for each call, as in a web server that makes one for each request. */
const throttle = createThrottle({ limits });
const clientFor = ({ token, accountId }: Tenant) =>
  new EmailPlatform({ token, accountId, hosts, fetch, throttle });

/** Makes calls for a tenant, each through its own client. Returns the seconds until all are done. */
async function serve(tenant: Tenant, calls: number): Promise<number> {
  const start = performance.now();
  await Promise.all(Array.from({ length: calls }, () => clientFor(tenant).campaigns.list()));
  return (performance.now() - start) / 1000;
}

const refused = () => emulator.requests.filter(({ status }) => status === 429).length;

heading('Three tenants at once; each may send 20 requests a second');
const work = [50, 20, 5];
await Promise.all(
  tenants.map(async (tenant, place) => {
    const calls = work[place] ?? 0;
    const seconds = await serve(tenant, calls);
    row(
      tenant.name,
      `${String(calls).padStart(2)} calls through ${calls} clients, all done after ${seconds.toFixed(1)} s`,
    );
  }),
);
row('refused', green(String(refused())));

heading('What is used, according to a new client');
for (const tenant of tenants) {
  const { used = 0, requests = 0 } = clientFor(tenant).limits.snapshot().token ?? {};
  row(tenant.name, `${used} of ${requests} used`);
}

heading('The same without sharing: each client has its own throttle');
const before = refused();
const token = emulator.createToken({ accountId: 1104 });
const strangers = Array.from({ length: 40 }, () => new EmailPlatform({ token, hosts, fetch }));
await Promise.all(strangers.map((client) => client.campaigns.list()));
row('refused', red(String(refused() - before)));
line('Each was retried when the service said so, and succeeded in the end.');
