import { area } from '../area.ts';
import { optOutRoutes } from './routes.ts';
import { OptOutStore } from './store.ts';

/** Tracking opt-outs: addresses whose opens and clicks are not tracked. */
export const trackingOptOuts = area<'optOuts'>({
  name: 'tracking-opt-outs',
  keep: ({ state }) => ({ optOuts: new OptOutStore(state) }),
  routes: optOutRoutes,
});
