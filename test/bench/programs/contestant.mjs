// One client in a process of its own, which sends requests when its parent asks it to, and says what each of them cost.
// Arguments: the client's name, the address of its server, the entry of the installed package.
import { pathToFileURL } from 'node:url';

const [name, origin, entry] = process.argv.slice(2);

const headers = { authorization: 'Bearer token', accept: 'application/json' };
const one = `${origin}/api/email_campaigns/1`;
const page = `${origin}/api/email_campaigns?per_page=100`;
const email = {
  from: { email: 'hello@example.com', name: 'Example' },
  to: [{ email: 'ann@example.org' }],
  subject: 'Welcome',
  text: 'Good to have you here.',
};

/** The scenarios of a client of the package, whose options are the defaults but for the limits: they would pace it. */
async function clientWith(options) {
  const { EmailPlatform } = await import(pathToFileURL(entry).href);
  const client = new EmailPlatform({
    token: 'token',
    hosts: { api: origin, send: origin },
    throttle: { limits: { token: { requests: 1_000_000, perMs: 10_000 } } },
    ...options,
  });
  return {
    'one campaign': () => client.campaigns.get(1),
    'page of 100': async () => (await client.campaigns.list({ per_page: 100 })).items,
    'one email': () => client.sending.send(email),
  };
}

const nothing = () => undefined;
const contestants = {
  fetch: () => ({
    'one campaign': async () => (await (await fetch(one, { headers })).json()).data,
    'page of 100': async () => (await (await fetch(page, { headers })).json()).data,
    'one email': async () => {
      const response = await fetch(`${origin}/api/send`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(email),
      });
      return response.json();
    },
  }),
  ky: async () => {
    const { default: ky } = await import('ky');
    return {
      'one campaign': async () => (await ky(one, { headers }).json()).data,
      'page of 100': async () => (await ky(page, { headers }).json()).data,
      'one email': () => ky.post(`${origin}/api/send`, { headers, json: email }).json(),
    };
  },
  client: () => clientWith(),
  'client again': () => clientWith(),
  'client, all hooks': async () =>
    clientWith({
      // As built from this checkout: beside the installed package there is no zod.
      schemas: await import('../../../dist/schemas/index.js'),
      hooks: {
        onRequest: nothing,
        onResponse: nothing,
        onRetry: nothing,
        onThrottle: nothing,
        onMismatch: nothing,
      },
    }),
};

const scenarios = await contestants[name]();

process.on('message', async ({ scenario, requests }) => {
  const call = scenarios[scenario];
  const start = performance.now();
  const cpu = process.cpuUsage();
  for (let n = 0; n < requests; n += 1) await call();
  const { user, system } = process.cpuUsage(cpu);
  const wallUs = ((performance.now() - start) * 1000) / requests;
  process.send({ wallUs, cpuUs: (user + system) / requests });
});
process.on('disconnect', () => process.exit());
process.send('ready');
