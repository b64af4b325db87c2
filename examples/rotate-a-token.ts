/**
 * A program gets its own token, for one domain and 90 days. Later an administrator replaces the token while the program
 * runs, and no call fails.
 *
 *     npx tsx examples/rotate-a-token.ts
 */
import { AuthenticationError, EmailPlatform, PermissionDeniedError } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { heading, row } from './print.ts';

const emulator = createEmulator();
const admin = new EmailPlatform(emulator.clientOptions());
const [domain] = await admin.sendingDomains.list().toArray();
const HOUR_MS = 3_600_000;

heading('A token for one program');
const made = await admin.apiTokens.create({
  name: 'orders',
  resources: [{ resource_type: 'domain', resource_id: domain?.id ?? 0, access_level: 100 }],
  expires_at: new Date(emulator.clock.now() + 90 * 24 * HOUR_MS),
});
row('token', `${made.name}, …${made.last_4_digits}, until ${made.expires_at?.slice(0, 10) ?? 'for ever'}`);

/** Stands for a vault, the only place with the value. */
let vault = made.token;
// The client calls the function before every attempt, so that it uses the new token without a restart.
const orders = new EmailPlatform({ ...emulator.clientOptions(), token: () => vault });
const send = async () => {
  const { message_ids } = await orders.sending.send({
    from: { email: 'orders@mail.example.com' },
    to: [{ email: 'ann@example.org' }],
    subject: 'Your order',
    text: 'It is on its way.',
  });
  return `sent ${message_ids.length}`;
};
row('emails', await send());
const refused: unknown = await orders.campaigns
  .list()
  .toArray()
  .catch((error: unknown) => error);
row('campaigns', refused instanceof PermissionDeniedError ? 'not allowed' : 'allowed');

heading('A new value');
const { expires_at } = made;
const next = await admin.apiTokens.reset(made.id, { expires_at });
row('token', `${next.name}, …${next.last_4_digits}`);
row('old value', `${await send()}: it works for twelve more hours`);
vault = next.token;
row('new value', await send());

emulator.clock.advance(12 * HOUR_MS);
const forgotten = new EmailPlatform({ ...emulator.clientOptions(), token: made.token });
const late: unknown = await forgotten.sendingDomains
  .list()
  .toArray()
  .catch((error: unknown) => error);
row('12 hours on', late instanceof AuthenticationError ? 'the old value is refused' : 'it still works');
row('new value', await send());
