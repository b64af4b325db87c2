import { area } from '../area.ts';
import { campaignControls } from './controls.ts';
import { seedCampaigns } from './demo.ts';
import { Lifecycle } from './lifecycle.ts';
import { campaignOptions } from './options.ts';
import { campaignRoutes } from './routes.ts';
import { CampaignStore } from './store.ts';

/** Email campaigns. */
export const campaigns = area<'campaigns' | 'lifecycle', 'campaigns'>({
  name: 'campaigns',
  options: { campaigns: campaignOptions },
  keep: (world) => ({ campaigns: new CampaignStore(world.state), lifecycle: new Lifecycle(world) }),
  routes: campaignRoutes,
  seed: (world, seed) => {
    if (seed === 'demo') seedCampaigns(world);
  },
  controls: campaignControls,
});
