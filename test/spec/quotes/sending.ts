import { ANY, having, LIST, mail, matching, NOT_FOUND, quote, TEXT, UUID, type Asked } from './quote.ts';

const { text: _, ...bare } = mail;
const batch = (...requests: object[]) => ({ requests });
const refusal = (...errors: string[]) => ({ success: false, errors });
const AT_LEAST_ONE = 'must specify either text or html body';
const person = (name: string) => ({ email: `${name}@example.org` });
const withTemplate =
  (fields: object) =>
  async ({ call }: Asked) => {
    const { value } = await call('POST /api/email_templates', {
      email_template: { name: 'n', subject: 's', category: 'c', body_html: '<p>{{{a}}}{{a}}</p>' },
    });
    return call('POST send /api/send', {
      from: mail.from,
      to: mail.to,
      template_uuid: (value as { uuid: string }).uuid,
      ...fields,
    });
  };
/** The bodies of the newest email. */
const said = async ({ emulator, call }: Asked, email: object, host = 'send') => {
  const { status } = await call(`POST ${host} /api/send`, email);
  const { subject, text, html, headers } = emulator.messages().at(-1) ?? {};
  return { status: status ?? 0, value: { subject, text, html, headers } };
};
const withSwitch = async (asked: Asked) => {
  await asked.call('PATCH /api/domains/301', { domain: { auto_unsubscribe_link_enabled: true } });
};
const OK = { success: true, message_ids: [TEXT] };
const EMPTY_PARTS: readonly (readonly [string, object])[] = [
  ['text', { text: 't', html: '', category: '' }],
  ['html', { html: '<p>x</p>', text: '' }],
  ['category', { text: 't', category: '' }],
];
const statusOf =
  (to: string) =>
  async ({ call, emulator }: Asked) => {
    const { value } = await call('POST send /api/send', {
      ...mail,
      to: [{ email: to }],
      text: 'https://shop.example.com/',
    });
    emulator.clock.advance(3_600_000);
    const [id = ''] = (value as { message_ids: string[] }).message_ids;
    return call(`GET /api/email_logs/${id}`);
  };

export const ofSending = [
  quote(
    'send: one id for each recipient',
    ({ call }) =>
      call('POST send /api/send', {
        ...mail,
        to: [person('a'), person('b')],
        cc: [person('c'), person('d')],
        bcc: [person('e'), person('f')],
      }),
    200,
    { success: true, message_ids: Array.from({ length: 6 }, () => TEXT) },
  ),
  quote('send on the bulk host', ({ call }) => call('POST bulk /api/send', mail), 200, OK),
  quote('send into a test inbox', ({ call }) => call('POST sandbox /api/send/2001', mail), 200, {
    success: true,
    message_ids: [matching(/^[\da-f-]{36}$/)],
  }),
  quote(
    'a batch into a test inbox has decimal ids',
    ({ call }) => call('POST sandbox /api/batch/2001', batch(mail)),
    200,
    { success: true, responses: [{ success: true, message_ids: [matching(/^\d+$/)] }] },
  ),
  quote('a batch whose emails all fail', ({ call }) => call('POST send /api/batch', batch(bare, bare)), 200, {
    success: true,
    responses: [refusal(AT_LEAST_ONE), refusal(AT_LEAST_ONE)],
  }),
  quote(
    'a batch without requests',
    ({ call }) => call('POST send /api/batch', { requests: [] }),
    400,
    having({ success: false, errors: LIST }),
  ),
  quote(
    'an email of a batch overrides the base',
    ({ call }) =>
      call('POST bulk /api/batch', {
        base: { ...bare, to: undefined },
        requests: [{ to: mail.to, text: 'x' }],
      }),
    200,
    { success: true, responses: [OK] },
  ),
  quote(
    'without a subject and a body',
    ({ call }) => call('POST send /api/send', { from: mail.from, to: mail.to }),
    400,
    refusal("'subject' is required", AT_LEAST_ONE),
  ),
  quote(
    'a subject beside a template',
    withTemplate({ subject: 'x' }),
    400,
    refusal("'subject' is not allowed with 'template_uuid'"),
  ),
  quote(
    'a category beside a template',
    withTemplate({ category: 'x' }),
    400,
    refusal("'category' is not allowed with 'template_uuid'"),
  ),
  quote('an empty category beside a template', withTemplate({ category: '', text: '' }), 200, OK),
  quote(
    'no recipient',
    ({ call }) => call('POST send /api/send', { ...mail, to: [] }),
    400,
    having({ errors: LIST }),
  ),
  quote(
    'a header of the service',
    ({ call }) => call('POST send /api/send', { ...mail, headers: { Subject: 'x' } }),
    400,
    having({ errors: LIST }),
  ),
  quote(
    'variables of more than 1000 bytes',
    ({ call }) => call('POST send /api/send', { ...mail, custom_variables: { a: 'x'.repeat(1000) } }),
    400,
    having({ errors: LIST }),
  ),
  quote(
    'a category of more than 255 characters',
    ({ call }) => call('POST send /api/send', { ...mail, category: 'x'.repeat(256) }),
    400,
    having({ errors: LIST }),
  ),
  quote(
    'a message that is too large',
    ({ call }) => call('POST send /api/send', { ...mail, text: 'x'.repeat(11_000_000) }),
    413,
    having({ errors: LIST }),
  ),
  quote(
    '401 of a sending host',
    ({ call }) => call('POST send /api/send', mail, { token: 'no' }),
    401,
    having({ errors: ['Unauthorized'] }),
  ),
  ...['send', 'bulk'].flatMap((host) =>
    EMPTY_PARTS.flatMap(([name, fields]) => [
      quote(
        `an empty part beside ${name}, to ${host}`,
        ({ call }) => call(`POST ${host} /api/send`, { ...bare, ...fields }),
        200,
        OK,
      ),
      quote(
        `an empty part beside ${name}, in a batch to ${host}`,
        ({ call }) => call(`POST ${host} /api/batch`, batch({ ...bare, ...fields })),
        200,
        { success: true, responses: [OK] },
      ),
    ]),
  ),
  quote(
    'an empty part into a test inbox',
    ({ call }) => call('POST sandbox /api/send/2001', { ...mail, html: '', category: '' }),
    200,
    OK,
  ),
  quote(
    'both bodies empty',
    ({ call }) => call('POST send /api/send', { ...bare, text: '', html: '' }),
    400,
    refusal(AT_LEAST_ONE),
  ),
  quote(
    'an empty part leaves that of the base',
    async ({ call, emulator }) => {
      await call('POST send /api/batch', {
        base: { ...bare, to: undefined, html: '<p>base</p>' },
        requests: [{ to: mail.to, text: 't', html: '' }],
      });
      return { value: emulator.messages().map(({ text, html }) => [text, html]) };
    },
    undefined,
    [['t', '<p>base</p>']],
  ),
  quote(
    'an empty part of the base counts as missing',
    ({ call }) =>
      call('POST send /api/batch', {
        base: { ...mail, to: undefined, html: '', category: '' },
        requests: [{ to: mail.to }],
      }),
    200,
    { success: true, responses: [OK] },
  ),
  quote(
    '{{x}} escapes in the subject, {{{x}}} does not',
    async ({ call, emulator }) => {
      const { value } = await call('POST /api/email_templates', {
        email_template: { name: 'n', subject: '{{a}} {{{a}}}', category: 'c', body_text: 'x' },
      });
      await call('POST send /api/send', {
        from: mail.from,
        to: mail.to,
        template_uuid: (value as { uuid: string }).uuid,
        template_variables: { a: '&' },
      });
      return { value: emulator.messages().at(-1)?.subject };
    },
    undefined,
    '&amp; &',
  ),
  ...['send', 'bulk'].map((host) =>
    quote(
      `__unsubscribe_url__ becomes a link, on ${host}`,
      async (asked) => said(asked, { ...bare, html: '<a href="__unsubscribe_url__">x</a>' }, host),
      200,
      having({
        html: matching(/^<a href="https?:\/\/[^"_]+">x<\/a>$/),
        headers:
          host === 'bulk'
            ? having({
                'List-Unsubscribe': matching(/^<https?:/),
                'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
              })
            : {},
      }),
    ),
  ),
  quote(
    '__tracking_opt_out_url__ becomes a link',
    (asked) => said(asked, { ...mail, text: '__tracking_opt_out_url__' }),
    200,
    having({ text: matching(/^https?:\S+$/) }),
  ),
  ...['send', 'bulk'].map((host) =>
    quote(
      `the footer of the automatic link, on ${host}`,
      async (asked) => {
        await withSwitch(asked);
        return said(asked, { ...mail, html: '<html><body><p>Hello</p></body></html>' }, host);
      },
      200,
      having({
        text: matching(/^Hello\r\n\r\nUnsubscribe: https?:\S+$/),
        html: matching(
          /<p>Hello<\/p><hr[^>]*><table.*align="center".*<a href="https?:[^"]+"[^>]*bold[^>]*>Unsubscribe<\/a>.*<\/table><\/body><\/html>$/,
        ),
      }),
    ),
  ),
  quote(
    'no footer beside the placeholder',
    async (asked) => {
      await withSwitch(asked);
      return said(asked, { ...mail, html: '<a href="__unsubscribe_url__">x</a>' });
    },
    200,
    having({ text: 'Hello', html: matching(/^<a [^>]+>x<\/a>$/) }),
  ),
  quote(
    'no footer without the setting',
    (asked) => said(asked, mail),
    200,
    having({ text: 'Hello', html: null }),
  ),
  ...Object.entries({
    'soft-bounce': 'enqueued',
    suspend: 'enqueued',
    bounce: 'not_delivered',
    reject: 'not_delivered',
    unsubscribe: 'opted_out',
    spam: 'opted_out',
    ann: 'delivered',
  }).map(([name, status]) =>
    quote(`the status after ${name}`, statusOf(`${name}@example.org`), 200, having({ status })),
  ),
  quote(
    'a message of the log has null where nothing is given',
    statusOf('ann@example.org'),
    200,
    having({
      custom_variables: null,
      template_variables: null,
      template_id: null,
      category: null,
      raw_message_url: TEXT,
      domain_id: 301,
      sending_domain_id: 301,
      events: LIST,
    }),
  ),
  quote('the last page of the log', 'GET /api/email_logs', 200, {
    messages: [],
    total_count: 0,
    next_page_cursor: null,
  }),
  quote(
    'unknown filters of the log are ignored',
    'GET /api/email_logs?filters[x][operator]=equal&filters[x][value]=1',
    200,
    having({ messages: [] }),
  ),
  quote('an unknown cursor of the log', `GET /api/email_logs?search_after=${UUID}`, 400, { error: TEXT }),
  quote('a message that the log does not have', `GET /api/email_logs/${UUID}`, 404, NOT_FOUND),
  quote(
    'a click has click_url and web_ip_address',
    statusOf('click@example.org'),
    200,
    having({ events: expectEvent('click', { click_url: TEXT, web_ip_address: TEXT }) }),
  ),
  quote(
    'a complaint has spam_feedback_type',
    statusOf('spam@example.org'),
    200,
    having({ events: expectEvent('spam', { spam_feedback_type: TEXT }) }),
  ),
  quote(
    'a delivery has three details',
    statusOf('ann@example.org'),
    200,
    having({
      events: expectEvent('delivery', { sending_ip: TEXT, recipient_mx: TEXT, email_service_provider: TEXT }),
    }),
  ),
  quote(
    'a bounce has its category and the response',
    statusOf('bounce@example.org'),
    200,
    having({
      events: expectEvent('bounce', {
        sending_ip: TEXT,
        recipient_mx: TEXT,
        email_service_provider: TEXT,
        email_service_provider_status: ANY,
        email_service_provider_response: TEXT,
        bounce_category: 'badrecipient',
      }),
    }),
  ),
  quote(
    'a recipient in the suppression list',
    async (asked) => {
      await asked.call('POST /api/suppressions', {
        email: 'ann@example.org',
        domain_id: 301,
        sending_stream: 'transactional',
        type: 'unsubscription',
      });
      return statusOf('ann@example.org')(asked);
    },
    200,
    having({
      status: 'not_delivered',
      events: expectEvent('reject', {
        reject_reason: 'Recipient in suppression list. Reason: unsubscription',
      }),
    }),
  ),
];

function expectEvent(event_type: string, details: object): unknown {
  return {
    asymmetricMatch: (events: readonly { event_type: string; details: object }[]) => {
      const found = events.find((one) => one.event_type === event_type);
      return (
        found !== undefined &&
        JSON.stringify(Object.keys(found.details).sort()) === JSON.stringify(Object.keys(details).sort()) &&
        Object.entries(details).every(
          ([key, wanted]) =>
            typeof wanted !== 'string' || (found.details as Record<string, unknown>)[key] === wanted,
        )
      );
    },
  };
}
