/** The client of a command. */
import { EMULATOR_TOKEN, isEmulatorToken } from '../core/emulator-token.ts';
import { ConfigurationError, EmailPlatform, type EmailPlatformOptions } from '../index.ts';
import { Failure } from './failure.ts';
import type { Surroundings } from './surroundings.ts';

/** The option of the client that allows plain http. The command has no option for it. */
const OPTION = 'unless dangerouslyAllowHttp is set';

/**
 * The client that the environment configures. With a token of an emulator, it may use plain http: such a token, read in
 * transit, reaches no customer.
 */
export function clientOf(
  { client, env }: Pick<Surroundings, 'client' | 'env'>,
  options: EmailPlatformOptions = {},
): EmailPlatform {
  if (client) return client();
  try {
    return new EmailPlatform({
      dangerouslyAllowHttp: isEmulatorToken(env.EMAIL_PLATFORM_TOKEN),
      ...options,
    });
  } catch (error) {
    if (!(error instanceof ConfigurationError) || !error.message.includes(OPTION)) throw error;
    const remedy = `unless EMAIL_PLATFORM_TOKEN is of an emulator: start the emulator with a --token that begins with ${EMULATOR_TOKEN}`;
    throw new Failure(error.message.replace(OPTION, remedy));
  }
}
