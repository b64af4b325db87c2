import { area } from '../area.ts';
import { tokenControls } from './controls.ts';
import { tokenRoutes } from './routes.ts';

/** API tokens. */
export const apiTokens = area({
  name: 'api-tokens',
  routes: tokenRoutes,
  controls: tokenControls,
});
