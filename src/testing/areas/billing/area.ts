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
      { line: 'PUT /billing' },
      "Sets whether billing allows campaigns to be sent: `'exceeded'` prevents it.",
      { state: needed(oneOf(['within-limits', 'exceeded'])) },
      undefined,
      (world, state) => {
        world.billing.withinLimits = state === 'within-limits';
      },
    ),
  },
});
