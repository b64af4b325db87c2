import { BadRequestError, type SendParams } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { json, scriptedFetch } from '../support/scripted-fetch.ts';
import { virtualClient } from '../support/virtual-client.ts';

const email = { from: { email: 'hello@mail.example.com' }, to: [{ email: 'ann@example.org' }] };

/** What the service was seen to say of an email, of a send as of an email of a batch. */
const recorded: [string, object, string[]][] = [
  ['without a subject and a body', {}, ["'subject' is required", 'must specify either text or html body']],
  [
    'with a category beside a template',
    { template_uuid: '', category: 'news' },
    ["'category' is not allowed with 'template_uuid'"],
  ],
  [
    'with a subject beside a template',
    { template_uuid: '', subject: 'Hi' },
    ["'subject' is not allowed with 'template_uuid'"],
  ],
];

/** The emulator's answer to a body, as it is on the wire. */
async function answered(call: 'send' | 'batch', fields: object): Promise<unknown> {
  const emulator = createEmulator();
  const { token, hosts, fetch } = emulator.clientOptions();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const post = async (url: string, body: object) =>
    (await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as unknown;
  const template = { name: 'n', subject: 's', category: 'c' };
  const made = await post(`${hosts.api}/api/email_templates`, { email_template: template });
  const { uuid } = made as { uuid: string };
  const mail = { ...email, ...fields, ...('template_uuid' in fields && { template_uuid: uuid }) };
  return post(`${hosts.send}/api/${call}`, call === 'send' ? mail : { requests: [mail] });
}

describe('An email that the service was seen to refuse', () => {
  test.each(recorded)('%s: the emulator says the same', async (_, fields, errors) => {
    expect(await answered('send', fields)).toEqual({ success: false, errors });
    expect(await answered('batch', fields)).toEqual({
      success: true,
      responses: [{ success: false, errors }],
    });
  });

  test.each(recorded)('%s: the client passes on what it says', async (_, fields, errors) => {
    const mail = { ...email, subject: 'Hi', text: 'Hello' } satisfies SendParams;
    const { fetch } = scriptedFetch(json(400, { errors }));
    const hosts = { api: 'https://api.test', send: 'https://send.test' };
    const { client } = virtualClient({ fetch, hosts });
    const error = await rejection(client.sending.send(mail), BadRequestError);
    expect(error.messages).toEqual(errors);
    expect(error.reason).toBe('template_uuid' in fields ? 'template' : undefined);
  });
});
