import { late } from '../../../kit/late.ts';
import type { KeysOfUnion } from 'type-fest';
import { isBinary, mayBeBase64 } from './attachment-content.ts';
import type { Issue } from '../../../core/errors.ts';
import { HALF_PAIR, hasHalfPair } from '../../../core/json.ts';
import { variablesRule } from './json-values.ts';
import { isGiven, isRecord } from '../../../core/record.ts';
import {
  ENDS_HEADER,
  allOf,
  anything,
  arrayOf,
  issuesAt,
  mustBe,
  nullable,
  objectOf,
  ofWrongKind,
  oneOf,
  recordOf,
  stringRule,
  unseen,
  uuidRule,
  type Rule,
  type Rules,
} from '../../../core/rules.ts';
import {
  OTHER_ADDRESS_FIELDS,
  OTHER_ATTACHMENT_FIELDS,
  OTHER_MAIL_FIELDS,
  type Hints,
} from '../../../core/other-names.ts';
import { isPromise, tried } from '../../../core/tried.ts';
import { paramIssues, textUpTo } from '../../base/param-rules.ts';
import { hasRecipients, hasSeveralAddresses, replyToHeader } from './input.ts';
import type { Attachment, EmailAddress, MailDefaults, SendParams } from '../types.ts';

const MAX_RECIPIENTS = 1000;
const MAX_VARIABLE_BYTES = 1000;

// The service decides whether an optional field may be null.

const HAS_LINE_BREAK = 'must not contain a line break or a null character';

const lineRule: Rule = (value) =>
  stringRule(value) ?? (ENDS_HEADER.test(value as string) ? unseen(HAS_LINE_BREAK) : wholePairs(value));

const notEmpty: Rule = (value) => (value === '' ? 'must not be empty' : undefined);
const wholePairs: Rule = (value) => (hasHalfPair(value as string) ? unseen(HALF_PAIR) : undefined);
const bodyRule: Rule = (value) => stringRule(value) ?? notEmpty(value) ?? wholePairs(value);

const addressLineRule: Rule = (value) =>
  lineRule(value) ??
  (/^\s*[,;]|[,;]\s*$/.test(value as string)
    ? unseen('must not begin or end with a comma or a semicolon')
    : undefined);

const ADDRESS = "'ann@example.org', 'Ann <ann@example.org>' or { email, name }";

/** An address after `completeMail`: a text that remains has several addresses. */
const addressRuleFor = (what: string, insteadOfText: string): Rule => {
  const rules: Rules<EmailAddress> = { email: addressLineRule, name: nullable(lineRule) };
  const rule = objectOf(rules, ['email'], what, OTHER_ADDRESS_FIELDS);
  return (value) =>
    (typeof value === 'string' && hasSeveralAddresses(value)) || (Array.isArray(value) && what === ADDRESS)
      ? unseen(`must be one address${insteadOfText}`)
      : rule(value);
};
export const addressRule = late(() => addressRuleFor(ADDRESS, ''));
const replyToRule = late(() =>
  addressRuleFor(ADDRESS, ": for several, set the header 'Reply-To' in headers"),
);
const severalRecipients = ': for several, pass an array';
const recipientRule = late(() => addressRuleFor(`an address: ${ADDRESS}`, severalRecipients));
const loneRecipientRule = late(() =>
  addressRuleFor(`an address or an array of addresses: ${ADDRESS}`, severalRecipients),
);

/** Refuses a list with too few or too many items. Another rule refuses a value that is not a list. */
export const sized =
  (min: number, max: number, message: string): Rule =>
  (list) =>
    Array.isArray(list) && (list.length < min || list.length > max) ? message : undefined;

const recipientListRule = late(() =>
  allOf(arrayOf(recipientRule()), sized(0, MAX_RECIPIENTS, `must be at most ${MAX_RECIPIENTS} addresses`)),
);
const recipientsRule: Rule = (value) =>
  (Array.isArray(value) ? recipientListRule() : loneRecipientRule())(value);

/** Recipients of a forward: at least one. */
export const forwardRecipientsRule = late(() =>
  allOf(recipientsRule, sized(1, Infinity, 'must not be an empty list')),
);

/**
 * Headers that other fields or the service set. The service refuses reserved headers but does not publish a list of
 * them: these are certainly reserved, and the service checks the rest.
 */
const RESERVED = /^(from|to|cc|bcc|resent-.*|subject|content-type|received|dkim-signature)$/i;
/** The headers that name recipients. */
const NAMES_RECIPIENTS = /^(to|cc|bcc|resent-.*)$/i;
const SET_BY_SERVICE = 'is set by the service';
/** The characters of a header's name; a colon would end it. */
const MAIL_HEADER_NAME = /^[!-9;-~]+$/;

const mailHeaderRule = (value: unknown, name: string): ReturnType<Rule> => {
  if (NAMES_RECIPIENTS.test(name)) return unseen(SET_BY_SERVICE);
  return RESERVED.test(name) ? SET_BY_SERVICE : lineRule(value);
};

const mailHeadersRule = late(() =>
  recordOf(mailHeaderRule, { pattern: MAIL_HEADER_NAME, what: 'a header name' }),
);

export const objectRule = mustBe('an object', (value) => isRecord(value) && !isPromise(value));

/** Undefined for no issues, so that the next rule is asked. */
const firstOf = (result: ReturnType<Rule>): ReturnType<Rule> => (result?.length === 0 ? undefined : result);

/** The size of variables as JSON; 0 if they are not serializable, which the check of the whole body reports. */
const bytesAsJson = (variables: unknown): number =>
  tried(
    () => {
      let values = 0;
      // Each value takes at least a byte, so further values need no serialization: an object with many references to
      // another one could be endless.
      const json = JSON.stringify(variables, (_, value: unknown) =>
        ++values > MAX_VARIABLE_BYTES ? 0 : value,
      );
      return Math.max(values, new TextEncoder().encode(json).length);
    },
    () => 0,
  );

const scalarsRule = variablesRule('text, a number or true or false');
const templateVariablesRule = variablesRule('text, a number, true or false, a list or an object');

const customVariablesRule: Rule = (value) =>
  objectRule(value) ??
  firstOf(recordOf(anything)(value)) ??
  firstOf(scalarsRule(value)) ??
  (bytesAsJson(value) > MAX_VARIABLE_BYTES
    ? `must be at most ${MAX_VARIABLE_BYTES} bytes as JSON`
    : undefined);

/** The issues of custom variables with an added key. */
export const variableIssues = (variables: unknown, name: string): Issue[] =>
  issuesAt(name, customVariablesRule(variables)).map(({ path, message }) => ({
    path,
    message: `${message}, with the idempotencyKey`,
  }));

const CONTENT = 'must be base64 text, bytes, a Blob or a web stream';
const NOT_BASE64 =
  'is text that is not base64: pass bytes, such as `await readFile(path)` or `new TextEncoder().encode(text)`';
const IS_DATA_URL = 'is a data: URL: pass the base64 text behind its comma, without the beginning';
const contentRule: Rule = (value) => {
  if (typeof value === 'string' && /^\s*data:/i.test(value)) return unseen(IS_DATA_URL);
  if (typeof value === 'string') return mayBeBase64(value) ? undefined : unseen(NOT_BASE64);
  if (isBinary(value)) return undefined;
  if (!isRecord(value) || Array.isArray(value) || isPromise(value)) return ofWrongKind(value, CONTENT);
  return typeof value.pipe === 'function'
    ? `${CONTENT}; for a Node stream, pass \`Readable.toWeb(stream)\``
    : `${CONTENT}; JSON, as of a queue, keeps no bytes: store base64 text`;
};

const attachmentRule = late(() =>
  objectOf<Attachment>(
    {
      content: contentRule,
      filename: lineRule,
      type: nullable(lineRule),
      disposition: nullable(oneOf(['attachment', 'inline'])),
      content_id: nullable(lineRule),
    },
    ['content', 'filename'],
    'an object',
    OTHER_ATTACHMENT_FIELDS,
  ),
);

/** Rules for every field of a union's members. */
export type UnionRules<T> = Rules<Record<KeysOfUnion<T>, unknown>>;

export const bodyFields = late(() => ({
  reply_to: nullable(replyToRule()),
  attachments: nullable(arrayOf(attachmentRule())),
  headers: nullable(mailHeadersRule()),
  custom_variables: nullable(customVariablesRule),
  text: nullable(bodyRule),
  html: nullable(bodyRule),
  category: nullable((value) => textUpTo(255)(value) ?? wholePairs(value)),
}));

/** Rules for an answer, whose subject comes from the answered message. */
export const replyFields = late(() => ({
  from: nullable(addressRule()),
  to: nullable(recipientsRule),
  cc: nullable(recipientsRule),
  bcc: nullable(recipientsRule),
  ...bodyFields(),
}));

export const subjectFields = late(() => ({
  subject: nullable((value) => lineRule(value) ?? notEmpty(value)),
  template_uuid: nullable(uuidRule),
  template_variables: nullable((value) => objectRule(value) ?? templateVariablesRule(value)),
}));

/** The rule that a template excludes these fields. */
export const notBesideTemplate =
  (names: readonly string[]): Rule =>
  (mail) =>
    isRecord(mail) && isGiven(mail.template_uuid)
      ? names
          .filter((name) => isGiven(mail[name]))
          .map((name) => ({ path: `.${name}`, message: 'must not be given together with template_uuid' }))
      : undefined;

/** The rule that reply addresses are either a field or a header. The service does not publish how it treats both. */
export const replyAddressesRule: Rule = (mail) => {
  if (!isRecord(mail) || !isGiven(mail.reply_to)) return undefined;
  const header = replyToHeader(mail.headers);
  return header === undefined
    ? undefined
    : [{ path: `.headers.${header}`, message: 'must not be given together with reply_to' }];
};

const sendRules = late((): UnionRules<SendParams> => ({
  ...replyFields(),
  ...subjectFields(),
  from: addressRule(),
}));

export const sendFields = late(() => objectOf(sendRules(), [], 'an object', OTHER_MAIL_FIELDS));

/** The rule that variables need a template. */
export const templateRule: Rule = (mail) =>
  isRecord(mail) && isGiven(mail.template_variables) && !isGiven(mail.template_uuid)
    ? [{ path: '.template_uuid', message: 'is required with template_variables' }]
    : undefined;

/** Hints for fields of an email in the options of `sending.send`. */
export const IN_MAIL = late((): Hints =>
  Object.fromEntries(
    sendFields().fields.map((name) => [name, 'it belongs in the email, the first argument']),
  ),
);

const NO_SENDER = "is required, here or in the client's `defaults`";

/** The rules between the fields of an email, and its required fields. */
const mailRule: Rule = (params) => {
  if (!isRecord(params) || isPromise(params)) return undefined;
  const has = (name: string) => isGiven(params[name]);
  const issues: Issue[] = [];
  if (params.from === undefined) issues.push({ path: '.from', message: NO_SENDER });
  if (!['to', 'cc', 'bcc'].some((name) => hasRecipients(params[name]))) {
    issues.push({ path: '.to', message: 'is required unless cc or bcc is given' });
  }
  if (has('template_uuid')) return issues;
  if (!has('subject')) issues.push({ path: '.subject', message: 'is required' });
  if (!has('text') && !has('html'))
    issues.push({ path: '.text', message: 'is required unless html is given' });
  return issues;
};

const sendRule = late(() =>
  allOf(
    sendFields(),
    mailRule,
    notBesideTemplate(['subject', 'text', 'html', 'category']),
    templateRule,
    replyAddressesRule,
  ),
);

/** The issues of the parameters of `sending.send`. */
export const sendIssues = (params: unknown): Issue[] => paramIssues(sendRule(), params);
/** The client's option `defaults`, after {@link completeMail}. */
export const defaultsRule = late(() =>
  objectOf<MailDefaults>({
    from: addressRule(),
    reply_to: replyToRule(),
    category: textUpTo(255),
  }),
);
