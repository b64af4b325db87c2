import { AsyncLocalStorage } from 'node:async_hooks';
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { expect, test } from 'vitest';

const tenants = new AsyncLocalStorage<string>();
const emails = function* () {
  seen.push(`source of ${tenants.getStore()}`);
  yield { from: 'a@mail.example.com', to: 'ann@example.org', subject: 'S', text: 'T' };
};
let seen: string[] = [];

const emulator = createEmulator({ seed: 'demo', contacts: { importMs: 1 } });
const { token, ...options } = emulator.clientOptions();
const client = new EmailPlatform({
  ...options,
  token: () => {
    seen.push(`token of ${tenants.getStore()}`);
    return token;
  },
});

interface Drained {
  readonly [Symbol.asyncIterator]: () => AsyncIterator<unknown>;
}
async function drain(items: Drained): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  while ((await iterator.next()).done !== true) continue;
}

test.each<[string, () => unknown, (made: never) => PromiseLike<unknown>]>([
  ['a list is awaited', () => client.campaigns.list(), (list: PromiseLike<unknown>) => list],
  [
    'a list is iterated, page by page',
    () => client.campaigns.list({ per_page: 100 }),
    (list: Drained) => drain(list),
  ],
  [
    'a list is read with its response',
    () => client.campaigns.list(),
    (list: { withResponse: () => Promise<unknown> }) => list.withResponse(),
  ],
  ['a batch is awaited', () => client.sending.batchAll(emails()), (run: PromiseLike<unknown>) => run],
  ['a batch is iterated', () => client.sending.batchAll(emails()), (run: Drained) => drain(run)],
  [
    'imports are iterated',
    () => client.contacts.imports.run([{ email: 'ann@example.org' }], { pollMs: 1 }),
    (run: Drained) => drain(run),
  ],
  ['a call is awaited', () => client.sendingDomains.list(), (call: PromiseLike<unknown>) => call],
])('%s in another context than that in which it was made', async (_, make, use) => {
  seen = [];
  const made = tenants.run('the maker', () => ({ call: make() }));
  await tenants.run('another', async () => use(made.call as never));
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.filter((by) => !by.endsWith('of the maker'))).toEqual([]);
  seen = [];
  await tenants.exit(async () => use({ call: tenants.run('the maker', make) }.call as never));
  expect(seen.filter((by) => !by.endsWith('of the maker'))).toEqual([]);
});
