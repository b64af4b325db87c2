import { late } from '../../../core/late.ts';
import type { KeysOfUnion } from 'type-fest';
import { isBinary, mayBeBase64 } from './attachment-content.ts';
import type { Issue } from '../../../core/errors.ts';
import { isGiven } from '../../../core/defined.ts';
import { ENDS_HEADER } from '../../../core/header-text.ts';
import {
  OTHER_ADDRESS_FIELDS,
  OTHER_ATTACHMENT_FIELDS,
  OTHER_MAIL_FIELDS,
  type Hints,
} from '../../../core/other-names.ts';
import { isRecord } from '../../../core/record.ts';
import {
  allOf,
  arrayOf,
  issuesAt,
  mustBe,
  nullable,
  objectOf,
  oneOf,
  recordOf,
  stringRule,
  unseen,
  uuidRule,
  type Rule,
  type Rules,
} from '../../../core/rules.ts';
import { tried } from '../../../core/tried.ts';
import { paramIssues, textUpTo } from '../../param-rules.ts';
import { hasSeveralAddresses, replyToHeader } from './input.ts';
import type { Attachment, EmailAddress, MailDefaults, SendParams } from '../types.ts';

const MAX_RECIPIENTS = 1000;
const MAX_VARIABLE_BYTES = 1000;

// Whether an optional field may be null is for the service to decide.

const HAS_LINE_BREAK = 'must not contain a line break or a null character';

const lineRule: Rule = (value) =>
  stringRule(value) ?? (ENDS_HEADER.test(value as string) ? unseen(HAS_LINE_BREAK) : undefined);

const notEmpty: Rule = (value) => (value === '' ? 'must not be empty' : undefined);
const bodyRule: Rule = (value) => stringRule(value) ?? notEmpty(value);

const ADDRESS = "'ann@example.org', 'Ann <ann@example.org>' or { email, name }";

/** An address, as `completeMail` makes it: text is left only where it has several of them. */
const addressRuleFor = (what: string, insteadOfText: string): Rule => {
  const rules: Rules<EmailAddress> = { email: lineRule, name: nullable(lineRule) };
  const rule = objectOf(rules, ['email'], what, OTHER_ADDRESS_FIELDS);
  return (value) =>
    typeof value === 'string' && hasSeveralAddresses(value)
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

/** Refuses a list with too few items or too many. What is not a list is refused elsewhere. */
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
 * Headers that are made from other fields, or by the service as it sends. It refuses reserved headers but does not
 * publish a list of them: these are certain to be reserved, and the rest is left to the service.
 */
const RESERVED = /^(from|to|cc|bcc|resent-.*|subject|content-type|received|dkim-signature)$/i;
/** Those that name recipients. */
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

export const objectRule = mustBe('an object', isRecord);

/** What is not serializable counts as nothing: it is reported for the body as a whole. */
const bytesAsJson = (variables: unknown): number =>
  tried(
    () => {
      let values = 0;
      // Each value takes at least a byte. More are not written: an object that holds another many times over is endless.
      const json = JSON.stringify(variables, (_, value: unknown) =>
        ++values > MAX_VARIABLE_BYTES ? 0 : value,
      );
      return Math.max(values, new TextEncoder().encode(json).length);
    },
    () => 0,
  );

const customVariablesRule: Rule = (value) =>
  objectRule(value) ??
  (bytesAsJson(value) > MAX_VARIABLE_BYTES
    ? `must be at most ${MAX_VARIABLE_BYTES} bytes as JSON`
    : undefined);

/** What is wrong with custom variables that a key was added to. */
export const variableIssues = (variables: unknown, name: string): Issue[] =>
  issuesAt(name, customVariablesRule(variables)).map(({ path, message }) => ({
    path,
    message: `${message}, with the idempotencyKey`,
  }));

const CONTENT = 'must be base64 text, bytes, a Blob or a web stream';
const NOT_BASE64 = 'is text that is not base64: pass bytes, such as `new TextEncoder().encode(text)`';
const contentRule: Rule = (value) => {
  if (typeof value === 'string') return mayBeBase64(value) ? undefined : unseen(NOT_BASE64);
  if (isBinary(value)) return undefined;
  const isNodeStream = isRecord(value) && typeof value.pipe === 'function';
  return isNodeStream ? `${CONTENT}; for a Node stream, pass \`Readable.toWeb(stream)\`` : CONTENT;
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

/** Rules for every field that some member of a union has. */
export type UnionRules<T> = Rules<Record<KeysOfUnion<T>, unknown>>;

export const bodyFields = late(() => ({
  reply_to: nullable(replyToRule()),
  attachments: nullable(arrayOf(attachmentRule())),
  headers: nullable(mailHeadersRule()),
  custom_variables: nullable(customVariablesRule),
  text: nullable(bodyRule),
  html: nullable(bodyRule),
  category: nullable(textUpTo(255)),
}));

/** Rules for an email that has its subject from the message it answers. */
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
  template_variables: nullable(objectRule),
}));

/** The rule that none of these fields is beside a template. */
export const notBesideTemplate =
  (names: readonly string[]): Rule =>
  (mail) =>
    isRecord(mail) && isGiven(mail.template_uuid)
      ? names
          .filter((name) => isGiven(mail[name]))
          .map((name) => ({ path: `.${name}`, message: 'must not be given together with template_uuid' }))
      : undefined;

/** Reply addresses are a field or a header. What the service makes of both is not published. */
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

/** Variables are for a template. */
export const templateRule: Rule = (mail) =>
  isRecord(mail) && isGiven(mail.template_variables) && !isGiven(mail.template_uuid)
    ? [{ path: '.template_uuid', message: 'is required with template_variables' }]
    : undefined;

/** About fields of an email among the options of `sending.send`. */
export const IN_MAIL = late((): Hints =>
  Object.fromEntries(
    sendFields().fields.map((name) => [name, 'it belongs in the email, the first argument']),
  ),
);

const NO_SENDER = "is required, here or in the client's `defaults`";

/** The rules between the fields of an email, and what it must have. */
const mailRule: Rule = (params) => {
  if (!isRecord(params)) return undefined;
  const has = (name: string) => isGiven(params[name]);
  const hasRecipients = (name: string) =>
    has(name) && !(Array.isArray(params[name]) && params[name].length === 0);
  const issues: Issue[] = [];
  if (params.from === undefined) issues.push({ path: '.from', message: NO_SENDER });
  if (!['to', 'cc', 'bcc'].some(hasRecipients)) {
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

/** What is wrong with the parameters of `sending.send`. */
export const sendIssues = (params: unknown): Issue[] => paramIssues(sendRule(), params);
/** The client's option `defaults`, as {@link completeMail} makes it. */
export const defaultsRule = late(() =>
  objectOf<MailDefaults>({
    from: addressRule(),
    reply_to: replyToRule(),
    category: textUpTo(255),
  }),
);
