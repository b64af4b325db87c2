import { booleanRule, invalid, mustBe, objectOf, oneOf, refuse, type Rules } from '../core/rules.ts';
import { STREAMS, type Stream } from '../core/request.ts';
import { portOf, type ClientPort } from '../client/port.ts';
import type { MailClient } from './types.ts';

/** Options of `emailPlatformTransport`. */
export interface EmailPlatformTransportOptions {
  /** The client to send with: the one the rest of the program uses, so that they keep to the limits together. */
  readonly client: MailClient;
  /** The stream that emails are sent on, unless one names another. The client's by default. */
  readonly stream?: Stream | undefined;
  /**
   * Whether a message that refers to a file is refused, whatever it says itself.
   * @defaultValue false
   */
  readonly disableFileAccess?: boolean | undefined;
  /**
   * Whether a message that refers to an address to load is refused, whatever it says itself.
   * @defaultValue false
   */
  readonly disableUrlAccess?: boolean | undefined;
}

const CLIENT = 'a client: new EmailPlatform()';

const rules: Rules<EmailPlatformTransportOptions> = {
  client: mustBe(CLIENT, (client) => portOf(client) !== undefined),
  stream: oneOf(STREAMS),
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
