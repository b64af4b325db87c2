import type { EmailPlatform, BatchRequest } from 'email-platform';
import { expect, test } from 'vitest';
import { emulated } from '../support/contacts-service.ts';
import { json, scriptedFetch } from '../support/scripted-fetch.ts';
import { throughItsWaits, virtualClient } from '../support/virtual-client.ts';
import { mailTo } from './sending/batch-runs.ts';

/** Yields one item, and then rejects with this reason. */
async function* failingAfter<T>(item: T, reason: unknown): AsyncGenerator<T> {
  yield item;
  // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a source may reject with anything
  await Promise.reject(reason);
}

/** Reads a run to its end: the statuses of its outcomes, and whether it failed. */
async function ended(run: AsyncIterable<{ readonly status: string }>) {
  const statuses: string[] = [];
  const failure = await (async () => {
    for await (const { status } of run) statuses.push(status);
  })().then(
    () => 'none',
    (reason: unknown) => ({ reason }),
  );
  return { statuses, failure };
}

const REASONS = [undefined, null, 0, '', false, 'text', new Error('a real one')];

test.each(REASONS)(
  'an input of batchAll that rejects with %o has failed, and the loop says so',
  async (reason) => {
    const { fetch, sent } = scriptedFetch(
      json(200, { success: true, responses: [{ success: true, message_ids: ['a'] }] }),
    );
    const { client } = virtualClient({ fetch, hosts: { send: 'https://send.test' } });
    const run = client.sending.batchAll(failingAfter<BatchRequest>(mailTo(1), reason));
    expect(await ended(run)).toEqual({ statuses: ['accepted'], failure: { reason } });
    expect(sent).toHaveLength(1);
  },
);

test.each(REASONS)(
  'an input of imports.run that rejects with %o has failed, and the loop says so',
  async (reason) => {
    const { client, emulator, time } = emulated();
    const contacts = failingAfter<EmailPlatform.ContactImportItem>({ email: 'ann@example.org' }, reason);
    const run = client.contacts.imports.run(contacts);
    expect(await throughItsWaits(time, ended(run))).toEqual({ statuses: ['finished'], failure: { reason } });
    expect(emulator.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  },
);
