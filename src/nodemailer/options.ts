import { booleanRule, mustBe, objectOf, oneOf, refuse, type Rules } from '../core/rules.ts';
import { STREAMS, type Stream } from '../core/request.ts';
import { portOf } from '../client/port.ts';
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

const rules: Rules<EmailPlatformTransportOptions> = {
  client: mustBe('a client: new EmailPlatform()', (client) => portOf(client) !== undefined),
  stream: oneOf(STREAMS),
  disableFileAccess: booleanRule,
  disableUrlAccess: booleanRule,
};
const rule = objectOf(rules, ['client'], 'an object, such as { client }');

/** Checks the options; throws a ConfigurationError that names the first that is wrong. */
export const checkOptions = (options: unknown): void => refuse('', rule(options));
