import {
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  ValidationError,
  type EmailPlatform,
  type SendParams,
} from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { json, scriptedFetch } from '../support/scripted-fetch.ts';
import { virtualClient } from '../support/virtual-client.ts';

const email = { from: { email: 'hello@mail.example.com' }, to: [{ email: 'ann@example.org' }] };

/** Recorded refusals of an email. A send and an email of a batch get the same ones. */
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

describe('A request about an address that the service was seen to refuse', () => {
  const id = '018dd5e3-f6d2-7c00-8f9b-e5c3f2d8a132';
  const address = { email: 'ann', domain_id: 301 };
  const suppression = { ...address, sending_stream: 'transactional' } as const;
  type Row = [string, string, number, object, (client: EmailPlatform) => PromiseLike<unknown>];
  const missing = (what: string) => ({ errors: { base: [`${what} not found`] } });
  const wrong = { errors: { email: ['format is invalid'] } };

  const rows: Row[] = [
    [
      'DELETE',
      `/api/suppressions/${id}`,
      404,
      missing('Suppression'),
      (client) => client.suppressions.delete(id),
    ],
    [
      'DELETE',
      `/api/tracking_opt_outs/${id}`,
      404,
      missing('Tracking opt-out'),
      (client) => client.trackingOptOuts.delete(id),
    ],
    ['POST', '/api/suppressions', 422, wrong, (client) => client.suppressions.create(suppression)],
    ['POST', '/api/tracking_opt_outs', 422, wrong, (client) => client.trackingOptOuts.create(address)],
  ];

  test.each(rows)('%s %s: the emulator says the same', async (method, path, status, body) => {
    const emulator = createEmulator();
    const { token, hosts, fetch } = emulator.clientOptions();
    const response = await fetch(hosts.api + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify(suppression) }),
    });
    expect([response.status, await response.json()]).toEqual([status, body]);
  });

  test.each(rows)('%s %s: the client passes on what it says', async (_method, _path, status, body, call) => {
    const { client } = virtualClient({ fetch: scriptedFetch(json(status, body)).fetch });
    if (status === 404) {
      const error = await rejection(call(client), NotFoundError);
      expect(error.messages).toEqual((body as ReturnType<typeof missing>).errors.base);
    } else {
      const error = await rejection(call(client), ValidationError);
      expect(error.fieldErrors).toEqual(wrong.errors);
    }
  });
});

test('A text that a body has under two names is one message of the error', async () => {
  const { fetch } = scriptedFetch(json(401, { error: 'Unauthorized', errors: ['Unauthorized'] }));
  const { client } = virtualClient({ fetch });
  const error = await rejection(client.templates.list(), AuthenticationError);
  expect(error.messages).toEqual(['Unauthorized']);
});
