/** A receiver's database may have the ids of earlier emulators: a repeated one would look like a repeated event. */
import { readFileSync } from 'node:fs';
import { EmailPlatform } from 'email-platform';
import {
  connectEmulator,
  createEmulator,
  type ConnectedEmulator,
  type Emulator,
} from 'email-platform/testing';
import { expect, test } from 'vitest';
import { root } from '../docs/snippets.ts';
import { started } from './started.ts';

const mail = { from: 'a@mail.example.com', to: 'ann@example.org', subject: 'Hello', text: 'Hello' };

/** The ids that an emulator makes for an email, its events, a contact and a template. */
async function idsOf(client: EmailPlatform, emulator: Emulator | ConnectedEmulator): Promise<string[]> {
  await client.webhooks.create({
    url: 'http://localhost:9/hooks',
    webhook_type: 'email_sending',
    event_types: ['delivery'],
    sending_stream: 'transactional',
  });
  const { message_ids } = await client.sending.send(mail);
  const contact = await client.contacts.create({ email: 'ann@example.org' });
  const template = await client.templates.create({ name: 'a', subject: 'a', category: 'a', body_text: 'a' });
  await emulator.clock.advance(3_600_000);
  await emulator.webhooks.flush();
  const [post] = await emulator.webhooks.posts;
  const { events } = JSON.parse(post?.body ?? '') as { events: { event_id: string }[] };
  return [...message_ids, ...events.map(({ event_id }) => event_id), contact.id, template.uuid];
}

/** The ids of a start of the command, before and after a reset, and that of a demo email. */
async function idsOfCommand() {
  const { value } = await started('--seed', 'demo', '--control');
  const client = new EmailPlatform({
    token: value('TOKEN'),
    accountId: Number(value('ACCOUNT_ID')),
    hosts: { api: value('API_URL'), send: value('SEND_URL'), bulk: value('BULK_URL') },
  });
  const emulator = connectEmulator(value('CONTROL_URL'), { controlToken: value('CONTROL_TOKEN') });
  const [demo] = (await client.emailLogs.list()).messages;
  const first = await idsOf(client, emulator);
  await emulator.reset();
  return { made: [...first, ...(await idsOf(client, emulator))], demo: demo?.message_id };
}

test('no start of the command makes an id of an earlier start or reset; demo data keeps its ids', async () => {
  const [one, other] = [await idsOfCommand(), await idsOfCommand()];
  expect(new Set([...one.made, ...other.made]).size).toBe(4 * 4);
  expect(one.demo).toMatch(/^[\da-f-]{36}$/);
  expect(other.demo).toBe(one.demo);
});

test('each emulator of a test makes the same ids, also after a reset, and the guide to deliveries says so', async () => {
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  const first = await idsOf(client, emulator);
  emulator.reset();
  expect(await idsOf(client, emulator)).toEqual(first);
  const other = createEmulator();
  expect(await idsOf(new EmailPlatform(other.clientOptions()), other)).toEqual(first);
  expect(readFileSync(`${root}docs/webhooks.md`, 'utf8')).toContain(
    '`createEmulator()` gives the same ids at each start and `reset()`. Begin each with a new database',
  );
});

test('a snapshot brings its tokens: a start with the same --token takes the settings of before', async () => {
  const start = async () => {
    const { value } = await started('--control', '--token', 'emu_kept');
    const client = new EmailPlatform({
      token: value('TOKEN'),
      hosts: { api: value('API_URL'), send: value('SEND_URL') },
    });
    const controlToken = value('CONTROL_TOKEN');
    return { client, emulator: connectEmulator(value('CONTROL_URL'), { controlToken }) };
  };
  const before = await start();
  await before.client.sending.send(mail);
  const snapshot = await before.emulator.snapshot();
  const { client, emulator } = await start();
  await emulator.restore(snapshot);
  await client.sending.send(mail);
  expect(await emulator.messages()).toHaveLength(2);
});
