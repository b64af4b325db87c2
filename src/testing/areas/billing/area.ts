import { oneOf } from '../../checks/kind.ts';
import { control, needed } from '../../control.ts';
import { area } from '../area.ts';
import { billingRoutes } from './routes.ts';

/** What an account has used, and whether its billing allows campaigns to be sent. */
export const billing = area<'billing'>({
  name: 'billing',
  keep: ({ state }) => ({ billing: state.part('billing', { withinLimits: true }) }),
  routes: billingRoutes,
  controls: {
    setBilling: control<(state: 'within-limits' | 'exceeded') => void>(
      { state: needed(oneOf(['within-limits', 'exceeded'])) },
      (world, state) => {
        world.billing.withinLimits = state === 'within-limits';
      },
    ),
  },
});
