// The messages of the tracing channels for two calls, the first with one retry. A store is bound to one of the channels.
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel';
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';

const PHASES = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];

/** Two calls of a client, and the store that their requests are made in. */
async function calls(store) {
  const emulator = createEmulator();
  const { fetch, ...options } = emulator.clientOptions();
  const stores = [];
  const noting = (input, init) => {
    stores.push(store.getStore());
    return fetch(input, init);
  };
  const client = new EmailPlatform({ ...options, fetch: noting });
  emulator.faults.next({ kind: 'html' });
  await client.campaigns.get(emulator.campaigns.add());
  await client.campaigns.get(9_999_999).catch(() => undefined);
  return stores;
}

/** Everything that is said, in one object. */
export async function traced() {
  const store = new AsyncLocalStorage();
  const channel = tracingChannel('email-platform:call');
  channel.start.bindStore(store, ({ operation }) => operation);
  const withStoreAlone = await calls(store);
  const heard = { call: [], attempt: [] };
  const endings = [];
  const listeners = Object.keys(heard).flatMap((name) =>
    PHASES.map((phase) => {
      const note = ({ template, status, attempts, attempt, error }) => {
        heard[name].push(phase);
        if (phase === 'asyncEnd')
          endings.push([template, status, attempts ?? attempt, error?.code].join(' '));
      };
      return [`tracing:email-platform:${name}:${phase}`, note];
    }),
  );
  for (const listener of listeners) subscribe(...listener);
  const withListeners = await calls(store);
  for (const listener of listeners) unsubscribe(...listener);
  const outside = store.getStore() ?? 'none';
  return {
    ...heard,
    endings,
    withStoreAlone: withStoreAlone.map(String),
    withListeners: withListeners.map(String),
    outside,
  };
}
