// Many tenants, each with a token of its own and calls that wait, on one throttle. Prints as JSON what each call cost: to be
// made, and to be sent once its tenant's limit has room. Arguments: the entry of the package, tenants, rounds.
import { pathToFileURL } from 'node:url';

const [entry, tenants, rounds] = process.argv.slice(2).map((word, n) => (n === 0 ? word : Number(word)));
const { EmailPlatform, createThrottle } = await import(pathToFileURL(entry).href);

/** Calls of each tenant: one is sent at once, the others wait for it. */
const CALLS = 3;

const cpuUs = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

async function round(count) {
  // One request at a time for each tenant; room again a millisecond after its response.
  const throttle = createThrottle({ limits: { token: { requests: 1, perMs: 1 } } });
  let open;
  const opened = new Promise((resolve) => (open = resolve));
  const root = new EmailPlatform({
    token: 'token',
    hosts: { api: 'https://api.example.com' },
    throttle,
    timeoutMs: 2_000_000,
    fetch: () => opened.then(() => new Response(null, { status: 204 })),
  });
  const clients = Array.from({ length: count }, (_, n) => root.withOptions({ token: `token-${n}` }));
  const before = cpuUs();
  const calls = clients.flatMap((client) => Array.from({ length: CALLS }, () => client.campaigns.delete(1)));
  const made = cpuUs();
  open();
  await Promise.all(calls);
  const ended = cpuUs();
  return { madeUs: (made - before) / calls.length, sentUs: (ended - made) / calls.length };
}

// Warms up the JIT compiler.
await round(200);
const results = [];
for (let n = 0; n < rounds; n += 1) results.push(await round(tenants));
process.stdout.write(JSON.stringify(results));
