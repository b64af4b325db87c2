import {
  arrayOf,
  booleanRule,
  checkedOptions,
  invalid,
  mustBe,
  objectOf,
  oneOf,
  type Rules,
} from '../../core/rules.ts';
import { STREAMS, type Stream } from '../../core/request.ts';
import { portOf, type ClientPort } from '../../client/port.ts';
import { IGNORABLE_FIELDS, OWN_FIELDS } from './fields.ts';
import type { EmailPlatformFields, IgnorableField } from './message-types.ts';
import type { MailClient } from './types.ts';

/** Options of `emailPlatformTransport`. */
export interface EmailPlatformTransportOptions {
  /** The client to send with. Use the client of the rest of the program, so that both share one set of limits. */
  readonly client: MailClient;
  /** The stream of emails that name none. Default: the client's stream. */
  readonly stream?: Stream | undefined;
  /**
   * The fields of this package that a message may have. A message with another one is refused. A field that the
   * transporter's defaults or a plugin set counts as a field of the message.
   *
   * @defaultValue all of them
   */
  readonly fromMessage?: readonly (keyof EmailPlatformFields)[] | undefined;
  /**
   * Fields that the service cannot send, and that the transport ignores. A message with any other such field is
   * refused.
   *
   * @defaultValue []
   */
  readonly ignore?: readonly IgnorableField[] | undefined;
  /**
   * Whether a message that refers to a file is refused, regardless of its own field of this name. Needs nodemailer
   * 8.0.9 or later.
   *
   * @defaultValue false
   */
  readonly disableFileAccess?: boolean | undefined;
  /**
   * Whether a message that refers to an address to load is refused, regardless of its own field of this name. Needs
   * nodemailer 8.0.9 or later.
   *
   * @defaultValue false
   */
  readonly disableUrlAccess?: boolean | undefined;
}

const CLIENT = 'an EmailPlatform: pass new EmailPlatform()';

const rules: Rules<EmailPlatformTransportOptions> = {
  client: mustBe(CLIENT, (client) => portOf(client) !== undefined),
  stream: oneOf(STREAMS),
  fromMessage: arrayOf(oneOf(Object.keys(OWN_FIELDS)), 'an array of field names'),
  ignore: arrayOf(oneOf(Object.keys(IGNORABLE_FIELDS)), 'an array of field names'),
  disableFileAccess: booleanRule,
  disableUrlAccess: booleanRule,
};
const rule = objectOf(rules, ['client'], 'an object, such as { client }');

/** Returns the options and the client's port; throws a ConfigurationError that names the first wrong option. */
export function takenOptions(input: EmailPlatformTransportOptions): {
  readonly options: EmailPlatformTransportOptions;
  readonly port: ClientPort;
} {
  if (portOf(input) !== undefined) throw invalid('options', 'must be an object: pass { client }');
  const options = checkedOptions(rule, input);
  const port = portOf(options.client);
  if (!port) throw invalid('client', `must be ${CLIENT}`);
  return { options, port };
}
