import { ANY, having, matching, NOT_FOUND, NUMBER, quote, TEXT, type Asked } from './quote.ts';

const C = '/api/email_campaigns';
const draft = {
  name: 'Spring',
  domain_id: 301,
  from_local_part: 'news',
  template_attributes: { subject: 'Hello' },
};
const sendable = {
  ...draft,
  template_attributes: { subject: 'Hello', body_html: '<p>Hello</p>' },
  contact_list_ids: [7],
};
const datetime = '2026-02-01T12:00:00.000Z';
const at =
  (action: string, before: readonly string[] = [], body: object = sendable) =>
  async ({ call }: Asked) => {
    const { id } = await call(`POST ${C}`, body);
    for (const one of before)
      await call(`POST ${C}/${id}/${one}`, one === 'schedule' ? { datetime } : undefined);
    return call(`POST ${C}/${id}/${action}`, action === 'schedule' ? { datetime } : undefined);
  };
const inState = (current_state: string) => having({ data: having({ current_state }) });
const refused = { errors: TEXT };
const FIGURES = ['delivery', 'bounce', 'open', 'click', 'spam', 'unsubscription'];

export const ofCampaigns = [
  quote('a campaign is created as a draft', ({ call }) => call(`POST ${C}`, draft), 201, inState('draft')),
  quote(
    'a draft has null and {} in what is not set',
    ({ call }) => call(`POST ${C}`, draft),
    201,
    having({
      data: having({
        from_display_name: null,
        reply_to: {},
        delivery_options: {},
        current_state_metadata: {},
        recipient_total_count: null,
        last_started_at: null,
        template: having({ body_html: null, body_text: null, merge_tags: [] }),
      }),
    }),
  ),
  quote(
    'last_started_at_date is missing before the start',
    async (asked) => ({
      value: Object.keys(((await at('reset', ['schedule'])(asked)).value as { data: object }).data),
    }),
    undefined,
    matchingNone('last_started_at_date'),
  ),
  quote(
    'a list has no bodies',
    async ({ call }) => {
      await call(`POST ${C}`, sendable);
      const { value } = await call(`GET ${C}`);
      return { value: Object.keys((value as { data: { template: object }[] }).data[0]?.template ?? {}) };
    },
    undefined,
    matchingNone('body_html', 'body_text'),
  ),
  quote(
    'the pages of a list: "+" for a space, and no per_page unless it is sent',
    `GET ${C}?search=a%20b`,
    200,
    {
      data: [],
      pagination: having({
        token: 1,
        prev_token: null,
        next_token: null,
        first_url: matching(/\?search=a\+b&token=1$/),
      }),
    },
  ),
  quote(
    'an update changes only what is given',
    async ({ call }) => {
      const { id } = await call(`POST ${C}`, draft);
      return call(`PATCH ${C}/${id}`, { name: 'x' });
    },
    200,
    having({ data: having({ name: 'x', from_local_part: 'news' }) }),
  ),
  quote(
    'a draft is deleted',
    async ({ call }) => call(`DELETE ${C}/${(await call(`POST ${C}`, draft)).id}`),
    204,
    '',
  ),
  quote('a campaign that does not exist', `GET ${C}/7`, 404, NOT_FOUND),
  quote(
    'errors of a field in the template are dotted',
    ({ call }) => call(`POST ${C}`, { ...draft, template_attributes: { subject: '' } }),
    422,
    { errors: having({ 'template.subject': ANY }) },
  ),
  quote(
    'start',
    at('start'),
    200,
    having({ data: having({ current_state: 'started', last_started_at_date: TEXT }) }),
  ),
  quote('start without an HTML body', at('start', [], { ...draft, contact_list_ids: [7] }), 422, {
    errors: ["Campaign design can't be blank"],
  }),
  quote(
    'schedule',
    at('schedule'),
    200,
    having({
      data: having({ current_state: 'scheduled', current_state_metadata: { scheduled_at: datetime } }),
    }),
  ),
  quote('schedule of a started campaign', at('schedule', ['start']), 422, {
    errors: "Cannot transition from 'started' to 'scheduled'",
  }),
  quote(
    'schedule in the past',
    async ({ call }) =>
      call(`POST ${C}/${(await call(`POST ${C}`, sendable)).id}/schedule`, {
        datetime: '2020-01-01T00:00:00Z',
      }),
    422,
    refused,
  ),
  quote('cancel', at('cancel', ['schedule']), 200, inState('draft')),
  quote('reset', at('reset', ['schedule']), 200, inState('draft')),
  quote('cancel of a draft', at('cancel'), 422, refused),
  quote('reset of a draft', at('reset'), 422, refused),
  quote('terminate', at('terminate', ['start']), 200, inState('terminating')),
  quote(
    'update of a campaign that is no draft',
    async (asked) => {
      const { value } = await at('start')(asked);
      return asked.call(`PATCH ${C}/${(value as { data: { id: number } }).data.id}`, { name: 'x' });
    },
    422,
    refused,
  ),
  quote(
    'statistics of a campaign that was never started',
    async ({ call }) => call(`GET ${C}/${(await call(`POST ${C}`, draft)).id}/stats`),
    200,
    {
      data: {
        sent_count: 0,
        ...Object.fromEntries(
          FIGURES.flatMap((name) => [
            [`${name}_count`, 0],
            [`${name}_rate`, 0],
          ]),
        ),
      },
    },
  ),
  quote(
    'a null in contact_segment_ids is dropped',
    ({ call }) => call(`POST ${C}`, { ...draft, contact_list_ids: [null], contact_segment_ids: [null] }),
    201,
    having({ data: having({ contact_list_ids: [], contact_segment_ids: [], id: NUMBER }) }),
  ),
];

function matchingNone(...names: string[]): unknown {
  return {
    asymmetricMatch: (keys: readonly string[]) =>
      keys.length > 0 && names.every((name) => !keys.includes(name)),
  };
}
