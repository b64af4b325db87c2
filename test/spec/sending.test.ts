import { BadRequestError, EmailPlatform, type SendParams } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';

function service() {
  const emulator = createEmulator();
  return { emulator, client: new EmailPlatform(emulator.clientOptions()) };
}

/** An email, as its recipient gets it. */
async function arrived(params: SendParams, { emulator, client }: ReturnType<typeof service>) {
  const { message_ids } = await client.sending.send(params);
  const { raw_message_url } = await client.emailLogs.get(message_ids[0] ?? '');
  const raw = new TextDecoder().decode(await client.emailLogs.downloadRaw(raw_message_url));
  return { raw, message: emulator.messages()[0] };
}

const mail = {
  from: { email: 'hello@mail.example.com', name: 'The Shop' },
  to: [{ email: 'ann@example.org' }, { email: 'bob@example.org' }],
  subject: 'Good morning',
  text: 'Hello there',
  reply_to: { email: 'help@example.com', name: 'Help' },
};

describe('Sending: payload fields seen', () => {
  test.each<[string, (got: Awaited<ReturnType<typeof arrived>>) => unknown, unknown]>([
    [
      'from (object with email and name)',
      ({ raw }) => /^From: .*The Shop.*<hello@mail\.example\.com>/m.test(raw),
      true,
    ],
    ['to (array of objects with email)', ({ message }) => message?.to, 'ann@example.org'],
    ['subject', ({ message }) => message?.subject, 'Good morning'],
    ['text', ({ message }) => message?.text, 'Hello there'],
    [
      'reply_to (object with email and name)',
      ({ raw }) => /^Reply-To: .*Help.*<help@example\.com>/m.test(raw),
      true,
    ],
  ])('%s', async (_field, read, expected) => {
    expect(read(await arrived(mail, service()))).toEqual(expected);
  });

  test('to: a message for each', async () => {
    const made = service();
    await made.client.sending.send(mail);
    expect(made.emulator.messages().map(({ to }) => to)).toEqual(mail.to.map(({ email }) => email));
  });

  test('template_uuid (UUID): subject, HTML body and text body come from the template', async () => {
    const made = service();
    const bodies = { subject: 'From it', body_html: '<p>From it</p>', body_text: 'From it too' };
    const { uuid } = await made.client.templates.create({ name: 'Welcome', category: 'c', ...bodies });
    const { from, to } = mail;
    const { message } = await arrived({ from, to, template_uuid: uuid }, made);
    expect(message).toMatchObject({ subject: 'From it', html: '<p>From it</p>', text: 'From it too' });
  });

  test('template_variables (JSON object; per message in bulk sends)', async () => {
    const { emulator, client } = service();
    const { uuid: template_uuid } = await client.templates.create({
      name: 'Welcome',
      category: 'c',
      subject: 'Hello {{name}}',
      body_text: '{{order.number}}',
    });
    const names = ['Ann', 'Bob'];
    const requests = names.map((name, number) => ({
      to: mail.to,
      template_variables: { name, order: { number } },
    }));
    await client.sending.batch({ base: { from: mail.from, template_uuid }, requests }, { stream: 'bulk' });
    expect(emulator.messages().map(({ subject, text }) => [subject, text])).toEqual([
      ['Hello Ann', '0'],
      ['Hello Ann', '0'],
      ['Hello Bob', '1'],
      ['Hello Bob', '1'],
    ]);
  });
});

describe('Template content rules', () => {
  test.each([
    ['{{variable_name}}', '{{name}}', 'Ann &amp; Bob'],
    ['{{object.property}}', '{{user.city}}', 'Rome'],
    ['{{{variable}}} (unescaped)', '{{{name}}}', 'Ann & Bob'],
    ['{{#if}} with {{else}}', '{{#if no}}yes{{else}}no{{/if}}', 'no'],
    ['{{#unless}}', '{{#unless no}}no{{/unless}}', 'no'],
    ['{{#each}}', '{{#each items}}<{{this}}>{{/each}}', '<a><b>'],
    ['{{#with}}', '{{#with user}}{{city}}{{/with}}', 'Rome'],
  ])('1. Handlebars is the template engine. Supported: %s', async (_form, body_html, expected) => {
    const made = service();
    const { uuid } = await made.client.templates.create({
      name: 'n',
      category: 'c',
      subject: 's',
      body_html,
    });
    const template_variables = { name: 'Ann & Bob', user: { city: 'Rome' }, no: false, items: ['a', 'b'] };
    const { from, to } = mail;
    const { message } = await arrived({ from, to, template_uuid: uuid, template_variables }, made);
    expect(message?.html).toBe(expected);
  });

  test('3. the template must exist first and is referenced by template_uuid', async () => {
    const { client } = service();
    const template_uuid = '0d9cbb52-7e39-4b1e-9fd4-0a5a7ba8b4c1';
    const { from, to } = mail;
    await rejection(client.sending.send({ from, to, template_uuid }), BadRequestError);
  });
});
