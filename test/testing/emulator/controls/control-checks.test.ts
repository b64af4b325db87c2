import { describe, expect, test } from 'vitest';
import { handlers } from 'email-platform/testing/msw';
import { isDomainName } from '../../../../src/testing/service/state/account/domains.ts';
import { errorOf, type Loose } from '../../tools/refused.ts';
import { start, still } from '../../tools/wire.ts';

const REFUSED: Readonly<Record<string, readonly (readonly [args: unknown[], message: string])[]>> = {
  createToken: [
    [['admin'], 'TypeError: `options` must be an object'],
    [
      [{ permission: {} }],
      'TypeError: `options.permission` is unknown; the known names are permissions, domains, accountId',
    ],
    [
      [{ permissions: { campaign: 'none' } }],
      'TypeError: `options.permissions.campaign` is unknown; the known names are campaigns, emailLogs, sending, ' +
        'templates, domains, account, billing, contacts, suppressions, stats, webhooks, inbound, sandbox',
    ],
    [
      [{ permissions: { campaigns: 'read' } }],
      "RangeError: `options.permissions.campaigns` must be one of 'none', 'viewer', 'admin', not 'read'",
    ],
    [[{ domains: 301 }], 'TypeError: `options.domains`'],
    [[{ domains: ['mail.example.com'] }], 'TypeError: `options.domains[0]`'],
    [[{ domains: [999] }], 'RangeError: There is no sending domain 999'],
    [[{ accountId: '7' }], 'TypeError: `options.accountId`'],
    [[{ accountId: 0 }], 'RangeError: `options.accountId`'],
  ],
  setBilling: [
    [['x'], "RangeError: `state` must be one of 'within-limits', 'exceeded', not 'x'"],
    [[], 'TypeError: `state`'],
  ],
  'templates.add': [
    [['Welcome'], 'TypeError: `template` must be an object'],
    [
      [{ html: '<p>' }],
      'TypeError: `template.html` is unknown; the known names are name, subject, category, body_html, body_text, editor',
    ],
    [[{ editor: 'word' }], "RangeError: `template.editor` must be one of 'code', 'visual', not 'word'"],
    [[{ subject: ' ' }], "RangeError: The service would refuse these fields: subject can't be blank"],
  ],
  'templates.replace': [
    [[], 'TypeError: `templates` must be an array of templates, as readTemplates returns them'],
    [['emails'], 'TypeError: `templates` must be an array of templates, as readTemplates returns them'],
    [[[{ folder: 'hi' }]], 'TypeError: `templates[0].name`'],
  ],
  'campaigns.add': [
    [['Spring'], 'TypeError: `fields` must be an object'],
    [
      [{ subject: 'Hello' }],
      'TypeError: `fields.subject` is unknown; the known names are name, domain_id, from_local_part, ',
    ],
    [
      [{ template_attributes: { html: '' } }],
      'TypeError: `fields.template_attributes.html` is unknown; the known names are subject, body_html, body_text, ',
    ],
    [[{ delivery_options: { per_hour: 5 } }], 'TypeError: `fields.delivery_options.per_hour` is unknown'],
    [[{ reply_to: { email: 'a@b.c' } }], 'TypeError: `fields.reply_to.email` is unknown'],
    [[{ state: 'sent' }], "RangeError: `fields.state` must be one of 'draft', 'scheduled', "],
    [[{ metadata: 5 }], 'TypeError: `fields.metadata`'],
    [
      [{ domain_id: 999, name: '' }],
      "RangeError: The service would refuse these fields: name can't be blank; domain_id must exist",
    ],
  ],
  'campaigns.setState': [
    [[1001, 'stated'], "RangeError: `state` must be one of 'draft', 'scheduled', 'started', "],
    [[999, 'draft'], 'RangeError: There is no campaign 999'],
    [['Spring', 'draft'], 'TypeError: `id` must be a whole number'],
    [[1001, 'draft', 'now'], 'TypeError: `metadata`'],
  ],
  'campaigns.stateOf': [
    [[999], 'RangeError: There is no campaign 999'],
    [[], 'TypeError: `id`'],
  ],
  'domains.add': [
    [[], 'TypeError: `domain` must be an object with name, verified'],
    [['a.example.com'], 'TypeError: `domain`'],
    [[{}], 'TypeError: `domain.name` must be a domain name, not undefined'],
    [[{ name: 'not a name' }], "RangeError: `domain.name` must be a domain name, not 'not a name'"],
    [
      [{ domain_name: 'a.example.com' }],
      'TypeError: `domain.domain_name` is unknown; the known names are name, verified',
    ],
    [[{ name: 'a.example.com', verified: 'no' }], 'TypeError: `domain.verified`'],
    [[{ name: 'Mail.Example.com' }], 'RangeError: There is already a sending domain Mail.Example.com'],
  ],
  'domains.setVerified': [
    [[999, true], 'RangeError: There is no sending domain 999'],
    [['mail.example.com', true], 'TypeError: `id`'],
    [[301], 'TypeError: `verified`'],
  ],
  'logs.add': [
    [['ann@example.org'], 'TypeError: `fields` must be an object'],
    [
      [{ recipient: 'ann@example.org' }],
      'TypeError: `fields.recipient` is unknown; the known names are message_id, status, ',
    ],
    [[{ message_id: '7' }], 'RangeError: `fields.message_id` must be a UUID'],
    [
      [{ status: 'bounced' }],
      "RangeError: `fields.status` must be one of 'delivered', 'not_delivered', 'enqueued', 'opted_out', not 'bounced'",
    ],
    [[{ subject: 5 }], 'TypeError: `fields.subject` must be a string, or null'],
    [[{ from: null }], 'TypeError: `fields.from`'],
    [[{ to: ['ann@example.org'] }], 'TypeError: `fields.to`'],
    [[{ sent_at: 'yesterday' }], 'RangeError: `fields.sent_at` must be a Date'],
    [[{ sent_at: {} }], 'TypeError: `fields.sent_at`'],
    [[{ sent_at: 1e15 }], 'RangeError: `fields.sent_at`'],
    [[{ client_ip: 5 }], 'TypeError: `fields.client_ip`'],
    [[{ category: {} }], 'TypeError: `fields.category`'],
    [[{ custom_variables: 'x' }], 'TypeError: `fields.custom_variables`'],
    [[{ sending_stream: 'sandbox' }], 'RangeError: `fields.sending_stream`'],
    [[{ domain_id: '301' }], 'TypeError: `fields.domain_id`'],
    [[{ domain_id: 999 }], 'RangeError: There is no sending domain 999'],
    [[{ template_id: 'x' }], 'TypeError: `fields.template_id`'],
    [[{ template_variables: [] }], 'TypeError: `fields.template_variables`'],
    [[{ in_reply_to: 5 }], 'TypeError: `fields.in_reply_to`'],
    [[{ references: '<a@b>' }], 'TypeError: `fields.references`'],
    [[{ thread_id: 5 }], 'TypeError: `fields.thread_id`'],
    [[{ events: {} }], 'TypeError: `fields.events` must be an array of events'],
    [
      [{ events: [{ type: 'open' }] }],
      'TypeError: `fields.events[0].type` is unknown; the known names are event_type, created_at, details',
    ],
    [[{ events: [{}] }], 'TypeError: `fields.events[0].event_type`'],
    [[{ events: [{ event_type: 'open', created_at: 'x' }] }], 'RangeError: `fields.events[0].created_at`'],
    [[{ events: [{ event_type: 'open', details: 5 }] }], 'TypeError: `fields.events[0].details`'],
    [[{ raw: 5 }], 'TypeError: `fields.raw` must be a string or a Uint8Array'],
  ],
  'logs.addMany': [
    [[{}], 'TypeError: `messages` must be an iterable'],
    [[[{}, { sendAt: 5 }]], 'TypeError: `messages[1].sendAt` is unknown'],
  ],
  'webhooks.emit': [
    [['sending', {}], "RangeError: `type` must be one of 'email_sending', 'campaigns', 'audit_log', "],
    [[], 'TypeError: `type`'],
    [['audit_log', 'login'], 'TypeError: `event` must be an object'],
  ],
  'inbound.receive': [
    [[], 'TypeError: `email` must be an object with to, from, cc'],
    [[{ from: 'a@b.c' }], 'TypeError: `email.to` must be an address, or an array of addresses'],
    [[{ to: ['a@b.c', 5], from: 'a@b.c' }], 'TypeError: `email.to[1]` must be a string'],
    [[{ to: 'a@b.c' }], 'TypeError: `email.from`'],
    [[{ to: 'a@b.c', from: 'a@b.c', body: 'x' }], 'TypeError: `email.body` is unknown'],
    [[{ to: 'a@b.c', from: 'a@b.c', cc: { email: 'd@e.f' } }], 'TypeError: `email.cc`'],
    [[{ to: 'a@b.c', from: 'a@b.c', bcc: ['d@e.f', 5] }], 'TypeError: `email.bcc[1]` must be a string'],
    [[{ to: 'a@b.c', from: 'a@b.c', headers: { a: 5 } }], 'TypeError: `email.headers`'],
    [
      [{ to: 'a@b.c', from: 'a@b.c', attachments: [{ filename: 'a', content: '%' }] }],
      'RangeError: `email.attachments[0].content` must be base64',
    ],
    [
      [{ to: ['a@b.c', 'nobody@inbound.emulator.test'], from: 'a@b.c' }],
      'RangeError: None of the recipients is the address of an inbox',
    ],
  ],
  'sandbox.messages': [
    [['2001'], 'TypeError: `inboxId`'],
    [[7], 'RangeError: There is no test inbox 7'],
  ],
  'clock.advance': [
    [['1h'], "TypeError: `ms` must be a number of milliseconds, 0 or more, not '1h'"],
    [[], 'TypeError: `ms`'],
    [[Number.NaN], 'RangeError: `ms` must be'],
    [[-1], 'RangeError: `ms` must be'],
    [[Infinity], 'RangeError: `ms` must be'],
    [[253_000_000_000_000], 'RangeError: `ms` must not move the clock beyond the year 9999'],
  ],
};

describe.each(Object.keys(REFUSED))('%s refuses', (name) => {
  test.each(REFUSED[name] ?? [])('%j → %s', (args, message) => {
    const emulator = still();
    emulator.campaigns.add();
    const control = name
      .split('.')
      .reduce<unknown>((from, key) => (from as Record<string, unknown>)[key], emulator);
    expect(errorOf(() => (control as Loose)(...args))).toContain(message);
    expect(emulator.clock.now()).toBe(start);
    expect(emulator.campaigns.stateOf(1001)).toBe('draft');
    expect(emulator.domains.list()).toHaveLength(2);
  });
});

describe('A method refuses', () => {
  test.each([
    ...['campaigns', 'emailLogs', 'sending', 'templates', 'domains'],
    ...['account', 'billing', 'contacts', 'suppressions', 'stats', 'webhooks', 'inbound', 'sandbox'],
  ])('createToken: an invalid level of %s', (area) => {
    expect(errorOf(() => (still().createToken as Loose)({ permissions: { [area]: 'write' } }))).toContain(
      `RangeError: \`options.permissions.${area}\` must be one of 'none', 'viewer', 'admin', not 'write'`,
    );
  });

  test('logs.add: an id that is already in the log', () => {
    const emulator = still();
    const id = emulator.logs.add();
    expect(() => emulator.logs.add({ message_id: id.toUpperCase() })).toThrow(
      new RangeError(`There is already a message ${id}`),
    );
  });

  test.each<[unknown, string]>([
    [4010, 'TypeError: `options` must be an object with port, allowedHosts, host, cors, control, not 4010'],
    [
      { prot: 1 },
      'TypeError: `options.prot` is unknown; the known names are port, allowedHosts, host, cors, control',
    ],
    [{ port: -1 }, 'RangeError: `options.port` must be a whole number from 0 to 65535, not -1'],
    [{ port: '4010' }, "TypeError: `options.port` must be a whole number from 0 to 65535, not '4010'"],
    [{ port: 65_536 }, 'RangeError: `options.port`'],
    [{ allowedHosts: 'a.test' }, 'TypeError: `options.allowedHosts` must be an array of host names'],
    [{ allowedHosts: ['a.test', 5] }, 'TypeError: `options.allowedHosts[1]`'],
    [
      { allowedHosts: ['http://a.test'] },
      'RangeError: `options.allowedHosts[0]` must be a host name such as emulator.example.com, with or without a ' +
        "port, not 'http://a.test'",
    ],
    [{ allowedHosts: ['*.a.test'] }, 'RangeError: `options.allowedHosts[0]`'],
    [{ allowedHosts: [''] }, 'RangeError: `options.allowedHosts[0]`'],
    [{ allowedHosts: ['a.test/'] }, 'RangeError: `options.allowedHosts[0]`'],
    [{ host: 'a b' }, 'RangeError: `options.host` must be an address of this machine, such as 0.0.0.0'],
    [{ host: '' }, 'RangeError: `options.host`'],
    [{ host: 'http://0.0.0.0' }, 'RangeError: `options.host`'],
    [
      { host: '0.0.0.0' },
      'TypeError: `options.host` lets other machines in, and needs a `token` of your own',
    ],
    [{ control: 'yes' }, 'TypeError: `options.control` must be true, false or an object with token'],
    [{ control: { tokne: 'x' } }, 'TypeError: `options.control.tokne` is unknown; the known names are token'],
    [{ control: { token: 'short' } }, 'RangeError: `options.control.token` must be at least 16 characters'],
    [{ cors: ['http://localhost:5173'] }, 'TypeError: `options.cors` must be an object with origins, expose'],
    [{ cors: {} }, 'TypeError: `options.cors.origins` must be an array of origins, not undefined'],
    [{ cors: { origins: '*' } }, 'TypeError: `options.cors.origins`'],
    [
      { cors: { origins: ['*'] } },
      'RangeError: `options.cors.origins[0]` must be an origin such as http://localhost:5173, without a path, not ' +
        "'*'",
    ],
    [{ cors: { origins: ['null'] } }, 'RangeError: `options.cors.origins[0]`'],
    [{ cors: { origins: ['http://localhost:5173/'] } }, 'RangeError: `options.cors.origins[0]`'],
    [{ cors: { origins: ['http://LOCALHOST:5173'] } }, 'RangeError: `options.cors.origins[0]`'],
    [{ cors: { origins: ['https://a.test:443'] } }, 'RangeError: `options.cors.origins[0]`'],
    [{ cors: { origins: ['localhost:5173'] } }, 'RangeError: `options.cors.origins[0]`'],
    [{ cors: { origins: ['http://a.test\r\nset-cookie: a'] } }, 'RangeError: `options.cors.origins[0]`'],
    [
      { cors: { origins: [], expose: 'Date' } },
      'TypeError: `options.cors.expose` must be an array of header',
    ],
    [
      { cors: { origins: [], expose: ['Date', 'retry after'] } },
      'RangeError: `options.cors.expose[1]` must be the name of a header',
    ],
    [{ cors: { origins: [], exposed: [] } }, 'TypeError: `options.cors.exposed` is unknown'],
  ])('listen(%j)', async (options, message) => {
    const listening = (still().listen as Loose)(options) as Promise<unknown>;
    expect(String(await listening.catch((error: unknown) => error))).toContain(message);
  });

  test.each(['https://emulator.test/account/api/email_campaigns', undefined, {}])(
    'handle(%j)',
    async (request) => {
      const handled = (still().handle as Loose)(request) as Promise<unknown>;
      const error = await handled.catch((reason: unknown) => reason);
      expect(String(error)).toContain('TypeError: `request` must be a Request');
    },
  );

  test.each<[unknown[], string]>([
    [[{}], 'TypeError: `emulator` must be an emulator, not an object'],
    [[still(), { host: {} }], 'TypeError: `options.host` is unknown; the known names are hosts'],
    [[still(), { hosts: { account: '/' } }], 'TypeError: `options.hosts.account` is unknown'],
    [
      [still(), { hosts: { api: new URL('https://a.example') } }],
      'TypeError: `options.hosts.api` must be a URL',
    ],
    [
      [still(), { hosts: { api: 'api.example.com' } }],
      'RangeError: `options.hosts.api` must be a URL that begins',
    ],
  ])('handlers', (args, message) => {
    expect(errorOf(() => (handlers as Loose)(...args))).toContain(message);
  });
});

test('domains.add: the name may be in upper or lower case', () => {
  const emulator = still();
  const id = emulator.domains.add({ name: 'News.Example.com' });
  expect(emulator.domains.list().find((one) => one.id === id)?.name).toBe('news.example.com');
  expect(['a.b', 'localhost', 'a..example.com', `${'a'.repeat(64)}.example.com`].map(isDomainName)).toEqual(
    Array(4).fill(false),
  );
});
