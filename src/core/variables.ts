import { ConfigurationError } from './errors.ts';
import { mayRead } from './platform.ts';

/** The environment variable of each option that has one. */
export const VARIABLES = {
  token: 'EMAIL_PLATFORM_TOKEN',
  accountId: 'EMAIL_PLATFORM_ACCOUNT_ID',
  sandboxInboxId: 'EMAIL_PLATFORM_SANDBOX_INBOX_ID',
  'hosts.api': 'EMAIL_PLATFORM_API_URL',
  'hosts.send': 'EMAIL_PLATFORM_SEND_URL',
  'hosts.bulk': 'EMAIL_PLATFORM_BULK_URL',
  'hosts.sandbox': 'EMAIL_PLATFORM_SANDBOX_URL',
} as const;

/** The error for an option that neither the caller nor the environment supplies, or that Deno does not let us read. */
export function missing(option: keyof typeof VARIABLES): ConfigurationError {
  const variable = VARIABLES[option];
  const todo = mayRead(variable)
    ? `set ${variable}`
    : `let it read ${variable}: there is no permission (--allow-env=${variable})`;
  return new ConfigurationError(`${option} is required: pass it to the client, or ${todo}`, { option });
}
