import type { World } from '../world.ts';
import { folderRoutes } from './folder-routes.ts';
import { inboxRoutes } from './inbox-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { ruleRoutes } from './rule-routes.ts';
import { threadRoutes } from './thread-routes.ts';

/** The endpoints of inbound mail. */
export const inboundRoutes = (world: World) => [
  ...folderRoutes(world),
  ...inboxRoutes(world),
  ...messageRoutes(world),
  ...threadRoutes(world),
  ...ruleRoutes(world),
];
