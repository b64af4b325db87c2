import { arrayOf, booleanRule, invalid, mustBe, objectOf, oneOf, refuse, type Rules } from '../core/rules.ts';
import { STREAMS, type Stream } from '../core/request.ts';
import { portOf, type ClientPort } from '../client/port.ts';
import { IGNORABLE_FIELDS, OWN_FIELDS } from './fields.ts';
import type { EmailPlatformFields, IgnorableField } from './message-types.ts';
import type { MailClient } from './types.ts';

/** Options of `emailPlatformTransport`. */
export interface EmailPlatformTransportOptions {
  /** The client to send with: the one the rest of the program uses, so that they keep to the limits together. */
  readonly client: MailClient;
  /** The stream that emails are sent on, unless one names another. The client's by default. */
  readonly stream?: Stream | undefined;
  /**
   * The fields of this package that a message may have; with any other of them it is refused. What the transporter's
   * defaults or a plugin sets counts as the message's.
   * @defaultValue all of them
   */
  readonly fromMessage?: readonly (keyof EmailPlatformFields)[] | undefined;
  /**
   * Fields that cannot be sent, and that emails are sent without. A message with any other such field is refused.
   * @defaultValue []
   */
  readonly ignore?: readonly IgnorableField[] | undefined;
  /**
   * Whether a message that refers to a file is refused, whatever it says itself. Needs nodemailer 8.0.9 or later.
   * @defaultValue false
   */
  readonly disableFileAccess?: boolean | undefined;
  /**
   * Whether a message that refers to an address to load is refused, whatever it says itself. Needs nodemailer 8.0.9 or
   * later.
   * @defaultValue false
   */
  readonly disableUrlAccess?: boolean | undefined;
}

const CLIENT = 'a client: new EmailPlatform()';

const rules: Rules<EmailPlatformTransportOptions> = {
  client: mustBe(CLIENT, (client) => portOf(client) !== undefined),
  stream: oneOf(STREAMS),
  fromMessage: arrayOf(oneOf(Object.keys(OWN_FIELDS)), 'an array of names of fields'),
  ignore: arrayOf(oneOf(Object.keys(IGNORABLE_FIELDS)), 'an array of names of fields'),
  disableFileAccess: booleanRule,
  disableUrlAccess: booleanRule,
};
const rule = objectOf(rules, ['client'], 'an object, such as { client }');

/** Checks the options; throws a ConfigurationError that names the first that is wrong. Returns the port of the client. */
export function checkOptions(options: EmailPlatformTransportOptions): ClientPort {
  refuse('', rule(options));
  const port = portOf(options.client);
  if (!port) throw invalid('client', `must be ${CLIENT}`);
  return port;
}
