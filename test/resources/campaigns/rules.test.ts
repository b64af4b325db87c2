import { describe, expect, test } from 'vitest';
import type { EmailPlatform } from 'email-platform';
import * as campaigns from '../../../src/resources/campaigns/rules.ts';
import { paramIssues } from '../../../src/resources/base/param-rules.ts';
import { fillEndpoint } from '../../../src/core/path.ts';

const createIssues = (params: unknown) => paramIssues(campaigns.campaignCreateRule(), params);
const listIssues = (params: unknown) => paramIssues(campaigns.campaignListRule(), params);
const statsIssues = (params: unknown) => paramIssues(campaigns.campaignStatsRule(), params);
const updateIssues = (params: unknown) => paramIssues(campaigns.campaignUpdateRule(), params);
const idIssues = (id: unknown) => fillEndpoint('GET /api/email_campaigns/{id}', { id }, undefined).issues;

const minimal = {
  name: 'Spring',
  domain_id: 1,
  from_local_part: 'news',
  template_attributes: { subject: 'Hello' },
};
const BODY_MAX = 10_000_000;

const asText = (issues: readonly EmailPlatform.Issue[]) =>
  issues.map(({ path, message }) => `${path} ${message}`);
/** What is wrong with the parameters of a create whose template has these fields as well. */
const template = (fields: object) =>
  asText(createIssues({ ...minimal, template_attributes: { subject: 'Hello', ...fields } }));

describe('The parameters of create', () => {
  test('may be only the required fields', () => {
    expect(createIssues(minimal)).toEqual([]);
  });

  test('may be all fields', () => {
    const params = {
      ...minimal,
      from_display_name: 'News',
      reply_to: { display_name: 'Help', local_part: 'help', domain: 'example.com' },
      template_attributes: {
        subject: 'Hello {{name}}',
        body_html: '<p/>',
        body_text: 'Hi',
        merge_tags: ['name'],
      },
      delivery_mode: 'gradual',
      delivery_options: { emails_per_hour: 100 },
      contact_list_ids: [1, 2],
      contact_segment_ids: [3],
    };
    expect(createIssues(params)).toEqual([]);
  });

  test('have an issue for every missing required field', () => {
    expect(asText(createIssues({}))).toEqual([
      'name is required',
      'domain_id is required',
      'from_local_part is required',
      'template_attributes is required',
    ]);
    expect(asText(createIssues({ ...minimal, template_attributes: {} }))).toEqual([
      'template_attributes.subject is required',
    ]);
  });

  test('have an issue for every problem, each with its path', () => {
    const issues = createIssues({
      name: 7,
      domain_id: 1.5,
      from_local_part: 'news',
      from_display_name: false,
      reply_to: { local_part: 1, nickname: 'x' },
      template_attributes: { subject: 'x'.repeat(256), merge_tags: ['a', 2], colour: 'red' },
      delivery_mode: 'fast',
      delivery_options: { emails_per_hour: 'many' },
      contact_list_ids: [1, -2, 3, '4'],
      contact_segment_ids: 5,
      datetime: 'now',
    });
    expect(asText(issues).sort()).toEqual(
      [
        'name must be a string',
        'domain_id must be a positive whole number',
        'from_display_name must be a string',
        'reply_to.local_part must be a string',
        'reply_to.nickname is not a known field',
        'template_attributes.subject must be at most 255 characters',
        'template_attributes.merge_tags[1] must be a string',
        'template_attributes.colour is not a known field',
        "delivery_mode must be one of 'rapid', 'gradual'",
        'delivery_options.emails_per_hour must be a whole number',
        'contact_list_ids[1] must be a positive whole number',
        'contact_list_ids[3] must be a positive whole number',
        'contact_segment_ids must be an array: put it in [ ]',
        'datetime is not a known field',
      ].sort(),
    );
  });

  test('are not repeated in any issue', () => {
    const secret = 'hunter2';
    const everywhere = {
      name: { secret },
      domain_id: secret,
      from_local_part: [secret],
      from_display_name: { secret },
      reply_to: secret,
      template_attributes: { subject: secret.repeat(99), body_html: { secret }, merge_tags: secret },
      delivery_mode: secret,
      delivery_options: { emails_per_hour: secret },
      contact_list_ids: [secret],
    };
    const issues = createIssues(everywhere);
    expect(issues.length).toBeGreaterThanOrEqual(10);
    expect(JSON.stringify(issues)).not.toContain(secret);
  });

  test.each([
    ['create', () => createIssues({ ...minimal, from_local_part: 'news@mail.example.com' })],
    ['update', () => updateIssues({ from_local_part: 'news@mail.example.com' })],
  ])('have no @ in the local part of the sender (%s)', (_, issues) => {
    expect(asText(issues())).toEqual([
      'from_local_part must be the part before the @: the domain is that of `domain_id`',
    ]);
  });

  test('say that an object with an id is not an id', () => {
    const message = 'must be a positive whole number: pass its id';
    expect(asText(createIssues({ ...minimal, domain_id: { id: 301 } }))).toEqual([`domain_id ${message}`]);
    expect(idIssues({ id: 7 })).toMatchObject([{ message }]);
    expect(asText(createIssues({ ...minimal, domain_id: {} }))).toEqual([
      'domain_id must be a positive whole number',
    ]);
  });

  test.each([undefined, null, 'text', 7, [], () => undefined])('cannot be %o', (params) => {
    expect(createIssues(params)).toMatchObject([{ path: 'params' }]);
  });
});

describe('Not stricter than the service', () => {
  test.each([
    ['an empty name', { name: '' }],
    ['an empty local part', { from_local_part: '' }],
    ['a display name of null', { from_display_name: null }],
    ['a Reply-To of null', { reply_to: null }],
    ['an empty Reply-To', { reply_to: {} }],
    ['a Reply-To of nulls', { reply_to: { display_name: null, local_part: null, domain: null } }],
    ['delivery options of null', { delivery_options: null }],
    ['empty delivery options', { delivery_options: {} }],
    ['no emails per hour', { delivery_options: { emails_per_hour: null } }],
    ['no lists', { contact_list_ids: [] }],
    ['the same list twice', { contact_list_ids: [1, 1] }],
    ['the greatest safe id', { domain_id: Number.MAX_SAFE_INTEGER }],
    ['undefined, which is not sent', { reply_to: undefined, contact_list_ids: undefined }],
  ])('%s', (_, fields) => {
    expect(createIssues({ ...minimal, ...fields })).toEqual([]);
    expect(updateIssues(fields)).toEqual([]);
  });

  test.each(['subject', 'body_html', 'body_text', 'merge_tags'])(
    'in an update, a template field %s of null keeps its value',
    (field) => {
      expect(updateIssues({ template_attributes: { [field]: null } })).toEqual([]);
    },
  );

  test('a create needs a subject; an empty one is left to the service', () => {
    expect(template({ subject: null })).toEqual(['template_attributes.subject must be a string']);
    expect(template({ subject: '' })).toEqual([]);
  });
});

describe('Limits', () => {
  const tooLong = (field: string, max: number) => [
    `template_attributes.${field} must be at most ${max} characters`,
  ];

  test.each([
    ['255 letters', 'x'.repeat(255), true],
    ['256 letters', 'x'.repeat(256), false],
    ['255 emoji, which are 510 units', '🎉'.repeat(255), true],
    ['256 emoji', '🎉'.repeat(256), false],
    ['254 letters and an emoji', `${'x'.repeat(254)}🎉`, true],
    ['255 letters and an emoji', `${'x'.repeat(255)}🎉`, false],
    ['511 letters', 'x'.repeat(511), false],
  ])('a subject of %s', (_, subject, isAllowed) => {
    const expected = isAllowed ? [] : tooLong('subject', 255);
    expect(template({ subject })).toEqual(expected);
    expect(asText(updateIssues({ template_attributes: { subject } }))).toEqual(expected);
  });

  test.each(['body_html', 'body_text'])('a %s may have ten million characters, and not one more', (field) => {
    expect(template({ [field]: 'x'.repeat(BODY_MAX) })).toEqual([]);
    expect(template({ [field]: 'x'.repeat(BODY_MAX + 1) })).toEqual(tooLong(field, BODY_MAX));
  });

  test.each([0, -1, 1.5, NaN, Infinity, Number.MAX_SAFE_INTEGER + 1, '1', null, true, 1n])(
    '%o is refused as an id',
    (id) => {
      expect(idIssues(id)).toEqual([{ path: 'id', message: 'must be a positive whole number' }]);
      expect(createIssues({ ...minimal, domain_id: id })).toMatchObject([{ path: 'domain_id' }]);
      expect(updateIssues({ contact_segment_ids: [1, id] })).toMatchObject([
        { path: 'contact_segment_ids[1]' },
      ]);
    },
  );

  test('1 and the greatest safe integer are accepted as ids', () => {
    expect([...idIssues(1), ...idIssues(Number.MAX_SAFE_INTEGER)]).toEqual([]);
  });
});

describe('The parameters of update', () => {
  test('may be empty: that is left to the service', () => {
    expect(updateIssues({})).toEqual([]);
  });

  test('have an issue for every unknown field, nested ones too', () => {
    expect(asText(updateIssues({ nmae: 'x', template_attributes: { sbject: 'x' } }))).toEqual([
      'template_attributes.sbject is not a known field; did you mean `subject`?',
      'nmae is not a known field; did you mean `name`?',
    ]);
  });
});

describe('Checking changes nothing', () => {
  test('the caller’s objects stay as they were, and can still be changed', () => {
    const params = {
      ...minimal,
      contact_list_ids: [1],
      template_attributes: { subject: 'x', merge_tags: ['a'] },
    };
    const before = structuredClone(params);
    createIssues(params);
    updateIssues(params);
    expect(params).toEqual(before);
    const isFrozen = [params, params.contact_list_ids, params.template_attributes.merge_tags].map(
      Object.isFrozen,
    );
    expect(isFrozen).toEqual([false, false, false]);
  });
});

describe('The parameters of list', () => {
  test.each([
    [{}, []],
    [{ token: 1, per_page: 1, search: '' }, []],
    [{ token: 10 ** 9, per_page: 100, search: 'x'.repeat(5000) }, []],
    [{ token: undefined, per_page: undefined, search: undefined }, []],
    [{ token: 0 }, ['token must be a positive whole number']],
    [{ token: 1.5 }, ['token must be a positive whole number']],
    [{ token: '2' }, ['token must be a positive whole number']],
    [{ per_page: 0 }, ['per_page must be a whole number from 1 to 100']],
    [{ per_page: 101 }, ['per_page must be a whole number from 1 to 100']],
    [
      { token: -1, per_page: 1000, search: 5, page: 2 },
      [
        'token must be a positive whole number',
        'per_page must be a whole number from 1 to 100',
        'search must be a string',
        'page is not a known field',
      ],
    ],
  ])('%o', (params, expected) => {
    expect(asText(listIssues(params))).toEqual(expected);
  });
});

describe('The parameters of stats', () => {
  const notADay = 'must be a day as YYYY-MM-DD';

  test.each([
    [{}, []],
    [{ start_date: '2026-01-01' }, []],
    [{ end_date: '2026-01-01' }, []],
    [{ start_date: '2026-01-01', end_date: '2026-01-01' }, []],
    [{ start_date: '2026-01-02', end_date: '2026-01-01' }, ['end_date must not be before start_date']],
    [
      { start_date: '2026-01-02', end_date: '2026-01-01', day: 1 },
      ['day is not a known field', 'end_date must not be before start_date'],
    ],
    [{ start_date: '2026-1-1', end_date: '01.02.2026' }, [`start_date ${notADay}`, `end_date ${notADay}`]],
    [{ start_date: '2026-13-01' }, [`start_date ${notADay}`]],
    [{ start_date: '2026-02-30' }, [`start_date ${notADay}`]],
    [{ start_date: '2028-02-29' }, []],
    [{ start_date: '2026-01-01T00:00:00Z' }, [`start_date ${notADay}`]],
    [{ start_date: new Date(0) }, ['start_date must be a day as YYYY-MM-DD']],
    [
      { start_date: 'x', end_date: 5, day: 1 },
      [`start_date ${notADay}`, 'end_date must be a day as YYYY-MM-DD', 'day is not a known field'],
    ],
  ])('%o', (params, expected) => {
    expect(asText(statsIssues(params))).toEqual(expected);
  });
});
