import { EmailPlatform, InvalidRequestError, ValidationError } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';

function service() {
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  const other = emulator.domains.add({ name: 'second.example.com' });
  const required: EmailPlatform.CampaignCreateParams = {
    name: 'Spring',
    domain_id: emulator.domains.list()[0]?.id ?? 0,
    from_local_part: 'news',
    template_attributes: { subject: 'Hello' },
  };
  return { emulator, client, required, other };
}

/** The id of the second domain, the same in every emulator. */
const { other } = service();

/** A table of writable attributes: every field of the type has a row, with a value for it. */
type Written<T> = { readonly [K in keyof T]-?: readonly [row: string, value: Exclude<T[K], undefined>] };

const template: Written<EmailPlatform.CampaignTemplateParams> = {
  subject: [
    'subject | string | Max length 255. Required on create. Supports merge tags of the form {{tag_name}}',
    'Hi {{first_name}}',
  ],
  body_html: [
    'body_html | string | Max length 10000000. Optional for a draft; required before the campaign can be scheduled or started. Supports {{tag_name}}',
    '<p>{{first_name}}</p>',
  ],
  body_text: [
    'body_text | string or null | Max length 10000000. Optional plain-text alternative',
    'Hi {{first_name}}',
  ],
  merge_tags: [
    'merge_tags | array of string | Bare tag names without braces. Replaced as a whole when provided; defaults to an empty array',
    ['first_name'],
  ],
};

const attributes: Written<Omit<EmailPlatform.CampaignUpdateParams, 'template_attributes'>> = {
  name: ['name | string | Required on create', 'Autumn'],
  domain_id: [
    'domain_id | integer (int64) | Required on create; must be an existing, verified sending domain',
    other,
  ],
  from_display_name: ['from_display_name | string | Display name in the From header', 'Grüße 🎉'],
  from_local_part: ['from_local_part | string | Required on create', 'shop'],
  reply_to: [
    'reply_to | object | Reply-To parts',
    { display_name: 'Help', local_part: 'help', domain: 'example.com' },
  ],
  delivery_mode: ['delivery_mode | string | rapid or gradual', 'gradual'],
  delivery_options: [
    'delivery_options | object | emails_per_hour: integer or null',
    { emails_per_hour: 100 },
  ],
  contact_list_ids: [
    'contact_list_ids | array of integer (int64) | Full set of included lists; lists omitted from the array are removed',
    [2, 3],
  ],
  contact_segment_ids: [
    'contact_segment_ids | array of integer (int64) | Full set of included segments',
    [4],
  ],
};

const titled = <T extends object>(rows: Written<T>) =>
  Object.entries<readonly [string, unknown]>(rows).map(
    ([field, [row, value]]) => [row, field, value] as const,
  );

describe('Writable campaign attributes (create and update accept the same fields)', () => {
  test.each(titled(attributes))('%s', async (_row, field, value) => {
    const { client, required } = service();
    const created = await client.campaigns.create({ ...required, [field]: value });
    expect(created).toMatchObject({ [field]: value });
    const before = await client.campaigns.create({ ...required, contact_list_ids: [1, 2] });
    const after = await client.campaigns.update(before.id, { [field]: value });
    expect(after).toMatchObject({ [field]: value });
    expect(await client.campaigns.get(before.id)).toEqual(after);
  });

  test.each(titled(template))('template_attributes: %s', async (_row, field, value) => {
    const { client, required } = service();
    const template_attributes = { ...required.template_attributes, [field]: value };
    const created = await client.campaigns.create({ ...required, template_attributes });
    expect(created.template).toMatchObject(template_attributes);
    const { id } = await client.campaigns.create(required);
    const updated = await client.campaigns.update(id, { template_attributes: { [field]: value } });
    expect(updated.template).toMatchObject(template_attributes);
  });

  test('merge_tags: replaced as a whole when provided; defaults to an empty array', async () => {
    const { client, required } = service();
    const { id, template } = await client.campaigns.create(required);
    expect(template.merge_tags).toEqual([]);
    for (const merge_tags of [['a', 'b'], ['c'], []]) {
      const changed = await client.campaigns.update(id, { template_attributes: { merge_tags } });
      expect(changed.template.merge_tags).toEqual(merge_tags);
    }
  });

  test.each([
    ['name | string | Required on create', 'name', 'name'],
    ['domain_id | integer (int64) | Required on create', 'domain_id', 'domain_id'],
    ['from_local_part | string | Required on create', 'from_local_part', 'from_local_part'],
    [
      'template_attributes | object | Required on create (must contain subject)',
      'template_attributes',
      'template.subject',
    ],
  ] as const)('%s', async (_row, field, key) => {
    const { client, required } = service();
    const rest = Object.fromEntries(Object.entries(required).filter(([name]) => name !== field));
    const call = client.campaigns.create(rest as unknown as EmailPlatform.CampaignCreateParams);
    const { issues } = await rejection(call, InvalidRequestError);
    expect(issues.map(({ path }) => path)).toEqual([field]);
    // The service refuses it too.
    const request = { method: 'POST', path: '/api/email_campaigns', body: rest } as const;
    const { fieldErrors } = await rejection(client.request(request), ValidationError);
    expect(Object.keys(fieldErrors)).toEqual([key]);
  });

  test('domain_id: must be an existing, verified sending domain', async () => {
    const { emulator, client, required } = service();
    const unverified = emulator.domains.add({ name: 'new.example.com', verified: false });
    const { id } = await client.campaigns.create(required);
    for (const domain_id of [unverified, 999_999]) {
      for (const write of [
        () => client.campaigns.create({ ...required, domain_id }),
        () => client.campaigns.update(id, { domain_id }),
      ]) {
        expect(Object.keys((await rejection(write(), ValidationError)).fieldErrors)).toEqual(['domain_id']);
      }
    }
  });
});

describe('Writable campaign attributes: rules', () => {
  test('1. Updates are partial; in template_attributes a value omitted or sent as null keeps the current value', async () => {
    const { client, required } = service();
    const template_attributes = { subject: 'Hi', body_html: '<p/>', body_text: 'Hi', merge_tags: ['a'] };
    const before = await client.campaigns.create({ ...required, template_attributes, contact_list_ids: [1] });
    const nothing = { subject: null, body_html: null, body_text: null, merge_tags: null };
    for (const changes of [{}, { template_attributes: {} }, { template_attributes: nothing }]) {
      const after = await client.campaigns.update(before.id, changes);
      expect(after).toEqual({ ...before, updated_at: after.updated_at });
    }
  });

  test('2. The campaign’s template is always edited in place', async () => {
    const { client, required } = service();
    const { id, template } = await client.campaigns.create(required);
    const changed = await client.campaigns.update(id, { template_attributes: { subject: 'Other' } });
    expect(changed.template).toEqual({ ...template, subject: 'Other' });
  });

  test('3. A design without an unsubscribe link is accepted; both bodies support __unsubscribe_url__', async () => {
    const { client, required } = service();
    const subject = 'Hi';
    for (const bodies of [
      { body_html: '<p>Hi</p>', body_text: 'Hi' },
      { body_html: '<a href="__unsubscribe_url__">x</a>', body_text: 'Leave: __unsubscribe_url__' },
    ]) {
      const made = await client.campaigns.create({
        ...required,
        template_attributes: { subject, ...bodies },
      });
      expect(made.template).toMatchObject(bodies);
    }
  });
});
