import { area } from '../area.ts';
import { templateControls } from './controls.ts';
import { seedTemplates } from './demo.ts';
import { templatesOption } from './options.ts';
import { addFolders } from './folders.ts';
import { templateRoutes } from './routes.ts';
import { TemplateStore } from './store.ts';

/** Email templates. */
export const templates = area<'templates', 'templates'>({
  name: 'templates',
  options: { templates: templatesOption },
  keep: ({ state }) => ({ templates: new TemplateStore(state) }),
  routes: templateRoutes,
  controls: templateControls,
  seed: (world, seed) => {
    if (seed === 'demo') seedTemplates(world);
    addFolders(world);
  },
});
