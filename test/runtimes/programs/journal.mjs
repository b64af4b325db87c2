// Sends emails with keys: in a database of node:sqlite where there is one, otherwise in a store of this program.
import { EmailPlatform } from 'email-platform';
import { createJournal, sqliteJournal } from 'email-platform/journal';
import { createEmulator } from 'email-platform/testing';

/** As much of a store as this program needs: nobody else uses it, and no lease is ever over. */
function mapStore() {
  const rows = new Map();
  const entry = ({ attempt, hash, state, messageIds }, key) => ({
    ...{ key, hash, state, attempt, messageIds, stream: 'transactional', ageMs: 0, leaseLeftMs: 60_000 },
  });
  return {
    claim: async (claims) =>
      claims.map(({ key, hash, attempt }) => {
        const row = rows.get(key);
        if (row && row.state !== 'released') return entry(row, key);
        rows.set(key, { hash, attempt, state: 'claimed', messageIds: [] });
        return undefined;
      }),
    record: async (records) => {
      for (const { key, state, messageIds } of records) Object.assign(rows.get(key), { state, messageIds });
    },
    open: async () =>
      [...rows].filter(([, { state }]) => state === 'unknown').map(([key, row]) => entry(row, key)),
    forget: async () => 0,
  };
}

const sqlite = await import('node:sqlite').catch(() => undefined);
const journal = sqlite ? sqliteJournal(new sqlite.DatabaseSync(':memory:')) : createJournal(mapStore());
const emulator = createEmulator();
const client = new EmailPlatform({ ...emulator.clientOptions(), journal, retry: false });
const mail = { from: 'news@mail.example.com', to: 'ann@example.org', subject: 'Hi', text: 'Hello.' };

const said = [sqlite ? 'node:sqlite' : 'a store'];
const send = async (idempotencyKey, text = mail.text) => {
  const result = client.sending.send({ ...mail, text }, { idempotencyKey });
  const say = ({ replayed }) => (replayed ? 'replayed' : 'sent');
  said.push(await result.then(say, ({ code }) => code));
};
await send('one');
await send('one');
await send('one', 'Other.');
emulator.faults.next({ match: { method: 'POST' }, kind: 'reset-after' });
await send('two');
await send('two');
const run = client.sending.batchAll([mail, mail], { idempotencyKey: (_, index) => ['one', 'three'][index] });
for await (const { status, replayed } of run) said.push(replayed ? 'replayed' : status);
console.log(`${said.join(', ')}; ${emulator.messages().length} emails`);
