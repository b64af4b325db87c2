import { CAMPAIGN_STATES, EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import {
  date,
  dateTime,
  everyRow,
  fieldsOf,
  integer,
  kind,
  listOf,
  orNull,
  text,
  url,
  type Rows,
} from './rows.ts';

// A declared type that differs from its row follows the public reference or a recorded exchange.

const replyTo: Rows<EmailPlatform.ReplyTo> = {
  display_name: ['display_name | string', orNull(text), 'not always'],
  local_part: ['local_part | string', orNull(text), 'not always'],
  domain: ['domain | string', orNull(text), 'not always'],
};

const metadata: Rows<EmailPlatform.CampaignStateMetadata> = {
  reason: ['reason | string', text, 'not always'],
  error: ['error | string | Last error message of a failed campaign', text, 'not always'],
  errors: [
    'errors | array of objects | Per-recipient errors when sending failed; each has message (string) and rcpt_index (integer)',
    listOf(
      fieldsOf<{ message: string; rcpt_index: number }>({
        message: ['message (string)', text],
        rcpt_index: ['rcpt_index (integer)', integer],
      }),
    ),
    'not always',
  ],
  scheduled_at: [
    'scheduled_at | string (date-time, ISO 8601) | Present in the scheduled state',
    dateTime,
    'not always',
  ],
};

const template: Rows<EmailPlatform.CampaignTemplate> = {
  id: ['id | integer (int64)', integer],
  subject: ['subject | string', text],
  merge_tags: ['merge_tags | array of string', listOf(text)],
  body_html: [
    'body_html | string or null | Returned only on single-campaign responses (create, update, get by id); omitted from the list',
    orNull(text),
  ],
  body_text: ['body_text | string or null | Same rule as body_html', orNull(text)],
};

const deliveryOptions: Rows<EmailPlatform.DeliveryOptions> = {
  emails_per_hour: ['emails_per_hour: integer or null', orNull(integer), 'not always'],
};

const state = kind<EmailPlatform.CampaignState>((value) => CAMPAIGN_STATES.some((known) => known === value));
const mode = kind<EmailPlatform.DeliveryMode>((value) => value === 'rapid' || value === 'gradual');

const campaign: Rows<EmailPlatform.Campaign> = {
  id: ['id | integer (int64)', integer],
  domain_id: ['domain_id | integer (int64) | Sending domain used by the campaign', integer],
  domain_name: ['domain_name | string', text],
  name: ['name | string', text],
  from_local_part: ['from_local_part | string | Part of the From address before the @', text],
  from_display_name: ['from_display_name | string', orNull(text)],
  reply_to: ['reply_to | object | See Reply-To', fieldsOf(replyTo)],
  current_state: [
    'current_state | string | One of: draft, scheduled, started, queued, paused, terminating, under_review, finished, failed, failed_immediately',
    state,
  ],
  current_state_metadata: [
    'current_state_metadata | object | Describes the most recent state transition; which keys appear depends on the state',
    fieldsOf(metadata),
  ],
  created_at: ['created_at | string (date-time)', dateTime],
  updated_at: ['updated_at | string (date-time)', dateTime],
  last_started_at: ['last_started_at | string (date-time) or null', orNull(dateTime)],
  last_started_at_date: [
    'last_started_at_date | string (date) | Present only when the campaign has been started',
    date,
    'not always',
  ],
  recipient_total_count: [
    'recipient_total_count | integer or null | null until the audience is resolved',
    orNull(integer),
  ],
  contact_list_ids: ['contact_list_ids | array of integer (int64) | Lists in the audience', listOf(integer)],
  contact_segment_ids: [
    'contact_segment_ids | array of integer (int64) | Segments in the audience',
    listOf(integer),
  ],
  delivery_mode: [
    'delivery_mode | string | rapid (send as fast as possible) or gradual (throttled to delivery_options.emails_per_hour)',
    mode,
  ],
  delivery_options: [
    'delivery_options | object | emails_per_hour: integer or null; applies when delivery_mode is gradual',
    fieldsOf(deliveryOptions),
  ],
  template: ['template | object | See Campaign template', fieldsOf(template)],
};

const pagination: Rows<EmailPlatform.TokenPagination> = {
  token: ['token | integer | Current page number', integer],
  prev_token: ['prev_token | integer or null | null on the first page', orNull(integer)],
  next_token: ['next_token | integer or null | null on the last page', orNull(integer)],
  first_url: ['first_url | string (uri)', url],
  prev_url: ['prev_url | string (uri) or null', orNull(url)],
  current_url: ['current_url | string (uri)', url],
  next_url: ['next_url | string (uri) or null', orNull(url)],
};

/** A client, and campaigns with every field set, among them one in each state. */
function service() {
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  const errors = [{ message: 'Mailbox is full', rcpt_index: 3 }];
  const ids = CAMPAIGN_STATES.map((one) =>
    emulator.campaigns.add({
      state: one,
      metadata:
        one === 'failed'
          ? { reason: 'sending_failed', error: 'Refused', errors }
          : one === 'scheduled'
            ? { scheduled_at: '2026-03-01T12:00:00.000Z' }
            : {},
      from_display_name: 'The Shop',
      reply_to: { display_name: 'Help', local_part: 'help', domain: 'example.com' },
      delivery_mode: 'gradual',
      delivery_options: { emails_per_hour: 100 },
      contact_segment_ids: [3],
      template_attributes: { body_text: 'Hello', merge_tags: ['name'] },
    }),
  );
  return { emulator, client, ids };
}

async function campaigns(): Promise<EmailPlatform.Campaign[]> {
  const { emulator, client, ids } = service();
  const least = await client.campaigns.create({
    name: 'Spring',
    domain_id: emulator.domains.list()[0]?.id ?? 0,
    from_local_part: 'news',
    template_attributes: { subject: 'Hello' },
  });
  return [least, ...(await Promise.all(ids.map((id) => client.campaigns.get(id))))];
}

everyRow('Resources and their fields: Email campaign', campaign, campaigns);
everyRow('Resources and their fields: current_state_metadata keys', metadata, async () =>
  (await campaigns()).map(({ current_state_metadata }) => current_state_metadata),
);
everyRow('Resources and their fields: Reply-To', replyTo, async () =>
  (await campaigns()).map(({ reply_to }) => reply_to),
);
everyRow('Resources and their fields: Campaign template (in responses)', template, async () =>
  (await campaigns()).map((one) => one.template),
);
everyRow('Resources and their fields: Pagination object (campaign list)', pagination, async () => {
  const { client } = service();
  const pages = [];
  for await (const page of client.campaigns.list({ per_page: 3 }).pages()) pages.push(page.pagination);
  return pages;
});

describe('Resources and their fields: where a field is', () => {
  test('body_html and body_text: omitted from the list', async () => {
    const { client } = service();
    for (const one of await client.campaigns.list().toArray()) {
      expect(Object.keys(one.template).sort()).toEqual(['id', 'merge_tags', 'subject']);
    }
  });

  test('last_started_at_date: present only when the campaign has been started', async () => {
    for (const one of await campaigns()) {
      expect([one.current_state, 'last_started_at_date' in one]).toEqual([
        one.current_state,
        one.last_started_at !== null,
      ]);
    }
  });

  test('scheduled_at: present in the scheduled state', async () => {
    for (const { current_state, current_state_metadata } of await campaigns()) {
      expect('scheduled_at' in current_state_metadata).toBe(current_state === 'scheduled');
    }
  });

  test('prev_token: null on the first page; next_token: null on the last page', async () => {
    const { client } = service();
    const first = await client.campaigns.list({ per_page: 8 });
    const last = await first.nextPage();
    expect(first.pagination).toMatchObject({ token: 1, prev_token: null, next_token: 2, prev_url: null });
    expect(last?.pagination).toMatchObject({ token: 2, prev_token: 1, next_token: null, next_url: null });
  });

  test('recipient_total_count: null until the audience is resolved', async () => {
    const { emulator, client } = service();
    const id = emulator.campaigns.add();
    expect((await client.campaigns.get(id)).recipient_total_count).toBeNull();
    expect((await client.campaigns.start(id)).recipient_total_count).toBeGreaterThan(0);
  });
});
