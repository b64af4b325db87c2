import type { Emulator } from 'email-platform/testing';

/** The random values of a request. */
export interface Draws {
  /** A number from 0 to 1. */
  readonly next: () => number;
  /** One of these. */
  readonly pick: <T>(values: readonly T[]) => T;
  /** The id of an object in an earlier response, or an unknown one. */
  readonly id: (pool: string) => string | number;
  /** A new text. */
  readonly fresh: () => string;
}

type Draw = (draws: Draws) => unknown;

/** A request that the walk makes, with arguments and fields that it draws. */
export interface WalkRequest {
  /** The area whose digest contains its responses. */
  readonly area: string;
  readonly host: Emulator.Host;
  readonly verb: string;
  /** A name in braces is an id from the pool of that name; `{account}` is either form of the path. */
  readonly path: string;
  /** The pool that the ids in its responses go to. */
  readonly pool?: string;
  readonly query?: Draw;
  readonly body?: Draw;
}

const days = ['2026-01-30', '2026-01-31', '2026-02-03', 'tomorrow', ''];
const some = ({ pick, id }: Draws, pool: string) => pick([[], [id(pool)], [id(pool), id(pool)]]);
const maybe = ({ next }: Draws, fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(() => next() < 0.6));

const person = ({ pick, next }: Draws) => ({
  email: pick([
    ...[
      'ann@example.org',
      'bounce@gmail.com',
      'soft-bounce@yahoo.com',
      'spam@outlook.com',
      'unsubscribe+7@x.io',
    ],
    ...[
      'reject@example.org',
      'suspend@x.io',
      'opted-out@x.io',
      'open@x.io',
      'quiet@x.io',
      'stuck@x.io',
      ...[
        'ann@gmail.com',
        'bob@yahoo.com',
        'carl@x.io',
        'dora@x.io',
        'delayed@gmail.com',
        'late-bounce@x.io',
      ],
      'not one',
    ],
  ]),
  ...(next() < 0.3 ? { name: pick(['Ann', 'Zoë "Z" Ö', 'A, B']) } : {}),
});
const sender = ({ pick, id, next }: Draws) => ({
  email: pick([
    ...[
      'hello@mail.example.com',
      'hello@mail.example.com',
      'hello@mail.example.com',
      'News@MAIL.example.com',
    ],
    ...['hello@unverified.example.com', 'nobody@elsewhere.test'],
    `x@${String(id('domainNames'))}`,
  ]),
  ...(next() < 0.3 ? { name: 'Café' } : {}),
});
const file = ({ pick }: Draws) => ({
  content: pick(['aGVsbG8=', 'aGVs\nbG8=', '!!', '']),
  filename: pick(['a.txt', 'ü.txt', 'a"b.txt', '']),
  ...pick([{}, { type: 'text/plain' }, { disposition: 'inline', content_id: 'logo' }, { disposition: 'x' }]),
});
const mail = (draws: Draws): Record<string, unknown> => {
  const { pick, next, id } = draws;
  const said =
    next() < 0.2
      ? {
          template_uuid: id('templateUuids'),
          template_variables: { name: 'Ann', items: [{ name: 'x', price: 3 }] },
        }
      : {
          subject: pick([
            'Hello',
            'HELLO',
            'Grüße aus Köln, das ist ein langer Betreff mit vielen Zeichen',
            '',
          ]),
          ...pick([
            { text: 'Hi https://example.org/a' },
            { html: '<p><a href="https://example.org/b">x</a></p><style>p{}</style>\n<video></video>' },
            {
              text: 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X',
              html: '<b>x</b>',
            },
            {},
          ]),
        };
  return {
    from: sender(draws),
    to: Array.from({ length: pick([1, 1, 1, 1, 2, 3, 3, 0]) }, () => person(draws)),
    ...said,
    ...maybe(draws, {
      category: pick(['receipts', 'receipts', 'digest', 'digest', '']),
      custom_variables: pick([{ user: 'x' }, { user: 'y' }, { n: 5 }, { a: true }, { deep: {} }]),
    }),
    ...(next() < 0.2 ? { cc: [person(draws)] } : {}),
    ...(next() < 0.2 ? { bcc: [person(draws)] } : {}),
    ...(next() < 0.2 ? { reply_to: person(draws) } : {}),
    ...(next() < 0.2
      ? {
          headers: pick([
            { 'In-Reply-To': '<a@b>', References: '<a@b> <c@d>' },
            { 'List-Id': 'x' },
            { Subject: 'x' },
            { 'X-ä': 'x' },
            { 'X-A': 'ö' },
          ]),
        }
      : {}),
    ...(next() < 0.2 ? { attachments: [file(draws)] } : {}),
  };
};
const batch = (draws: Draws) => ({
  ...draws.pick([
    {},
    {},
    { base: { from: sender(draws), subject: 'Shared', text: 'Hi' } },
    { base: { to: [] } },
    { base: 5 },
  ]),
  requests: Array.from({ length: draws.pick([1, 2, 5, 0]) }, () => mail(draws)),
});
const campaign = (draws: Draws) => {
  const { pick, id, next } = draws;
  return {
    name: pick(['Spring sale', 'Autumn', '', 'Ünïcode']),
    domain_id: next() < 0.6 ? 301 : id('domains'),
    from_local_part: 'news',
    ...maybe(draws, {
      from_display_name: pick(['The News', null]),
      reply_to: pick([{ local_part: 'x', domain: 'y.z' }, {}, 'x', { domain: 5 }]),
      delivery_mode: pick(['rapid', 'gradual', 'slow']),
      delivery_options: pick([
        { emails_per_hour: 100 },
        { emails_per_hour: 0 },
        { emails_per_hour: 1.5 },
        {},
      ]),
      contact_list_ids: some(draws, 'lists'),
      contact_segment_ids: pick([[], [3], [3, 3, 4], ['x']]),
    }),
    template_attributes: maybe(draws, {
      subject: pick(['Hello {{first_name}}', 'x'.repeat(256)]),
      body_html: '<p>Hello</p>',
      body_text: pick(['Hello', null]),
      merge_tags: pick([['first_name'], [], [5]]),
    }),
  };
};
const domainSettings = (draws: Draws) =>
  maybe(draws, {
    open_tracking_enabled: draws.pick([true, false, 'yes']),
    click_tracking_enabled: draws.pick([true, false]),
    inbound_enabled: draws.pick([true, false]),
  });
const template = (draws: Draws) => ({
  name: draws.pick(['Welcome', 'x'.repeat(256), '']),
  subject: draws.pick(['Hello {{name}}', 'Hello']),
  category: 'onboarding',
  ...maybe(draws, {
    body_html: draws.pick(['<p>{{#each items}}{{this.name}}{{/each}}{{name}}</p>', '{{#if x}}', null]),
    body_text: draws.pick(['Hello {{name}}', null, 5]),
  }),
});
const contact = (draws: Draws) => ({
  email: draws.pick([`${draws.fresh()}@example.org`, 'ann@example.org', 'not one', null]),
  ...maybe(draws, {
    fields: draws.pick([{ first_name: 'Ann', city: 'Oslo' }, { first_name: 'B,"b' }, { x: {} }, 5]),
    list_ids: some(draws, 'lists'),
    list_ids_included: some(draws, 'lists'),
    list_ids_excluded: some(draws, 'lists'),
    unsubscribed: draws.pick([true, false, 'no']),
  }),
});
const resource = ({ pick, id }: Draws) => ({
  resource_type: pick(['account', 'domain', 'sending_domain', 'project', 'sandbox', 'inbox', 'billing', 'x']),
  resource_id: pick([1001, id('domains'), id('projects'), id('sandboxes'), '1001']),
  access_level: pick(['admin', 'viewer', 100, 10, 'x']),
  ...pick([{}, {}, { _destroy: true }]),
});
const webhook = (draws: Draws) => ({
  url: draws.pick(['https://hooks.example.com/a', 'https://u:p@hooks.example.com/b', 'nope', '']),
  webhook_type: draws.pick([
    'email_sending',
    'email_sending',
    'campaigns',
    'audit_log',
    'inbound_receiving',
    'x',
  ]),
  ...maybe(draws, {
    sending_stream: draws.pick(['transactional', 'transactional', 'bulk', 'x']),
    payload_format: draws.pick(['json', 'jsonlines', 'xml']),
    event_types: draws.pick([
      ['delivery', 'open', 'click', 'bounce'],
      ['soft_bounce', 'spam_complaint'],
      ['x'],
      [],
    ]),
    domain_id: draws.id('domains'),
    inbound_inbox_id: draws.id('inboxes'),
    active: draws.pick([true, true, false, 'x']),
  }),
});
const rule = (draws: Draws) => ({
  name: draws.pick(['Invoices', '']),
  ...maybe(draws, {
    conditions: draws.pick([
      [{ match_type: 'sender', operator: 'contains', value: 'ann' }],
      [{ match_type: 'header', operator: 'not_empty', header_key: 'X-Kind' }],
      [{ match_type: 'recipient', operator: 'x', value: 'a' }],
      Array(6).fill({ match_type: 'sender', operator: 'empty' }),
    ]),
  }),
  destinations: draws.pick([
    [{ email: 'books@example.com' }],
    [],
    [{ email: 'x' }],
    Array(6).fill({ email: 'a@b.c' }),
  ]),
});
const reply = (draws: Draws) => ({
  ...maybe(draws, {
    from: sender(draws),
    to: [person(draws)],
    text: 'My answer',
    html: '<p>My answer</p>',
    cc: [person(draws)],
    category: 'answers',
    attachments: [file(draws)],
  }),
});
const pageQuery = ({ pick, id }: Draws) =>
  pick([
    {},
    {},
    { per_page: '2' },
    { per_page: '3', token: '2' },
    { per_page: '0', token: 'x' },
    { last_id: String(id('longIds')) },
  ]);
const logFilters = (draws: Draws) => {
  const { pick, id } = draws;
  const [name, operator, value] = pick([
    ['to', 'ci_contain', 'ANN'],
    ['to', 'ci_not_equal', 'ann@example.org'],
    ['from', 'ci_equal', 'hello@mail.example.com'],
    ['subject', 'empty', ''],
    ['status', 'equal', 'delivered'],
    ['status', 'equal', 'x'],
    ['events', 'include_event', 'click'],
    ['events', 'not_include_event', 'bounce'],
    ['opens_count', 'greater_than', '0'],
    ['clicks_count', 'equal', 'x'],
    ['client_ip', 'contain', '203'],
    ['sending_ip', 'equal', '198.51.100.10'],
    ['email_service_provider', 'not_equal', 'Google'],
    ['email_service_provider_response', 'ci_contain', 'mailbox'],
    ['recipient_mx', 'ci_contain', 'mx.'],
    ['category', 'equal', 'receipts'],
    ['sending_stream', 'equal', 'bulk'],
    ['domain_id', 'equal', String(id('domains'))],
    ['sending_domain_id', 'equal', String(id('domains'))],
    ['nonsense', 'equal', '1'],
  ] as const);
  return {
    ...pick([{}, { [`filters[${name}][operator]`]: operator, [`filters[${name}][value]`]: value }]),
    ...pick([{}, {}, { 'filters[sent_after]': pick(days) }, { 'filters[sent_before]': '2026-02-01T00:00' }]),
    ...pick([{}, {}, {}, { search_after: String(id('logs')) }]),
  };
};
const statsQuery = ({ pick, id }: Draws) => ({
  start_date: pick(['2026-01-01', '2026-01-31', 'x']),
  end_date: pick(['2026-12-31', '2026-02-01']),
  ...pick([
    {},
    { 'sending_streams[]': 'bulk' },
    { 'categories[0]': 'receipts' },
    { 'domain_ids[]': String(id('domains')) },
  ]),
});

const of = (area: string, rows: Record<string, Partial<WalkRequest>>): WalkRequest[] =>
  Object.entries(rows).map(([line, more]) => {
    const [verb = '', path = ''] = line.split(' ');
    return { area, host: 'api', verb, path, ...more };
  });

/** Reads, changes, deletes and lists an object. */
const crud = (
  area: string,
  list: string,
  pool: string,
  body: Draw,
  { update = 'PATCH', query }: { update?: string; query?: Draw } = {},
) =>
  of(area, {
    [`GET ${list}`]: { pool, ...(query && { query }) },
    [`POST ${list}`]: { pool, body },
    [`GET ${list}/{${pool}}`]: { pool },
    [`${update} ${list}/{${pool}}`]: { pool, body },
    [`DELETE ${list}/{${pool}}`]: {},
  });

const named =
  (wrapper: string | undefined, fields: Draw): Draw =>
  (draws) =>
    wrapper === undefined || draws.next() < 0.03 ? fields(draws) : { [wrapper]: fields(draws) };
const name: Draw = ({ pick }) => ({ name: pick(['One', 'Two', '', 'x'.repeat(300), 5]) });
const address: Draw = ({ pick }) => ({ email: pick(['ann@example.org', 'x', 5]) });

const C = '/api/email_campaigns';
const M = '{account}/{sandboxWord}/{sandboxes}/messages';
const I = '/api/inbound/inboxes/{inboxes}';

/** Every request of the walk. */
export const walkRequests: readonly WalkRequest[] = [
  ...crud('campaigns', C, 'campaigns', campaign, {
    query: (draws) => ({ ...pageQuery(draws), ...draws.pick([{}, { search: 'spring' }]) }),
  }),
  ...of('campaigns', {
    [`POST ${C}/{campaigns}/start`]: {},
    [`POST ${C}/{campaigns}/schedule`]: {
      body: ({ pick }) => ({
        datetime: pick([
          '2026-02-10T10:00:00Z',
          '2026-02-30T10:00:00Z',
          '2026-02-01T10:00+0200',
          '2027-01-01T00:00:00Z',
          5,
        ]),
      }),
    },
    [`POST ${C}/{campaigns}/cancel`]: {},
    [`POST ${C}/{campaigns}/reset`]: {},
    [`POST ${C}/{campaigns}/terminate`]: {},
    [`GET ${C}/{campaigns}/stats`]: {
      query: ({ pick }) => ({ start_date: pick(days), end_date: pick(days) }),
    },
  }),
  ...of('email-logs', {
    'GET {account}/email_logs': { pool: 'logs', query: logFilters },
    'GET {account}/email_logs/{logs}': {},
  }),
  ...(['send', 'bulk'] as const).flatMap((host) =>
    of('sending', {
      'POST /api/send': { host, pool: 'logs', body: mail },
      'POST /api/batch': { host, pool: 'logs', body: batch },
    }),
  ),
  ...of('sending', {
    'POST /api/send/{sandboxes}': { host: 'sandbox', body: mail },
    'POST /api/batch/{sandboxes}': { host: 'sandbox', body: batch },
  }),
  ...crud('templates', '{account}/email_templates', 'templates', named('email_template', template)),
  ...of('sending-domains', {
    'GET {account}/{domainWord}': { pool: 'domains' },
    'POST {account}/{domainWord}': {
      pool: 'domains',
      body: named('{domainWrapper}', ({ pick, fresh }) => ({
        domain_name: pick([
          `${fresh()}.example.com`,
          `${fresh()}.example.com`,
          'mail.example.com',
          'x',
          '',
          5,
        ]),
      })),
    },
    'GET {account}/{domainWord}/{domains}': {},
    'PATCH {account}/{domainWord}/{domains}': { body: named('{domainWrapper}', domainSettings) },
    'DELETE {account}/{domainWord}/{domains}': {},
    'POST {account}/{domainWord}/{domains}/send_setup_instructions': { body: address },
    'GET {account}/{domainWord}/{domains}/company_info': {},
    ...Object.fromEntries(
      ['POST', 'PATCH'].map((verb) => [
        `${verb} {account}/{domainWord}/{domains}/company_info`,
        {
          body: named('company_info', (draws) => ({
            ...Object.fromEntries(
              ['name', 'address', 'city', 'country', 'zip_code', 'website_url'].map((key) => [
                key,
                draws.pick(['x', 'y', '']),
              ]),
            ),
            ...maybe(draws, { phone: '1', info_level: draws.pick(['business', 'individual', 'x']) }),
          })),
        },
      ]),
    ),
  }),
  ...of('accounts', {
    'GET /api/accounts': {},
    'GET /api/accounts/1001': {},
    'GET /api/accounts/77': {},
    'GET {account}/account_accesses': {
      pool: 'accesses',
      query: ({ pick }) =>
        pick([{}, { 'domain_ids[]': '301' }, { 'inbox_ids[]': '2001' }, { 'project_ids[1]': '1' }]),
    },
    'DELETE {account}/account_accesses/{accesses}': {},
    'PUT {account}/account_accesses/{accesses}/permissions/bulk': {
      body: (draws) => ({
        permissions: draws.pick([[resource(draws)], [resource(draws), resource(draws)], [], 5]),
      }),
    },
    'GET {account}/permissions': {},
    'GET {account}/permissions/resources': {},
  }),
  ...of('api-tokens', {
    'GET {account}/api_tokens': { pool: 'tokens' },
    'POST {account}/api_tokens': {
      pool: 'tokens',
      body: (draws) => ({
        name: draws.pick(['CI', 'CI', '']),
        ...maybe(draws, {
          resources: draws.pick([[resource(draws)], [resource(draws), resource(draws)], 5]),
          expires_at: draws.pick(['2026-03-01T00:00:00Z', '2020-01-01', null, 'x']),
        }),
      }),
    },
    'GET {account}/api_tokens/{tokens}': {},
    'DELETE {account}/api_tokens/{tokens}': {},
    'POST {account}/api_tokens/{tokens}/reset': { pool: 'tokens' },
  }),
  ...of('organizations', {
    'GET /api/organizations/901/sub_accounts': {},
    'GET /api/organizations/{campaigns}/sub_accounts': {},
    'POST /api/organizations/901/sub_accounts': { body: named('account', name) },
    'DELETE /api/organizations/901/sub_accounts/1101': {},
    'DELETE /api/organizations/901/sub_accounts/999': {},
  }),
  ...of('billing', { 'GET {account}/billing/usage': {} }),
  ...of('contacts', {
    'POST {account}/contacts': { pool: 'contacts', body: named('contact', contact) },
    'GET {account}/contacts/{contacts}': {},
    'GET {account}/contacts/ann%40example.org': {},
    'PATCH {account}/contacts/{contacts}': { pool: 'contacts', body: named('contact', contact) },
    'PATCH {account}/contacts/new%40example.org': { pool: 'contacts', body: named('contact', contact) },
    'DELETE {account}/contacts/{contacts}': {},
    'POST {account}/contacts/{contacts}/events': {
      body: ({ pick }) => ({ name: pick(['signed_up', '', 5]), params: pick([{ a: 1 }, { a: {} }, 5]) }),
    },
    'POST {account}/contacts/imports': {
      pool: 'imports',
      body: (draws) => ({
        contacts: draws.pick([[], [contact(draws)], [contact(draws), contact(draws)], 5]),
      }),
    },
    'GET {account}/contacts/imports/{imports}': {},
    'POST {account}/contacts/exports': {
      pool: 'exports',
      body: (draws) => ({
        filters: draws.pick([
          [],
          [{ name: 'subscription_status', operator: 'equal', value: 'subscribed' }],
          [{ name: 'list_id', operator: 'equal', value: some(draws, 'lists') }],
          [{ name: 'x' }],
        ]),
      }),
    },
    'GET {account}/contacts/exports/{exports}': {},
  }),
  ...crud('contacts', '{account}/contacts/lists', 'lists', name, {
    query: ({ pick }) => pick([{}, { search: 'on' }]),
  }),
  ...crud('contacts', '{account}/contacts/fields', 'fields', ({ pick, fresh }) => ({
    name: pick(['City', 'First name', '']),
    merge_tag: pick(['city', 'first_name', fresh(), '']),
    data_type: pick(['text', 'integer', 'x']),
  })),
  ...of('suppressions', {
    'GET {account}/suppressions': {
      pool: 'suppressions',
      query: (draws) =>
        draws.pick([
          {},
          { email: 'Bounce@gmail.com' },
          { start_time: '2026-02-01' },
          { last_id: String(draws.id('suppressions')) },
        ]),
    },
    'POST {account}/suppressions': {
      pool: 'suppressions',
      body: ({ pick, id }) => ({
        email: pick(['ann@example.org', 'quiet@x.io', 'x']),
        domain_id: pick([301, id('domains')]),
        sending_stream: pick(['transactional', 'bulk', 'any']),
        ...pick([{}, { type: 'unsubscription' }, { type: 'x' }]),
      }),
    },
    'DELETE {account}/suppressions/{suppressions}': {},
  }),
  ...of('tracking-opt-outs', {
    'GET /api/tracking_opt_outs': {
      pool: 'optOuts',
      query: (draws) =>
        draws.pick([{}, { email: 'ann@example.org' }, { last_id: String(draws.id('optOuts')) }]),
    },
    'POST /api/tracking_opt_outs': {
      pool: 'optOuts',
      body: ({ pick, id }) => ({
        email: pick(['ann@example.org', 'x']),
        domain_id: pick([301, id('domains')]),
      }),
    },
    'DELETE /api/tracking_opt_outs/{optOuts}': {},
  }),
  ...of(
    'stats',
    Object.fromEntries(
      ['', '/domains', '/categories', '/email_service_providers', '/date'].map((path) => [
        `GET {account}/stats${path}`,
        { query: statsQuery },
      ]),
    ),
  ),
  ...crud('webhooks', '{account}/webhooks', 'webhooks', named('webhook', webhook)),
  ...crud('sandbox', '{account}/projects', 'projects', named('project', name)),
  ...of('sandbox', {
    'POST {account}/projects/{projects}/{sandboxWord}': {
      pool: 'sandboxes',
      body: named('{sandboxWrapper}', name),
    },
    'GET {account}/{sandboxWord}': { pool: 'sandboxes' },
    'GET {account}/{sandboxWord}/{sandboxes}': {},
    'PATCH {account}/{sandboxWord}/{sandboxes}': {
      body: named('{sandboxWrapper}', (draws) =>
        maybe(draws, { name: 'Renamed', email_username: draws.pick(['box', 'b x', '']) }),
      ),
    },
    'DELETE {account}/{sandboxWord}/{sandboxes}': {},
    ...Object.fromEntries(
      ['clean', 'all_read', 'reset_credentials', 'toggle_email_username', 'reset_email_username'].map(
        (action) => [`PATCH {account}/{sandboxWord}/{sandboxes}/${action}`, {}],
      ),
    ),
    [`GET ${M}`]: {
      pool: 'captured',
      query: (draws) =>
        draws.pick([{}, { search: 'hel' }, { page: '2' }, { last_id: String(draws.id('captured')) }]),
    },
    [`GET ${M}/{captured}`]: { pool: 'captured' },
    [`PATCH ${M}/{captured}`]: {
      body: named('message', ({ pick }) => ({ is_read: pick([true, false, 'x']) })),
    },
    [`DELETE ${M}/{captured}`]: {},
    [`POST ${M}/{captured}/forward`]: { body: address },
    ...Object.fromEntries(
      [
        'spam_report',
        'analyze',
        'mail_headers',
        'body.txt',
        'body.html',
        'body.htmlsource',
        'body.raw',
        'body.eml',
      ].map((part) => [`GET ${M}/{captured}/${part}`, {}]),
    ),
    [`GET ${M}/{captured}/attachments`]: {
      pool: 'files',
      query: ({ pick }) => pick([{}, { attachment_type: 'inline' }]),
    },
    [`GET ${M}/{captured}/attachments/{files}`]: {},
  }),
  ...crud('inbound', '/api/inbound/folders', 'folders', name),
  ...crud('inbound', '/api/inbound/folders/{folders}/inboxes', 'inboxes', ({ pick, id }) => ({
    name: pick(['Support', '']),
    ...pick([{}, {}, { domain_id: 301 }, { domain_id: id('domains') }]),
  })),
  ...of('inbound', {
    [`GET ${I}/messages`]: { pool: 'received', query: pageQuery },
    [`GET ${I}/messages/{received}`]: { pool: 'received' },
    [`DELETE ${I}/messages/{received}`]: {},
    [`POST ${I}/messages/{received}/reply`]: { pool: 'logs', body: reply },
    [`POST ${I}/messages/{received}/reply_all`]: { pool: 'logs', body: reply },
    [`POST ${I}/messages/{received}/forward`]: { pool: 'logs', body: reply },
    [`GET ${I}/threads`]: {
      pool: 'threads',
      query: (draws) =>
        draws.pick([
          {},
          { search: 'ann' },
          { search: 'x'.repeat(257) },
          { last_id: String(draws.id('threads')) },
        ]),
    },
    [`GET ${I}/threads/{threads}`]: { pool: 'received' },
    [`DELETE ${I}/threads/{threads}`]: {},
  }),
  ...crud('inbound', `${I}/forward_rules`, 'rules', rule),
  ...of('elsewhere', {
    'GET /api/segments': {},
    'POST /api/email_campaigns/%zz': {},
    'GET /nothing': { host: 'send' },
    'PUT {account}/email_templates': {},
  }),
];
