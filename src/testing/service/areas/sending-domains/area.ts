import { arrayOf, flag, objectOf, positive, text, textLike } from '../../../declare/kind.ts';
import { control, needed } from '../../routing/control.ts';
import type { EmulatorDomain, EmulatorDomains } from './control-types.ts';
import { area } from '../../routing/area.ts';
import type { World } from '../../state/world.ts';
import { domainRoutes } from './routes.ts';
import { domainOptions, DomainStore, isDomainName } from '../../state/account/domains.ts';

/** Adds the two domains that every account has: a verified and an unverified one. */
export function addFirstDomains(store: DomainStore, accountId: number): void {
  store.addSettled(accountId, 'mail.example.com', true);
  store.addSettled(accountId, 'unverified.example.com', false);
}

/** Adds the initial domains. */
function seedDomains({ domains, accountId }: World, isDemo: boolean): void {
  addFirstDomains(domains, accountId);
  if (!isDemo) return;
  const more = ['news.example.com', 'shop.example.org', 'updates.example.net'];
  for (const name of more) domains.addSettled(accountId, name, true);
  domains.addSettled(accountId, 'pending.example.org', false);
}

const domainList = arrayOf(
  'domains',
  objectOf<EmulatorDomain>({ id: positive, accountId: positive, name: text, verified: flag }, 'all'),
);

const domainFields = objectOf<{ name: string; verified: boolean; accountId: number }>(
  { name: textLike('a domain name', isDomainName), verified: flag, accountId: positive },
  ['name'],
);

/** The controls of sending domains. */
const domainControls = {
  'domains.add': control<EmulatorDomains['add']>(
    'POST /domains',
    { takes: { domain: needed(domainFields) }, body: 'domain', returns: positive, as: 'id' },
    ({ domains, accountId }, { name, verified = true, accountId: owner = accountId }) => {
      if (domains.named(owner, name) !== undefined) {
        throw new RangeError(`There is already a sending domain ${name}`);
      }
      return domains.addSettled(owner, name.toLowerCase(), verified).id;
    },
  ),
  'domains.setVerified': control<EmulatorDomains['setVerified']>(
    'POST /domains/{id}/verified',
    { takes: { id: needed(positive), verified: needed(flag) } },
    ({ domains }, id, verified) => domains.setVerified(domains.known(id), verified),
  ),
  'domains.list': control<EmulatorDomains['list']>(
    'GET /domains',
    { returns: domainList, as: 'domains' },
    ({ domains }) =>
      domains.all().map((one) => ({
        id: one.id,
        accountId: one.accountId,
        name: one.name,
        verified: domains.isVerified(one),
      })),
  ),
};

/** Sending domains. */
export const sendingDomains = area<'domains', 'domains'>({
  name: 'sending-domains',
  options: { domains: domainOptions },
  keep: (world) => ({ domains: new DomainStore(world) }),
  routes: domainRoutes,
  seed: (world, seed) => seedDomains(world, seed === 'demo'),
  controls: domainControls,
});
