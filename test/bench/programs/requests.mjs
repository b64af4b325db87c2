// Takes turns with several clients against one server, and prints what each turn cost per request, as JSON.
import { pathToFileURL } from 'node:url';
import { inTurn } from './in-turn.mjs';
import ky from 'ky';

const [origin, entry, rounds, requests] = process.argv.slice(2);
const { EmailPlatform } = await import(pathToFileURL(entry).href);

// As built from this checkout: beside the installed package there is no zod.
const schemas = await import('../../../dist/schemas/index.js');

const headers = { authorization: 'Bearer token', accept: 'application/json' };
const limits = Object.fromEntries(
  ['token', 'contacts', 'stats'].map((pool) => [pool, { requests: 1_000_000, perMs: 10_000 }]),
);
const options = { token: 'token', hosts: { api: origin }, throttle: { limits } };
const client = new EmailPlatform(options);
const nothing = () => undefined;
const watched = new EmailPlatform({
  ...options,
  schemas,
  hooks: {
    onRequest: nothing,
    onResponse: nothing,
    onRetry: nothing,
    onThrottle: nothing,
    onMismatch: nothing,
  },
});

const one = `${origin}/api/email_campaigns/1`;
const page = `${origin}/api/email_campaigns?per_page=100`;
const scenarios = {
  'one campaign': {
    fetch: async () => (await (await fetch(one, { headers })).json()).data,
    ky: async () => (await ky(one, { headers }).json()).data,
    client: () => client.campaigns.get(1),
    'client, all hooks': () => watched.campaigns.get(1),
  },
  'page of 100': {
    fetch: async () => (await (await fetch(page, { headers })).json()).data,
    ky: async () => (await ky(page, { headers }).json()).data,
    client: async () => (await client.campaigns.list({ per_page: 100 })).items,
    'client, all hooks': async () => (await watched.campaigns.list({ per_page: 100 })).items,
  },
};

process.stdout.write(JSON.stringify(await inTurn(scenarios, Number(rounds), Number(requests))));
