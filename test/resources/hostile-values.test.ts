import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EmailPlatform } from 'email-platform';
import { accessListRule } from '../../src/resources/accounts/rules.ts';
import { paramIssues } from '../../src/resources/base/param-rules.ts';
import * as campaigns from '../../src/resources/campaigns/rules.ts';
import { fillEndpoint } from '../../src/core/path.ts';
import { emailLogListRule } from '../../src/resources/email-logs/rules.ts';
import type { Rule } from '../../src/core/rules.ts';
import * as batch from '../../src/resources/sending/batch-rules.ts';
import * as mail from '../../src/resources/sending/mail/rules.ts';
import * as domains from '../../src/resources/sending-domains/rules.ts';
import * as templates from '../../src/resources/templates/rules.ts';
import { runs } from '../support/extent.ts';

type Check = (params: unknown) => readonly EmailPlatform.Issue[];

const checkOf =
  (rule: Rule): Check =>
  (params) =>
    paramIssues(rule, params);
const updateIssues = checkOf(campaigns.campaignUpdateRule());

/** Every check, and the names of all fields it looks at, however deep. */
const CHECKS: Readonly<Record<string, readonly [Check, string]>> = {
  'accounts.accesses.list': [checkOf(accessListRule()), 'project_ids domain_ids inbox_ids'],
  'campaigns.create': [
    checkOf(campaigns.campaignCreateRule()),
    'name domain_id from_local_part template_attributes subject body_html body_text merge_tags from_display_name reply_to display_name local_part domain delivery_mode delivery_options emails_per_hour contact_list_ids contact_segment_ids',
  ],
  'campaigns.update': [
    checkOf(campaigns.campaignUpdateRule()),
    'name domain_id template_attributes subject merge_tags reply_to delivery_options contact_list_ids',
  ],
  'campaigns.list': [checkOf(campaigns.campaignListRule()), 'token per_page search'],
  'campaigns.schedule': [checkOf(campaigns.campaignScheduleRule()), 'datetime'],
  'campaigns.stats': [checkOf(campaigns.campaignStatsRule()), 'start_date end_date'],
  'emailLogs.list': [
    checkOf(emailLogListRule()),
    'filters search_after sent_after sent_before to subject status events clicks_count domain_id operator value',
  ],
  'sending.send': [
    mail.sendIssues,
    'from to cc bcc email name reply_to attachments content filename type disposition headers custom_variables subject text html category template_uuid template_variables',
  ],
  'sending.batch': [
    batch.batchIssues,
    'base requests from reply_to headers attachments content email template_uuid template_variables',
  ],
  'sending.batchAll, its base': [batch.baseIssues, 'from headers custom_variables attachments content'],
  'sendingDomains.create': [checkOf(domains.domainCreateRule()), 'domain_name'],
  'sendingDomains.update': [checkOf(domains.domainUpdateRule()), 'open_tracking_enabled inbound_enabled'],
  'sendingDomains.sendSetupInstructions': [checkOf(domains.domainSetupRule()), 'email'],
  'templates.create': [checkOf(templates.templateCreateRule()), 'name subject category body_html body_text'],
  'templates.update': [checkOf(templates.templateUpdateRule()), 'name subject category body_html body_text'],
  'an id': [(id) => fillEndpoint('GET /api/x/{id}', { id }, undefined).issues, 'id'],
  'a UUID': [(id) => fillEndpoint('GET /api/x/{id:uuid}', { id }, undefined).issues, 'id'],
};

const SECRET = 'hunter2';

const throws = () => {
  throw new Error(SECRET);
};

/** An object on which every operation throws. */
function untouchable(): object {
  const handler = new Proxy({}, { get: () => throws });
  return new Proxy({}, handler);
}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function cyclic(): object {
  const object: Record<string, unknown> = { secret: SECRET };
  for (const name of ['self', 'template_attributes', 'base', 'filters', 'to']) object[name] = object;
  return object;
}

/** Makes a value. The generator handles these, because it could not handle the values themselves. */
type Make = () => unknown;

const hostile = fc.constantFrom<Make[]>(
  untouchable,
  () => revoked({}),
  () => revoked([]),
  () => ({ toJSON: throws, toString: throws, [Symbol.toPrimitive]: throws }),
  cyclic,
  () => [untouchable(), cyclic()],
  () => Object.assign(Object.create(null) as object, { email: SECRET }),
  () => Symbol(SECRET),
  () => throws,
  () => new Map([[SECRET, SECRET]]),
);
const text = fc.constantFrom(SECRET, `${SECRET}\r\n`, SECRET.repeat(999), ` ${SECRET}: x`);
const ordinary = fc.anything({ withBigInt: true, withDate: true, withMap: true });
const leaf: fc.Arbitrary<Make> = fc.oneof(
  hostile,
  fc.oneof(text, ordinary).map((value) => () => value),
);

function makeObject(fields: Readonly<Record<string, readonly [Make, boolean]>>): object {
  const made = {};
  for (const [name, [make, isReadable]] of Object.entries(fields)) {
    const property = isReadable ? { value: make() } : { get: throws };
    Object.defineProperty(made, name, { enumerable: true, ...property });
  }
  return made;
}

/** Objects and lists of the check's own fields, with values of every kind; some fields throw when they are read. */
const paramsWith = (names: readonly string[]): fc.Arbitrary<Make> =>
  fc.letrec<{ object: Make; field: Make }>((tie) => ({
    field: fc.oneof(
      { maxDepth: 2 },
      { weight: 3, arbitrary: leaf },
      { weight: 2, arbitrary: tie('object') },
      { weight: 1, arbitrary: fc.array(tie('object')).map((makes) => () => makes.map((make) => make())) },
    ),
    object: fc
      .dictionary(fc.constantFrom(...names), fc.tuple(tie('field'), fc.boolean()), { maxKeys: 4 })
      .map((fields) => () => makeObject(fields)),
  })).object;

describe('For any argument, a check returns issues, and none contains a value', () => {
  test.each(Object.entries(CHECKS))('%s', (_, [check, names]) => {
    fc.assert(
      fc.property(fc.oneof(leaf, { weight: 9, arbitrary: paramsWith(names.split(' ')) }), (make) => {
        const issues = check(make());
        for (const { path, message } of issues) expect(`${path} ${message}`).not.toContain(SECRET);
        expect(issues.every(({ path, message }) => path !== '' && message !== '')).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });

  test.each(Object.entries(CHECKS))('%s: a field that cannot be read is refused', (_, [check, names]) => {
    for (const name of names.split(' ')) {
      const unread = Object.defineProperty({}, name, { enumerable: true, get: throws });
      expect(check(unread).length).toBeGreaterThan(0);
    }
    expect(check(untouchable())).not.toEqual([]);
  });
});

describe('A field that cannot be read', () => {
  const unread = Object.defineProperty({}, 'name', { enumerable: true, get: throws });

  test('is named in an issue', () => {
    expect(updateIssues(unread)).toEqual([{ path: 'name', message: 'cannot be read' }]);
    expect(updateIssues({ reply_to: revoked({}), contact_list_ids: revoked([]) })).toEqual([
      { path: 'reply_to', message: 'cannot be read' },
      { path: 'contact_list_ids', message: 'cannot be read' },
    ]);
    expect(updateIssues(revoked({}))).toEqual([{ path: 'params', message: 'cannot be read' }]);
  });

  test('does not hide what else is wrong', () => {
    const params = Object.assign(unread, { domain_id: 0, contact_list_ids: [1, -1] });
    expect(updateIssues(params).map(({ path }) => path)).toEqual([
      'name',
      'domain_id',
      'contact_list_ids[1]',
    ]);
  });

  test('in an email does not hide that it has no recipients', () => {
    const issues = mail.sendIssues({ from: revoked({}), subject: 's', text: 't' });
    expect(issues.map(({ path }) => path)).toEqual(['from', 'to']);
  });
});

test('a list of any length is checked, and at most a thousand of its issues are listed', () => {
  const holes = new Array<number>(2 ** 32 - 1);
  expect(updateIssues({ contact_list_ids: holes })).toHaveLength(1000);
  const zeros = Array.from({ length: 999 }, () => 0);
  expect(updateIssues({ contact_list_ids: zeros })).toHaveLength(999);
});

test('a Map, a Headers object or an array is refused as headers, because it has no fields of its own', () => {
  const headers = [new Map([['X-A', 'x']]), new Headers({ 'X-A': 'x' }), [['X-A', 'x']]];
  for (const one of headers) {
    expect(batch.baseIssues({ headers: one })).toEqual([
      { path: 'base.headers', message: "must be an object of names and values, such as { name: 'value' }" },
    ]);
  }
});
