/**
 * A second provider when this one is down, without a double: only an email that this service certainly did not take goes there.
 *
 *     npx tsx examples/second-provider.ts
 *
 * In a project of your own: npm install pg (or, as here, @electric-sql/pglite)
 */
import { PGlite } from '@electric-sql/pglite';
import { EmailPlatform, EmailPlatformError, type OwnEmail } from 'email-platform';
import { postgresJournal } from 'email-platform/journal';
import { createEmulator } from 'email-platform/testing';
import { row } from './print.ts';

const emulator = createEmulator();
const database = await PGlite.create(); // in a real application: new Pool({ connectionString }) of pg
await database.exec('CREATE TABLE elsewhere (key text PRIMARY KEY)');
const client = new EmailPlatform({ ...emulator.clientOptions(), journal: postgresJournal(database) });
// The other provider has to know idempotency keys, too.
const other = { send: (email: OwnEmail, key: string) => row('elsewhere', `${key}: ${email.subject}`) };

/** The handler of a job: the queue may repeat it, but must not run it twice at a time. */
async function deliver(key: string, email: OwnEmail): Promise<void> {
  const { rows } = await database.query('SELECT FROM elsewhere WHERE key = $1', [key]);
  if (rows.length > 0) {
    other.send(email, key);
    return;
  }
  const sent = await client.sending
    .send(email, { idempotencyKey: key, deadlineMs: 20_000 })
    .catch(async (error: unknown) => {
      // After the effect 'unknown' the service may have the email: the repeated job asks the journal.
      const isDown = error instanceof EmailPlatformError && error.effect === 'none' && error.isRetryable;
      if (!isDown || error.code === 'in_progress') throw error;
      await database.query('INSERT INTO elsewhere VALUES ($1) ON CONFLICT DO NOTHING', [key]);
    });
  if (sent) row('here', `${key}: ${sent.message_ids.length} message`);
  else other.send(email, key);
}

const email = {
  from: 'a@mail.example.com',
  to: 'b@example.org',
  subject: 'Your order',
  text: 'It is on its way.',
};
await deliver('order/1', email);
emulator.faults.next({ kind: 'reset-after' });
await deliver('order/2', email).catch(() => row('unknown', 'order/2: the queue repeats the job'));
await deliver('order/2', email);
emulator.faults.next({ kind: 'status', status: 429, headers: { 'retry-after': '600' } });
await deliver('order/3', email);
row('sent here', emulator.messages().length);
await database.close();
