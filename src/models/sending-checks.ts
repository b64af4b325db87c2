import * as z from 'zod/mini';
import type { KeysOfUnion } from 'type-fest';
import { isBinary, isUsedUp } from '../core/base64.ts';
import type { Issue } from '../core/errors.ts';
import { isRecord } from '../core/record.ts';
import { issuesAt, mustBe, oneOf, type Rule } from '../core/rules.ts';
import { issuesOf, once, rule, ruled, textUpTo, uuid } from './check.ts';
import type { Attachment, BatchBase, BatchParams, EmailAddress, SendParams } from './sending.ts';

const MAX_RECIPIENTS = 1000;
const MAX_REQUESTS = 500;
const MAX_VARIABLE_BYTES = 1000;

/** A schema for every field of a type, and for no other. */
type FieldsOf<T> = Record<KeysOfUnion<T>, z.ZodMiniType>;

/** A field that may be absent; whether it may be null is for the service to decide. */
const maybe = <T extends z.core.$ZodType>(schema: T) => z.optional(z.nullable(schema));

/** What would end one header of the email and begin another. */
const ENDS_HEADER = /[\r\n\0]/;
const ONE_LINE = 'must not contain a line break or a null character';

const line = () => z.string().check(rule((text) => !ENDS_HEADER.test(text), ONE_LINE));
const notEmpty = () => rule<string>((text) => text !== '', 'must not be empty');

/** The message for a value of the wrong type; a missing value gets the usual one. */
const expecting =
  (what: string) =>
  ({ input }: { readonly input?: unknown }) =>
    input === undefined ? undefined : `must be ${what}`;

const address = () =>
  z.strictObject({ email: line(), name: maybe(line()) } satisfies FieldsOf<EmailAddress>, {
    error: expecting('an object { email, name }'),
  });

const addresses = () =>
  z
    .array(address(), { error: expecting('an array of { email, name }') })
    .check(rule((list) => list.length <= MAX_RECIPIENTS, `must have at most ${MAX_RECIPIENTS} recipients`));

/**
 * Headers that are made from other fields, or by the service as it sends. It refuses reserved headers but does not
 * publish a list of them: these are certain to be reserved, and the rest is left to the service.
 */
const RESERVED = /^(from|to|cc|bcc|reply-to|subject|content-type|received|dkim-signature)$/i;
/** The characters of a header's name; a colon would end it. */
const HEADER_NAME = /^[!-9;-~]+$/;

const headerRule = (name: string, value: unknown) => {
  if (!HEADER_NAME.test(name)) return 'is not a header name';
  if (RESERVED.test(name)) return 'is reserved for the service';
  if (typeof value !== 'string') return 'must be a string';
  return ENDS_HEADER.test(value) ? ONE_LINE : undefined;
};

const objectRule = mustBe('an object', isRecord);

const headersRule: Rule = (headers) =>
  objectRule(headers) ??
  Object.entries(headers as object).flatMap(([name, value]) =>
    // An invalid name is not shown: it is a value as much as any.
    issuesAt(`.${HEADER_NAME.test(name) ? name : '?'}`, headerRule(name, value)),
  );

const bytesAsJson = (value: unknown): number => {
  try {
    return new TextEncoder().encode(JSON.stringify(value)).length;
  } catch {
    // Not serializable: reported for the body as a whole.
    return 0;
  }
};

const customVariablesRule: Rule = (value) =>
  bytesAsJson(value) > MAX_VARIABLE_BYTES
    ? `must be at most ${MAX_VARIABLE_BYTES} bytes as JSON`
    : objectRule(value);

const contentRule: Rule = (value) => {
  if (isUsedUp(value)) return 'must be a stream that has not been read and is not locked';
  return typeof value === 'string' || isBinary(value)
    ? undefined
    : 'must be base64 text, bytes, a Blob or a web stream';
};

const attachment = () =>
  z.strictObject({
    content: ruled(contentRule),
    filename: line(),
    type: maybe(line()),
    disposition: maybe(ruled(oneOf(['attachment', 'inline']))),
    content_id: maybe(line()),
  } satisfies FieldsOf<Attachment>);

const sharedFields = () => ({
  reply_to: maybe(address()),
  attachments: maybe(z.array(attachment())),
  headers: maybe(ruled(headersRule)),
  custom_variables: maybe(ruled(customVariablesRule)),
  subject: maybe(line().check(notEmpty())),
  text: maybe(z.string().check(notEmpty())),
  html: maybe(z.string().check(notEmpty())),
  category: maybe(textUpTo(255)),
  template_uuid: maybe(uuid()),
  template_variables: maybe(ruled(objectRule)),
});

const sendParams = once(() =>
  z.strictObject({
    from: address(),
    to: maybe(addresses()),
    cc: maybe(addresses()),
    bcc: maybe(addresses()),
    ...sharedFields(),
  } satisfies FieldsOf<SendParams>),
);

const base = once(() =>
  z.strictObject({ from: maybe(address()), ...sharedFields() } satisfies FieldsOf<BatchBase>),
);

const batchParams = once(() =>
  z.strictObject({
    base: maybe(base()),
    requests: z
      .array(ruled(objectRule))
      .check(
        rule(
          ({ length }) => length > 0 && length <= MAX_REQUESTS,
          `must be 1 to ${MAX_REQUESTS} emails; batchAll takes any number`,
        ),
      ),
  } satisfies FieldsOf<BatchParams>),
);

/** Rules between fields. Apart from the schema, which would check them only once every single field is right. */
function rulesBetween(params: unknown): Issue[] {
  if (!isRecord(params)) return [];
  const has = (name: string) => params[name] !== undefined && params[name] !== null;
  const hasRecipients = (name: string) =>
    has(name) && !(Array.isArray(params[name]) && params[name].length === 0);
  const issues: Issue[] = [];
  if (!['to', 'cc', 'bcc'].some(hasRecipients)) {
    issues.push({ path: 'to', message: 'at least one recipient is required in to, cc or bcc' });
  }
  if (has('template_uuid')) {
    for (const path of ['subject', 'text', 'html'].filter(has)) {
      issues.push({ path, message: 'must not be given together with template_uuid' });
    }
    return issues;
  }
  if (!has('subject')) issues.push({ path: 'subject', message: 'is required' });
  if (!has('text') && !has('html'))
    issues.push({ path: 'text', message: 'is required unless html is given' });
  return issues;
}

/** What is wrong with the parameters of `sending.send`. */
export const sendIssues = (params: unknown): Issue[] => [
  ...issuesOf(sendParams(), params),
  ...rulesBetween(params),
];
/** What is wrong with the parameters of `sending.batch`. Each of its emails is checked by the service. */
export const batchIssues = (params: unknown): Issue[] => issuesOf(batchParams(), params);
/** What is wrong with the fields that the emails of a batch share. */
export const baseIssues = (params: unknown): Issue[] => issuesOf(z.optional(base()), params, 'base');
