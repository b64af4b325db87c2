import type { World } from '../world.ts';
import { attachmentRoutes } from './attachment-routes.ts';
import { bodyRoutes } from './body-routes.ts';
import { inboxRoutes } from './inbox-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { projectRoutes } from './project-routes.ts';

/** The endpoints of projects, test inboxes, and the messages and attachments in them. */
export const sandboxRoutes = (world: World) => [
  ...projectRoutes(world),
  ...inboxRoutes(world),
  ...messageRoutes(world),
  ...bodyRoutes(world),
  ...attachmentRoutes(world),
];
