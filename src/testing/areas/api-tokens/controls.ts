import { arrayOf, objectOf, oneOf, positive } from '../../checks/kind.ts';
import { control, optional } from '../../control.ts';
import type { EmulatorControls } from '../../emulator-types.ts';
import type { EmulatorAccess, EmulatorArea, EmulatorTokenOptions } from '../../tokens.ts';
import { addFirstDomains } from '../sending-domains/seed.ts';

const access = oneOf(['none', 'viewer', 'admin'] satisfies EmulatorAccess[]);

const tokenOptions = objectOf<EmulatorTokenOptions>({
  permissions: objectOf<Record<EmulatorArea, EmulatorAccess>>({
    campaigns: access,
    emailLogs: access,
    sending: access,
    templates: access,
    domains: access,
    account: access,
    billing: access,
    contacts: access,
    suppressions: access,
    stats: access,
    webhooks: access,
    inbound: access,
    sandbox: access,
  }),
  domains: arrayOf('domain ids', positive),
  accountId: positive,
});

/** What a test can do to API tokens. */
export const tokenControls = {
  createToken: control<EmulatorControls['createToken']>(
    { options: optional(tokenOptions) },
    ({ tokens, domains, accountId }, options = {}) => {
      for (const id of options.domains ?? []) domains.known(id);
      const { accountId: owner = accountId } = options;
      if (owner !== accountId && domains.count(owner) === 0) addFirstDomains(domains, owner);
      return tokens.create(options, accountId);
    },
  ),
};
