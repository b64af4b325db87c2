import { expect } from 'vitest';
import { asked, mail, type Asked } from '../../../spec/quotes/quote.ts';
import {
  type Claim,
  type Prove,
  claim,
  logged,
  powerless,
  ONE,
  oneRequest,
  twice,
  HOSTS,
  TEXT,
  BOTH,
} from './claim.ts';

/** Of the section "Endpoints": the routes without a source. */
export const WITHOUT_SOURCE: readonly Claim[] = [
  claim(
    'An endpoint without a source is another name of one that has a source, or it is where links lead.',
    async ({ call }) => {
      const [one, other] = [
        await call('GET /api/permissions'),
        await asked({ accounts: { permissionsPath: 'resources' } }).call('GET /api/permissions/resources'),
      ];
      expect([one.status, one.value]).toEqual([200, other.value]);
      const attachments = [{ filename: 'a.txt', content: btoa('a'), type: 'text/plain' }];
      await call('POST sandbox /api/send/2001', { ...mail, attachments });
      const { value } = await call('GET /api/sandboxes/2001/messages');
      const [{ id = 0 } = {}] = value as { id?: number }[];
      const files = (await call(`GET /api/sandboxes/2001/messages/${id}/attachments`)).value;
      const [{ download_path: path } = { download_path: '' }] = files as { download_path: string }[];
      expect(path).toMatch(/^\/api\/testing_message_parts\//);
      const file = await call(`GET ${path}`, undefined, { token: null });
      expect([file.status, file.text]).toEqual([200, 'a']);
    },
  ),
];

/** The section "Where sources differ": its sentences before the table, the rows of the table, and the sentence below. */
export const BOTH_FORMS: readonly Claim[] = [
  claim(
    `Where one response can have the form of the specification and that of recorded exchanges, the emulator's has both: a message
of the email log has \`domain_id\` and \`sending_domain_id\`, and both are filters;`,
    async (service) => {
      expect(await logged(service, 'ann')).toMatchObject({ domain_id: 301, sending_domain_id: 301 });
      for (const name of ['domain_id', 'sending_domain_id'])
        for (const [id, total_count] of Object.entries({ 301: 1, 302: 0 })) {
          const filter = `filters[${name}][operator]=equal&filters[${name}][value]=${id}`;
          expect((await service.call(`GET /api/email_logs?${filter}`)).value).toMatchObject({ total_count });
        }
    },
  ),
  claim(
    `a 401 or a 429 of a sending host or the sandbox has \`error\`, a text, and \`errors\`, a list. Two responses cannot have
both, and the option \`answers\` chooses:`,
    async (service) => {
      for (const line of HOSTS) {
        const refused = await service.call(`POST ${line}`, mail, { token: 'no' });
        expect([line, refused.status, refused.value]).toEqual([line, 401, BOTH]);
        service.emulator.clock.advance(120_000);
        const limited = await twice(service, `POST ${line}`, mail);
        expect([line, limited.status, limited.value]).toEqual([line, 429, BOTH]);
      }
    },
    { ...oneRequest('token'), sandbox: { limit: ONE } },
  ),
];

const forbidden =
  (value: object): Prove =>
  async (service) => {
    for (const line of HOSTS) {
      const answer = await service.call(`POST ${line}`, mail, powerless(service));
      expect([line, answer.status, answer.value]).toEqual([line, 403, value]);
    }
  };
const throttled =
  (value: object): Prove =>
  async (service) => {
    for (const [pool, line] of [
      ['contacts', 'GET /api/contacts/lists'],
      ['suppressions', 'GET /api/suppressions'],
    ]) {
      const answer = await twice(service, line ?? '');
      expect([pool, answer.status, answer.value]).toEqual([pool, 429, value]);
    }
  };
const POOLS = { limits: { contacts: ONE, suppressions: ONE } };

/** The two forms of each row: by default, and recorded. */
export const ANSWERS: readonly Claim[] = [
  claim('403 of a sending host or the sandbox | `{ "errors": "…" }`', forbidden({ errors: TEXT })),
  claim('`{ "success": false, "errors": ["…"] }`', forbidden({ success: false, errors: [TEXT] }), {
    answers: 'recorded',
  }),
  claim('429 of an account\'s pool | `{ "error": "…" }`', throttled({ error: TEXT }), POOLS),
  claim('`{ "errors": "…" }`', throttled({ errors: TEXT }), { ...POOLS, answers: 'recorded' }),
];

export const POOLS_OF_THE_REFERENCE: readonly Claim[] = [
  claim(
    `A 429 of the pools \`templatesList\`, \`templatesCreate\` and \`subAccountsDelete\`, of which the specification says nothing, is
always \`{ "errors": "…" }\`, without a header of the rate limit (assumed of the last).`,
    async (service) => {
      for (const line of [
        'GET /api/templates',
        'POST /api/templates',
        'DELETE /api/organizations/901/sub_accounts/7',
      ]) {
        const { status, value, headers } = await twice(
          service,
          line,
          line.startsWith('POST') ? {} : undefined,
        );
        const names = [...headers.keys()].filter((name) => /ratelimit|retry/.test(name));
        expect([line, status, value, names]).toEqual([line, 429, { errors: TEXT }, []]);
      }
    },
    { limits: { templatesList: ONE, templatesCreate: ONE, subAccountsDelete: ONE } },
  ),
];

const emptyArray = async ({ call }: Asked) => {
  for (const name of ['headers', 'custom_variables', 'template_variables'])
    expect([name, (await call('POST send /api/send', { ...mail, [name]: [] })).status]).toEqual([name, 200]);
  const contact = { email: 'ann@example.org', fields: [] };
  expect(await call('POST /api/contacts', { contact })).toMatchObject({
    status: 201,
    value: { data: { fields: {} } },
  });
};

/** The section "Requests of other clients". */
export const CLIENTS: readonly Claim[] = [
  claim(
    `Clients of the service in other languages send some requests that ours does not. The emulator takes them: PUT for every
PATCH that updates a record (stated of templates, assumed of the others),`,
    async ({ call }) => {
      const { status, value } = await call('PUT /api/domains/301', { domain: { inbound_enabled: true } });
      expect([status, value]).toEqual([200, expect.objectContaining({ inbound_enabled: true })]);
      const email_template = { name: 'n', subject: 's', category: 'c' };
      const { id } = await call('POST /api/email_templates', { email_template });
      expect(await call(`PUT /api/email_templates/${id}`, { email_template: { name: 'm' } })).toMatchObject({
        ...{ status: 200, value: { ...email_template, name: 'm' } },
      });
      // The others: other-clients.test.ts.
    },
  ),
  claim(`\`is_read\` as text,`, async ({ call }) => {
    await call('POST sandbox /api/send/2001', mail);
    const { value } = await call('GET /api/sandboxes/2001/messages');
    const path = `/api/sandboxes/2001/messages/${(value as { id: number }[])[0]?.id ?? 0}`;
    expect((await call(`PATCH ${path}`, { message: { is_read: 'true' } })).status).toBe(200);
    expect((await call(`GET ${path}`)).value).toMatchObject({ is_read: true });
  }),
  claim(`the wrapper\n\`email_template\` at \`/templates\` (stated),`, async ({ call }) => {
    const email_template = { name: 'n', subject: 's', category: 'c' };
    const { status, value } = await call('POST /api/templates', { email_template });
    expect([status, value]).toMatchObject([201, { data: email_template }]);
  }),
  claim(
    `and an empty array in place of an empty object in \`fields\`,
\`headers\`, \`custom_variables\` and \`template_variables\` (assumed). These have no rows of their own.`,
    emptyArray,
  ),
];
