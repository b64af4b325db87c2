import { arrayOf, flag, objectOf, positive, text, textLike } from '../../checks/kind.ts';
import { control, needed } from '../../control.ts';
import type { EmulatorDomain, EmulatorDomains } from '../../emulator-types.ts';
import { isDomainName } from './name.ts';

const domainFields = objectOf<{ name: string; verified: boolean; accountId: number }>(
  { name: textLike('a domain name', isDomainName), verified: flag, accountId: positive },
  ['name'],
);

const listed = objectOf<EmulatorDomain>(
  { id: positive, accountId: positive, name: text, verified: flag },
  'all',
);

/** What a test can do to sending domains. */
export const domainControls = {
  'domains.add': control<EmulatorDomains['add']>(
    { line: 'POST /domains', spread: 'domain', as: 'id' },
    'Adds a domain, which is verified unless it says otherwise.',
    { domain: needed(domainFields) },
    positive,
    ({ domains, accountId }, { name, verified = true, accountId: owner = accountId }) => {
      if (domains.named(owner, name) !== undefined) {
        throw new RangeError(`There is already a sending domain ${name}`);
      }
      return domains.addSettled(owner, name.toLowerCase(), verified).id;
    },
  ),
  'domains.setVerified': control<EmulatorDomains['setVerified']>(
    { line: 'POST /domains/{id}/verified' },
    'Makes the DNS records of a domain pass or fail.',
    { id: needed(positive), verified: needed(flag) },
    undefined,
    ({ domains }, id, verified) => domains.setVerified(domains.known(id), verified),
  ),
  'domains.list': control<EmulatorDomains['list']>(
    { line: 'GET /domains', as: 'domains' },
    'Returns every domain, of every account.',
    {},
    arrayOf('domains', listed),
    ({ domains }) =>
      domains.all().map((one) => ({
        id: one.id,
        accountId: one.accountId,
        name: one.name,
        verified: domains.isVerified(one),
      })),
  ),
};
