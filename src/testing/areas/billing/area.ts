import { check } from '../../checks/argument.ts';
import { flag, recordOf, oneOf } from '../../checks/kind.ts';
import { control, needed } from '../../control.ts';
import { area } from '../area.ts';
import { billingRoutes } from './routes.ts';

const saved = recordOf<{ withinLimits: boolean }>({ withinLimits: flag });

/** What an account has used, and whether its billing allows campaigns to be sent. */
export const billing = area({
  name: 'billing',
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
  saved: (world) => ({
    billing: {
      save: () => world.billing,
      load: (given, name) => {
        check(saved, given, name);
        Object.assign(world.billing, given);
      },
    },
  }),
});
