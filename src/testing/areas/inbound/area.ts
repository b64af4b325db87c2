import { area } from '../area.ts';
import { inboundControls } from './controls.ts';
import { inboundOptions } from './options.ts';
import { inboundRoutes } from './routes.ts';
import { InboundStore } from './store.ts';
import { inboundFile } from './view.ts';

/** Inbound mail: folders, inboxes, messages, threads and forward rules. */
export const inbound = area<'inbound', 'inbound'>({
  name: 'inbound',
  options: { inbound: inboundOptions },
  keep: ({ state }) => ({ inbound: new InboundStore(state) }),
  routes: inboundRoutes,
  file: ({ inbound: store }, path) => inboundFile(store, path),
  controls: inboundControls,
});
