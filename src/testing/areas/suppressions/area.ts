import { area } from '../area.ts';
import { suppressionOptions } from './options.ts';
import { suppressionRoutes } from './routes.ts';
import { SuppressionStore } from './store.ts';

/** Suppressions: addresses that no longer receive email. */
export const suppressions = area<'suppressions', 'suppressions'>({
  name: 'suppressions',
  options: { suppressions: suppressionOptions },
  keep: ({ state }) => ({ suppressions: new SuppressionStore(state) }),
  routes: suppressionRoutes,
});
