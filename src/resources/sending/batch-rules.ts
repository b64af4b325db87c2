/** The rules of a batch: of its base, and of its emails, most of whose fields the service checks itself. */
import { late } from '../../kit/late.ts';
import { isGiven } from '../../core/record.ts';
import { defined } from '../../kit/defined.ts';
import type { Issue } from '../../core/errors.ts';
import { OTHER_MAIL_FIELDS, type Hints } from '../../core/other-names.ts';
import { allOf, arrayOf, issuesAt, nullable, objectOf, type Rule } from '../../core/rules.ts';
import { paramIssues } from '../base/param-rules.ts';
import {
  addressRule,
  bodyFields,
  notBesideTemplate,
  objectRule,
  replyAddressesRule,
  sendFields,
  sized,
  subjectFields,
  templateRule,
  type UnionRules,
} from './mail/rules.ts';
import { mailWith } from './mail/input.ts';
import type { BatchBase, BatchParams } from './types.ts';

const MAX_REQUESTS = 500;

const baseRules = late((): UnionRules<BatchBase> => ({
  from: nullable(addressRule()),
  ...bodyFields(),
  ...subjectFields(),
}));

const baseFields = late(() => objectOf(baseRules(), [], 'an object', OTHER_MAIL_FIELDS));
const baseRule = late(() => allOf(baseFields(), notBesideTemplate(['category']), replyAddressesRule));

/** The issues that refuse an email of a batch: only those that the service would not report for the email. */
const itemRule: Rule = (item) =>
  objectRule(item) ?? issuesAt('', sendFields()(item)).filter((issue) => issue.unseen);

/** An email of a batch does not combine `reply_to` with a Reply-To header of the base, or the reverse. */
function replyAddressesIssues(base: unknown, item: unknown, merged: unknown): ReturnType<Rule> {
  if (replyAddressesRule(base) !== undefined) return undefined;
  const found = replyAddressesRule(merged);
  return found === undefined || isGiven((item as BatchBase).headers)
    ? found
    : [{ path: '.reply_to', message: 'must not be given together with a Reply-To header' }];
}

/** The rule for an email of a batch with this base. */
const itemWith = (base: unknown): Rule =>
  allOf(itemRule, (item) => {
    const merged = mailWith(base, defined(item as object));
    return [templateRule(merged), replyAddressesIssues(base, item, merged)].flatMap((found) =>
      issuesAt('', found),
    );
  });

/** Hints for fields of `base` outside `base`. */
export const IN_BASE = late((): Hints =>
  Object.fromEntries(baseFields().fields.map((name) => [name, 'it belongs in `base`'])),
);

// The fields that an email needs depend on the base.
const batchRule: Rule = (params) =>
  objectOf<BatchParams>(
    {
      base: nullable(baseRule()),
      requests: allOf(
        arrayOf(itemWith((Object(params) as BatchParams).base)),
        sized(1, MAX_REQUESTS, `must be 1 to ${MAX_REQUESTS} emails, or use batchAll`),
      ),
    },
    ['requests'],
    'an object: pass { requests: [...] }, or use batchAll',
    IN_BASE(),
  )(params);

/** The issues of the parameters of `sending.batch`. */
export const batchIssues = (params: unknown): Issue[] => paramIssues(batchRule, params);
/** The issues of one email of a batch; the service checks the rest. */
export const batchItemIssues = (item: unknown, base: unknown, name: string): Issue[] =>
  paramIssues(itemWith(base), item, name);
/** The issues of the fields that the emails of a batch share. */
export const baseIssues = (base: unknown): Issue[] =>
  base === undefined ? [] : paramIssues(baseRule(), base, 'base');
