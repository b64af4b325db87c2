import { EmailPlatform } from 'email-platform';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';

const account = createEmulator().clientOptions().accountId;
const mail = {
  from: { email: 'hello@mail.example.com' },
  to: [{ email: 'ann@example.org' }],
  subject: 'Hi',
  text: 'Hello',
};
const words = { name: 'Welcome', subject: 'Hello', category: 'onboarding' };

interface Service {
  readonly emulator: Emulator;
  readonly client: EmailPlatform;
}

/** A request with its ids replaced by their names. */
const nameless = (request: string) =>
  request
    .replace(`/accounts/${account}`, '/accounts/{account_id}')
    .replace(/\/(\d+|[\da-f-]{36})(?=[ /])/, '/{id}');

/** A row of the table: its text, a call, and the requests that the call makes. */
type Row = readonly [
  row: string,
  call: (service: Service) => PromiseLike<unknown>,
  requests: readonly string[],
];

function rows(section: string, table: readonly Row[]): void {
  describe(`Endpoints: ${section}`, () => {
    test.each(table)('%s', async (_row, call, requests) => {
      const emulator = createEmulator();
      await call({ emulator, client: new EmailPlatform(emulator.clientOptions()) });
      const sent = emulator.requests.map(
        ({ method, host, path, status }) => `${method} {${host}}${path} ${String(status)}`,
      );
      expect(sent.map(nameless)).toEqual(requests);
    });
  });
}

const one = '{api}/api/email_campaigns/{id}';
rows('Campaigns', [
  [
    'GET | /api/email_campaigns | 200 with data and pagination. Newest first',
    ({ client }) => client.campaigns.list({ token: 1, per_page: 50, search: 'spring' }),
    ['GET {api}/api/email_campaigns 200'],
  ],
  [
    'POST | /api/email_campaigns | Body: writable attributes | 201 with data (campaign)',
    ({ client, emulator }) =>
      client.campaigns.create({
        name: 'Spring',
        domain_id: emulator.domains.list()[0]?.id ?? 0,
        from_local_part: 'news',
        template_attributes: { subject: 'Hello' },
      }),
    ['POST {api}/api/email_campaigns 201'],
  ],
  [
    'GET | /api/email_campaigns/{email_campaign_id} | 200 with data (campaign, including body_html and body_text)',
    ({ client, emulator }) => client.campaigns.get(emulator.campaigns.add()),
    [`GET ${one} 200`],
  ],
  [
    'PATCH | /api/email_campaigns/{email_campaign_id} | Body: writable attributes, all optional | 200 with data (campaign)',
    ({ client, emulator }) => client.campaigns.update(emulator.campaigns.add(), { name: 'Autumn' }),
    [`PATCH ${one} 200`],
  ],
  [
    'DELETE | /api/email_campaigns/{email_campaign_id} | none | 204, no body',
    ({ client, emulator }) => client.campaigns.delete(emulator.campaigns.add()),
    [`DELETE ${one} 204`],
  ],
  [
    'POST | /api/email_campaigns/{email_campaign_id}/start | none | 200 with data (campaign)',
    ({ client, emulator }) => client.campaigns.start(emulator.campaigns.add()),
    [`POST ${one}/start 200`],
  ],
  [
    'POST | /api/email_campaigns/{email_campaign_id}/schedule | Body: datetime | Campaign in scheduled state',
    async ({ client, emulator }) => {
      const datetime = new Date(emulator.clock.now() + 3_600_000);
      const campaign = await client.campaigns.schedule(emulator.campaigns.add(), { datetime });
      expect(campaign.current_state).toBe('scheduled');
    },
    [`POST ${one}/schedule 200`],
  ],
  [
    'The cancel and reset actions exist; their paths and shapes: not shown (taken from the public reference)',
    async ({ client, emulator }) => {
      await client.campaigns.cancel(emulator.campaigns.add({ state: 'scheduled' }));
      await client.campaigns.reset(emulator.campaigns.add({ state: 'scheduled' }));
    },
    [`POST ${one}/cancel 200`, `POST ${one}/reset 200`],
  ],
]);

rows('Email logs', [
  ['GET | /api/email_logs', ({ client }) => client.emailLogs.list(), ['GET {api}/api/email_logs 200']],
  [
    'GET | (also referenced as /api/accounts/{account_id}/email_logs)',
    ({ client }) => client.emailLogs.list({}, { accountId: account }),
    ['GET {api}/api/accounts/{account_id}/email_logs 200'],
  ],
  [
    'GET | /api/email_logs/{sending_message_id} | Path: message UUID | 200 with one log message in its detail form',
    ({ client, emulator }) => client.emailLogs.get(emulator.logs.add()),
    ['GET {api}/api/email_logs/{id} 200'],
  ],
]);

rows('Account management', [
  ['GET /accounts (list accounts)', ({ client }) => client.accounts.list(), ['GET {api}/api/accounts 200']],
  [
    'GET /accounts/{id} (account details)',
    ({ client }) => client.accounts.get(account),
    ['GET {api}/api/accounts/{account_id} 200'],
  ],
  [
    'GET /account_accesses (list user accesses)',
    ({ client }) => client.accounts.accesses.list(),
    ['GET {api}/api/accounts/{account_id}/account_accesses 200'],
  ],
  [
    'DELETE /account_accesses/{id} (remove a user’s access)',
    async ({ client }) => {
      const all = await client.accounts.accesses.list().toArray();
      const [other] = all.filter(({ permissions }) => permissions.can_destroy);
      return client.accounts.accesses.remove(other?.id ?? 0);
    },
    [
      'GET {api}/api/accounts/{account_id}/account_accesses 200',
      'DELETE {api}/api/accounts/{account_id}/account_accesses/{id} 200',
    ],
  ],
  [
    'GET /permissions (list available permissions)',
    ({ client }) => client.accounts.permissions.list(),
    ['GET {api}/api/accounts/{account_id}/permissions 200'],
  ],
]);

rows('Sending', [
  [
    'POST | {send_url}/api/send | Send a transactional email',
    ({ client }) => client.sending.send(mail),
    ['POST {send}/api/send 200'],
  ],
  [
    'POST | {bulk_url}/api/send | Send a bulk-stream email',
    ({ client }) => client.sending.send(mail, { stream: 'bulk' }),
    ['POST {bulk}/api/send 200'],
  ],
  [
    'POST | {send_url}/api/batch | Batch send, transactional; up to 500 emails per call',
    ({ client }) => client.sending.batch({ requests: Array.from({ length: 500 }, () => mail) }),
    ['POST {send}/api/batch 200'],
  ],
  [
    'POST | {bulk_url}/api/batch | Batch send, bulk; up to 500 emails per call',
    ({ client }) =>
      client.sending.batch({ requests: Array.from({ length: 500 }, () => mail) }, { stream: 'bulk' }),
    ['POST {bulk}/api/batch 200'],
  ],
  [
    'Sandbox sending uses a different base address and a sandbox inbox id identifying the test inbox',
    ({ client }) => client.sending.send(mail, { stream: 'sandbox' }),
    ['POST {sandbox}/api/send/{id} 200'],
  ],
]);

rows('Sending domains', [
  [
    'POST | /api/accounts/{account_id}/sending_domains | The response includes the DNS records to add',
    async ({ client }) => {
      const { dns_records } = await client.sendingDomains.create({ domain_name: 'news.example.com' });
      expect(dns_records.length).toBeGreaterThan(0);
    },
    ['POST {api}/api/accounts/{account_id}/sending_domains 200'],
  ],
  [
    'GET | /api/accounts/{account_id}/sending_domains/{domain_id} | Returns dns_verified, dns_records and compliance_status',
    async ({ client, emulator }) => {
      const [first] = emulator.domains.list();
      expect(await client.sendingDomains.get(first?.id ?? 0)).toMatchObject({
        dns_verified: true,
        dns_records: expect.any(Array) as unknown,
        compliance_status: 'compliant',
      });
    },
    ['GET {api}/api/accounts/{account_id}/sending_domains/{id} 200'],
  ],
]);

const templates = '{api}/api/accounts/{account_id}/email_templates';
rows('Templates', [
  [
    'create (POST), under the account. The response to create includes uuid',
    async ({ client }) => expect((await client.templates.create(words)).uuid).toMatch(/^[\da-f-]{36}$/),
    [`POST ${templates} 201`],
  ],
  ['list, under the account', ({ client }) => client.templates.list(), [`GET ${templates} 200`]],
  [
    'update, under the account. Every field is optional and only the given fields change',
    async ({ client }) => {
      const made = await client.templates.create(words);
      const changed = await client.templates.update(made.id, { subject: 'Hi' });
      expect(changed).toEqual({ ...made, subject: 'Hi', updated_at: changed.updated_at });
    },
    [`POST ${templates} 201`, `PATCH ${templates}/{id} 200`],
  ],
  [
    'delete, under the account',
    async ({ client }) => client.templates.delete((await client.templates.create(words)).id),
    [`POST ${templates} 201`, `DELETE ${templates}/{id} 204`],
  ],
]);
