// The clients that are compared, and the calls that each of them makes.
import { pathToFileURL } from 'node:url';

const headers = { authorization: 'Bearer token', accept: 'application/json' };
const one = '/api/email_campaigns/1';
const page = '/api/email_campaigns?per_page=100';
const email = {
  from: { email: 'hello@example.com', name: 'Example' },
  to: [{ email: 'ann@example.org' }],
  subject: 'Welcome',
  text: 'Good to have you here.',
};

/** The scenarios of a client of the package, whose options are the defaults but for the limits: they would pace it. */
async function clientWith(origin, entry, options) {
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
  fetch: (origin) => ({
    'one campaign': async () => (await (await fetch(origin + one, { headers })).json()).data,
    'page of 100': async () => (await (await fetch(origin + page, { headers })).json()).data,
    'one email': async () => {
      const response = await fetch(`${origin}/api/send`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(email),
      });
      return response.json();
    },
  }),
  ky: async (origin) => {
    const { default: ky } = await import('ky');
    return {
      'one campaign': async () => (await ky(origin + one, { headers }).json()).data,
      'page of 100': async () => (await ky(origin + page, { headers }).json()).data,
      'one email': () => ky.post(`${origin}/api/send`, { headers, json: email }).json(),
    };
  },
  client: (origin, entry) => clientWith(origin, entry),
  'client again': (origin, entry) => clientWith(origin, entry),
  'client, all hooks': async (origin, entry) =>
    clientWith(origin, entry, {
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

/** The calls of a client by their scenario. `entry` is that of the installed package. */
export const scenariosOf = (name, origin, entry) => contestants[name](origin, entry);
