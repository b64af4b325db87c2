import { EmailPlatform } from 'email-platform';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { fillEndpoint } from '../../src/core/path.ts';
import { queryString } from '../../src/core/query.ts';
import type { DeclaredEndpoint } from '../../src/resources/endpoints.ts';

/** The account of every emulator. */
const ACCOUNT_ID = 1001;

/** Arguments of paths that lead to a record of the emulator, by name. */
async function recordsOf(emulator: Emulator): Promise<Record<string, unknown>> {
  const client = new EmailPlatform({ ...emulator.clientOptions(), throttle: false });
  // A campaign with statistics.
  const campaign = (await client.campaigns.list()).items.find((one) => one.current_state === 'finished');
  const folder = await client.inbound.folders.create({ name: 'a' });
  const inbox = await client.inbound.inboxes.create(folder.id, { name: 'a' });
  const [sandbox] = (await client.sandbox.inboxes.list()).items;
  const mail = { from: 'a@example.com', to: 'b@example.org', subject: 'S', text: 'T' };
  await client.sending.send(mail, { stream: 'sandbox', sandboxInboxId: sandbox?.id });
  const [message] = (await client.sandbox.messages.list(sandbox?.id ?? 0)).items;
  return { id: campaign?.id, inboxId: inbox.id, inbox: sandbox?.id, message: message?.id };
}

/** The names that the emulator reads from a query while a function runs. */
async function lookedUp(run: () => Promise<unknown>): Promise<Set<string>> {
  const names = new Set<string>();
  const { prototype } = URLSearchParams;
  const { get, getAll } = Object.getOwnPropertyDescriptors(prototype);
  try {
    for (const [method, { value }] of Object.entries({ get, getAll }))
      Object.defineProperty(prototype, method, {
        configurable: true,
        writable: true,
        value(this: URLSearchParams, name: string): unknown {
          names.add(name);
          return (value as (name: string) => unknown).call(this, name);
        },
      });
    await run();
  } finally {
    Object.defineProperties(prototype, { get, getAll });
  }
  return names;
}

/** An emulator with records, and a function that returns the names that it reads from the query of an endpoint. */
export async function queryReader(): Promise<(endpoint: DeclaredEndpoint) => Promise<ReadonlySet<string>>> {
  const emulator = createEmulator({ limits: false, seed: 'demo' });
  const { token, hosts } = emulator.clientOptions();
  const records = await recordsOf(emulator);
  return (endpoint) =>
    lookedUp(async () => {
      // The statistics of all days, so that every filter is read.
      const days = endpoint.params?.fields.includes('end_date') && {
        start_date: '2000-01-01',
        end_date: '2099-12-31',
      };
      const query = queryString({ ...days });
      for (const account of [undefined, ACCOUNT_ID]) {
        const { path } = fillEndpoint(endpoint.template, records, account);
        const response = await emulator.fetch(`${hosts.api}${path}${query}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        if (!response.ok)
          throw new Error(`${endpoint.operation}: GET ${path} has no record (${response.status}).`);
      }
    });
}
