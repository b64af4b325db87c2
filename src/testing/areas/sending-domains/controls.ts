import { flag, objectOf, positive, textLike } from '../../checks/kind.ts';
import { control, needed } from '../../control.ts';
import type { EmulatorDomains } from '../../emulator-types.ts';
import { isDomainName } from './name.ts';

const domainFields = objectOf<{ name: string; verified: boolean; accountId: number }>(
  { name: textLike('a domain name', isDomainName), verified: flag, accountId: positive },
  ['name'],
);

/** What a test can do to sending domains. */
export const domainControls = {
  'domains.add': control<EmulatorDomains['add']>(
    { domain: needed(domainFields) },
    ({ domains, accountId }, { name, verified = true, accountId: owner = accountId }) => {
      if (domains.named(owner, name) !== undefined) {
        throw new RangeError(`There is already a sending domain ${name}`);
      }
      return domains.addSettled(owner, name.toLowerCase(), verified).id;
    },
  ),
  'domains.setVerified': control<EmulatorDomains['setVerified']>(
    { id: needed(positive), verified: needed(flag) },
    ({ domains }, id, verified) => domains.setVerified(domains.known(id), verified),
  ),
  'domains.list': control<EmulatorDomains['list']>({}, ({ domains }) =>
    domains.all().map((one) => ({
      id: one.id,
      accountId: one.accountId,
      name: one.name,
      verified: domains.isVerified(one),
    })),
  ),
};
