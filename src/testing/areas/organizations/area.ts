import { reading } from '../../control.ts';
import { area } from '../area.ts';
import { organizationRoutes } from './routes.ts';

/** The organization that the emulator's own account belongs to. */
export const organizations = area({
  name: 'organizations',
  routes: organizationRoutes,
  controls: {
    organizationId: reading((world) => world.organizationId),
  },
});
