import { ConfigurationError } from './errors.ts';
import { mayRead } from './platform.ts';
import type { HostName } from './request.ts';

/** The environment variable of each option that has one. */
export const VARIABLES = {
  token: 'EMAIL_PLATFORM_TOKEN',
  accountId: 'EMAIL_PLATFORM_ACCOUNT_ID',
  sandboxInboxId: 'EMAIL_PLATFORM_SANDBOX_INBOX_ID',
  stream: 'EMAIL_PLATFORM_STREAM',
  logLevel: 'EMAIL_PLATFORM_LOG',
  'defaults.from': 'EMAIL_PLATFORM_FROM',
  'hosts.api': 'EMAIL_PLATFORM_API_URL',
  'hosts.send': 'EMAIL_PLATFORM_SEND_URL',
  'hosts.bulk': 'EMAIL_PLATFORM_BULK_URL',
  'hosts.sandbox': 'EMAIL_PLATFORM_SANDBOX_URL',
} as const;

/** The environment variable with one address for all hosts; each host adds its path. */
export const BASE_VARIABLE = 'EMAIL_PLATFORM_URL';

/** The environment variable with the service's domain: the hosts are the domain and its subdomains. */
export const DOMAIN_VARIABLE = 'EMAIL_PLATFORM_DOMAIN';

/** The environment variables with rules for recipients, in addition to the option `recipients`. */
export const RECIPIENTS_VARIABLE = 'EMAIL_PLATFORM_RECIPIENTS';
export const REDIRECT_VARIABLE = 'EMAIL_PLATFORM_REDIRECT_TO';

/** The environment variables of an option, in the order of their precedence. */
const namesOf = (option: keyof typeof VARIABLES): string => {
  const variable = VARIABLES[option];
  return option.startsWith('hosts.') ? `${DOMAIN_VARIABLE}, ${variable} or ${BASE_VARIABLE}` : variable;
};

/** The remedy for a host without an address. */
export const hostRemedy = (host: HostName): string => `set ${namesOf(`hosts.${host}`)}`;

/** The error for an option that the caller and the environment leave out, or whose variable Deno forbids to read. */
export function missing(option: keyof typeof VARIABLES, problem = 'is required'): ConfigurationError {
  const variable = VARIABLES[option];
  const trial =
    option === 'token'
      ? '; or, in a build, make the client at the first call; or, to try it without an account, start `npx email-platform emulator`'
      : '';
  const todo = mayRead(variable)
    ? `set ${namesOf(option)}${trial}`
    : `let it read ${variable}: there is no permission (--allow-env=${variable})`;
  return new ConfigurationError(`${option} ${problem}: pass it to the client, or ${todo}`, { option });
}
