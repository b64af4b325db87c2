// Takes turns with the client and a proxy around it against one server, and prints what each request cost, as JSON.
import { pathToFileURL } from 'node:url';
import { inTurn } from './in-turn.mjs';

const [origin, dist, rounds, requests] = process.argv.slice(2);
const load = (entry) => import(pathToFileURL(`${dist}/${entry}`).href);
const { EmailPlatform } = await load('index.js');
const { createProxy } = await load('proxy/index.js');

const limits = Object.fromEntries(
  ['token', 'contacts', 'stats'].map((pool) => [pool, { requests: 1_000_000, perMs: 10_000 }]),
);
const client = new EmailPlatform({
  token: 'token-of-the-server',
  hosts: { api: origin },
  throttle: { limits },
});
const proxy = createProxy({
  client,
  basePath: '/email',
  allow: ['campaigns.*'],
  authorize: () => ({ visitor: 'ann' }),
});
const headers = { 'sec-fetch-site': 'same-origin', cookie: 'session=1', accept: 'application/json' };
const through = async (path) => {
  const response = await proxy(
    new Request(`https://app.test/email/api/api/email_campaigns${path}`, { headers }),
  );
  if (response.status !== 200) throw new Error(`status ${response.status}`);
  return response.text();
};

const one = () => client.campaigns.get(1);
const page = async () => (await client.campaigns.list({ per_page: 100 })).items;
const scenarios = {
  'one campaign': { client: one, 'client again': one, proxy: () => through('/1') },
  'page of 100': { client: page, 'client again': page, proxy: () => through('?per_page=100') },
};

process.stdout.write(JSON.stringify(await inTurn(scenarios, Number(rounds), Number(requests))));
