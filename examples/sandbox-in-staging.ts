/**
 * One option keeps staging from sending to real people: with `stream: 'sandbox'` the same code sends to a test inbox,
 * where you can read the emails. The sending code is the same in both environments.
 *
 *     npx tsx examples/sandbox-in-staging.ts
 */
import { ConfigurationError, EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { green, heading, line, row } from './print.ts';

const emulator = createEmulator({ seed: 'demo' });
const { hosts, ...options } = emulator.clientOptions();

/**
 * The hosts of each stage. Staging has no host that delivers emails. On the staging machine, leave EMAIL_PLATFORM_SEND_URL
 * and EMAIL_PLATFORM_BULK_URL unset as well.
 */
const stages = {
  production: { hosts: { api: hosts.api, send: hosts.send, bulk: hosts.bulk } },
  staging: { hosts: { api: hosts.api, sandbox: hosts.sandbox }, stream: 'sandbox' },
} satisfies Record<string, EmailPlatformOptions>;

const clientFor = (stage: keyof typeof stages) => new EmailPlatform({ ...options, ...stages[stage] });

/** A part of the application that sends an email on the configured stream. */
const welcome = (client: EmailPlatform, name: string, email: string) =>
  client.sending.send({
    from: { email: 'hello@mail.example.com', name: 'The Gardeners' },
    to: [{ email, name }],
    subject: `Welcome, ${name}`,
    text: `Good to have you here, ${name}.`,
    category: 'welcome',
  });

/** Another part, which sends on the bulk stream explicitly. */
const announce = (client: EmailPlatform, emails: string[]) =>
  client.sending.batch(
    {
      base: { from: { email: 'news@mail.example.com' }, subject: 'Spring is here', text: 'Time to sow.' },
      requests: emails.map((email) => ({ to: [{ email }] })),
    },
    { stream: 'bulk' },
  );

const delivered = () => emulator.messages().filter(({ sandboxInboxId }) => sandboxInboxId === null).length;

heading('Staging');
const staging = clientFor('staging');
await welcome(staging, 'Ann', 'ann@example.org');
await welcome(staging, 'Ben', 'ben@example.org');
row('delivered', delivered());
row('captured', emulator.sandbox.messages(options.sandboxInboxId).length);
for (const { to_email, subject } of (
  await staging.sandbox.messages.list(options.sandboxInboxId).toArray()
).reverse())
  line(`${to_email}  ${subject}`);

heading('A call that names its stream overrides the option');
try {
  await announce(staging, ['ann@example.org', 'ben@example.org']);
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  line(`${error.name}  ${error.message}`);
  line('It was not sent, because staging has no host for that stream.');
}
row('delivered', delivered());

heading('Production');
const production = clientFor('production');
await welcome(production, 'Ann', 'ann@example.org');
await announce(production, ['ann@example.org', 'ben@example.org']);
row('delivered', green(String(delivered())));
