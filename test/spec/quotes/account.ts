import {
  among,
  ANY,
  FORBIDDEN,
  having,
  LIST,
  mail,
  matching,
  NOT_FOUND,
  NUMBER,
  quote,
  TEXT,
  UUID,
  type Asked,
} from './quote.ts';

const ORGANIZATION = '/api/organizations/901/sub_accounts';
const OTHER = '/api/organizations/999/sub_accounts';
const A = '/api/accounts/1001';
const info = { name: 'M', address: '1', city: 'S', country: 'US', zip_code: '9' };
const website_url = 'https://example.com';
const words = { name: 'n', subject: 's', category: 'c' };
const made = async ({ call }: Asked, path = ORGANIZATION) =>
  (await call(`POST ${path}`, { account: { name: 'Shop' } })).id;
const template = async ({ call }: Asked) =>
  (await call('POST /api/email_templates', { email_template: { ...words, body_html: 'x' } })).id;
const token =
  (resources: unknown) =>
  ({ call }: Asked) =>
    call(`POST ${A}/api_tokens`, { name: 'n', resources });
const whole = [{ resource_type: 'account', resource_id: 1001, access_level: 10 }];
const suppression = { email: 'ann@example.org', domain_id: 301, sending_stream: 'transactional' };
const NULLS = Object.fromEntries(
  [
    'bounce_category',
    'category',
    'client_ip',
    'created_at',
    'esp_response',
    'esp_server_type',
    'outgoing_ip',
    'recipient_mx_name',
    'sender_email',
    'subject',
  ].map((name) => [`message_${name}`, null]),
);
const TOO_MANY = { errors: 'Rate limit exceeded' };
const wrong = { errors: { email: ['format is invalid'] } };
const limited = (pool: string, line: string, body?: object) => ({
  options: { limits: { [pool]: { requests: 1, perMs: 60_000 } } },
  ask: async ({ call }: Asked) => {
    await call(line, body);
    return call(line, body);
  },
});
const perPool = (
  pool: string,
  line: string,
  value: unknown,
  answers: 'specified' | 'recorded',
  body?: object,
) => {
  const { ask, options } = limited(pool, line, body);
  return quote(`429 of ${pool}, ${answers}`, ask, 429, value, { ...options, answers });
};
const headersOf =
  (line: string, names: readonly string[], more = {}) =>
  async ({ call }: Asked) => {
    const { status, headers } = await call(line, undefined, more);
    return { status: status ?? 0, value: names.map((name) => headers.get(name)) };
  };

export const ofAccount = [
  quote('sub-accounts', `GET ${ORGANIZATION}`, 200, [{ id: 1001, name: TEXT }]),
  quote('a new sub-account', ({ call }) => call(`POST ${ORGANIZATION}`, { account: { name: 'Shop' } }), 200, {
    id: NUMBER,
    name: 'Shop',
  }),
  quote(
    'a sub-account without a name',
    async ({ call }) => {
      const { status, value, headers } = await call(`POST ${ORGANIZATION}`, { account: {} });
      return { status: status ?? 0, value: [value, headers.get('content-type')] };
    },
    400,
    ['', 'text/html; charset=UTF-8'],
  ),
  quote(
    'the deletion of a sub-account',
    async (asked) => asked.call(`DELETE ${ORGANIZATION}/${await made(asked)}`),
    204,
    '',
  ),
  quote(
    'the deletion of a sub-account, again',
    async (asked) => {
      const id = await made(asked);
      await asked.call(`DELETE ${ORGANIZATION}/${id}`);
      return asked.call(`DELETE ${ORGANIZATION}/${id}`);
    },
    404,
    NOT_FOUND,
  ),
  quote(
    'the list after a deletion',
    async (asked) => {
      await asked.call(`DELETE ${ORGANIZATION}/${await made(asked)}`);
      return asked.call(`GET ${ORGANIZATION}`);
    },
    200,
    [{ id: 1001, name: TEXT }],
  ),
  quote(
    'the deletion of the last sub-account deletes the organization',
    async ({ call, emulator }) => {
      await call(`DELETE ${ORGANIZATION}/1001`);
      return call(`GET ${ORGANIZATION}`, undefined, { token: emulator.createToken() });
    },
    403,
    FORBIDDEN,
  ),
  quote(
    'ten deletions a minute',
    async ({ call }) => {
      const statuses: (number | undefined)[] = [];
      for (let count = 0; count < 11; count += 1)
        statuses.push((await call(`DELETE ${ORGANIZATION}/7`)).status);
      return { value: statuses };
    },
    undefined,
    [...Array.from({ length: 10 }, () => 404), 429],
    { limits: { token: false } },
  ),
  quote('another organization: list', `GET ${OTHER}`, 403, FORBIDDEN),
  quote(
    'another organization: create',
    ({ call }) => call(`POST ${OTHER}`, { account: { name: 'x' } }),
    403,
    FORBIDDEN,
  ),
  quote('another organization: delete', `DELETE ${OTHER}/1001`, 403, FORBIDDEN),
  quote(
    'an organization without the right',
    async (asked) => {
      const id = await made(asked);
      return asked.call(`GET ${ORGANIZATION}`, undefined, {
        token: asked.emulator.createToken({ accountId: id }),
      });
    },
    403,
    FORBIDDEN,
  ),
  quote(
    'company info without website_url',
    ({ call }) => call(`POST ${A}/sending_domains/301/company_info`, { company_info: info }),
    422,
    { errors: { website_url: ["can't be blank", 'is invalid'] } },
  ),
  quote(
    'company info',
    ({ call }) =>
      call(`POST ${A}/sending_domains/301/company_info`, { company_info: { ...info, website_url } }),
    200,
    { data: having({ ...info, website_url, info_level: 'business' }) },
  ),
  quote(
    'a domain with an empty name',
    ({ call }) => call(`POST ${A}/sending_domains`, { sending_domain: { domain_name: '' } }),
    422,
    {
      errors: {
        base: [
          "Validation failed: Domain name can't be blank, Tracking domain name is not a valid domain name",
        ],
      },
    },
  ),
  quote(
    'a new domain, under the account',
    ({ call }) => call(`POST ${A}/sending_domains`, { sending_domain: { domain_name: 'a.example.com' } }),
    200,
    having({
      domain_name: 'a.example.com',
      dns_verified: false,
      dns_verified_at: '',
      compliance_status: 'unverified_dns',
    }),
  ),
  quote(
    'a new domain',
    ({ call }) => call('POST /api/domains', { domain: { domain_name: 'a.example.com' } }),
    200,
    having({
      dns_records: among(
        having({ key: 'verification', status: 'unchecked', name: TEXT, type: TEXT, value: TEXT }),
      ),
    }),
  ),
  quote(
    'the wrapper of the other form',
    ({ call }) => call('POST /api/domains', { sending_domain: { domain_name: 'a.example.com' } }),
    400,
    '',
  ),
  quote('domains are under data', 'GET /api/domains', 200, {
    data: among(having({ dns_verified: true, compliance_status: 'compliant' })),
  }),
  quote('a domain is deleted', `DELETE ${A}/sending_domains/302`, 204, ''),
  quote(
    'setup instructions',
    ({ call }) => call('POST /api/domains/301/send_setup_instructions', { email: 'a@example.com' }),
    204,
    '',
  ),
  quote(
    'a template',
    ({ call }) => call('POST /api/email_templates', { email_template: words }),
    201,
    having({ ...words, id: NUMBER, uuid: TEXT, created_at: TEXT, updated_at: TEXT }),
  ),
  quote(
    'a template without a name',
    ({ call }) => call('POST /api/email_templates', { email_template: { subject: 's', category: 'c' } }),
    422,
    { errors: { name: ["can't be blank"] } },
  ),
  quote('templates are a bare array', `GET ${A}/email_templates`, 200, []),
  quote(
    'a template is deleted',
    async (asked) => asked.call(`DELETE /api/email_templates/${await template(asked)}`),
    204,
    '',
  ),
  ...['PUT', 'PATCH'].map((verb) =>
    quote(
      `${verb} of a template at the newer path keeps a body`,
      async (asked) => asked.call(`${verb} /api/templates/${await template(asked)}`, { body_html: null }),
      200,
      { data: having({ body_html: 'x' }) },
    ),
  ),
  quote(
    'the wrapper at the newer path',
    ({ call }) => call('POST /api/templates', { email_template: words }),
    201,
    { data: having(words) },
  ),
  quote(
    'templates past the end',
    async (asked) => {
      await template(asked);
      return asked.call('GET /api/templates?token=9');
    },
    200,
    { data: [], pagination: having({ token: 9, prev_token: 1, next_token: null }) },
  ),
  quote('templates at a token over 64 bits', 'GET /api/templates?token=9223372036854775807', 422, {
    errors: 'token is out of range',
  }),
  quote(
    'one template too many',
    async ({ call }) => {
      for (let count = 0; count < 200; count += 1) await call('POST /api/templates', words);
      return call('POST /api/templates', words);
    },
    422,
    {
      errors: {
        base: [
          "You've reached the maximum number of templates allowed. Please upgrade your plan to add more.",
        ],
      },
    },
  ),
  quote('accounts', 'GET /api/accounts', 200, [{ id: 1001, name: TEXT, access_levels: [100] }]),
  quote('an account', 'GET /api/accounts/1001', 200, having({ id: 1001, name: TEXT })),
  quote('the specified path of permissions', 'GET /api/permissions', 200, [having({ type: 'account' })]),
  quote(
    'accesses: the owner',
    'GET /api/account_accesses',
    200,
    among(
      having({
        specifier_type: 'User',
        specifier: having({ two_factor_authentication_enabled: true }),
        resources: among({ resource_type: 'organization', resource_id: 901, access_level: 1000 }),
      }),
    ),
  ),
  quote(
    'accesses: an invite has no name',
    'GET /api/account_accesses',
    200,
    among(having({ specifier_type: 'Invite', specifier: { id: NUMBER, email: TEXT } })),
  ),
  quote('an access is removed', async ({ call }) => call(`DELETE ${A}/account_accesses/5002`), 200, {
    id: 5002,
  }),
  quote(
    'permissions are changed',
    ({ call }) =>
      call(`PUT ${A}/account_accesses/5002/permissions/bulk`, {
        permissions: [{ resource_id: '301', resource_type: 'sending_domain', access_level: 'admin' }],
      }),
    200,
    { message: TEXT },
  ),
  ...[
    ['/api', 'domain', 'sandbox'],
    [A, 'sending_domain', 'inbox'],
  ].map(([base = '', domain, inbox]) =>
    quote(`the tree of permissions, at ${base}`, `GET ${base}/permissions/resources`, 200, [
      having({
        type: 'account',
        access_level: 100,
        resources: among(
          ...['billing', domain, 'email_campaign_permission_scope', 'email_template_permission_scope'].map(
            (type) => having({ type }),
          ),
          having({ type: 'project', resources: among(having({ type: inbox })) }),
        ),
      }),
    ]),
  ),
  quote(
    'a token',
    token(whole),
    200,
    having({
      resources: [{ ...whole[0] }],
      id: NUMBER,
      name: 'n',
      last_4_digits: TEXT,
      created_by: TEXT,
      expires_at: null,
      token: TEXT,
    }),
  ),
  quote('a token with no permission', token([]), 422, {
    errors: { base: ['No permissions selected. Please choose at least one.'] },
  }),
  quote(
    'a token with neither a name nor a permission',
    ({ call }) => call(`POST ${A}/api_tokens`, { resources: [] }),
    422,
    { errors: { base: ['No permissions selected. Please choose at least one.'] } },
  ),
  quote(
    'the reset of a token',
    async (asked) => {
      const { id } = (await token(whole)(asked)).value as { id: number };
      const { status, value } = await asked.call(`POST ${A}/api_tokens/${id}/reset`);
      const again = value as { id: number; name: string; token: string };
      return { status: status ?? 0, value: [again.id === id, again.name === `n ${again.id}`, again.token] };
    },
    200,
    [false, true, TEXT],
  ),
  quote(
    'a token is deleted',
    async (asked) =>
      asked.call(`DELETE ${A}/api_tokens/${((await token(whole)(asked)).value as { id: number }).id}`),
    204,
    '',
  ),
  quote(
    'usage',
    `GET ${A}/billing/usage`,
    200,
    having({
      billing: { cycle_start: TEXT, cycle_end: TEXT },
      sending: having({
        plan: { name: TEXT },
        usage: having({ sent_messages_count: { current: 0, limit: NUMBER } }),
      }),
    }),
  ),
  quote('suppressions are a bare array', `GET ${A}/suppressions`, 200, []),
  quote('a suppression made by the API', ({ call }) => call(`POST ${A}/suppressions`, suppression), 201, {
    data: having({
      ...NULLS,
      type: 'manual import',
      email: 'ann@example.org',
      sending_stream: 'transactional',
      domain_name: 'mail.example.com',
      created_at: matching(/\.\d{3}Z$/),
    }),
  }),
  quote(
    'a suppression is deleted',
    async ({ call }) => {
      const { id } = await call(`POST ${A}/suppressions`, suppression);
      return call(`DELETE ${A}/suppressions/${id}`);
    },
    200,
    having({ email: 'ann@example.org' }),
  ),
  quote('a suppression that does not exist', `DELETE /api/suppressions/${UUID}`, 404, {
    errors: { base: ['Suppression not found'] },
  }),
  quote(
    'a suppression of an invalid address',
    ({ call }) => call('POST /api/suppressions', { ...suppression, email: 'ann' }),
    422,
    wrong,
  ),
  quote(
    'an opt-out',
    ({ call }) => call('POST /api/tracking_opt_outs', { email: 'ann@example.org', domain_id: 301 }),
    201,
    { data: having({ id: TEXT, email: 'ann@example.org', created_at: TEXT }) },
  ),
  quote('opt-outs', 'GET /api/tracking_opt_outs', 200, { data: [], last_id: null }),
  quote('an opt-out that does not exist', `DELETE /api/tracking_opt_outs/${UUID}`, 404, {
    errors: { base: ['Tracking opt-out not found'] },
  }),
  quote(
    'an opt-out of an invalid address',
    ({ call }) => call('POST /api/tracking_opt_outs', { email: 'ann', domain_id: 301 }),
    422,
    wrong,
  ),
  quote('statistics without a date', 'GET /api/stats', 400, { error: TEXT }),
  ...[
    ['/api', 'domain_id'],
    [A, 'sending_domain_id'],
  ].map(([base = '', key = '']) =>
    quote(
      `statistics by ${key}`,
      async ({ call, emulator }) => {
        await call('POST send /api/send', mail);
        emulator.clock.advance(2000);
        return call(`GET ${base}/stats/domains?start_date=2026-01-01&end_date=2026-12-31`);
      },
      200,
      [{ [key]: 301, stats: having({ delivery_count: 1, delivery_rate: 1 }) }],
    ),
  ),
  quote('401', ({ call }) => call('GET /api/accounts', undefined, { token: 'no' }), 401, {
    error: 'Incorrect API token',
  }),
  quote('the header of a 401', headersOf('GET /api/accounts', ['www-authenticate'], { token: 'no' }), 401, [
    'Token realm="Application"',
  ]),
  quote(
    '403',
    ({ call, emulator }) =>
      call('GET /api/domains', undefined, {
        token: emulator.createToken({ permissions: { domains: 'none' } }),
      }),
    403,
    FORBIDDEN,
  ),
  ...[
    'domains/-1',
    'domains/abc',
    'email_templates/7',
    'webhooks/7',
    'projects/7',
    'inbound/folders/7',
    'contacts/exports/7',
  ].map((path) => quote(`404 of ${path}`, `GET /api/${path}`, 404, NOT_FOUND)),
  quote(
    'the headers of the limit',
    headersOf('GET /api/accounts', [
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
      'retry-after',
    ]),
    200,
    ['150', '149', null, null],
    { limits: {} },
  ),
  quote(
    'the header of a 429',
    async (asked) => {
      const { ask } = limited('token', 'GET /api/accounts');
      await ask(asked);
      return headersOf('GET /api/accounts', ['x-ratelimit-reset'])(asked);
    },
    429,
    [matching(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/)],
    { limits: { token: { requests: 1, perMs: 60_000 } } },
  ),
  perPool('token', 'GET /api/accounts', { error: 'Throttled' }, 'recorded'),
  perPool('contacts', 'GET /api/contacts/lists', { error: TEXT }, 'specified'),
  perPool('contacts', 'GET /api/contacts/lists', TOO_MANY, 'recorded'),
  perPool('suppressions', 'GET /api/suppressions', TOO_MANY, 'recorded'),
  perPool('templatesList', 'GET /api/templates', TOO_MANY, 'specified'),
  perPool('templatesCreate', 'POST /api/templates', TOO_MANY, 'specified', words),
  quote(
    '429 of the sandbox',
    async ({ call }) => {
      await call('POST sandbox /api/send/2001', mail);
      return call('POST sandbox /api/send/2001', mail);
    },
    429,
    having({ success: false, errors: ['Rate limit exceeded'] }),
    { sandbox: { limit: { requests: 1, perMs: 60_000 } } },
  ),
  quote(
    'either header has the token',
    ({ call, emulator }) =>
      call('GET /api/accounts', undefined, {
        token: null,
        headers: { 'api-token': emulator.clientOptions().token },
      }),
    200,
    ANY,
  ),
  quote(
    'a webhook without its fields',
    ({ call }) => call(`POST ${A}/webhooks`, { webhook: { url: '', webhook_type: 'email_sending' } }),
    422,
    {
      errors: {
        event_types: ["can't be blank"],
        sending_stream: ["can't be blank"],
        url: ["can't be blank", 'is invalid'],
      },
    },
  ),
  quote(
    'a webhook',
    ({ call }) =>
      call(`POST ${A}/webhooks`, {
        webhook: {
          url: 'https://a.example.com',
          webhook_type: 'email_sending',
          sending_stream: 'bulk',
          event_types: ['delivery'],
        },
      }),
    200,
    {
      data: having({
        id: NUMBER,
        active: true,
        payload_format: 'json',
        sending_stream: 'bulk',
        domain_id: null,
        signing_secret: TEXT,
      }),
    },
  ),
  quote('webhooks', `GET ${A}/webhooks`, 200, { data: [] }),
  quote(
    'a webhook is deleted',
    async ({ call }) => {
      const { id } = await call('POST /api/webhooks', {
        webhook: { url: 'https://a.example.com', webhook_type: 'campaigns', event_types: ['click'] },
      });
      return call(`DELETE /api/webhooks/${id}`);
    },
    200,
    { data: having({ event_types: ['click'], webhook_type: 'campaigns' }) },
  ),
  quote(
    'the header of a post, and its body',
    async ({ call, emulator }) => {
      const { value } = await call('POST /api/webhooks', {
        webhook: {
          url: 'https://a.example.com',
          webhook_type: 'email_sending',
          sending_stream: 'transactional',
          event_types: ['soft_bounce'],
        },
      });
      await call('POST send /api/send', { ...mail, to: [{ email: 'soft-bounce@example.org' }] });
      emulator.clock.advance(60_000);
      await emulator.webhooks.flush();
      const [post] = emulator.webhooks.posts;
      return {
        value: {
          secret: (value as { data: { signing_secret: string } }).data.signing_secret,
          body: JSON.parse(String(post?.body)) as unknown,
        },
      };
    },
    undefined,
    {
      secret: matching(/^[\da-f]{32}$/),
      body: {
        events: [
          having({
            event: 'soft bounce',
            email: 'soft-bounce@example.org',
            sending_stream: 'transactional',
            timestamp: NUMBER,
            event_id: TEXT,
            response_code: NUMBER,
            bounce_category: TEXT,
          }),
        ],
      },
    },
  ),
  quote(
    'lists of logs and statistics are lists',
    'GET /api/stats/date?start_date=2026-01-01&end_date=2026-01-01',
    200,
    LIST,
  ),
];
