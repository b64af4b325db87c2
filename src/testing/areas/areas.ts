import type { Route } from '../route.ts';
import { createCampaigns, type CampaignsArea } from './campaigns/area.ts';
import { seedCampaigns } from './campaigns/demo.ts';
import { seedDomains } from './domains/seed.ts';
import { DomainStore } from './domains/store.ts';
import type { Kit } from './kit.ts';

/** What the emulator holds when it begins. */
export type EmulatorSeed = 'demo' | 'empty';

/** Every area there is, and the endpoints of all of them. */
export interface Areas {
  readonly domains: DomainStore;
  readonly campaigns: CampaignsArea;
  readonly routes: readonly Route[];
}

/** Builds the areas, in the order in which they need each other. */
export function createAreas(kit: Kit, seed: EmulatorSeed): Areas {
  const domains = new DomainStore();
  const usable = seedDomains(kit, domains, seed === 'demo');

  const campaigns = createCampaigns(kit, domains);
  if (seed === 'demo') seedCampaigns(kit, campaigns, usable);

  return { domains, campaigns, routes: [campaigns].flatMap((area) => area.routes) };
}
