import { area } from '../area.ts';
import { domainControls } from './controls.ts';
import { domainOptions } from './options.ts';
import { domainRoutes } from './routes.ts';
import { seedDomains } from './seed.ts';
import { DomainStore } from './store.ts';

/** Sending domains. */
export const sendingDomains = area<'domains', 'domains'>({
  name: 'sending-domains',
  options: { domains: domainOptions },
  keep: (world) => ({ domains: new DomainStore(world) }),
  routes: domainRoutes,
  seed: (world, seed) => seedDomains(world, seed === 'demo'),
  controls: domainControls,
});
