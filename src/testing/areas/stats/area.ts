import { area } from '../area.ts';
import { statsRoutes } from './routes.ts';
import { Sums } from './sums.ts';

/** Statistics of the messages in the log. */
export const stats = area<'sums'>({
  name: 'stats',
  keep: ({ state }) => ({ sums: new Sums(state) }),
  routes: statsRoutes,
});
