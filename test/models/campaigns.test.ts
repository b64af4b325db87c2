import { CAMPAIGN_STATES, isKnownCampaignState } from 'email-platform';
import { describe, expect, test } from 'vitest';
import {
  campaignAnswer,
  campaignListAnswer,
  campaignStatsAnswer,
} from '../../src/models/campaign-answers.ts';
import type { StandardSchema } from '../../src/core/standard-schema.ts';

describe('Campaign states', () => {
  test('are those of the specification', () => {
    expect(CAMPAIGN_STATES).toEqual([
      'draft',
      'scheduled',
      'started',
      'queued',
      'paused',
      'terminating',
      'under_review',
      'finished',
      'failed',
      'failed_immediately',
    ]);
  });

  test('known ones can be told from those the service may add', () => {
    expect(CAMPAIGN_STATES.every(isKnownCampaignState)).toBe(true);
    expect(['archived', '', 'Draft', 'constructor'].some(isKnownCampaignState)).toBe(false);
  });
});

/** A new draft as the service returns it: most fields that can be unset are null or an empty object. */
const draft = {
  id: 1,
  domain_id: 2,
  domain_name: 'mail.example.com',
  name: 'Spring',
  from_local_part: 'news',
  from_display_name: null,
  reply_to: {},
  current_state: 'draft',
  current_state_metadata: {},
  created_at: '2026-01-31T12:00:00.000Z',
  updated_at: '2026-01-31T12:00:00.000Z',
  last_started_at: null,
  recipient_total_count: null,
  contact_list_ids: [],
  contact_segment_ids: [],
  delivery_mode: 'rapid',
  delivery_options: {},
  template: { id: 3, subject: 'Hi', merge_tags: [], body_html: null, body_text: null },
};
const { id, subject, merge_tags } = draft.template;
const listed = { ...draft, template: { id, subject, merge_tags } };
const pagination = {
  token: 1,
  prev_token: null,
  next_token: null,
  first_url: 'https://api.test?token=1',
  prev_url: null,
  current_url: 'https://api.test?token=1',
  next_url: null,
};
const stats = {
  sent_count: 0,
  delivery_count: 0,
  bounce_count: 0,
  open_count: 0,
  click_count: 0,
  spam_count: 0,
  unsubscription_count: 0,
  delivery_rate: 0,
  bounce_rate: 0,
  open_rate: 0.25,
  click_rate: 0,
  spam_rate: 0,
  unsubscription_rate: 0,
};

async function issuesOf(schema: () => StandardSchema, body: unknown): Promise<string[]> {
  const { issues = [] } = await schema()['~standard'].validate(body);
  return issues.map(({ path = [], message }) => `${path.map(String).join('.')} ${message}`);
}

describe('Responses as documented, and as seen on the wire', () => {
  test.each([
    ['a draft of nulls and empty objects', draft],
    [
      'null parts of a Reply-To',
      { ...draft, reply_to: { display_name: null, local_part: 'a', domain: null } },
    ],
    ['no mails per hour', { ...draft, delivery_options: { emails_per_hour: null } }],
    [
      'a started one',
      { ...draft, last_started_at: '2026-01-31T12:00:00Z', last_started_at_date: '2026-01-31' },
    ],
    [
      'a failed one',
      {
        ...draft,
        current_state: 'failed',
        current_state_metadata: { error: 'No', errors: [{ message: 'No', rcpt_index: 0 }] },
      },
    ],
    [
      'a state, a mode and keys this version does not know',
      { ...draft, current_state: 'archived', delivery_mode: 'x', new_key: { a: 1 } },
    ],
  ])('campaign: %s', async (_, campaign) => {
    expect(await issuesOf(campaignAnswer, { data: campaign })).toEqual([]);
  });

  test('list and stats', async () => {
    expect(await issuesOf(campaignListAnswer, { data: [listed], pagination })).toEqual([]);
    expect(await issuesOf(campaignListAnswer, { data: [], pagination: { ...pagination, extra: 1 } })).toEqual(
      [],
    );
    expect(await issuesOf(campaignStatsAnswer, { data: stats })).toEqual([]);
  });
});

describe('Responses that differ', () => {
  test('are reported by field and rule, all at once', async () => {
    const body = {
      data: { ...draft, name: undefined, id: '1', contact_list_ids: [1, null], template: { id: 3 } },
    };
    expect((await issuesOf(campaignAnswer, body)).sort()).toEqual(
      [
        'data.name is required',
        'data.id must be a whole number',
        'data.contact_list_ids[1] must be a whole number',
        'data.template.subject is required',
        'data.template.merge_tags is required',
        'data.template.body_html is required',
        'data.template.body_text is required',
      ].sort(),
    );
  });

  test('a list item needs no bodies, a campaign does', async () => {
    expect(await issuesOf(campaignAnswer, { data: listed })).toHaveLength(2);
  });

  test('a campaign that is not an object', async () => {
    expect(await issuesOf(campaignAnswer, { data: [] })).toEqual(['data must be an object']);
    expect(await issuesOf(campaignAnswer, 'text')).toHaveLength(1);
  });

  test('no issue contains a value', async () => {
    const issues = await issuesOf(campaignAnswer, { data: { ...draft, id: 'private@example.com' } });
    expect(issues.join()).not.toContain('private');
  });
});
